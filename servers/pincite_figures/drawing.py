"""The job that draws a region of a figure, a page or a picture file from its source."""

from ctypes import c_void_p
from dataclasses import dataclass
from fractions import Fraction
from math import floor
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw

from pincite_core.errors import LimitReachedError
from pincite_figures.arguments import MOST_DPI
from pincite_figures.native import Native, native_of
from pincite_figures.pictures import encode, encode_png
from pincite_figures.pixels import EDGE, Pixels, pixel_edges
from pincite_figures.source import OpenSource, Subject
from pincite_papers.model import Rect

raw: Any = pypdfium2.raw

_MOST_PAGE_SIDE = 1 << 18
"""Pixels of a page's longer side from which a crop is taken: PDFium's coordinates stay exact below."""
_SMALL = 400
"""Pixels of the longer side below which a crop of a picture is enlarged by a whole factor. Set by judgement."""
_COARSE = 10
"""Dots per inch below which the scale is rounded to thousandths instead of whole numbers."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """Uint8 pixels (height, width, 3); ``dpi`` of a page, or how native pixels were scaled; the box shown.

    ``box`` is in points of the page, or in pixels of a picture file.
    """

    pixels: Pixels
    box: Rect
    dpi: float | None = None
    native: Fraction | None = None


def draw_job(source: OpenSource, arguments: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
    """Draw ``region`` (fractions of the target) with at most ``max_side`` pixels a side, or at ``dpi`` if given.

    It is encoded as PNG or JPEG, with the argument ``png`` always as PNG. The reply has mime type, width,
    height, dpi or native scale, and the box shown; the body is the encoded image.
    """
    region = [Fraction(edge) for edge in arguments["region"]]
    subject = source.subject(arguments["target"])
    drawn = draw(subject, region, max_side=arguments["max_side"], dpi=arguments.get("dpi"))
    if arguments.get("png"):
        kind, body = "png", encode_png(drawn.pixels)
    else:
        kind, body = encode(drawn.pixels, exact=drawn.native is not None)
    height, width = drawn.pixels.shape[:2]
    box = drawn.box
    reply = {
        "mime_type": f"image/{kind}",
        "width": width,
        "height": height,
        "dpi": drawn.dpi,
        "native": None if drawn.native is None else float(drawn.native),
        "unit": "px" if subject.picture is not None else "pt",
        "box": [box.x0, box.y0, box.x1, box.y1],
    }
    return reply, body


def draw(subject: Subject, region: list[Fraction], *, max_side: int, dpi: float | None = None) -> Drawn:
    """The region of a subject: native pixels where it is one raster image, else drawn from the page's objects."""
    box = subject.within(region)
    native = native_of(subject) if dpi is None else None
    if native is not None:
        return _cropped(native, box, max_side)
    assert subject.page is not None
    return _rendered(subject, subject.page, box, max_side, dpi)


def _cropped(native: Native, box: list[Fraction], max_side: int) -> Drawn:
    """Native pixels as they are; many are reduced, a few enlarged, so that they are well seen."""
    x0, y0, x1, y1 = native.edges(box)
    pixels = native.pixels[y0:y1, x0:x1]
    longest = max(x1 - x0, y1 - y0)
    scale = Fraction(1)
    if longest > max_side:
        scale = Fraction(max_side, longest)
    elif longest < _SMALL:
        scale = Fraction(min(max_side, 2 * _SMALL) // longest)
    if scale != 1:
        pixels = native.scaled(pixels, max(1, round((x1 - x0) * scale)), max(1, round((y1 - y0) * scale)))
    return Drawn(pixels, native.box(x0, y0, x1, y1), native=scale)


def _rendered(subject: Subject, page: pdfium.PdfPage, box: list[Fraction], max_side: int, dpi: float | None) -> Drawn:
    """The page drawn on a grid of whole pixels, of which the box's are kept: the same grid for every box of one dpi."""
    x0, y0, x1, y1 = box
    width, height = Fraction(subject.width), Fraction(subject.height)
    longest = max(x1 - x0, y1 - y0)
    page_bound = Fraction(72 * _MOST_PAGE_SIDE) / max(width, height)
    most = min(Fraction(72 * (max_side - 2)) / longest, page_bound, Fraction(MOST_DPI))
    chosen = _round_dpi(min(most, Fraction(dpi)) if dpi is not None else most)
    columns, rows = (max(1, round(side * chosen / 72)) for side in (width, height))
    left, right = pixel_edges(x0, x1, columns / width, columns)
    top, bottom = pixel_edges(y0, y1, rows / height, rows)
    pixels = render(page, (columns, rows), (left, top, right, bottom))
    across, down = float(width / columns), float(height / rows)
    shown = Rect(left * across, top * down, right * across, bottom * down)
    return Drawn(pixels, shown, dpi=float(chosen))


def _round_dpi(dpi: Fraction) -> Fraction:
    """Downwards, to a whole number where that is near: a box that is off by a hair gets the same grid."""
    steps = 1 if dpi >= _COARSE else 1000
    rounded = Fraction(floor(dpi * steps + EDGE), steps)
    if rounded <= 0:
        raise LimitReachedError("The page is too large to be drawn.", next="Open another copy of the paper.")
    return rounded


def render(page: pdfium.PdfPage, size: tuple[int, int], window: tuple[int, int, int, int]) -> Pixels:
    """Uint8 (height, width, 3): the window (left, top, right, bottom) of the page drawn in ``size`` pixels on white."""
    left, top, right, bottom = window
    width, height = right - left, bottom - top
    pixels = np.full((height, width, 4), 255, np.uint8)
    bitmap = raw.FPDFBitmap_CreateEx(width, height, raw.FPDFBitmap_BGRx, pixels.ctypes.data_as(c_void_p), 4 * width)
    if not bitmap:
        raise MemoryError
    try:
        flags = raw.FPDF_ANNOT | raw.FPDF_REVERSE_BYTE_ORDER
        raw.FPDF_RenderPageBitmap(bitmap, page.raw, -left, -top, *size, 0, flags)
    finally:
        raw.FPDFBitmap_Destroy(bitmap)
    return np.ascontiguousarray(pixels[..., :3])
