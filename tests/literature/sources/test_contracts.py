"""The fields of Crossref's, Semantic Scholar's and OpenAlex's records that we rely on, and what each of them tells; and
that no record, whatever its fields hold, stops the reading.
"""

import copy
import dataclasses
import random
from collections.abc import Callable, Iterator, Mapping
from datetime import date
from types import ModuleType
from typing import Any

import pytest

from pincite_literature.model import Work
from pincite_literature.sources import crossref_works, openalex_works, semantic_scholar_papers
from pincite_literature.sources.record import Record

Read = Callable[[Record], Work | None]

CROSSREF: Mapping[str, set[str]] = {
    "DOI": {"ids"},
    "URL": {"url"},
    "type": {"kind"},
    "title": {"title"},
    "subtitle": {"title"},
    "original-title": set(),
    "author": {"authors"},
    "published-online": {"first_public"},
    "published-print": {"published", "dated_by", "first_public"},
    "published": set(),
    "issued": set(),
    "posted": set(),
    "container-title": {"venue"},
    "event": set(),
    "publisher": {"publisher"},
    "volume": {"volume"},
    "issue": {"issue"},
    "page": {"pages"},
    "article-number": set(),
    "ISSN": {"issn"},
    "ISBN": {"isbn"},
    "abstract": {"abstract"},
    "subject": {"subjects"},
    "license": {"links", "open_access"},
    "link": {"links"},
    "is-referenced-by-count": {"cited_by"},
    "relation": {"version_of"},
    "updated-by": {"retracted", "notices"},
}
"""By field what is lost without it; nothing where another field says the same here. Without the preprint's number the
date of S2 and OpenAlex, which is of its month, is taken for the article's."""

SEMANTIC_SCHOLAR: Mapping[str, set[str]] = {
    "paperId": {"ids"},
    "externalIds": {"ids", "published", "first_public"},
    "url": {"url"},
    "title": {"title"},
    "abstract": {"abstract"},
    "venue": set(),
    "publicationVenue": {"venue", "issn"},
    "journal": {"volume", "pages"},
    "year": set(),
    "publicationDate": {"first_public"},
    "publicationTypes": {"kind"},
    "authors": {"authors"},
    "citationCount": {"cited_by"},
    "isOpenAccess": {"open_access"},
    "openAccessPdf": {"links"},
    "fieldsOfStudy": {"subjects"},
}

OPENALEX: Mapping[str, set[str]] = {
    "id": {"ids"},
    "doi": set(),
    "ids": {"ids"},
    "title": {"title"},
    "publication_date": {"first_public"},
    "publication_year": set(),
    "language": {"language"},
    "type": {"kind"},
    "authorships": {"authors"},
    "primary_location": {"venue", "publisher", "issn"},
    "locations": {"ids", "links", "version_of", "published", "first_public"},
    "best_oa_location": set(),
    "open_access": {"open_access"},
    "biblio": {"volume", "issue", "pages"},
    "cited_by_count": {"cited_by"},
    "is_retracted": {"retracted"},
    "topics": {"subjects"},
    "abstract_inverted_index": {"abstract"},
}


def crossref(invented: ModuleType, server: ModuleType) -> tuple[dict[str, Any], Read]:
    raw = {
        "subtitle": ["A study"],
        "published-online": {"date-parts": [[2019, 2, 27]]},
        "ISBN": ["9781234567897"],
        "subject": ["Physics"],
        "relation": {"has-preprint": [{"id": "10.1101/2019.01.01.1"}]},
        "updated-by": [{"type": "retraction"}],
        "URL": "http://dx.doi.org/10.1000/a",
    }
    return server.record(_full(invented, raw)), lambda record: crossref_works.work_of(record, day=date(2026, 11, 1))


def semantic_scholar(invented: ModuleType, server: ModuleType) -> tuple[dict[str, Any], Read]:
    return server.paper(_full(invented, {"venue": "Other name"})), semantic_scholar_papers.work_of


def openalex(invented: ModuleType, server: ModuleType) -> tuple[dict[str, Any], Read]:
    record = server.record(_full(invented, {"is_retracted": True}))
    record["locations"].append({"landing_page_url": "https://doi.org/10.1101/2019.01.01.1"})
    return record, openalex_works.work_of


def _full(invented: ModuleType, raw: Mapping[str, Any]) -> Any:
    return invented.Invented(
        "Gaps",
        published="2019-03-05",
        doi="10.1000/a",
        arxiv="1903.01234",
        pmid="31000001",
        pmcid="PMC6000001",
        s2="a" * 40,
        openalex="W1001",
        subjects=("Cuprates",),
        open_access=True,
        licence="cc-by",
        pdf="https://press.example/a.pdf",
        raw=raw,
    )


MADE = {"crossref": crossref, "semantic_scholar": semantic_scholar, "openalex": openalex}


@pytest.fixture(params=MADE)
def source(request: pytest.FixtureRequest, invented: ModuleType) -> tuple[str, dict[str, Any], Read]:
    """Name, a record with every field, and what reads it."""
    return request.param, *MADE[request.param](invented, request.getfixturevalue(f"{request.param}_server"))


CONTRACTS = {
    "crossref": (CROSSREF, crossref_works.SELECT),
    "semantic_scholar": (SEMANTIC_SCHOLAR, semantic_scholar_papers.FIELDS),
    "openalex": (OPENALEX, openalex_works.SELECT),
}


def test_each_field_tells_what_we_say_it_does(source: tuple[str, dict[str, Any], Read]) -> None:
    name, record, read = source
    whole = read(Record(record))
    assert whole is not None
    for field, told in CONTRACTS[name][0].items():
        less = read(Record({key: value for key, value in record.items() if key != field}))
        lost = set(told) if less is None else _differing(whole, less)
        assert lost == told, field


def test_what_is_asked_for_is_what_is_read(source: tuple[str, dict[str, Any], Read]) -> None:
    contract, selected = CONTRACTS[source[0]]
    assert sorted(selected.split(",")) == sorted(contract)


def test_a_cut_record_reads_as_the_whole_one(source: tuple[str, dict[str, Any], Read]) -> None:
    name, record, read = source
    cut = read(Record({key: record[key] for key in CONTRACTS[name][1].split(",") if key in record}))
    whole = read(Record(record))
    assert cut is not None
    assert whole is not None
    assert _differing(cut, whole) <= {"language"} if name == "crossref" else cut == whole


JUNK: list[Any] = [
    *(None, True, False, 0, -1, 7, 2**70, 1.5, "", " ", "x", "10.1000/other", "https://[::1", "<b>&lt;", "\x00\u202e"),
    *([], [[]], [None], ["x"], {}, {"": ""}, {"x": {"y": []}}, [[[[{"date-parts": [[None]]}]]]], "9" * 5000),
]


@pytest.mark.parametrize("seed", range(20))
def test_no_record_stops_the_reading(source: tuple[str, dict[str, Any], Read], seed: int) -> None:
    _, record, read = source
    chance = random.Random(seed)
    for _ in range(50):
        changed = copy.deepcopy(record)
        for _ in range(chance.randint(1, 4)):
            holder, key = chance.choice(list(_places(changed)))
            holder[key] = copy.deepcopy(chance.choice(JUNK))
        work = read(Record(changed))
        if work is not None:
            _well_formed(work)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    keys = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in list(keys):
        yield value, key
        yield from _places(value[key])


def _well_formed(work: Work) -> None:
    """Whether a work is what the model says: plain texts, numbers from 0, addresses on the web."""
    texts = [work.title, work.venue, work.abstract, *work.subjects, *(author.name for author in work.authors)]
    assert all(isinstance(text, str) and "\x00" not in text and "\u202e" not in text for text in texts)
    assert "\n" not in work.title
    assert work.cited_by is None or work.cited_by >= 0
    assert work.open_access in (True, False, None)
    assert all(url.lower().startswith(("http://", "https://")) for url in (link.url for link in work.links))
    assert not work.url or work.url.startswith(("http://", "https://"))
    assert work.published is None or str(work.published)


def _differing(one: Work, other: Work) -> set[str]:
    names = (field.name for field in dataclasses.fields(Work))
    return {name for name in names if getattr(one, name) != getattr(other, name)}
