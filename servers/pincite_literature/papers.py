"""get_paper and get_abstract: what the sources know of one work."""

from typing import Annotated, Any, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import NotFoundError
from pincite_literature.catalog import ABSTRACTS_FIRST
from pincite_literature.entries import SourceEntry, name_authors, shorten, without_url
from pincite_literature.lookup import Looked, look_up
from pincite_literature.model import FulltextLink
from pincite_literature.standing import status_of
from pincite_literature.state import LiteratureState

WorkName = Annotated[str, Field(description="DOI, arXiv id, PMID … or title")]

_AUTHORS = 50
"""Authors of the one work that was asked for."""
_ABSTRACT_CHARS = 3000
"""Characters of an abstract that are shown."""
_TEXT_CHARS = 500
"""Characters of a title that are shown."""
_MOST_LINKS = 20
"""Links of a work that are shown. Set by judgement."""
_MOST_SUBJECTS = 12
"""Subjects of a work that are read or shown. Set by judgement."""
_LONGEST_ABSTRACT = 9000
"""Characters of an abstract, below the 10,000 that tools give by default."""


class Link(TypedDict):
    """An open route to the full text."""

    kind: str
    url: str
    route: str
    version: NotRequired[str]
    licence: NotRequired[str]


class PaperRecord(TypedDict):
    """A work as all sources together know it. ``published`` is the date of the version cited, of its issue where it has
    one, to the precision known; ``first_public`` when any version could first be read, where that is another date."""

    title: str
    authors: list[str]
    published: NotRequired[str]
    first_public: NotRequired[str]
    updated: NotRequired[str]
    kind: NotRequired[str]
    venue: NotRequired[str]
    volume: NotRequired[str]
    issue: NotRequired[str]
    pages: NotRequired[str]
    publisher: NotRequired[str]
    doi: NotRequired[str]
    arxiv: NotRequired[str]
    pmid: NotRequired[str]
    pmcid: NotRequired[str]
    s2: NotRequired[str]
    openalex: NotRequired[str]
    url: NotRequired[str]
    open_access: NotRequired[bool]
    links: list[Link]
    cited_by: NotRequired[int]
    retracted: NotRequired[bool]
    status: NotRequired[str]
    version_of: NotRequired[list[str]]
    subjects: NotRequired[list[str]]
    abstract: NotRequired[str]
    sources: list[SourceEntry]


class Abstract(TypedDict):
    """The abstract as ``source`` gives it."""

    title: str
    published: NotRequired[str]
    status: NotRequired[str]
    abstract: str
    cut: NotRequired[str]
    source: str
    url: NotRequired[str]
    retrieved: NotRequired[str]
    also_in: list[str]
    sources: list[SourceEntry]


async def get_paper(state: LiteratureState, id: WorkName) -> PaperRecord:  # noqa: A002
    """Get all that the sources know of one work: identifiers, dates, venue, open full texts, retraction. A title must
    fit exactly; otherwise the nearest are named.
    """
    return _record(await look_up(state, id), tell_retraction=state.cutoff.before is None)


async def get_abstract(state: LiteratureState, id: WorkName) -> Abstract:  # noqa: A002
    """Get the abstract of a work, and which source it is from."""
    looked = await look_up(state, id)
    having = [name for name in ABSTRACTS_FIRST if name in looked.records and looked.records[name].abstract]
    if not having:
        raise _no_abstract(state, looked)
    first = having[0]
    text = looked.records[first].abstract
    made = Abstract(
        title=shorten(looked.work.title, _TEXT_CHARS),
        abstract=shorten(text, _LONGEST_ABSTRACT),
        source=first,
        also_in=having[1:],
        sources=without_url(looked.entries),
    )
    if looked.work.published is not None:
        made["published"] = str(looked.work.published)
    if state.cutoff.before is None and (status := status_of(looked.work)):
        made["status"] = status
    if len(text) > _LONGEST_ABSTRACT:
        made["cut"] = f"it has {len(text)} characters"
    entry = next(entry for entry in looked.entries if entry["source"] == first)
    if "url" in entry and "retrieved" in entry:
        made["url"], made["retrieved"] = entry["url"], entry["retrieved"]
    return made


def _no_abstract(state: LiteratureState, looked: Looked) -> NotFoundError:
    failed = [entry.get("reason", "") for entry in looked.entries if entry["state"] == "failed"]
    later = " Texts that were changed on or after the cutoff are withheld." if state.cutoff.before else ""
    return NotFoundError(
        f"No source that answered gives an abstract of {shorten(looked.work.title, 150)!r}.{later}",
        seen=" ".join(failed),
        next="Try again later." if failed else "Open its full text.",
    )


def _record(looked: Looked, *, tell_retraction: bool) -> PaperRecord:
    work = looked.work
    made = PaperRecord(
        title=shorten(work.title, _TEXT_CHARS),
        authors=name_authors(work, _AUTHORS),
        links=[_link(link) for link in work.links[:_MOST_LINKS]],
        sources=list(looked.entries),
    )
    if tell_retraction:
        made["retracted"] = work.retracted
        if status := status_of(work):
            made["status"] = status
    texts: dict[str, Any] = {
        "published": str(work.published or ""),
        "first_public": str(work.first_public or ""),
        "updated": str(work.updated or ""),
        "kind": work.kind,
        "venue": shorten(work.venue, _TEXT_CHARS),
        "volume": work.volume,
        "issue": work.issue,
        "pages": work.pages,
        "publisher": shorten(work.publisher, _TEXT_CHARS),
        **work.ids.known(),
        "url": work.url,
        "version_of": list(work.version_of[:_MOST_LINKS]),
        "subjects": [shorten(subject, 100) for subject in work.subjects[:_MOST_SUBJECTS]],
        "abstract": shorten(work.abstract, _ABSTRACT_CHARS),
    }
    made.update({key: value for key, value in texts.items() if value})  # pyright: ignore[reportArgumentType, reportCallIssue]
    if work.open_access is not None:
        made["open_access"] = work.open_access
    if work.cited_by is not None:
        made["cited_by"] = work.cited_by
    return made


def _link(link: FulltextLink) -> Link:
    made = Link(kind=link.kind, url=link.url, route=link.route)
    if link.version:
        made["version"] = link.version
    if link.licence:
        made["licence"] = shorten(link.licence, 100)
    return made
