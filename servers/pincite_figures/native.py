"""Native pixels: a figure that is one raster image, cropped in its own pixels."""

import ctypes
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
import pypdfium2.raw
from PIL import Image

from pincite_figures.pixels import Pixels, on_white, pixel_edges
from pincite_figures.source import Subject
from pincite_papers.model import Rect
from pincite_papers.pdf import pdfium as calls
from pincite_papers.pdf.glyphs import Frame
from pincite_papers.pdf.matrices import IDENTITY, Matrix, matrix_of, times

raw: Any = pypdfium2.raw

_TEXT, _PATH, _IMAGE, _FORM = 1, 2, 3, 5
"""PDFium's numbers for kinds of page objects (FPDF_PAGEOBJ_*)."""
_MOST_OBJECTS = 100_000
"""Objects of a page that are looked at; a page with more is drawn instead. Set by judgement."""
_DEEPEST_FORM = 4
"""Form objects inside each other that are entered. Set by judgement."""
_MOST_PIXELS = 40_000_000
"""Pixels of an image that is decoded: 120 MB in three colours."""
_KEPT_PIXELS = 12_000_000
"""Pixels of an image that stays in memory for the next crop: 36 MB in three colours."""
_SLACK = 1.5
"""Points by which a figure's box may differ from its image's: a line's width and rounding. Set by judgement."""
_SLANT = 0.02
"""Share of an image's size by which it may be skewed and still count as upright. Set by judgement."""
_SQUEEZED = 0.03
"""Difference of the two scales from which an image is squeezed, so that its own pixels show other shapes."""
_INVISIBLE_MODE = 3
"""The text rendering mode "neither fill nor stroke" (ISO 32000-1, table 106)."""


@dataclass(frozen=True, slots=True)
class Native:
    """Uint8 pixels (height, width, 3) of an image that fills ``place``, in the units of the subject's box."""

    pixels: Pixels
    place: Rect

    def edges(self, box: list[Fraction]) -> tuple[int, int, int, int]:
        """The whole pixels (left, top, right, bottom) that hold the box, one at least."""
        rows, columns = self.pixels.shape[:2]
        x0, y0, x1, y1 = (Fraction(edge) for edge in (self.place.x0, self.place.y0, self.place.x1, self.place.y1))
        left, right = pixel_edges(box[0] - x0, box[2] - x0, columns / (x1 - x0), columns)
        top, bottom = pixel_edges(box[1] - y0, box[3] - y0, rows / (y1 - y0), rows)
        return left, top, right, bottom

    def box(self, left: int, top: int, right: int, bottom: int) -> Rect:
        """The place of these pixels."""
        rows, columns = self.pixels.shape[:2]
        across, down = (self.place.x1 - self.place.x0) / columns, (self.place.y1 - self.place.y0) / rows
        x0, y0 = self.place.x0, self.place.y0
        return Rect(x0 + left * across, y0 + top * down, x0 + right * across, y0 + bottom * down)

    @staticmethod
    def scaled(pixels: Pixels, width: int, height: int) -> Pixels:
        """The pixels as a whole in another size."""
        picture = Image.fromarray(np.ascontiguousarray(pixels))
        way = Image.Resampling.BICUBIC if width > picture.width else Image.Resampling.BOX
        return np.asarray(picture.resize((width, height), way))


@dataclass(frozen=True, slots=True)
class _Object:
    """A page object by its handle, and the matrix from the space that its bounds are in to user space."""

    handle: int
    kind: int
    matrix: Matrix


def native_of(subject: Subject) -> Native | None:
    """The image that is the whole subject; None where anything else is drawn there."""
    if subject.picture is not None:
        return Native(np.asarray(subject.picture.convert("RGB")), subject.box)
    page, memo, key = subject.page, subject.memo, (subject.number, subject.box)
    assert page is not None
    if key in memo:
        return memo[key]
    native = _of_page(page, subject.box)
    memo.clear()
    if native is None or native.pixels.size <= 3 * _KEPT_PIXELS:
        memo[key] = native
    return native


def _of_page(page: pdfium.PdfPage, box: Rect) -> Native | None:
    frame = Frame.of(page)
    objects = list(islice(_objects(_top(page), IDENTITY, 0), _MOST_OBJECTS + 1))
    if len(objects) > _MOST_OBJECTS:
        return None
    covering = [index for index, one in enumerate(objects) if one.kind == _IMAGE and _covers(_bounds(one, frame), box)]
    if not covering or any(_marks(one, frame, box) for one in objects[covering[-1] + 1 :]):
        return None
    last = covering[-1]
    bare = not any(_marks(one, frame, box) for one in objects[:last])
    return _decoded(page, objects[last], frame, opaque=not bare)


def _top(page: pdfium.PdfPage) -> Iterator[int]:
    handle = calls.address(page)
    return (calls.get_object(handle, index) for index in range(max(calls.count_objects(handle), 0)))


def _objects(handles: Iterator[int], matrix: Matrix, depth: int) -> Iterator[_Object]:
    """All objects in the order of painting, those inside form objects in their place."""
    for handle in handles:
        kind = calls.object_type(handle) if handle else 0
        if kind == _FORM and depth < _DEEPEST_FORM:
            inner = (calls.form_object(handle, index) for index in range(max(calls.form_count(handle), 0)))
            yield from _objects(inner, times(matrix_of(handle), matrix), depth + 1)
        elif kind:
            yield _Object(handle, kind, matrix)


def _marks(one: _Object, frame: Frame, box: Rect) -> bool:
    """Whether an object may leave ink in the box."""
    if one.kind == _TEXT and calls.text_render_mode(one.handle) == _INVISIBLE_MODE:
        return False
    if one.kind == _PATH:
        fill, stroke = ctypes.c_int(), ctypes.c_int()
        calls.path_draw_mode(one.handle, ctypes.addressof(fill), ctypes.addressof(stroke))
        if not fill.value and not stroke.value:
            return False
    at = _bounds(one, frame)
    across, down = min(at.x1, box.x1) - max(at.x0, box.x0), min(at.y1, box.y1) - max(at.y0, box.y0)
    return across > -_SLACK / 2 and down > -_SLACK / 2


def _covers(image: Rect, box: Rect) -> bool:
    return (
        image.x0 <= box.x0 + _SLACK
        and image.y0 <= box.y0 + _SLACK
        and image.x1 >= box.x1 - _SLACK
        and image.y1 >= box.y1 - _SLACK
    )


def _decoded(page: pdfium.PdfPage, one: _Object, frame: Frame, *, opaque: bool) -> Native | None:
    """The image's own pixels as the page shows them: turned or mirrored, what is transparent white.

    None where that is not so, or where the image must be ``opaque``, there being something under it, and is not.
    """
    corners = _shown_corners(times(matrix_of(one.handle), one.matrix), frame)
    if corners is None:
        return None
    place, turned, mirrored, upset = corners
    width, height = ctypes.c_uint(), ctypes.c_uint()
    image = ctypes.cast(one.handle, raw.FPDF_PAGEOBJECT)
    if not raw.FPDFImageObj_GetImagePixelSize(image, width, height):
        return None
    columns, rows = (height.value, width.value) if turned else (width.value, height.value)
    if not 0 < columns * rows <= _MOST_PIXELS or _is_squeezed(place, columns, rows):
        return None
    pixels = _own_pixels(page, image, width.value, height.value, opaque=opaque)
    if pixels is None:
        return None
    if turned:
        pixels = pixels.swapaxes(0, 1)
    if mirrored:
        pixels = pixels[:, ::-1]
    if upset:
        pixels = pixels[::-1]
    return Native(np.ascontiguousarray(pixels), place)


def _shown_corners(matrix: Matrix, frame: Frame) -> tuple[Rect, bool, bool, bool] | None:
    """Where the unit square is shown; whether it is turned by a quarter, then mirrored, then upside down.

    None where its sides are neither level nor upright.
    """
    a, b, c, d, e, f = matrix
    xs, ys = frame.show(np.array([c + e, a + c + e, e]), np.array([d + f, b + d + f, f]))
    levels: list[float] = xs.tolist()
    heights: list[float] = ys.tolist()
    (left, right, below), (top, beside, under) = levels, heights
    across, fall = (right - left, beside - top), (below - left, under - top)
    size = max(abs(value) for value in (*across, *fall))
    if not size > 0:
        return None
    turned = abs(across[1]) > abs(across[0])
    if turned:
        slants, wide, high = (across[0], fall[1]), fall[0], across[1]
    else:
        slants, wide, high = (across[1], fall[0]), across[0], fall[1]
    if max(map(abs, slants)) > _SLANT * size or not wide or not high:
        return None
    far_x, far_y = left + wide, top + high
    place = Rect(min(left, far_x), min(top, far_y), max(left, far_x), max(top, far_y))
    return place, turned, wide < 0, high < 0


def _is_squeezed(place: Rect, columns: int, rows: int) -> bool:
    """Whether the pixels are shown much wider than high, or the other way round."""
    ratio = (place.x1 - place.x0) / columns / ((place.y1 - place.y0) / rows)
    return abs(ratio - 1) > _SQUEEZED


def _own_pixels(page: pdfium.PdfPage, image: Any, width: int, height: int, *, opaque: bool) -> Pixels | None:
    """Uint8 (height, width, 3): the image drawn alone, a pixel of its own on a pixel, its mask applied on white."""
    before = raw.FS_MATRIX()
    raw.FPDFPageObj_GetMatrix(image, before)
    raw.FPDFPageObj_SetMatrix(image, raw.FS_MATRIX(width, 0, 0, height, 0, 0))
    try:
        bitmap = raw.FPDFImageObj_GetRenderedBitmap(page.pdf, page, image)
    finally:
        raw.FPDFPageObj_SetMatrix(image, before)
    if not bitmap:
        return None
    try:
        return _copied(bitmap, width, height, opaque=opaque)
    finally:
        raw.FPDFBitmap_Destroy(bitmap)


def _copied(bitmap: Any, width: int, height: int, *, opaque: bool) -> Pixels | None:
    size = raw.FPDFBitmap_GetWidth(bitmap), raw.FPDFBitmap_GetHeight(bitmap)
    if size != (width, height) or raw.FPDFBitmap_GetFormat(bitmap) != raw.FPDFBitmap_BGRA:
        return None
    stride: int = raw.FPDFBitmap_GetStride(bitmap)
    buffer = ctypes.cast(raw.FPDFBitmap_GetBuffer(bitmap), ctypes.POINTER(ctypes.c_uint8))
    as_array: Any = np.ctypeslib.as_array
    held: npt.NDArray[np.uint8] = as_array(buffer, (height, stride))
    bgra = held[:, : 4 * width].reshape(height, width, 4)
    if opaque and bgra[..., 3].min() < 255:
        return None
    return on_white(bgra[..., 2::-1], bgra[..., 3])


def _bounds(one: _Object, frame: Frame) -> Rect:
    """The shown bounds of an object."""
    held = (ctypes.c_float * 4)()
    at = ctypes.addressof(held)
    calls.object_bounds(one.handle, at, at + 4, at + 8, at + 12)
    left, bottom, right, top = held
    a, b, c, d, e, f = one.matrix
    xs = np.array([a * x + c * y + e for x in (left, right) for y in (bottom, top)])
    ys = np.array([b * x + d * y + f for x in (left, right) for y in (bottom, top)])
    shown_x, shown_y = frame.show(xs, ys)
    return Rect(float(shown_x.min()), float(shown_y.min()), float(shown_x.max()), float(shown_y.max()))
