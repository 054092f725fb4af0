"""Groups: headings between rows, which stand over all columns, and names beside the rows that they hold for."""

from collections.abc import Sequence
from dataclasses import replace

from pincite_papers.tables.cells import cell_text, is_number
from pincite_papers.tables.draft import CellDraft

_FEWEST_COLUMNS = 3
"""Count of columns of a table whose rows have headings; in one of two a lone name may have nothing beside it."""


def span_groups(cells: Sequence[CellDraft], columns: int) -> list[CellDraft]:
    """The cells with each heading over all columns and each group's name beside all of its rows."""
    rows: dict[int, list[CellDraft]] = {}
    for cell in cells:
        rows.setdefault(cell.row, []).append(cell)
    return [_over_columns(_beside_rows(cell, rows), rows, columns) for cell in cells]


def _over_columns(cell: CellDraft, rows: dict[int, list[CellDraft]], columns: int) -> CellDraft:
    """A cell alone in its row, with named rows under it, as wide as the table."""
    if cell.header or cell.column or columns < _FEWEST_COLUMNS or len(rows[cell.row]) > 1:
        return cell
    following = rows.get(cell.row + 1, [])
    heads = cell.row_span == 1 and len(following) > 1 and following[0].column == 0
    return replace(cell, column_span=columns) if heads else cell


def _beside_rows(cell: CellDraft, rows: dict[int, list[CellDraft]]) -> CellDraft:
    """A name in the first column, over the rows below it that have none but a name in the second column."""
    if cell.header or cell.column or cell.column_span > 1 or cell.row_span > 1 or not _has_inner_name(cell.row, rows):
        return cell
    if is_number(cell_text(cell.lines)):
        return cell
    end = cell.row + 1
    while end in rows and rows[end][0].column == 1 and _has_inner_name(end, rows):
        end += 1
    return replace(cell, row_span=end - cell.row)


def _has_inner_name(row: int, rows: dict[int, list[CellDraft]]) -> bool:
    """Whether a row has words in its second column, and an entry in a later one."""
    here = rows[row]
    inner = next((cell for cell in here if cell.column == 1), None)
    return inner is not None and here[-1] is not inner and not is_number(cell_text(inner.lines))
