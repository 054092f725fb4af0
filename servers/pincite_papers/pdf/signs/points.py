"""Points: decimal points that a page draws as small shapes between the digits of a number (Hindawi)."""

import numpy as np
import numpy.typing as npt

from pincite_papers.model import Rect
from pincite_papers.pdf.glyphs import Glyphs

_SPACE, _POINT = 0x20, 0x2E
"""Codes of the blank and of the full stop."""
_SMALLEST, _LARGEST = 0.05, 0.2
"""Type sizes of the sides of a drawn point: less is a speck, more a bullet or a marker. Set by judgement; Hindawi's
have 0.1."""
_OFF = 0.06
"""Type sizes from the foot of a point to the baseline at most: a raised one multiplies. Set by judgement."""
_WIDEST = 0.8
"""Type sizes of white between the digits on both sides at most; a wider one parts two numbers. Set by judgement."""
_NARROWEST = 0.15
"""Type sizes of white between the digits on both sides at least: a point with its room needs as much. Set by
judgement."""


def set_points(glyphs: Glyphs, drawings: list[Rect]) -> None:
    """Write a point that is drawn between two digits into the space that PDFium sees there, and take it out of
    ``drawings``; where it sees none, the digits are suspect."""
    gaps = _gaps_in_numbers(glyphs)
    if not gaps or not drawings:
        return
    largest = _LARGEST * max(float(glyphs.ink.sizes.max()), 0.1)
    small = [box for box in drawings if box.x1 - box.x0 <= largest and box.y1 - box.y0 <= largest]
    edges = np.array([(box.x0, box.y0, box.x1, box.y1) for box in small]).reshape(-1, 4)
    free = np.ones(len(small), dtype=bool)
    for before, after in gaps:
        fitting = free & _are_points(glyphs, before, after, edges)
        if not fitting.any():
            continue
        place = int(fitting.argmax())
        free[place] = False
        point = small[place]
        drawings.remove(point)
        if after - before == 1:
            glyphs.suspects[[before, after]] = True
            continue
        glyphs.codes[before + 1] = _POINT
        glyphs.boxes[before + 1] = point.x0, point.y0, point.x1, point.y1
        glyphs.runs[before + 1] = glyphs.runs[before]


def _gaps_in_numbers(glyphs: Glyphs) -> list[tuple[int, int]]:
    """The places of two digits with white between them, where a point may stand: neighbours or a space apart."""
    if not glyphs.objects:
        return []
    found: list[tuple[int, int]] = []
    digits = (glyphs.codes >= 0x30) & (glyphs.codes <= 0x39) & (glyphs.runs >= 0)
    for step in (1, 2):
        both = digits[:-step] & digits[step:]
        if step > 1:
            both &= glyphs.codes[1:-1] == _SPACE
        places = np.flatnonzero(both)
        found += [(k, k + step) for k in places[_are_apart(glyphs, places, places + step)].tolist()]
    return found


def _are_apart(glyphs: Glyphs, before: npt.NDArray[np.int64], after: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Which pairs stand on one baseline with room for a point between them."""
    sizes = np.maximum(glyphs.ink.sizes[glyphs.runs[before]], 0.1)
    baselines = glyphs.ink.origins[:, 1]
    level = np.abs(baselines[glyphs.runs[before]] - baselines[glyphs.runs[after]]) < _OFF * sizes
    white = (glyphs.boxes[after, 0] - glyphs.boxes[before, 2]) / sizes
    return level & (white > _NARROWEST) & (white < _WIDEST)


def _are_points(glyphs: Glyphs, before: int, after: int, edges: npt.NDArray[np.float64]) -> npt.NDArray[np.bool_]:
    """Which drawings (rows of x0, y0, x1, y1) are small shapes on the baseline between two digits."""
    run = int(glyphs.runs[before])
    size = max(float(glyphs.ink.sizes[run]), 0.1)
    sides = (edges[:, 2:] - edges[:, :2]) / size
    between = (glyphs.boxes[before, 2] <= edges[:, 0]) & (edges[:, 2] <= glyphs.boxes[after, 0])
    on_line = np.abs(float(glyphs.ink.origins[run, 1]) - edges[:, 3]) < _OFF * size
    return between & on_line & (sides.min(axis=1) > _SMALLEST) & (sides.max(axis=1) < _LARGEST)
