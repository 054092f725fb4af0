"""Native pixels: a figure that is one raster image, cropped in its own pixels."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor

import numpy as np
import numpy.typing as npt
from PIL import Image

from pincite_figures.source import Subject
from pincite_papers.model import Rect

Pixels = npt.NDArray[np.uint8]

_EDGE = Fraction(1, 1024)


@dataclass(frozen=True, slots=True)
class Native:
    """Uint8 pixels (height, width, 3) of an image that fills ``place``, in the units of the subject's box."""

    pixels: Pixels
    place: Rect

    def edges(self, box: list[Fraction]) -> tuple[int, int, int, int]:
        """The whole pixels (left, top, right, bottom) that hold the box, one at least."""
        rows, columns = self.pixels.shape[:2]
        left, right = _edges(box[0], box[2], self.place.x0, self.place.x1, columns)
        top, bottom = _edges(box[1], box[3], self.place.y0, self.place.y1, rows)
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


def native_of(subject: Subject) -> Native | None:
    """The image that is the whole subject; None where it is drawn with more than one raster image."""
    if subject.picture is not None:
        return Native(np.asarray(subject.picture.convert("RGB")), subject.box)
    return None


def _edges(low: Fraction, high: Fraction, start: float, end: float, count: int) -> tuple[int, int]:
    scale = count / (Fraction(end) - Fraction(start))
    first = min(max(0, floor((low - Fraction(start)) * scale + _EDGE)), count - 1)
    return first, min(count, max(first + 1, ceil((high - Fraction(start)) * scale - _EDGE)))
