"""Paths: every path that a figure draws, with its points where the page shows them, its colours, width and dashes."""

import ctypes
import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import repeat

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium

from pincite_core.errors import LimitReachedError
from pincite_papers.model import Rect
from pincite_papers.pdf import pdfium as raw
from pincite_papers.pdf.glyphs import Frame
from pincite_papers.pdf.matrices import IDENTITY, Matrix, matrix_of, times

_PATH, _IMAGE, _SHADING, _FORM = 2, 3, 4, 5
"""PDFium's numbers for kinds of page objects (FPDF_PAGEOBJ_*)."""
_LINE_TO, _BEZIER_TO, _MOVE_TO = 0, 1, 2
"""PDFium's numbers for segments of a path (FPDF_SEGMENT_*)."""
_DEEPEST_FORM = 6
"""Count of forms inside each other: what lies deeper is not read. A bound against hostile input."""
_MOST_OBJECTS = 60_000
"""Count of objects of the page and its forms: more is an error. A bound on cost, 120,000 before costs were bounded;
``test_too_much_is_a_typed_error`` draws 61,000."""
_MOST_SEGMENTS = 600_000
"""Count of path segments, with those of clip paths: more is an error. A bound on cost, set by judgement;
``test_too_much_is_a_typed_error`` draws 1,000,000."""
_MOST_DASHES = 16
"""Count of lengths of a dash array that are read, and the size of the buffer for them. A bound against hostile
input."""
_MOST_CLIPS = 8
"""Count of clip paths of an object that are read; further ones do not clip. A bound against hostile input."""
_MOST_CLIP_NODES = 64
"""Count of segments of a clip path that are read, which make its box. A bound against hostile input."""
_FARTHEST = 1e5
"""Points from the corner of the page: coordinates beyond are moved to it. A bound against hostile input."""

Points = npt.NDArray[np.float64]
"""Float64 (n, 2): x and y in points from the top left corner of the shown page."""

Color = tuple[int, int, int]


@dataclass(slots=True, eq=False)
class Part:
    """A subpath: its nodes (of curved segments the ends and the middles, ``curved`` then), whether it is closed
    or ends where it starts."""

    points: Points
    closed: bool
    curved: bool


@dataclass(slots=True, eq=False)
class Shape:
    """A drawn path: its subpaths, colours (None where it is not stroked or filled), line width, dashes and box.

    ``order`` counts the shapes as they are drawn; ``opaque`` is False where the ink lets through what lies under it;
    ``clip`` is the box outside of which nothing of it is shown, None where there is none.
    """

    parts: list[Part]
    stroke: Color | None
    fill: Color | None
    width: float
    dash: tuple[float, ...]
    box: Rect
    order: int
    opaque: bool = True
    clip: Rect | None = None


@dataclass(slots=True)
class Drawing:
    """What a figure draws besides text: its shapes in the order of drawing, and the boxes of its images."""

    shapes: list[Shape]
    images: list[Rect]


def read_drawing(page: pdfium.PdfPage, frame: Frame, box: Rect) -> Drawing:
    """The shapes of an open page that touch ``box``; LimitReachedError past 600,000 segments or 60,000 objects."""
    reader = _PathReader(frame, box)
    handle = raw.address(page)
    count = max(raw.count_objects(handle), 0)
    reader.collect((raw.get_object(handle, k) for k in range(count)), IDENTITY, None, 0)
    return Drawing(reader.shapes, reader.images)


class _PathReader:
    """Collects the shapes in a box and counts what they cost."""

    def __init__(self, frame: Frame, box: Rect) -> None:
        self.shapes: list[Shape] = []
        self.images: list[Rect] = []
        xs, ys = frame.show(np.array([0.0, 1.0, 0.0]), np.array([0.0, 0.0, 1.0]))
        (e, a, c), (f, b, d) = xs.tolist(), ys.tolist()
        self._shown: Matrix = a - e, b - f, c - e, d - f, e, f
        self._box = box
        self._objects = 0
        self._segments = 0
        self._channels = (ctypes.c_uint * 4)()
        self._floats = (ctypes.c_float * _MOST_DASHES)()
        self._modes = (ctypes.c_int * 2)()

    def collect(self, objects: Iterator[int | None], matrix: Matrix, clip: Rect | None, depth: int) -> None:
        """Read objects, whose coordinates ``matrix`` maps to user space and that show in ``clip``, and those inside."""
        for item in objects:
            self._objects += 1
            if self._objects > _MOST_OBJECTS:
                raise _too_much(f"more than {_MOST_OBJECTS:,} objects")
            kind = raw.object_type(item) if item else 0
            if not item or kind not in {_PATH, _IMAGE, _SHADING, _FORM}:
                continue
            bounds = self._bounds(item, matrix)
            if not _touch(bounds, self._box):
                continue
            own = self._clip(item, matrix, clip)
            if own is not None and (own.x0 >= own.x1 or own.y0 >= own.y1):
                continue
            if kind == _FORM:
                if depth < _DEEPEST_FORM:
                    inner = map(raw.form_object, repeat(item), range(max(raw.form_count(item), 0)))
                    self.collect(inner, times(matrix_of(item), matrix), own, depth + 1)
            elif kind == _PATH:
                self._add_path(item, matrix, own)
            else:
                self.images.append(bounds if own is None else meet(bounds, own))

    def _clip(self, item: int, matrix: Matrix, clip: Rect | None) -> Rect | None:
        """The box in which an object shows: what its clip paths and ``clip`` have in common."""
        path = raw.object_clip(item)
        for k in range(min(max(raw.clip_count(path), 0), _MOST_CLIPS) if path else 0):
            n = min(max(raw.clip_segments(path, k), 0), _MOST_CLIP_NODES)
            if n < 2:
                continue
            self._segments += n
            user = np.zeros((n, 2), np.float32)
            at = int(user.ctypes.data)
            for i in range(n):
                segment = raw.clip_segment(path, k, i)
                if segment:
                    raw.segment_point(segment, at + 8 * i, at + 8 * i + 4)
            shown = self._show(user.astype(np.float64), matrix)
            box = Rect(*shown.min(0).tolist(), *shown.max(0).tolist())
            clip = box if clip is None else meet(clip, box)
        return clip

    def _show(self, points: Points, matrix: Matrix) -> Points:
        a, b, c, d, e, f = times(matrix, self._shown)
        xs, ys = points[:, 0], points[:, 1]
        shown = np.empty_like(points)
        shown[:, 0], shown[:, 1] = a * xs + c * ys + e, b * xs + d * ys + f
        if not np.abs(shown).max() <= _FARTHEST:
            shown = np.clip(np.nan_to_num(shown), -_FARTHEST, _FARTHEST)
        return shown

    def _add_path(self, path: int, matrix: Matrix, clip: Rect | None) -> None:
        mode, at = ctypes.addressof(self._modes), ctypes.addressof(self._channels)
        raw.path_draw_mode(path, mode, mode + 4)
        colors: list[Color | None] = []
        opaque = True
        for wanted, ask in ((self._modes[1], raw.object_stroke), (self._modes[0], raw.object_fill)):
            inked = wanted and ask(path, at, at + 4, at + 8, at + 12) and self._channels[3]
            colors.append((self._channels[0], self._channels[1], self._channels[2]) if inked else None)
            opaque = opaque and not (inked and self._channels[3] < 255)
        if colors == [None, None]:
            return
        whole = times(matrix_of(path), matrix)
        parts = self._parts(path, whole)
        if not parts:
            return
        scale = math.sqrt(abs(whole[0] * whole[3] - whole[1] * whole[2]))
        raw.stroke_width(path, ctypes.addressof(self._floats))
        width = float(self._floats[0]) * scale
        dash = self._dash(path, scale) if colors[0] else ()
        every = np.concatenate([part.points for part in parts]) if len(parts) > 1 else parts[0].points
        box = Rect(*every.min(0).tolist(), *every.max(0).tolist())
        if _touch(box, self._box):
            self.shapes.append(Shape(parts, colors[0], colors[1], width, dash, box, len(self.shapes), opaque, clip))

    def _parts(self, path: int, matrix: Matrix) -> list[Part]:
        n = max(raw.path_segments(path), 0)
        self._segments += n
        if self._segments > _MOST_SEGMENTS:
            raise _too_much(f"more than {_MOST_SEGMENTS:,} path segments")
        if n < 2:
            return []
        handles: list[int] = list(map(raw.path_segment, repeat(path), range(n)))
        if not all(handles):
            return []
        user = np.zeros((n, 2), np.float32)
        at = int(user.ctypes.data)
        raw.drive(map(raw.segment_point, handles, range(at, at + 8 * n, 8), range(at + 4, at + 4 + 8 * n, 8)))
        kinds = np.fromiter(map(raw.segment_type, handles), np.int8, n)
        closes = np.fromiter(map(raw.segment_close, handles), np.bool_, n)
        return _split(self._show(user.astype(np.float64), matrix), kinds, closes)

    def _bounds(self, item: int, matrix: Matrix) -> Rect:
        at = ctypes.addressof(self._floats)
        if not raw.object_bounds(item, at, at + 4, at + 8, at + 12):
            return Rect(0.0, 0.0, 0.0, 0.0)
        left, bottom, right, top = (float(value) for value in self._floats[:4])
        a, b, c, d, e, f = times(matrix, self._shown)
        xs = [a * x + c * y + e for x in (left, right) for y in (bottom, top)]
        ys = [b * x + d * y + f for x in (left, right) for y in (bottom, top)]
        return Rect(min(xs), min(ys), max(xs), max(ys))

    def _dash(self, path: int, scale: float) -> tuple[float, ...]:
        count = min(max(raw.dash_count(path), 0), _MOST_DASHES)
        if not count or not raw.dash_array(path, ctypes.addressof(self._floats), count):
            return ()
        lengths = tuple(round(float(value) * scale, 2) for value in self._floats[:count])
        return lengths if any(lengths) else ()


def _split(points: Points, kinds: npt.NDArray[np.int8], closes: npt.NDArray[np.bool_]) -> list[Part]:
    """The subpaths of the segments of a path."""
    starts = np.flatnonzero(kinds == _MOVE_TO)
    if not len(starts) or starts[0] != 0:
        starts = np.concatenate(([0], starts))
    ends = np.append(starts[1:], len(kinds))
    parts: list[Part] = []
    for start, end in zip(starts.tolist(), ends.tolist(), strict=True):
        if end - start < 2:
            continue
        bent = kinds[start:end] == _BEZIER_TO
        curved = bool(bent.any())
        nodes = _flatten(points[start:end], bent) if curved else points[start:end]
        if len(nodes) >= 2:
            back = len(nodes) >= 4 and bool(np.abs(nodes[0] - nodes[-1]).max() < 0.01)
            parts.append(Part(nodes, back or bool(closes[start:end].any()), curved))
    return parts


def _flatten(points: Points, bent: npt.NDArray[np.bool_]) -> Points:
    """The ends of the segments of a subpath, and the middle of each Bezier curve in place of its control points."""
    place = np.cumsum(bent) - np.maximum.accumulate(np.where(bent, 0, np.cumsum(bent)))
    kept = ~bent | (place % 3 != 1)
    nodes = points.copy()
    seconds = np.flatnonzero(bent & (place % 3 == 2))
    seconds = seconds[(seconds >= 2) & (seconds + 1 < len(points))]
    nodes[seconds] = (points[seconds - 2] + 3 * points[seconds - 1] + 3 * points[seconds] + points[seconds + 1]) / 8
    return nodes[kept]


def _too_much(seen: str) -> LimitReachedError:
    return LimitReachedError(
        "The figure draws too much to be read as a plot.",
        seen=seen,
        next="Look at it with view_figure and zoom_figure.",
    )


def meet(one: Rect, other: Rect) -> Rect:
    """What two boxes have in common; x1 < x0 or y1 < y0 where that is nothing."""
    return Rect(max(one.x0, other.x0), max(one.y0, other.y0), min(one.x1, other.x1), min(one.y1, other.y1))


def clip_runs(points: Points, box: Rect) -> list[Points]:
    """The pieces of a line of many nodes that lie in ``box``, cut at its sides (Liang and Barsky 1984)."""
    inside = (points[:, 0] >= box.x0) & (points[:, 0] <= box.x1) & (points[:, 1] >= box.y0) & (points[:, 1] <= box.y1)
    if inside.all():
        return [points]
    start, step = points[:-1], np.diff(points, axis=0)
    enter, leave = np.zeros(len(start)), np.ones(len(start))
    for axis, low, high in ((0, box.x0, box.x1), (1, box.y0, box.y1)):
        at, move = start[:, axis], step[:, axis]
        still = move == 0
        with np.errstate(divide="ignore", invalid="ignore"):
            one, two = (low - at) / move, (high - at) / move
        enter = np.maximum(enter, np.where(still, np.where((at < low) | (at > high), 2.0, 0.0), np.minimum(one, two)))
        leave = np.minimum(leave, np.where(still, 1.0, np.maximum(one, two)))
    runs: list[Points] = []
    kept: list[int] = np.flatnonzero(enter < leave).tolist()
    piece: list[npt.NDArray[np.float64]] = []
    kept_before = -2
    for k in kept:
        if not piece or enter[k] > 0 or kept_before != k - 1:
            if piece:
                runs.append(np.array(piece))
            piece = [start[k] + enter[k] * step[k]]
        piece.append(start[k] + leave[k] * step[k])
        kept_before = k if leave[k] >= 1 else -2
    if piece:
        runs.append(np.array(piece))
    return runs


def _touch(one: Rect, other: Rect) -> bool:
    return one.x0 <= other.x1 and one.x1 >= other.x0 and one.y0 <= other.y1 and one.y1 >= other.y0
