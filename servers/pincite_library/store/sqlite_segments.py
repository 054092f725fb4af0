"""Exact search in SQLite: segments with their folded text and a trigram index (FTS5) over windows of it.

A window is a piece of a segment's folded, lower-case text with ``OVERLAP`` characters of the next, so that each text of
up to ``OVERLAP + 1`` characters stands whole in one: a conjunction of trigrams is far more selective in 270 characters
than in a paragraph. Windows have the row id ``segment << 4 | n``. The index keeps no positions and no text
(``detail=none``, contentless); what it names is verified in the segment, so that a false candidate costs time only.
"""

import sqlite3
from collections.abc import Iterator, Sequence

from pincite_library.grep.grams import choose_grams
from pincite_library.grep.segments import lowered
from pincite_library.store.store import Clauses

WINDOW, OVERLAP = 240, 30
"""Characters of a window, and how far it reaches into the next."""

_SHIFT = 4
_WINDOWS = 1 << _SHIFT
_MOST_PAPERS = 64
_CHECKED = 2000

_TABLES = """
CREATE TABLE IF NOT EXISTS segments (
    id INTEGER PRIMARY KEY, paper INTEGER NOT NULL, start INTEGER NOT NULL, lowered BLOB NOT NULL, text TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS segments_of_papers ON segments (paper, id);
CREATE VIRTUAL TABLE IF NOT EXISTS segment_grams USING fts5(
    grams, content='', columnsize=0, detail=none, tokenize='trigram case_sensitive 1'
);
"""
_ALL = "SELECT s.id, s.paper, s.start, s.lowered, s.text FROM segments s WHERE s.id BETWEEN ? AND ? ORDER BY s.id"
_INDEXED = """
SELECT s.id, s.paper, s.start, s.lowered, s.text
FROM segment_grams g CROSS JOIN segments s ON s.id = (g.rowid >> 4)
WHERE g.segment_grams MATCH ? AND g.rowid BETWEEN ? AND ? ORDER BY g.rowid
"""

Row = tuple[int, int, bytes, str]
"""The key of a paper, where the segment starts in its text, the folded text in UTF-8, the text."""


def create(connection: sqlite3.Connection) -> None:
    """Make the tables where they are not."""
    for statement in _TABLES.split(";\n"):
        connection.execute(statement)


def put(connection: sqlite3.Connection, paper_key: int, text: str, spans: Sequence[tuple[int, int]]) -> None:
    """Add the segments ``spans`` (``grep.segments.segments_of``) of a paper that has none."""
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM segments").fetchone()
    for number, (start, end) in enumerate(spans, last + 1):
        piece = text[start:end]
        folded = lowered(piece)
        row = (number, paper_key, start, folded.encode(), piece)
        connection.execute("INSERT INTO segments VALUES (?, ?, ?, ?, ?)", row)
        connection.executemany("INSERT INTO segment_grams (rowid, grams) VALUES (?, ?)", _windows(number, folded))


def remove(connection: sqlite3.Connection, paper_key: int) -> None:
    """Remove the segments of a paper, if it has any."""
    for number, folded in connection.execute("SELECT id, lowered FROM segments WHERE paper = ?", (paper_key,)):
        connection.executemany(
            "INSERT INTO segment_grams (segment_grams, rowid, grams) VALUES ('delete', ?, ?)",
            _windows(number, folded.decode()),
        )
    connection.execute("DELETE FROM segments WHERE paper = ?", (paper_key,))


def candidates(connection: sqlite3.Connection, clauses: Clauses, papers: Sequence[int] | None = None) -> Iterator[Row]:
    """The segments that hold, for every clause, one of its texts, in the order of their papers' last ingest; those of
    ``papers`` (keys) alone where it is given.
    """
    wanted = [tuple(text.encode() for text in clause) for clause in clauses]
    query = choose_grams(clauses, OVERLAP + 1)
    ranges, only = _ranges(connection, papers)
    for first, last in ranges:
        if query:
            rows = connection.execute(_INDEXED, (query, first << _SHIFT, (last + 1 << _SHIFT) - 1))
        else:
            rows = connection.execute(_ALL, (first, last))
        seen = -1
        for number, paper, start, folded, text in rows:
            if number == seen or (only is not None and paper not in only):
                continue
            seen = number
            if all(any(text in folded for text in clause) for clause in wanted):
                yield paper, start, folded, text


def check(connection: sqlite3.Connection) -> list[str]:
    """What is wrong with the segments and their index, in words; some 2,000 segments are looked up in the index."""
    wrong: list[str] = []
    try:
        connection.execute("INSERT INTO segment_grams (segment_grams) VALUES ('integrity-check')")
    except sqlite3.DatabaseError as error:
        wrong.append(f"The index of exact search is damaged: {error}.")
    (count,) = connection.execute("SELECT count(*) FROM segments").fetchone()
    every = max(count // _CHECKED, 1)
    for number, folded, text in connection.execute("SELECT id, lowered, text FROM segments WHERE id % ? = 0", (every,)):
        again = lowered(text)
        if again.encode() != folded:
            wrong.append(f"The folded text of segment {number} is not that of its text.")
        elif not _indexed(connection, number, again):
            wrong.append(f"Segment {number} is not found in the index of exact search.")
    return wrong


def optimise(connection: sqlite3.Connection) -> None:
    """Merge the index into one tree: smaller and faster to ask."""
    connection.execute("INSERT INTO segment_grams (segment_grams) VALUES ('optimize')")


def _windows(number: int, folded: str) -> Iterator[tuple[int, str]]:
    """Row id and text of each window of a segment, at most 16: those of a very long segment are longer."""
    step = max(WINDOW, -(-len(folded) // _WINDOWS))
    for place, at in enumerate(range(0, len(folded), step)):
        yield number << _SHIFT | place, folded[at : at + step + OVERLAP]


def _ranges(
    connection: sqlite3.Connection, papers: Sequence[int] | None
) -> tuple[list[tuple[int, int]], frozenset[int] | None]:
    """Ranges of segment ids to look through, and which papers of them where they hold others too."""
    if papers is None or len(papers) > _MOST_PAPERS:
        (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM segments").fetchone()
        return [(1, last)], None if papers is None else frozenset(papers)
    found: list[tuple[int, int]] = []
    for paper in dict.fromkeys(papers):
        first, last = connection.execute("SELECT min(id), max(id) FROM segments WHERE paper = ?", (paper,)).fetchone()
        if first is not None:
            found.append((first, last))
    return sorted(found), None


def _indexed(connection: sqlite3.Connection, number: int, folded: str) -> bool:
    """Whether the first window of a segment is found by its rarest trigrams."""
    _, window = next(_windows(number, folded), (0, ""))
    query = choose_grams(((window,),), len(window))
    if not query:
        return True
    row = connection.execute(
        "SELECT 1 FROM segment_grams WHERE segment_grams MATCH ? AND rowid = ?", (query, number << _SHIFT)
    ).fetchone()
    return row is not None
