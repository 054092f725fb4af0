"""What a source of works offers."""

from dataclasses import dataclass
from datetime import date
from typing import Literal, Protocol, runtime_checkable

from pincite_core.http.policy import SourcePolicy
from pincite_literature.model import CitationLink, Identifiers, Work

Sort = Literal["relevance", "newest", "oldest", "cited"]


@dataclass(frozen=True, slots=True)
class Query:
    """A search in words, turned by each source into its own language.

    A source that cannot filter or sort as asked says so in ``Page.unkept`` and answers as near as it can; the caller
    filters again. ``before`` is the cutoff: a source whose language knows dates asks only for works before it.
    """

    text: str
    first_year: int | None = None
    last_year: int | None = None
    author: str = ""
    venue: str = ""
    open_access: bool | None = None
    sort: Sort = "relevance"
    before: date | None = None


@dataclass(frozen=True, slots=True)
class Page:
    """Works in the source's order. ``cursor`` goes on from there, None at the end; ``total`` where the source says."""

    works: tuple[Work, ...]
    total: int | None = None
    cursor: str | None = None
    unkept: tuple[str, ...] = ()
    """Parts of the query that the source could not keep: "sort", "venue", …"""


@dataclass(frozen=True, slots=True)
class LinkPage:
    """Citing or cited works in the source's order; see ``Page``."""

    links: tuple[CitationLink, ...]
    total: int | None = None
    cursor: str | None = None


class Source(Protocol):
    """A source of works. Every method raises what ``Web.get`` raises, but returns an empty page or None for nothing.

    It is made as ``Class(web: Web, settings: Settings)``; that touches neither network nor disk.
    """

    policy: SourcePolicy
    most: int
    """Most works of one page."""

    async def search(self, query: Query, *, limit: int, cursor: str | None = None) -> Page:
        """Works that fit the words and filters; ``limit`` at most ``most``."""
        ...

    async def query(self, text: str, *, limit: int, cursor: str | None = None, before: date | None = None) -> Page:
        """Works that fit a query in the source's own language; BadInputError when the source does not take it."""
        ...

    async def work(self, ids: Identifiers) -> Work | None:
        """The work with one of these identifiers; None when the source has none of it or knows no such identifier."""
        ...


@runtime_checkable
class Citing(Protocol):
    """A source that knows which works cite one."""

    async def citations(self, ids: Identifiers, *, limit: int, cursor: str | None = None) -> LinkPage | None:
        """Works that cite this one; None when the source does not know the work."""
        ...


@runtime_checkable
class Referring(Protocol):
    """A source that knows which works one cites."""

    async def references(self, ids: Identifiers, *, limit: int, cursor: str | None = None) -> LinkPage | None:
        """Works that this one cites; None when the source does not know the work or its references."""
        ...


@runtime_checkable
class Recommending(Protocol):
    """A source that knows which works are alike."""

    async def similar(self, ids: Identifiers, *, limit: int) -> tuple[Work, ...] | None:
        """Works like this one, nearest first; None when the source does not know the work."""
        ...
