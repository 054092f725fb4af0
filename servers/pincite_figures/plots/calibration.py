"""Calibration: the scale, linear or logarithmic, on which the labels of an axis stand where they do."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
import numpy.typing as npt

_LEAST_SPAN = 18.0
"""Points along an axis: labels that spread less give no scale. Set by judgement."""
_RESOLUTION = 0.05
"""What a drawing program rounds coordinates to, in points, at the coarsest that is common."""

_CLEARLY = 0.5
"""A logarithmic scale is taken where a linear one fits as well only if its residual is less than this share."""
_CLOSE = 0.3
"""How far, in points, labels may stray from a square root scale, which is not tried where another one fits."""
_LEAST_ON_ROOT = 4
"""Count of labels: with fewer, a square root scale is not tried, nor whether labels stray along a parabola. Set by
judgement."""
_STRAIGHT = 0.12
"""Residuals below this many points are the rounding of coordinates, whatever their form."""
_BENT = 0.3
"""Labels on another scale leave less than this share of their residual to a parabola; rounding leaves more."""

Floats = npt.NDArray[np.float64]


class ScaleKind(StrEnum):
    """How values are spread along an axis."""

    LINEAR = "linear"
    LOG = "log"
    SQRT = "square root"


@dataclass(frozen=True, slots=True)
class Scale:
    """position = origin + step * value (or of log10(value), or of its square root); positions in points along the axis.

    ``residual`` is the root mean square distance of the labels' marks from it, in points; ``labels`` is their number.
    """

    kind: ScaleKind
    origin: float
    step: float
    residual: float
    labels: int

    def values(self, positions: npt.ArrayLike) -> Floats:
        """The values at positions."""
        spread = (np.asarray(positions, np.float64) - self.origin) / self.step
        if self.kind is ScaleKind.SQRT:
            return np.sign(spread) * spread**2
        return spread if self.kind is ScaleKind.LINEAR else np.power(10.0, np.clip(spread, -320, 308))

    def positions(self, values: npt.ArrayLike) -> Floats:
        """Where values stand."""
        return self.origin + self.step * _spread(np.asarray(values, np.float64), self.kind)

    def shifted(self, factor: float, shift: float) -> "Scale":
        """The scale of ``value * factor + shift``, for values on this one (a shift on linear scales alone)."""
        if self.kind is ScaleKind.LOG:
            origin, step = self.origin - self.step * math.log10(factor), self.step
        elif self.kind is ScaleKind.SQRT:
            origin, step = self.origin, self.step / math.sqrt(factor)
        else:
            step = self.step / factor
            origin = self.origin - step * shift
        return Scale(self.kind, origin, step, self.residual, self.labels)

    @property
    def uncertainty(self) -> float:
        """The likely error of a position in points: residual and resolution of the drawing."""
        return math.hypot(self.residual, _RESOLUTION)


def _spread(given: Floats, kind: ScaleKind) -> Floats:
    """The values as they are spread evenly along an axis of a kind."""
    if kind is ScaleKind.SQRT:
        return np.sign(given) * np.sqrt(np.abs(given))
    return given if kind is ScaleKind.LINEAR else np.log10(given)


def fit_scale(positions: Sequence[float], values: Sequence[float], *, tolerance: float, powers: bool) -> Scale | None:
    """The scale on which all labels, at least three, stand within ``tolerance`` points.

    ``powers`` says that every label is a power of ten: then the scale is logarithmic. One label off the scale is
    enough for none: the axis may be broken, or its labels be names.
    """
    at, given = np.array(positions, np.float64), np.array(values, np.float64)
    if len(at) < 3:
        return None
    linear = _fit(at, given, ScaleKind.LINEAR, tolerance)
    log = _fit(at, given, ScaleKind.LOG, tolerance)
    if powers and log is not None and len(set(given.tolist())) >= 3:
        return log
    if linear is not None and log is not None:
        return log if log.residual < _CLEARLY * linear.residual - _RESOLUTION / 2 else linear
    if linear is not None or log is not None:
        return linear or log
    return _fit(at, given, ScaleKind.SQRT, min(tolerance, _CLOSE)) if len(at) >= _LEAST_ON_ROOT else None


def _fit(at: Floats, given: Floats, kind: ScaleKind, tolerance: float) -> Scale | None:
    """The straight line (least squares) through the labels, where all lie on it and stray from it by chance alone."""
    if (kind is not ScaleKind.LINEAR and (given < 0).any()) or (kind is ScaleKind.LOG and (given == 0).any()):
        return None
    spread = _spread(given, kind)
    if np.ptp(at) < _LEAST_SPAN or np.ptp(spread) == 0:
        return None
    middle, centre = float(spread.mean()), float(at.mean())
    step = float(((spread - middle) * (at - centre)).sum() / ((spread - middle) ** 2).sum())
    origin = centre - step * middle
    if step == 0 or not math.isfinite(origin) or not math.isfinite(step):
        return None
    off = origin + step * spread - at
    if np.abs(off).max() > tolerance:
        return None
    residual = float(np.sqrt(np.mean(off**2)))
    return None if _bends(spread - middle, off, residual) else Scale(kind, origin, step, residual, len(at))


def _bends(spread: Floats, off: Floats, residual: float) -> bool:
    """Whether labels stray from a line as those of another scale do: along a parabola."""
    if residual < _STRAIGHT or len(off) < _LEAST_ON_ROOT:
        return False
    left = off - np.polyval(np.polyfit(spread / np.ptp(spread), off, 2), spread / np.ptp(spread))
    share = _BENT if len(off) > _LEAST_ON_ROOT else _BENT / 3
    return float(np.sqrt(np.mean(left**2))) < share * residual


def fit_two(positions: Sequence[float], values: Sequence[float], ticks: Floats, *, powers: bool) -> Scale | None:
    """The scale of an axis with two labels, where its further ticks tell a linear from a logarithmic one.

    ``ticks`` are the positions of all ticks. None where they do not tell; zero stands on
    linear scales alone, and powers of ten written as such on logarithmic ones.
    """
    (a, b), (u, v) = positions, values
    if abs(a - b) < _LEAST_SPAN or u == v:
        return None
    linear = log = Scale(ScaleKind.LINEAR, a - (b - a) / (v - u) * u, (b - a) / (v - u), 0.0, 2)
    if min(u, v) > 0:
        step = (b - a) / math.log10(v / u)
        log = Scale(ScaleKind.LOG, a - step * math.log10(u), step, 0.0, 2)
        low, high = sorted(log.values([float(ticks.min()), float(ticks.max())]).tolist()) if len(ticks) else (1.0, 1.0)
        if len(ticks) >= 5 and low > 0 and high / low < 1e12:
            decades = np.arange(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
            wanted = log.positions((10.0 ** decades[:, None] * np.arange(1, 10)).ravel())
            if (np.abs(ticks[:, None] - wanted).min(1) < 0.6).all() and not _even(ticks):
                return log
    if powers and min(u, v) > 0:
        return log
    if min(u, v) <= 0:
        return linear
    return linear if len(ticks) >= 3 and _even(ticks) else None


def _even(ticks: Floats) -> bool:
    """Whether ticks stand at equal steps."""
    steps = np.diff(np.unique(np.round(ticks, 2)))
    return len(steps) > 0 and bool(np.ptp(steps) < 0.7)
