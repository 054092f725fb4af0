"""Continued tables: the parts that pages break a table into, made one table again."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite_papers.model import Cell, Place, Rect, Table
from pincite_papers.pdf.assemble import Assembled
from pincite_papers.pdf.elements import Line
from pincite_papers.pdf.floats import Floats

_CONTINUED = re.compile(r"\bcont(?:inued|inuation|['’]?d|\.)", re.IGNORECASE)
_SAME_EDGE = 14.0
"""Points by which the edges of a table's parts may differ from page to page. Set by judgement."""
_FEW_LINES = 2
"""Lines below a part that may be its notes or the page's number. Set by judgement."""


@dataclass(slots=True)
class _Open:
    """A table with the page parts so far, and the floats of the page of its last part."""

    table: Table
    last: Table
    floats: Floats


def join_tables(floats: Sequence[Floats], assembled: Assembled) -> tuple[Table, ...]:
    """The tables of all pages; one that runs on over pages is one table.

    Its range and first box are those of its first part; ``parts`` are the boxes of all. Cells of the later parts keep
    their own page, box and range; rows of the head that a page repeats are left out of the cells.
    """
    found: list[_Open] = []
    for part in floats:
        tables = part.to_tables(assembled)
        # What a column carries on may stand higher on the page than where it starts.
        for table in sorted(tables, key=lambda each: each.caption is None):
            host = next((each for each in reversed(found) if _continues(each, table, part, assembled)), None)
            if host is None:
                found.append(_Open(table, table, part))
            else:
                host.table, host.last, host.floats = _joined(host.table, table), table, part
    found.sort(key=lambda each: (each.table.page or 0, each.table.start))
    return tuple(each.table for each in found)


def _continues(host: _Open, table: Table, floats: Floats, assembled: Assembled) -> bool:
    """Whether a table carries on one of the page, or the column, before: by its label, or by place and columns."""
    last = host.last
    if last.page is None or table.page is None or table.columns != last.columns:
        return False
    if table.page == last.page:
        return table.caption is None and _is_next_column(last, table) and _breaks(host, table, floats)
    if table.page != last.page + 1:
        return False
    if table.caption is not None:
        words = assembled.text[table.caption.start : table.caption.end]
        same = table.label.casefold() == host.table.label.casefold()
        return same and (bool(_CONTINUED.search(words)) or _same_caption(host, words, assembled))
    return _same_columns(last, table) and _breaks(host, table, floats)


def _breaks(host: _Open, table: Table, floats: Floats) -> bool:
    """Whether a table could stand on both sides of a break: at the end of the one part, at the start of the other."""
    return _ends_page(host.floats, host.last.bbox) and _starts_page(floats, table.bbox)


def _is_next_column(one: Table, other: Table) -> bool:
    """Whether a table stands in the next column of the page, as the rest of one with the same columns would."""
    if one.bbox is None or other.bbox is None or other.bbox.x0 < one.bbox.x1:
        return False
    return _same_columns(one, other, other.bbox.x0 - one.bbox.x0)


def _same_caption(host: _Open, words: str, assembled: Assembled) -> bool:
    caption = host.table.caption
    return caption is not None and assembled.text[caption.start : caption.end] == words


def _same_columns(one: Table, other: Table, aside: float = 0.0) -> bool:
    """Whether two tables are as wide, with their columns in one place: the other's ``aside`` points to the right."""
    if one.bbox is None or other.bbox is None or one.columns < 2:
        return False
    left, right = other.bbox.x0 - aside, other.bbox.x1 - aside
    if abs(one.bbox.x0 - left) > _SAME_EDGE or abs(one.bbox.x1 - right) > _SAME_EDGE:
        return False
    spans = [_column_spans(each) for each in (one, other)]
    shared = set(spans[0]) & set(spans[1])
    return all(spans[0][c][0] < spans[1][c][1] - aside and spans[1][c][0] - aside < spans[0][c][1] for c in shared)


def _column_spans(table: Table) -> dict[int, tuple[float, float]]:
    """The left and right edge of the cells of each column."""
    spans: dict[int, tuple[float, float]] = {}
    for cell in table.cells:
        if cell.column_span == 1 and cell.bbox is not None:
            left, right = spans.get(cell.column, (cell.bbox.x0, cell.bbox.x1))
            spans[cell.column] = min(left, cell.bbox.x0), max(right, cell.bbox.x1)
    return spans


def _ends_page(floats: Floats, box: Rect | None) -> bool:
    """Whether hardly any running text stands under a box on its page."""
    if box is None:
        return False
    under = [line for _, line in floats.running if line.y0 > box.y1 - 1 and _meets(line, box)]
    return len(under) <= _FEW_LINES


def _starts_page(floats: Floats, box: Rect | None) -> bool:
    """Whether no running text stands over a box on its page."""
    return box is not None and not any(line.y1 < box.y0 + 1 and _meets(line, box) for _, line in floats.running)


def _meets(line: Line, box: Rect) -> bool:
    return line.x0 < box.x1 and line.x1 > box.x0


def _joined(host: Table, table: Table) -> Table:
    """The first table with the rows of the second after its own."""
    repeated = _repeated_rows(host, table)
    down = host.rows - repeated
    cells = tuple(replace(cell, row=cell.row + down, header=False) for cell in table.cells if cell.row >= repeated)
    parts = host.parts or _places(host)
    doubts = tuple(dict.fromkeys((*host.doubts, *table.doubts)))
    return replace(
        host,
        rows=host.rows + table.rows - repeated,
        cells=(*host.cells, *cells),
        parts=(*parts, *_places(table)),
        doubts=doubts,
    )


def _places(table: Table) -> tuple[Place, ...]:
    return (Place(table.page, table.bbox),) if table.page is not None and table.bbox is not None else ()


def _repeated_rows(host: Table, table: Table) -> int:
    """How many rows at the top of the second table repeat the head of the first."""
    first, second = _rows(host), _rows(table)
    count = 0
    while count < table.rows - 1 and second.get(count) and first.get(count) == second.get(count):
        count += 1
    return count


def _rows(table: Table) -> dict[int, list[tuple[int, str]]]:
    rows: dict[int, list[tuple[int, str]]] = {}
    for cell in table.cells:
        rows.setdefault(cell.row, []).append(_key(cell))
    return rows


def _key(cell: Cell) -> tuple[int, str]:
    """A cell's column and words: how far it spans depends on what stands below it on its page."""
    return cell.column, " ".join(cell.text.split())
