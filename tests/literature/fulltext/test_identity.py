"""Whether a fetched text is the paper that was asked for."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

from pincite_literature.fulltext.identity import arxiv_version, compare
from pincite_literature.model import Author, Identifiers, Work
from pincite_papers.model import Paper

Read = Callable[[bytes], Paper]
WORK = Work(
    title="Superconductivity of a cuprate that nobody has made",
    ids=Identifiers(doi="10.5555/cuprate.1", arxiv="1903.00001"),
    authors=(Author("Ada M. Lovelace", "Lovelace", "Ada M."),),
)


@pytest.fixture(scope="module")
def paper(read: Read, articles: ModuleType) -> Paper:
    """The article as a web page: with its title, without a DOI."""
    return read(articles.web_page())


def test_the_same_title_is_the_same_paper(paper: Paper) -> None:
    assert compare(paper, WORK, archived=False) == compare(paper, replace(WORK, authors=()), archived=True)
    assert compare(paper, WORK, archived=False).other == ""
    assert compare(paper, WORK, archived=False).doubt == ""


@pytest.mark.parametrize(
    ("printed", "recorded"),
    [
        ("SUPERCONDUCTIVITY OF YBa2Cu3O6.93", "Superconductivity of YBa$_2$Cu$_3$O$_{6.93}$"),
        ("Superconductivity of YBa₂Cu₃O₆.₉₃", "Superconductivity of YBa2Cu3O6.93"),
        ("Schrödinger’s equation — revisited", "Schrodinger's equation: revisited"),
        ("Spin liquids in α-RuCl3 and beyond", "Spin liquids in $\\alpha$-RuCl$_3$ and beyond"),
        ("Deep learning of phases: a review of methods", "A review of methods: deep learning of phases"),
    ],
)
def test_titles_are_compared_by_letters_and_digits(paper: Paper, printed: str, recorded: str) -> None:
    assert (
        compare(replace(paper, title=printed, text="x" * 5000), replace(WORK, title=recorded), archived=False).other
        == ""
    )


@pytest.mark.parametrize(
    "printed",
    [
        "Magnetism of a nickelate that somebody has made",
        "A cuprate",
        "Superconductivity of a cuprate that nobody has made: part II",
        "Comment on “Superconductivity of a cuprate that nobody has made”",
        "Erratum: Superconductivity of a cuprate that nobody has made",
        "Supplementary Information: Superconductivity of a cuprate that nobody has made",
        "Reply to the comment on Superconductivity of a cuprate that nobody has made",
    ],
)
def test_another_paper_is_told(paper: Paper, printed: str) -> None:
    verdict = compare(replace(paper, title=printed, text=f"{printed}\nA. Nother\n" + "y" * 5000), WORK, archived=True)
    assert verdict.other
    assert printed[:40] in verdict.other


def test_supplements_are_no_paper_though_they_bear_its_doi(paper: Paper) -> None:
    supplement = replace(paper, title="Supporting Information for a cuprate", doi="10.5555/cuprate.1")
    assert "it is a supplement" in compare(supplement, WORK, archived=True).other


def test_an_erratum_is_found_when_one_is_asked_for(paper: Paper) -> None:
    title = "Erratum: Superconductivity of a cuprate that nobody has made"
    assert compare(replace(paper, title=title), replace(WORK, title=title), archived=False).other == ""


def test_the_doi_settles_it_whatever_the_title(paper: Paper) -> None:
    odd = replace(paper, title="untitled", text="z" * 5000, doi="10.5555/CUPRATE.1")
    assert compare(odd, WORK, archived=False).other == ""
    preprint = replace(WORK, ids=Identifiers(doi="10.5555/other"), version_of=("10.5555/cuprate.1",))
    assert compare(odd, preprint, archived=False).other == ""


def test_another_doi_with_the_same_title_is_a_doubt(paper: Paper) -> None:
    verdict = compare(replace(paper, doi="10.5555/preprint"), WORK, archived=False)
    assert verdict.other == ""
    assert "10.5555/preprint" in verdict.doubt


def test_a_title_that_the_parser_missed_is_looked_for_in_the_opening(paper: Paper) -> None:
    opening = "arXiv preprint. Journal of X\nSuperconductivity of a cuprate that nobody has\nmade\nAda M. Lovelace\n"
    text = opening + "w" * 5000
    assert compare(replace(paper, title="Journal of X", text=text), WORK, archived=False).other == ""
    strangers = text.replace("Lovelace", "Noether")
    assert compare(replace(paper, title="Journal of X", text=strangers), WORK, archived=False).other


def test_parts_of_a_series_are_not_taken_for_each_other(paper: Paper) -> None:
    second = replace(paper, title="A made-up series of great length. II. Results", text="A made-up series " * 300)
    assert compare(second, replace(WORK, title="A made-up series of great length. I. Methods"), archived=False).other
    same = replace(WORK, title="A made-up series of great length II: Results")
    assert compare(second, same, archived=False).other == ""


def test_what_cannot_be_compared_is_a_doubt_or_refused(paper: Paper) -> None:
    untitled = replace(paper, title="", text="q" * 5000)
    assert "could not be compared" in compare(untitled, WORK, archived=True).doubt
    assert compare(untitled, WORK, archived=False).other
    assert "No record of its title" in compare(paper, replace(WORK, title="", ids=Identifiers()), archived=True).doubt
    translated = replace(WORK, title="[Supraleitung eines Kuprats].", ids=Identifiers(pmid="1"))
    assert "could not be compared" in compare(replace(paper, title="Über etwas"), translated, archived=False).doubt


def test_the_stamp_of_arxiv_names_paper_and_version(read: Read, articles: ModuleType) -> None:
    stamped = read(articles.pdf(stamp="arXiv:1903.00001v3  [cond-mat.supr-con]  5 Mar 2019"))
    assert arxiv_version(stamped) == 3
    assert arxiv_version(read(articles.pdf())) is None
    renamed = replace(WORK, title="It had another title before")
    assert compare(stamped, renamed, archived=True).other == ""
    assert compare(stamped, replace(renamed, ids=Identifiers(arxiv="1903.00002")), archived=True).other


PAIRS = Path(__file__).resolve().parents[4] / "shared" / "data" / "jats-pdf-pairs"


def test_real_papers_are_told_apart(read: Read) -> None:
    """Each PDF is the article of its own JATS, and of no other, DOIs left out."""
    if not PAIRS.is_dir():
        pytest.skip("the pairs of PDF and JATS are not beside the repository (../shared/data/jats-pdf-pairs)")
    names = sorted(PAIRS.glob("*.pdf"))[:5]
    works: list[Work] = []
    for name in names:
        jats = read(name.with_name(name.name.replace(".pdf", ".jats.xml")).read_bytes())
        works.append(Work(title=jats.title, ids=Identifiers(), authors=tuple(Author(one) for one in jats.authors)))
    for place, name in enumerate(names):
        paper = replace(read(name.read_bytes()), doi=None)
        same = [compare(paper, work, archived=False).other == "" for work in works]
        assert same == [number == place for number in range(len(works))]
