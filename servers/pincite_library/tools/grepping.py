"""grep_chunks: where a text or a pattern stands, in all papers of the library."""

from contextlib import closing
from typing import TYPE_CHECKING, Annotated, NotRequired, cast

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError
from pincite_core.locator import digits_of, short_form
from pincite_core.paging import DEFAULT_CHARS, decode_token, encode_token, fill_page
from pincite_library.grep.search import MOST_HITS, MOST_SECONDS, Found, Place, find
from pincite_library.marks import ocr_in, shown, unreliable_in
from pincite_library.model import PaperEntry, StoredChunk
from pincite_library.standing import status_of
from pincite_library.state import LibraryState, check_filled
from pincite_library.tools.arguments import PaperFilter, Year, papers_of
from pincite_library.tools.passage import place
from pincite_papers.arguments import Cursor, MaxChars
from pincite_papers.doubts import bare

if TYPE_CHECKING:
    from collections.abc import Generator

    from pincite_library.model import Segment
    from pincite_library.store.store import Store

_LONGEST_QUOTE = 1000
"""Characters of one hit that are quoted."""
_FRAME_CHARS = 500
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""
_HIT_CHARS = 400
"""Characters of a hit around its quote, an upper estimate; they count against ``max_chars``."""


class ChunkHit(TypedDict):
    """One place: ``quote`` is exactly what ``locator`` names; ``chunk``, for read_chunk, holds it ("" for none)."""

    locator: str
    paper: str
    year: NotRequired[int]
    status: NotRequired[str]
    section: str
    quote: str
    context: str
    chunk: str
    cut: NotRequired[str]
    unreliable: NotRequired[str]
    ocr: NotRequired[float]


class ChunkHits(TypedDict):
    """Hits by paper and place; ``total`` counts them on all result pages, up to 10,000."""

    total: int
    complete: bool
    hits: list[ChunkHit]
    next_cursor: str | None
    note: NotRequired[str]


async def grep_chunks(
    state: LibraryState,
    pattern: Annotated[str, Field(description="Text, or an RE2 expression with regex")],
    regex: bool = False,
    case_sensitive: bool = False,
    whole_word: bool = False,
    paper: PaperFilter = "",
    year: Year = "",
    context: Annotated[int, Field(ge=0, le=1000, description="Characters around a hit")] = 80,
    max_results: Annotated[int, Field(ge=1, le=200)] = 20,
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> ChunkHits:
    """Find every place in all papers where a text stands: numbers, formulas, names. Differences of print are forgiven
    (dashes, quotes, spaces; Tc finds T_c). With regex: RE2 syntax. No match crosses paragraphs.
    """
    pattern = bare(pattern)
    asked = ("grep_chunks", pattern, regex, case_sensitive, whole_word, paper, year, context)
    after = decode_token(cursor, *asked)

    def work(store: "Store") -> ChunkHits:
        from pincite_library.grep.matchers import make_matcher

        matcher = make_matcher(pattern, regex=regex, case_sensitive=case_sensitive, whole_word=whole_word)
        check_filled(store)
        papers = papers_of(store, paper, year)
        if papers is not None and not papers:
            return ChunkHits(
                total=0, complete=True, hits=[], next_cursor=None, note="No paper of the library passes the filters."
            )
        skip, last = _position(after)
        segments = cast("Generator[Segment]", store.segments(matcher.clauses, papers or frozenset()))
        with closing(segments):
            found = find(segments, matcher, skip=max(skip - 1, 0), take=max_results + (skip > 0))
        places = found.places
        if skip and (not places or last != _name(places.pop(0))):
            raise BadInputError(
                "The library has changed since that page of hits: they stand in other places now.",
                next="Leave the cursor out to start again.",
            )
        hits = _shown(store, places, context, max_chars)
        result = ChunkHits(total=found.total, complete=not found.stopped, hits=hits, next_cursor=None)
        reached = skip + len(hits)
        if hits and reached < found.total:
            result["next_cursor"] = encode_token(f"{reached}:{_name(places[len(hits) - 1])}", *asked)
        note = _note(found, pattern, regex)
        if note:
            result["note"] = note
        return result

    return await state.work(work)


def _name(place: Place) -> str:
    """What tells a hit from all others."""
    return f"{place.segment.paper_id[7:23]}:{place.start}"


def _position(token: str) -> tuple[int, str]:
    """How many hits were shown before, and the name of the last of them."""
    if not token:
        return 0, ""
    shown, _, name = token.partition(":")
    return int(shown), name


def _shown(store: "Store", places: list[Place], context: int, max_chars: int) -> list[ChunkHit]:
    """The hits that fit, at least one."""
    room = max_chars - _FRAME_CHARS - _HIT_CHARS
    quoted = min(_LONGEST_QUOTE, room // 3)
    around = min(context, (room - 2 * quoted) // 3)
    papers = _Papers(store)
    hits, _ = fill_page(
        places,
        0,
        lambda found: _hit(found, papers, quoted, around),
        max_chars=max_chars - _FRAME_CHARS,
        max_items=len(places),
    )
    return hits


class _Papers:
    """Entries of the papers with hits, read once each, and the chunks that hold hits."""

    def __init__(self, store: "Store") -> None:
        self._store = store
        self._entries: dict[str, PaperEntry | None] = {}

    def entry(self, paper_id: str) -> PaperEntry | None:
        """The entry of a paper, None if it was removed in the meantime."""
        if paper_id not in self._entries:
            self._entries[paper_id] = self._store.paper(paper_id)
        return self._entries[paper_id]

    def chunk_at(self, paper_id: str, start: int, end: int) -> StoredChunk | None:
        """The chunk that holds the most of ``text[start:end]``, the first one of several."""
        there = self._store.chunks_at(paper_id, start, end)
        return max(there, key=lambda one: one.chunk.shares(start, end), default=None)


def _hit(found: Place, papers: _Papers, quoted: int, context: int) -> ChunkHit:
    segment, start = found.segment, found.start
    end = min(found.end, start + quoted)
    entry = papers.entry(segment.paper_id)
    chunk = papers.chunk_at(segment.paper_id, start, end)
    low, high = start - segment.start, end - segment.start
    hit = ChunkHit(
        locator=place(entry, start, end)
        if entry is not None
        else short_form(digits_of(segment.paper_id), None, start, end),
        paper=entry.title if entry is not None else "",
        section=chunk.chunk.section if chunk is not None else "",
        quote=segment.text[low:high],
        context=segment.text[max(low - context, 0) : high + context],
        chunk=chunk.locator if chunk is not None else "",
    )
    if entry is not None and entry.year is not None:
        hit["year"] = entry.year
    if status := status_of(entry):
        hit["status"] = status
    if end < found.end:
        hit["cut"] = f"the match goes on to {found.end}: read its chunk"
    if entry is not None:
        hit["quote"] = shown(entry.marks, hit["quote"], start)
        hit["context"] = shown(entry.marks, hit["context"], max(start - context, segment.start))
        unreliable, ocr = unreliable_in(entry.marks, segment.text[low:high], start), ocr_in(entry.marks, start, end)
        if unreliable:
            hit["unreliable"] = unreliable
        if ocr is not None:
            hit["ocr"] = ocr
    return hit


def _note(found: Found, pattern: str, regex: bool) -> str:
    notes: list[str] = []
    if found.stopped == "count":
        notes.append(f"Counting stopped at {MOST_HITS} hits, there may be more: make the pattern narrower.")
    if found.stopped == "time":
        notes.append(
            f"Only a part of the library was searched in {MOST_SECONDS:g} s, there may be more hits: name papers, or "
            "give the pattern a text of three characters or more."
        )
    if regex and not found.total and "\\b" in pattern and not pattern.isascii():
        notes.append("In RE2 \\b knows ASCII letters only: use whole_word instead.")
    return " ".join(notes)
