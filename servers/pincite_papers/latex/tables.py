"""Tables: the rows of ``tabular`` and its kin as cells with spans, header rows told by the rules."""

import re

from pincite_papers.latex.columns import read_columns
from pincite_papers.latex.inline import Inline, Script
from pincite_papers.latex.items import BlockItem, CellItem, TableItem
from pincite_papers.latex.rows import Column, DraftCell, Rows
from pincite_papers.latex.siunitx import column_number
from pincite_papers.latex.tex import EnvironmentHandler, Handler, Tex
from pincite_papers.model import BlockKind

_BREAKS = ("\\\\", "\\cr", "\\tabularnewline")
_RULES = (
    "\\hline",
    "\\toprule",
    "\\midrule",
    "\\bottomrule",
    "\\specialrule",
    "\\Xhline",
    "\\firsthline",
    "\\lasthline",
)
_PARTIAL = (
    "\\cline",
    "\\cmidrule",
    "\\addlinespace",
    "\\noalign",
    "\\hhline",
    "\\tablebreak",
    "\\rowcolor",
    "\\morecmidrules",
)
_HEADS = ("\\endfirsthead", "\\endhead", "\\endfoot", "\\endlastfoot")
_STOPS = ("&", *_BREAKS, *_RULES, *_PARTIAL, *_HEADS)
_WIDTH_FIRST = ("tabular*", "tabularx", "tabulary", "xltabular", "tabularx*")
_MOST_SPAN = 500
"""Rows or columns that a cell spans. Set by judgement."""
_MOST_HEADER = 4
"""Rows between the first two rules that can be a head. Set by judgement."""


def _tabular(tex: Tex, name: str) -> None:
    tex.reader.optional()
    if name in _WIDTH_FIRST:
        tex.reader.argument()
        tex.reader.optional()
    columns = read_columns(tex, tex.reader.argument())
    tex.reader.optional()
    found = Rows(columns)
    read_rows(tex, name, found)
    if tex.nested:
        _flatten(tex, found)
    else:
        add_table(tex, found)


def add_table(tex: Tex, found: Rows) -> None:
    """Append a table, or collect it for the float that is being read."""
    cells = table_cells(found)
    if not any(not cell.content.empty() for cell in cells):
        return
    if tex.float is not None and tex.float.counter == "figure":
        # A grid of pictures with their letters.
        for row in found.rows:
            text = Inline()
            for cell in row:
                text.extend(cell.content)
                text.add(" ")
            if not text.empty():
                tex.add_item(BlockItem(BlockKind.FIGURE, text))
    elif tex.float is not None:
        tex.float.tables.append(TableItem(cells))
    else:
        tex.par()
        tex.add_item(TableItem(cells))


def _flatten(tex: Tex, found: Rows) -> None:
    """A table inside of text or of a cell: its lines side by side."""
    for row in found.rows:
        for cell in row:
            tex.out.extend(cell.content)
            tex.out.add(" ")


def read_rows(tex: Tex, name: str, found: Rows, *stops: str) -> None:
    """Read rows up to the end of the environment ``name`` or a token of ``stops``."""
    spans, first_head, foot = tex.spans, -1, list[list[DraftCell]]()
    start = len(found.rows)
    row: list[DraftCell] = []
    column = 0
    while True:
        style = found.columns[column] if column < len(found.columns) else Column()
        cell = DraftCell(Inline(), column)
        tex.spans = [1, 1]
        with tex.into(cell.content), tex.mode(math=style.math, tight=False):
            stop = tex.body(name, *_STOPS, *stops)
        cell.columns, cell.rows = min(max(tex.spans[0], 1), _MOST_SPAN), max(min(tex.spans[1], _MOST_SPAN), -_MOST_SPAN)
        cell.content.strip()
        if style.number and cell.columns == 1:
            cell.content = column_number(cell.content)
        if stop == "&":
            row.append(cell)
            column += cell.columns
            continue
        if stop in _BREAKS:
            tex.reader.star()
            tex.reader.dimension()
        if stop in _RULES or stop in _PARTIAL:
            tex.handlers.get(stop, _no_arguments)(tex)
            if not row and cell.content.empty():
                if stop in _RULES:
                    found.rules.add(len(found.rows))
                continue
        if row or not cell.content.empty():
            row.append(cell)
            found.rows.append(row)
        row, column = [], 0
        if stop in _HEADS:
            first_head = _set_head(found, stop, start, first_head, foot)
        elif stop not in _BREAKS and stop not in _RULES and stop not in _PARTIAL:
            break
    found.rows += foot
    tex.spans = spans


def _set_head(found: Rows, stop: str, start: int, first_head: int, foot: list[list[DraftCell]]) -> int:
    """Set the heads and feet of a longtable in order: those for further pages are dropped."""
    since = start if first_head < 0 else first_head
    if stop == "\\endfirsthead" or (stop == "\\endhead" and first_head < 0):
        found.header = len(found.rows)
        return len(found.rows)
    rows = found.rows[since:]
    del found.rows[since:]
    found.rules = {rule for rule in found.rules if rule <= since}
    if stop == "\\endlastfoot":
        foot += rows
    return len(found.rows)


def _no_arguments(tex: Tex) -> None:
    """A rule without arguments."""


def table_cells(found: Rows) -> list[CellItem]:
    """The cells at their places, columns that print as one (``r@{.}l``) joined, header rows marked."""
    places = _places(found.columns)
    header = found.header or _header_rows(found)
    cells: list[CellItem] = []
    for row, drafts in enumerate(found.rows):
        joined: dict[int, CellItem] = {}
        for draft in drafts:
            first = _place(places, draft.column)
            last = _place(places, draft.column + draft.columns - 1)
            known = joined.get(first)
            if known is not None:
                if not known.content.empty() and not draft.content.empty():
                    known.content.extend(found.columns[draft.column].before or Inline())
                known.content.extend(draft.content)
                continue
            top = row + draft.rows + 1 if draft.rows < 0 else row
            joined[first] = CellItem(
                max(top, 0), first, draft.content, max(abs(draft.rows), 1), last - first + 1, row < header
            )
        cells += joined.values()
    _keep_inside(cells, len(found.rows))
    return cells


def _keep_inside(cells: list[CellItem], rows: int) -> None:
    for cell in cells:
        cell.row_span = max(min(cell.row_span, rows - cell.row), 1)


def _places(columns: list[Column]) -> list[int]:
    """The place of each column when those with printed text before them are joined to the one before."""
    places: list[int] = []
    for index, column in enumerate(columns):
        joins = index > 0 and column.before is not None
        places.append((places[-1] if places else -1) + (0 if joins else 1))
    return places


def _place(places: list[int], column: int) -> int:
    if column < len(places):
        return places[column]
    return (places[-1] if places else -1) + column - len(places) + 1


def _header_rows(found: Rows) -> int:
    """How many rows stand above the first rule that follows a row."""
    between = sorted(rule for rule in found.rules if 0 < rule < len(found.rows))
    if not between:
        return 0
    return between[0] if between[0] <= _MOST_HEADER else 1


def _multicolumn(tex: Tex) -> None:
    count = tex.reader.text_argument()
    columns = read_columns(tex, tex.reader.argument())
    tex.spans[0] = int(count) if count.isascii() and count.isdecimal() and len(count) < 5 else 1
    math = bool(columns) and columns[0].math
    tex.out.extend(tex.group(math=math))


def _multirow(tex: Tex) -> None:
    """``\\multirow[place]{rows}[struts]{width}[shift]{text}``."""
    tex.reader.optional()
    count = tex.reader.text_argument()
    tex.reader.optional()
    tex.reader.argument()
    tex.reader.optional()
    if re.fullmatch(r"-?\d{1,4}", count):
        tex.spans[1] = int(count) or 1
    tex.out.extend(tex.group())


def _note_mark(tex: Tex) -> None:
    content = tex.group(math=False, tight=True)
    if not content.empty():
        tex.out.parts.append(Script(1, content))


def commands() -> dict[str, Handler]:
    """What commands in tables mean."""
    return {
        "\\multicolumn": _multicolumn,
        "\\multirow": _multirow,
        "\\tnote": _note_mark,
        "\\tablenotemark": _note_mark,
        "\\tmark": _note_mark,
        "\\nodata": lambda tex: tex.out.add("⋯"),
    }


def environments() -> dict[str, EnvironmentHandler]:
    """What environments of tables mean, longtable apart (see ``floats``)."""
    names = (
        "tabular",
        "tabular*",
        "tabularx",
        "tabulary",
        "supertabular",
        "xtabular",
        "tblr",
        "NiceTabular",
        "mpsupertabular",
    )
    return dict.fromkeys(names, _tabular)
