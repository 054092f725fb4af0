"""What results show of works and of the sources that were asked."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, NotRequired

from typing_extensions import TypedDict

from pincite_core.errors import PinciteError
from pincite_literature.date_cutoff import Cleared
from pincite_literature.model import CitationLink, Work
from pincite_literature.sources.source import LinkPage, Page
from pincite_literature.standing import status_of

if TYPE_CHECKING:
    from pincite_core.http.exchange import Response

AUTHORS_SHOWN = 5
"""Authors of a work in lists; of the rest the number is said."""
ABSTRACT_CHARS = 300
"""Characters of an abstract in a list."""

_TITLE_CHARS = 500
"""Characters of a title that are shown."""
_VENUE_CHARS = 200
"""Characters of a venue that are shown."""
_REASON_CHARS = 300
"""Characters of the reason why a source failed."""
_FIELD_LISTS = frozenset({"fields", "select"})
_CONTEXTS = 3
"""Sentences around citations that are shown for a work."""
_CONTEXT_CHARS = 400
"""Characters of such a sentence."""


class WorkEntry(TypedDict):
    """A work of a list: its first authors, the date of the version cited (year, month or day) and, where it is another,
    when any version could first be read, every identifier, the sources that gave it, the start of its abstract."""

    title: str
    authors: list[str]
    published: NotRequired[str]
    first_public: NotRequired[str]
    kind: NotRequired[str]
    venue: NotRequired[str]
    doi: NotRequired[str]
    arxiv: NotRequired[str]
    pmid: NotRequired[str]
    pmcid: NotRequired[str]
    s2: NotRequired[str]
    openalex: NotRequired[str]
    url: NotRequired[str]
    open_access: NotRequired[bool]
    cited_by: NotRequired[int]
    retracted: NotRequired[bool]
    status: NotRequired[str]
    abstract: NotRequired[str]
    sources: list[str]


class CitationEntry(WorkEntry):
    """A citing or cited work with what sources know of the citation: sentences that cite, and for what."""

    contexts: NotRequired[list[str]]
    intents: NotRequired[list[str]]
    influential: NotRequired[bool]


class SourceEntry(TypedDict):
    """A source that was asked, or why it was not: how much it gave, from where and when (UTC)."""

    source: str
    state: Literal["answered", "failed", "not asked"]
    found: NotRequired[int]
    total: NotRequired[int]
    reason: NotRequired[str]
    url: NotRequired[str]
    retrieved: NotRequired[str]


def work_entry(work: Cleared, *, abstract_chars: int = ABSTRACT_CHARS) -> WorkEntry:
    """The entry of a work; ``abstract_chars`` 0 leaves the abstract out."""
    entry = WorkEntry(title=shorten(work.title, _TITLE_CHARS), authors=name_authors(work), sources=list(work.sources))
    if work.published is not None:
        entry["published"] = str(work.published)
    if work.first_public is not None:
        entry["first_public"] = str(work.first_public)
    if work.kind:
        entry["kind"] = work.kind
    if work.venue:
        entry["venue"] = shorten(work.venue, _VENUE_CHARS)
    entry.update(work.ids.known())  # pyright: ignore[reportArgumentType, reportCallIssue]
    if work.url and not work.ids.known():
        entry["url"] = work.url
    if work.open_access is not None:
        entry["open_access"] = work.open_access
    if work.cited_by is not None:
        entry["cited_by"] = work.cited_by
    if work.retracted:
        entry["retracted"] = True
    if status := status_of(work):
        entry["status"] = status
    if work.abstract and abstract_chars:
        entry["abstract"] = shorten(work.abstract, abstract_chars)
    return entry


def citation_entry(work: Cleared, links: Sequence[CitationLink]) -> CitationEntry:
    """The entry of a citing or cited work, which these links of one or several sources tell of."""
    entry = CitationEntry(**work_entry(work, abstract_chars=0))
    contexts = list(dict.fromkeys(shorten(text, _CONTEXT_CHARS) for link in links for text in link.contexts))
    intents = list(dict.fromkeys(intent for link in links for intent in link.intents))
    if contexts:
        entry["contexts"] = contexts[:_CONTEXTS]
        if len(contexts) > _CONTEXTS:
            entry["contexts"].append(f"and {len(contexts) - _CONTEXTS} more")
    if intents:
        entry["intents"] = intents
    judged = [link.influential for link in links if link.influential is not None]
    if judged:
        entry["influential"] = any(judged)
    return entry


def name_authors(work: Work, most: int = AUTHORS_SHOWN) -> list[str]:
    """The names of the first authors, and how many more there are."""
    names = [shorten(author.name, 100) for author in work.authors[:most]]
    rest = len(work.authors) - len(names)
    return [*names, f"and {rest} more"] if rest else names


def shorten(text: str, most: int) -> str:
    """``text`` in at most ``most`` characters, with " …" where it was cut, between words if that can be."""
    if len(text) <= most:
        return text
    cut = text[: most - 2]
    space = cut.rfind(" ")
    return (cut[:space] if space > most // 2 else cut).rstrip(" ,;:") + " …"


def answered(source: str, found: int, heard: "Sequence[Response]") -> SourceEntry:
    """The entry of a source that answered; ``heard`` is what it said, the last of it last."""
    entry = SourceEntry(source=source, state="answered", found=found)
    if heard:
        entry["url"] = _short(heard[-1].url)
        entry["retrieved"] = heard[-1].retrieved.strftime("%Y-%m-%dT%H:%M:%SZ")
    return entry


def _short(url: str) -> str:
    """The address without the list of fields that was asked for."""
    address, mark, query = url.partition("?")
    kept = [part for part in query.split("&") if part.partition("=")[0] not in _FIELD_LISTS]
    return f"{address}{mark}{'&'.join(kept)}" if kept else address


def failed(source: str, error: PinciteError) -> SourceEntry:
    """The entry of a source that failed, with the first words of its error."""
    reason = f"{error.what} {error.next}" if error.code == "missing_extra" else error.what
    return SourceEntry(source=source, state="failed", reason=shorten(reason, _REASON_CHARS))


def not_asked(source: str, reason: str) -> SourceEntry:
    """The entry of a source that was not asked."""
    return SourceEntry(source=source, state="not asked", reason=reason)


def without_url(entries: Sequence[SourceEntry]) -> list[SourceEntry]:
    """The entries as lists show them: short."""
    return [SourceEntry(**{key: value for key, value in entry.items() if key != "url"}) for entry in entries]  # pyright: ignore[reportArgumentType]


def found_in(answer: Any) -> int:
    """How many works an answer of a source holds: a page, works in a row, a work or None."""
    if answer is None:
        return 0
    if isinstance(answer, Page):
        return len(answer.works)
    if isinstance(answer, LinkPage):
        return len(answer.links)
    if isinstance(answer, tuple | list):
        return len(answer)  # pyright: ignore[reportUnknownArgumentType]
    return 1
