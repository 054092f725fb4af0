"""Whiskers: error bars found at the points they belong to, stems, ranges and reference lines."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pincite_figures.plots.lines import Piece
from pincite_figures.plots.paths import Color
from pincite_figures.plots.traces import Look, SeriesKind, Straight, Trace
from pincite_papers.model import Rect

_ON = 0.7
"""Points: a stroke no further from a point (or from the edge of its marker) runs through it; stems start no further
from their base. Set by judgement."""
_LEAST = 1.0
"""Points: a shorter stroke is not an error bar, range or stem. Set by judgement."""
_MOST_NEAR = 64
"""Count of points that are asked for each stroke. A bound on cost, set by judgement."""
_LONG = 0.22
"""The share of an area's side: a lone stroke that is shorter is counted as unread, a longer one is a line. Set by
judgement."""
_WHOLE = 0.92
"""The share of an area's side: a longer stroke is not an error bar but a line from side to side. Set by judgement."""
_LEAST_STEMS = 4
"""Count of upright strokes of one style from one level: fewer are lines or unread, so many are impulses. Set by
judgement."""


@dataclass(slots=True, eq=False)
class _Stroke:
    """A level or upright stroke: ``at`` across, ``low`` to ``high`` along."""

    upright: bool
    at: float
    low: float
    high: float
    color: Color
    piece: Piece


@dataclass(frozen=True, slots=True)
class _Spot:
    """A point of a trace, seen along one direction."""

    at: float
    along: float
    trace: int
    index: int


def attach_whiskers(traces: list[Trace], pieces: Sequence[Piece], box: Rect) -> int:
    """Give error bars to the points they run through; add ranges and straight lines to ``traces``.

    Returns how many short strokes belong to nothing.
    """
    strokes = [_stroke(piece) for piece in pieces]
    left: list[_Stroke] = []
    ends: list[tuple[float, float]] = []
    for upright in (True, False):
        own = [s for s in strokes if s.upright is upright]
        if not upright:
            _, own = _split_caps(own, ends)
        size = box.y1 - box.y0 if upright else box.x1 - box.x0
        spots = _spots(traces, upright=upright)
        found: dict[int, dict[int, list[_Stroke]]] = {}
        for stroke in own:
            spot = _best(stroke, spots, traces) if stroke.high - stroke.low <= _WHOLE * size else None
            if spot is not None and _runs_along(stroke, spots):
                spot = None
            if spot is None or stroke.high - stroke.low < _LEAST:
                left.append(stroke)
            else:
                found.setdefault(spot.trace, {}).setdefault(spot.index, []).append(stroke)
        for number, bars in found.items():
            _attach(traces[number], bars, upright=upright)
            ends += _ends([stroke for group in bars.values() for stroke in group])
    _, left = _split_caps(left, ends)
    return _rest(traces, left, box)


def _stroke(piece: Piece) -> _Stroke:
    low, high = piece.points.min(0), piece.points.max(0)
    wide, high_ = (high - low).tolist()
    upright = high_ >= wide
    own = 1 if upright else 0
    at = float((low[1 - own] + high[1 - own]) / 2)
    return _Stroke(upright, at, float(low[own]), float(high[own]), piece.style[0], piece)


def _spots(traces: Sequence[Trace], *, upright: bool) -> list[_Spot]:
    """The points of traces that may carry error bars, sorted across the bars."""
    spots: list[_Spot] = []
    across = 0 if upright else 1
    for number, trace in enumerate(traces):
        if trace.kind is SeriesKind.BAND:
            continue
        for index, point in enumerate(trace.points.tolist()):
            spots.append(_Spot(point[across], point[1 - across], number, index))
    return sorted(spots, key=lambda spot: spot.at)


def _best(stroke: _Stroke, spots: list[_Spot], traces: Sequence[Trace]) -> _Spot | None:
    """The point that a stroke runs through, or to whose marker: one of its colour first, markers before lines."""
    start = bisect_left(spots, stroke.at - _ON, key=lambda spot: spot.at)
    best: _Spot | None = None
    best_rank: tuple[bool, bool, float] | None = None
    for spot in spots[start : start + _MOST_NEAR]:
        if spot.at > stroke.at + _ON:
            break
        trace = traces[spot.trace]
        reach = _ON + 0.55 * trace.look.size
        if not stroke.low - reach <= spot.along <= stroke.high + reach:
            continue
        same = stroke.color in {trace.look.line, trace.look.edge, trace.look.face}
        off = abs(spot.along - (stroke.low + stroke.high) / 2)
        rank = (not same, trace.kind is SeriesKind.LINE, off)
        if best_rank is None or rank < best_rank:
            best, best_rank = spot, rank
    return best


def _runs_along(stroke: _Stroke, spots: list[_Spot]) -> bool:
    """Whether a stroke runs through three points of one series or more: a base line, no error bar."""
    start = bisect_left(spots, stroke.at - _ON, key=lambda spot: spot.at)
    counts: Counter[int] = Counter()
    for spot in spots[start : start + _MOST_NEAR]:
        if spot.at > stroke.at + _ON:
            break
        counts[spot.trace] += stroke.low - _ON <= spot.along <= stroke.high + _ON
    return max(counts.values(), default=0) >= 3


def spans(trace: Trace, box: Rect) -> bool:
    """Whether a straight trace runs from side to side."""
    wide, high = np.ptp(trace.points, axis=0).tolist()
    return max(wide / (box.x1 - box.x0), high / (box.y1 - box.y0)) >= _WHOLE


def _attach(trace: Trace, bars: dict[int, list[_Stroke]], *, upright: bool) -> None:
    """Set the spans of a trace from the strokes through its points; strokes from one common line are stems."""
    along = 1 if upright else 0
    strokes = [stroke for group in bars.values() for stroke in group]
    for end in ("low", "high"):
        common = [getattr(stroke, end) for stroke in strokes]
        if len(strokes) >= 3 and max(common) - min(common) < 0.3 and trace.kind is not SeriesKind.BARS:
            trace.notes.append("stems from a base line")
            return
    if trace.kind is SeriesKind.BARS and (trace.y_span if upright else trace.x_span) is not None:
        spans = np.full((len(trace.points), 2), np.nan)
        trace.error_span = spans
    else:
        spans = np.full((len(trace.points), 2), np.nan)
        if upright:
            trace.y_span = spans
        else:
            trace.x_span = spans
    for index, group in bars.items():
        here = float(trace.points[index, along])
        spans[index] = min([here, *[s.low for s in group]]), max([here, *[s.high for s in group]])


def _ends(strokes: Sequence[_Stroke]) -> list[tuple[float, float]]:
    """The end points of strokes as (x, y)."""
    if not strokes:
        return []
    return [(s.at, end) if s.upright else (end, s.at) for s in strokes for end in (s.low, s.high)]


def _split_caps(strokes: list[_Stroke], ends: list[tuple[float, float]]) -> tuple[list[_Stroke], list[_Stroke]]:
    """Strokes whose middle is the end of an error bar, and the others."""
    cells = {(round(x), round(y)) for x, y in ends}
    caps: list[_Stroke] = []
    others: list[_Stroke] = []
    for stroke in strokes:
        middle = (stroke.low + stroke.high) / 2
        x, y = (stroke.at, middle) if stroke.upright else (middle, stroke.at)
        near = any((round(x) + i, round(y) + j) in cells for i in (-1, 0, 1) for j in (-1, 0, 1))
        (caps if near and stroke.high - stroke.low <= 20 else others).append(stroke)
    return caps, others


def _rest(traces: list[Trace], strokes: list[_Stroke], box: Rect) -> int:
    """Add bars between two caps as ranges and long strokes as lines; returns how many are neither."""
    left = 0
    uprights = [s for s in strokes if s.upright and s.high - s.low >= _LEAST]
    levels = [s for s in strokes if not s.upright]
    middles = [((s.low + s.high) / 2, s.at) for s in levels if s.high - s.low <= 20]
    cells = {(round(x), round(y)) for x, y in middles}
    capped: list[_Stroke] = []
    for stroke in uprights:
        both = all(
            any((round(stroke.at) + i, round(end) + j) in cells for i in (-1, 0, 1) for j in (-1, 0, 1))
            for end in (stroke.low, stroke.high)
        )
        if both:
            capped.append(stroke)
    ranges = {id(stroke) for stroke in capped} if len(capped) >= 3 else set[int]()
    if ranges:
        traces.append(_ranges(capped))
        _, levels = _split_caps(levels, _ends(capped))
    stems = _stems([s for s in uprights if id(s) not in ranges])
    traces += [_impulses(group) for group in stems]
    ranges |= {id(stroke) for group in stems for stroke in group}
    for stroke in [*(s for s in uprights if id(s) not in ranges), *levels]:
        size = box.y1 - box.y0 if stroke.upright else box.x1 - box.x0
        if stroke.high - stroke.low < _LONG * size:
            left += 1
            continue
        color, width, dash = stroke.piece.style
        trace = Trace(SeriesKind.LINE, Look(color, dash, width), stroke.piece.points, stroke.piece.shape)
        trace.straight = Straight.UPRIGHT if stroke.upright else Straight.LEVEL
        trace.notes.append(f"one straight {trace.straight} line")
        traces.append(trace)
    return left


def _stems(strokes: list[_Stroke]) -> list[list[_Stroke]]:
    """Upright strokes of one style that start from one level: impulses."""
    styles: dict[object, list[_Stroke]] = {}
    for stroke in strokes:
        styles.setdefault(stroke.piece.style, []).append(stroke)
    found: list[list[_Stroke]] = []
    for group in styles.values():
        if len(group) < _LEAST_STEMS:
            continue
        base = float(np.median([stroke.high for stroke in group]))
        own = [s for s in group if min(abs(s.high - base), abs(s.low - base)) < _ON]
        uneven = max(np.ptp([s.low for s in own]), np.ptp([s.high for s in own])) > _ON if own else False
        if uneven and len(own) == len(group) and len({round(s.at) for s in own}) > 0.5 * len(own):
            found.append(own)
    return found


def _impulses(strokes: list[_Stroke]) -> Trace:
    strokes = sorted(strokes, key=lambda stroke: stroke.at)
    base = float(np.median([stroke.high for stroke in strokes]))
    ends = [s.low if abs(s.high - base) < abs(s.low - base) else s.high for s in strokes]
    points = np.array([(s.at, end) for s, end in zip(strokes, ends, strict=True)])
    color, width, dash = strokes[0].piece.style
    trace = Trace(SeriesKind.MARKERS, Look(color, dash, width), points, strokes[0].piece.shape)
    trace.notes.append("impulses from a base line: those of no height are not seen")
    return trace


def _ranges(strokes: list[_Stroke]) -> Trace:
    strokes = sorted(strokes, key=lambda stroke: stroke.at)
    points = np.array([(s.at, (s.low + s.high) / 2) for s in strokes])
    color, width, dash = strokes[0].piece.style
    trace = Trace(SeriesKind.RANGES, Look(color, dash, width), points, strokes[0].piece.shape)
    trace.y_span = np.array([(s.low, s.high) for s in strokes])
    trace.notes.append("bars with caps at both ends and no point on them")
    return trace
