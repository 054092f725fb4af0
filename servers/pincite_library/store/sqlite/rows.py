"""Papers and chunks as rows of tables, and back."""

import hashlib
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

import orjson

from pincite_core.errors import BadInputError, DamagedError
from pincite_library.model import Chunk, IndexedChunk, Marks, PaperEntry, StoredChunk
from pincite_library.store.sqlite.catalogue import KINDS, Catalogue
from pincite_papers.model import Span

_PAPER = (
    "paper_id, title, source, authors, year, journal, doi, abstract, format, pages, parser, chunker, text_digest, "
    "chunks, added, warnings, marks"
)
_PUT_PAPER = (
    f"INSERT INTO papers ({_PAPER}) VALUES ({', '.join('?' * 17)}) ON CONFLICT (paper_id) DO UPDATE SET "  # noqa: S608
    + ", ".join(f"{name} = excluded.{name}" for name in _PAPER.split(", "))
)
_PAPERS = f"SELECT {_PAPER} FROM papers WHERE paper_id >= ? AND paper_id < ? ORDER BY title, paper_id"  # noqa: S608
_PUT_CHUNK = """
INSERT INTO chunks (key, page, start, end, label, first_row, last_row, described_by, spans, context, text, digest)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
"""
_CHUNKS = """
SELECT c.key, page, start, end, label, first_row, last_row, described_by, spans, c.text, contexts.text
FROM chunks c JOIN contexts ON contexts.key = c.context
WHERE c.key IN (SELECT value FROM json_each(?))
"""

Row = tuple[Any, ...]


def checked(entry: PaperEntry, text: str, chunks: Sequence[IndexedChunk]) -> None:
    """BadInputError where the parts of a paper contradict each other."""
    try:
        digest = hashlib.sha256(text.encode()).hexdigest()
    except UnicodeEncodeError as error:
        raise BadInputError("The text of a paper contains half of a surrogate pair.", seen=str(error)) from error
    if entry.text_digest != digest:
        raise BadInputError(
            "The digest that was given for a paper's text does not match the text.",
            seen=f"{entry.text_digest!r}, not {digest!r}",
        )
    if len(entry.paper_id) != 71 or not entry.paper_id.startswith("sha256:"):
        raise BadInputError("A paper's id is sha256: and 64 digits.", seen=repr(entry.paper_id))
    for place, indexed in enumerate(chunks):
        chunk = indexed.chunk
        if chunk.ordinal != place:
            raise BadInputError("The chunks of a paper are not in order.", seen=f"number {chunk.ordinal} at {place}")
        if chunk.exact and chunk.text != text[chunk.start : chunk.end]:
            raise BadInputError("A chunk is not the text at its place.", seen=f"{chunk.start}-{chunk.end}")


def put_entry(connection: sqlite3.Connection, entry: PaperEntry, chunks: int) -> int:
    """Write the paper's row in place of an older one; its number."""
    values = (
        entry.paper_id,
        entry.title,
        entry.source,
        _json(entry.authors),
        entry.year,
        entry.journal,
        entry.doi,
        entry.abstract,
        entry.format,
        entry.pages,
        entry.parser,
        entry.chunker,
        entry.text_digest,
        chunks,
        entry.added,
        _json(entry.warnings),
        _json([entry.marks.page_starts, entry.marks.suspects, entry.marks.recognised]),
    )
    connection.execute(_PUT_PAPER, values)
    found = connection.execute("SELECT paper FROM papers WHERE paper_id = ?", (entry.paper_id,)).fetchone()
    return int(found[0])


def entries(connection: sqlite3.Connection, start: str = "") -> list[PaperEntry]:
    """The papers whose id starts so, by title."""
    return [_entry(row) for row in connection.execute(_PAPERS, (start, f"{start}{chr(0x10FFFF)}"))]


def _entry(row: Row) -> PaperEntry:
    page_starts, suspects, recognised = orjson.loads(row[16])
    return PaperEntry(
        paper_id=row[0],
        title=row[1],
        source=row[2],
        authors=tuple(orjson.loads(row[3])),
        year=row[4],
        journal=row[5],
        doi=row[6],
        abstract=row[7],
        format=row[8],
        pages=row[9],
        parser=row[10],
        chunker=row[11],
        text_digest=row[12],
        chunks=row[13],
        added=row[14],
        warnings=tuple(orjson.loads(row[15])),
        marks=Marks(tuple(page_starts), tuple((a, b) for a, b in suspects), tuple((a, b, c) for a, b, c in recognised)),
    )


def put_chunks(connection: sqlite3.Connection, first: int, chunks: Sequence[IndexedChunk]) -> None:
    """Write a paper's chunks with keys from ``first`` on, each different context once."""
    contexts: dict[str, int] = {}
    rows: list[Row] = []
    for key, chunk in enumerate((indexed.chunk for indexed in chunks), first):
        context = contexts.setdefault(chunk.context, key)
        first_row, last_row = chunk.rows or (None, None)
        spans = _json([(span.start, span.end) for span in chunk.spans])
        text = None if chunk.exact else chunk.text
        place = (key, chunk.page, chunk.start, chunk.end, chunk.label, first_row, last_row, chunk.described_by, spans)
        rows.append((*place, context, text, digest_of(chunk)))
    connection.executemany(_PUT_CHUNK, rows)
    connection.executemany("INSERT INTO contexts VALUES (?, ?)", ((key, text) for text, key in contexts.items()))


def digest_of(chunk: Chunk) -> bytes:
    """What tells whether the text that is embedded has changed."""
    return hashlib.blake2b(f"{chunk.context}\0{chunk.text}".encode(), digest_size=16).digest()


def _json(value: object) -> str:
    return orjson.dumps(value).decode()


def stored(connection: sqlite3.Connection, catalogue: Catalogue, keys: Sequence[int]) -> dict[int, StoredChunk]:
    """The chunks with these keys, those that are gone left out; one paper's text in memory at a time."""
    by_paper: dict[int, list[int]] = {}
    for key in keys:
        paper = catalogue.paper_at(key)
        if paper:
            by_paper.setdefault(paper, []).append(key)
    found: dict[int, StoredChunk] = {}
    for paper, wanted in by_paper.items():
        found.update(_of_paper(connection, catalogue, paper, wanted))
    return found


def _of_paper(
    connection: sqlite3.Connection, catalogue: Catalogue, paper: int, keys: list[int]
) -> Iterator[tuple[int, StoredChunk]]:
    rows: list[Row] = connection.execute(_CHUNKS, (_json(keys),)).fetchall()
    canonical = ""
    if any(row[9] is None for row in rows):
        found = connection.execute("SELECT text FROM texts WHERE paper = ?", (paper,)).fetchone()
        if found is None:
            raise DamagedError("The library's file is damaged.", seen=f"{catalogue.paper_id_of[paper]} has no text")
        canonical = str(found[0])
    first, paper_id = catalogue.first_of[paper], catalogue.paper_id_of[paper]
    for row in rows:
        kind, section = catalogue.kind_and_section(row[0])
        chunk = Chunk(
            ordinal=row[0] - first,
            kind=KINDS[kind],
            section=section,
            page=row[1],
            start=row[2],
            end=row[3],
            text=canonical[row[2] : row[3]] if row[9] is None else row[9],
            exact=row[9] is None,
            label=row[4],
            rows=None if row[5] is None else (row[5], row[6]),
            context=row[10],
            described_by=row[7],
            spans=tuple(Span(start, end) for start, end in orjson.loads(row[8])),
        )
        yield row[0], StoredChunk(row[0], paper_id, chunk)
