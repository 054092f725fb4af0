"""DOIs in texts: the old kind (SICI) is whole or no DOI."""

import pytest

from pincite_papers.doi import cut_doi, dois_in, is_cut
from pincite_papers.identity import find_doi as find_own_doi
from pincite_papers.references import find_doi

WILEY = "10.1002/(SICI)1097-4628(19960425)60:4<531::AID-APP5>3.0.CO;2-S"
WHOLE = (
    WILEY,
    WILEY.lower(),
    "10.1002/(SICI)1097-0258(19980815/30)17:15/16<1661::AID-SIM968>3.0.CO;2-2",
    "10.1002/(SICI)1520-6661(199701/02)6:1<64::AID-MFM13>3.0.CO;2-#",
    "10.1175/1520-0469(1998)055<3137:TDOTHC>2.0.CO;2",
    "10.1641/0006-3568(2000)050[0123:ABCDEF]2.0.CO;2",
    "10.1061/(ASCE)0733-9399(2004)130:4(437)",
    "10.1016/0022-0248(89)90200-6",
    "10.1016/S0022-0248(98)00123-4",
    "10.1038/nature14539",
    "10.1000.10/123",
)
AROUND = ("{}", "doi:{}.", "({})", "https://doi.org/{}, accessed", "see {}; and", "<i>{}</i>", "“{}”")


def test_whole_dois_are_found_in_any_surroundings() -> None:
    wrong = [
        (text, list(dois_in(text)))
        for doi in WHOLE
        for around in AROUND
        if list(dois_in(text := around.format(doi))) != [doi]
    ]
    assert not wrong


def test_a_cut_sici_is_no_doi_wherever_it_is_cut() -> None:
    for whole in (WILEY, WILEY.lower()):
        start = whole.index(")") + 1
        wrong = [
            whole[:end]
            for end in range(start, len(whole))
            if list(dois_in(whole[:end])) or cut_doi(whole[:end]) is None
        ]
        assert not wrong
        assert all(is_cut(whole[:end]) for end in range(start, len(whole)))


def test_a_cut_sici_without_its_mark_is_known_by_its_bracket() -> None:
    whole = "10.1175/1520-0469(1998)055<3137:TDOTHC>2.0.CO;2"
    wrong = [end for end in range(whole.index("<") + 1, len(whole)) if list(dois_in(whole[:end]))]
    assert not wrong
    assert list(dois_in(f"{whole[:-4]} and 10.1038/nature14539")) == ["10.1038/nature14539"]


def test_coded_signs_count_as_what_they_stand_for() -> None:
    coded = WILEY.replace("<", "%3C").replace(">", "%3E")
    assert list(dois_in(f"https://doi.org/{coded}")) == [coded]
    assert is_cut(coded[:-20])
    assert not is_cut(WILEY.replace("<", "&lt;").replace(">", "&gt;"))


@pytest.mark.parametrize("doi", [WHOLE[0], WHOLE[4]])
def test_references_give_the_whole_one_over_lines_and_no_part(doi: str) -> None:
    wrong: list[object] = []
    for at in range(doi.index("/") + 2, len(doi) - 1):
        if doi[at - 1] in "(:-;.<" or doi[at] in "<(":
            found = find_doi(
                [f"1. Polymer, A. J. Appl. Polym. Sci. 60, 531. doi:{doi[:at]}", f"{doi[at:]}", "2. Next."]
            )
            if found != doi:
                wrong.append((at, found))
    assert not wrong
    cut = doi[: doi.index("<") + 4]
    assert find_doi([f"Polymer, A. 60, 531 (1996). doi:{cut}"]) is None
    assert find_doi([f"Polymer, A. doi:{cut}", "and doi:10.1038/nature14539"]) == "10.1038/nature14539"


def test_a_paper_is_not_named_by_a_part_of_a_doi() -> None:
    assert find_own_doi({"doi": WILEY[:40]}, [f"DOI: {WILEY}"], "") == WILEY
    assert find_own_doi({}, [f"DOI: {WILEY[:36]}"], "") is None
