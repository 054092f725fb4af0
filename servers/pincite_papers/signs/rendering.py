"""Rendering: the ink of one printed glyph, drawn by PDFium from its text object alone."""

import ctypes
import math

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium

from pincite_papers import pdfium as raw
from pincite_papers.glyphs import Frame, Glyphs
from pincite_papers.signs.shapes import Shape, describe

_EM = 32.0
"""Pixels of a drawn em: a stroke of a text font is then 2 to 3 pixels wide."""

_MOST_PIXELS = 2_000_000
"""Pixels of one drawing; a longer text object is drawn smaller."""

_SLACK = 1.5
"""Pixels around a glyph's box that its edges may need."""


class Renderer:
    """Draws the glyphs of one open page; a text object is drawn once."""

    def __init__(self, page: pdfium.PdfPage, glyphs: Glyphs, frame: Frame) -> None:
        self._document, self._address = raw.address(page.pdf), raw.address(page)
        self._glyphs, self._frame = glyphs, frame
        self._drawn: dict[int, tuple[npt.NDArray[np.uint8], float, float, float] | None] = {}

    def shape(self, place: int) -> Shape | None:
        """The shape of the glyph at a place; None where it is not level or its ink does not show where its box is."""
        run_number = int(self._glyphs.runs[place])
        run = self._glyphs.objects[run_number]
        if run.angle or self._frame.quarter_turns or run.style.size <= 0:
            return None
        if run_number not in self._drawn:
            self._drawn[run_number] = self._draw(run_number)
        drawn = self._drawn[run_number]
        if drawn is None:
            return None
        ink, left, top, scale = drawn
        zoom = self._zoom()
        x0, y0, x1, y1 = (float(value) for value in self._glyphs.boxes[place])
        column, row = self._frame.left - left + x0 / zoom, top - self._frame.top + y0 / zoom
        wide, high = (x1 - x0) / zoom, (y1 - y0) / zoom
        low_x, low_y = max(round(column * scale - _SLACK), 0), max(round(row * scale - _SLACK), 0)
        high_x, high_y = round((column + wide) * scale + _SLACK), round((row + high) * scale + _SLACK)
        if high_x <= low_x or high_y <= low_y:
            return None
        baseline = (top - self._frame.top + run.y / zoom) * scale - low_y
        crop = ink[low_y:high_y, low_x:high_x].astype(np.float32) / 255
        return describe(crop, run.style.size / zoom * scale, baseline)

    def _zoom(self) -> float:
        """Shown points of one point of user space."""
        across = self._frame.right - self._frame.left
        return self._frame.width / across if across > 0 else 1.0

    def _draw(self, run_number: int) -> tuple[npt.NDArray[np.uint8], float, float, float] | None:
        """The ink (0 to 255) of a text object, the left and top of the drawing in user space, its pixels a point."""
        handle = self._glyphs.ink.handles[run_number]
        corners = (ctypes.c_float * 4)()
        at = ctypes.addressof(corners)
        if not raw.object_bounds(handle, at, at + 4, at + 8, at + 12):
            return None
        left, bottom, right, top = corners
        scale = _EM * self._zoom() / self._glyphs.objects[run_number].style.size
        area = max((right - left) * (top - bottom), 1e-6)
        scale = min(scale, (_MOST_PIXELS / area) ** 0.5)
        bitmap: int = raw.render_text(self._document, self._address, handle, scale) or 0
        if not bitmap:
            return None
        try:
            return _alpha(bitmap), math.floor(left * scale) / scale, math.ceil(top * scale) / scale, scale
        finally:
            raw.destroy_bitmap(bitmap)


def _alpha(bitmap: int) -> npt.NDArray[np.uint8]:
    """The coverage (0 to 255) of a bitmap of blue, green, red and alpha."""
    height, width, stride = raw.bitmap_height(bitmap), raw.bitmap_width(bitmap), raw.bitmap_stride(bitmap)
    kept = (ctypes.c_uint8 * (height * stride)).from_address(raw.bitmap_buffer(bitmap))
    values = np.frombuffer(kept, np.uint8).reshape(height, stride)
    return values[:, 3 : 4 * width : 4].copy()
