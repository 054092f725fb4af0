"""Seen: whether text leaves ink on the page, asked of two renderings, with it and without it."""

from collections.abc import Sequence
from typing import Any, cast

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium

from pincite_papers.pdf import pdfium as raw

VISIBLE_STEP = 20
"""A pixel that text changes by less, in any of its colours (of 255), is not seen."""
_CLEAR_STEP, _HALF = 60, 0.5
_LEAST_INK = 0.05
"""Share of a glyph's box that drawing it changes visibly (``VISIBLE_STEP``): at most this leaves the glyph unseen.
Set by judgement."""
_EDGE, _EDGES = 40.0, 0.02
_SCALE = 1.5
"""Pixels a point at which ink is looked for, where the part of the page is not too large (``_MOST_PIXELS``). Set by
judgement."""
_MOST_PIXELS = 2_000_000.0
"""Pixels of one drawing in which ink is looked for; a larger part of the page is drawn more coarsely. Bounds the
time. Set by judgement."""
_MARGIN = 2.0
"""Points around the asked glyphs that are drawn too. Set by judgement."""

Pixels = npt.NDArray[np.uint8]


def leaves_ink(
    page: pdfium.PdfPage,
    quarters: int,
    boxes: npt.NDArray[np.float32],
    handles: Sequence[int],
    color: tuple[int, int, int] | None = None,
) -> npt.NDArray[np.bool_]:
    """Bool (n): whether the page within each of the boxes (float32 (n, 4), as shown) differs without these objects.

    ``quarters`` are the clockwise quarter turns in which the boxes were measured. If ``color`` is given, nothing but
    that colour makes the objects suspect: a page that is far from it in most of each box is not rendered twice.
    """
    view = _View(page, quarters, boxes)
    try:
        raw.drive(raw.set_active(handle, 0) for handle in handles)
        without = view.render()
    finally:
        raw.drive(raw.set_active(handle, 1) for handle in handles)
    if color is not None:
        near = np.abs(without.astype(np.int16) - np.array(color[::-1], np.int16)).max(axis=2) < _CLEAR_STEP
        if not (view.share_in(near, boxes) > _HALF).any():
            return np.ones(len(boxes), np.bool_)
    with_text = view.render()
    step = np.maximum(with_text, without) - np.minimum(with_text, without)
    return view.share_in(step.max(axis=2) >= VISIBLE_STEP, boxes) > _LEAST_INK


def lies_on_ink(page: pdfium.PdfPage, quarters: int, boxes: npt.NDArray[np.float32]) -> npt.NDArray[np.bool_]:
    """Bool (n): whether the page within each of the boxes is full of edges: the printed words of a scan."""
    view = _View(page, quarters, boxes)
    grey = view.render().mean(axis=2)
    edges = np.zeros(grey.shape, np.bool_)
    edges[:, 1:] = np.abs(np.diff(grey, axis=1)) >= _EDGE
    edges[1:] |= np.abs(np.diff(grey, axis=0)) >= _EDGE
    return view.share_in(edges, boxes) >= _EDGES


class _View:
    """The part of a page around boxes, as pixels."""

    def __init__(self, page: pdfium.PdfPage, quarters: int, boxes: npt.NDArray[np.float32]) -> None:
        self._page, self._quarters = page, quarters
        width, height = page.get_width(), page.get_height()
        if quarters % 2:
            width, height = height, width
        left, right = _within(boxes[:, 0], boxes[:, 2], width)
        top, bottom = _within(boxes[:, 1], boxes[:, 3], height)
        self._scale = min(_SCALE, (_MOST_PIXELS / ((right - left) * (bottom - top))) ** 0.5)
        left, right = _widened(left, right, width, 2 / self._scale)
        top, bottom = _widened(top, bottom, height, 2 / self._scale)
        self._crop = (left, max(height - bottom, 0.0), max(width - right, 0.0), top)
        self._origin = np.ceil(np.array((left, top)) * self._scale)

    def render(self) -> Pixels:
        """Uint8 (height, width, 3)."""
        bitmap = cast("Any", self._page).render(
            scale=self._scale,
            rotation=90 * self._quarters,
            crop=self._crop,
            may_draw_forms=False,
            draw_annots=False,
            fill_color=(255, 255, 255, 255),
        )
        try:
            return bitmap.to_numpy().copy()
        finally:
            bitmap.close()

    def share_in(self, marked: npt.ArrayLike, boxes: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
        """Float64 (n): which share of the pixels within each of the boxes is marked."""
        marked = np.asarray(marked, np.bool_)
        sums = np.zeros((marked.shape[0] + 1, marked.shape[1] + 1), np.int32)
        np.cumsum(np.cumsum(marked, axis=0, dtype=np.int32), axis=1, out=sums[1:, 1:])
        low = np.floor(np.nan_to_num(boxes[:, :2]) * self._scale - self._origin)
        high = np.ceil(np.nan_to_num(boxes[:, 2:]) * self._scale - self._origin)
        most = np.array((marked.shape[1], marked.shape[0]), np.float64)
        x0, y0 = np.clip(low, 0, most).astype(np.int64).T
        x1, y1 = np.clip(np.maximum(high, low + 1), 0, most).astype(np.int64).T
        inside = sums[y1, x1] - sums[y0, x1] - sums[y1, x0] + sums[y0, x0]
        return inside / np.maximum((x1 - x0) * (y1 - y0), 1)


def _within(low: npt.NDArray[np.float32], high: npt.NDArray[np.float32], size: float) -> tuple[float, float]:
    """The part of 0 to ``size`` (points) around these intervals, at least a point long."""
    first = min(max(float(np.nanmin(low)) - _MARGIN, 0.0), max(size - 1.0, 0.0))
    last = min(max(float(np.nanmax(high)) + _MARGIN, first + 1.0), max(size, first + 1.0))
    return first, last


def _widened(first: float, last: float, size: float, least: float) -> tuple[float, float]:
    """A part of 0 to ``size`` made ``least`` long, where there is room: renderings have whole pixels."""
    if last - first >= least:
        return first, last
    first = max(min(first, size - least), 0.0)
    return first, max(min(first + least, size), last)
