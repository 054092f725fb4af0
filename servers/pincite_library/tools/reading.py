"""read_chunk: a chunk whole, with its neighbours and, where it was composed, its source's own words."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated, NotRequired

import orjson
from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import NotFoundError
from pincite_core.locator import parse_locator
from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor
from pincite_library.marks import shown as with_doubts
from pincite_library.model import PaperEntry, StoredChunk
from pincite_library.standing import status_of
from pincite_library.state import LibraryState
from pincite_library.tools.passage import Passage, passage, place, source_spans
from pincite_papers.arguments import Cursor, MaxChars

if TYPE_CHECKING:
    from pincite_library.store.store import Store

_FRAME_CHARS = 400
"""Characters of a result around its text, an upper estimate; they count against ``max_chars``."""
_PASSAGE_FRAME = 500
"""Characters of a passage around its text, an upper estimate."""
_NAMED_CHUNKS = 3
"""Chunks that an error names."""
_LEAST_CHARS = 100
"""Characters of text that are shown, however little ``max_chars`` allows."""

ChunkName = Annotated[str, Field(description="Its locator")]


class SourceText(TypedDict):
    """Text of the paper as it stands there."""

    locator: str
    text: str


class ReadPassage(Passage):
    """A chunk; ``source`` is what a composed one was made from, to be quoted."""

    asked: NotRequired[bool]
    source: NotRequired[list[SourceText]]


class Reading(TypedDict):
    """The chunk that was asked for, between its neighbours, in reading order."""

    paper: str
    status: NotRequired[str]
    chunks: list[ReadPassage]
    next_cursor: str | None
    note: NotRequired[str]


async def read_chunk(
    state: LibraryState,
    chunk: ChunkName,
    before: Annotated[int, Field(ge=0, le=10)] = 1,
    after: Annotated[int, Field(ge=0, le=10)] = 1,
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> Reading:
    """Read a chunk whole, with its neighbours: when a passage was cut, needs its surroundings, or was composed
    ("source" has the paper's own words).
    """
    return await state.work(lambda store: _read(store, chunk, (before, after), cursor, max_chars))


def find_chunk(store: "Store", name: str) -> tuple[PaperEntry, list[StoredChunk], int]:
    """The paper of a chunk's locator, all its chunks and the place of that one among them.

    NotFoundError, naming what is there now, where no chunk has that locator any more.
    """
    wanted = parse_locator(name)
    entry = store.paper(f"sha256:{wanted.paper_prefix}")
    if entry is None:
        raise NotFoundError(
            f"The library has no paper {wanted.paper_prefix}, so no chunk {name.strip()}.",
            next="Search again; list_papers names the papers that are there.",
        )
    chunks = store.chunks_of(entry.paper_id)
    exact = [at for at, one in enumerate(chunks) if (one.chunk.start, one.chunk.end) == (wanted.start, wanted.end)]
    if exact:
        return entry, chunks, exact[0]
    there = [one for one in chunks if any(low < wanted.end and wanted.start < high for low, high in source_spans(one))]
    near = there or sorted(chunks, key=lambda one: abs(one.chunk.start - wanted.start))
    named = ", ".join(one.locator for one in near[:_NAMED_CHUNKS])
    raise NotFoundError(
        f"There is no chunk {name.strip()} in the library (any more).",
        seen=f"{'there' if there else 'nearest to it'} stands now: {named}" if named else "its paper has no chunks",
        next="Read one of these, or search again." if named else "Search again.",
    )


def _read(store: "Store", name: str, around: tuple[int, int], cursor: str, max_chars: int) -> Reading:
    entry, chunks, at = find_chunk(store, name)
    asked = chunks[at].chunk
    query = ("read_chunk", chunks[at].locator, entry.text_digest, around)
    start = decode_cursor(cursor, *query)
    room = max_chars - _FRAME_CHARS
    shown = ReadPassage(**passage(chunks[at], entry, len(asked.text)), asked=True)
    piece = _fitting(asked.text[start:], room - _PASSAGE_FRAME)
    end = start + len(piece)
    shown["text"] = with_doubts(entry.marks, piece, asked.start + start) if asked.exact else piece
    reading = Reading(paper=entry.title, chunks=[shown], next_cursor=None)
    if status := status_of(entry):
        reading["status"] = status
    if start or end < len(asked.text):
        shown["cut"] = f"characters {start} to {end} of {len(asked.text)}"
    if end < len(asked.text):
        reading["next_cursor"] = encode_cursor(end, *query)
        return reading
    missed = 0
    if not asked.exact:
        shown["source"], missed = _source(store.text(entry.paper_id), chunks[at], entry, room - _length(shown))
    left = room - _length(shown)
    first, last = _reach(chunks, at, around, lambda one: _length(passage(one, entry, len(one.chunk.text))), left)
    reading["chunks"] = [
        shown if number == at else ReadPassage(**passage(chunks[number], entry, len(chunks[number].chunk.text)))
        for number in range(first, last + 1)
    ]
    missed += at - first < min(around[0], at) or last - at < min(around[1], len(chunks) - 1 - at)
    if missed:
        reading["note"] = "Not all of the neighbours or the source fitted: ask with a larger max_chars."
    return reading


def _reach(
    chunks: list[StoredChunk], at: int, around: tuple[int, int], size: Callable[[StoredChunk], int], room: int
) -> tuple[int, int]:
    """The first and last chunk around ``at`` that fit in ``room`` characters, the nearest ones first."""
    ends = [at, at]
    limits = [max(at - around[0], 0), min(at + around[1], len(chunks) - 1)]
    steps = [-1, 1]
    going = [side for side in (1, 0) if ends[side] != limits[side]]
    while going:
        for side in list(going):
            room -= size(chunks[ends[side] + steps[side]])
            if room < 0:
                return ends[0], ends[1]
            ends[side] += steps[side]
            if ends[side] == limits[side]:
                going.remove(side)
    return ends[0], ends[1]


def _source(text: str, stored: StoredChunk, entry: PaperEntry, room: int) -> tuple[list[SourceText], int]:
    """The ranges that a chunk was composed from that fit, as they stand in the paper; how many did not fit."""
    source: list[SourceText] = []
    spans = source_spans(stored)
    for start, end in spans:
        part = SourceText(locator=place(entry, start, end), text=with_doubts(entry.marks, text[start:end], start))
        room -= _length(part)
        if room < 0:
            break
        source.append(part)
    return source, len(spans) - len(source)


def _fitting(text: str, room: int) -> str:
    """The start of a text that takes ``room`` characters as JSON."""
    piece = text[: max(room, _LEAST_CHARS)]
    while len(piece) > _LEAST_CHARS and (excess := _length(piece) - room) > 0:
        piece = piece[: max(len(piece) - excess, _LEAST_CHARS)]
    return piece


def _length(shown: object) -> int:
    return len(orjson.dumps(shown).decode()) + 1
