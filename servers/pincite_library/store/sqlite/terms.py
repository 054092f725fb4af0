"""The index of terms: postings in blobs, read by numpy, ranked by BM25 over every match.

FTS5 was measured first (``tests/benchmarks/library_latency.py`` shows it beside): its ``bm25()`` takes each match
through a function call and a look-up of its length, 65 ms for a question and 190 ms for three common words at 200,000
chunks, and its index gives out no term frequencies otherwise. Arrays need a tenth of that, filters included.

As in FTS5 the index is a log-structured merge. The postings of a new paper are one block (``fresh``); those of 32
papers become a run of level 1, 16 of these a run of level 2, and postings of chunks that are gone fall away then.
Level 2 stays, so that a merge takes about a second at most.

BM25 is that of Robertson and Zaragoza, "The Probabilistic Relevance Framework" (2009), section 3.2, with k1 = 1.2,
b = 0.75 and Lucene's idf, ln(1 + (N - n + 0.5) / (n + 0.5)), which stays positive for terms of most chunks.
"""

import math
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from pincite_core.errors import DamagedError
from pincite_library.model import Scored
from pincite_library.store.sqlite.catalogue import K1, Catalogue, Mask
from pincite_library.store.sqlite.runs import (
    Block,
    Run,
    blocks_of,
    kept,
    merged,
    postings_in,
    run_from,
    run_of,
    whole_block,
    width_of,
)

FRESH, RUNS = 32, 16
"""So many papers become a run, and so many runs a larger one."""
_SPAN = 1 << 15
"""Vacuum makes runs of about so many keys: a merge of more takes hundreds of megabytes."""
_BLOCKS = """
SELECT first, width, first_term, terms, sizes, keys, counts FROM term_runs CROSS JOIN postings
ON postings.run = term_runs.run
AND first_term = (SELECT max(first_term) FROM postings p WHERE p.run = term_runs.run AND p.first_term <= ?)
"""
"""Of every run the block that has a term if any of its blocks has it."""

Keys = npt.NDArray[np.int64]
Postings = tuple[Keys, npt.NDArray[np.uint8]]
Weights = npt.NDArray[np.floating[Any]]


def put_terms(connection: sqlite3.Connection, first: int, terms: Sequence[str]) -> list[int]:
    """Add the terms of a paper's chunks, whose keys start at ``first``; how many terms each chunk has."""
    counted = [Counter(line.split()) for line in terms]
    run = run_of(first, counted)
    if run.terms:
        last, width = first + len(terms) - 1, width_of(len(terms))
        block = whole_block(run, first, width)
        connection.execute("INSERT INTO fresh VALUES (?, ?, ?, ?, ?, ?, ?)", (first, last, width, *block[1:]))
    return [one.total() for one in counted]


def remove_terms(connection: sqlite3.Connection, first: int) -> None:
    """Forget a paper's terms where they have not been merged; else they fall away with a later merge."""
    connection.execute("DELETE FROM fresh WHERE first = ?", (first,))


def merge_full_levels(connection: sqlite3.Connection) -> None:
    """Merge the fresh terms, and the runs of level 1, where there are enough; ``columns`` must be written."""
    if connection.execute("SELECT count(*) FROM fresh").fetchone()[0] >= FRESH:
        _merge_fresh(connection)
        runs = _runs(connection, 1)
        if len(runs) >= RUNS:
            _merge(connection, runs)


def merge_all(connection: sqlite3.Connection) -> None:
    """Merge all into few runs, without what is gone."""
    _merge_fresh(connection)
    some: list[_Row] = []
    for run in sorted((*_runs(connection, 1), *_runs(connection, 2)), key=lambda run: run.first):
        if some and run.last - some[0].first >= _SPAN:
            _merge(connection, some)
            some = []
        some.append(run)
    if some:
        _merge(connection, some)


def rank(
    connection: sqlite3.Connection, catalogue: Catalogue, terms: Sequence[str], k: int, allowed: Mask
) -> list[Scored]:
    """The ``k`` allowed chunks with the highest BM25 for any of the terms, the lower key first among equals."""
    found: list[Keys] = []
    weights: list[Weights] = []
    fresh = _fresh(connection)
    for term in dict.fromkeys(terms):
        if term.split() != [term]:
            continue
        for keys, weight in _weighed(catalogue, [*_in_runs(connection, term), *_in_blocks(fresh, term)]):
            found.append(keys)
            weights.append(weight)
    if not found:
        return []
    scores = np.bincount(np.concatenate(found), np.concatenate(weights), len(catalogue.paper_of))
    return _best(np.asarray(scores * allowed, np.float64), k)


def lengths_by_postings(connection: sqlite3.Connection, size: int) -> tuple[Keys, Mask, list[str]]:
    """By key (below ``size``): the sum of its counts, whether one of them was cut off, and what cannot be read."""
    sums, cut, wrong = np.zeros(size, np.int64), np.zeros(size, np.bool_), list[str]()
    for row in (*_fresh(connection), *_runs(connection, 1), *_runs(connection, 2)):
        try:
            run = _read(connection, row)
        except DamagedError as error:
            wrong.append(error.short())
            continue
        same = np.repeat(np.arange(len(run.terms)), run.sizes)
        if (np.diff(run.keys)[same[1:] == same[:-1]] <= 0).any() or (run.keys >= size).any():
            wrong.append(
                f"The index of terms is damaged: a run from key {row.first} on has keys that are out of order."
            )
            continue
        sums += np.bincount(run.keys, run.counts, size).astype(np.int64)
        cut[run.keys[run.counts == 255]] = True
    return sums, cut, wrong


@dataclass(frozen=True, slots=True)
class _Row:
    """A run of the table ``term_runs``, or a paper's of ``fresh`` with its block: keys from ``first`` to ``last``."""

    run: int
    first: int
    last: int
    width: int
    block: Block | None = None


def _runs(connection: sqlite3.Connection, level: int) -> list[_Row]:
    rows = connection.execute("SELECT run, first, last, width FROM term_runs WHERE level = ? ORDER BY first", (level,))
    return [_Row(*row) for row in rows]


def _fresh(connection: sqlite3.Connection) -> list[_Row]:
    rows = connection.execute("SELECT first, last, width, '', terms, sizes, keys, counts FROM fresh ORDER BY first")
    return [_Row(0, first, last, width, tuple(block)) for first, last, width, *block in rows]


def _in_runs(connection: sqlite3.Connection, term: str) -> Iterator[Postings]:
    for first, width, *block in connection.execute(_BLOCKS, (term,)):
        found = postings_in(tuple(block), term, first, width)
        if found:
            yield found


def _in_blocks(rows: Iterable[_Row], term: str) -> Iterator[Postings]:
    for row in rows:
        found = postings_in(row.block, term, row.first, row.width) if row.block else None
        if found:
            yield found


def _weighed(catalogue: Catalogue, parts: list[Postings]) -> Iterator[tuple[Keys, Weights]]:
    """The keys of a term and what it adds to the score of each."""
    having = sum(len(keys) for keys, _ in parts)
    if catalogue.chunks < len(catalogue.alive) - 1:
        # Postings of chunks that are gone count in no statistics; scores of theirs are dropped at the end.
        having = sum(int(np.count_nonzero(catalogue.alive[keys])) for keys, _ in parts)
    idf = math.log1p((catalogue.chunks - having + 0.5) / (having + 0.5))
    for keys, counts in parts:
        many = counts.astype(np.float32)
        yield keys, many / (many + catalogue.norms[keys]) * np.float32(idf * (K1 + 1))


def _merge_fresh(connection: sqlite3.Connection) -> None:
    """Put one run of level 1 in place of the fresh papers: they are in order, and none of them is gone."""
    rows = _fresh(connection)
    if rows:
        run = merged([_read(connection, row) for row in rows])
        _put(connection, 1, run, rows[0].first, rows[-1].last)
        connection.execute("DELETE FROM fresh")


def _merge(connection: sqlite3.Connection, runs: Sequence[_Row]) -> None:
    """Put one run of level 2 in place of several (in order), without postings of chunks that are gone."""
    first, last = runs[0].first, runs[-1].last
    alive = np.zeros(last + 1, np.bool_)
    rows = connection.execute("SELECT first, length(kinds) FROM columns WHERE first BETWEEN ? AND ?", (first, last))
    for start, count in rows:
        alive[start : start + count] = True
    # One after the other: a run without what is gone is smaller.
    run = merged([kept(_read(connection, row), alive) for row in runs])
    for row in runs:
        connection.execute("DELETE FROM postings WHERE run = ?", (row.run,))
        connection.execute("DELETE FROM term_runs WHERE run = ?", (row.run,))
    if run.terms:
        _put(connection, 2, run, int(run.keys.min()), int(run.keys.max()))


def _put(connection: sqlite3.Connection, level: int, run: Run, first: int, last: int) -> None:
    width = width_of(last - first + 1)
    number = connection.execute(
        "INSERT INTO term_runs (level, first, last, width) VALUES (?, ?, ?, ?)", (level, first, last, width)
    ).lastrowid
    rows = ((number, *block) for block in blocks_of(run, first, width))
    connection.executemany("INSERT INTO postings VALUES (?, ?, ?, ?, ?, ?)", rows)


def _read(connection: sqlite3.Connection, row: _Row) -> Run:
    if row.block is not None:
        return run_from([row.block], row.first, row.width)
    blocks = connection.execute(
        "SELECT first_term, terms, sizes, keys, counts FROM postings WHERE run = ? ORDER BY first_term", (row.run,)
    )
    return run_from(blocks, row.first, row.width)


def _best(scores: npt.NDArray[np.float64], k: int) -> list[Scored]:
    """The ``k`` highest positive scores by key, the lower key first among equals."""
    matched = np.flatnonzero(scores > 0)
    if len(matched) > k:
        found = scores[matched]
        matched = matched[found >= np.partition(found, len(found) - k)[len(found) - k]]
    order = np.argsort(-scores[matched], kind="stable")[:k]
    return [Scored(int(key), float(scores[key])) for key in matched[order]]
