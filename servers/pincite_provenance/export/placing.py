"""Placing: boxes of a page as it is shown, in the user space of its PDF."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from pypdf.generic import ArrayObject, FloatObject

from pincite_papers.pdf.glyphs import Frame


def unshown(
    frame: Frame, boxes: Sequence[tuple[float, float, float, float]]
) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """Float64 (n, 4, 2): the corners of boxes as shown (top left, top right, bottom left, bottom right) in user space:
    the inverse of ``Frame.show``."""
    x0, y0, x1, y1 = np.array(boxes, dtype=np.float64).T
    across, down = np.stack((x0, x1, x0, x1), axis=1), np.stack((y0, y0, y1, y1), axis=1)
    visible = frame.top - frame.bottom if frame.quarter_turns % 2 else frame.right - frame.left
    if frame.width > 0:
        across, down = across * (visible / frame.width), down * (visible / frame.width)
    if frame.quarter_turns == 0:
        x, y = frame.left + across, frame.top - down
    elif frame.quarter_turns == 1:
        x, y = frame.left + down, frame.bottom + across
    elif frame.quarter_turns == 2:
        x, y = frame.right - across, frame.bottom + down
    else:
        x, y = frame.right - down, frame.top - across
    return np.stack((x, y), axis=2)


def numbers(*values: float) -> ArrayObject:
    return ArrayObject(FloatObject(f"{float(value):.3f}") for value in values)
