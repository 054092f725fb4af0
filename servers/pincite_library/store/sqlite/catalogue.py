"""Catalogue: what searches need to know of every chunk, as arrays in memory of one state of the library.

A catalogue never changes: one of a later state is made from it by reading the papers that have changed since.
"""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

import numpy as np
import numpy.typing as npt

from pincite_core.errors import DamagedError
from pincite_library.model import ChunkKind, Filters, VectorSpace

KINDS = (ChunkKind.TEXT, ChunkKind.TABLE, ChunkKind.FIGURE, ChunkKind.REFERENCE)
"""Kinds by their number in ``columns.kinds``."""
_NO_YEAR = np.iinfo(np.int32).min
K1, _B = 1.2, 0.75
"""BM25's usual parameters (Robertson and Zaragoza 2009): saturation of counts, and weight of lengths."""
_MASKS = 16
"""Filters whose chunks are remembered, the latest ones."""
_COLUMNS = """
SELECT paper, first, kinds, sections, lengths, rows, segments, bytes, paper_id, year, journal
FROM columns JOIN papers USING (paper)
"""
_COLUMNS_OF = _COLUMNS + "WHERE paper IN (SELECT value FROM json_each(?))"  # noqa: S608 - words of ours
_CHANGES_KEPT = 100_000
"""So many changes are remembered; a reader that is further behind reads all again."""

Mask = npt.NDArray[np.bool_]
Ints = npt.NDArray[np.int32]
_Kind = TypeVar("_Kind", bound=np.generic)


@dataclass
class Catalogue:
    """Arrays by key (``paper_of`` is 0 where there is no chunk), lists by a paper's number, the state of vectors."""

    change: int = 0
    generation: int = 1
    vector_rows: int = 0
    space: VectorSpace | None = None
    paper_of: Ints = field(default_factory=lambda: np.zeros(1, np.int32))
    kind_of: npt.NDArray[np.uint8] = field(default_factory=lambda: np.zeros(1, np.uint8))
    section_of: Ints = field(default_factory=lambda: np.zeros(1, np.int32))
    length_of: Ints = field(default_factory=lambda: np.zeros(1, np.int32))
    row_of: Ints = field(default_factory=lambda: np.full(1, -1, np.int32))
    first_of: dict[int, int] = field(default_factory=dict[int, int])
    count_of: dict[int, int] = field(default_factory=dict[int, int])
    paper_id_of: dict[int, str] = field(default_factory=dict[int, str])
    year_of: dict[int, int | None] = field(default_factory=dict[int, int | None])
    journal_of: dict[int, str] = field(default_factory=dict[int, str])
    segments_of: dict[int, int] = field(default_factory=dict[int, int])
    """How many segments exact search has of each paper, 0 where it has no index of it."""
    bytes_of: dict[int, int] = field(default_factory=dict[int, int])
    """Length of the text in UTF-8."""
    headings: list[str] = field(default_factory=list[str])
    """By number; the first is not a section's."""
    _masks: dict[Filters, Mask] = field(default_factory=dict[Filters, Mask], repr=False)

    def paper_at(self, key: int) -> int:
        """The number of the paper of a chunk, 0 where there is none."""
        return int(self.paper_of[key]) if 0 < key < len(self.paper_of) else 0

    def kind_and_section(self, key: int) -> tuple[int, str]:
        """The number of a chunk's kind and its heading."""
        return int(self.kind_of[key]), self.headings[int(self.section_of[key])]

    @cached_property
    def alive(self) -> Mask:
        """Which keys are those of chunks."""
        return self.paper_of > 0

    @cached_property
    def chunks(self) -> int:
        """How many chunks there are."""
        return int(np.count_nonzero(self.paper_of))

    @cached_property
    def vectors(self) -> int:
        """How many chunks have a vector."""
        return int(np.count_nonzero(self.row_of >= 0))

    @cached_property
    def unembedded(self) -> Mask:
        """Which keys are those of chunks, references left out, that have no vector."""
        return self.alive & (self.row_of < 0) & (self.kind_of != KINDS.index(ChunkKind.REFERENCE))

    @cached_property
    def norms(self) -> npt.NDArray[np.float32]:
        """By key: the part of BM25's denominator that depends on the chunk's length (k1 1.2, b 0.75)."""
        mean = self.length_of.sum(dtype=np.int64) / max(self.chunks, 1)
        return (K1 * (1 - _B + _B * self.length_of / max(mean, 1e-9))).astype(np.float32)

    @cached_property
    def key_of_row(self) -> npt.NDArray[np.int64]:
        """The key of each row of the files of vectors, 0 for rows of chunks that are gone."""
        keys = np.zeros(self.vector_rows, np.int64)
        having = np.flatnonzero((self.row_of >= 0) & (self.row_of < self.vector_rows))
        keys[self.row_of[having]] = having
        return keys

    def passing(self, filters: Filters) -> Mask:
        """Which keys pass the filters."""
        mask = self._masks.get(filters)
        if mask is None:
            mask = self._passing(filters)
            # Several threads may do this at once: the dictionary is replaced, never changed.
            self._masks = dict(list(self._masks.items())[1 - _MASKS :]) | {filters: mask}
        return mask

    def _passing(self, filters: Filters) -> Mask:
        size = max(self.paper_id_of, default=0) + 1
        papers = np.zeros(size, np.bool_)
        papers[np.fromiter(self._papers_passing(filters), np.int64)] = True
        mask = papers[self.paper_of]
        if len(filters.kinds) < len(KINDS):
            mask &= np.array([kind in filters.kinds for kind in KINDS])[self.kind_of]
        if filters.section:
            part = filters.section.casefold()
            mask &= np.array([part in heading.casefold() for heading in self.headings])[self.section_of]
        return mask

    def _papers_passing(self, filters: Filters) -> Iterable[int]:
        first, last = filters.years
        numbers: Iterable[int] = self.paper_id_of
        if filters.papers:
            numbers = [n for n in numbers if self.paper_id_of[n] in filters.papers]
        if first is not None or last is not None:
            numbers = [n for n in numbers if _within(self.year_of[n], first, last)]
        if filters.journal:
            part = filters.journal.casefold()
            folded = {journal: part in journal.casefold() for journal in set(self.journal_of.values())}
            numbers = [n for n in numbers if folded[self.journal_of[n]]]
        return numbers


def _within(year: int | None, first: int | None, last: int | None) -> bool:
    return year is not None and (first is None or year >= first) and (last is None or year <= last)


def last_change(connection: sqlite3.Connection) -> int:
    """The number of the last change of the library; 0 before the first."""
    return int(connection.execute("SELECT coalesce(max(change), 0) FROM changes").fetchone()[0])


def note_changes(connection: sqlite3.Connection, papers: Iterable[int]) -> int:
    """Tell readers that these papers (0: something of none) have changed; the number of the last change."""
    connection.executemany("INSERT INTO changes (paper) VALUES (?)", ((paper,) for paper in papers))
    last = last_change(connection)
    connection.execute("DELETE FROM changes WHERE change <= ?", (last - _CHANGES_KEPT,))
    return last


def forget_changes(connection: sqlite3.Connection) -> None:
    """Make readers read all again: everything has changed."""
    # A gap in the numbers: no reader can have seen the change before this one.
    connection.execute("INSERT INTO changes VALUES (?, 0)", (last_change(connection) + 2,))
    connection.execute("DELETE FROM changes WHERE change < ?", (last_change(connection),))


def brought_up(connection: sqlite3.Connection, old: Catalogue) -> Catalogue:
    """The catalogue of the state that the connection's transaction sees; ``old`` itself where nothing changed."""
    last = last_change(connection)
    if last == old.change:
        return old
    known = connection.execute("SELECT coalesce(min(change), 0) FROM changes").fetchone()[0] <= old.change + 1
    if not known or last < old.change:
        old = Catalogue()
    state = connection.execute(
        "SELECT next_key, generation, rows, model, dimension, text_version FROM state"
    ).fetchone()
    size = max(int(state[0]), len(old.paper_of))
    new = Catalogue(
        change=last,
        generation=state[1],
        vector_rows=state[2],
        space=None if state[3] is None else VectorSpace(state[3], state[4], state[5]),
        paper_of=_grown(old.paper_of, size),
        kind_of=_grown(old.kind_of, size),
        section_of=_grown(old.section_of, size),
        length_of=_grown(old.length_of, size),
        row_of=_grown(old.row_of, size, -1),
        first_of=dict(old.first_of),
        count_of=dict(old.count_of),
        paper_id_of=dict(old.paper_id_of),
        year_of=dict(old.year_of),
        journal_of=dict(old.journal_of),
        segments_of=dict(old.segments_of),
        bytes_of=dict(old.bytes_of),
        headings=_headings(connection, old.headings),
    )
    if old.change == 0:
        _read(connection, new, None)
    else:
        rows = connection.execute("SELECT DISTINCT paper FROM changes WHERE change > ?", (old.change,))
        changed = [int(row[0]) for row in rows]
        _forget(new, changed)
        _read(connection, new, changed)
    return new


def _grown(array: npt.NDArray[_Kind], size: int, fill: int = 0) -> npt.NDArray[_Kind]:
    grown = np.full(size, fill, array.dtype)
    grown[: len(array)] = array
    return grown


def _headings(connection: sqlite3.Connection, known: list[str]) -> list[str]:
    headings = known or [""]
    rows = connection.execute("SELECT heading FROM sections WHERE section >= ? ORDER BY section", (len(headings),))
    return headings + [str(row[0]) for row in rows]


def _forget(catalogue: Catalogue, papers: Iterable[int]) -> None:
    for paper in papers:
        first = catalogue.first_of.pop(paper, 0)
        kept = slice(first, first + catalogue.count_of.pop(paper, 0))
        catalogue.paper_of[kept] = 0
        catalogue.length_of[kept] = 0
        catalogue.row_of[kept] = -1
        for by_number in (
            catalogue.paper_id_of,
            catalogue.year_of,
            catalogue.journal_of,
            catalogue.segments_of,
            catalogue.bytes_of,
        ):
            by_number.pop(paper, None)


def _read(connection: sqlite3.Connection, catalogue: Catalogue, papers: list[int] | None) -> None:
    """Read these papers into the arrays, all of them for None."""
    if papers is None:
        rows = connection.execute(_COLUMNS)
    else:
        rows = connection.execute(_COLUMNS_OF, ("[" + ",".join(map(str, papers)) + "]",))
    for paper, first, kinds, sections, lengths, vector_rows, segments, size, paper_id, year, journal in rows:
        count = len(kinds)
        if (first + count > len(catalogue.paper_of)) or {len(sections), len(lengths), len(vector_rows)} != {4 * count}:
            raise DamagedError(
                "The library's file is damaged.",
                seen=f"columns of {paper_id} do not fit each other",
                next="Ingest this paper again.",
            )
        place = slice(first, first + count)
        catalogue.paper_of[place] = paper
        catalogue.kind_of[place] = np.frombuffer(kinds, np.uint8)
        catalogue.section_of[place] = np.frombuffer(sections, "<u4")
        catalogue.length_of[place] = np.frombuffer(lengths, "<u4")
        catalogue.row_of[place] = np.frombuffer(vector_rows, "<i4")
        catalogue.segments_of[paper], catalogue.bytes_of[paper] = segments, size
        catalogue.first_of[paper], catalogue.count_of[paper] = first, count
        catalogue.paper_id_of[paper], catalogue.year_of[paper], catalogue.journal_of[paper] = paper_id, year, journal
