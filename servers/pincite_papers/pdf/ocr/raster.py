"""Rasters of pages: rendered in grey, told ink from paper, turned level."""

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium
from PIL import Image

from pincite_papers.pdf.ocr.tesseract import Raster

Ink = npt.NDArray[np.bool_]
"""Bool (height, width): where a picture has ink."""

DPI = 300.0
"""Dots per inch at which tesseract reads best, by its documentation."""
_MOST_PIXELS = 24_000_000
"""Pixels of a page's picture: posters are drawn smaller."""
_STEEPEST = 6.0
"""Degrees by which a scan may be tilted and is turned level. Set by judgement."""
_LEAST_TILT = 0.15
"""Degrees below which a scan is left as it is: tesseract reads it as well. Set by judgement."""
_POINTS = 40_000
"""Points of ink by which the tilt is measured, evenly over the page."""


def render_page(page: pdfium.PdfPage) -> tuple[Raster, float]:
    """The page as it is shown, in grey, and its dots an inch: 300, fewer for a very large sheet."""
    width, height = page.get_size()
    dpi = min(DPI, 72 * math.sqrt(_MOST_PIXELS / max(width * height, 1.0)))
    drawn: Any = page
    bitmap = drawn.render(scale=dpi / 72, grayscale=True)
    try:
        return np.array(bitmap.to_numpy(), np.uint8).reshape(bitmap.height, bitmap.width), dpi
    finally:
        bitmap.close()


def ink_of(raster: Raster) -> Ink:
    """Where a picture is darker than the threshold that parts its greys best (Otsu 1979); white on black is turned."""
    counts = np.bincount(raster[::2, ::2].ravel(), minlength=256).astype(np.float64)
    levels = np.arange(256)
    below = np.cumsum(counts)
    above = below[-1] - below
    weight = np.cumsum(counts * levels)
    with np.errstate(divide="ignore", invalid="ignore"):
        spread = below * above * (weight / below - (weight[-1] - weight) / above) ** 2
    threshold = int(np.nanargmax(np.nan_to_num(spread)))
    ink = raster <= threshold
    return ~ink if np.count_nonzero(ink) > 0.6 * ink.size else ink


def tilt_of(ink: Ink, dpi: float) -> float:
    """By how many degrees clockwise the lines of print fall to the right (within 6), from the sharpest row profile."""
    step = max(round(dpi / 100), 1)
    small = ink[::step, ::step]
    ys, xs = np.nonzero(small)
    if len(ys) < 500:
        return 0.0
    if len(ys) > _POINTS:
        chosen = np.linspace(0, len(ys) - 1, _POINTS).astype(np.int64)
        ys, xs = ys[chosen], xs[chosen]
    ys, xs = ys.astype(np.float64), xs.astype(np.float64)
    margin = math.ceil(small.shape[1] * math.tan(math.radians(_STEEPEST + 1))) + 2

    def sharpness(angle: float) -> float:
        rows = (ys - xs * math.tan(math.radians(angle)) + margin).astype(np.int64)
        profile = np.bincount(rows, minlength=small.shape[0] + 2 * margin).astype(np.float64)
        return float(np.square(np.diff(profile)).sum())

    coarse = max(np.arange(-_STEEPEST, _STEEPEST + 0.1, 0.5).tolist(), key=sharpness)
    fine = max((coarse + np.arange(-0.5, 0.51, 0.1)).tolist(), key=sharpness)
    return fine if sharpness(fine) > 1.1 * sharpness(0.0) and abs(fine) >= _LEAST_TILT else 0.0


def levelled(raster: Raster, tilt: float) -> Raster:
    """The picture turned about its centre so that print that falls by ``tilt`` degrees runs level."""
    picture = Image.fromarray(raster)
    white = int(np.median(raster[::8, ::8]))
    return np.asarray(picture.rotate(tilt, Image.Resampling.BICUBIC, fillcolor=max(white, 128)), np.uint8)


def turned(raster: Raster, quarters: int) -> Raster:
    """The picture turned by clockwise quarter turns."""
    return np.ascontiguousarray(np.rot90(raster, -quarters))
