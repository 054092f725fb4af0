"""Clips: the windows that shapes are drawn through, so that only what shows of them counts."""

import ctypes

import numpy as np
import numpy.typing as npt

from pincite_papers.pdf import pdfium as raw
from pincite_papers.pdf.glyphs import Frame
from pincite_papers.pdf.matrices import Matrix

_LARGE = 40.0
"""Points: a shape with a longer side is looked at for clip paths; what a window cuts off a smaller one moves no rule
or figure much. Set by judgement."""
_MOST_PATHS = 12
"""Clip paths of one shape that are read; further ones are ignored, so that a hostile file cannot cost more. Set by
judgement."""
_MOST_POINTS = 400
"""Points of one clip path; a path of more is not read and cuts nothing. Bounds the time. Set by judgement."""
_MOST_SHAPES = 600
"""Large shapes of a page whose clip paths are read; the boxes of further ones stay uncut. Bounds the time. Set by
judgement."""

Window = tuple[float, float, float, float]


def clip_boxes(
    shapes: list[int], boxes: npt.NDArray[np.float32], matrix: Matrix, frame: Frame, window: Window | None
) -> npt.NDArray[np.float32]:
    """Shown boxes (float32 (n, 4)) of large shapes cut to their clip paths, and all to the window of their form object.

    ``matrix`` maps the shapes' coordinates to user space. A box that a window hides ends before it starts.
    """
    boxes = boxes.copy()
    if window is not None:
        boxes[:, :2] = np.maximum(boxes[:, :2], np.array(window[:2], np.float32))
        boxes[:, 2:] = np.minimum(boxes[:, 2:], np.array(window[2:], np.float32))
    large = np.flatnonzero(np.maximum(boxes[:, 2] - boxes[:, 0], boxes[:, 3] - boxes[:, 1]) > _LARGE)
    first: list[int] = large[:_MOST_SHAPES].tolist()
    for k in first:
        own = _window(shapes[k], matrix, frame)
        if own is not None:
            x0, y0, x1, y1 = boxes[k].tolist()
            boxes[k] = _shared((x0, y0, x1, y1), own)
    return boxes


def window_in(shape: int, matrix: Matrix, frame: Frame, outer: Window | None) -> Window | None:
    """The window that a form object gives to what it holds; None where nothing clips it."""
    own = _window(shape, matrix, frame)
    return outer if own is None else own if outer is None else _shared(own, outer)


def _window(shape: int, matrix: Matrix, frame: Frame) -> Window | None:
    """The shown box of what a shape's clip paths leave free; None where nothing clips it."""
    clip = raw.object_clip(shape)
    count = raw.clip_count(clip) if clip else 0
    found: Window | None = None
    for k in range(min(count, _MOST_PATHS)):
        segments = raw.clip_segments(clip, k)
        if not 2 <= segments <= _MOST_POINTS:
            continue
        points = np.zeros((segments, 2), np.float32)
        at = int(points.ctypes.data)
        parts = [raw.clip_segment(clip, k, n) for n in range(segments)]
        ends = at + 8 * segments
        raw.drive(map(raw.segment_point, parts, range(at, ends, 8), range(at + 4, ends + 4, 8)))
        x, y = points[:, 0].astype(np.float64), points[:, 1].astype(np.float64)
        a, b, c, d, e, f = matrix
        xs, ys = frame.show(a * x + c * y + e, b * x + d * y + f)
        own = float(xs.min()), float(ys.min()), float(xs.max()), float(ys.max())
        found = own if found is None else _shared(found, own)
    return found


def _shared(one: Window, other: Window) -> Window:
    return max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3])


def is_blank(path: int) -> bool:
    """Whether a path paints nothing that shows on white paper: filled with white or clear, without a stroke."""
    mode = (ctypes.c_int * 2)()
    channels = (ctypes.c_uint * 4)()
    at = ctypes.addressof(channels)
    raw.path_draw_mode(path, ctypes.addressof(mode), ctypes.addressof(mode) + 4)
    if mode[1]:
        return False
    if not mode[0]:
        return True
    known = raw.object_fill(path, at, at + 4, at + 8, at + 12)
    return bool(known) and (min(channels[:3]) >= 254 or channels[3] == 0)
