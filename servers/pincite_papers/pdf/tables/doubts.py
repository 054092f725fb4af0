"""Doubts: what about a table's reading is not certain, so that whoever quotes it looks at the page first."""

from collections.abc import Collection, Sequence
from itertools import pairwise

from pincite_papers.model import Rect
from pincite_papers.pdf.captions import CaptionDraft
from pincite_papers.pdf.elements import PageLayout, Word
from pincite_papers.pdf.tables.aligned import Alignment
from pincite_papers.pdf.tables.cells import cell_text, is_list_mark, stack_numbers
from pincite_papers.pdf.tables.draft import CellDraft, TableDraft
from pincite_papers.pdf.tables.region import Region
from pincite_papers.pdf.tables.textrows import RUN_GAP, lines_in, text_rows

_REACH = 2.2
"""Type sizes of white between a table and aligned text that may be its next row; more parts two tables."""
_WIDE = 0.9
"""Type sizes of white inside a cell that could as well part two cells."""
_UNEQUAL = 0.34
"""The share of rows with some but not all cells from which on a gap may be a misread cell and not an empty one."""
_FEWEST_ROWS = 3
"""Count of rows of several cells in the body; with fewer no doubt is raised about unequal ones. Set by judgement."""
_FEWEST_COLUMNS = 2
"""Count of columns: what has fewer may be a list, whose items are not rows."""

BELOW = "text in line with its columns goes on below it"
UNEQUAL = "rows have unequal numbers of cells"
MERGED = "a cell may hold two columns"
SPANS = "a cell of the body spans columns"
HEAD = "the levels of the head are read from positions alone"
NAMELESS = "a column has no head"
STACKED = "a cell may hold two rows"
LISTED = "items of a list in a cell may be rows"
SINGLE = "all its cells stand in one column"


def find_doubts(
    page: PageLayout, table: TableDraft, region: Region, captions: Sequence[CaptionDraft], taken: Collection[int]
) -> tuple[str, ...]:
    """The reasons to look at a table before quoting it, none where it is sure; ``taken`` are the lines with a use."""
    body = [cell for cell in table.cells if not cell.header]
    head = [cell for cell in table.cells if cell.header]
    checks = (
        (BELOW, _goes_on(page, table, captions, taken)),
        (UNEQUAL, _is_unequal(table, body)),
        (MERGED, any(has_wide_space(cell) for cell in body)),
        (SPANS, len(region.upright) < 2 and any(cell.column_span > 1 and not _is_alone(cell, body) for cell in body)),
        (HEAD, _has_open_levels(head, region)),
        (NAMELESS, bool(head) and _lacks_name(table, head, body)),
        (LISTED, any(sum(is_list_mark(line[0].text) for line in cell.lines) > 1 for cell in body)),
        (SINGLE, table.columns < _FEWEST_COLUMNS),
        (STACKED, any(_stacks(cell) for cell in body)),
    )
    return tuple(reason for reason, holds in checks if holds)


def _goes_on(page: PageLayout, table: TableDraft, captions: Sequence[CaptionDraft], taken: Collection[int]) -> bool:
    """Whether the next row of print under a table stands on the edges of its columns."""
    box = table.bbox
    rows = text_rows([page.lines[index] for index in table.lines])
    low = min([page.height, *(c.bbox.y0 for c in captions if c.bbox.y0 >= box.y1 - 1)])
    under = Rect(box.x0 - 1, box.y1, box.x1 + 1, low)
    below = text_rows([page.lines[index] for index in lines_in(page, under, taken)])
    if not below or not rows or below[0].y0 - rows[-1].y1 > _REACH * below[0].size:
        return False
    return Alignment(rows).fits(below[0])


def _is_unequal(table: TableDraft, body: Sequence[CellDraft]) -> bool:
    """Whether many rows have more than one cell and yet not as many as the others."""
    filled: dict[int, int] = {}
    for cell in body:
        for row in range(cell.row, cell.row + cell.row_span):
            filled[row] = filled.get(row, 0) + cell.column_span
    several = [count for count in filled.values() if count > 1]
    if len(several) < _FEWEST_ROWS:
        return False
    return sum(count < table.columns for count in several) > _UNEQUAL * len(several)


def has_wide_space(cell: CellDraft) -> bool:
    """Whether a line of a cell has a wide space, other than that between the mark and the text of a list's item."""
    return any(
        after.x0 - before.x1 > _WIDE * after.style.size and not (number == 0 and is_list_mark(before.text))
        for line in cell.lines
        for number, (before, after) in enumerate(pairwise(line))
    )


def _is_alone(cell: CellDraft, body: Sequence[CellDraft]) -> bool:
    """Whether a cell is alone in its row, as a heading between rows is."""
    return not any(other.row == cell.row and other is not cell for other in body)


def _has_open_levels(head: Sequence[CellDraft], region: Region) -> bool:
    """Whether a head has several print lines or spans, and no rules that show what its cells stand over."""
    if region.partial or len(region.upright) > 1 or not head:
        return False
    lines = [len(cell.lines) for cell in head if cell.column > 0]
    spans = any(cell.column_span > 1 for cell in head)
    return spans or (bool(lines) and min(lines) < max(lines))


def _lacks_name(table: TableDraft, head: Sequence[CellDraft], body: Sequence[CellDraft]) -> bool:
    named = {cell.column + right for cell in head for right in range(cell.column_span)}
    return any(cell.column not in named and cell.column > 0 for cell in body)


def _stacks(cell: CellDraft) -> bool:
    """Whether two lines of a cell are whole numbers each, or a number stands beside another with no sign between."""
    return stack_numbers([cell_text([line]) for line in cell.lines]) or any(map(_is_pair, cell.lines))


def _is_pair(line: Sequence[Word]) -> bool:
    """Whether a line is two plain numbers that stand further apart than the words of a cell."""
    if len(line) != 2:
        return False
    one, other = line
    far = other.x0 - one.x1 > RUN_GAP * other.style.size
    return far and one.text[:1].isdigit() and other.text[:1].isdigit()
