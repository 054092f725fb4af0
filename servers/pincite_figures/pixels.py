"""Whole pixels: which of them hold a range, and colours on white."""

from fractions import Fraction
from math import ceil, floor

import numpy as np
import numpy.typing as npt

Pixels = npt.NDArray[np.uint8]
"""Uint8 (height, width, 3)."""

EDGE = Fraction(1, 1024)
"""An edge so far beyond a pixel's does not count: boxes that are off by a hair hold the same pixels."""


def pixel_edges(low: Fraction, high: Fraction, scale: Fraction, most: int) -> tuple[int, int]:
    """The first pixel of ``low`` to ``high`` (times ``scale``) and the one behind its last, within 0 to ``most``."""
    first = min(max(0, floor(low * scale + EDGE)), most - 1)
    return first, min(most, max(first + 1, ceil(high * scale - EDGE)))


def on_white(colours: npt.NDArray[np.uint8], alpha: npt.NDArray[np.uint8]) -> Pixels:
    """Colours (height, width, 3) of this opacity (height, width) on white."""
    if alpha.min() == 255:
        return np.ascontiguousarray(colours)
    opacity = alpha[..., None].astype(np.uint16)
    return ((colours * opacity + 255 * (255 - opacity) + 127) // 255).astype(np.uint8)
