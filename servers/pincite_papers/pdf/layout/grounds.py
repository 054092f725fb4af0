"""Grounds: the filled shapes and pictures that a page paints under or over its text."""

import ctypes
from dataclasses import dataclass
from itertools import count

import numpy as np
import numpy.typing as npt

from pincite_papers.pdf import pdfium as raw
from pincite_papers.pdf.layout.drawings import FORM, PATH, Drawings, Layer

_NARROWEST, _LOWEST = 6.0, 3.0
_SLACK = 0.5
"""Points by which a baseline may lie outside a filled shape and still be on it: coordinates are rounded. Set by
judgement."""
_MOST_PAIRS = 5_000_000
"""Pairs of shape and text object of a page that are compared; of more, the largest shapes are taken. Bounds time and
memory. Set by judgement."""
_BOX_SEGMENTS = 6
"""Segments of a path that fills its box, as a rectangle does; one of more may leave parts of it free. Set by
judgement."""
_SOLID = 250
"""Opacity, of 255, from which on a fill hides what lies under it. Set by judgement."""

Color = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Ground:
    """A filled shape or picture: its place in the order of painting, its ``color`` (None for pictures and shadings).

    ``solid`` says that nothing shows through, ``box`` that it fills its bounding box; ``holds`` bool (n), the text
    objects that lie in that bounding box, ``touches`` those of which a part does.
    """

    order: int
    color: Color | None
    solid: bool
    box: bool
    holds: npt.NDArray[np.bool_]
    touches: npt.NDArray[np.bool_]


Wide = list[tuple[Layer, npt.NDArray[np.int64]]]


def wide_shapes(found: Drawings) -> Wide:
    """The numbers of the shapes of each layer that are large enough to hold text, where it has any."""
    wide: Wide = []
    for layer in found.layers.values():
        boxes = layer.boxes
        if len(boxes):
            numbers = np.flatnonzero((boxes[:, 2] - boxes[:, 0] >= _NARROWEST) & (boxes[:, 3] - boxes[:, 1] >= _LOWEST))
            if len(numbers):
                wide.append((layer, numbers))
    return wide


def find_grounds(found: Drawings, wide: Wide, baselines: npt.NDArray[np.float64]) -> list[Ground]:
    """The grounds among the wide shapes, in the order of painting, that touch any of the text objects.

    ``baselines`` float64 (n, 4): x0, y0, x1, y1 of the text objects' baselines, as shown.
    """
    near = [part for layer, numbers in wide for part in _near(layer, numbers, baselines)]
    if not near:
        return []
    paint = _Paint()
    filled = [(one, inked) for one in near if (inked := paint.of(one[0], one[1])) is not None]
    order = painting_order(found) if filled else {}
    grounds = [Ground(order[one[0]], *inked, one[2], one[3]) for one, inked in filled]
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
    layer: Layer, numbers: npt.NDArray[np.int64], baselines: npt.NDArray[np.float64]
) -> list[tuple[int, int, npt.NDArray[np.bool_], npt.NDArray[np.bool_]]]:
    """(handle, kind, text objects in its box, those that touch it) of the shapes that touch any."""
    boxes = layer.boxes
    most = max(_MOST_PAIRS // len(baselines), 1)
    if len(numbers) > most:
        areas = (boxes[numbers, 2] - boxes[numbers, 0]) * (boxes[numbers, 3] - boxes[numbers, 1])
        numbers = np.sort(numbers[np.argsort(-areas, kind="stable")[:most]])
    left, top, right, bottom = (boxes[numbers, k, None] for k in range(4))
    x0, y0, x1, y1 = baselines.T
    touches = (x0 <= right) & (x1 >= left) & (y0 <= bottom + _SLACK) & (y1 >= top - _SLACK)
    kept = np.flatnonzero(touches.any(axis=1))
    inside = (x0 >= left[kept] - _SLACK) & (x1 <= right[kept] + _SLACK)
    inside &= (y0 >= top[kept] - _SLACK) & (y1 <= bottom[kept] + _SLACK)
    found = zip(numbers[kept].tolist(), inside, touches[kept], strict=True)
    return [(layer.shapes[n], layer.kinds[n], held, touched) for n, held, touched in found if layer.kinds[n] != FORM]


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
        if not raw.path_draw_mode(handle, mode, mode + 4):
            return None
        if not self._mode[0]:
            return self._broad_line(handle) if self._mode[1] else None
        if not raw.object_fill(handle, at, at + 4, at + 8, at + 12):
            return None, True, False
        red, green, blue, alpha = self._channels
        if not alpha:
            return None
        over = tuple(round(255 + (channel - 255) * alpha / 255) for channel in (red, green, blue))
        return (over[0], over[1], over[2]), alpha >= _SOLID, raw.path_segments(handle) <= _BOX_SEGMENTS

    def _broad_line(self, handle: int) -> tuple[Color | None, bool, bool] | None:
        """(colour, solid, fills its box) of a stroked path; None for a line too thin to hold text."""
        width = ctypes.c_float()
        raw.stroke_width(handle, ctypes.addressof(width))
        at = ctypes.addressof(self._channels)
        if width.value < _LOWEST or not raw.object_stroke(handle, at, at + 4, at + 8, at + 12):
            return None
        red, green, blue, _ = self._channels
        return (red, green, blue), False, False
