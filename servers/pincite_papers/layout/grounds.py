"""Grounds: the filled shapes and pictures that a page paints under or over its text."""

import ctypes
from dataclasses import dataclass
from itertools import count

import numpy as np
import numpy.typing as npt

from pincite_papers import pdfium as raw
from pincite_papers.layout.drawings import FORM, PATH, TEXT, Drawings

_NARROWEST, _LOWEST = 6.0, 3.0
_SLACK = 0.5
_MOST_PAIRS = 5_000_000
_BOX_SEGMENTS = 6
_SOLID = 250

Color = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Ground:
    """A filled shape or picture: its place in the order of painting, its ``color`` (None for pictures and shadings).

    ``solid`` says that nothing shows through, ``box`` that it fills its bounding box; ``holds`` bool (n), the text
    objects whose origin lies in that bounding box.
    """

    order: int
    color: Color | None
    solid: bool
    box: bool
    holds: npt.NDArray[np.bool_]


def find_grounds(found: Drawings, x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]) -> list[Ground]:
    """The grounds that hold any of the text objects with these origins, in the order of painting; none is thin."""
    near = [part for layer in found.layers.values() for part in _near(layer.shapes, layer.kinds, layer.boxes, x, y)]
    if not near:
        return []
    paint = _Paint()
    filled = [(handle, inked, holds) for handle, kind, holds in near if (inked := paint.of(handle, kind)) is not None]
    order = painting_order(found) if filled else {}
    grounds = [Ground(order[handle], color, solid, box, holds) for handle, (color, solid, box), holds in filled]
    return sorted(grounds, key=lambda ground: ground.order)


def painting_order(found: Drawings) -> dict[int, int]:
    """The place of every object, those of forms too, in the order of painting, by handle."""
    return dict(zip(_flat(found, 0), count()))


def inside_of(found: Drawings, forms: list[int]) -> set[int]:
    """The objects inside these form objects."""
    return {one for form in forms for one in _flat(found, form)}


def _flat(found: Drawings, owner: int) -> list[int]:
    layer = found.layers[owner]
    if not any(kind == FORM and shape in found.layers for shape, kind in zip(layer.shapes, layer.kinds, strict=True)):
        return layer.objects
    return [part for one in layer.objects for part in (_flat(found, one) if one and one in found.layers else (one,))]


def _near(
    shapes: list[int],
    kinds: list[int],
    boxes: npt.NDArray[np.float32],
    x: npt.NDArray[np.float64],
    y: npt.NDArray[np.float64],
) -> list[tuple[int, int, npt.NDArray[np.bool_]]]:
    """(handle, kind, text objects in its box) of the shapes that hold any."""
    if not shapes or not len(x):
        return []
    wide = (boxes[:, 2] - boxes[:, 0] >= _NARROWEST) & (boxes[:, 3] - boxes[:, 1] >= _LOWEST)
    numbers = np.flatnonzero(wide & ~np.isin(kinds, (TEXT, FORM)))
    most = max(_MOST_PAIRS // len(x), 1)
    if len(numbers) > most:
        areas = (boxes[numbers, 2] - boxes[numbers, 0]) * (boxes[numbers, 3] - boxes[numbers, 1])
        numbers = np.sort(numbers[np.argsort(-areas, kind="stable")[:most]])
    x0, y0, x1, y1 = (boxes[numbers, k, None] for k in range(4))
    holds = (x >= x0 - _SLACK) & (x <= x1 + _SLACK) & (y >= y0 - _SLACK) & (y <= y1 + _SLACK)
    kept = np.flatnonzero(holds.any(axis=1)).tolist()
    return [(shapes[numbers[k]], kinds[numbers[k]], holds[k]) for k in kept]


class _Paint:
    """Asks what objects are painted with."""

    def __init__(self) -> None:
        self._channels = (ctypes.c_uint * 4)()
        self._mode = (ctypes.c_int * 2)()

    def of(self, handle: int, kind: int) -> tuple[Color | None, bool, bool] | None:
        """(colour, solid, fills its box) of an object; None for a path that is not filled or that cannot be seen."""
        if kind != PATH:
            return None, not raw.object_transparency(handle), True
        mode, at = ctypes.addressof(self._mode), ctypes.addressof(self._channels)
        if not raw.path_draw_mode(handle, mode, mode + 4) or not self._mode[0]:
            return None
        if not raw.object_fill(handle, at, at + 4, at + 8, at + 12):
            return None, True, False
        red, green, blue, alpha = self._channels
        if not alpha:
            return None
        over = tuple(round(255 + (channel - 255) * alpha / 255) for channel in (red, green, blue))
        return (over[0], over[1], over[2]), alpha >= _SOLID, raw.path_segments(handle) <= _BOX_SEGMENTS
