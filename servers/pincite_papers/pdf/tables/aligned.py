"""Aligned rows: whether text under the known rows of a table belongs to it, by the edges of its columns."""

from collections.abc import Sequence
from statistics import median

from pincite_papers.pdf.tables.columns import Columns, find_columns
from pincite_papers.pdf.tables.textrows import Run, TextRow

_SAME_EDGE = 2.5
"""Points that the left edge, the middle or the right edge of a cell may be off that of its column."""
_SAME_SIZE = 0.06
"""The share by which the print of one table may differ in size; notes under it are smaller by more."""
_ALIGNED = 0.6
"""The share of a row's cells that stand on the edges of their columns: stray words of text meet them by chance."""
_ROOM = 3.2
"""Type sizes of white between two rows of one table at most."""
_LONE = 2
"""So many rows of a single cell may stand between rows that are aligned."""


class Alignment:
    """The columns of a table's known rows, with the usual edges of their cells."""

    def __init__(self, rows: Sequence[TextRow]) -> None:
        self.columns: Columns = find_columns(rows)
        self._size = median([row.size for row in rows]) if rows else 0.0
        places: dict[int, list[Run]] = {}
        for row in rows:
            for run, first, last in self.columns.place(row):
                if first == last:
                    places.setdefault(first, []).append(run)
        self._edges: dict[int, tuple[float, float, float]] = {}
        for column, runs in places.items():
            left, right = median([run.x0 for run in runs]), median([run.x1 for run in runs])
            middle = median([run.x0 + run.x1 for run in runs]) / 2
            self._edges[column] = left, middle, right

    def fits(self, row: TextRow) -> bool:
        """Whether a row has at least two cells, each in a column of its own, most of them on its edges."""
        if len(row.runs) < 2 or self.columns.count < 2 or not self._alike(row):
            return False
        placed = self.columns.place(row)
        if any(last > first for _, first, last in placed) or len({first for _, first, _ in placed}) < len(placed):
            return False
        return sum(self._on_edge(run, column) for run, column, _ in placed) >= _ALIGNED * len(placed)

    def may_stand_alone(self, row: TextRow) -> bool:
        """Whether a row of one cell could be a heading between rows, or the next line of a cell."""
        return len(row.runs) == 1 and self._alike(row)

    def _is_line(self, row: TextRow) -> bool:
        """Whether a row of one cell stands on the edges of a later column, as the next line of a cell does."""
        if not self.may_stand_alone(row) or self.columns.count < 2:
            return False
        [(run, first, last)] = self.columns.place(row)
        return 0 < first == last and self._on_edge(run, first)

    def _alike(self, row: TextRow) -> bool:
        return abs(row.size - self._size) <= _SAME_SIZE * self._size

    def _on_edge(self, run: Run, column: int) -> bool:
        left, middle, right = self._edges.get(column, (0.0, 0.0, 0.0))
        off = min(abs(run.x0 - left), abs((run.x0 + run.x1) / 2 - middle), abs(run.x1 - right))
        return off <= _SAME_EDGE

    def carry_on(self, rows: Sequence[TextRow], edge: float, *, upward: bool = False) -> int:
        """How many of ``rows``, counted from ``edge`` (a height) away from the table, belong to it."""
        kept = 0
        alone = 0
        for number, row in enumerate(rows):
            room = edge - row.y1 if upward else row.y0 - edge
            if room > _ROOM * row.size:
                break
            if self.fits(row) or (kept and self._is_line(row)):
                kept, alone = number + 1, 0
            elif self.may_stand_alone(row) and alone < _LONE:
                alone += 1
            else:
                break
            edge = row.y0 if upward else row.y1
        return kept
