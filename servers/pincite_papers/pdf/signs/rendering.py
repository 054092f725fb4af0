"""Rendering: the ink of one printed glyph, drawn by PDFium from its text object alone."""

import ctypes
import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium

from pincite_papers.pdf import pdfium as raw
from pincite_papers.pdf.glyphs import Frame, Glyphs
from pincite_papers.pdf.signs.shapes import Shape, describe

_EM = 32.0
"""Pixels of a drawn em: a stroke of a text font is then 2 to 3 pixels wide."""

_MOST_PIXELS = 2_000_000
"""Pixels of one drawing; a longer text object is drawn smaller."""

_SLACK = 1.5
"""Pixels around a glyph's box that its edges may need."""

_ELSEWHERE = 0.5
"""Points by which a text object's origin differs from where it is printed, above which it stands in a form."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """Where a text object stands in its own space: its origin there and in user space, and how many times as large it
    is printed."""

    x: float
    y: float
    own_x: float
    own_y: float
    zoom: float = 1.0

    def to_own(self, x: float, y: float) -> tuple[float, float]:
        """A place of user space in the object's own."""
        return self.own_x + (x - self.x) / self.zoom, self.own_y + (y - self.y) / self.zoom


class Renderer:
    """Draws the glyphs of one open page; a text object is drawn once."""

    def __init__(self, page: pdfium.PdfPage, glyphs: Glyphs, frame: Frame) -> None:
        self._document, self._address = raw.address(page.pdf), raw.address(page)
        self._glyphs, self._frame = glyphs, frame
        self._drawn: dict[int, tuple[npt.NDArray[np.uint8], float, float, float] | None] = {}
        self._placed: dict[int, _Placed | None] = {}

    def shape(self, place: int) -> Shape | None:
        """The shape of the glyph at a place; None where it is not level or its ink does not show where its box is."""
        run_number = int(self._glyphs.runs[place])
        run = self._glyphs.objects[run_number]
        if run.angle or self._frame.quarter_turns or run.style.size <= 0:
            return None
        if run_number not in self._drawn:
            self._placed[run_number] = self._place(run_number)
            self._drawn[run_number] = self._draw(run_number)
        drawn = self._drawn[run_number]
        if drawn is None:
            return None
        ink, left, top, scale = drawn
        zoom = self._zoom()
        x0, y0, x1, y1 = (float(value) for value in self._glyphs.boxes[place])
        column, row = self._frame.left - left + x0 / zoom, top - self._frame.top + y0 / zoom
        placed = self._placed[run_number]
        if placed is not None:
            own_x, own_y = placed.to_own(self._frame.left + x0 / zoom, self._frame.top - y0 / zoom)
            column, row, zoom = own_x - left, top - own_y, zoom * placed.zoom
        wide, high = (x1 - x0) / zoom, (y1 - y0) / zoom
        low_x, low_y = max(round(column * scale - _SLACK), 0), max(round(row * scale - _SLACK), 0)
        high_x, high_y = round((column + wide) * scale + _SLACK), round((row + high) * scale + _SLACK)
        if high_x <= low_x or high_y <= low_y:
            return None
        baseline = (top - self._frame.top + run.y / zoom) if placed is None else top - placed.own_y
        baseline = baseline * scale - low_y
        crop = ink[low_y:high_y, low_x:high_x].astype(np.float32) / 255
        return describe(crop, run.style.size / zoom * scale, baseline)

    def _zoom(self) -> float:
        """Shown points of one point of user space."""
        across = self._frame.right - self._frame.left
        return self._frame.width / across if across > 0 else 1.0

    def _place(self, run_number: int) -> _Placed | None:
        """Where an object in a form stands; None for one that the page holds itself."""
        run, handle = self._glyphs.objects[run_number], self._glyphs.ink.handles[run_number]
        matrix, size = (ctypes.c_float * 6)(), ctypes.c_float()
        if not raw.object_matrix(handle, ctypes.addressof(matrix)):
            return None
        _, _, c, d, own_x, own_y = matrix
        x, y = self._frame.left + run.x / self._zoom(), self._frame.top - run.y / self._zoom()
        if max(abs(own_x - x), abs(own_y - y)) < _ELSEWHERE or not raw.text_size(handle, ctypes.addressof(size)):
            return None
        own_size = float(size.value) * math.hypot(c, d)
        return _Placed(x, y, own_x, own_y, run.style.size / self._zoom() / own_size if own_size > 0 else 1.0)

    def _draw(self, run_number: int) -> tuple[npt.NDArray[np.uint8], float, float, float] | None:
        """The ink (0 to 255) of a text object, the left and top of the drawing in user space, its pixels a point."""
        handle = self._glyphs.ink.handles[run_number]
        corners = (ctypes.c_float * 4)()
        at = ctypes.addressof(corners)
        if not raw.object_bounds(handle, at, at + 4, at + 8, at + 12):
            return None
        left, bottom, right, top = corners
        placed = self._placed[run_number]
        scale = _EM * self._zoom() / self._glyphs.objects[run_number].style.size
        scale *= placed.zoom if placed is not None else 1.0
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
