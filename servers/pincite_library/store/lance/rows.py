"""Papers, chunks and segments as rows of LanceDB tables, and back.

One table, ``rows``, holds everything that belongs to a paper: its entry with the canonical text (kind "paper"), its
chunks and its segments. Lance commits one table at a time, so that a paper with all of this appears by one commit.
Vectors have a table of their own for each space (``lance_vectors``): they come later and change without the rest.

The key of a row is a hash of what it is: a chunk that has not changed has the same key when its paper is put again,
so its vector stays good, and two writers that put the same paper write the same keys, which Lance takes for a
conflict. A row that a new state of its paper no longer has is overwritten as "gone" by the same commit and deleted
some time later: one upsert replaces a paper, where delete and insert would be two commits.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

import orjson

from pincite_library.model import Chunk, ChunkKind, IndexedChunk, Marks, PaperEntry, StoredChunk
from pincite_library.store.lance.modules import arrow
from pincite_papers.model import Span

VERSION = 1
"""Version of the tables, kept in the metadata of their schemas."""
DIGITS = 64
"""Hexadecimal digits of a paper's id: SHA-256."""
GONE, PAPER, SEGMENT, SPACE = "gone", "paper", "segment", "space"
"""Kinds of rows beside those of chunks."""
CHUNKS = tuple(str(kind) for kind in ChunkKind)
CHUNK_COLUMNS = ["key", "paper_id", "kind", "heading", "ordinal", "detail", "text", "context"]
"""What a chunk is made from again."""

Row = dict[str, Any]


def rows_schema() -> Any:
    """The Arrow schema of the table ``rows``."""
    pa = arrow()
    return pa.schema(
        [
            pa.field("key", pa.int64(), nullable=False),
            ("paper", pa.int64()),  # ``paper_number``
            ("paper_id", pa.string()),
            ("kind", pa.string()),
            ("year", pa.int32()),
            ("journal", pa.string()),  # case folded, for filters
            ("section", pa.string()),  # the same
            ("ordinal", pa.int32()),  # of a paper: the number of its segments
            ("heading", pa.string()),  # the section as printed
            # Lance packs texts itself (FSST) as small as zstd would, which takes five times as long to read.
            ("terms", pa.string()),
            ("text", pa.string()),
            ("context", pa.string()),
            ("folded", pa.string()),
            ("detail", pa.string()),  # JSON
        ],
        metadata={"pincite-version": str(VERSION)},
    )


def paper_number(paper_id: str) -> int:
    """The number by which a paper's rows are found."""
    return key_of(paper_id)


def key_of(*parts: object) -> int:
    """A number of 63 bits made of these parts."""
    digest = hashlib.blake2b("\0".join(str(part) for part in parts).encode(), digest_size=8).digest()
    return int.from_bytes(digest) >> 1


def paper_key(paper_id: str) -> int:
    """The key of a paper's own row."""
    return key_of(PAPER, paper_id)


def rows_of(entry: PaperEntry, text: str, chunks: Sequence[IndexedChunk], segments: Sequence[Row]) -> list[Row]:
    """Everything of a paper as rows; a segment comes with its place, text and folded text."""
    common: Row = {
        "paper": paper_number(entry.paper_id),
        "paper_id": entry.paper_id,
        "year": entry.year,
        "journal": entry.journal.casefold(),
    }
    detail = {name: value for name, value in asdict(entry).items() if name != "paper_id"}
    key = paper_key(entry.paper_id)
    paper: Row = {"key": key, "kind": PAPER, "ordinal": len(segments), "text": text, "detail": json_of(detail)}
    rows: list[Row] = [{**common, **paper}]
    seen: dict[int, int] = {}
    rows.extend({**common, **_chunk_row(entry, indexed, seen)} for indexed in chunks)
    for segment in segments:
        key = key_of(SEGMENT, entry.paper_id, segment["ordinal"], segment["folded"])
        rows.append({**common, **segment, "key": key, "kind": SEGMENT})
    return rows


def _chunk_row(entry: PaperEntry, indexed: IndexedChunk, seen: dict[int, int]) -> Row:
    chunk = indexed.chunk
    # All that is embedded or that filters vectors: where one of them differs, so does the key.
    parts = (entry.paper_id, entry.year, entry.journal, chunk.kind, chunk.section, chunk.context, chunk.text)
    key = key_of("chunk", *parts)
    again = seen[key] = seen.get(key, -1) + 1
    detail = {
        "page": chunk.page,
        "start": chunk.start,
        "end": chunk.end,
        "exact": chunk.exact,
        "label": chunk.label,
        "rows": chunk.rows,
        "described_by": chunk.described_by,
        "spans": [(span.start, span.end) for span in chunk.spans],
    }
    return {
        "key": key_of("chunk", *parts, again) if again else key,
        "kind": str(chunk.kind),
        "section": chunk.section.casefold(),
        "ordinal": chunk.ordinal,
        "heading": chunk.section,
        "terms": indexed.terms,
        "text": chunk.text,
        "context": chunk.context,
        "detail": json_of(detail),
    }


def gone(key: int, paper: int) -> Row:
    """The row that takes the place of one that its paper no longer has."""
    return {"key": key, "paper": paper, "kind": GONE}


def table_of(rows: Sequence[Row], schema: Any) -> Any:
    """Rows as an Arrow table; what a row does not name is null."""
    pa = arrow()
    columns = [pa.array([row.get(field.name) for row in rows], field.type) for field in schema]
    return pa.Table.from_arrays(columns, schema=schema)


def stored_chunk(row: Mapping[str, Any]) -> StoredChunk:
    """A chunk from its row of ``CHUNK_COLUMNS``."""
    detail = orjson.loads(row["detail"])
    chunk = Chunk(
        ordinal=row["ordinal"],
        kind=ChunkKind(row["kind"]),
        section=row["heading"],
        page=detail["page"],
        start=detail["start"],
        end=detail["end"],
        text=row["text"],
        exact=detail["exact"],
        label=detail["label"],
        rows=None if detail["rows"] is None else (detail["rows"][0], detail["rows"][1]),
        context=row["context"],
        described_by=detail["described_by"],
        spans=tuple(Span(start, end) for start, end in detail["spans"]),
    )
    return StoredChunk(row["key"], row["paper_id"], chunk)


def entry_of(row: Mapping[str, Any]) -> PaperEntry:
    """A paper's entry from the ``paper_id`` and ``detail`` of its row."""
    detail = orjson.loads(row["detail"])
    marks = detail.pop("marks")
    detail["authors"], detail["warnings"] = tuple(detail["authors"]), tuple(detail["warnings"])
    return PaperEntry(
        paper_id=row["paper_id"],
        marks=Marks(
            tuple(marks["page_starts"]),
            tuple((start, end) for start, end in marks["suspects"]),
            tuple((start, end, confidence) for start, end, confidence in marks["recognised"]),
        ),
        **detail,
    )


def json_of(value: object) -> str:
    """JSON as text."""
    return orjson.dumps(value).decode()
