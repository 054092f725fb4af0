"""Real answers of the sources, as other projects recorded them: every field against a reading of its own."""

import json
import re
from collections import Counter
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

from pincite_core.errors import PinciteError, SourceError
from pincite_literature.model import CitationLink, Identifiers, Work
from pincite_literature.sources.source import LinkPage, Page

pytestmark = pytest.mark.anyio

SOURCES = ("crossref", "semantic_scholar", "openalex", "arxiv", "pubmed", "europe_pmc")


def works_of(outcome: Any) -> list[Work]:
    if isinstance(outcome, Work):
        return [outcome]
    if isinstance(outcome, LinkPage):
        return [link.work for link in outcome.links]
    if isinstance(outcome, Page):
        return list(outcome.works)
    return [one.work if isinstance(one, CitationLink) else one for one in outcome or ()]


def fields_of(work: Work, letters: Callable[[str], str]) -> dict[str, Any]:
    """The fields of a work in the form that readings have."""
    return {
        "title": letters(work.title),
        "authors": [letters(author.name) for author in work.authors],
        "orcids": [author.orcid for author in work.authors],
        "published": str(work.published or ""),
        "public": str(work.public or ""),
        "updated": str(work.updated or ""),
        **{kind: getattr(work.ids, kind) for kind in ("doi", "arxiv", "pmid", "pmcid", "s2", "openalex")},
        "kind": work.kind,
        "venue": letters(work.venue) if work.venue != "arXiv" else "arXiv",
        "publisher": letters(work.publisher),
        "abstract": re.sub("^(?i:abstract|summary)", "", letters(work.abstract)),
        "subjects": [letters(subject) for subject in work.subjects],
        "url": work.url,
        **{name: getattr(work, name) for name in ("volume", "issue", "pages", "issn", "isbn", "language")},
        **{name: getattr(work, name) for name in ("cited_by", "open_access", "retracted")},
        "links": {link.url for link in work.links},
        "licences": {link.licence for link in work.links},
        "notices": {_notice(notice) for notice in work.notices},
        "notice_of": {_notice(notice) for notice in work.notice_of},
        "version_of": set(work.version_of),
    }


def _notice(notice: Any) -> tuple[str, str]:
    named = notice.id.partition(":")[2]
    return (notice.label if notice.source != "crossref" else notice.label.lower().replace(" ", "_"), named)


def differing(found: dict[str, Any], wanted: dict[str, Any]) -> list[str]:
    return [
        f"{name}: {str(found[name])[:150]!r} is not {str(value)[:150]!r}"
        for name, value in wanted.items()
        if found[name] != value
    ]


@pytest.mark.parametrize("name", SOURCES)
async def test_every_field_of_recorded_answers(
    name: str, replies: Callable[..., Any], recorded: ModuleType, readings: ModuleType
) -> None:
    wrong: list[str] = []
    counts: Counter[str] = Counter()
    async for question, outcome in replies(name, [row for row in recorded.recordings() if row.status == 200]):
        row = question.recorded
        if isinstance(outcome, PinciteError):
            wrong.append(f"{row.url[:120]}: {outcome.what}")
            continue
        found, wanted = works_of(outcome), readings.READERS[name](row.body)
        if "/search/bulk" in row.url:
            wanted = wanted[:200]
        counts["answers"] += 1
        counts["works"] += len(wanted)
        if len(found) != len(wanted):
            wrong.append(f"{row.url[:120]}: {len(found)} works, not {len(wanted)}")
            continue
        for work, reading in zip(found, wanted, strict=True):
            counts["fields"] += len(reading)
            wrong += [f"{row.url[:100]} {line}" for line in differing(fields_of(work, readings.letters), reading)]
    assert not wrong, f"{len(wrong)} of {dict(counts)}:\n" + "\n".join(wrong[:60])
    assert counts["works"]


async def test_open_places_of_recorded_answers(
    replies: Callable[..., Any], recorded: ModuleType, readings: ModuleType
) -> None:
    wrong: list[Any] = []
    async for question, outcome in replies("unpaywall", recorded.recordings()):
        wanted = readings.unpaywall(question.recorded.body)
        if [link.url for link in outcome] != wanted:
            wrong.append((question.recorded.url, outcome, wanted))
    assert not wrong


async def test_recorded_errors_are_the_right_errors(replies: Callable[..., Any], recorded: ModuleType) -> None:
    """404 of a work's own address is a work that is not there; any other error is one, and never an empty list."""
    wrong: list[str] = []
    seen = 0
    for name in (*SOURCES, "unpaywall"):
        async for question, outcome in replies(name, [row for row in recorded.recordings() if row.status != 200]):
            row = question.recorded
            seen += 1
            if row.status == 404 and not question.asked.startswith("recorded"):
                expected = outcome is None
            elif row.status == 400:
                said = json.loads(row.body)
                words = said.get("error") or said["message"][0]["message"]
                expected = isinstance(outcome, PinciteError) and words in (outcome.seen or "")
                expected = expected and not isinstance(outcome, SourceError)
            else:
                expected = isinstance(outcome, PinciteError)
            if row.status == 403:
                expected = isinstance(outcome, SourceError) and outcome.cause == "refused"
            if not expected:
                wrong.append(f"{row.status} {row.url[:100]}: {outcome!r} {getattr(outcome, 'seen', '')}")
    assert not wrong, "\n".join(wrong)
    assert seen == 30, "of 31: Crossref is not asked for arXiv's DOIs"


@pytest.mark.parametrize("name", SOURCES)
async def test_every_field_of_invented_answers(
    name: str,
    asking: Callable[..., Any],
    classes: dict[str, Any],
    literature_services: ModuleType,
    readings: ModuleType,
) -> None:
    """The same check where the recorded answers are not at hand."""
    work = literature_services.invented.known_everywhere()
    answer, bodies = literature_services.answering(name, [work]), list[bytes]()

    def remembered(asked: Any) -> Any:
        given = answer(asked)
        bodies.append(given.encoded())
        return given

    asked = {"arxiv": Identifiers(arxiv=work.arxiv), "pubmed": Identifiers(pmid=work.pmid)}
    async with asking(classes[name], remembered) as (source, _):
        found = await source.work(asked.get(name, Identifiers(doi=work.doi)))
    (wanted,) = readings.READERS[name](bodies[-1].decode())
    assert len(wanted) > 10
    assert not differing(fields_of(found, readings.letters), wanted)
