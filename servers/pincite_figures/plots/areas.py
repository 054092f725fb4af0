"""Areas: the plot areas of a figure, each bounded by its calibrated axes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pincite_figures.plots.axes import Axis, AxisLine, axis_lines, calibrate, grid_bounds, number_labels
from pincite_figures.plots.labels import Label
from pincite_figures.plots.numbers import decimal_comma
from pincite_figures.plots.strokes import Strokes
from pincite_papers.model import Rect

_CORNER = 1.6
"""Points: two lines whose ends are no further apart meet in a corner and bound an area. Set by judgement."""
_SAME = 2.0
"""Points: boxes whose edges differ by no more are one area; an inset may lie so far out of its area. Set by
judgement."""
_DETACHED = 32.0
"""Points: an axis that no line bounds belongs to an area, or to another such axis, no further away. Set by
judgement."""
_SHARED = 1.2
"""Points: areas whose edges differ by no more along a direction may share an axis. Set by judgement."""
_OFF_TICKS = 0.12
"""Ticks start on their own axis; those that start further from a line, in points, are another one's that it crosses."""
_LEAST_NAMED = 3
"""Count of ticks: a line with fewer is not an axis of names. Set by judgement."""
_LONGEST_TICK = 16.0
"""Points: a longer stroke is not a tick; as in ``axes``."""
_COVERED = 0.4
"""Labels spread over less of a line than this share are first taken for those of a shorter one beside it."""


@dataclass(slots=True, eq=False)
class Area:
    """A plot area: its box in points, its x and y axes (none where that direction has no numbers).

    ``detached`` is True where the axes do not bound the data (lines that cross in the middle, or stand off).
    """

    box: Rect
    x_axes: list[Axis] = field(default_factory=list[Axis])
    y_axes: list[Axis] = field(default_factory=list[Axis])
    detached: bool = False
    insets: list["Area"] = field(default_factory=list["Area"])
    inset: bool = False

    @property
    def axes(self) -> list[Axis]:
        """All its axes."""
        return [*self.x_axes, *self.y_axes]


def find_areas(level: Strokes, upright: Strokes, labels: Sequence[Label]) -> list[Area]:
    """The plot areas of a figure with at least one calibrated axis, from the top left one on."""
    across, down = axis_lines(level, level=True), axis_lines(upright, level=False)
    more = grid_bounds(across, down)
    across, down = [*across, *more[0]], [*down, *more[1]]
    numbers = number_labels(labels)
    comma = decimal_comma(label.text for label in numbers)
    found = [axis for line in across if (axis := calibrate(line, upright, numbers, comma=comma))]
    found += [axis for line in down if (axis := calibrate(line, level, numbers, comma=comma))]
    axes = _accept(found)
    areas: list[Area] = []
    loose: list[Axis] = []
    for axis in axes:
        box = _bounded(axis, down if axis.line.level else across)
        if box is None:
            loose.append(axis)
        else:
            _put(areas, box, axis)
    left = _pair(areas, loose)
    areas += name_areas(left, (across, down), (level, upright), labels)
    _share(areas, labels)
    for area in areas:
        area.x_axes.sort(key=lambda axis: -axis.line.at)
        area.y_axes.sort(key=lambda axis: axis.line.at)
    areas.sort(key=lambda area: (round(area.box.y0 / 20), area.box.x0))
    for area in areas:
        area.insets = [other for other in areas if other is not area and _inside(other.box, area.box)]
        for other in area.insets:
            other.inset = True
    return areas


def _accept(found: list[Axis]) -> list[Axis]:
    """The axes whose labels no better axis has: those with ticks first, then those nearest to their labels."""
    kept: list[Axis] = []
    taken: set[int] = set()
    for axis in sorted(
        found,
        key=lambda axis: (
            axis.basis.name != "TICKS",
            not axis.line.drawn,
            axis.off > _OFF_TICKS,
            _covered(axis) < _COVERED,
            abs(axis.gap),
            -axis.line.high + axis.line.low,
        ),
    ):
        own = {id(label) for label in axis.labels}
        if len(own & taken) * 2 < len(own):
            kept.append(axis)
            taken |= own
    return kept


def _covered(axis: Axis) -> float:
    """The share of an axis along which its labels spread."""
    at = [label.x if axis.line.level else label.y for label in axis.labels]
    return (max(at) - min(at)) / max(axis.line.high - axis.line.low, 1e-9)


def _bounded(axis: Axis, others: Sequence[AxisLine]) -> Rect | None:
    """The box that an axis bounds with a line across one of its ends, if there is one on the side off its labels."""
    line = axis.line
    boxes: list[tuple[bool, bool, float, float]] = []
    for other in others:
        if min(abs(other.at - line.low), abs(other.at - line.high)) > _CORNER:
            continue
        if abs(other.high - line.at) <= _CORNER:
            boxes.append((axis.side < 0, not other.drawn, other.low - other.high, other.low))
        elif abs(other.low - line.at) <= _CORNER:
            boxes.append((axis.side > 0, not other.drawn, other.low - other.high, other.high))
    if not boxes:
        return None
    end = min(boxes)[3]
    low, high = sorted((line.at, end))
    return Rect(line.low, low, line.high, high) if line.level else Rect(low, line.low, high, line.high)


def _put(areas: list[Area], box: Rect, axis: Axis) -> None:
    for area in areas:
        if _alike(area.box, box):
            _add(area, axis)
            return
    area = Area(box)
    _add(area, axis)
    areas.append(area)


def _add(area: Area, axis: Axis) -> None:
    """Add an axis unless the area has one of the same scale (labels on both sides)."""
    axes = area.x_axes if axis.line.level else area.y_axes
    for other in axes:
        ends = [axis.line.low, axis.line.high]
        apart = abs(other.scale.positions(axis.scale.values(ends)) - ends) if _fits(other, axis, ends) else [1e9]
        if max(apart) < 1.5:
            return
    axes.append(axis)


def _fits(other: Axis, axis: Axis, ends: list[float]) -> bool:
    """Whether the values of an axis' ends exist on another one's scale."""
    return other.scale.kind == axis.scale.kind or bool((axis.scale.values(ends) > 0).all())


def _pair(areas: list[Area], loose: list[Axis]) -> list[Axis]:
    """Axes that no line bounds: added to the area they stand at, else paired with each other; those that are left."""
    for axis in list(loose):
        fitting = [area for area in areas if _stands_at(axis, area.box)]
        if fitting:
            _add(min(fitting, key=lambda area: _offset(axis, area.box)), axis)
            loose.remove(axis)
    across = [axis for axis in loose if axis.line.level]
    down = [axis for axis in loose if not axis.line.level]
    pairs = [(_distance(x.line, y.line), i, j) for i, x in enumerate(across) for j, y in enumerate(down)]
    used: tuple[set[int], set[int]] = (set(), set())
    for distance, i, j in sorted(pairs):
        x, y = across[i], down[j]
        if distance > max(_DETACHED, _step(x), _step(y)) or i in used[0] or j in used[1]:
            continue
        used[0].add(i)
        used[1].add(j)
        box = Rect(x.line.low, y.line.low, x.line.high, y.line.high)
        areas.append(Area(box, [x], [y], detached=True))
    rest = [axis for i, axis in enumerate(across) if i not in used[0]]
    return rest + [axis for j, axis in enumerate(down) if j not in used[1]]


def name_areas(
    loose: Sequence[Axis],
    lines: tuple[Sequence[AxisLine], Sequence[AxisLine]],
    strokes: tuple[Strokes, Strokes],
    labels: Sequence[Label],
) -> list[Area]:
    """The areas of axes that only a line with ticks and names goes with, as R draws bars without a frame.

    ``lines`` and ``strokes`` are the level and the upright ones. An area reaches half a step beyond the outer ticks.
    """
    areas: list[Area] = []
    for axis in loose:
        level = axis.line.level
        for line in lines[1 if level else 0]:
            ticks = _tick_places(line, strokes[0 if level else 1])
            if not line.drawn or len(ticks) < _LEAST_NAMED:
                continue
            step = float(np.median(np.diff(ticks)))
            apart = _distance(axis.line, line) if level else _distance(line, axis.line)
            even = np.ptp(np.diff(ticks)) < 0.1 * step
            at_ends = max(abs(ticks[0] - line.low), abs(ticks[-1] - line.high)) <= _CORNER
            if apart > max(_DETACHED, step) or not even or not at_ends:
                continue
            box = _named_box(axis, line, step / 2)
            if _has_labels(box, labels, level=line.level):
                areas.append(Area(box, [axis] if level else [], [] if level else [axis], detached=True))
                break
    return areas


def _tick_places(line: AxisLine, crossing: Strokes) -> npt.NDArray[np.float64]:
    """Where short strokes start on a line, on its outer side: below a level one, to the left of an upright one."""
    ends = crossing.low if line.level else crossing.high
    on = (np.abs(ends - line.at) <= _SHARED) & (crossing.length <= _LONGEST_TICK) & crossing.drawn
    on &= (crossing.at >= line.low - _CORNER) & (crossing.at <= line.high + _CORNER)
    return np.unique(np.round(crossing.at[on], 1))


def _named_box(axis: Axis, line: AxisLine, more: float) -> Rect:
    """The box that an axis and a line with names bound, ``more`` longer than the line at both ends."""
    low, high = min(axis.line.low, line.at), max(axis.line.high, line.at)
    near, far = line.low - more, line.high + more
    if axis.line.level:
        return Rect(low, min(near, axis.line.at), high, max(far, axis.line.at))
    return Rect(min(near, axis.line.at), low, max(far, axis.line.at), high)


def _step(axis: Axis) -> float:
    """How far apart, in points, the labels of an axis stand: R ends an axis at its last label, short of its area."""
    at = sorted(label.x if axis.line.level else label.y for label in axis.labels)
    return max((b - a for a, b in pairwise(at)), default=0.0)


def _stands_at(axis: Axis, box: Rect) -> bool:
    low, high, near, far = (box.x0, box.x1, box.y0, box.y1) if axis.line.level else (box.y0, box.y1, box.x0, box.x1)
    same = abs(axis.line.low - low) <= _DETACHED and abs(axis.line.high - high) <= _DETACHED
    return same and near - _DETACHED <= axis.line.at <= far + _DETACHED


def _offset(axis: Axis, box: Rect) -> float:
    near, far = (box.y0, box.y1) if axis.line.level else (box.x0, box.x1)
    return min(abs(axis.line.at - near), abs(axis.line.at - far))


def _distance(x: AxisLine, y: AxisLine) -> float:
    """How far two axes stand apart: 0 where they cross."""
    return max(y.low - x.at, x.at - y.high, 0.0) + max(x.low - y.at, y.at - x.high, 0.0)


def _share(areas: list[Area], labels: Sequence[Label]) -> None:
    """Give an area without labels along one direction those of the nearest area of exactly the same range."""
    own = [(area, list(area.x_axes), list(area.y_axes)) for area in areas]
    for area in areas:
        for level in (True, False):
            if (area.x_axes if level else area.y_axes) or _has_labels(area.box, labels, level=level):
                continue
            given: list[tuple[float, Axis]] = []
            for other, x_axes, y_axes in own:
                if other is not area and _aligned(area.box, other.box, level=level):
                    apart = abs(other.box.y0 - area.box.y0) + abs(other.box.x0 - area.box.x0)
                    axes = x_axes if level else y_axes
                    given += [(apart, axis) for axis in axes if _is_outward(axis, other.box, area.box)]
            if given:
                axis = min(given, key=lambda pair: pair[0])[1]
                copy = Axis(
                    axis.line, axis.scale, axis.labels, axis.ticks, axis.side, axis.gap, axis.basis, shared=True
                )
                (area.x_axes if level else area.y_axes).append(copy)


def _is_outward(axis: Axis, own: Rect, other: Rect) -> bool:
    """Whether an area that shares an axis lies on the side off its labels: shared ones stand on the outer side."""
    step = other.y0 - own.y0 if axis.line.level else other.x0 - own.x0
    return step * axis.side < 0


def _has_labels(box: Rect, labels: Sequence[Label], *, level: bool) -> bool:
    """Whether an area prints words or numbers of its own below it or to its left, which no scale explains."""
    count = 0
    for label in labels:
        if level:
            count += -1 <= label.box.y0 - box.y1 <= 1.2 * label.size + 4 and box.x0 <= label.x <= box.x1
        elif not label.angle:
            count += -1 <= box.x0 - label.box.x1 <= 1.2 * label.size + 4 and box.y0 <= label.y <= box.y1
    return count >= 2


def _aligned(one: Rect, other: Rect, *, level: bool) -> bool:
    if level:
        return abs(one.x0 - other.x0) <= _SHARED and abs(one.x1 - other.x1) <= _SHARED
    return abs(one.y0 - other.y0) <= _SHARED and abs(one.y1 - other.y1) <= _SHARED


def _alike(one: Rect, other: Rect) -> bool:
    ends = ((one.x0, other.x0), (one.y0, other.y0), (one.x1, other.x1), (one.y1, other.y1))
    return all(abs(a - b) <= _SAME for a, b in ends)


def _inside(inner: Rect, outer: Rect) -> bool:
    within = inner.x0 >= outer.x0 - _SAME and inner.x1 <= outer.x1 + _SAME
    within = within and inner.y0 >= outer.y0 - _SAME and inner.y1 <= outer.y1 + _SAME
    smaller = (inner.x1 - inner.x0) * (inner.y1 - inner.y0) < 0.8 * (outer.x1 - outer.x0) * (outer.y1 - outer.y0)
    return within and smaller
