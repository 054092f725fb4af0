"""Writing: whether a page's text runs leftwards or downwards."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_papers.pdf.glyphs import Glyphs
from pincite_papers.pdf.scriptcodes import EAST_ASIAN, LEFTWARDS, is_east_asian, is_leftwards

_FEWEST = 3
"""East Asian characters of a page, or pairs of them one below the other: with fewer its text is taken to run level.
Set by judgement."""
_IN_COLUMN = 0.7
"""Type sizes from the middle of a downward column: level print that is nearer, such as figures, belongs to the
column. Set by judgement."""
_MOST_BESIDE = 1.4
"""Type sizes from character to the next beside it at most; further off it is in another column. Set by judgement."""
_SAME_PLACE = 0.3
"""Type sizes by which a glyph's middle may lie before that of the last one and still follow it, as figures side by
side do. Set by judgement."""
_OPEN_COLUMNS = 3
"""Columns, the latest ones, that a glyph may go on: PDFium mixes the starts of neighbours. Set by judgement."""
_BASELINE = 0.38
"""Type sizes from the middle of an upright character to the baseline that the column is given. Set by judgement."""
_ACROSS, _LEAST_STEP, _MOST_STEP = 0.5, 0.4, 2.2


def runs_leftwards(glyphs: Glyphs) -> bool:
    """Whether most letters of a page are of scripts that run from right to left."""
    if not glyphs.scripts & LEFTWARDS:
        return False
    leftwards = int(np.count_nonzero(is_leftwards(glyphs.codes)))
    codes = glyphs.codes
    latin = ((codes >= 0x41) & (codes <= 0x5A)) | ((codes >= 0x61) & (codes <= 0x7A))
    return leftwards > int(np.count_nonzero(latin))


def downward_runs(glyphs: Glyphs) -> npt.NDArray[np.bool_]:
    """Bool (text objects): those that print upright characters one below the other, where most of the page does."""
    down = np.zeros(len(glyphs.objects), np.bool_)
    if not glyphs.scripts & EAST_ASIAN or np.count_nonzero(is_east_asian(glyphs.codes)) <= _FEWEST:
        return down
    printed = np.flatnonzero(glyphs.runs >= 0)
    runs = glyphs.runs[printed]
    level = np.array([run.angle == 0 for run in glyphs.objects], np.bool_)[runs]
    size = np.array([max(run.style.size, 0.1) for run in glyphs.objects], np.float32)[runs]
    boxes = glyphs.boxes[printed]
    middle = (boxes[:, 0] + boxes[:, 2]) / 2
    across, along = np.diff(middle) / size[1:], np.diff((boxes[:, 1] + boxes[:, 3]) / 2) / size[1:]
    asian = is_east_asian(glyphs.codes[printed]) & level
    both = asian[1:] & asian[:-1]
    below = both & (np.abs(across) < _ACROSS) & (along > _LEAST_STEP) & (along < _MOST_STEP)
    beside = both & (np.abs(along) < _ACROSS) & (across > _LEAST_STEP / 2) & (across < _MOST_BESIDE)
    if np.count_nonzero(below) < max(_FEWEST, 2 * np.count_nonzero(beside)):
        return down
    down[runs[1:][below]] = True
    down[runs[:-1][below]] = True
    level_runs = np.zeros(len(down), np.bool_)
    level_runs[runs[1:][beside]] = level_runs[runs[:-1][beside]] = True
    alone = np.zeros(len(down), np.bool_)
    alone[runs[asian]] = True
    columns = np.sort(middle[down[runs]])
    after = np.minimum(np.searchsorted(columns, middle), len(columns) - 1)
    nearest = np.minimum(np.abs(columns[after] - middle), np.abs(columns[np.maximum(after - 1, 0)] - middle))
    down[runs[level & (nearest < _IN_COLUMN * size)]] = True
    down |= alone & ~level_runs
    return down


@dataclass(slots=True)
class _Column:
    """The glyphs of one column, by number, with the middle of their line and how far it has come."""

    glyphs: list[int]
    middle: float
    reached: float
    size: float


def align_columns(glyphs: Glyphs, down: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """Give downward runs, seen in the frame in which columns are lines, level print on one baseline a column.

    Int64 (n): the rank of each glyph in reading order: PDFium mixes the starts of neighbouring columns.
    """
    columns: list[_Column] = []
    numbers: list[int] = glyphs.runs.tolist()
    boxes: list[list[float]] = glyphs.boxes.tolist()
    for i, number in enumerate(numbers):
        if number < 0 or not down[number]:
            continue
        (x0, y0, x1, y1), size = boxes[i], glyphs.objects[number].style.size
        middle = (y0 + y1) / 2
        for column in columns[: -_OPEN_COLUMNS - 1 : -1]:
            level = abs(middle - column.middle) < _ACROSS * size and size < 1.5 * column.size < 3 * size
            if level and -_MOST_STEP * size < x0 - column.reached < _MOST_STEP * size:
                column.glyphs.append(i)
                column.reached = max(column.reached, x1)
                break
        else:
            columns.append(_Column([i], middle, x1, size))
    for column in columns:
        middle = float(np.median([(boxes[i][1] + boxes[i][3]) / 2 for i in column.glyphs]))
        for i in column.glyphs:
            run = glyphs.objects[numbers[i]]
            run.angle, run.y = 0.0, middle + _BASELINE * column.size
    ranks = np.arange(len(numbers), dtype=np.int64)
    read = [i for column in columns for i in _downwards(column, boxes)]
    ranks[read] = sorted(read)
    return ranks


def _downwards(column: _Column, boxes: list[list[float]]) -> list[int]:
    """The glyphs of a column from its start to its end; figures side by side stay as they came."""
    read: list[int] = []
    for i in column.glyphs:
        place = len(read)
        middle = (boxes[i][0] + boxes[i][2]) / 2
        while (
            place and (boxes[read[place - 1]][0] + boxes[read[place - 1]][2]) / 2 > middle + _SAME_PLACE * column.size
        ):
            place -= 1
        read.insert(place, i)
    return read
