"""Bands: filled shapes that run along x between a lower and an upper edge."""

from collections.abc import Sequence

import numpy as np

from pincite_figures.plots.paths import Part, Points, Shape, meet
from pincite_figures.plots.strokes import is_rectangle
from pincite_figures.plots.traces import WHITE, Floats, Look, SeriesKind, Trace
from pincite_papers.model import Rect

_LEAST_NODES = 4
"""Count: a filled shape of fewer nodes is not a band. Set by judgement."""
_LEAST_WIDTH = 12.0
"""Points along x: a narrower filled shape is not a band. Set by judgement."""
_BACK = 0.35
"""Points along x: an edge that runs back by more in one step folds, and the shape is not a band. Set by judgement."""


def find_bands(
    shapes: Sequence[tuple[int, Shape]], area: Rect, taken: set[tuple[int, int]]
) -> tuple[list[Trace], set[tuple[int, int]], int]:
    """The bands of an area, their parts, and how many other large filled shapes there are, which nothing reads."""
    traces: list[Trace] = []
    used: set[tuple[int, int]] = set()
    others = 0
    for number, shape in shapes:
        if shape.fill is None or shape.fill == WHITE:
            continue
        for k, part in enumerate(shape.parts):
            if (number, k) in taken or len(part.points) < _LEAST_NODES:
                continue
            if np.ptp(part.points[:, 0]) < _LEAST_WIDTH:
                continue
            box = meet(area, shape.clip) if shape.clip is not None else area
            edges = None if is_rectangle(part) else _edges(part)
            if edges is None:
                others += 1
                continue
            used.add((number, k))
            trace = _trace(edges, box, shape, number)
            if trace is not None:
                traces.append(trace)
    return traces, used, others


def _edges(part: Part) -> tuple[Floats, Floats, Floats] | None:
    """The x of all nodes of a band and its two edges there; None for a shape that folds back along x."""
    nodes = part.points
    if np.abs(nodes[0] - nodes[-1]).max() < 1e-6:
        nodes = nodes[:-1]
    first, last = int(nodes[:, 0].argmin()), int(nodes[:, 0].argmax())
    around = np.roll(nodes, -first, axis=0)
    turn = (last - first) % len(nodes)
    sides = around[: turn + 1], np.concatenate((around[turn:], around[:1]))[::-1]
    if min(len(side) for side in sides) < 2 or any((np.diff(side[:, 0]) < -_BACK).any() for side in sides):
        return None
    xs = np.unique(np.round(nodes[:, 0], 4))
    if any((np.diff(side[:, 0]) < 1e-4).any() for side in sides):
        xs = np.sort(np.concatenate((xs - 2e-4, xs + 2e-4)))
    one, other = (_at(side, xs) for side in sides)
    return xs, np.minimum(one, other), np.maximum(one, other)


def _at(side: Points, xs: Floats) -> Floats:
    order = np.maximum.accumulate(side[:, 0])
    return np.interp(xs, order, side[:, 1])


def _trace(edges: tuple[Floats, Floats, Floats], box: Rect, shape: Shape, number: int) -> Trace | None:
    xs, top, bottom = edges
    inside = (xs >= box.x0 - 0.1) & (xs <= box.x1 + 0.1) & (bottom >= box.y0) & (top <= box.y1)
    if inside.sum() < 2:
        return None
    xs, top, bottom = xs[inside], np.maximum(top[inside], box.y0), np.minimum(bottom[inside], box.y1)
    points = np.stack((xs, (top + bottom) / 2), axis=1)
    trace = Trace(SeriesKind.BAND, Look(face=shape.fill), points, number)
    trace.y_span = np.stack((bottom, top), axis=1)
    return trace
