"""Grouping: which text rows are the print lines of one row of cells."""

from collections.abc import Sequence
from itertools import pairwise

from pincite_papers.pdf.tables.cells import is_number
from pincite_papers.pdf.tables.centred import centred_groups
from pincite_papers.pdf.tables.columns import Columns
from pincite_papers.pdf.tables.textrows import WHOLE_LINE, Run, TextRow

_WIDER = 1.03
"""How many times the widest step between lines of a cell the narrowest between rows of cells is, at least. Lowered from
1.22 with the reading of leading and room in either order. Set by judgement."""
_CLEARLY = 1.1
"""How many times the least step the size between both sizes is, from which on the room alone tells; below it most of
the close lines must carry on the lines above them (``_MOST``). Set by judgement."""
_FARTHER = 1.22
"""The ratio that ``_WIDER`` gives way to where steps are few (``_MANY_STEPS``); also how many times the least step a
line that carries on a cell may be below the line above, if that is more than ``_LEADING``. Set by judgement."""
_SPREAD = 0.5
"""The share of the jump between both sizes of step by which the close steps may differ among themselves. Set by
judgement."""
_MOST = 0.8
"""The share from which on it is most: of the lines that could carry on the lines above them, and of the names that
start with a capital or a digit. Set by judgement."""
_FIT = 0.6
"""The share of close lines that could belong to the row above: with less, the room does not tell. Set by judgement."""
_SOME = 0.5
"""The share of lines that could carry on the lines above them, below which the steps before them part rows. Set by
judgement."""
_FEW = 0.25
"""The share of lines with missing cells at most for these to be rows with blanks, not wrapped cells. Added with
``tests/benchmarks/table_styles.py``; set by judgement."""
_MANY_STEPS = 5
"""Count of steps between lines from which on ``_WIDER`` is enough; fewer need ``_FARTHER``. Added with
``test_tables_of_every_style_are_read``; set by judgement."""
_LEADING = 1.45
"""Type sizes from baseline to baseline: a wider least step is not leading; steps that are all narrower may be wider in
cells than between rows; a line further down carries nothing on unless ``_FARTHER`` lets it. Set by judgement."""
_SAME_START = 1.5
"""Points: starts in the first column that round to one multiple of it are one depth; a line further left than its row's
first line by more is outdented, as a heading is. Set by judgement."""
_SPACE = 0.25
"""Type sizes: the space reckoned before a word to see whether it had room on the line above. Set by judgement."""
_SLACK = 0.5
"""The share of that space by which a word that had room may fall short of the column's edge and still count as one that
had none. Added with ``test_tables_of_every_style_are_read``; set by judgement."""
_MOST_WHOLE = 0.9
"""The share of steps of at least a line's height from which on those that are less are left out. Set by judgement."""
_LONG_CELL = 3
"""Count of words in a cell from which on it is text, whose next line may have as many cells as its first. Set by
judgement."""
_OPEN_ENDS = ("±", "×", "+", "=", "/", "–", ",", ";")

Filled = dict[int, Run]
"""The runs of a text row by the first column that they stand in."""


def fill(row: TextRow, columns: Columns) -> Filled:
    """The runs of a row by column; runs that share a first column are put together."""
    filled: Filled = {}
    for run, first, _ in columns.place(row):
        if first in filled:
            here = filled[first]
            filled[first] = Run([*here.words, *run.words], here.x0, max(here.x1, run.x1))
        else:
            filled[first] = run
    return filled


def group_rows(rows: Sequence[TextRow], columns: Columns) -> list[list[int]]:
    """The indices of ``rows`` in groups, each a row of cells.

    Where the room between rows of cells is wider than within them, the room decides; else a line belongs to the row
    above when each of its cells runs on: its first word did not fit on the line before.
    """
    if not rows:
        return []
    cells = [fill(row, columns) for row in rows]
    centred = centred_groups(rows, cells)
    if centred is not None:
        return centred
    edges = _edges(cells, columns.count)
    steps = [lower.baseline - upper.baseline for upper, lower in pairwise(rows)]
    by_room = _by_room(steps, cells, rows, edges)
    sparse = _sparse_rows(cells)
    groups: list[list[int]] = [[0]]
    for index in range(1, len(rows)):
        joined = by_room[index - 1] if by_room else _runs_on(groups[-1], index, cells, edges, rows, steps)
        if joined and not (sparse and not by_room and all(_is_fresh(run) for run in cells[index].values())):
            groups[-1].append(index)
        else:
            groups.append([index])
    return groups


def _sparse_rows(cells: Sequence[Filled]) -> bool:
    """Whether lines with missing cells are so few, and entries so surely start with a capital, that one which does so
    is a row with nothing in some columns rather than the rest of the row above."""
    widest = max(len(row) for row in cells)
    partial = sum(len(row) < widest for row in cells)
    names = [row[0] for row in cells if 0 in row]
    return partial <= _FEW * len(cells) and sum(_is_fresh(run) for run in names) >= _MOST * len(names)


def _is_fresh(run: Run) -> bool:
    """Whether a cell starts with a capital or a digit."""
    return run.text[:1].isupper() or run.text[:1].isdigit()


def _edges(cells: Sequence[Filled], count: int) -> list[tuple[float, float]]:
    """The right edge and the greatest width of each column's runs."""
    edges: list[tuple[float, float]] = []
    for column in range(count):
        runs = [row[column] for row in cells if column in row]
        edges.append((max((r.x1 for r in runs), default=0.0), max((r.x1 - r.x0 for r in runs), default=0.0)))
    return edges


def _by_room(
    steps: Sequence[float], cells: Sequence[Filled], rows: Sequence[TextRow], edges: Sequence[tuple[float, float]]
) -> list[bool] | None:
    """For each step whether it stays in a row of cells, None where the room between lines does not tell.

    Steps of two clear sizes are the leading within cells and the room between rows, mostly but not always the smaller
    and the larger: how many lines could carry on the lines above them decides. A few lines side by side tell nothing.
    """
    least = WHOLE_LINE * rows[0].size
    whole = [step for step in steps if step >= least]
    if len(whole) < _MOST_WHOLE * len(steps):
        whole, least = list(steps), 0.0
    parting = _parting(whole)
    if parting is None or min(whole) > _LEADING * rows[0].size:
        return None
    close = [step < parting for step in steps]
    near = [index + 1 for index, joined in enumerate(close) if joined and steps[index] >= least]
    far = [index + 1 for index, joined in enumerate(close) if not joined]
    carried_near, carried_far = (
        sum(_carries_on(cells[index - 1], cells[index], edges, rows[index].size) for index in part)
        for part in (near, far)
    )
    even = max(steps) < _LEADING * rows[0].size
    if even and carried_far >= _MOST * len(far) and carried_near < _SOME * len(near):
        return [not joined for joined in close]
    fitting = sum(_may_run_on(cells[index - 1], cells[index]) for index in near)
    clear = parting > _CLEARLY * min(whole) or carried_near >= _MOST * len(near)
    return close if clear and fitting >= _FIT * len(near) and carried_far < _SOME * len(far) else None


def _parting(steps: Sequence[float]) -> float | None:
    """The size between the two sizes of step, None where they are not of two sizes.

    Of three clear sizes the least is that between lines: the widest parts groups of rows.
    """
    ordered = sorted(steps)
    jumps = [(after - before, before, after) for before, after in pairwise(ordered)]
    if not jumps:
        return None
    clear = (each for each in jumps if each[2] > _FARTHER * each[1] > 0)
    jump, before, after = next(clear, max(jumps))
    if after < _FARTHER * before and len(steps) < _MANY_STEPS:
        return None
    tight = before - ordered[0] <= _SPREAD * jump
    return (before + after) / 2 if tight and after > _WIDER * before else None


def _may_run_on(above: Filled, here: Filled) -> bool:
    """Whether a line could belong to the row above it: no number under a number, no more cells than above."""
    if any(column in above and _both_numbers(above[column], run) for column, run in here.items()):
        return False
    return len(here) < len(above) or len(above) == 1 or all(len(run.words) >= _LONG_CELL for run in above.values())


def _both_numbers(above: Run, here: Run) -> bool:
    """Whether a number stands under a number that is complete."""
    return not is_open(above.text) and is_number(above.text) and is_number(here.text)


def stacks_numbers(lines: Sequence[Filled]) -> bool:
    """Whether a number stands under a number that is complete, in lines that follow each other."""
    return any(
        column in above and _both_numbers(above[column], run)
        for above, here in pairwise(lines)
        for column, run in here.items()
    )


def is_open(text: str) -> bool:
    """Whether a cell's line ends within a number or within brackets, so that the next line must carry it on."""
    return text.endswith(_OPEN_ENDS) or text.count("(") > text.count(")") or text.count("[") > text.count("]")


def one_row(rows: Sequence[TextRow], columns: Columns) -> bool:
    """Whether lines could be those of one row: the first fills most columns, no number stands under another."""
    cells = [fill(row, columns) for row in rows]
    first = cells[0]
    return all(
        len(here) < max(len(first), 2) and not any(c in first and _both_numbers(first[c], r) for c, r in here.items())
        for here in cells[1:]
    )


def _runs_on(
    group: Sequence[int],
    index: int,
    cells: Sequence[Filled],
    edges: Sequence[tuple[float, float]],
    rows: Sequence[TextRow],
    steps: Sequence[float],
) -> bool:
    """Whether line ``index`` carries on the cells of ``group``."""
    here, above, first = cells[index], cells[index - 1], cells[group[0]]
    if steps[index - 1] > max(_FARTHER * min(steps), _LEADING * rows[index].size):
        return False
    if not set(here) <= set(above) or (_flush_left(cells) and _outdented(here, first)):
        return False
    if len(here) >= len(first) and len(first) > 1 and not _all_long(group, cells):
        return False
    if not _may_run_on(first, here):
        return False
    return _carries_on(above, here, edges, rows[index].size) or (
        len(here) == 1 and _wrapped_before(next(iter(here)), index, cells)
    )


def _all_long(group: Sequence[int], cells: Sequence[Filled]) -> bool:
    return all(len(run.words) >= _LONG_CELL for run in cells[group[-1]].values())


def _expects_number(text: str) -> bool:
    """Whether a cell's line ends so that a number can carry it on."""
    return is_open(text) or text.endswith((",", "&", "and", "of", "to", "."))


def _flush_left(cells: Sequence[Filled]) -> bool:
    """Whether the first column is set to the left, at few depths."""
    starts = [row[0].x0 for row in cells if 0 in row]
    return len({round(start / _SAME_START) for start in starts}) <= max(3, len(starts) // 4)


def _outdented(here: Filled, first: Filled) -> bool:
    """Whether a line of the first column starts left of its row's first line, as a heading between rows does."""
    return 0 in here and 0 in first and len(first) > 1 and here[0].x0 < first[0].x0 - _SAME_START


def _carries_on(above: Filled, here: Filled, edges: Sequence[tuple[float, float]], size: float) -> bool:
    """Whether a line has fewer cells than the line above, or as many, and every one of them runs on from there."""
    if not here or not set(here) <= set(above):
        return False
    if any(is_number(run.text) and not _expects_number(above[column].text) for column, run in here.items()):
        return False
    return all(_wraps(above[column], run, edges[column], _SPACE * size) for column, run in here.items())


def _wraps(above: Run, here: Run, edge: tuple[float, float], space: float) -> bool:
    """Whether the first word of ``here`` had no room at the end of ``above``, or a hyphen broke it."""
    word = here.words[0]
    needed = space + word.x1 - word.x0
    right, width = edge
    hyphen = above.words[-1].text.endswith("-") and word.text[:1].islower()
    slack = _SLACK * space
    return hyphen or above.x1 + needed > right - slack or above.x1 - above.x0 + needed > width - slack


def _wrapped_before(column: int, index: int, cells: Sequence[Filled]) -> bool:
    """Whether a lone cell of the first column follows another that carried a row of several cells on."""
    if column != 0 or index < 2:
        return False
    return set(cells[index - 1]) == {column} and len(cells[index - 2]) > 1
