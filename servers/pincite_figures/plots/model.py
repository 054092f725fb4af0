"""Plot: what was read of a figure, in the units of its axes; or why nothing was."""

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from pincite_figures.plots.traces import SeriesKind
from pincite_papers.model import Rect

Floats = npt.NDArray[np.float64]


class Refusal(StrEnum):
    """Why a figure, or a panel of it, gives no numbers."""

    RASTER = "raster_figure"
    NO_AXES = "no_axes"
    NO_NUMBERS = "axis_without_numbers"
    TOO_FEW_LABELS = "too_few_tick_labels"
    INCONSISTENT_LABELS = "labels_fit_no_scale"
    OUTLINED_TEXT = "text_is_drawn_as_outlines"
    HEAT_MAP = "heat_map"
    NO_SERIES = "no_series"


@dataclass(frozen=True, slots=True)
class PlotAxis:
    """An axis: ``name`` (x, y; x2, y2 for a second one), its scale and values at its ends (left or bottom first).

    ``error`` is the likely error of a value read off it, as a share of its range; ``error_value`` the same in its
    units, on a logarithmic axis as a factor above 1. ``basis`` is what marks the places of its ``labels``.
    """

    name: str
    title: str
    scale: str
    start: float
    end: float
    error: float
    error_value: float
    labels: int
    basis: str
    multiplier: str = ""
    shared: bool = False
    categories: tuple[str, ...] = ()


@dataclass(slots=True)
class PlotSeries:
    """A series: its look, and its n points as columns, by name, of n values.

    ``x`` and ``y`` are the points; ``y_low`` and ``y_high`` the ends of error bars and bands; ``x_left``, ``x_right``
    and ``base`` those of bars; ``x2`` and ``y2`` the same points on second axes where nothing tells which axis they
    belong to. ``starts`` are where separate pieces start. ``axes`` names the axes the columns are on.
    """

    name: str
    kind: SeriesKind
    color: str | None
    line: str
    marker: str
    columns: dict[str, Floats]
    axes: tuple[str, ...]
    starts: list[int] = field(default_factory=lambda: [0])
    categories: list[str] = field(default_factory=list[str])
    notes: list[str] = field(default_factory=list[str])

    def __len__(self) -> int:
        return max((len(column) for column in self.columns.values()), default=0)


@dataclass(slots=True)
class PlotPanel:
    """A plot area: its letter ("" if none), box in points, axes and series; ``notes`` say what was not read.

    ``refused`` says why it gives no series.
    """

    label: str
    box: Rect
    axes: list[PlotAxis]
    series: list[PlotSeries]
    notes: list[str] = field(default_factory=list[str])
    refused: Refusal | None = None


@dataclass(slots=True)
class Plot:
    """The panels of a figure; none, and a reason with what was seen, where it gives no numbers."""

    panels: list[PlotPanel]
    refused: Refusal | None = None
    seen: str = ""
