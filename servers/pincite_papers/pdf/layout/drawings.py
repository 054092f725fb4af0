"""Drawings: the ruling candidates, images and other path objects of a page."""

import ctypes
from dataclasses import dataclass, field
from itertools import repeat

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium

from pincite_papers.model import Rect
from pincite_papers.pdf import pdfium as raw
from pincite_papers.pdf.elements import Rule
from pincite_papers.pdf.glyphs import Frame
from pincite_papers.pdf.layout.clips import Window, clip_boxes, is_blank, window_in
from pincite_papers.pdf.matrices import IDENTITY, Matrix, matrix_of, times

TEXT, PATH, IMAGE, SHADING, FORM = 1, 2, 3, 4, 5
"""PDFium's numbers for kinds of page objects (FPDF_PAGEOBJ_*)."""
_THIN = 3.0
"""Points: a path no wider than this, and longer than twice this, is a rule; a thicker one is a drawing or an outline.
Set by judgement."""
_MANY_SEGMENTS = 200
"""Segments of a path: one of more is a drawing and not the sides of boxes of a table. Set by judgement."""
_MOST_FORM_OBJECTS = 20_000
"""Objects of one form that are read; bounds the time that a hostile file costs. Set by judgement."""
_DEEPEST_FORM = 4
"""Forms inside forms that are opened; a deeper one counts as one drawing. Bounds the time. Set by judgement."""
_LARGE_AREA = 1500.0
"""Square points: only a path whose box is larger is asked whether it paints anything, since a blank one would hide as
a figure. Set by judgement."""


@dataclass(frozen=True, slots=True)
class Layer:
    """The objects of a page or of one of its form objects in the order of painting, as handles.

    ``shapes`` are those that are not text, with their ``kinds`` and shown ``boxes`` (float32 (n, 4)).
    """

    objects: list[int]
    shapes: list[int]
    kinds: list[int]
    boxes: npt.NDArray[np.float32]


@dataclass(slots=True)
class Drawings:
    """What a page draws besides text, in points from its top left corner.

    ``layers`` hold the objects of the page (key 0) and of its form objects (by handle), valid while the page is open.
    """

    rules: list[Rule] = field(default_factory=list[Rule])
    images: list[Rect] = field(default_factory=list[Rect])
    drawings: list[Rect] = field(default_factory=list[Rect])
    layers: dict[int, Layer] = field(default_factory=dict[int, Layer])


def read_drawings(page: pdfium.PdfPage, frame: Frame) -> Drawings:
    """The rules, images and other path objects of an open page, those inside form objects too."""
    handle = raw.address(page)
    found = Drawings()
    n = max(raw.count_objects(handle), 0)
    objects = [o for o in map(raw.get_object, repeat(handle), range(n)) if o]
    _collect(objects, IDENTITY, frame, found, 0, 0, None)
    return found


def _collect(
    objects: list[int],
    matrix: Matrix,
    frame: Frame,
    found: Drawings,
    depth: int,
    owner: int,
    window: Window | None,
) -> None:
    """Sort the objects of ``owner``, whose coordinates ``matrix`` maps to user space, into ``found``.

    Only what shows through ``window`` and their own clip paths counts.
    """
    types = list(map(raw.object_type, objects))
    shapes = [o for o, kind in zip(objects, types, strict=True) if kind != TEXT]
    kinds = [kind for kind in types if kind != TEXT]
    boxes = _bounds(shapes, matrix, frame)
    found.layers[owner] = Layer(objects, shapes, kinds, boxes)
    shown = clip_boxes(shapes, boxes, matrix, frame, window).tolist()
    for shape, kind, (left, top, right, bottom) in zip(shapes, kinds, shown, strict=True):
        if kind == FORM and depth < _DEEPEST_FORM:
            count = min(max(raw.form_count(shape), 0), _MOST_FORM_OBJECTS)
            inner = [o for o in map(raw.form_object, repeat(shape), range(count)) if o]
            through = window_in(shape, matrix, frame, window)
            _collect(inner, times(matrix_of(shape), matrix), frame, found, depth + 1, shape, through)
            continue
        x0, y0, x1, y1 = max(left, 0.0), max(top, 0.0), min(right, frame.width), min(bottom, frame.height)
        if x1 < x0 or y1 < y0:
            continue
        if kind == IMAGE:
            found.images.append(Rect(x0, y0, x1, y1))
        elif kind == PATH:
            _sort_path(shape, Rect(x0, y0, x1, y1), matrix, frame, found)
        else:
            found.drawings.append(Rect(x0, y0, x1, y1))


def _bounds(shapes: list[int], matrix: Matrix, frame: Frame) -> npt.NDArray[np.float32]:
    """The shown boxes of objects."""
    n = len(shapes)
    out = np.zeros((n, 4), np.float32)
    at = int(out.ctypes.data)
    ends = at + 16 * n
    raw.drive(
        map(
            raw.object_bounds,
            shapes,
            range(at, ends, 16),
            range(at + 4, ends + 4, 16),
            range(at + 8, ends + 8, 16),
            range(at + 12, ends + 12, 16),
        )
    )
    left, bottom, right, top = out.astype(np.float64).T
    if matrix != IDENTITY:
        corners_x = np.stack((left, left, right, right))
        corners_y = np.stack((bottom, top, bottom, top))
        a, b, c, d, e, f = matrix
        xs = a * corners_x + c * corners_y + e
        ys = b * corners_x + d * corners_y + f
        left, right, bottom, top = xs.min(0), xs.max(0), ys.min(0), ys.max(0)
    return frame.show_boxes(left, bottom, right, top)


def _sort_path(path: int, box: Rect, matrix: Matrix, frame: Frame, found: Drawings) -> None:
    """A thin path is a rule, a path of straight lines is its rules, every other path is a drawing."""
    width, height = box.x1 - box.x0, box.y1 - box.y0
    if height <= _THIN and width > 2 * _THIN:
        middle = (box.y0 + box.y1) / 2
        found.rules.append(Rule(True, box.x0, middle, box.x1, middle, height))
        return
    if width <= _THIN and height > 2 * _THIN:
        middle = (box.x0 + box.x1) / 2
        found.rules.append(Rule(False, middle, box.y0, middle, box.y1, width))
        return
    segments = raw.path_segments(path)
    rules = _straight(path, segments, matrix, frame) if 3 <= segments <= _MANY_SEGMENTS else None
    if rules:
        found.rules.extend(cut for rule in rules if (cut := _cut(rule, box)) is not None)
    elif width * height < _LARGE_AREA or not is_blank(path):
        found.drawings.append(box)


def _cut(rule: Rule, box: Rect) -> Rule | None:
    """The part of a side that shows in the box of its path; None where none does."""
    x0, y0, x1, y1 = max(rule.x0, box.x0), max(rule.y0, box.y0), min(rule.x1, box.x1), min(rule.y1, box.y1)
    return Rule(rule.horizontal, x0, y0, x1, y1, rule.width) if x1 >= x0 and y1 >= y0 else None


def _straight(path: int, segments: int, matrix: Matrix, frame: Frame) -> list[Rule] | None:
    """The stroked sides of a path made only of level and upright lines; None for any other path."""
    fill, stroke = ctypes.c_int(), ctypes.c_int()
    raw.path_draw_mode(path, ctypes.addressof(fill), ctypes.addressof(stroke))
    if not stroke.value:
        return None
    parts = [raw.path_segment(path, k) for k in range(segments)]
    kinds = [raw.segment_type(part) for part in parts]
    if any(kind not in {0, 2} for kind in kinds):
        return None
    points = np.zeros((segments, 2), np.float32)
    at = int(points.ctypes.data)
    raw.drive(map(raw.segment_point, parts, range(at, at + 8 * segments, 8), range(at + 4, at + 4 + 8 * segments, 8)))
    a, b, c, d, e, f = matrix
    own_a, own_b, own_c, own_d, own_e, own_f = times(matrix_of(path), (a, b, c, d, e, f))
    xs, ys = points[:, 0].astype(np.float64), points[:, 1].astype(np.float64)
    shown_x, shown_y = frame.show(own_a * xs + own_c * ys + own_e, own_b * xs + own_d * ys + own_f)
    size = ctypes.c_float(1.0)
    raw.stroke_width(path, ctypes.addressof(size))
    rules: list[Rule] = []
    origin = 0
    for k in range(segments):
        if kinds[k] == 2:
            origin = k
        else:
            rules.append(_rule(shown_x, shown_y, k - 1, k, size.value))
        if raw.segment_close(parts[k]) and origin != k:
            rules.append(_rule(shown_x, shown_y, k, origin, size.value))
    kept = [rule for rule in rules if max(rule.x1 - rule.x0, rule.y1 - rule.y0) > _THIN]
    slanted = any(min(rule.x1 - rule.x0, rule.y1 - rule.y0) > 1.0 for rule in kept)
    return None if slanted else kept


def _rule(xs: npt.NDArray[np.float64], ys: npt.NDArray[np.float64], i: int, j: int, width: float) -> Rule:
    x0, x1 = sorted((float(xs[i]), float(xs[j])))
    y0, y1 = sorted((float(ys[i]), float(ys[j])))
    return Rule(x1 - x0 >= y1 - y0, x0, y0, x1, y1, width)
