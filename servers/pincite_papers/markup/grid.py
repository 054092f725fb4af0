"""Grid: where the cells of a table's rows stand when some of them span rows and columns."""

from dataclasses import dataclass, field

_MOST_STEPS = 400_000
"""Steps to lay out the grids of a paper. Set by judgement."""
_MOST_SPAN = 1000
"""Rows or columns that a cell spans, as browsers bound them."""


@dataclass(slots=True)
class Grid:
    """Places cells as HTML's table model does: each goes to the next column that no cell from above covers.

    A span of more than 1,000 is cut to it. After 400,000 steps (a hostile table) spans count as 1: ``exhausted``.
    """

    row: int = -1
    exhausted: bool = False
    _column: int = 0
    _free_from: list[int] = field(default_factory=list[int])
    _steps: int = 0

    def next_row(self) -> int:
        """Go to the next row and return its number."""
        self.row += 1
        self._column = 0
        return self.row

    def end_group(self) -> None:
        """End a group of rows (head, body, foot): no cell spans into the next one."""
        self._free_from = []

    def place(self, row_span: int = 1, column_span: int = 1, *, column: int | None = None) -> tuple[int, int, int, int]:
        """Row, column, row span and column span of the row's next cell; ``column`` puts it there (CALS tables).

        Give no ``row_span`` beyond the last row of the group: HTML cuts it there.
        """
        if self._steps > _MOST_STEPS:
            self.exhausted = True
            row_span = column_span = 1
        else:
            row_span, column_span = _within(row_span), _within(column_span)
            if column is not None:
                self._column = max(column, self._column)
            while self._column < len(self._free_from) and self._free_from[self._column] > self.row:
                self._column += 1
                self._steps += 1
        first = self._column
        self._column += column_span
        self._steps += column_span
        if not self.exhausted:
            self._free_from += [0] * (self._column - len(self._free_from))
            self._free_from[first : self._column] = [self.row + row_span] * column_span
        return self.row, first, row_span, column_span


def _within(span: int) -> int:
    return min(max(span, 1), _MOST_SPAN)
