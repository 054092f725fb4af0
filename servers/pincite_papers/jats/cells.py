"""Cells of the tables of a JATS article: XHTML tables and CALS tables (``tgroup``)."""

from collections.abc import Sequence

from pincite_papers.jats.inline import Inline
from pincite_papers.markup import CellDraft, Grid
from pincite_papers.markup.elements import Element

_ORDER = {"thead": 0, "tbody": 1, "tfoot": 2}


def read_cells(tables: Sequence[Element], inline: Inline) -> tuple[list[CellDraft], list[str]]:
    """The cells of the tables of one wrap, one below the other, and what could not be kept of them."""
    grid = Grid()
    cells: list[CellDraft] = []
    for table in tables:
        for part in [child for child in table if child.tag == "tgroup"] or [table]:
            for rows, columns, header in _groups(part):
                for index, row in enumerate(rows):
                    grid.next_row()
                    cells += _row(row, grid, inline, columns, left=len(rows) - index, header=header)
                grid.end_group()
    problems = ["its spans are too many to be kept."] if grid.exhausted else []
    return cells, problems


_Groups = list[tuple[list[Element], dict[str, int], bool]]


def _groups(table: Element) -> _Groups:
    """The groups of rows, head first and foot last, each with the columns by name and whether it is the head."""
    columns: dict[str, int] = {}
    for spec in table.iter("colspec"):
        columns.setdefault(spec.get("colname") or str(len(columns) + 1), len(columns))
    loose = [child for child in table if child.tag in ("tr", "row")]
    groups = sorted((child for child in table if child.tag in _ORDER), key=lambda group: _ORDER[group.tag])
    found: _Groups = [(_rows(group), columns, group.tag == "thead") for group in groups]
    return [*found, (loose, columns, False)] if loose else found


def _rows(group: Element) -> list[Element]:
    return [child for child in group if child.tag in ("tr", "row")]


def _row(
    row: Element, grid: Grid, inline: Inline, columns: dict[str, int], *, left: int, header: bool
) -> list[CellDraft]:
    """The cells of one row; ``left`` rows of its group are at and below it."""
    cells: list[CellDraft] = []
    for entry in row:
        if entry.tag in ("td", "th"):
            down = _number(entry.get("rowspan"), 1) or left
            across, column = _number(entry.get("colspan"), 1), None
        elif entry.tag == "entry":
            down = _number(entry.get("morerows"), 0) + 1
            column = columns.get(entry.get("namest") or entry.get("colname") or "")
            last = columns.get(entry.get("nameend") or "", column)
            across = last - column + 1 if column is not None and last is not None else 1
        else:
            continue
        at_row, at, down, across = grid.place(min(down, left), across, column=column)
        run = inline.run(entry)
        cells.append(CellDraft(at_row, at, run, down, across, header or entry.tag == "th"))
    return cells


def _number(given: str | None, otherwise: int) -> int:
    given = (given or "").strip()
    return int(given) if given.isdecimal() and len(given) < 6 else otherwise
