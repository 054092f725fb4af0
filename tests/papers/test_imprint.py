"""Journal, year and keywords as print and metadata state them; absent where they state none."""

from collections.abc import Callable

import pytest

from pincite_papers.imprint import Imprint, find_imprint, find_keywords, split_keywords
from pincite_papers.model import Paper

TITLE = "Exploring Galactic Rotation: A Title. Of it"


@pytest.mark.parametrize(
    ("line", "journal", "year"),
    [
        ("Barnett et al. BMC Evolutionary Biology 2014, 14:70", "BMC Evolutionary Biology", 2014),
        ("IUCrJ (2019). 6, 761–772", "IUCrJ", 2019),
        ("Behav Ecol Sociobiol (2015) 69:1383–1394", "Behav Ecol Sociobiol", 2015),
        ("Metabolites 2014, 4, 932-945; doi:10.3390/metabo4040932", "Metabolites", 2014),
        ("Nature Communications | (2023) 14:2878", "Nature Communications", 2023),
        (f"Villano et al. (2023). {TITLE}. Journal of Open Source Education, 6(66), 184. https:", None, 2023),
        ("PHYSICAL REVIEW B 75, 054421 (2007)", "PHYSICAL REVIEW B", 2007),
        ("Phys. Rev. Lett. 98, 117003 (2007)", "Phys. Rev. Lett.", 2007),
        ("Physica C 470 (2010) 123–128", "Physica C", 2010),
        ("J. Phys.: Condens. Matter 20 (2008) 123456", "J. Phys.: Condens. Matter", 2008),
        (
            "Hindawi Publishing Corporation Lipid Research Volume 2011, Article ID 962025, 10 pages",
            "Lipid Research",
            2011,
        ),
        ("PLOS ONE | https://doi.org/10.1371/journal.pone.0193451 March 30, 2018 1 / 18", "PLOS ONE", 2018),
        ("Journal of Invented Dentistry, September-December 2015;8(3):207-210", "Journal of Invented Dentistry", 2015),
        ("EXCLI Journal 2017;16:160-173 – ISSN 1611-2156", "EXCLI Journal", 2017),
        ("NATURE | VOL 453 | 5 JUNE 2008", "NATURE", 2008),
    ],
)
def test_citation_lines_name_journal_and_year(line: str, journal: str | None, year: int) -> None:
    assert find_imprint({}, [line], TITLE) == Imprint(journal or "Journal of Open Source Education", year)


@pytest.mark.parametrize(
    ("line", "year"),
    [
        ("Received: 1 August 2013; Accepted: 10 October 2014; Published: 17 October 2014", 2014),
        ("© 2015 Forster et al.; licensee of no journal.", 2015),
        ("arXiv:2601.01234v2 [cond-mat.supr-con] 3 Jan 2026", 2026),
        ("Received 27 March 2019", None),
        ("Figure 12 (2014) shows page 3", None),
        ("Department of Physics, Room 2014, 12 Street", None),
    ],
)
def test_other_statements_give_the_year_alone(line: str, year: int | None) -> None:
    assert find_imprint({}, [line], TITLE) == Imprint(None, year)


def test_metadata_go_before_print() -> None:
    fields = {"prism:publicationname": "Journal of X &amp; Y", "prism:coverdate": "2020-03-01"}
    assert find_imprint(fields, [], TITLE) == Imprint("Journal of X & Y", 2020)
    assert (
        find_imprint({"subject": "Nature Communications, doi:10.1038/x"}, [], TITLE).journal == "Nature Communications"
    )
    assert find_imprint({"subject": "A long account, of what the paper says. It says much."}, [], TITLE).journal is None


@pytest.mark.parametrize(
    ("listed", "keywords"),
    [
        ("Fusarium poae; durum wheat; SPME-GC/MS", ("Fusarium poae", "durum wheat", "SPME-GC/MS")),
        ("Aggression . Grey seal . Mammal", ("Aggression", "Grey seal", "Mammal")),
        ("lions, ancient DNA (mt, nuclear), Africa.", ("lions", "ancient DNA (mt, nuclear)", "Africa")),
        ("one · two • three PACS: 74.20", ("one", "two", "three")),
        ("超伝導；磁性；圧力", ("超伝導", "磁性", "圧力")),
        ("graphene", ("graphene",)),
        ("This is a sentence that goes on and on for more than eighty characters and that lists nothing at all", ()),
        ("", ()),
    ],
)
def test_keyword_lists(listed: str, keywords: tuple[str, ...]) -> None:
    assert split_keywords(listed) == keywords
    assert find_keywords({}, ["Some text.", f"Keywords: {listed}"] if listed else []) == keywords


def test_keywords_under_their_heading_and_of_the_metadata() -> None:
    assert find_keywords({}, ["Key words", "one; two"]) == ("one", "two")
    assert find_keywords({"keywords": "one, two"}, ["Text"]) == ("one", "two")
    assert find_keywords({"keywords": "10.1000/abc"}, ["Text"]) == ()
    assert find_keywords({}, ["Keywords were chosen by two raters, and so on."]) == ()


def test_a_typeset_paper_states_its_imprint(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(
        """#set page(height: 12cm, footer: [Doe & Roe (2021). A Paper with an Imprint. Journal of Tests, 3(2), 17.])
#text(size: 18pt)[A Paper with an Imprint]

Jane Doe and John Roe

*Keywords:* typesetting; parsing

= Introduction
#lorem(200)

As Nature 2019, 12:34 and Science 323, 1234 (2009) show. #lorem(100)"""
    )
    assert (paper.journal, paper.year) == ("Journal of Tests", 2021)
    assert paper.keywords == ("typesetting", "parsing")


def test_a_title_runs_on_where_other_print_follows_it(parsed: Callable[[str], Paper]) -> None:
    paper = parsed(
        """#par(justify: false)[#text(size: 18pt, weight: "bold")[A Title of Two Lines That Comes to
its End on the Second and Last] #text(size: 11pt)[\\[version 2; approved\\]]]

Jane Doe and John Roe

= Introduction
#lorem(90)"""
    )
    assert paper.title == "A Title of Two Lines That Comes to its End on the Second and Last"
    assert paper.authors == ("Jane Doe", "John Roe")
