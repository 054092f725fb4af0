"""Workbook: tables of papers as an XLSX file, by openpyxl (the extra ``office``)."""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite_core.errors import BadInputError, MissingExtraError

if TYPE_CHECKING:
    from pincite import Table

_SHEET_CHARS = 31
"""Characters of a sheet's name, by the format."""
_FORBIDDEN = re.compile(r"[\[\]:*?/\\]")
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f]")
"""Characters that XML cannot hold."""
_LISTED = ("paper", "sheet", "table", "caption", "page", "locator", "doubts", "unreliable")
_CELLS = ("sheet", "row", "column", "text", "locator", "unreliable")


class Workbook:
    """A sheet a table; the sheet ``tables`` lists them with captions and locators, ``cells`` each cell's locator.

    All cells are texts as printed: nothing is taken for a number, a date or a formula.
    """

    def __init__(self) -> None:
        try:
            import openpyxl
        except ImportError as error:
            raise MissingExtraError.of("office", needed_for="Workbooks (openpyxl)") from error
        self.tables = 0
        self._book: Any = openpyxl.Workbook()
        self._list: Any = self._book.active
        self._list.title = "tables"
        self._put(self._list, 1, _LISTED)
        self._cells: Any = self._book.create_sheet("cells")
        self._put(self._cells, 1, _CELLS)
        self._next = 2

    def add(self, paper: str, table: "Table", described: Mapping[str, Any], cells: Sequence[Mapping[str, Any]]) -> None:
        """Add a table: its sheet, its line in the list, its cells' locators."""
        self.tables += 1
        sheet: Any = self._book.create_sheet(self._name(table.name))
        for number, row in enumerate(table.marked_rows, 1):
            self._put(sheet, number, row)
        for cell in table.cells:
            last_row, last_column = cell.row + cell.row_span, cell.column + cell.column_span
            if cell.row_span > 1 or cell.column_span > 1:
                sheet.merge_cells(
                    start_row=cell.row + 1, start_column=cell.column + 1, end_row=last_row, end_column=last_column
                )
        fields = {**described, "paper": paper, "sheet": sheet.title, "doubts": "; ".join(described.get("doubts", ()))}
        self._put(self._list, self.tables + 1, [fields.get(name) for name in _LISTED])
        for cell in cells:
            known: dict[str, Any] = {**cell, "sheet": sheet.title}
            self._put(self._cells, self._next, [known.get(name) for name in _CELLS])
            self._next += 1

    def save(self, file: Path) -> None:
        """Write the workbook; BadInputError where that is not possible."""
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            self._book.save(file)
        except OSError as error:
            raise BadInputError(f"{file} could not be written.", seen=str(error), next="Give another file.") from error

    def _name(self, table: str) -> str:
        """A sheet's name that is not taken: "3 Table 1"."""
        return f"{self.tables} {_FORBIDDEN.sub('_', table)}"[:_SHEET_CHARS]

    def _put(self, sheet: Any, row: int, values: Sequence[Any]) -> None:
        for column, value in enumerate(values, 1):
            if value is None or value == "":
                continue
            cell = sheet.cell(row=row, column=column)
            if isinstance(value, int):
                cell.value = value
                continue
            cell.value = _CONTROLS.sub(" ", str(value))
            cell.data_type = "s"  # a text that begins with = is not a formula
