"""Check: what is wrong with a library in LanceDB, and what it counts."""

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from pincite_core.errors import PinciteError
from pincite_library.model import VectorSpace
from pincite_library.store.lance import vectors as lance_vectors
from pincite_library.store.lance.filters import texts
from pincite_library.store.lance.rows import CHUNKS, PAPER, SEGMENT, entry_of, stored_chunk
from pincite_library.store.lance.session import Session

EMBEDDED = tuple(kind for kind in CHUNKS if kind != "reference")
"""Kinds of the chunks that get vectors."""

_SHOWN = 20
"""Faults that are named."""
_PAPERS = 50
"""Papers that are checked at once."""
_MANY = 2000
"""Keys of one condition. Set by judgement."""
_CHUNK = ["key", "paper_id", "kind", "heading", "ordinal", "detail", "text", "context", "terms"]


def counts(session: Session, space: VectorSpace | None) -> dict[str, int]:
    """``papers``, ``chunks``, ``vectors``, ``unembedded``, ``segments`` and ``bytes``."""

    def ask(table: Any) -> dict[str, int]:
        return {
            "papers": table.count_rows(f"kind = '{PAPER}'"),
            "chunks": table.count_rows(f"kind IN ({texts(CHUNKS)})"),
            "embeddable": table.count_rows(f"kind IN ({texts(EMBEDDED)})"),
            "segments": table.count_rows(f"kind = '{SEGMENT}'"),
        }

    found = session.reading("rows", ask)
    vectors, size = 0, 0
    if space is not None:
        vectors = session.reading(lance_vectors.table_name(space), lambda table: table.count_rows())
    if session.folder is not None:
        size = folder_bytes(session.folder)
    else:
        names = ["rows"] if space is None else ["rows", lance_vectors.table_name(space)]
        size = sum(session.reading(name, lambda table: table.stats()["total_bytes"]) for name in names)
    return {
        "papers": found["papers"],
        "chunks": found["chunks"],
        "vectors": vectors,
        "unembedded": max(found["embeddable"] - vectors, 0),
        "segments": found["segments"],
        "bytes": size,
    }


def folder_bytes(folder: Path) -> int:
    """Bytes of all files of a folder; files that go in the meantime are left out."""
    total = 0
    for file in folder.rglob("*"):
        try:
            total += file.stat().st_size if file.is_file() else 0
        except FileNotFoundError:
            continue
    return total


def problems(session: Session, space: Callable[[], VectorSpace | None]) -> list[str]:
    """What is wrong, in words: at most 20 lines."""
    found: list[str] = []
    try:
        for line in _problems(session, space()):
            found.append(line)
            if len(found) == _SHOWN:
                found.append("There may be more.")
                break
    except PinciteError as error:
        found.append(str(error))
    return found


def _problems(session: Session, space: VectorSpace | None) -> Iterator[str]:
    keys = session.scan("rows", "true", ["key", "paper", "kind"])
    yield from _stray(keys.to_pylist())
    papers = [row["key"] for row in keys.to_pylist() if row["kind"] == PAPER]
    for at in range(0, len(papers), _PAPERS):
        yield from _of_papers(session, papers[at : at + _PAPERS])
    if space is not None:
        yield from _of_vectors(session, space, keys)


def _stray(rows: list[dict[str, Any]]) -> Iterator[str]:
    twice = sum(count - 1 for count in Counter(row["key"] for row in rows).values())
    if twice:
        yield f"{twice} rows are there twice: put their papers again."
    known = {row["paper"] for row in rows if row["kind"] == PAPER}
    stray = sum(1 for row in rows if row["kind"] in (*CHUNKS, SEGMENT) and row["paper"] not in known)
    if stray:
        yield f"{stray} rows belong to no paper."


def _of_papers(session: Session, keys: list[int]) -> Iterator[str]:
    where = f"key IN ({lance_vectors.numbers(keys)})"
    rows = session.scan("rows", where, ["paper", "paper_id", "detail", "text"]).to_pylist()
    papers: dict[int, dict[str, Any]] = {row["paper"]: row for row in rows}
    inside = f"paper IN ({lance_vectors.numbers(papers)}) AND kind IN ({texts(CHUNKS)})"
    chunks = session.scan("rows", inside, ["paper", *_CHUNK]).to_pylist()
    count = Counter(row["paper"] for row in chunks)
    for number, row in papers.items():
        entry = entry_of(row)
        if hashlib.sha256(row["text"].encode()).hexdigest() != entry.text_digest:
            yield f"{entry.paper_id}: the text is not the one that was put."
        if count[number] != entry.chunks:
            yield f"{entry.paper_id}: {count[number]} chunks are there, {entry.chunks} should be."
    for row in chunks:
        chunk = stored_chunk(row).chunk
        if chunk.exact and papers[row["paper"]]["text"][chunk.start : chunk.end] != chunk.text:
            yield f"{row['paper_id']}: chunk {chunk.ordinal} is not the text at its place."


def _of_vectors(session: Session, space: VectorSpace, rows: Any) -> Iterator[str]:
    live = {row["key"] for row in rows.to_pylist() if row["kind"] in CHUNKS}
    name = lance_vectors.table_name(space)
    have = session.scan(name, "true", ["key"]).column("key").to_pylist()
    stray = sum(1 for key in have if key not in live)
    if stray:
        yield f"{stray} vectors belong to no chunk: vacuum the library."
    if len(set(have)) != len(have):
        yield f"{len(have) - len(set(have))} vectors are there twice: embed the library again."


def remove_stray(session: Session, space: VectorSpace) -> None:
    """Delete vectors of chunks that are gone: two writers on object storage can leave some."""
    name = lance_vectors.table_name(space)
    where = f"kind IN ({texts(CHUNKS)})"
    live = set(session.scan("rows", where, ["key"]).column("key").to_pylist())
    have = session.scan(name, "true", ["key"]).column("key").to_pylist()
    stray = [key for key in have if key not in live]
    for at in range(0, len(stray), _MANY):
        lance_vectors.delete(session, space, f"key IN ({lance_vectors.numbers(stray[at : at + _MANY])})")
