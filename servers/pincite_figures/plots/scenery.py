"""Scenery: what a plot area draws that is not data: frame, ticks and grid."""

from collections import Counter

import numpy as np
import numpy.typing as npt

from pincite_figures.plots.areas import Area
from pincite_figures.plots.paths import Color, Shape
from pincite_figures.plots.strokes import Strokes

_EDGE = 1.1
"""Points: a line nearer to an edge or axis of an area is its frame, a short stroke that ends there its tick. Set by
judgement."""
_LONGEST_TICK = 16.0
"""Points: a stroke at an edge no longer than this may be a tick, a longer one a line of the frame. Set by judgement."""
_LEAST_GRID = 2
"""Count of places: so many lines of one style at ticks are a grid; a single one is only where it is pale grey. Set by
judgement."""
_WHOLE = 0.96
"""The share of an area's width or height: a shorter line is not one of a grid. Set by judgement."""

PartId = tuple[int, int]


def find_scenery(area: Area, shapes: list[Shape], level: Strokes, upright: Strokes) -> set[PartId]:
    """The parts that draw the frame, ticks and grid of an area."""
    found: set[PartId] = set()
    level, upright = _plain(level, shapes, area), _plain(upright, shapes, area)
    for own, other, is_level in ((level, upright, True), (upright, level, False)):
        found |= _frame_lines(area, own, level=is_level)
        found |= _grid_lines(area, own, shapes, level=is_level)
        found |= _ticks(area, other, shapes, level=is_level)
    return found


def _plain(strokes: Strokes, shapes: list[Shape], area: Area) -> Strokes:
    """The strokes that are a part of their own, or one of a part as large as the area: not the sides of bars."""
    keep = np.ones(len(strokes.at), np.bool_)
    box = area.box
    numbers: list[int] = strokes.shapes.tolist()
    places: list[int] = strokes.parts.tolist()
    for i, (number, k) in enumerate(zip(numbers, places, strict=True)):
        part = shapes[number].parts[k]
        if len(part.points) == 2:
            continue
        (x0, y0), (x1, y1) = part.points.min(0).tolist(), part.points.max(0).tolist()
        thin = min(x1 - x0, y1 - y0) <= 1.7
        whole = max(abs(x0 - box.x0), abs(y0 - box.y0), abs(x1 - box.x1), abs(y1 - box.y1)) <= 2.5
        keep[i] = thin or whole
    return strokes.take(keep)


def _edges(area: Area, *, level: bool) -> list[float]:
    """Where lines of a direction bound the area or carry its axes."""
    box = area.box
    edges = [box.y0, box.y1] if level else [box.x0, box.x1]
    axes = area.x_axes if level else area.y_axes
    return edges + [axis.line.at for axis in axes if not axis.shared]


def _along(area: Area, *, level: bool) -> tuple[float, float]:
    box = area.box
    return (box.x0, box.x1) if level else (box.y0, box.y1)


def _frame_lines(area: Area, strokes: Strokes, *, level: bool) -> set[PartId]:
    low, high = _along(area, level=level)
    edges = np.array(_edges(area, level=level))
    at_edge = (np.abs(strokes.at[:, None] - edges).min(1) <= _EDGE) & (strokes.length > _LONGEST_TICK)
    inside = (strokes.low >= low - 40) & (strokes.high <= high + 40) & (strokes.length >= 0.25 * (high - low))
    return _parts(strokes.take(at_edge & inside))


def _ticks(area: Area, strokes: Strokes, shapes: list[Shape], *, level: bool) -> set[PartId]:
    """Short strokes across the lines of a direction that touch an edge or an axis of it."""
    low, high = _along(area, level=level)
    found: set[PartId] = set()
    short = strokes.take((strokes.length <= _LONGEST_TICK) & (strokes.at >= low - _EDGE) & (strokes.at <= high + _EDGE))
    if not len(short.at):
        return found
    inks = _axis_inks(area, short, shapes, level=level)
    for edge in dict.fromkeys(_edges(area, level=level)):
        touching = (np.abs(short.low - edge) <= _EDGE) | (np.abs(short.high - edge) <= _EDGE)
        touching |= np.abs((short.low + short.high) / 2 - edge) <= _EDGE
        for number, part in _parts(short.take(touching)):
            color = shapes[number].stroke or shapes[number].fill
            if color in inks or color is None or max(color) - min(color) < 24:
                found.add((number, part))
    return found


def _axis_inks(area: Area, short: Strokes, shapes: list[Shape], *, level: bool) -> set[Color]:
    """The ink of most strokes at the ticks of each axis of an area."""
    inks: set[Color] = set()
    for axis in area.x_axes if level else area.y_axes:
        if not len(axis.ticks):
            continue
        touching = (short.low <= axis.line.at + _EDGE) & (short.high >= axis.line.at - _EDGE)
        own = short.take(touching)
        if not len(own.at):
            continue
        on_tick = np.abs(own.at[:, None] - axis.ticks[None, :2000]).min(1) < 0.1
        numbers: list[int] = own.shapes[on_tick].tolist()[:500]
        colors = [shapes[number].stroke or shapes[number].fill for number in numbers]
        inks |= {color for color, _ in Counter(colors).most_common(1) if color is not None}
    return inks


def _grid_lines(area: Area, strokes: Strokes, shapes: list[Shape], *, level: bool) -> set[PartId]:
    """Lines from side to side: several of one style, most of them at ticks; or a single one at a tick in grey."""
    low, high = _along(area, level=level)
    near, far = _along(area, level=not level)
    whole = (strokes.low <= low + 1.5) & (strokes.high >= high - 1.5) & (strokes.length <= 1.1 * (high - low) + 4)
    whole &= (strokes.at > near + _EDGE) & (strokes.at < far - _EDGE)
    whole &= strokes.drawn & (strokes.length >= _WHOLE * (high - low))
    lines = strokes.take(whole)
    axes = area.y_axes if level else area.x_axes
    ticks = np.concatenate([axis.ticks for axis in axes] or [np.array([], np.float64)])
    groups: dict[tuple[object, ...], list[int]] = {}
    numbers: list[int] = lines.shapes.tolist()
    for k, number in enumerate(numbers):
        shape = shapes[number]
        groups.setdefault((shape.stroke or shape.fill, round(shape.width, 1), shape.dash), []).append(k)
    found: set[PartId] = set()
    styles: set[tuple[object, ...]] = set()
    for style, members in groups.items():
        at = lines.at[members]
        on = np.abs(at[:, None] - ticks[None, :4000]).min(1) < 0.8 if len(ticks) else np.zeros(len(at), np.bool_)
        color = shapes[int(lines.shapes[members[0]])].stroke or shapes[int(lines.shapes[members[0]])].fill or (0, 0, 0)
        pale = min(color) >= 120 and max(color) - min(color) < 40
        many = len(set(np.round(at).tolist())) >= _LEAST_GRID
        if on.mean() >= 0.6 and (many or pale):
            found |= _parts(lines.take(np.array(members)))
            styles.add(style)
    return found | _interrupted(strokes, ticks, shapes, styles)


def _interrupted(
    strokes: Strokes, ticks: npt.NDArray[np.float64], shapes: list[Shape], styles: set[tuple[object, ...]]
) -> set[PartId]:
    """The pieces of grid lines that make room for a legend: strokes at ticks in the style of the grid."""
    if not styles or not len(ticks):
        return set()
    at_tick = strokes.take(np.abs(strokes.at[:, None] - ticks[None, :4000]).min(1) < 0.8)
    numbers: list[int] = at_tick.shapes.tolist()
    own = [
        ((shape := shapes[number]).stroke or shape.fill, round(shape.width, 1), shape.dash) in styles
        for number in numbers
    ]
    return _parts(at_tick.take(np.array(own, np.bool_)))


def _parts(strokes: Strokes) -> set[PartId]:
    return set(zip(strokes.shapes.tolist(), strokes.parts.tolist(), strict=True))
