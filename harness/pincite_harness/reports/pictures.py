"""Pictures of analyses: points with errors on two axes, lines through steps, and bars made of parts."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from pincite_harness.reports.charts import figure, legend
from pincite_harness.reports.markup import Markup, join, tag

_WIDTH, _HEIGHT = 640, 300
"""Of the plot, its labels aside, in units of the drawing."""
_LEFT, _TOP, _BOTTOM, _RIGHT = 70, 16, 52, 130
"""Pixels of the margins of a picture: axis labels, none, tick labels, legend."""
_HUES = 6
"""Colours of lines in the style sheet; the seventh has the first one's."""
_TICKS = 5
"""Ticks of an axis, about."""
_MARGIN = 0.06
"""Share of an axis that stays free at either end."""


@dataclass(frozen=True, slots=True)
class Dot:
    """A point with the errors that are drawn around it."""

    name: str
    x: float
    y: float
    x_error: float = 0.0
    y_error: float = 0.0
    hue: int = 0


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis from ``low`` to ``high``; a logarithmic one has only positive values."""

    title: str
    low: float
    high: float
    log: bool = False
    bare: bool = False
    """Whether its places mean nothing, so that it has no numbers."""

    @classmethod
    def around(cls, title: str, values: Sequence[float], *, log: bool = False, start: float | None = None) -> "Axis":
        """An axis that holds the values with a margin; ``start`` is its lower end where it is given."""
        shown = [value for value in values if value > 0] if log else list(values)
        low, high = (min(shown), max(shown)) if shown else (0.0, 1.0)
        if log:
            return cls(title, low / 1.6, high * 1.6, log=True)
        margin = (high - low) * _MARGIN or abs(high) * _MARGIN or 1.0
        return cls(title, low - margin if start is None else start, high + margin)

    def place(self, value: float) -> float:
        """Where a value lies, from 0 to 1."""
        if not self.log:
            return (value - self.low) / (self.high - self.low)
        value = max(value, self.low)
        return math.log(value / self.low) / math.log(self.high / self.low)

    def ticks(self) -> list[float]:
        """Round values along the axis."""
        if self.bare:
            return []
        if self.log:
            return _log_ticks(self.low, self.high)
        width = _nice((self.high - self.low) / _TICKS)
        first = math.ceil(self.low / width - 1e-9)
        last = math.floor(self.high / width + 1e-9)
        return [k * width for k in range(first, last + 1)]


def dots(
    title: str, points: Sequence[Dot], x: Axis, y: Axis, *, joined: Sequence[Dot] = (), named: bool = True
) -> Markup:
    """Points with their errors; ``joined`` are connected by a line, in their order."""
    parts = _frame(x, y)
    if len(joined) > 1:
        path = " ".join(f"{_x(x, point.x):.1f},{_y(y, point.y):.1f}" for point in joined)
        parts.append(tag("polyline", points=path, class_="front"))
    for point in points:
        parts += _dot(point, x, y, named=named)
    told = ". ".join(f"{point.name}: {x.title} {point.x:.4g}, {y.title} {point.y:.4g}" for point in points[:60])
    return titled(title, _whole(title, parts, told))


def titled(title: str, drawing: Markup) -> Markup:
    """A drawing below its title."""
    return tag("div", tag("p", title, class_="panel"), drawing)


def lines(
    title: str, series: Sequence[tuple[str, Sequence[tuple[float, float]]]], x: Axis, y: Axis, *, marked: bool = False
) -> Markup:
    """A line through the points of each series, which are ``marked`` or not, with a legend."""
    parts = _frame(x, y)
    for number, (_, points) in enumerate(series):
        path = " ".join(f"{_x(x, a):.1f},{_y(y, b):.1f}" for a, b in points)
        parts.append(tag("polyline", points=path, class_=f"line{number % _HUES}"))
        if marked:
            parts += [
                tag("circle", cx=f"{_x(x, a):.1f}", cy=f"{_y(y, b):.1f}", r=3, class_=f"run{number % _HUES}")
                for a, b in points
            ]
    told = ". ".join(f"{name}: {', '.join(f'{a:.4g} {b:.3g}' for a, b in points[:20])}" for name, points in series)
    return titled(title, join([legend([name for name, _ in series]), _whole(title, parts, told)]))


def steps(values: Sequence[float]) -> list[tuple[float, float]]:
    """The empirical distribution of values as the corners of its steps: (value, share that is not greater)."""
    corners: list[tuple[float, float]] = []
    count = len(values)
    for rank, value in enumerate(sorted(values)):
        corners += [(value, rank / count), (value, (rank + 1) / count)]
    return corners


def _dot(point: Dot, x: Axis, y: Axis, *, named: bool) -> list[Markup]:
    across, down, hue = _x(x, point.x), _y(y, point.y), point.hue % _HUES
    parts: list[Markup] = []
    if point.x_error:
        low, high = _x(x, point.x - point.x_error), _x(x, point.x + point.x_error)
        parts.append(
            tag("line", x1=f"{low:.1f}", x2=f"{high:.1f}", y1=f"{down:.1f}", y2=f"{down:.1f}", class_=f"line{hue}")
        )
    if point.y_error:
        low, high = _y(y, point.y - point.y_error), _y(y, point.y + point.y_error)
        parts.append(
            tag("line", x1=f"{across:.1f}", x2=f"{across:.1f}", y1=f"{low:.1f}", y2=f"{high:.1f}", class_=f"line{hue}")
        )
    parts.append(tag("circle", cx=f"{across:.1f}", cy=f"{down:.1f}", r=5 if named else 3.5, class_=f"run{hue}"))
    if named:
        parts.append(tag("text", point.name, x=f"{across + 9:.1f}", y=f"{down - 7:.1f}", class_="label"))
    return parts


def _frame(x: Axis, y: Axis) -> list[Markup]:
    """The grid, its numbers, and what the axes mean."""
    parts: list[Markup] = []
    bottom = _TOP + _HEIGHT
    for value in y.ticks():
        at = f"{_y(y, value):.1f}"
        parts.append(tag("line", x1=_LEFT, x2=_LEFT + _WIDTH, y1=at, y2=at, class_="grid"))
        parts.append(
            tag("text", _number(value), x=_LEFT - 8, y=f"{float(at) + 4:.1f}", class_="tick", text_anchor="end")
        )
    for value in x.ticks():
        at = f"{_x(x, value):.1f}"
        parts.append(tag("line", x1=at, x2=at, y1=_TOP, y2=bottom, class_="grid"))
        parts.append(tag("text", _number(value), x=at, y=bottom + 18, class_="tick", text_anchor="middle"))
    parts.append(tag("text", x.title, x=_LEFT + _WIDTH / 2, y=bottom + 42, class_="tick", text_anchor="middle"))
    middle = _TOP + _HEIGHT / 2
    turned = f"rotate(-90 16 {middle:g})"
    parts.append(tag("text", y.title, x=16, y=middle, class_="tick", text_anchor="middle", transform=turned))
    return parts


def _whole(title: str, parts: Sequence[Markup], told: str) -> Markup:
    return figure(title, _LEFT + _WIDTH + _RIGHT, _TOP + _HEIGHT + _BOTTOM, parts, told)


def _x(axis: Axis, value: float) -> float:
    return _LEFT + min(max(axis.place(value), 0.0), 1.0) * _WIDTH


def _y(axis: Axis, value: float) -> float:
    return _TOP + (1 - min(max(axis.place(value), 0.0), 1.0)) * _HEIGHT


def _log_ticks(low: float, high: float) -> list[float]:
    """1, 2 and 5 times powers of ten; powers alone where those are many."""
    powers = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
    factors = (1, 2, 5) if len(powers) <= 4 else (1,)
    found = [factor * 10.0**power for power in powers for factor in factors]
    return [value for value in found if low <= value <= high]


def _nice(width: float) -> float:
    """The next of 1, 2, 2.5, 5 and 10 times a power of ten that is no smaller."""
    unit = 10.0 ** math.floor(math.log10(width))
    return next(unit * k for k in (1, 2, 2.5, 5, 10) if unit * k >= width * (1 - 1e-9))


def _number(value: float) -> str:
    if value and (abs(value) >= 1e6 or abs(value) < 1e-3):
        return f"{value:.0e}".replace("e+0", "e").replace("e-0", "e-")
    return f"{round(value, 6):,g}" if abs(value) < 1000 else f"{value:,.0f}"
