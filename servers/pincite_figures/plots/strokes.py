"""Strokes: the level and upright straight lines of a figure, of which axes, ticks, grids and error bars are made."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pincite_figures.plots.paths import Part, Shape
from pincite_papers.model import Rect

_STRAIGHT = 0.3
"""Points by which the ends of a level or upright line longer than this may differ across it (shorter ones: by 0.02).
Set by judgement."""
_THIN = 1.7
"""Points: a filled rectangle no wider than this and longer than this is a line. Set by judgement."""
_EXACT = 0.05
"""Points: a node further from the sides of its box makes a path something else than a rectangle. Set by judgement."""
_MOST_NODES = 6
"""Count: a path of more nodes is a curve, not strokes or a rectangle. Set by judgement."""
_LARGE = 36.0
"""Points: a filled rectangle no narrower than this either way may bound a plot: its sides are lines. Set by
judgement."""

Floats = npt.NDArray[np.float64]


@dataclass(slots=True)
class Strokes:
    """The n lines of one direction: ``at`` across it, ``low`` to ``high`` along it, in points; their ``shapes``.

    ``drawn`` is False for the sides of filled areas, which bound a plot but are not lines.
    """

    at: Floats
    low: Floats
    high: Floats
    shapes: npt.NDArray[np.int64]
    parts: npt.NDArray[np.int64]
    drawn: npt.NDArray[np.bool_]

    @property
    def length(self) -> Floats:
        """How long each line is."""
        return self.high - self.low

    def take(self, which: npt.NDArray[np.bool_] | npt.NDArray[np.int64]) -> "Strokes":
        """Some of the lines."""
        at, low, high = self.at[which], self.low[which], self.high[which]
        return Strokes(at, low, high, self.shapes[which], self.parts[which], self.drawn[which])


def find_strokes(shapes: Sequence[Shape]) -> tuple[Strokes, Strokes]:
    """The level and the upright lines of ``shapes``; curves of more than a few nodes are left out."""
    rows: tuple[list[tuple[float, ...]], list[tuple[float, ...]]] = ([], [])
    for number, shape in enumerate(shapes):
        for k, part in enumerate(shape.parts):
            if len(part.points) > _MOST_NODES or part.curved:
                continue
            if shape.stroke is not None:
                _add_sides(part, number, k, rows, drawn=True)
            elif shape.fill is not None:
                _add_filled(part, number, k, rows)
    return _strokes(rows[0]), _strokes(rows[1])


def _add_sides(
    part: Part, number: int, k: int, rows: tuple[list[tuple[float, ...]], list[tuple[float, ...]]], *, drawn: bool
) -> None:
    nodes: list[list[float]] = part.points.tolist()
    if part.closed and nodes[0] != nodes[-1]:
        nodes.append(nodes[0])
    for (xa, ya), (xb, yb) in pairwise(nodes):
        wide, high = abs(xb - xa), abs(yb - ya)
        if high <= _STRAIGHT < wide or (high < 0.02 and wide > 0.1):
            rows[0].append(((ya + yb) / 2, min(xa, xb), max(xa, xb), number, k, drawn))
        elif wide <= _STRAIGHT < high or (wide < 0.02 and high > 0.1):
            rows[1].append(((xa + xb) / 2, min(ya, yb), max(ya, yb), number, k, drawn))


def _add_filled(part: Part, number: int, k: int, rows: tuple[list[tuple[float, ...]], list[tuple[float, ...]]]) -> None:
    """A thin filled rectangle is a line; the sides of a large one may bound a plot."""
    if not is_rectangle(part):
        return
    (x0, y0), (x1, y1) = part.points.min(0).tolist(), part.points.max(0).tolist()
    if y1 - y0 <= _THIN < x1 - x0:
        rows[0].append(((y0 + y1) / 2, x0, x1, number, k, True))
    elif x1 - x0 <= _THIN < y1 - y0:
        rows[1].append(((x0 + x1) / 2, y0, y1, number, k, True))
    elif min(x1 - x0, y1 - y0) >= _LARGE:
        _add_sides(part, number, k, rows, drawn=False)


def is_rectangle(part: Part) -> bool:
    """Whether a closed or filled subpath is a rectangle with level and upright sides."""
    if part.curved or not 4 <= len(part.points) <= _MOST_NODES:
        return False
    nodes: list[list[float]] = part.points.tolist()
    xs, ys = [x for x, _ in nodes], [y for _, y in nodes]
    left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
    corners: set[tuple[bool, bool]] = set()
    for x, y in nodes:
        at_left, at_top = x - left < _EXACT, y - top < _EXACT
        if not (at_left or right - x < _EXACT) or not (at_top or bottom - y < _EXACT):
            return False
        corners.add((at_left, at_top))
    return len(corners) == 4


def rectangle(part: Part) -> Rect:
    """The box of a subpath."""
    return Rect(*part.points.min(0).tolist(), *part.points.max(0).tolist())


def drawn_minuses(shapes: Sequence[Shape]) -> list[Rect]:
    """The boxes of small filled bars that may be minus signs: some programs draw what a font lacks as a shape."""
    found: list[Rect] = []
    for shape in shapes:
        if shape.stroke is None and shape.fill is not None and len(shape.parts) == 1 and is_rectangle(shape.parts[0]):
            box = shape.box
            wide, high = box.x1 - box.x0, box.y1 - box.y0
            if 0.8 <= wide <= 16 and 0.1 <= high <= 0.3 * wide:
                found.append(box)
    return found


def _strokes(rows: list[tuple[float, ...]]) -> Strokes:
    table = np.array(rows, np.float64).reshape(-1, 6)
    numbers = table[:, 3].astype(np.int64), table[:, 4].astype(np.int64)
    return Strokes(table[:, 0], table[:, 1], table[:, 2], *numbers, table[:, 5] > 0)
