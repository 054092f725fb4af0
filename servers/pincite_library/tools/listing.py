"""list_papers: which papers the library holds."""

from typing import TYPE_CHECKING, Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.locator import digits_of
from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_library.model import PaperEntry
from pincite_library.standing import status_of
from pincite_library.state import LibraryState, check_filled
from pincite_library.tools.arguments import Journal, Year, parse_years, passes
from pincite_papers.arguments import Cursor, MaxChars

if TYPE_CHECKING:
    from pincite_library.store.store import Store

_FRAME_CHARS = 300
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""
_AUTHORS_SHOWN = 4
"""Authors that are shown; of the rest the number is said."""
_TITLE_CHARS = 300
"""Characters of a title that are shown."""
_WARNINGS_CHARS = 200
"""Characters of a paper's warnings."""


class LibraryPaper(TypedDict):
    """A paper: ``paper`` is its id for the other tools, the first part of its locators."""

    paper: str
    title: str
    authors: list[str]
    year: NotRequired[int]
    journal: NotRequired[str]
    doi: NotRequired[str]
    pages: NotRequired[int]
    status: NotRequired[str]
    chunks: int
    source: str
    added: str
    warnings: NotRequired[str]


class LibraryPapers(TypedDict):
    """Papers by title; ``total`` counts them on all result pages."""

    total: int
    papers: list[LibraryPaper]
    next_cursor: str | None
    note: NotRequired[str]


async def list_papers(
    state: LibraryState,
    query: Annotated[str, Field(description="Words of title, authors, DOI, journal or source")] = "",
    year: Year = "",
    journal: Journal = "",
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> LibraryPapers:
    """List the papers of the library, by title: what there is to search, with ids for the other tools."""
    asked = ("list_papers", query, year, journal)
    years = parse_years(year)

    def work(store: "Store") -> LibraryPapers:
        check_filled(store)
        words = query.casefold().split()
        papers = [entry for entry in store.papers() if passes(entry, years, journal) and _has(entry, words)]
        start = decode_cursor(cursor, *asked)
        shown, after = fill_page(
            papers, start, _shown, max_chars=max_chars - _FRAME_CHARS, max_items=max(len(papers), 1)
        )
        result = LibraryPapers(total=len(papers), papers=shown, next_cursor=None)
        if after < len(papers):
            result["next_cursor"] = encode_cursor(after, *asked)
        if not papers:
            result["note"] = f"None of the library's {store.counts()['papers']} papers is so. Use fewer words."
        return result

    return await state.work(work)


def _has(entry: PaperEntry, words: list[str]) -> bool:
    said = " ".join((entry.title, *entry.authors, entry.doi or "", entry.journal, entry.source)).casefold()
    return all(word in said for word in words)


def _shown(entry: PaperEntry) -> LibraryPaper:
    more = len(entry.authors) - _AUTHORS_SHOWN
    authors = [*entry.authors[:_AUTHORS_SHOWN], *([f"and {more} more"] if more > 0 else [])]
    shown = LibraryPaper(
        paper=digits_of(entry.paper_id),
        title=entry.title[:_TITLE_CHARS],
        authors=authors,
        chunks=entry.chunks,
        source=entry.source,
        added=entry.added,
    )
    if entry.year is not None:
        shown["year"] = entry.year
    if entry.journal:
        shown["journal"] = entry.journal
    if entry.doi:
        shown["doi"] = entry.doi
    if entry.pages:
        shown["pages"] = entry.pages
    if status := status_of(entry):
        shown["status"] = status
    if entry.warnings:
        shown["warnings"] = "; ".join(entry.warnings)[:_WARNINGS_CHARS]
    return shown
