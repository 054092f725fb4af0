"""Grid: a table as lines of cells, its head as one line, fit to be cut into groups of rows and columns."""

from bisect import bisect_left
from collections.abc import Iterable, Sequence

from pincite_papers.model import Cell, Table

BETWEEN = " | "
_OVER = " / "
_LEAST_ROWS = 3
"""Rows from which a first row of words is a head. Set by judgement."""
_MOST_HEAD = 4
"""Rows of a head. Set by judgement."""


class Grid:
    """The cells of a table by place.

    ``head`` is the number of head rows: those whose cells are marked as headers, else the first row where it has
    words and the table is long enough to need one; and rows of words that part what a head cell over several columns
    stands for.
    """

    def __init__(self, table: Table) -> None:
        self.rows, self.columns = table.rows, table.columns
        self.cells: list[list[Cell]] = [[] for _ in range(table.rows)]
        for cell in table.cells:
            self.cells[cell.row].append(cell)
        for row in self.cells:
            row.sort(key=lambda cell: cell.column)
        self._texts = {id(cell): " ".join(cell.text.split()) for cell in table.cells}
        self.head = self._head()
        self.names = self._names()
        self.titles = self._titles()
        self._tall = [cell for row in self.cells[self.head :] for cell in row if cell.row_span > 1]

    def text(self, cell: Cell) -> str:
        """The text of a cell in one line."""
        return self._texts[id(cell)]

    def body(self) -> range:
        """The rows under the head."""
        return range(self.head, self.rows)

    def head_line(self, columns: Sequence[int]) -> str:
        """The names of these columns."""
        names = [self.names[column] for column in columns]
        return (BETWEEN.join(names) if len(set(names)) > 1 else "".join(names[:1])).strip(" |")

    def line(self, row: int, columns: Sequence[int], *, first: bool) -> str:
        """A row; where it is the ``first`` of its group, cells that reach down into it from above are repeated."""
        here = {cell.column: self.text(cell) for cell in self.cells[row]}
        if first:
            for above in self._reaching(row):
                here.setdefault(above.column, self.text(above))
        return BETWEEN.join(here.get(column, "") for column in columns).rstrip(" |")

    def title_above(self, row: int) -> int | None:
        """The row over ``row`` that is a title of the rows under it ("Controls"); None where there is none."""
        at = bisect_left(self.titles, row)
        return self.titles[at - 1] if at and not self.is_title(row) else None

    def is_title(self, row: int) -> bool:
        """Whether a row is the title of the rows under it."""
        return row in self.titles[(at := bisect_left(self.titles, row)) : at + 1]

    def _reaching(self, row: int) -> list[Cell]:
        return [
            c for above in self.cells[self.head : row] for c in above if c.row_span > 1 and c.row + c.row_span > row
        ]

    def _head(self) -> int:
        count = 0
        for number, row in enumerate(self.cells):
            if number >= count and not (row and all(cell.header for cell in row)):
                break
            count = max([count, number + 1, *(number + cell.row_span for cell in row if cell.row_span < self.rows)])
        if not count or count >= self.rows:
            marked = any(cell.header for row in self.cells for cell in row)
            count = int(not marked and self.rows >= _LEAST_ROWS and self._worded(0))
        while 0 < count < min(self.rows - 1, _MOST_HEAD) and self._parts_names(count):
            count += 1
        return count

    def _parts_names(self, row: int) -> bool:
        """Whether a row, though not marked as head, names the columns that a head cell over several stands for."""
        wide = [cell for cell in self.cells[row - 1] if 1 < cell.column_span <= self.columns]
        under = {cell.column for cell in self.cells[row] if cell.column_span == 1}
        parted = any(len(under & set(range(cell.column, cell.column + cell.column_span))) > 1 for cell in wide)
        return parted and self._worded(row)

    def _worded(self, row: int) -> bool:
        """Whether most cells of a row are words rather than values."""
        texts = [self.text(cell) for cell in self.cells[row]]
        return sum(_is_worded(text) for text in texts) * 3 > 2 * len(texts)

    def _names(self) -> list[str]:
        """The name of each column: its head cells from top to bottom, those over several columns for each of them."""
        parts: list[list[str]] = [[] for _ in range(self.columns)]
        for row in self.cells[: self.head]:
            for cell in row:
                text = self.text(cell)
                for column in range(cell.column, min(cell.column + cell.column_span, self.columns)):
                    if text and text not in parts[column][-1:]:
                        parts[column].append(text)
        return [_OVER.join(part) for part in parts]

    def _titles(self) -> list[int]:
        """Rows under the head with one text alone, at their start, over rows that have more."""
        alone = {row: len(self.cells[row]) == 1 and self.cells[row][0].column == 0 for row in self.body()}
        return [row for row in self.body() if self.columns > 1 and alone[row] and not alone.get(row + 1, True)]


def _is_worded(text: str) -> bool:
    return bool(text) and not text[0].isdigit() and sum(map(str.isalpha, text)) * 2 >= len(text.replace(" ", ""))


def extent(cells: Iterable[Cell]) -> list[tuple[int, int]]:
    """The ranges from the first to the last of the cells on each page, in order."""
    pages: dict[int | None, tuple[int, int]] = {}
    for cell in cells:
        start, end = pages.get(cell.page, (cell.start, cell.end))
        pages[cell.page] = min(start, cell.start), max(end, cell.end)
    return sorted(pages.values())
