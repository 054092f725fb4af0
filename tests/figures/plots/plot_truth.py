"""The truth of a plot that we draw: its panels, axes and series as the numbers it was drawn from."""

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]


@dataclass(slots=True)
class TrueSeries:
    """A drawn series: ``kind`` is curve, points, bars or band; ``low`` and ``high`` end error bars or a band."""

    x: Floats
    y: Floats
    kind: str = "curve"
    name: str = ""
    low: Floats | None = None
    high: Floats | None = None
    axis: str = "y"


@dataclass(slots=True)
class TruePanel:
    """Axes from ``x[0]`` (left) to ``x[1]``, ``y[0]`` (bottom) to ``y[1]``, ``y2`` on the right; ``log`` names some."""

    x: tuple[float, float]
    y: tuple[float, float]
    series: list[TrueSeries]
    log: str = ""
    label: str = ""
    y2: tuple[float, float] | None = None
    categories: bool = False


@dataclass(slots=True)
class Drawn:
    """A drawn plot: the PDF's bytes, its panels; the reasons for which it may be refused where it is none."""

    pdf: bytes
    panels: list[TruePanel] = field(default_factory=list[TruePanel])
    refused: tuple[str, ...] = ()
    paper: bool = False


@dataclass(frozen=True, slots=True)
class Case:
    """A plot by name: ``draw`` gets an empty folder; ``needs`` is the program that must be there."""

    name: str
    draw: Callable[[Path], Drawn]
    needs: str = ""
