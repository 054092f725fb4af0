"""list_tables and read_table."""

from typing import Annotated, Literal, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_papers import doubts
from pincite_papers.arguments import Cursor, MaxChars
from pincite_papers.labels import find_table, table_name
from pincite_papers.model import Cell, Paper, Table
from pincite_papers.passages import cut_caption, locate, ocr_confidence, suspects_in
from pincite_papers.table_text import csv_line, markdown_line, markdown_rule, rows_of

_CAPTION_CHARS = 300
"""Characters of a caption in the list."""
_HEADER_CHARS = 80
"""Characters of one head cell in the list."""
_HEADER_CELLS = 12
"""Head cells in the list; of the rest the number is said."""
_FRAME_CHARS = 600
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""
_MOST_CELLS = 500
"""Cells of one page, whatever ``max_chars`` allows. Set by judgement."""
_RECOGNISED = "read by OCR from a picture"


class TableEntry(TypedDict):
    """A table: ``table`` is what read_table takes; ``caption`` is what ``caption_locator`` names; where ``doubts`` are
    given, look at the page before quoting."""

    table: str
    locator: str
    rows: int
    columns: int
    header: list[str]
    caption: str
    caption_locator: str | None
    caption_cut: NotRequired[bool]
    confidence: Literal["sure", "unsure"]
    doubts: NotRequired[list[str]]


class Tables(TypedDict):
    """The tables in order."""

    total: int
    tables: list[TableEntry]
    next_cursor: str | None


class CellEntry(TypedDict):
    """A cell, row and column from 0; ``text`` is what ``locator`` names."""

    row: int
    column: int
    text: str
    locator: str
    header: NotRequired[bool]
    row_span: NotRequired[int]
    column_span: NotRequired[int]
    unreliable: NotRequired[str]


class SpanEntry(TypedDict):
    """A cell over several rows or columns; its text stands in its first place only."""

    row: int
    column: int
    row_span: int
    column_span: int


class TableContent(TypedDict):
    """A table, or the rows of it that fitted: ``content`` as Markdown or CSV, or ``cells``."""

    table: str
    locator: str
    caption: str
    caption_locator: str | None
    caption_cut: NotRequired[bool]
    rows: int
    columns: int
    confidence: Literal["sure", "unsure"]
    doubts: NotRequired[list[str]]
    shown: str
    content: NotRequired[str]
    cells: NotRequired[list[CellEntry]]
    spans: NotRequired[list[SpanEntry]]
    unreliable: NotRequired[str]
    ocr: NotRequired[float]
    next_cursor: str | None


def list_tables(paper: Paper, cursor: Cursor = "", max_chars: MaxChars = DEFAULT_CHARS) -> Tables:
    """List the tables with caption (cut at 300 characters), size and first row."""
    query = ("list_tables", paper.paper_id, paper.parser)
    shown, after = fill_page(
        range(len(paper.tables)),
        decode_cursor(cursor, *query),
        lambda index: _table_entry(paper, index),
        max_chars=max_chars - 200,
        max_items=_MOST_CELLS,
    )
    return Tables(
        total=len(paper.tables),
        tables=shown,
        next_cursor=encode_cursor(after, *query) if after < len(paper.tables) else None,
    )


def read_table(
    paper: Paper,
    table: Annotated[str, Field(description='"Table 2", "2", "#1" for the first one, or a locator inside it')],
    format: Annotated[  # noqa: A002
        Literal["markdown", "csv", "cells"], Field(description="cells gives every cell its own locator")
    ] = "markdown",
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> TableContent:
    """Read a table. Take format=cells to cite single values. Where it has doubts, look at the page before quoting."""
    index = find_table(paper, table)
    found = paper.tables[index]
    query = ("read_table", paper.paper_id, paper.parser, index, format)
    start = decode_cursor(cursor, *query)
    result = _frame(paper, index, max_chars // 2)
    left = max_chars - _FRAME_CHARS - len(result["caption"])
    if format == "cells":
        after, total = _add_cells(paper, found, result, start, left), len(found.cells)
    else:
        after, total = _add_rows(paper, found, result, start, left, as_csv=format == "csv"), found.rows
        unreliable = doubts.note(paper, found.start, found.end)
        if unreliable:
            result["unreliable"] = unreliable
    ocr = ocr_confidence(paper, found.start, found.end)
    if ocr is not None:
        result["ocr"] = ocr
    result["next_cursor"] = encode_cursor(after, *query) if after < total else None
    return result


def _table_entry(paper: Paper, index: int) -> TableEntry:
    table = paper.tables[index]
    start, end, cut = cut_caption(paper, table.caption, _CAPTION_CHARS)
    entry = TableEntry(
        table=table_name(paper, index),
        locator=locate(paper, table.start, table.end),
        rows=table.rows,
        columns=table.columns,
        header=_header(paper, table),
        caption=doubts.show(paper, start, end),
        caption_locator=locate(paper, start, end) if table.caption else None,
        confidence="sure",
    )
    if cut:
        entry["caption_cut"] = True
    _say_doubts(paper, table, entry)
    return entry


def _say_doubts(paper: Paper, table: Table, entry: TableEntry | TableContent) -> None:
    """Mark a table that is not sure with the reasons; one that was read by OCR never is."""
    reasons = reasons_to_doubt(paper, table)
    if reasons:
        entry["confidence"] = "unsure"
        entry["doubts"] = list(reasons)


def reasons_to_doubt(paper: Paper, table: Table) -> tuple[str, ...]:
    """Reasons to look at the page before quoting a table; empty when its reading is sure."""
    if ocr_confidence(paper, table.start, table.end) is not None:
        return (*table.doubts, _RECOGNISED)
    return table.doubts


def _header(paper: Paper, table: Table) -> list[str]:
    """The texts of the first row, shortened where they are long or many; an ellipsis and a count say so."""
    texts = [show_cell(paper, cell) for cell in table.cells if cell.row == 0]
    shown = [text if len(text) <= _HEADER_CHARS else text[: _HEADER_CHARS - 1] + "…" for text in texts[:_HEADER_CELLS]]
    return [*shown, f"… and {len(texts) - _HEADER_CELLS} more"] if len(texts) > _HEADER_CELLS else shown


def _frame(paper: Paper, index: int, caption_chars: int) -> TableContent:
    table = paper.tables[index]
    start, end, cut = cut_caption(paper, table.caption, caption_chars)
    frame = TableContent(
        table=table_name(paper, index),
        locator=locate(paper, table.start, table.end),
        caption=doubts.show(paper, start, end),
        caption_locator=locate(paper, start, end) if table.caption else None,
        rows=table.rows,
        columns=table.columns,
        confidence="sure",
        shown="",
        next_cursor=None,
    )
    if cut:
        frame["caption_cut"] = True
    _say_doubts(paper, table, frame)
    return frame


def _add_cells(paper: Paper, table: Table, result: TableContent, start: int, left: int) -> int:
    shown, after = fill_page(
        table.cells, start, lambda cell: _cell_entry(paper, cell), max_chars=left, max_items=_MOST_CELLS
    )
    result["cells"] = shown
    result["shown"] = f"cells {start + 1}-{after} of {len(table.cells)}"
    return after


def show_cell(paper: Paper, cell: Cell) -> str:
    """The text of a cell with marks around its unreliable characters."""
    return doubts.show(paper, cell.start, cell.end) if suspects_in(paper, cell.start, cell.end) else cell.text


def _cell_entry(paper: Paper, cell: Cell) -> CellEntry:
    entry = CellEntry(
        row=cell.row, column=cell.column, text=show_cell(paper, cell), locator=locate(paper, cell.start, cell.end)
    )
    if cell.header:
        entry["header"] = True
    if cell.row_span > 1:
        entry["row_span"] = cell.row_span
    if cell.column_span > 1:
        entry["column_span"] = cell.column_span
    unreliable = doubts.note(paper, cell.start, cell.end)
    if unreliable:
        entry["unreliable"] = unreliable
    return entry


def _add_rows(paper: Paper, table: Table, result: TableContent, start: int, left: int, *, as_csv: bool) -> int:
    """Rows from ``start``, at least one, in at most ``left`` characters where they allow it; returns where they end."""
    lines: list[str] = []
    after = start
    for row in rows_of(table, lambda cell: show_cell(paper, cell))[start:]:
        line = csv_line(row) if as_csv else markdown_line(row)
        if lines and len(line) + 1 > left:
            break
        lines.append(line)
        left -= len(line) + 1
        after += 1
        if not as_csv and len(lines) == 1:
            lines.append(markdown_rule(table.columns))
            left -= len(lines[1])
    result["content"] = "\n".join(lines)
    result["shown"] = f"rows {start}-{after - 1} of 0-{table.rows - 1}"
    spans = [
        SpanEntry(row=cell.row, column=cell.column, row_span=cell.row_span, column_span=cell.column_span)
        for cell in table.cells
        if (cell.row_span > 1 or cell.column_span > 1) and start <= cell.row < after
    ]
    if spans:
        result["spans"] = spans
    return after
