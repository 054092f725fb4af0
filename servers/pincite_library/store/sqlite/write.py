"""How papers come into the tables and leave them, inside the caller's transaction."""

import sqlite3
from collections.abc import Iterable, Sequence

import numpy as np

from pincite_library.model import IndexedChunk, PaperEntry
from pincite_library.segments import segments_of
from pincite_library.store.sqlite import segments as sqlite_segments
from pincite_library.store.sqlite.catalogue import KINDS, note_changes
from pincite_library.store.sqlite.rows import digest_of, put_chunks, put_entry
from pincite_library.store.sqlite.terms import merge_full_levels, put_terms, remove_terms
from pincite_library.store.texts import TextFolder


def put(
    connection: sqlite3.Connection, entry: PaperEntry, text: str, chunks: Sequence[IndexedChunk], segments: bool
) -> None:
    """Put a checked paper in place of what is known of it; unchanged chunks keep their rows of vectors."""
    paper = put_entry(connection, entry, len(chunks))
    rows = _rows_by_digest(connection, paper)
    _remove_parts(connection, paper)
    first = int(connection.execute("SELECT next_key FROM state").fetchone()[0])
    connection.execute("UPDATE state SET next_key = ?", (first + len(chunks),))
    connection.execute("INSERT INTO texts VALUES (?, ?)", (paper, text))
    put_chunks(connection, first, chunks)
    spans = segments_of(text) if segments else []
    lengths = put_terms(connection, first, [indexed.terms for indexed in chunks])
    kinds = bytes(KINDS.index(indexed.chunk.kind) for indexed in chunks)
    headings = _sections(connection, {indexed.chunk.section for indexed in chunks})
    sections = [headings[indexed.chunk.section] for indexed in chunks]
    # Of chunks that are alike each old row goes to one of them.
    kept = [taken.pop(0) if (taken := rows.get(digest_of(indexed.chunk))) else -1 for indexed in chunks] if rows else []
    arrays = (np.array(sections, "<u4"), np.array(lengths, "<u4"), np.array(kept or [-1] * len(chunks), "<i4"))
    connection.execute(
        "INSERT INTO columns VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (paper, first, kinds, *(array.tobytes() for array in arrays), len(spans), len(text.encode())),
    )
    merge_full_levels(connection)
    sqlite_segments.put(connection, paper, text, spans)
    note(connection, [(paper, entry.paper_id)])


def remove(connection: sqlite3.Connection, paper_ids: Iterable[str]) -> list[str]:
    """Remove papers and all that belongs to them; those that were there."""
    gone: list[tuple[int, str]] = []
    for paper_id in dict.fromkeys(paper_ids):
        found = connection.execute("SELECT paper FROM papers WHERE paper_id = ?", (paper_id,)).fetchone()
        if found:
            _remove_parts(connection, found[0])
            connection.execute("DELETE FROM papers WHERE paper = ?", found)
            gone.append((int(found[0]), paper_id))
    note(connection, gone)
    return [paper_id for _, paper_id in gone]


def note(connection: sqlite3.Connection, papers: Sequence[tuple[int, str]]) -> None:
    """Tell readers that papers have changed, and that their files of text have to follow."""
    for paper, paper_id in papers:
        change = note_changes(connection, [paper])
        connection.execute("INSERT INTO unwritten VALUES (?, ?)", (change, paper_id))


def write_texts(connection: sqlite3.Connection, texts: TextFolder, *, again: bool) -> list[int]:
    """Bring the files of texts up to what the connection sees: those that may lag behind, or (``again``) all that
    differ or belong to no paper. The numbers of the changes that they are up to now.
    """
    changes = connection.execute("SELECT change, paper_id FROM unwritten").fetchall()
    papers = {str(row[1]) for row in changes}
    if again:
        papers |= {str(row[0]) for row in connection.execute("SELECT paper_id FROM papers")}
    for paper_id in papers:
        row = connection.execute(
            "SELECT text FROM papers JOIN texts USING (paper) WHERE paper_id = ?", (paper_id,)
        ).fetchone()
        if row is None or texts.read(paper_id) != row[0].encode():
            texts.write(paper_id, None if row is None else row[0])
    if again:
        for path in texts.strangers(papers):
            path.unlink(missing_ok=True)
    return [int(row[0]) for row in changes]


def _remove_parts(connection: sqlite3.Connection, paper: int) -> None:
    found = connection.execute("SELECT first, length(kinds) FROM columns WHERE paper = ?", (paper,)).fetchone()
    if found is None:
        return
    first, count = found
    connection.execute("DELETE FROM chunks WHERE key >= ? AND key < ?", (first, first + count))
    connection.execute("DELETE FROM contexts WHERE key >= ? AND key < ?", (first, first + count))
    remove_terms(connection, first)
    sqlite_segments.remove(connection, paper)
    connection.execute("DELETE FROM texts WHERE paper = ?", (paper,))
    connection.execute("DELETE FROM columns WHERE paper = ?", (paper,))


def _rows_by_digest(connection: sqlite3.Connection, paper: int) -> dict[bytes, list[int]]:
    """Rows of vectors of the paper's chunks by what tells unchanged chunks."""
    found = connection.execute("SELECT first, rows FROM columns WHERE paper = ?", (paper,)).fetchone()
    rows: list[int] = np.frombuffer(found[1], "<i4").tolist() if found else []
    if not any(row >= 0 for row in rows):
        return {}
    first = int(found[0])
    digests = connection.execute(
        "SELECT digest FROM chunks WHERE key >= ? AND key < ? ORDER BY key", (first, first + len(rows))
    )
    by_digest: dict[bytes, list[int]] = {}
    for (digest,), row in zip(digests.fetchall(), rows, strict=True):
        if row >= 0:
            by_digest.setdefault(digest, []).append(row)
    return by_digest


def _sections(connection: sqlite3.Connection, headings: set[str]) -> dict[str, int]:
    """The numbers of headings, new ones included; 0 for no heading."""
    numbers = {"": 0}
    for heading in sorted(headings - {""}):
        connection.execute("INSERT OR IGNORE INTO sections (heading) VALUES (?)", (heading,))
        row = connection.execute("SELECT section FROM sections WHERE heading = ?", (heading,)).fetchone()
        numbers[heading] = int(row[0])
    return numbers
