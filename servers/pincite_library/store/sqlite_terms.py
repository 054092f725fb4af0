"""The index of terms: postings in blobs, read by numpy, ranked by BM25 over every match.

FTS5 was measured first (``tests/benchmarks/library_latency.py`` shows it beside): its ``bm25()`` takes each match
through a function call and a look-up of its length, 65 ms for a question and 190 ms for three common words at 200,000
chunks, and its index gives out no term frequencies otherwise. Postings as arrays need a fiftieth of that, with filters.

As in FTS5 the index is a log-structured merge: a paper's postings are written as one *run* (terms in order, so that
pages are filled one after the other), 32 runs of a level become one of the next, and postings of chunks that are gone
fall away then. Runs of the last level stay as they are, so that a merge takes seconds at most.

BM25 is that of Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), section 3.2, with k1 = 1.2,
b = 0.75 and Lucene's idf, ln(1 + (N - n + 0.5) / (n + 0.5)), which stays positive for terms of most chunks.
"""

import heapq
import itertools
import math
import operator
import sqlite3
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from pincite_library.model import Scored
from pincite_library.store.sqlite_catalogue import Catalogue, Mask

FANOUT = 32
LAST_LEVEL = 2
_K1 = 1.2
_WIDTHS = {1: "u1", 2: "<u2", 4: "<u4"}
_MOST = 255

Keys = npt.NDArray[np.int64]
Posting = tuple[str, bytes, bytes]
"""A term, its keys and counts, as in the table."""


def put_terms(connection: sqlite3.Connection, first: int, terms: Sequence[str]) -> list[int]:
    """Add the terms of a paper's chunks, whose keys start at ``first``; how many terms each chunk has."""
    postings: dict[str, tuple[list[int], list[int]]] = {}
    lengths: list[int] = []
    for place, line in enumerate(terms):
        words = line.split(" ") if line else []
        lengths.append(len(words))
        counts: dict[str, int] = {}
        for word in words:
            counts[word] = counts.get(word, 0) + 1
        for word, count in counts.items():
            posting = postings.get(word)
            if posting is None:
                postings[word] = ([place], [count])
            else:
                posting[0].append(place)
                posting[1].append(count)
    width = _width(len(terms))
    _put_run(connection, 0, first, width, (_packed(term, *postings[term], width) for term in sorted(postings)))
    return lengths


def remove_terms(connection: sqlite3.Connection, first: int) -> None:
    """Forget a paper's run where it has not been merged; else its postings fall away with a later merge."""
    found = connection.execute("SELECT run FROM term_runs WHERE level = 0 AND first = ?", (first,)).fetchone()
    if found:
        _drop_runs(connection, [int(found[0])])


def merge_full_levels(connection: sqlite3.Connection) -> None:
    """Merge the runs of a level where there are enough of them; ``columns`` says which chunks there are."""
    for level in range(LAST_LEVEL):
        runs = connection.execute("SELECT run FROM term_runs WHERE level = ? ORDER BY first", (level,)).fetchall()
        if len(runs) >= FANOUT:
            _merge(connection, [int(row[0]) for row in runs], level + 1)


def merge_all(connection: sqlite3.Connection) -> None:
    """Merge all runs into such of the last level, of as many papers as one has there, without what is gone."""
    runs = connection.execute("SELECT run FROM term_runs ORDER BY first").fetchall()
    for start in range(0, len(runs), FANOUT):
        _merge(connection, [int(row[0]) for row in runs[start : start + FANOUT]], LAST_LEVEL)


def rank(
    connection: sqlite3.Connection, catalogue: Catalogue, terms: Sequence[str], k: int, allowed: Mask
) -> list[Scored]:
    """The ``k`` allowed chunks with the highest BM25 for any of the terms, the lower key first among equals."""
    scores = np.zeros(len(catalogue.paper_of), np.float32)
    for term in dict.fromkeys(terms):
        parts = [_unpacked(*row) for row in _rows_of(connection, term)]
        if not parts:
            continue
        keys = np.concatenate([part[0] for part in parts])
        counts = np.concatenate([part[1] for part in parts])
        alive = catalogue.alive[keys]
        if not alive.all():
            keys, counts = keys[alive], counts[alive]
        idf = math.log1p((catalogue.chunks - len(keys) + 0.5) / (len(keys) + 0.5))
        # A key stands once in the postings of a term, so that adding by index loses nothing.
        scores[keys] += np.float32(idf * (_K1 + 1)) * counts / (counts + catalogue.norms[keys])
    scores[~allowed] = 0
    return best(scores, k)


def best(scores: npt.NDArray[np.float32], k: int) -> list[Scored]:
    """The ``k`` highest positive scores by key, the lower key first among equals."""
    matched = np.flatnonzero(scores > 0)
    if len(matched) > k:
        found = scores[matched]
        bound = np.partition(found, len(found) - k)[len(found) - k]
        matched = matched[found >= bound]
    order = np.argsort(-scores[matched], kind="stable")[:k]
    return [Scored(int(key), float(scores[key])) for key in matched[order]]


def lengths_by_postings(connection: sqlite3.Connection, size: int) -> tuple[Keys, Mask, list[str]]:
    """By key (below ``size``): the sum of its counts, whether one of them was cut off, and what cannot be read."""
    sums, cut, wrong = np.zeros(size, np.int64), np.zeros(size, np.bool_), list[str]()
    for run, first, width in connection.execute("SELECT run, first, width FROM term_runs").fetchall():
        for term, packed, packed_counts in _postings(connection, run):
            whole = width in _WIDTHS and len(packed) % width == 0 and len(packed_counts) in (0, len(packed) // width)
            keys, counts = (
                _unpacked(first, width, packed, packed_counts) if whole else (np.empty(0, np.int64), sums[:0])
            )
            if not whole or (keys[1:] <= keys[:-1]).any() or (len(keys) and keys[-1] >= size):
                wrong.append(f"The postings of the term {term!r} in run {run} cannot be read.")
                continue
            sums[keys] += counts.astype(np.int64)
            cut[keys[counts == _MOST]] = True
    return sums, cut, wrong


def _rows_of(connection: sqlite3.Connection, term: str) -> Iterable[tuple[int, int, bytes, bytes]]:
    return connection.execute(
        "SELECT term_runs.first, width, keys, counts FROM term_runs CROSS JOIN postings"
        " ON postings.run = term_runs.run AND term = ?",
        (term,),
    )


def _width(span: int) -> int:
    return 1 if span <= 1 << 8 else 2 if span <= 1 << 16 else 4


def _packed(term: str, places: list[int], counts: list[int], width: int) -> Posting:
    many = b"" if max(counts) == 1 else bytes([min(count, _MOST) for count in counts])
    return term, bytes(places) if width == 1 else np.array(places, _WIDTHS[width]).tobytes(), many


def _unpacked(first: int, width: int, packed: bytes, counts: bytes) -> tuple[Keys, npt.NDArray[np.float32]]:
    keys = np.frombuffer(packed, _WIDTHS[width]).astype(np.int64) + first
    many = np.frombuffer(counts, np.uint8).astype(np.float32) if counts else np.ones(len(keys), np.float32)
    return keys, many


def _put_run(connection: sqlite3.Connection, level: int, first: int, width: int, postings: Iterable[Posting]) -> None:
    cursor = connection.execute("INSERT INTO term_runs (level, first, width) VALUES (?, ?, ?)", (level, first, width))
    run = cursor.lastrowid
    connection.executemany("INSERT INTO postings VALUES (?, ?, ?, ?)", ((run, *posting) for posting in postings))


def _postings(connection: sqlite3.Connection, run: int) -> Iterator[Posting]:
    return connection.execute("SELECT term, keys, counts FROM postings WHERE run = ? ORDER BY term", (run,))


def _drop_runs(connection: sqlite3.Connection, runs: Iterable[int]) -> None:
    for run in runs:
        connection.execute("DELETE FROM postings WHERE run = ?", (run,))
        connection.execute("DELETE FROM term_runs WHERE run = ?", (run,))


def _merge(connection: sqlite3.Connection, runs: list[int], level: int) -> None:
    """Put one run in place of several (ascending by key), without postings of chunks that are gone."""
    shapes = {
        run: (first, width) for run, first, width in connection.execute("SELECT run, first, width FROM term_runs")
    }
    first = min(shapes[run][0] for run in runs)
    alive = _alive(connection, first)
    width = _width(len(alive))
    sources = (_tagged(connection, run, *shapes[run]) for run in runs)
    merged = heapq.merge(*sources)
    _put_run(connection, level, first, width, _merged(merged, first, width, alive))
    _drop_runs(connection, runs)


def _tagged(
    connection: sqlite3.Connection, run: int, first: int, width: int
) -> Iterator[tuple[str, int, int, bytes, bytes]]:
    for term, keys, counts in _postings(connection, run):
        yield term, first, width, keys, counts


def _merged(
    rows: Iterable[tuple[str, int, int, bytes, bytes]], first: int, width: int, alive: Mask
) -> Iterator[Posting]:
    for term, group in itertools.groupby(rows, key=operator.itemgetter(0)):
        parts = [_unpacked(*row[1:]) for row in group]
        keys = np.concatenate([part[0] for part in parts]) - first
        counts = np.concatenate([part[1] for part in parts])
        kept = alive[keys]
        if not kept.all():
            keys, counts = keys[kept], counts[kept]
        if len(keys):
            many = b"" if counts.max() == 1 else counts.astype(np.uint8).tobytes()
            yield term, keys.astype(_WIDTHS[width]).tobytes(), many


def _alive(connection: sqlite3.Connection, first: int) -> Mask:
    """Which keys from ``first`` on are those of chunks."""
    alive = np.zeros(int(connection.execute("SELECT next_key FROM state").fetchone()[0]) - first, np.bool_)
    rows = connection.execute("SELECT first - ?, length(kinds) FROM columns WHERE first >= ?", (first, first))
    for start, count in rows:
        alive[start : start + count] = True
    return alive
