"""Charts as inline SVG: bars by label and curves. Colours are classes, so that the style sheet decides."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_harness.reports.markup import Markup, join, tag
from pincite_scoring.statistics import Mean

_LABEL = 165
"""Pixels for labels."""
_PLOT = 300
"""Pixels for bars."""
_VALUE = 95
"""Pixels for values."""
_BAR = 13
"""Pixels of a bar's height."""
_GAP = 11
"""Pixels between groups of bars."""
_HUES = 6
"""Colours of runs in the style sheet; the seventh run has the first one's."""


@dataclass(frozen=True, slots=True)
class Series:
    """The values of one run, one for each label; None where there is nothing to draw."""

    name: str
    values: Sequence[Mean | None]

    def points(self) -> "list[Point | None]":
        """The values as they are drawn."""
        return [
            None if mean is None or mean.mean is None else Point(mean.mean, mean.standard_error or 0, mean.n)
            for mean in self.values
        ]


@dataclass(frozen=True, slots=True)
class Point:
    """A value with the standard error that is drawn around it."""

    value: float
    error: float
    n: int


def bars(title: str, labels: Sequence[str], series: Sequence[Series], *, top: float | None, digits: int) -> Markup:
    """Horizontal bars, a group for each label; ``top`` is the end of the scale (the greatest value where None)."""
    greatest = max((p.value + p.error for s in series for p in s.points() if p is not None), default=0.0)
    scale = _PLOT / (top or greatest or 1)
    group = len(series) * (_BAR + 2) + _GAP
    height = len(labels) * group + 6
    parts: list[Markup] = []
    for row, label in enumerate(labels):
        y = row * group + 4
        middle = y + (group - _GAP) / 2
        parts.append(tag("text", shorten(label), x=_LABEL - 8, y=_n(middle + 4), class_="label", text_anchor="end"))
        parts += [_bar(s.points()[row], y + k * (_BAR + 2), scale, k, digits) for k, s in enumerate(series)]
    axis = tag("line", x1=_LABEL, y1=0, x2=_LABEL, y2=height, class_="axis")
    return _titled(title, _LABEL + _PLOT + _VALUE, height, [axis, *parts], _describe(labels, series, digits))


def _bar(point: Point | None, y: float, scale: float, number: int, digits: int) -> Markup:
    if point is None:
        return tag("text", "no value", x=_LABEL + 6, y=_n(y + _BAR - 3), class_="missing")
    width = max(point.value, 0) * scale
    parts = [tag("rect", x=_LABEL, y=_n(y), width=_n(width), height=_BAR, rx=2, class_=f"run{number % _HUES}")]
    end = width
    if point.error:
        low, end = max(point.value - point.error, 0) * scale, (point.value + point.error) * scale
        middle = _n(y + _BAR / 2)
        parts.append(tag("line", x1=_n(_LABEL + low), x2=_n(_LABEL + end), y1=middle, y2=middle, class_="error"))
    shown = f"{point.value:.{digits}f}" + (f" (n = {point.n})" if point.n > 1 else "")
    parts.append(tag("text", shown, x=_n(_LABEL + max(width, end) + 6), y=_n(y + _BAR - 2), class_="value"))
    return join(parts)


def curve(title: str, labels: Sequence[str], series: Sequence[Series]) -> Markup:
    """Values from 0 to 1 over a few steps, a line for each run, standard errors as whiskers."""
    width, height, left, top = 560, 230, 46, 26
    step = (width - left - 60) / max(len(labels) - 1, 1)
    parts: list[Markup] = []
    for tick in (0, 0.25, 0.5, 0.75, 1):
        y = _n(top + (1 - tick) * height)
        parts.append(tag("line", x1=left, x2=width - 10, y1=y, y2=y, class_="grid"))
        parts.append(tag("text", f"{tick:g}", x=left - 8, y=float(y) + 4, class_="tick", text_anchor="end"))
    for k, label in enumerate(labels):
        x = _n(left + 25 + k * step)
        parts.append(tag("text", label, x=x, y=top + height + 20, class_="tick", text_anchor="middle"))
    for number, run in enumerate(series):
        there = [(left + 25 + k * step, point) for k, point in enumerate(run.points()) if point is not None]
        parts += _line(there, number % _HUES, top, height)
    return _titled(title, width, top + height + 30, parts, _describe(labels, series, 3))


def _line(there: Sequence[tuple[float, Point]], hue: int, top: float, height: float) -> list[Markup]:
    def y_of(value: float) -> str:
        return _n(top + (1 - min(max(value, 0), 1)) * height)

    points = " ".join(f"{_n(x)},{y_of(point.value)}" for x, point in there)
    parts = [tag("polyline", points=points, class_=f"line{hue}")]
    for k, (x, point) in enumerate(there):
        if point.error:
            low, high = y_of(point.value - point.error), y_of(point.value + point.error)
            parts.append(tag("line", x1=_n(x), x2=_n(x), y1=low, y2=high, class_=f"line{hue}"))
        parts.append(tag("circle", cx=_n(x), cy=y_of(point.value), r=4, class_=f"run{hue}"))
        side, anchor = (-9, "end") if k == len(there) - 1 else (9, "start")
        above = _n(float(y_of(point.value)) - 8)
        parts.append(tag("text", f"{point.value:.2f}", x=_n(x + side), y=above, class_="value", text_anchor=anchor))
    return parts


def legend(names: Sequence[str]) -> Markup:
    """Which colour stands for which run."""
    items = [
        tag("li", tag("span", class_=f"swatch run{k % _HUES}", aria_hidden="true"), name)
        for k, name in enumerate(names)
    ]
    return tag("ul", items, class_="legend")


def _titled(title: str, width: float, height: float, parts: Sequence[Markup], description: str) -> Markup:
    return tag("figure", tag("figcaption", title), figure(title, width, height, parts, description))


def figure(title: str, width: float, height: float, parts: Sequence[Markup], description: str) -> Markup:
    """The drawing with its title and what it shows in words."""
    return tag(
        "svg",
        tag("title", title),
        tag("desc", description),
        parts,
        viewBox=f"0 0 {_n(width)} {_n(height)}",
        role="img",
        aria_label=title,
        preserveAspectRatio="xMinYMin meet",
    )


def _describe(labels: Sequence[str], series: Sequence[Series], digits: int) -> str:
    lines: list[str] = []
    for run in series:
        values = [
            f"{label} {point.value:.{digits}f}" if point else f"{label} no value"
            for label, point in zip(labels, run.points(), strict=True)
        ]
        lines.append(f"{run.name}: {', '.join(values)}")
    return ". ".join(lines)


def shorten(label: str) -> str:
    """A label that fits beside a bar."""
    return label if len(label) <= 22 else f"{label[:21]}…"


def _n(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")
