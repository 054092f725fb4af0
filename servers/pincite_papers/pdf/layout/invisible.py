"""Invisible: which text objects of a page may be unseen, told by numbers that cost little."""

import ctypes
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_papers.pdf import pdfium as raw
from pincite_papers.pdf.glyphs import Glyphs
from pincite_papers.pdf.layout.drawings import Drawings
from pincite_papers.pdf.layout.grounds import find_grounds, inside_of, painting_order, wide_shapes
from pincite_papers.pdf.layout.seen import VISIBLE_STEP

REASONS = (
    "",
    "under 2 pt",
    "no width",
    "off the page",
    "render mode 3",
    "render mode 7",
    "colour of the background",
    "transparent",
    "clipped away",
    "covered",
    "in a layer that is off",
)
"""Why a glyph cannot be seen, by number; 0 for one that can."""
TINY, NARROW, OFF, MODE_3, MODE_7, COLOR, CLEAR, CLIPPED, COVERED, LAYER = range(1, len(REASONS))
_NEAR = 2 * VISIBLE_STEP
_FAINT = 40
"""Opacity, of 255: text that is fainter is suspected to be unseen, and its ink is then looked for. Set by judgement."""
_STROKED = (1, 5)
"""Text rendering modes that draw outlines (ISO 32000-1, table 106)."""
_NO_SHAPE = 0.01
"""Points: a glyph whose box is no wider or no higher has no shape to see. Set by judgement."""

Numbers = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Ends:
    """The first and the last glyph of each text object, and how many it has: int64 (runs)."""

    first: npt.NDArray[np.int64]
    last: npt.NDArray[np.int64]
    counts: npt.NDArray[np.int64]

    @classmethod
    def of(cls, glyphs: Glyphs) -> "Ends":
        """The ends of the text objects of a page."""
        printed = np.flatnonzero(glyphs.runs >= 0)
        owners = glyphs.runs[printed]
        first = np.zeros(len(glyphs.objects), np.int64)
        last = np.zeros(len(glyphs.objects), np.int64)
        first[owners[::-1]] = printed[::-1]
        last[owners] = printed
        return cls(first, last, np.bincount(owners, minlength=len(glyphs.objects)))


def suspect_runs(glyphs: Glyphs, ends: Ends, found: Drawings, *, layers_off: bool) -> Numbers:
    """Int8 (runs): for each text object the number of the reason why it may be unseen, 0 for none."""
    ink = glyphs.ink
    n = len(ink.handles)
    why = np.full(n, LAYER if layers_off else 0, np.int8)
    _suspect_colors(glyphs, ends, found, why)
    why[np.fromiter(map(raw.clip_count, map(raw.object_clip, ink.handles)), np.int32, n) > 0] = CLIPPED
    clear = np.fromiter(map(raw.object_transparency, ink.handles), np.bool_, n) | (ink.colors[:, 3] < _FAINT)
    clear[_in_clear_forms(ink.handles, found)] = True
    why[clear] = CLEAR
    why[_without_shape(glyphs, ends)] = NARROW
    if any(ink.modes):
        modes = np.array(ink.modes, np.int8)
        why[modes == 3] = MODE_3
        why[modes == 7] = MODE_7
    return why


def _suspect_colors(glyphs: Glyphs, ends: Ends, found: Drawings, why: Numbers) -> None:
    """Mark text in a colour like that of what is painted under it, on a picture, or under something painted later."""
    colors = ink_colors(glyphs)
    wide = wide_shapes(found)
    grounds = find_grounds(found, wide, _baselines(glyphs, ends)) if wide else []
    under = np.full_like(colors, 255)
    doubtful = np.zeros(len(colors), np.bool_)
    covered = np.zeros(len(colors), np.bool_)
    if grounds:
        places = painting_order(found)
        last = len(places)
        order = np.array([places.get(handle, last) for handle in glyphs.ink.handles], np.int64)
        for ground in grounds:
            before = order > ground.order
            if ground.solid:
                covered |= ground.touches & ~before
            if ground.color is None:
                doubtful |= ground.touches & before
                continue
            like = np.abs(colors - np.array(ground.color, np.int16)).max(axis=1) < _NEAR
            if ground.solid and ground.box:
                under[ground.holds & before] = ground.color
                doubtful &= ~(ground.holds & before)
            doubtful |= ground.touches & before & like
    why[doubtful | (np.abs(colors - under).max(axis=1) < _NEAR)] = COLOR
    why[covered] = COVERED


def _baselines(glyphs: Glyphs, ends: Ends) -> npt.NDArray[np.float64]:
    """Float64 (runs, 4): the box of each text object's baseline, from its origin to its last letter."""
    start, boxes = glyphs.ink.origins, glyphs.boxes[ends.last]
    end = (boxes[:, :2] + boxes[:, 2:]) / 2.0
    level = (start[:, 1] >= boxes[:, 1]) & (start[:, 1] - boxes[:, 3] < glyphs.ink.sizes)
    end[level, 1] = start[level, 1]
    return np.concatenate((np.minimum(start, end), np.maximum(start, end)), axis=1)


def ink_colors(glyphs: Glyphs) -> npt.NDArray[np.int16]:
    """Int16 (runs, 3): red, green and blue of what each text object is printed with, its strokes if it has no fill."""
    colors = glyphs.ink.colors[:, :3].astype(np.int16)
    for k, mode in enumerate(glyphs.ink.modes if any(glyphs.ink.modes) else ()):
        if mode in _STROKED:
            colors[k] = _stroke_color(glyphs.ink.handles[k])
    return colors


def _stroke_color(handle: int) -> tuple[int, int, int]:
    channels = (ctypes.c_uint * 4)()
    at = ctypes.addressof(channels)
    raw.object_stroke(handle, at, at + 4, at + 8, at + 12)
    return channels[0], channels[1], channels[2]


def _in_clear_forms(handles: list[int], found: Drawings) -> list[int]:
    """The text objects inside form objects that are painted faintly or through a mask."""
    clear = [form for form in found.layers if form and raw.object_transparency(form)]
    if not clear:
        return []
    inside = inside_of(found, clear)
    return [k for k, handle in enumerate(handles) if handle in inside]


def _without_shape(glyphs: Glyphs, ends: Ends) -> list[int]:
    """The text objects whose letters are all empty."""
    boxes = glyphs.boxes
    empty = ((boxes[ends.last, 2:] - boxes[ends.last, :2]).min(axis=1) <= _NO_SHAPE) & (
        (boxes[ends.first, 2:] - boxes[ends.first, :2]).min(axis=1) <= _NO_SHAPE
    )
    return [run for run in np.flatnonzero(empty).tolist() if _is_empty(boxes[glyphs.runs == run])]


def _is_empty(boxes: npt.NDArray[np.float32]) -> bool:
    return bool(((boxes[:, 2:] - boxes[:, :2]).min(axis=1) <= _NO_SHAPE).all())
