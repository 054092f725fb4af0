"""A cell of a table with what its row and its column are called, and the units that these give."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from pincite_materials.units import known
from pincite_materials.values import find_numbers, spell
from pincite_papers.model import Cell, Table

_BRACKETED = re.compile(r"[(\[]((?:[^()\[\]]|\([^()]*\))*)[)\]]")
_BEHIND = re.compile(r"(?:,|/| in )\s*(?P<unit>[^,()]{1,30})$")


@dataclass(frozen=True, slots=True)
class Place:
    """A cell, the labels of its row (from the left) and of its column (from above), spelled, and all other labels."""

    cell: Cell
    text: str
    row: tuple[str, ...]
    column: tuple[str, ...]
    other_rows: tuple[str, ...]
    other_columns: tuple[str, ...]
    row_headers: tuple[str, ...]
    """What the columns of the row's labels are called (``δ``, ``Sample``)."""

    def units(self) -> list[str]:
        """Units that the labels give for the cell's number, the column's first."""
        found = [unit for label in (*self.column, *self.row) for unit in units_of(label)]
        return list(dict.fromkeys(found))


def place_of(table: Table, cell: Cell) -> Place:
    """The cell with its labels: head cells above, the first cell of its row and others left of it without numbers."""
    head = _head_rows(table)
    labels = _label_columns(table, head)
    filled = [c for c in table.cells if c.text.strip() and c is not cell]
    names = [c for c in filled if c.column < labels and c.row >= head]
    heads = [c for c in filled if c.row < head]
    row = [c for c in names if _covers_row(c, cell.row)]
    column = [c for c in heads if _covers_column(c, cell.column)]
    return Place(
        cell,
        spell(cell.text),
        _groups_above(table, cell, head) + _texts(row),
        _texts(column),
        tuple(dict.fromkeys(_texts([c for c in names if c not in row]))),
        tuple(dict.fromkeys(_texts([c for c in heads if c not in column and c.column >= labels]))),
        _texts([c for c in heads if c.column < labels]),
    )


def _texts(cells: list[Cell]) -> tuple[str, ...]:
    return tuple(spell(cell.text) for cell in cells)


def without_units(label: str) -> str:
    """A label without the units it has in brackets."""
    return _BRACKETED.sub(lambda group: " " if _is_unit(group[1].strip().lstrip("×x ")) else group[0], label).strip()


def units_of(label: str) -> Iterator[str]:
    """The units that a label gives in brackets, or behind a comma, a slash or "in", its power of ten included."""
    for inner in _BRACKETED.findall(label):
        unit = inner.strip().lstrip("×x ").strip()
        if unit and _is_unit(unit):
            yield unit
    behind = _BEHIND.search(re.sub(r"\s*\([^()]*\)\s*$", "", label))
    if behind is not None and _is_unit(behind["unit"].strip()):
        yield behind["unit"].strip()


@lru_cache(maxsize=4096)
def _is_unit(text: str) -> bool:
    return bool(text) and not text.replace(".", "").isdigit() and known(text)


def _head_rows(table: Table) -> int:
    """Rows of the head, from the top: those marked so, else the first one."""
    rows = 0
    while (
        rows < table.rows
        and any(c.row == rows and c.header for c in table.cells)
        and all(c.header or c.column == 0 or not c.text.strip() for c in table.cells if c.row == rows)
    ):
        rows += 1
    return rows or 1


def _label_columns(table: Table, head: int) -> int:
    """Columns at the left that name rows: the first, and those behind it without a number."""
    columns = 1
    while columns < table.columns - 1:
        cells = [c.text for c in table.cells if c.column == columns and c.row >= head and c.text.strip()]
        if not cells or any(find_numbers(text) for text in cells):
            break
        columns += 1
    return columns


def _groups_above(table: Table, cell: Cell, head: int) -> tuple[str, ...]:
    """The nearest row above that has one cell only: a heading of the rows under it."""
    for row in range(cell.row - 1, head - 1, -1):
        filled = [c for c in table.cells if c.row == row and c.text.strip()]
        if len(filled) == 1 and filled[0].column == 0 and table.columns > 2:
            return (spell(filled[0].text),)
    return ()


def _covers_row(cell: Cell, row: int) -> bool:
    return cell.row <= row < cell.row + cell.row_span


def _covers_column(cell: Cell, column: int) -> bool:
    return cell.column <= column < cell.column + cell.column_span
