"""Axes: lines of a figure with ticks and numbers along them, calibrated."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from pincite_figures.plots.calibration import Scale, ScaleKind, fit_scale, fit_two
from pincite_figures.plots.labels import Label
from pincite_figures.plots.numbers import read_all, read_number
from pincite_figures.plots.strokes import Strokes

_LEAST_LENGTH = 28.0
"""Points: a shorter line is not an axis. Set by judgement."""
_MOST_LINES = 400
"""Count of lines of one direction, the longest, that are tried as axes (20 times as many before they are joined). A
bound on cost, set by judgement."""
_SAME_LINE = 0.5
"""Points across: lines that overlap and are no further apart are one. Set by judgement."""
_LONGEST_TICK = 16.0
"""Points: a stroke no longer than this that touches an axis is a tick, a longer one a grid line. Set by judgement."""
_TOUCH = 1.0
"""Points: a tick whose end or middle is no further from an axis, or that lies no further beyond its ends, is on it. Set
by judgement."""
_REACH = 3.4
"""In type sizes of the label, with 6 points more: a number further from a line is not a label of it. Set by
judgement."""
_LEVEL = 4.0
"""Degrees off level and upright: a label turned by more is slanted and may stand at its mark with either end. Set by
judgement."""
_MOST_MARKS = 4000
"""Count of ticks or grid lines of an axis: with more, labels are not fitted to them. A bound on cost, set by
judgement."""
_MOST_NUMBERS = 2000
"""Count of numbers of a figure that are read as labels; the rest are not. A bound on cost, set by judgement."""
_MOST_IN_ROW = 200
"""Count of labels beside a line: more are not those of one axis. A bound on cost, set by judgement."""
_WIDTHS = (0.7, 1.6, 4.0)
"""How far, in sizes, the edges of an axis' labels may differ: the narrowest that calibrates is taken."""

_BESIDE_MARK = 0.42
"""How far, in sizes, the middle of a level label stands off its mark at most: superscripts raise it by about 0.2."""
_LEAST_BETWEEN = 4
"""Count: with fewer ticks beyond one a label, those of a logarithmic axis are not held against its powers; from two
more than this in all, they may set it (test case ``_near_minor_ticks``). Set by judgement."""
_ON_DECADE = 0.6
"""How far, in points, the ticks between the labels of a logarithmic axis stand off the multiples of its powers."""
_MOST_ON_DECADES = 0.8
"""The share of all ticks that must stand there (``_ON_DECADE``): with less, the scale is refused. Set by judgement."""
_BETTER = 0.12
"""By how much, in sizes, labels stand nearer to grid lines than to ticks where the ticks are those between them."""

Floats = npt.NDArray[np.float64]


class Basis(StrEnum):
    """What marks the places of the labels on an axis."""

    TICKS = "ticks"
    GRID = "grid lines"
    LABELS = "label positions"


@dataclass(frozen=True, slots=True)
class AxisLine:
    """A line that may be an axis: level (an x axis) or upright, ``at`` across, ``low`` to ``high`` along, in points."""

    level: bool
    at: float
    low: float
    high: float
    drawn: bool = True


@dataclass(slots=True, eq=False)
class Axis:
    """A calibrated axis; ``side`` is 1 where its labels stand below or to the right of its line, else -1.

    ``gap`` is how far they stand off on average; ``title`` is printed beside it; ``multiplier`` is what it prints once
    for all its labels, already in ``scale``; ``shared`` says that they belong to a neighbour of the same range.
    ``off`` is how far, in points, its ticks start from the line: 0 where they are its own.
    """

    line: AxisLine
    scale: Scale
    labels: list[Label]
    ticks: Floats
    side: int
    gap: float
    basis: Basis
    title: str = ""
    multiplier: str = ""
    shared: bool = False
    titles: list[Label] = field(default_factory=list[Label])
    off: float = 0.0


def axis_lines(strokes: Strokes, *, level: bool) -> list[AxisLine]:
    """The lines long enough for an axis, those that overlap on one line joined, the longest 400."""
    long = strokes.take(strokes.length >= _LEAST_LENGTH)
    if len(long.at) > 20 * _MOST_LINES:
        long = long.take(np.argsort(-long.length, kind="stable")[: 20 * _MOST_LINES])
    lines: list[AxisLine] = []
    order = np.lexsort((long.low, np.round(long.at / _SAME_LINE)))
    for at, low, high, drawn in zip(
        *(column[order].tolist() for column in (long.at, long.low, long.high, long.drawn)), strict=True
    ):
        last = lines[-1] if lines else None
        shared = min(high, last.high) - max(low, last.low) if last is not None else 0.0
        if last is not None and shared >= 2.0 and _joins(last, at, low, high, drawn=drawn):
            both = min(low, last.low), max(high, last.high)
            lines[-1] = AxisLine(level, at if drawn else last.at, *both, drawn or last.drawn)
            continue
        lines.append(AxisLine(level, at, low, high, bool(drawn)))
    return sorted(lines, key=lambda line: (line.low - line.high, line.at))[:_MOST_LINES]


def _joins(last: AxisLine, at: float, low: float, high: float, *, drawn: bool) -> bool:
    """Whether a line lies on the last one and is of its kind, or within it."""
    alike = drawn == last.drawn or (low >= last.low - 0.5 and high <= last.high + 0.5)
    return alike and abs(last.at - at) <= _SAME_LINE


def grid_bounds(level: Sequence[AxisLine], upright: Sequence[AxisLine]) -> tuple[list[AxisLine], list[AxisLine]]:
    """The bounds of grids that have no frame: lines not drawn, at the ends of parallel lines of one extent."""
    found: tuple[list[AxisLine], list[AxisLine]] = ([], [])
    for own, other in ((0, 1), (1, 0)):
        lines, across = (level, upright)[own], (level, upright)[other]
        groups: dict[tuple[int, int], list[AxisLine]] = {}
        for line in lines:
            if not line.drawn:
                continue
            groups.setdefault((round(line.low), round(line.high)), []).append(line)
        for group in groups.values():
            if len(group) < 3:
                continue
            low, high = min(line.at for line in group), max(line.at for line in group)
            crossing = [
                c
                for c in across
                if group[0].low - 1 <= c.at <= group[0].high + 1 and c.low <= low + 1 and c.high >= high - 1
            ]
            if crossing:
                low, high = min(c.low for c in crossing), max(c.high for c in crossing)
            found[other].extend(
                AxisLine(other == 0, at, low, high, drawn=False) for at in (group[0].low, group[0].high)
            )
    return found


def calibrate(line: AxisLine, crossing: Strokes, labels: Sequence[Label], *, comma: bool | None = None) -> Axis | None:
    """The axis of a line, from the number labels (of all the figure) beside it; ``crossing`` are the strokes across it.

    ``comma`` tells whether the figure prints a decimal comma (None: unknown). None where no scale puts the labels
    where they stand.
    """
    near = crossing.take(
        (crossing.at >= line.low - _TOUCH)
        & (crossing.at <= line.high + _TOUCH)
        & (crossing.low <= line.at + _TOUCH)
        & (crossing.high >= line.at - _TOUCH)
        & crossing.drawn
    )
    middle = (near.low + near.high) / 2
    ends = np.minimum(np.abs(near.low - line.at), np.abs(near.high - line.at))
    short = (near.length <= _LONGEST_TICK) & ((ends <= _TOUCH) | (np.abs(middle - line.at) <= _TOUCH))
    ticks = near.take(short)
    grid = near.take((near.length > _LONGEST_TICK) & (ends <= 1.5))
    best: Axis | None = None
    for side in (1, -1):
        beside = [(gap, label) for label in labels if (gap := _gap(line, label, side)) is not None]
        if len(beside) < 2:
            continue
        axis = _calibrate_side(line, side, beside, ticks, grid, comma=comma)
        if axis is not None and (best is None or _rank(axis) < _rank(best)):
            best = axis
    if best is not None and best.basis is Basis.TICKS:
        starts = np.minimum(ends, np.abs(middle - line.at))[short]
        best.off = float(np.median(starts)) if len(starts) else 0.0
    return best


def _rank(axis: Axis) -> tuple[int, float]:
    return list(Basis).index(axis.basis), axis.gap


def _gap(line: AxisLine, label: Label, side: int) -> float | None:
    """How far a label stands off a line on one side; None where it is not beside it."""
    box = label.box
    low, high, near, far = (box.x0, box.x1, box.y0, box.y1) if line.level else (box.y0, box.y1, box.x0, box.x1)
    slanted = abs((label.angle + 45) % 90 - 45) > _LEVEL
    low, high = (low, high) if slanted else ((low + high) / 2, (low + high) / 2)
    slack = (0.8 if slanted else 0.4) * label.size
    if high < line.low - slack or low > line.high + slack:
        return None
    gap = near - line.at if side > 0 else line.at - far
    return gap if -2.0 <= gap <= _REACH * label.size + 6.0 else None


def _calibrate_side(
    line: AxisLine,
    side: int,
    beside: list[tuple[float, Label]],
    ticks: Strokes,
    grid: Strokes,
    *,
    comma: bool | None,
) -> Axis | None:
    beside.sort(key=lambda pair: pair[0])
    tried: set[int] = set()
    for start in _starts(beside):
        gap, first = beside[start]
        for width in _WIDTHS:
            row = [label for g, label in beside[start:] if g <= gap + width * first.size]
            if not 2 <= len(row) <= _MOST_IN_ROW or (start == 0 and len(row) in tried):
                continue
            tried.add(len(row))
            fits: list[tuple[float, Axis]] = []
            for basis, marks in ((Basis.TICKS, ticks), (Basis.GRID, grid), (Basis.LABELS, None)):
                fitted = _fit_row(line, row, marks, comma=comma) if marks is not None or not fits else None
                if fitted is not None:
                    scale, used, places = fitted
                    off = [g for g, label in beside if any(label is one for one in used)]
                    axis = Axis(line, scale, used, places, side, sum(off) / len(off), basis)
                    fits.append((_off_marks(axis, comma=comma), axis))
            if fits:
                nearer = len(fits) > 1 and fits[1][0] < fits[0][0] - _BETTER
                axis = fits[1 if nearer else 0][1]
                return _snap(axis, ticks.at) if axis.basis is Basis.LABELS else axis
    return None


def _off_marks(axis: Axis, *, comma: bool | None) -> float:
    """How far, in sizes, the labels of an axis stand off their places along it: the median."""
    ways, _ = read_all([label.text for label in axis.labels], comma=comma)
    if not ways:
        return 0.0
    at = np.array(_places_of(axis))
    sizes = np.array([label.size for label in axis.labels])
    off = min((np.abs(axis.scale.positions(way) - at) / sizes for way in ways), key=lambda way: float(way.max()))
    return float(np.median(off))


def _starts(beside: list[tuple[float, Label]]) -> list[int]:
    """Where rows of labels may start: at the nearest label, and after each clear step away from the line."""
    steps = ((k, beside[k][0] - beside[k - 1][0]) for k in range(1, len(beside)))
    return [0, *(k for k, step in steps if step > 0.5 * beside[k][1].size)][:4]


def _fit_row(
    line: AxisLine, row: list[Label], marks: Strokes | None, *, comma: bool | None
) -> tuple[Scale, list[Label], Floats] | None:
    """The scale of a row of labels, those that lie on it, and all marks along the axis."""
    slanted = any(abs((label.angle + 45) % 90 - 45) > _LEVEL for label in row)
    for anchor in (0.5, 1.0, 0.0) if slanted else (0.5,):
        at = [_along(line, label, anchor) for label in row]
        if marks is None:
            fitted = _fit(at, row, np.array(at), 1.2, comma=comma)
        else:
            fitted = _fit_marks(row, at, marks, slanted=slanted, comma=comma)
        if fitted is not None:
            scale, used = fitted
            every = np.unique(np.round(marks.at, 2)) if marks is not None else np.array([], np.float64)
            return scale, used, every
    return None


def _along(line: AxisLine, label: Label, anchor: float) -> float:
    low, high = (label.box.x0, label.box.x1) if line.level else (label.box.y0, label.box.y1)
    return low + anchor * (high - low)


def _fit_marks(
    row: list[Label], at: list[float], marks: Strokes, *, slanted: bool, comma: bool | None
) -> tuple[Scale, list[Label]] | None:
    """Fit with each label at the mark next to it: the long marks alone first, then all of them."""
    if not len(marks.at):
        return None
    longest = marks.length >= 0.8 * marks.length.max()
    for chosen in (marks.take(longest), marks):
        if len(chosen.at) > _MOST_MARKS:
            continue
        places = np.unique(np.round(chosen.at, 3))
        nearest = np.abs(places[None, :] - np.array(at)[:, None]).argmin(1)
        pairs = [
            (float(places[k]), label)
            for k, where, label in zip(nearest.tolist(), at, row, strict=True)
            if abs(float(places[k]) - where) <= max(2.5, (1.1 if slanted else 0.45) * label.size)
        ]
        if len(pairs) >= max(2, 0.75 * len(row)) and len({place for place, _ in pairs}) == len(pairs):
            places_of, own = [place for place, _ in pairs], [label for _, label in pairs]
            fitted = _fit(places_of, own, marks.at, 0.8, comma=comma)
            if fitted is None or not (slanted or _all_near(row, at, fitted[0], comma=comma)):
                continue
            if fitted[0].kind is not ScaleKind.LOG or _on_decades(fitted[0], marks.at, len(row)):
                return fitted
    return None


def _on_decades(scale: Scale, ticks: Floats, labels: int) -> bool:
    """Whether the ticks between the labels of a logarithmic axis stand at whole multiples of its powers of ten."""
    places = np.unique(np.round(ticks, 1))
    if len(places) < labels + _LEAST_BETWEEN:
        return True
    return float((np.abs(places - _nearest_on_decades(scale, places)) <= _ON_DECADE).mean()) >= _MOST_ON_DECADES


def _nearest_on_decades(scale: Scale, places: Floats) -> Floats:
    """The place of the whole multiple of a power of ten that is nearest to each of these."""
    spread = (places - scale.origin) / scale.step
    decade = np.floor(spread)
    steps = np.log10(np.arange(1, 11))
    digit = np.abs((spread - decade)[:, None] - steps).argmin(1)
    return scale.origin + scale.step * (decade + steps[digit])


def _snap(axis: Axis, ticks: Floats) -> Axis:
    """A logarithmic axis without ticks at its labels, put on the ticks between them where these fit it better."""
    places = np.unique(np.round(ticks, 2))
    if axis.scale.kind is not ScaleKind.LOG or len(places) < _LEAST_BETWEEN + 2:
        return axis
    scale, off = axis.scale, np.zeros(1)
    for _ in range(2):
        spread = (_nearest_on_decades(scale, places) - scale.origin) / scale.step
        step, origin = np.polyfit(spread, places, 1).tolist()
        off = origin + step * spread - places
        scale = Scale(ScaleKind.LOG, origin, step, float(np.sqrt(np.mean(off**2))), scale.labels)
    if np.abs(off).max() > _ON_DECADE / 2 or not _all_near(axis.labels, _places_of(axis), scale, comma=None):
        return axis
    return replace(axis, scale=scale, ticks=places, basis=Basis.TICKS)


def _places_of(axis: Axis) -> list[float]:
    return [_along(axis.line, label, 0.5) for label in axis.labels]


def _all_near(row: list[Label], at: list[float], scale: Scale, *, comma: bool | None) -> bool:
    """Whether all labels of a row, those without a mark too, stand where a scale puts them.

    Labels that all stand off to one side belong to other marks, those without one to a broken or another scale.
    """
    off: list[float] = []
    for label, where in zip(row, at, strict=True):
        ways, _ = read_all([label.text], comma=comma)
        off.append(min((abs(float(scale.positions(way)[0]) - where) for way in ways), default=0.0) / label.size)
    return max(off) <= _BESIDE_MARK


def _fit(
    at: list[float], labels: list[Label], ticks: Floats, tolerance: float, *, comma: bool | None
) -> tuple[Scale, list[Label]] | None:
    ways, powers = read_all([label.text for label in labels], comma=comma)
    for values in ways:
        if len(values) == 2 and tolerance < 1.0:
            scale = fit_two(at, values, ticks, powers=powers)
        else:
            scale = fit_scale(at, values, tolerance=tolerance, powers=powers)
        if scale is not None:
            return scale, labels
    return None


def number_labels(labels: Sequence[Label]) -> list[Label]:
    """The labels that print a number, the first 2,000 of them: more are not a plot's."""
    return [label for label in labels if read_number(label.text) is not None][:_MOST_NUMBERS]
