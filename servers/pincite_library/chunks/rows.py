"""Groups of rows: what of a table fits one chunk."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pincite_library.chunks.grid import Grid, extent
from pincite_library.chunks.prose import split
from pincite_papers.model import Cell

_LEAST_BODY = 400
"""Characters of rows that a group has, however long its head is."""
_LONGEST_ROW = 1600
"""Characters of a row from which it is cut. Set by judgement."""
_WIDEST_HEAD = 500
"""Characters of a head from which columns are cut into groups. Set by judgement."""


@dataclass(frozen=True, slots=True)
class Group:
    """Rows (first, last) of a table as lines under a head, with the ranges of their cells, one a page."""

    rows: tuple[int, int]
    head: str
    lines: Sequence[str]
    ranges: Sequence[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class _Columns:
    """Columns that stand together; the first column, which labels the rows, is shown with all and owned by one."""

    shown: Sequence[int]
    own: frozenset[int]


def groups(text: str, grid: Grid, room: int) -> Iterator[Group]:
    """The rows under the head in groups of about ``room`` characters, head included.

    A table whose head alone is too wide is parted by columns too, a row that is too long by its cells.
    """
    for columns in _columns(grid):
        yield from _groups(text, grid, columns, max(room - len(grid.head_line(columns.shown)), _LEAST_BODY))


def _groups(text: str, grid: Grid, columns: _Columns, room: int) -> Iterator[Group]:
    rows: list[int] = []
    lines: list[str] = []
    length = 0
    for row in grid.body():
        line = grid.line(row, columns.shown, first=not rows)
        if rows and length + len(line) > room and not grid.is_title(rows[-1]):
            yield from _group(text, grid, columns, rows, lines)
            rows, lines, length = [], [], 0
            line = grid.line(row, columns.shown, first=True)
        title = None if rows else grid.title_above(row)
        new = [line] if title is None else [grid.line(title, columns.shown, first=False), line]
        rows.append(row)
        lines += new
        length += sum(map(len, new)) + len(new)
    if rows:
        yield from _group(text, grid, columns, rows, lines)


def _group(text: str, grid: Grid, columns: _Columns, rows: Sequence[int], lines: Sequence[str]) -> Iterator[Group]:
    cells = [cell for row in rows for cell in grid.cells[row] if cell.column in columns.own]
    if not cells:
        return
    if len(rows) == 1 and len(lines[-1]) > _LONGEST_ROW:
        yield from _long_row(text, grid, rows[0], cells)
        return
    yield Group((rows[0], rows[-1]), grid.head_line(columns.shown), [line for line in lines if line], extent(cells))


def _long_row(text: str, grid: Grid, row: int, cells: Sequence[Cell]) -> Iterator[Group]:
    """The cells of a row one by one, each with the name of its column; behind the first the row's label stands."""
    label = grid.text(cells[0])[:80] if cells[0].column == 0 else ""
    for cell in cells:
        for start, end in split(text, cell.start, cell.end):
            lines = [label] if label and cell is not cells[0] else []
            yield Group((row, row), grid.names[cell.column], [*lines, text[start:end]], [(start, end)])


def _columns(grid: Grid) -> list[_Columns]:
    """All columns, or as many at a time as keep the head short."""
    if len(grid.head_line(range(grid.columns))) <= 2 * _WIDEST_HEAD or grid.columns < 3:
        return [_Columns(range(grid.columns), frozenset(range(grid.columns)))]
    runs: list[list[int]] = [[]]
    wide = 0
    for column in range(1, grid.columns):
        wide += len(grid.names[column])
        if runs[-1] and wide > _WIDEST_HEAD:
            runs.append([])
            wide = len(grid.names[column])
        runs[-1].append(column)
    return [_Columns((0, *run), frozenset(run if number else (0, *run))) for number, run in enumerate(runs)]
