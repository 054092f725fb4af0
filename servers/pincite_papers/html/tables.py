"""Tables of a page: rows and cells with their spans."""

from collections.abc import Iterator
from itertools import groupby

from pincite_papers.html.classes import classes
from pincite_papers.html.inline import Inline
from pincite_papers.html.tree import HIDDEN
from pincite_papers.markup import CellDraft, Grid
from pincite_papers.markup.elements import Element

_MOST_CELLS = 200_000
"""Cells of a page's tables. Set by judgement."""
_LAYOUT = frozenset({"h1", "h2", "h3", "h4", "h5", "h6", "section", "article", "figure", "form"})
_GROUPS = ("thead", "tbody", "tfoot")


def is_table(element: Element) -> bool:
    """Whether an element is a table, not of a formula: also LaTeXML's ``ltx_tabular`` of any tag."""
    names = classes(element)
    if "ltx_tabular" in names:
        return True
    return element.tag == "table" and "ltx_eqn_table" not in names


def is_layout(table: Element) -> bool:
    """Whether a table only places things on the page."""
    if (table.get("role") or "") in ("presentation", "none"):
        return True
    if any(child.tag in _LAYOUT for child in table.iter()):
        return True
    rows = list(_rows(table))
    return len(rows) <= 1 and sum(len(cells) for _, cells in rows) <= 1


def read_cells(table: Element, inline: Inline) -> list[CellDraft]:
    """The cells of a table."""
    grid = Grid()
    drafts: list[CellDraft] = []
    for _, members in groupby(_rows(table), key=lambda row: row[0]):
        rows = list(members)
        for index, (group, cells) in enumerate(rows):
            grid.next_row()
            for cell in cells:
                below = len(rows) - index
                row_span = _span(cell, "rowspan")
                place = grid.place(min(row_span or below, below), _span(cell, "colspan") or 1)
                if len(drafts) < _MOST_CELLS:
                    drafts.append(_draft(cell, place, inline, head=group is not None and group.tag == "thead"))
        grid.end_group()
    return drafts


def _draft(cell: Element, place: tuple[int, int, int, int], inline: Inline, *, head: bool) -> CellDraft:
    row, column, row_span, column_span = place
    header = head or cell.tag == "th" or "ltx_th" in classes(cell)
    return CellDraft(row, column, inline.run(cell), row_span, column_span, header=header)


def _rows(table: Element) -> Iterator[tuple[Element | None, list[Element]]]:
    """(group, cells) of each row in order, those of tables inside of cells left out."""
    waiting: list[tuple[Element, Element | None]] = [(table, None)]
    while waiting:
        element, group = waiting.pop()
        if element is not table and _is_row(element):
            yield group, [cell for cell in element if _is_cell(cell) and cell.get(HIDDEN) is None]
            continue
        if element is not table and (is_table(element) or element.tag in ("caption", "colgroup")):
            continue
        waiting += [
            (child, child if child.tag in _GROUPS or _is_group(child) else group)
            for child in reversed(list(element))
            if child.get(HIDDEN) is None
        ]


def _is_row(element: Element) -> bool:
    return element.tag == "tr" or "ltx_tr" in classes(element)


def _is_group(element: Element) -> bool:
    return not classes(element).isdisjoint({"ltx_thead", "ltx_tbody", "ltx_tfoot"})


def _is_cell(element: Element) -> bool:
    return element.tag in ("td", "th") or not classes(element).isdisjoint({"ltx_td", "ltx_th"})


def _span(cell: Element, name: str) -> int:
    """A span; 0 for one that runs to the end."""
    value = (cell.get(name) or "1").strip()
    return int(value) if value.isdecimal() and len(value) < 7 else 1
