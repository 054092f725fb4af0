"""Arrows: shafts with a head at an end, and frames around words; what an area draws to explain, not as data."""

from collections.abc import Sequence

import numpy as np

from pincite_figures.plots.labels import Label
from pincite_figures.plots.paths import Part, Points, Shape
from pincite_figures.plots.traces import WHITE
from pincite_papers.model import Rect

_MOST_SHAFT_NODES = 5
"""Count: a line of more nodes is not the shaft of an arrow but a curve. Set by judgement."""
_MOST_HEAD_NODES = 14
"""Count: a shape of more nodes (or fewer than 3) is not the head of an arrow. Set by judgement."""
_LARGEST_HEAD = 16.0
"""Points; heads of matplotlib, gnuplot, TikZ and Origin span 2 to 12 at the sizes that papers print."""
_NEXT = 2
"""How many shapes lie between a shaft and its head in the stream at most."""
_TIP = 2.5
"""How far, in points, the end of a shaft lies from the tip of its head at most."""
_FORWARD = 0.35
"""How far a head reaches beyond the end of its shaft, as a share of its length; a marker reaches as far either way."""
_WORDY = 14.0
"""A frame around words has at most this many times their surface."""

PartId = tuple[int, int]


def find_arrows(shapes: Sequence[tuple[int, Shape]], taken: set[PartId]) -> set[PartId]:
    """The parts that draw annotation arrows: a line of few nodes with a small head at an end, drawn together."""
    parts = [
        (number, k, part)
        for number, shape in shapes
        if len(shape.parts) <= 4
        for k, part in enumerate(shape.parts)
        if (number, k) not in taken
    ]
    found: set[PartId] = set()
    for i, (number, k, shaft) in enumerate(parts):
        if shaft.closed or len(shaft.points) > _MOST_SHAFT_NODES or (number, k) in found:
            continue
        for other, j, head in parts[max(i - _NEXT, 0) : i + _NEXT + 1]:
            if (other, j) != (number, k) and abs(other - number) <= _NEXT and _is_head(head, shaft):
                found |= {(number, k), (other, j)}
    return found


def _is_head(head: Part, shaft: Part) -> bool:
    """Whether a small shape points onward from an end of a line."""
    nodes = head.points
    if not 3 <= len(nodes) <= _MOST_HEAD_NODES or np.ptp(nodes, axis=0).max() > _LARGEST_HEAD:
        return False
    ends = (shaft.points[0], shaft.points[1]), (shaft.points[-1], shaft.points[-2])
    return any(_points_on(nodes, tip, before) for tip, before in ends)


def _points_on(nodes: Points, tip: Points, before: Points) -> bool:
    step = tip - before
    length = float(np.hypot(*step))
    if length < 1.5 * float(np.ptp(nodes, axis=0).max()):
        return False
    along = (nodes - tip) @ step / length
    aside = np.abs((nodes - tip) @ np.array((-step[1], step[0])) / length)
    foremost = int(along.argmax())
    back = -float(along.min())
    near = float(np.hypot(*(nodes[foremost] - tip))) <= _TIP and aside[foremost] <= 0.3 * max(float(aside.max()), 0.1)
    return near and back > 1.0 and float(along.max()) <= _FORWARD * back


def find_frames(shapes: Sequence[tuple[int, Shape]], labels: Sequence[Label], taken: set[PartId]) -> set[PartId]:
    """The parts that frame words closely: round boxes, and rectangles without a colour of their own."""
    found: set[PartId] = set()
    level = [label for label in labels if not label.angle]
    for number, shape in shapes:
        if len(shape.parts) > 2:
            continue
        for k, part in enumerate(shape.parts):
            if (number, k) in taken or not part.closed or not 4 <= len(part.points) <= 40:
                continue
            if not part.curved and shape.fill not in (None, WHITE):
                continue
            low, high = part.points.min(0).tolist(), part.points.max(0).tolist()
            if any(_frames(Rect(*low, *high), label.box) for label in level):
                found.add((number, k))
    return found


def _frames(frame: Rect, words: Rect) -> bool:
    holds = frame.x0 <= words.x0 and frame.x1 >= words.x1 and frame.y0 <= words.y0 + 1 and frame.y1 >= words.y1 - 1
    surface = (frame.x1 - frame.x0) * (frame.y1 - frame.y0)
    return holds and surface <= _WORDY * max((words.x1 - words.x0) * (words.y1 - words.y0), 1.0)
