"""Floating names: cells that stand at half the height of the rows they span, with no rule to show it."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from pincite_papers.pdf.tables.draft import CellDraft
from pincite_papers.pdf.tables.textrows import Run, TextRow

_NEAR = 0.95
"""Type sizes from the baseline of the row above to that of a floating name at most; a row of its own stands lower. Set
by judgement, for the style ``centred row spans`` of ``tests/benchmarks/float_styles``."""
_MIDDLE = 0.25
"""The share of the step between the rows above and below by which a floating name's distances to them may differ; with
more it is not half way. Set by judgement."""
_FEWEST = 2
"""Count of floating names in a table; fewer are taken for rows of their own. Set by judgement."""


def settle_floating(rows: Sequence[TextRow]) -> tuple[list[TextRow], set[int]]:
    """The rows with each floating name put on the row over it, and the identities of the first words of such names.

    A floating name stands half way between two rows nearer than a line is high, and beside what they print.
    """
    floating = [k for k in range(1, len(rows) - 1) if _floats(rows[k - 1], rows[k], rows[k + 1])]
    if len(floating) < _FEWEST or any(b - a == 1 for a, b in pairwise(floating)):
        return list(rows), set()
    kept: list[TextRow] = []
    names: set[int] = set()
    for k, row in enumerate(rows):
        if k in floating:
            upper = kept[-1]
            kept[-1] = replace(upper, runs=sorted([*upper.runs, *row.runs], key=lambda run: run.x0))
            names |= {id(run.words[0]) for run in row.runs}
        else:
            kept.append(row)
    return kept, names


def _floats(upper: TextRow, row: TextRow, lower: TextRow) -> bool:
    over, under = row.baseline - upper.baseline, lower.baseline - row.baseline
    if over > _NEAR * row.size or abs(over - under) > _MIDDLE * (over + under):
        return False
    return not any(_meets(run, other) for run in row.runs for other in (*upper.runs, *lower.runs))


def _meets(one: Run, other: Run) -> bool:
    return one.x0 < other.x1 and other.x0 < one.x1


def span_rows(cells: Sequence[CellDraft], names: set[int]) -> list[CellDraft]:
    """The cells with each floating name over the rows that it stands in the middle of."""
    if not names:
        return list(cells)
    filled = {(c.row + d, c.column + r) for c in cells for d in range(c.row_span) for r in range(c.column_span)}
    height = max(cell.row + cell.row_span for cell in cells)
    found: list[CellDraft] = []
    for cell in cells:
        reach = 0
        if id(cell.lines[0][0]) in names and not cell.header:
            while _free(cell, reach + 1, filled, height):
                reach += 1
        found.append(replace(cell, row=cell.row - reach + 1, row_span=2 * reach) if reach else cell)
    return sorted(found, key=lambda cell: (cell.row, cell.column))


def _free(cell: CellDraft, reach: int, filled: set[tuple[int, int]], height: int) -> bool:
    """Whether the rows ``reach`` down and one less up from a cell have nothing in its column."""
    below, above = cell.row + reach, cell.row - reach + 1
    if below >= height or above < 0 or (below, cell.column) in filled:
        return False
    return reach == 1 or (above, cell.column) not in filled
