"""Groups: headings between rows, which stand over all columns, and names beside the rows that they hold for."""

from collections.abc import Sequence
from dataclasses import replace

from pincite_papers.pdf.tables.cells import cell_text, is_number
from pincite_papers.pdf.tables.draft import CellDraft

_FLUSH = 3.0
"""Points between the left edges of a head and of the entries under it at most, where both start at one place. Set by
judgement."""
_FEWEST_COLUMNS = 3
"""Count of columns of a table whose rows have headings; in one of two a lone name may have nothing beside it."""


def span_groups(cells: Sequence[CellDraft], columns: int) -> list[CellDraft]:
    """The cells with each heading over all columns, each group's name beside all of its rows and each head over the
    columns that have no other."""
    rows: dict[int, list[CellDraft]] = {}
    for cell in cells:
        rows.setdefault(cell.row, []).append(cell)
    wide = _wide_heads(cells, columns)
    cells = [replace(cell, column_span=wide.get(id(cell), cell.column_span)) for cell in cells]
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


def _wide_heads(cells: Sequence[CellDraft], columns: int) -> dict[int, int]:
    """How many columns each head of the lowest level is over, by its id, where that is more than it reaches.

    Columns without a head belong to the head on their left where that starts with the entries under it.
    """
    heads = [cell for cell in cells if cell.header]
    body = [cell for cell in cells if not cell.header]
    if not heads:
        return {}
    lowest = max(head.row + head.row_span for head in heads)
    level = sorted((head for head in heads if head.row + head.row_span == lowest), key=lambda head: head.column)
    filled = {cell.column for cell in body}
    wide: dict[int, int] = {}
    for number, head in enumerate(level):
        end = level[number + 1].column if number + 1 < len(level) else columns
        free = range(head.column + head.column_span, end)
        own = [cell.bbox.x0 for cell in body if cell.column == head.column]
        flush = bool(own) and abs(min(own) - head.bbox.x0) < _FLUSH
        if head.column and free and flush and filled.issuperset(free):
            wide[id(head)] = end - head.column
    return wide
