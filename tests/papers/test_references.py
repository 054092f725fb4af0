"""Reference lists: numbered in several ways, by hanging indents, by room; identifiers over line ends."""

from collections.abc import Callable

import pytest

from pincite_papers.pdf.elements import Line, PageLayout
from pincite_papers.pdf.references import split_references
from pincite_papers.references import ReferenceDraft, find_arxiv, find_doi

Layouts = Callable[[str], list[PageLayout]]

WORKS = [
    (
        "Abernathey, R. P., Augspurger, T., Banihirwe, A., & Blackmon, C. (2021). Cloud-native repositories for big "
        "scientific data. _Computing in Science & Engineering_, 23(2), 26–35. https://doi.org/10.1109/MCSE.2021.3059437"
    ),
    (
        "Bednorz, J. G., & Müller, K. A. (1986). Possible high Tc superconductivity in the Ba–La–Cu–O system. "
        "_Zeitschrift für Physik B_, 64, 189–193. https://doi.org/10.1007/BF01303701"
    ),
    "Caswell, T. A. (2019a). _A guide to plotting_. Open Press.",
    (
        "van der Waals, J. D. (1873). Over de continuiteit van den gas- en vloeistoftoestand, with an appendix on the "
        "law of corresponding states. Leiden. arXiv:cond-mat/0207667"
    ),
]
KEYS = ["Abernathey 2021", "Bednorz 1986", "Caswell 2019a", "van der Waals 1873"]


def lines_of(pages: list[PageLayout]) -> list[Line]:
    return [line for page in pages for line in page.lines]


def first_words(lines: list[Line], entries: list[ReferenceDraft]) -> list[str]:
    return [" ".join(lines[entry.start].text.split()[:2]) for entry in entries]


def check_cover(entries: list[ReferenceDraft], lines: list[Line]) -> None:
    """Entries follow each other without a gap, to the last line."""
    assert [entry.start for entry in entries[1:]] == [entry.end for entry in entries[:-1]]
    assert entries[-1].end == len(lines)


@pytest.mark.parametrize(("style", "columns"), [("[1]", 1), ("1.", 1), ("(1)", 1), ("[1]", 2), ("1.", 2)])
def test_numbered_lists_split_at_their_numbers(layouts: Layouts, style: str, columns: int) -> None:
    works = "\n".join(f"+ {work}" for work in WORKS * 3)
    lines = lines_of(layouts(f'#set page(columns: {columns}, height: 400pt)\n#set enum(numbering: "{style}")\n{works}'))
    entries = split_references(lines)
    check_cover(entries, lines)
    assert [entry.key for entry in entries] == [str(number) for number in range(1, 13)]
    assert [entry.doi for entry in entries[:3]] == ["10.1109/MCSE.2021.3059437", "10.1007/BF01303701", None]
    assert entries[3].arxiv == "cond-mat/0207667"


@pytest.mark.parametrize("columns", [1, 2])
def test_hanging_indents_split_a_list_by_author_and_year(layouts: Layouts, columns: int) -> None:
    works = "\n\n".join(WORKS * 3)
    source = f"#set page(columns: {columns}, height: 400pt)\n#set par(hanging-indent: 14pt, spacing: 0.65em)\n{works}"
    lines = lines_of(layouts(source))
    entries = split_references(lines)
    check_cover(entries, lines)
    assert [entry.key for entry in entries] == KEYS * 3


def test_room_splits_a_list_without_numbers_or_indents(layouts: Layouts) -> None:
    works = "\n\n".join(WORKS)
    lines = lines_of(layouts(f"#set par(spacing: 1.4em)\n{works}"))
    entries = split_references(lines)
    check_cover(entries, lines)
    assert [entry.key for entry in entries] == KEYS


def test_a_line_that_starts_with_a_number_out_of_turn_starts_no_entry(layouts: Layouts) -> None:
    source = (
        '#set enum(numbering: "1.")\n#set page(width: 330pt)\n#set par(justify: false)\n'
        "+ Kluyver, T., Ragan-Kelley, B. A very long title that leads up to the year and the volume of the book \\ "
        "16\\. Proceedings of the conference.\n+ Rubin, V. C. Extended rotation curves. Astrophysical Journal."
    )
    lines = lines_of(layouts(source))
    assert [entry.key for entry in split_references(lines)] == ["1", "2"]


def test_no_lines_give_no_entries() -> None:
    assert split_references([]) == []


@pytest.mark.parametrize(
    ("lines", "doi"),
    [
        (["Title. https://doi.org/10.1103/PhysRevB.64.184523."], "10.1103/PhysRevB.64.184523"),
        (["Title. doi:10.1016/j.envsoft.", "2016.08.017"], "10.1016/j.envsoft.2016.08.017"),
        (["Title. https:", "//doi.org/10.21105/jose.00184."], "10.21105/jose.00184"),
        (["Title. https://doi.org/10.3233/978-1-", "61499-649-1-87"], "10.3233/978-1-61499-649-1-87"),
        (["Title. https://doi.org/10.1000/", "xyz123 (accessed 2020)."], "10.1000/xyz123"),
        (["Title. (doi: 10.1016/S0022-0728(00)00115-1)"], "10.1016/S0022-0728(00)00115-1"),
        (
            ["Title. https://doi.org/10.1890/0012-9658(2003)084%5B1412:TETTWU%5D2.0.CO;2"],
            "10.1890/0012-9658(2003)084[1412:TETTWU]2.0.CO;2",
        ),
        (["doi:10.1038/nature11129", "Another line of the entry."], "10.1038/nature11129"),
        (["doi:10.1038/nature11129.", "2012 was a good year."], "10.1038/nature11129"),
        (["Version 10.1 of the program, pages 10-12."], None),
    ],
)
def test_dois_are_read_over_line_ends(lines: list[str], doi: str | None) -> None:
    assert find_doi(lines) == doi


@pytest.mark.parametrize(
    ("lines", "arxiv"),
    [
        (["arXiv:2301.01234v2 [cond-mat]"], "2301.01234v2"),
        (["arXiv preprint arXiv:1706.03762, 2017."], "1706.03762"),
        (["https://arxiv.org/abs/2010.", "11929"], "2010.11929"),
        (["cond-mat/0207667 (arXiv: cond-mat/0207667)"], "cond-mat/0207667"),
        (["Nature 301, 1234 (2023)."], None),
    ],
)
def test_arxiv_numbers_are_read(lines: list[str], arxiv: str | None) -> None:
    assert find_arxiv(lines) == arxiv
