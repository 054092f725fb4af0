"""Values: the traces of an area as series in the units of its axes."""

import math
from collections.abc import Sequence

import numpy as np

from pincite_figures.plots.areas import Area
from pincite_figures.plots.axes import Axis, Basis
from pincite_figures.plots.calibration import ScaleKind
from pincite_figures.plots.labels import Label
from pincite_figures.plots.model import Floats, PlotAxis, PlotSeries
from pincite_figures.plots.paths import Color
from pincite_figures.plots.traces import SeriesKind, Trace, dash_name, hex_color

_NEAR_CATEGORY = 0.7
"""The share of the step between categories: a point further from the nearest is of one that is not printed. Bars of a
group stand at most half a step off. Set by judgement."""
_ALIKE = 60
"""Sum of the differences of red, green and blue (0 to 765): a series no further from the colour of an axis may be its
own (plot case ``two_axes_in_colour``). Set by judgement."""
_GREY = 40
"""The greatest less the least of red, green and blue (0 to 255): above it a colour, else grey or black. Set by
judgement."""
_BLURRED = 1.0
"""The likely error in points of a position that only the middle of a label marks."""


def describe_axis(axis: Axis, name: str, low: float, high: float) -> PlotAxis:
    """An axis over the range of its area, ``low`` to ``high`` in points."""
    ends = (low, high) if axis.line.level else (high, low)
    start, end = axis.scale.values(ends).tolist()
    unsure = math.hypot(axis.scale.uncertainty, _BLURRED if axis.basis is Basis.LABELS else 0.0)
    step = abs(axis.scale.step)
    value = 10 ** (unsure / step) if axis.scale.kind is ScaleKind.LOG else unsure / step
    if axis.scale.kind is ScaleKind.SQRT:
        value = max(float(np.abs(np.diff(axis.scale.values([at - unsure, at + unsure]))[0])) / 2 for at in ends)
    return PlotAxis(
        name=name,
        title=axis.title,
        scale=axis.scale.kind.value,
        start=start,
        end=end,
        error=unsure / max(high - low, 1e-9),
        error_value=value,
        labels=len(axis.labels),
        basis=axis.basis.value,
        multiplier=axis.multiplier,
        shared=axis.shared,
    )


def to_series(trace: Trace, area: Area, categories: Sequence[Label]) -> PlotSeries | None:
    """A trace in the units of an area's axes; None where it has no numbers along x and no categories."""
    series = PlotSeries(
        name=trace.name,
        kind=trace.kind,
        color=hex_color(trace.look.color),
        line=dash_name(trace.look.dash, trace.look.width) if trace.look.line is not None else "",
        marker=_marker_name(trace),
        columns={},
        axes=(),
        starts=list(trace.starts),
        notes=list(trace.notes),
    )
    if trace.curved and trace.kind is SeriesKind.LINE:
        series.notes.append("smooth curve: points are the ends and middles of its Bezier segments")
    named: list[str] = []
    for letter, axes in (("x", area.x_axes), ("y", area.y_axes)):
        chosen, why = choose_axes(trace, axes)
        if why:
            series.notes.append(why.format(letter=letter))
        for axis in chosen:
            name = letter if axis is axes[0] else f"{letter}2"
            named.append(name)
            _add_columns(series.columns, trace, axis, name, level=letter == "x")
    series.axes = tuple(named)
    if not area.x_axes or not area.y_axes:
        if not categories or trace.kind in {SeriesKind.LINE, SeriesKind.BAND}:
            return None
        series.categories = _categories(trace, categories, level=not area.x_axes)
    return series


def _marker_name(trace: Trace) -> str:
    look = trace.look
    if not look.marker:
        return ""
    if look.marker in {"plus", "cross", "asterisk"} or (" " in look.marker and look.marker.split()[-1].isdigit()):
        return look.marker
    return look.marker if look.face not in (None, (255, 255, 255)) else f"open {look.marker}"


def choose_axes(trace: Trace, axes: Sequence[Axis]) -> tuple[list[Axis], str]:
    """The axes of one direction that a trace may belong to: one where colour or name tells, else all; and why."""
    if len(axes) < 2:
        return list(axes), ""
    inks = [_ink(axis) for axis in axes]
    color = trace.look.color
    if color is not None and len(set(inks)) > 1:
        fitting = [axis for axis, ink in zip(axes, inks, strict=True) if ink is not None and _alike(ink, color)]
        if len(fitting) == 1:
            return fitting, "{letter} axis chosen by its colour"
    if trace.name:
        fitting = [axis for axis in axes if _speaks_of(axis.title, trace.name)]
        if len(fitting) == 1:
            return fitting, "{letter} axis chosen by its title"
    return list(axes), "two {letter} axes and nothing tells which is meant: values are given on both"


def _ink(axis: Axis) -> Color | None:
    """The colour in which an axis is labelled: of its title where that is coloured, else of its numbers."""
    inks = [label.color for label in (*axis.titles, *axis.labels)]
    return next((ink for ink in inks if max(ink) - min(ink) > _GREY), inks[0] if inks else None)


def _alike(one: Color, other: Color) -> bool:
    return sum(abs(a - b) for a, b in zip(one, other, strict=True)) <= _ALIKE


def _speaks_of(title: str, name: str) -> bool:
    """Whether a title and a name share a whole word of three letters, or the name is the title's symbol."""
    words, other = ({w.strip("(),.:;[]").lower() for w in text.split()} for text in (title, name))
    shared = {word for word in words & other if len(word) >= 3 or (word and name.strip().lower() == word)}
    return bool(shared)


def _add_columns(columns: dict[str, Floats], trace: Trace, axis: Axis, name: str, *, level: bool) -> None:
    own = 0 if level else 1
    span = trace.x_span if level else trace.y_span
    lying = "bars lie: values run along x" in trace.notes
    if trace.kind is SeriesKind.BARS and span is not None:
        if level == lying:
            columns[name] = axis.scale.values(span[:, 1])
            columns[f"{name}_base"] = axis.scale.values(span[:, 0])
        else:
            columns[name] = axis.scale.values(trace.points[:, own])
            ends = np.sort(np.stack([axis.scale.values(span[:, k]) for k in (0, 1)]), axis=0)
            columns[f"{name}_from"], columns[f"{name}_to"] = ends
        if trace.error_span is not None and level == lying:
            _add_span(columns, trace.error_span, axis, name)
        return
    if trace.kind not in {SeriesKind.BAND, SeriesKind.RANGES} or level:
        columns[name] = axis.scale.values(trace.points[:, own])
    if span is not None:
        _add_span(columns, span, axis, name)


def _add_span(columns: dict[str, Floats], span: Floats, axis: Axis, name: str) -> None:
    ends = np.stack([axis.scale.values(span[:, k]) for k in (0, 1)])
    columns[f"{name}_low"], columns[f"{name}_high"] = np.sort(ends, axis=0)


def _categories(trace: Trace, labels: Sequence[Label], *, level: bool) -> list[str]:
    """The category printed nearest to each point; nothing where that is another one's: programs leave out labels."""
    at = np.array([label.x if level else label.y for label in labels])
    points = trace.points[:, 0 if level else 1]
    steps = np.diff(np.sort(at))
    reach = _NEAR_CATEGORY * float(np.median(steps)) if len(steps) else np.inf
    nearest = [int(np.abs(at - p).argmin()) for p in points]
    return [labels[k].text if abs(at[k] - p) <= reach else "" for k, p in zip(nearest, points, strict=True)]
