"""publication_status: what became of a paper, by each source and with the date when it said so."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import ForbiddenError, UnavailableError
from pincite_literature.catalog import TITLES
from pincite_literature.entries import SourceEntry, shorten, without_url
from pincite_literature.lookup import Looked, look_up
from pincite_literature.model import Notice, Work
from pincite_provenance.state import ProvenanceState
from pincite_provenance.status import questions
from pincite_provenance.status.questions import Answer, Retracted, Version

_TITLE_CHARS = 300
_MOST_NOTICES = 30

PaperId = Annotated[str, Field(min_length=1, max_length=500, description="DOI or another id, or the exact title")]


class NoticeEntry(TypedDict):
    """A notice: its kind, its own DOI or PMID, its date (to the precision known), and who tells of it."""

    kind: str
    source: str
    said_by: NotRequired[str]
    date: NotRequired[str]
    id: NotRequired[str]
    label: NotRequired[str]


class Said(TypedDict):
    """A fact as one source states it; ``retrieved`` is when (UTC)."""

    value: str
    source: str
    retrieved: NotRequired[str]


class PublicationStatus(TypedDict):
    """What became of a work. ``unknown`` means that who would know could not be asked: it is not a "no"."""

    summary: str
    title: NotRequired[str]
    doi: NotRequired[str]
    arxiv: NotRequired[str]
    pmid: NotRequired[str]
    retracted: Retracted
    corrected: Answer
    concern: Answer
    notices: list[NoticeEntry]
    notice_of: NotRequired[list[NoticeEntry]]
    version: Version
    other_versions: NotRequired[list[str]]
    published: NotRequired[str]
    first_public: NotRequired[str]
    journal: list[Said]
    cited_by: list[Said]
    sources: list[SourceEntry]


async def publication_status(state: ProvenanceState, id: PaperId) -> PublicationStatus:  # noqa: A002
    """Ask what became of a paper before you rely on it: retracted, corrected, expression of concern, preprint or
    published, citations, each with its source. "unknown": those who would know could not be asked; it is never a no.
    """
    before = state.settings.before
    if before is not None:
        raise ForbiddenError(
            f"What became of a paper cannot be asked under the cutoff {before}.",
            seen="notices and counts tell of what came later",
            next="Go on without it.",
        )
    try:
        looked = await look_up(state.literature, id)
    except UnavailableError as error:
        return _all_unknown(error)
    return _status(looked)


def _status(looked: Looked) -> PublicationStatus:
    records: Mapping[str, Work] = looked.records
    failed = {entry["source"] for entry in looked.entries if entry["state"] == "failed"}
    retracted = questions.retracted(records, failed)
    corrected = questions.said("correction", records, failed)
    concern = questions.said("concern", records, failed)
    notices = _entries(notice for record in records.values() for notice in record.notices)
    made = PublicationStatus(
        summary=_summary(retracted, corrected, concern, notices, failed),
        title=shorten(looked.work.title, _TITLE_CHARS),
        retracted=retracted,
        corrected=corrected,
        concern=concern,
        notices=notices,
        version=questions.version(records),
        journal=_said(looked, lambda work: work.venue),
        cited_by=_said(looked, lambda work: "" if work.cited_by is None else str(work.cited_by)),
        sources=without_url(looked.entries),
    )
    for kind in ("doi", "arxiv", "pmid"):
        if (value := getattr(looked.work.ids, kind)) is not None:
            made[kind] = value
    if looked.work.version_of:
        made["other_versions"] = list(looked.work.version_of)
    if looked.work.published is not None:
        made["published"] = str(looked.work.published)
    if looked.work.first_public is not None:
        made["first_public"] = str(looked.work.first_public)
    if of := _entries(notice for record in records.values() for notice in record.notice_of):
        made["notice_of"] = of
    return made


def _all_unknown(error: UnavailableError) -> PublicationStatus:
    """The status of a work of which no source could be asked."""
    return PublicationStatus(
        summary=f"Unknown. {error.short()}",
        retracted="unknown",
        corrected="unknown",
        concern="unknown",
        notices=[],
        version="unknown",
        journal=[],
        cited_by=[],
        sources=[],
    )


def _said(looked: Looked, fact: Callable[[Work], str]) -> list[Said]:
    when = {entry["source"]: entry.get("retrieved", "") for entry in looked.entries}
    found: list[Said] = []
    for source, record in looked.records.items():
        if value := fact(record):
            one = Said(value=shorten(value, _TITLE_CHARS), source=source)
            if when.get(source):
                one["retrieved"] = when[source]
            found.append(one)
    return found


def _entries(notices: Iterable[Notice]) -> list[NoticeEntry]:
    """The notices, the newest first."""
    ordered = sorted(dict.fromkeys(notices), key=lambda one: str(one.date or ""), reverse=True)
    return [_entry(notice) for notice in ordered[:_MOST_NOTICES]]


def _entry(notice: Notice) -> NoticeEntry:
    entry = NoticeEntry(kind=notice.kind, source=notice.source)
    if notice.said_by:
        entry["said_by"] = notice.said_by
    if notice.date is not None:
        entry["date"] = str(notice.date)
    if notice.id:
        entry["id"] = notice.id
    if notice.label:
        entry["label"] = notice.label
    return entry


def _summary(
    retracted: Retracted, corrected: Answer, concern: Answer, notices: Sequence[NoticeEntry], failed: Iterable[str]
) -> str:
    words = {
        "yes": "RETRACTED",
        "partly": "Retracted in part",
        "reinstated": "Retracted once, then reinstated",
        "no": "No retraction is known",
        "unknown": "Whether it is retracted is unknown",
    }
    parts = [words[retracted]]
    for name, answer in (("an expression of concern", concern), ("a correction", corrected)):
        if answer == "yes":
            parts.append(f"there is {name}")
        elif answer == "unknown" and retracted != "unknown":
            parts.append(f"whether there is {name} is unknown")
    text = "; ".join(parts)
    if notices:
        text += f" ({notices[0]['kind'].replace('_', ' ')}, {notices[0].get('date', 'no date')}, the newest notice)"
    missing = [TITLES.get(name, name) for name in failed]
    return f"{text}. Could not be asked: {', '.join(sorted(missing))}." if missing else f"{text}."
