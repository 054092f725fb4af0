"""Entries of results: short, whole where they can be, and silent about what is not known."""

from datetime import UTC, datetime

import pytest

from pincite_core.errors import MissingExtraError, SourceError
from pincite_core.http.exchange import Request, Response
from pincite_core.http.policy import Rate, SourcePolicy
from pincite_literature.date_cutoff import DateCutoff
from pincite_literature.dates import PartialDate
from pincite_literature.entries import (
    ABSTRACT_CHARS,
    answered,
    citation_entry,
    failed,
    found_in,
    shorten,
    without_url,
    work_entry,
)
from pincite_literature.memo import Memo
from pincite_literature.model import Author, CitationLink, Identifiers, Work
from pincite_literature.sources.source import LinkPage, Page

POLICY = SourcePolicy("library", "Library", "https://library.example", Rate(5, 1.0))


def entry_of(work: Work) -> dict[str, object]:
    """The entry as it goes out."""
    cleared = DateCutoff(None).clear_one(work)
    assert cleared is not None
    return dict(work_entry(cleared))


def test_what_is_not_known_is_left_out() -> None:
    bare = Work("A title", Identifiers())
    assert entry_of(bare) == {"title": "A title", "authors": [], "sources": []}


def test_a_work_in_a_list() -> None:
    work = Work(
        "A title",
        Identifiers(doi="10.5555/a", s2="a" * 40),
        tuple(Author(f"Ada {letter}") for letter in "ABCDEFGH"),
        PartialDate(2020, 5),
        abstract="word " * 200,
        url="https://x.example",
        open_access=False,
        cited_by=0,
        retracted=True,
        sources=("crossref",),
    )
    entry = entry_of(work)
    assert entry["authors"] == ["Ada A", "Ada B", "Ada C", "Ada D", "Ada E", "and 3 more"]
    assert entry["published"] == "2020-05"
    assert (entry["doi"], entry["s2"]) == ("10.5555/a", "a" * 40)
    assert (entry["open_access"], entry["cited_by"], entry["retracted"]) == (False, 0, True)
    assert "url" not in entry, "an identifier is enough"
    assert str(entry["abstract"]).endswith("word …")
    assert len(str(entry["abstract"])) <= ABSTRACT_CHARS
    assert entry_of(Work("T", Identifiers(), url="https://x.example"))["url"] == "https://x.example"


def test_a_citation_of_several_sources() -> None:
    cleared = DateCutoff(None).clear_one(Work("A title", Identifiers(doi="10.5555/a"), abstract="An abstract."))
    assert cleared is not None
    links = [
        CitationLink(cleared, ("One.", "Two.", "Three."), ("background",), False),
        CitationLink(cleared, ("Two.", "Four."), ("background", "method"), True),
        CitationLink(cleared),
    ]
    entry = citation_entry(cleared, links)
    assert entry.get("contexts") == ["One.", "Two.", "Three.", "and 1 more"]
    assert entry.get("intents") == ["background", "method"]
    assert entry.get("influential") is True
    assert "abstract" not in entry
    assert not {"contexts", "intents", "influential"} & set(citation_entry(cleared, links[2:]))


@pytest.mark.parametrize(
    ("text", "most", "short"),
    [
        ("short", 10, "short"),
        ("exactly 10", 10, "exactly 10"),
        ("some words, more", 14, "some words …"),
        ("unbroken" * 3, 10, "unbroken …"),
    ],
)
def test_texts_are_cut_between_words(text: str, most: int, short: str) -> None:
    assert shorten(text, most) == short
    assert len(shorten(text, most)) <= most


def test_a_source_that_answered_names_where_and_when() -> None:
    asked = Request(POLICY, "GET", "https://library.example/works", (("q", "a b"), ("select", "DOI,title")))
    said = Response(asked, 200, asked.address, {}, b"", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC), "live")
    entry = answered("library", 3, [said])
    assert entry == {
        "source": "library",
        "state": "answered",
        "found": 3,
        "url": "https://library.example/works?q=a+b",
        "retrieved": "2026-01-02T03:04:05Z",
    }
    assert "url" not in without_url([entry])[0]
    assert answered("library", 0, []) == {"source": "library", "state": "answered", "found": 0}


def test_a_source_that_failed_says_why() -> None:
    error = SourceError("Library did not answer in 10 s.", source="library", cause="slow", seen="x", next="y")
    assert failed("library", error) == {
        "source": "library",
        "state": "failed",
        "reason": "Library did not answer in 10 s.",
    }
    missing = MissingExtraError.of("materials", needed_for="Expansion")
    assert failed("pubmed", missing).get("reason", "").endswith("pip install 'pincite[materials]'")


def test_what_an_answer_holds_is_counted() -> None:
    work = Work("A", Identifiers())
    assert [found_in(None), found_in(work), found_in((work, work))] == [0, 1, 2]
    assert found_in(Page((work,))) == found_in(LinkPage((CitationLink(work),))) == 1


def test_a_memo_forgets_what_was_used_least() -> None:
    memo = Memo()
    for number in range(100):
        memo.put(number, str(number))
    assert memo.get(0) == "0"
    memo.put(100, "100")
    assert memo.get(1) is None
    assert (memo.get(0), memo.get(100)) == ("0", "100")
