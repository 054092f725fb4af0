"""Exact search in SQLite: segments with their folded text, and an index (FTS5) of the words in each.

A text that is searched for is looked up by its words (``grep.words``): first in the vocabulary, which knows every word
that holds a part of one, then in the index, words one behind the other as phrases. What the index names is verified in
the segment's folded text, so that a false candidate costs time only. Where every piece of a text stands in very many
words ("of", "tion"), all segments are looked through.
"""

import sqlite3
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import product
from math import prod

from pincite_library.pieces import Piece, pieces_of, words_of
from pincite_library.segments import lowered
from pincite_library.store.sqlite.vocabulary import TABLES, codes_for, codes_of
from pincite_library.store.store import Clauses

_MOST_PAPERS = 64
"""Papers up to which a filter is part of the condition. Set by judgement."""
_MOST_PHRASES, _MOST_PAIRS = 16, 64
"""Most phrases of a text: of two words more, since one word alone says much less than two."""

_MOST_VARIANTS, _FEW_VARIANTS = 1500, 64
"""Most words that a piece may stand for: of a text that is one piece; of a longer text, or where another clause narrows
the search already."""

_CHECKED = 2000
"""Segments of a sample that is checked."""

_TABLES = (
    *TABLES,
    """CREATE TABLE IF NOT EXISTS segments (
  id INTEGER PRIMARY KEY, paper INTEGER NOT NULL, start INTEGER NOT NULL, lowered BLOB NOT NULL
)""",
    # Apart, since a search reads the folded text of many segments and the text of a few.
    "CREATE TABLE IF NOT EXISTS segment_texts (id INTEGER PRIMARY KEY, text TEXT NOT NULL)",
    "CREATE INDEX IF NOT EXISTS segments_of_papers ON segments (paper, id)",
    "CREATE VIRTUAL TABLE IF NOT EXISTS segment_words USING fts5(codes, content='', columnsize=0, tokenize='ascii')",
)
_ALL = "SELECT s.id, s.paper, s.start, s.lowered FROM segments s WHERE s.id BETWEEN ? AND ? ORDER BY s.id"
_INDEXED = """
SELECT s.id, s.paper, s.start, s.lowered FROM segment_words w CROSS JOIN segments s ON s.id = w.rowid
WHERE w.segment_words MATCH ? AND w.rowid BETWEEN ? AND ? ORDER BY w.rowid
"""

Row = tuple[int, int, bytes, Callable[[], str]]
"""The key of a paper, where the segment starts in its text, the folded text in UTF-8, what reads the text."""


def create(connection: sqlite3.Connection) -> None:
    """Make the tables where they are not."""
    for statement in _TABLES:
        connection.execute(statement)


def put(connection: sqlite3.Connection, paper_key: int, text: str, spans: Sequence[tuple[int, int]]) -> None:
    """Add the segments ``spans`` (``segments.segments_of``) of a paper that has none."""
    (last,) = connection.execute("SELECT coalesce(max(id), 0) FROM segments").fetchone()
    folded = [lowered(text[start:end]) for start, end in spans]
    words = [words_of(one) for one in folded]
    codes = codes_of(connection, (word for some in words for word in some))
    connection.executemany(
        "INSERT INTO segments VALUES (?, ?, ?, ?)",
        (
            (number, paper_key, start, one.encode())
            for number, ((start, _), one) in enumerate(zip(spans, folded, strict=True), last + 1)
        ),
    )
    connection.executemany(
        "INSERT INTO segment_texts VALUES (?, ?)",
        ((number, text[start:end]) for number, (start, end) in enumerate(spans, last + 1)),
    )
    connection.executemany(
        "INSERT INTO segment_words (rowid, codes) VALUES (?, ?)",
        ((number, " ".join(map(codes.__getitem__, some))) for number, some in enumerate(words, last + 1)),
    )


def remove(connection: sqlite3.Connection, paper_key: int) -> None:
    """Remove the segments of a paper, if it has any."""
    rows = connection.execute("SELECT id, lowered FROM segments WHERE paper = ?", (paper_key,)).fetchall()
    words = {number: words_of(folded.decode()) for number, folded in rows}
    codes = codes_of(connection, (word for some in words.values() for word in some))
    connection.executemany(
        "INSERT INTO segment_words (segment_words, rowid, codes) VALUES ('delete', ?, ?)",
        ((number, " ".join(map(codes.__getitem__, some))) for number, some in words.items()),
    )
    connection.executemany("DELETE FROM segment_texts WHERE id = ?", ((number,) for number in words))
    connection.execute("DELETE FROM segments WHERE paper = ?", (paper_key,))


def candidates(connection: sqlite3.Connection, clauses: Clauses, papers: Sequence[int] | None = None) -> Iterator[Row]:
    """The segments that hold, for every clause, one of its texts, in the order of their papers' last ingest; those of
    ``papers`` (keys) alone where it is given.
    """
    query = _query(connection, clauses)
    if query is None:
        return
    encoded = [tuple(text.encode() for text in clause) for clause in clauses]
    alone = [clause[0] for clause in encoded if len(clause) == 1]
    choices = [clause for clause in encoded if len(clause) > 1]
    ranges, only = _ranges(connection, papers)

    def read(number: int) -> str:
        (text,) = connection.execute("SELECT text FROM segment_texts WHERE id = ?", (number,)).fetchone()
        return text

    for ends in ranges:
        rows = connection.execute(_INDEXED, (query, *ends)) if query else connection.execute(_ALL, ends)
        for number, paper, start, folded in rows:
            if only is not None and paper not in only:
                continue
            if all(text in folded for text in alone) and all(
                any(text in folded for text in choice) for choice in choices
            ):
                yield paper, start, folded, partial(read, number)


def check(connection: sqlite3.Connection) -> list[str]:
    """What is wrong with the segments and their index, in words; some 2,000 segments are looked up in the index."""
    try:
        connection.execute("INSERT INTO segment_words (segment_words) VALUES ('integrity-check')")
    except sqlite3.DatabaseError as error:
        return [f"The index of exact search is damaged: {error}."]
    wrong: list[str] = []
    (count,) = connection.execute("SELECT count(*) FROM segments").fetchone()
    every = max(count // _CHECKED, 1)
    rows = connection.execute(
        "SELECT id, lowered, coalesce(text, '') FROM segments LEFT JOIN segment_texts USING (id) WHERE id % ? = 0",
        (every,),
    )
    for number, folded, text in rows:
        again = lowered(text)
        if again.encode() != folded:
            wrong.append(f"The folded text of segment {number} is not that of its text.")
        elif not _indexed(connection, number, again):
            wrong.append(f"Segment {number} is not found in the index of exact search.")
    return wrong


def optimise(connection: sqlite3.Connection) -> None:
    """Merge the index into one tree: smaller and faster to ask."""
    connection.execute("INSERT INTO segment_words (segment_words) VALUES ('optimize')")


def _query(connection: sqlite3.Connection, clauses: Clauses) -> str | None:
    """An FTS5 query for all clauses that can be looked up, "" for none of them, None where one of them stands nowhere
    in the library.
    """
    if not clauses:
        return ""
    parts: list[str] = []
    for clause in clauses:
        most = _FEW_VARIANTS if parts else _MOST_VARIANTS
        texts = [_text_query(connection, pieces_of(text), most) for text in clause]
        there = [text for text in texts if text is not None]
        if not there:
            return None
        if all(there):
            parts.append(f"({' OR '.join(there)})")
    return " AND ".join(parts)


def _text_query(connection: sqlite3.Connection, pieces: list[Piece], most: int) -> str | None:
    """The words that a segment with a text of these pieces has: in phrases, parted where a piece has too many variants;
    "" where all have, None where one of the pieces is in no word.
    """
    most = most if len(pieces) == 1 else _FEW_VARIANTS
    runs: list[list[list[str]]] = [[]]
    for piece in pieces:
        codes = codes_for(connection, piece, most)
        if codes is None:
            runs.append([])
        elif codes:
            runs[-1].append(codes)
        else:
            return None
    return " AND ".join(f"({' OR '.join(some)})" for run in runs for some in _conditions(run))


def _conditions(run: list[list[str]]) -> list[list[str]]:
    """Phrases of one code of each place, and the words of the ends that would make too many of them apart."""
    apart: list[list[str]] = []
    while len(run) > 1 and prod(map(len, run)) > (_MOST_PAIRS if len(run) == 2 else _MOST_PHRASES):
        end = 0 if len(run[0]) >= len(run[-1]) else len(run) - 1
        apart.append(run[end])
        run = [codes for place, codes in enumerate(run) if place != end]
    if run:
        apart.append([" ".join(codes) for codes in product(*run)])
    return [[f'"{phrase}"' for phrase in some] for some in apart]


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
    """Whether a segment is found by its longest word."""
    word = max(words_of(folded), key=len, default="")
    if not word:
        return True
    row = connection.execute("SELECT code FROM words WHERE word = ?", (word,)).fetchone()
    return row is not None and (
        connection.execute(
            "SELECT 1 FROM segment_words WHERE segment_words MATCH ? AND rowid = ?", (f'"{row[0]}"', number)
        ).fetchone()
        is not None
    )
