"""Columns: the upright gaps that the rows of a table share."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import inf
from statistics import median

from pincite_papers.pdf.tables.cells import is_list_mark
from pincite_papers.pdf.tables.textrows import RUN_GAP, Run, TextRow, run_of

_STRAY = 0.12
"""The share of the rows of several cells: so many runs, rounded down, may lie across a gap between columns; a stretch
that more cover is text. Set by judgement."""
_NARROWEST = 3.5
"""Points: a narrower gap does not part columns. It counts for print so small that ``RUN_GAP`` is less. Set by
judgement."""
_SLACK = 2.0
"""Points past a gap that a cell may reach without spanning the next column, and a head may stand out of a gap that it
names; also from the last column's left edge to where its middle is reckoned to. Set by judgement."""
_FLUSH = 1.5
"""Points between a word's start and the left edge of its column: a nearer word may begin a cell after a narrow space,
see ``_NARROW_SPACE`` and ``_NO_SPACE``; one further off needs a wide one. Set by judgement."""
_NARROW_SPACE = 0.2
"""Type sizes of white before a word at the left edge of its column: more begins a cell, less is a space. Set by
judgement."""
_NO_SPACE = 1.3
"""How many times the table's usual space (``Columns.space``) that white must be besides. Added with the hard tables of
``tests/benchmarks/float_styles``; set by judgement."""
_FEWEST_ROOMS = 4
"""Count of rooms between words from which on the usual space is taken; with fewer it counts as unknown. Set by
judgement."""
_WIDE_SPACE = 0.42
"""Type sizes of white at a cut: more parts two cells wherever the second starts. Set by judgement."""
_WIDER = 1.4
"""How many times the median room of its run that white must be to part two cells. Added for heads set close
(``test_narrow_headers_keep_to_their_columns``); set by judgement."""
_NEAR = 0.4
"""Type sizes by which the words on either side of a space may reach past a gap's far edge for the space to part cells
there. Raised from one point. Set by judgement."""
_FEWEST_PARTED = 2
"""Count of rows of several cells from which on they alone show the columns; with fewer every row does. Set by
judgement."""
_MARK_ROOM = 1.6
"""Type sizes of white between such a mark and its item at most. Set by judgement."""
_NARROWEST_EMPTY = 20.0
"""Points between the drawn edges of a column without an entry at least; nearer edges are those of a room between two
columns. Set by judgement."""
_INDENT = 2.0
"""Type sizes that a heading between rows, or the name of a row, may be indented."""


@dataclass(frozen=True, slots=True)
class Columns:
    """n columns: n - 1 inner ``cuts``, for each the ``gaps`` (left, right) that no cell enters, n left edges.

    ``space`` is the usual room between words of a cell in points, 0 where it is not known.
    """

    cuts: tuple[float, ...]
    gaps: tuple[tuple[float, float], ...]
    lefts: tuple[float, ...] = ()
    space: float = 0.0

    @property
    def count(self) -> int:
        """How many columns there are."""
        return len(self.cuts) + 1

    def place(self, row: TextRow) -> list[tuple[Run, int, int]]:
        """Each run of a row with its first and last column.

        A run stands in the column that it shares most width with, and in each one next to it that it runs into, over
        the whole gap between, when no other run of the row stands there.
        """
        homes = [self._home(run) for run in row.runs]
        placed: list[tuple[Run, int, int]] = []
        for number, (run, home) in enumerate(zip(row.runs, homes, strict=True)):
            lowest = homes[number - 1] + 1 if number else 0
            highest = homes[number + 1] - 1 if number + 1 < len(homes) else self.count - 1
            first = last = home
            while first > lowest and run.x0 < self.gaps[first - 1][0] - _SLACK:
                first -= 1
            while last < highest and run.x1 > self.gaps[last][1] + _SLACK:
                last += 1
            placed.append((run, first, last))
        return placed

    def _home(self, run: Run) -> int:
        first, last = bisect_right(self.cuts, run.x0), bisect_left(self.cuts, run.x1)
        if first >= last:
            return first
        edges = (run.x0, *self.cuts[first:last], run.x1)
        shares = [b - a for a, b in pairwise(edges)]
        return first + shares.index(max(shares))

    def middles(self) -> list[float]:
        """The middle of each column; of the last, a little to the right of its left edge."""
        edges = (self.lefts[0], *self.cuts, self.lefts[-1] + _SLACK)
        return [(a + b) / 2 for a, b in pairwise(edges)]

    def between(self, left: float, right: float) -> tuple[int, int]:
        """The first and last column that a stretch covers, such as a rule drawn under a header."""
        covered = [number for number, middle in enumerate(self.middles()) if left <= middle <= right]
        home = self._home(Run([], left, right))
        return (covered[0], covered[-1]) if covered else (home, home)

    def split(self, row: TextRow) -> TextRow:
        """The row with its runs parted where two cells stand so near that their words seem to be one run.

        What stands alone in a row and ends before the third column is the name, or the heading, of rows.
        """
        if len(row.runs) == 1 and len(self.gaps) > 1 and row.runs[0].x1 < self.gaps[1][1]:
            return row
        runs: list[Run] = []
        homes = [self._home(run) for run in row.runs]
        for number, run in enumerate(row.runs):
            parts = self._parts(run, row.size) if len(run.words) > 1 else []
            cells = [run_of(run.words[start:end]) for start, end in pairwise([0, *parts, len(run.words)])]
            own = [self._home(cell) for cell in cells]
            others = homes[:number] + homes[number + 1 :]
            free = len(set(own)) == len(own) and not set(own) & set(others)
            runs += cells if free else [run]
        return TextRow(row.baseline, row.y0, row.y1, row.size, runs)

    def _parts(self, run: Run, size: float) -> list[int]:
        """The words of a run that begin a new cell: at each cut the one after the widest space near it, if it is wide
        or the word starts where the column does."""
        found: set[int] = set()
        rooms = [word.x0 - before.x1 for before, word in pairwise(run.words)]
        for number, (cut, (left, right)) in enumerate(zip(self.cuts, self.gaps, strict=True)):
            if cut <= run.x0 or cut >= run.x1:
                continue
            near = [
                k
                for k in range(1, len(run.words))
                if run.words[k - 1].x1 <= max(right, cut) + _NEAR * size
                and run.words[k].x0 >= min(left, cut) - _NEAR * size
            ]
            if not near:
                continue
            widest = max(near, key=lambda k: rooms[k - 1])
            room = rooms[widest - 1]
            least = max(_NARROW_SPACE * size, _NO_SPACE * self.space)
            flush = abs(run.words[widest].x0 - self.lefts[number + 1]) < _FLUSH and room > least
            if flush or room > _WIDE_SPACE * size or room > _WIDER * median(rooms) > 0:
                found.add(widest)
        return sorted(found)


def find_columns(rows: Sequence[TextRow], forced: Sequence[float] = ()) -> Columns:
    """The columns of ``rows``: at each gap of at least RUN_GAP sizes that all but a few rows leave free.

    ``forced`` are the places of drawn rules between columns.
    """
    runs = [run for row in rows for run in row.runs]
    if not runs:
        return Columns((), ())
    size = sorted(row.size for row in rows)[len(rows) // 2]
    least = max(RUN_GAP * size, _NARROWEST)
    telling = _telling(rows)
    stray = int(_STRAY * sum(len(row.runs) > 1 for row in telling))
    free = _free([run for row in telling for run in row.runs], stray)
    gaps = [gap for gap in free if gap[1] - gap[0] >= least]
    gaps = [gap for gap in gaps if _parts(gap, telling)]
    gaps = gaps[:1] + [gap for before, gap in pairwise(gaps) if not _is_behind_marks(before, gap, rows)]
    gaps = [part for gap in gaps for part in _parted(gap, forced)]
    cuts = [(gap[0] + gap[1]) / 2 for gap in gaps]
    for x in forced:
        if not any(left - 1 <= x <= right + 1 for left, right in gaps):
            gaps.append((x, x))
            cuts.append(x)
    order = sorted(range(len(cuts)), key=lambda k: cuts[k])
    ordered = tuple(cuts[k] for k in order)
    return Columns(ordered, tuple(gaps[k] for k in order), _lefts(runs, ordered), _space(runs))


def _parted(gap: tuple[float, float], forced: Sequence[float]) -> list[tuple[float, float]]:
    """A gap as one for each drawn edge in it: between two of them lies a column without an entry."""
    inside = [x for x in sorted(forced) if gap[0] - 1 <= x <= gap[1] + 1]
    apart = [x for k, x in enumerate(inside) if not k or x - inside[k - 1] > _NARROWEST_EMPTY]
    return [(max(gap[0], x - 1), min(gap[1], x + 1)) for x in apart] if len(apart) > 1 else [gap]


def _telling(rows: Sequence[TextRow]) -> Sequence[TextRow]:
    """The rows that show where columns are: not a single run at the left edge or in the middle, which may head rows."""
    if sum(len(row.runs) > 1 for row in rows) < _FEWEST_PARTED:
        return rows
    left, right = min(row.runs[0].x0 for row in rows), max(row.runs[-1].x1 for row in rows)
    return [row for row in rows if len(row.runs) > 1 or not _may_head(row.runs[0], left, right, row.size)]


def _may_head(run: Run, left: float, right: float, size: float) -> bool:
    """Whether a lone run starts at the left edge or stands in the middle between both."""
    return run.x0 < left + _INDENT * size or abs(run.x0 + run.x1 - left - right) < 2 * size


def with_empty(columns: Columns, header: Sequence[TextRow]) -> Columns:
    """The columns and those that have a head and no entry: a head that stands wholly between the entries of two columns
    which have heads of their own."""
    heads = _heads(header)
    cuts: list[float] = []
    gaps: list[tuple[float, float]] = []
    lefts = [columns.lefts[0]]
    edges = [-inf, *columns.cuts, inf]
    for k, (left, right) in enumerate(columns.gaps):
        inside = [head for head in heads if head[0] > left - _SLACK and head[1] < right + _SLACK]
        others = [head for head in heads if head not in inside]
        before, behind = pairwise(edges[k : k + 3])
        if inside and _is_headed(before, others) and _is_headed(behind, others):
            places = [(left, left), *inside, (right, right)]
            between = [(a[1], b[0]) for a, b in pairwise(places)]
            gaps += between
            cuts += [(a + b) / 2 for a, b in between]
            lefts += [head[0] for head in inside]
        else:
            gaps.append((left, right))
            cuts.append(columns.cuts[k])
        lefts.append(columns.lefts[k + 1])
    return Columns(tuple(cuts), tuple(gaps), tuple(lefts), columns.space)


def _is_headed(column: tuple[float, float], heads: Sequence[tuple[float, float]]) -> bool:
    """Whether a head stands over a part of a column."""
    return any(column[0] < head[1] and head[0] < column[1] for head in heads)


def _heads(header: Sequence[TextRow]) -> list[tuple[float, float]]:
    """The stretches that the lowest heads cover, from left to right; a head above several of them is left out."""
    heads: list[tuple[float, float]] = []
    for row in reversed(header):
        for run in row.runs:
            under = [head for head in heads if head[0] < run.x1 and run.x0 < head[1]]
            if len(under) < 2:
                whole = [run.x0, run.x1, *(x for head in under for x in head)]
                heads = [head for head in heads if head not in under] + [(min(whole), max(whole))]
    return sorted(heads)


def _is_behind_marks(before: tuple[float, float], gap: tuple[float, float], rows: Sequence[TextRow]) -> bool:
    """Whether nothing but the numbers, or bullets, of a list stands between two gaps: its items are in one column."""
    marks = [run for row in rows for run in row.runs if run.x0 >= before[1] - 1 and run.x1 <= gap[0] + 1]
    near = all(gap[1] - gap[0] <= _MARK_ROOM * row.size for row in rows)
    return near and len(marks) > 1 and all(is_list_mark(run.text) for run in marks)


def _space(runs: list[Run]) -> float:
    """The usual room between words: that of the narrowest quarter."""
    rooms = sorted(word.x0 - before.x1 for run in runs for before, word in pairwise(run.words))
    return rooms[len(rooms) // 4] if len(rooms) >= _FEWEST_ROOMS else 0.0


def _lefts(runs: list[Run], cuts: tuple[float, ...]) -> tuple[float, ...]:
    """The left edge of the text in each column."""
    edges = [-inf, *cuts, inf]
    starts = [[word.x0 for run in runs for word in run.words if a <= word.x0 < b] for a, b in pairwise(edges)]
    return tuple(min(column, default=inf) for column in starts)


def _free(runs: list[Run], stray: int) -> list[tuple[float, float]]:
    """The stretches between the outer edges that at most ``stray`` runs cover, each cut down to where fewest do."""
    edges = sorted([(run.x0, 1) for run in runs] + [(run.x1, -1) for run in runs])
    stretches: list[tuple[float, float]] = []
    open_at: list[tuple[float, float, int]] = []
    covered = 0
    for (x, step), (following, _) in zip(edges, [*edges[1:], edges[-1]], strict=True):
        covered += step
        if covered <= stray:
            open_at.append((x, following, covered))
        elif following > x:
            stretches += _least(open_at)
            open_at = []
    return [(left, right) for left, right in stretches + _least(open_at) if left > edges[0][0] and right < edges[-1][0]]


def _least(pieces: list[tuple[float, float, int]]) -> list[tuple[float, float]]:
    """The parts of adjoining stretches that nothing covers; where something covers all, the widest of lowest cover."""
    solid = [piece for piece in pieces if piece[1] > piece[0]]
    if not solid:
        return []
    lowest = min(piece[2] for piece in solid)
    joined: list[tuple[float, float]] = []
    for left, right, cover in solid:
        if cover != lowest:
            continue
        if joined and left <= joined[-1][1]:
            joined[-1] = (joined[-1][0], right)
        else:
            joined.append((left, right))
    return joined if lowest == 0 else [max(joined, key=lambda part: part[1] - part[0])]


def _parts(gap: tuple[float, float], rows: Sequence[TextRow]) -> bool:
    """Whether text stands on both sides of a gap in at least one row, and to its right in more than a stray one."""
    both = sum(
        any(run.x1 <= gap[0] + 1 for run in row.runs) and any(run.x0 >= gap[1] - 1 for run in row.runs) for row in rows
    )
    return both >= max(1, round(0.1 * len(rows)))
