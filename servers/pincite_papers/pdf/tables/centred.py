"""Centred rows: which text rows make one row of cells where every cell is set to half the height of its row."""

from collections.abc import Sequence
from itertools import pairwise

from pincite_papers.pdf.tables.cells import stack_numbers
from pincite_papers.pdf.tables.textrows import WHOLE_LINE, Run, TextRow

_WIDER = 1.06
"""How many times wider the step between two rows of cells is than that between two lines of a cell, at least."""
_OFF = 0.3
"""Type sizes that the middle of a cell may be off the middle of its row."""
_MOST = 0.8
"""The share of cells that stand in the middle, from which on the table is set so."""

_Cells = Sequence[dict[int, Run]]


def centred_groups(rows: Sequence[TextRow], cells: _Cells) -> list[list[int]] | None:
    """The indices of ``rows`` by row of cells, None where the cells are not set to half the height of their rows."""
    steps = [lower.baseline - upper.baseline for upper, lower in pairwise(rows)]
    for widest in reversed(_leadings(steps, rows)):
        groups: list[list[int]] = [[0]]
        for index, step in enumerate(steps, 1):
            if step <= widest:
                groups[-1].append(index)
            else:
                groups.append([index])
        if len(groups) > 1 and _is_centred(groups, rows, cells):
            return groups
    return None


def _leadings(steps: Sequence[float], rows: Sequence[TextRow]) -> list[float]:
    """The steps that could be the widest within a row of cells: those that clearly wider steps follow, least first."""
    ordered = sorted(steps)
    found = [a for a, b in pairwise(ordered) if b > _WIDER * a and b > WHOLE_LINE * rows[0].size]
    return [step + 0.01 for step in found]


def _is_centred(groups: Sequence[Sequence[int]], rows: Sequence[TextRow], cells: _Cells) -> bool:
    """Whether the cells of rows that have lines of their own stand in the middle, and one does not start at the top."""
    near = far = below = 0
    for group in groups:
        if len(group) < 2:
            continue
        middle = (rows[group[0]].baseline + rows[group[-1]].baseline) / 2
        columns = {column for index in group for column in cells[index]}
        for column in columns:
            own = [index for index in group if column in cells[index]]
            if stack_numbers([cells[index][column].text for index in own]):
                return False
            lines = [rows[index].baseline for index in own]
            centred = abs((lines[0] + lines[-1]) / 2 - middle) <= _OFF * rows[group[0]].size
            near += centred
            far += not centred
            below += centred and lines[0] > rows[group[0]].baseline + _OFF * rows[group[0]].size
    return below > 1 and near >= _MOST * (near + far)
