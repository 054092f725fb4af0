"""Trace: a series as it is drawn, in points of the page; what the stages between paths and numbers hand on."""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from pincite_figures.plots.paths import Color, Points

Floats = npt.NDArray[np.float64]


class SeriesKind(StrEnum):
    """How a series is drawn."""

    LINE = "line"
    MARKERS = "markers"
    LINE_AND_MARKERS = "line and markers"
    BARS = "bars"
    BAND = "band"
    RANGES = "ranges"


class Straight(StrEnum):
    """Which way a series runs that is one straight stroke alone."""

    LEVEL = "level"
    UPRIGHT = "upright"


@dataclass(frozen=True, slots=True)
class Look:
    """What tells one series from another: line colour, dashes and width, marker shape, its colours and size."""

    line: Color | None = None
    dash: tuple[float, ...] = ()
    width: float = 0.0
    marker: str = ""
    edge: Color | None = None
    face: Color | None = None
    size: float = 0.0

    @property
    def color(self) -> Color | None:
        """The colour that a reader would name: of the line, else of the marker's face, else of its edge."""
        if self.line is not None:
            return self.line
        return self.face if self.face is not None and self.face != WHITE else self.edge or self.face


WHITE: Color = (255, 255, 255)
"""Red, green and blue of paper: a white face is not a series' colour."""


@dataclass(slots=True, eq=False)
class Trace:
    """A series of n points on the page; ``starts`` are where its separate pieces start.

    ``x_span`` and ``y_span`` float64 (n, 2) are the ends, low then high on the page, of error bars, bars and bands,
    NaN where there are none; ``error_span`` those of error bars on bars, along the bars. ``straight`` is set where the
    series is one level or upright stroke alone.
    """

    kind: SeriesKind
    look: Look
    points: Points
    order: int
    starts: list[int] = field(default_factory=lambda: [0])
    x_span: Floats | None = None
    y_span: Floats | None = None
    error_span: Floats | None = None
    name: str = ""
    notes: list[str] = field(default_factory=list[str])
    curved: bool = False
    closed: bool = False
    straight: Straight | None = None

    def runs(self) -> list[Points]:
        """The separate pieces."""
        return np.split(self.points, self.starts[1:])


def dash_name(dash: tuple[float, ...], width: float) -> str:
    """solid, dotted, dashed or dash-dotted."""
    on = [length for length in dash[::2] if length > 0]
    off = sum(dash[1::2]) if len(dash) > 1 else sum(dash)
    if not dash or off <= 0.05:
        return "solid"
    short = max(1.7 * width, 1.0)
    if not on or max(on) <= short:
        return "dotted"
    return "dash-dotted" if len(dash) >= 4 and min(on) < 0.6 * max(on) else "dashed"


def hex_color(color: Color | None) -> str | None:
    """``#rrggbb``."""
    return None if color is None else "#{:02x}{:02x}{:02x}".format(*color)
