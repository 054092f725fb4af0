"""Tables in a grid of rules: cells are the boxes that the rules close."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from itertools import groupby

from pincite_papers.pdf.elements import PageLayout, Word
from pincite_papers.pdf.tables.cells import cell_text, make_cell, stack_numbers, with_header
from pincite_papers.pdf.tables.draft import CellDraft, TableDraft
from pincite_papers.pdf.tables.region import Region
from pincite_papers.pdf.tables.rulings import Ruling
from pincite_papers.pdf.tables.textrows import TextRow, lines_in, text_rows

_Placed = tuple[int, Word]

_SAME_EDGE = 3.0
"""Points: rules that stand no further apart than this are one edge of cells; others have cells between them. Set by
judgement."""
_COVERED = 0.6
"""The share of a side of a cell that rules cover, from which on the side is closed; else the cell goes on. Set by
judgement."""
_FEWEST_ROWS = 4
"""Count of rows of a grid: with fewer its rules may be those of head and frame alone. Set by judgement."""
_ONE_ROW = 0.7
"""The share of the rows of a grid that could be one row each, from which on rules part every row: the same as
``stream._MOST``."""
_EVEN = 0.5
"""The share of the cells of one row that may have the same number of lines, other than one, at most; rows without a
rule between them have it in most cells. Set by judgement."""
_MOST_CELLS = 6000
"""Count of edges across by edges down: with more the grid is not read. A bound on cost, for pages with thousands of
rules."""


def read_lattice(page: PageLayout, region: Region) -> TableDraft | None:
    """The table whose rules close cells in ``region``; None where they make less than two rows and two columns."""
    box = region.box
    xs = _edges([ruling.at for ruling in region.upright], box.x0, box.x1)
    ys = _edges([ruling.at for ruling in region.level], box.y0, box.y1)
    if len(xs) < 3 or len(ys) < 3 or len(xs) * len(ys) > _MOST_CELLS:
        return None
    lines = lines_in(page, box)
    words = _words_by_place(text_rows([page.lines[index] for index in lines]), xs, ys)
    cells: list[CellDraft] = []
    for row, column, row_span, column_span in _boxes(xs, ys, region):
        inside = [(row + down, column + right) for down in range(row_span) for right in range(column_span)]
        placed = [each for place in inside for each in words.get(place, ())]
        if placed:
            cells.append(make_cell(row, column, row_span, column_span, _lines(placed), header=False))
    if not cells:
        return None
    cells = with_header(cells)
    return TableDraft(region.caption, box, True, len(ys) - 1, len(xs) - 1, tuple(cells), tuple(lines))


def rules_part_rows(table: TableDraft) -> bool:
    """Whether the rules of a grid part every row, so that several lines in a box are one cell that wraps.

    Rows without a rule between them would stand line beside line in most of their columns.
    """
    rows: dict[int, list[CellDraft]] = {}
    for cell in table.cells:
        if cell.row_span == 1:
            rows.setdefault(cell.row, []).append(cell)
    if len(rows) < _FEWEST_ROWS:
        return False
    return sum(_is_one_row(row) for row in rows.values()) >= _ONE_ROW * len(rows)


def _is_one_row(cells: Sequence[CellDraft]) -> bool:
    """Whether no number stands under another in any cell, and the cells have unequal numbers of lines."""
    if any(stack_numbers([cell_text([line]) for line in cell.lines]) for cell in cells):
        return False
    depths = Counter(len(cell.lines) for cell in cells if len(cell.lines) > 1)
    return not depths or max(depths.values()) <= _EVEN * len(cells)


def _edges(places: Sequence[float], first: float, last: float) -> list[float]:
    """The places of edges, near ones once, the outer ones always there."""
    edges: list[float] = [first]
    for place in sorted(places):
        if place - edges[-1] > _SAME_EDGE:
            edges.append(place)
    if last - edges[-1] > _SAME_EDGE:
        edges.append(last)
    return edges


def _boxes(xs: list[float], ys: list[float], region: Region) -> list[tuple[int, int, int, int]]:
    """The closed boxes as (row, column, row span, column span): a box grows where no rule stops it."""
    upright = [[r for r in region.upright if abs(r.at - x) <= _SAME_EDGE] for x in xs]
    level = [[r for r in region.level if abs(r.at - y) <= _SAME_EDGE] for y in ys]
    taken: set[tuple[int, int]] = set()
    boxes: list[tuple[int, int, int, int]] = []
    for row in range(len(ys) - 1):
        for column in range(len(xs) - 1):
            if (row, column) in taken:
                continue
            wide = 1
            while column + wide < len(xs) - 1 and (row, column + wide) not in taken:
                if _drawn(upright[column + wide], ys[row], ys[row + 1]):
                    break
                wide += 1
            high = 1
            while row + high < len(ys) - 1 and not _drawn(level[row + high], xs[column], xs[column + wide]):
                high += 1
            taken |= {(row + down, column + right) for down in range(high) for right in range(wide)}
            boxes.append((row, column, high, wide))
    return boxes


def _drawn(rulings: Sequence[Ruling], start: float, end: float) -> bool:
    """Whether rules on one edge cover most of the stretch from ``start`` to ``end``."""
    covered = sum(max(0.0, min(ruling.end, end) - max(ruling.start, start)) for ruling in rulings)
    return covered >= _COVERED * (end - start)


def _words_by_place(rows: Sequence[TextRow], xs: list[float], ys: list[float]) -> dict[tuple[int, int], list[_Placed]]:
    """The words whose middle stands between two neighbouring edges each way, by (row, column), with their text row."""
    places: dict[tuple[int, int], list[_Placed]] = {}
    for number, row in enumerate(rows):
        for word in (word for run in row.runs for word in run.words):
            column = bisect_right(xs, (word.x0 + word.x1) / 2) - 1
            down = bisect_right(ys, (word.y0 + word.y1) / 2) - 1
            if 0 <= column < len(xs) - 1 and 0 <= down < len(ys) - 1:
                places.setdefault((down, column), []).append((number, word))
    return places


def _lines(placed: list[_Placed]) -> list[list[Word]]:
    """Words, line by line."""
    placed.sort(key=lambda each: (each[0], each[1].x0))
    return [[word for _, word in group] for _, group in groupby(placed, key=lambda each: each[0])]
