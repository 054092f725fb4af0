"""The cutoff: what may be shown under a cutoff, decided from what each source says of a work."""

import ast
from datetime import date
from pathlib import Path

import pytest

import pincite_literature
from pincite_core.errors import BadInputError
from pincite_literature.date_cutoff import DateCutoff
from pincite_literature.dates import PartialDate
from pincite_literature.model import Author, FulltextLink, Identifiers, Work

CUTOFF_DAY = date(2021, 1, 1)
CUTOFF = DateCutoff(CUTOFF_DAY)


def work(published: str = "2020-05-01", *, source: str = "crossref", **fields: object) -> Work:
    """A record of one source; ``doi`` and ``arxiv`` are its identifiers."""
    ids = Identifiers(**{kind: fields.pop(kind) for kind in ("doi", "arxiv", "pmid", "s2") if kind in fields})
    made = {"title": "Superconductivity of an invented cuprate", "authors": (Author("Ada Lovelace"),), **fields}
    return Work(ids=ids, published=PartialDate.parse(published), sources=(source,), **made)


@pytest.mark.parametrize(
    ("published", "passes"),
    [
        ("2020-12-31", True),
        ("2020-12", True),
        ("2020", True),
        ("2021-01-01", False),
        ("2021-01", False),
        ("2021", False),
        ("2022-06-30", False),
        ("", False),
    ],
)
def test_only_what_surely_came_before_passes(published: str, passes: bool) -> None:
    given = work(published, doi="10.5555/a")
    assert CUTOFF.allows(given) is passes
    assert (CUTOFF.clear_one(given) is not None) is passes
    assert CUTOFF.keep([given]) == (([CUTOFF.clear_one(given)], 0) if passes else ([], 1))


@pytest.mark.parametrize("published", ["2020", "2020-07"])
def test_a_date_that_may_be_later_does_not_pass(published: str) -> None:
    assert DateCutoff(date(2020, 7, 15)).clear_one(work(published)) is None


def test_an_article_online_before_its_issue_passes_without_it() -> None:
    place = {"doi": "10.5555/a", "volume": "16", "issue": "1", "pages": "1-9"}
    own = work("2021-02", dated_by="issue", first_public=PartialDate(2020, 12, 20), **place)
    gathered = work("2020-12-20", source="openalex", **place)
    for shown in (*CUTOFF.clear([own, gathered]), CUTOFF.clear_one(own)):
        assert shown is not None
        assert (str(shown.published), shown.first_public) == ("2020-12-20", None)
        assert (shown.volume, shown.issue, shown.pages) == ("", "", "")
        assert shown.ids.doi == "10.5555/a"
    later = DateCutoff(date(2021, 3, 1)).clear_one(own)
    assert later is not None
    assert (str(later.published), str(later.first_public), later.volume) == ("2021-02", "2020-12-20", "16")


def test_a_preprint_before_the_cutoff_does_not_bring_its_article_through() -> None:
    own = work("2021-05", dated_by="issue", doi="10.5555/a", volume="7")
    preprint = work("2020-03-05", source="arxiv", arxiv="2003.01234", kind="preprint")
    assert CUTOFF.clear([own, preprint])[0] is None
    gathered = work("", first_public=PartialDate(2020, 3, 5), source="semantic_scholar", arxiv="2003.01234",
                    doi="10.5555/a", volume="7", venue="Nature")  # fmt: skip
    shown = CUTOFF.clear([gathered])[0]
    assert shown is not None
    assert (shown.kind, shown.volume, shown.ids.doi, str(shown.published)) == ("preprint", "", None, "2020-03-05")


def test_without_a_cutoff_all_passes_as_it_is() -> None:
    given = [work("2030", cited_by=3, arxiv="2001.00001", venue="Nature"), work("")]
    assert DateCutoff(None).clear(given) == given
    assert DateCutoff(None).note(0) == DateCutoff(None).note(2) == ""


def test_what_tells_of_later_works_is_taken_away() -> None:
    shown = CUTOFF.clear_one(work(doi="10.5555/a", cited_by=12, version_of=("10.5555/later",), abstract="As printed."))
    assert shown is not None
    assert (shown.cited_by, shown.version_of, shown.abstract) == (None, (), "As printed.")


@pytest.mark.parametrize("label", ["RETRACTED: ", "[Retracted] ", "WITHDRAWN ARTICLE: "])
def test_the_label_of_a_retraction_is_taken_from_a_title(label: str) -> None:
    given = work(doi="10.5555/a", title=f"{label}Superconductivity of an invented cuprate", retracted=True)
    shown = CUTOFF.clear_one(given)
    assert shown is not None
    assert (shown.title, shown.retracted) == ("Superconductivity of an invented cuprate", False)
    assert DateCutoff(None).clear_one(given) == given


def test_a_text_changed_later_is_withheld() -> None:
    changed = work(source="arxiv", arxiv="2005.00001", updated=PartialDate(2021, 3), abstract="The new one.")
    shown = CUTOFF.clear_one(changed)
    assert shown is not None
    assert (shown.abstract, shown.updated) == ("", None)
    same = CUTOFF.clear_one(work(source="arxiv", arxiv="2005.00001", updated=PartialDate(2020, 8), abstract="Old."))
    assert same is not None
    assert (same.abstract, str(same.updated)) == ("Old.", "2020-08")


MIXED = {
    "doi": "10.5555/article",
    "pmid": "31",
    "arxiv": "2005.00001",
    "venue": "Nature",
    "volume": "590",
    "abstract": "The article's.",
    "links": (FulltextLink("pdf", "https://x.example/a.pdf", "publisher"), FulltextLink("latex", "u", "arXiv")),
}


def test_a_preprint_passes_without_the_article_that_it_became() -> None:
    mixed = work(source="semantic_scholar", s2="a" * 40, **MIXED)
    shown, late = CUTOFF.clear([mixed, work("2021-03-02", doi="10.5555/article", venue="Nature")])
    assert late is None
    assert shown is not None
    assert shown.ids == Identifiers(arxiv="2005.00001", s2="a" * 40)
    assert (shown.venue, shown.volume, shown.abstract, shown.kind) == ("", "", "", "preprint")
    assert [link.route for link in shown.links] == ["arXiv"]
    assert shown.url == "https://arxiv.org/abs/2005.00001"


def test_an_article_whose_own_date_is_not_known_is_withheld_from_its_preprint() -> None:
    shown = CUTOFF.clear_one(work(**MIXED))
    assert shown is not None
    assert shown.ids.doi is None
    journal = CUTOFF.clear_one(work(source="arxiv", arxiv="2005.00001", venue="Nature 590, 1 (2021)", abstract="Own."))
    assert journal is not None
    assert (journal.venue, journal.abstract) == ("", "Own.")


def test_an_article_that_surely_came_before_stays() -> None:
    shown, article = CUTOFF.clear([work(**MIXED), work("2020-11", doi="10.5555/article", venue="Nature")])
    assert article is not None
    assert shown is not None
    assert (shown.ids.doi, shown.venue) == ("10.5555/article", "Nature")


def test_a_preprint_that_names_only_arxiv_is_whole() -> None:
    own = work(arxiv="2005.00001", doi="10.48550/arxiv.2005.00001", venue="arXiv (Cornell University)", abstract="A.")
    shown = CUTOFF.clear_one(own)
    assert shown is not None
    assert (shown.ids, shown.venue, shown.abstract) == (own.ids, own.venue, "A.")


def test_the_later_of_two_dates_of_an_article_counts() -> None:
    early, late = work("2020-12-30", doi="10.5555/a"), work("2021-01-04", doi="10.5555/a")
    assert CUTOFF.clear([early, late]) == [None, None]
    assert CUTOFF.clear([work("2020", title="No identifier"), late]) == [None, None]


def test_a_rough_date_does_not_outvote_an_exact_one() -> None:
    cutoff = DateCutoff(date(2020, 7, 15))
    exact, rough = cutoff.clear([work("2020-03-01", doi="10.5555/a"), work("2020", doi="10.5555/a")])
    assert exact is not None
    assert rough is None


def test_a_preprint_with_a_doi_of_its_own_passes_beside_its_article() -> None:
    preprint, article = CUTOFF.clear(
        [work("2020-05", doi="10.26434/chemrxiv-2020-1", kind="preprint"), work("2021-05", doi="10.5555/a")]
    )
    assert preprint is not None
    assert article is None


def test_merging_keeps_what_passes_and_counts_works_not_records() -> None:
    lists = {
        "crossref": [
            work("2021-03-02", doi="10.5555/article"),
            work("2019", doi="10.5555/old", title="Old lattices"),
        ],
        "openalex": [work("2021-03-02", source="openalex", doi="10.5555/article")],
        "arxiv": [work(source="arxiv", arxiv="2005.00001"), work("", source="arxiv", title="Of an unknown day")],
    }
    merged, withheld = CUTOFF.merge(lists)
    assert {(one.work.title, str(one.work.published), one.work.sources) for one in merged} == {
        ("Superconductivity of an invented cuprate", "2020-05-01", ("arxiv",)),
        ("Old lattices", "2019", ("crossref",)),
    }
    assert {id(record) for one in merged for record in one.records} == {
        id(lists["arxiv"][0]),
        id(lists["crossref"][1]),
    }
    assert withheld == 1
    assert CUTOFF.note(withheld) == "1 work on or after 2021-01-01, or of unknown date, is withheld."
    assert CUTOFF.note(3) == "3 works on or after 2021-01-01, or of unknown date, are withheld."


def test_counts_are_refused_under_a_cutoff() -> None:
    DateCutoff(None).refuse_counts("An order by citations")
    with pytest.raises(BadInputError, match="cutoff 2021-01-01"):
        CUTOFF.refuse_counts("An order by citations")


def test_only_the_cutoff_makes_works_cleared() -> None:
    folder = Path(pincite_literature.__file__).parent
    makers = {
        path.name
        for path in folder.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Call)
        for name in [node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")]
        if name == "Cleared" or (name == "cast" and "Cleared" in ast.unparse(node))
    }
    assert makers == {"date_cutoff.py"}
