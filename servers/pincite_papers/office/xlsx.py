"""parse_xlsx: a workbook as a Paper: each sheet a section with a table, whose rows and columns are the sheet's."""

import datetime
import io
from decimal import Decimal
from typing import Any

from pincite_core.errors import LimitReachedError, MissingExtraError
from pincite_papers.markup import CellDraft, PaperBuilder, Run
from pincite_papers.model import BlockKind, Paper, SourceFormat
from pincite_papers.office.package import open_package

PARSER = "pincite-xlsx/1"
_MOST_CELLS = 1_000_000
"""Cells of a workbook: a sheet's dimensions may name 17 billion places, which no table of a paper has."""
_AS_STORED = (
    "Numbers are given as the workbook stores them; where a cell's format rounds them, they are shown there with fewer "
    "digits. Row and column count from 0: row 1, column 2 is the cell C2."
)


def parse_xlsx(data: bytes, *, max_pages: int) -> Paper:
    """The Paper of a workbook (.xlsx): formulas by their stored results; it has no pages.

    Raises DamagedError, LimitReachedError, or MissingExtraError without openpyxl.
    """
    try:
        import openpyxl
    except ImportError as error:
        raise MissingExtraError.of("office", needed_for="Reading workbooks (openpyxl)") from error

    def load_values(file: io.BytesIO) -> Any:
        return openpyxl.load_workbook(file, data_only=True)

    def load_formulas(file: io.BytesIO) -> Any:
        return openpyxl.load_workbook(file)

    values = open_package(data, load_values, "workbook")
    formulas = open_package(data, load_formulas, "workbook")
    builder = PaperBuilder(SourceFormat.XLSX, PARSER)
    builder.title = (values.properties.title or "").strip()
    builder.warnings.append(_AS_STORED)
    left = _MOST_CELLS
    for sheet in values.worksheets:
        left -= sheet.max_row * sheet.max_column
        if left < 0:
            raise LimitReachedError(
                "The workbook has too many cells.",
                seen=f"more than {_MOST_CELLS} places up to the sheet {sheet.title!r}",
                next="Save the sheets that matter in a workbook of their own.",
            )
        _add_sheet(builder, sheet, formulas[sheet.title])
    others = [sheet.title for sheet in values.chartsheets]
    if others:
        builder.warnings.append(f"Sheets that are charts are not read: {', '.join(others)[:200]}.")
    return builder.build(data)


def _add_sheet(builder: PaperBuilder, sheet: Any, formulas: Any) -> None:
    """A heading, the table of all cells, and the comments as footnotes."""
    builder.add_heading(Run().add(sheet.title), level=1)
    if sheet.sheet_state != "visible":
        builder.warnings.append(f"The sheet {sheet.title!r} is hidden in the workbook.")
    spans = {(one.min_row, one.min_col): one for one in sheet.merged_cells.ranges}
    cells: list[CellDraft] = []
    notes: list[Run] = []
    uncomputed: list[str] = []
    for row in sheet.iter_rows():
        for cell in row:
            text = _text(cell)
            formula = formulas.cell(cell.row, cell.column).value
            if cell.value is None and formula is not None:
                text = str(getattr(formula, "text", formula))
                uncomputed.append(cell.coordinate)
            if getattr(cell, "comment", None) is not None:
                notes.append(Run().add(f"{cell.coordinate}: {cell.comment.text}"))
            if text:
                merged = spans.get((cell.row, cell.column))
                down, across = (merged.size["rows"], merged.size["columns"]) if merged is not None else (1, 1)
                cells.append(CellDraft(cell.row - 1, cell.column - 1, Run().add(text), down, across))
    builder.add_table(cells, label=sheet.title)
    for note in notes:
        builder.add_block(BlockKind.FOOTNOTE, note)
    if uncomputed:
        builder.warnings.append(
            f"Formulas without a stored result in {sheet.title!r} stand as formulas: {', '.join(uncomputed[:10])}"
            + (f" and {len(uncomputed) - 10} more." if len(uncomputed) > 10 else ".")
        )


def _text(cell: Any) -> str:
    """What a cell holds: texts as they are, numbers with all digits that are stored, dates in ISO form."""
    value = cell.value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, int | float):
        return _number(value, share="%" in (cell.number_format or ""))
    if isinstance(value, datetime.datetime) and value.time() == datetime.time():
        return value.date().isoformat()
    if isinstance(value, datetime.datetime | datetime.date | datetime.time):
        return value.isoformat()
    return str(value)


def _number(value: float, *, share: bool) -> str:
    """The shortest digits that give the stored number; a share is shown in percent, as its format does."""
    if not share:
        return str(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else repr(value)
    percent = Decimal(repr(value)) * 100
    return f"{percent.normalize():f}%"
