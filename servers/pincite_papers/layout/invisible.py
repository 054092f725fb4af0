"""Invisible: which text objects of a page may be unseen, told by numbers that cost little."""

import ctypes

import numpy as np
import numpy.typing as npt

from pincite_papers import pdfium as raw
from pincite_papers.glyphs import Glyphs
from pincite_papers.layout.drawings import Drawings
from pincite_papers.layout.grounds import find_grounds, inside_of, painting_order
from pincite_papers.layout.seen import VISIBLE_STEP

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
_STROKED = (1, 5)
_NO_SHAPE = 0.01

Numbers = npt.NDArray[np.int8]


def suspect_runs(glyphs: Glyphs, found: Drawings, *, layers_off: bool) -> Numbers:
    """Int8 (runs): for each text object the number of the reason why it may be unseen, 0 for none."""
    ink = glyphs.ink
    n = len(ink.handles)
    why = np.full(n, LAYER if layers_off else 0, np.int8)
    _suspect_colors(glyphs, found, why)
    why[np.fromiter(map(raw.clip_count, map(raw.object_clip, ink.handles)), np.int32, n) > 0] = CLIPPED
    clear = np.fromiter(map(raw.object_transparency, ink.handles), np.bool_, n) | (ink.colors[:, 3] < _FAINT)
    clear[_in_clear_forms(ink.handles, found)] = True
    why[clear] = CLEAR
    why[_without_shape(glyphs)] = NARROW
    modes = np.array(ink.modes, np.int8)
    why[modes == 3] = MODE_3
    why[modes == 7] = MODE_7
    return why


def _suspect_colors(glyphs: Glyphs, found: Drawings, why: Numbers) -> None:
    """Mark text in a colour like that of what is painted under it, on a picture, or under something painted later."""
    colors = ink_colors(glyphs)
    grounds = find_grounds(found, _baselines(glyphs))
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


def _baselines(glyphs: Glyphs) -> npt.NDArray[np.float64]:
    """Float64 (runs, 4): the box of each text object's baseline, from its origin to the middle of its last letter."""
    printed = np.flatnonzero(glyphs.runs >= 0)
    last = np.zeros(len(glyphs.objects), np.int64)
    last[glyphs.runs[printed]] = printed
    start = np.array([(run.x, run.y) for run in glyphs.objects])
    end = (glyphs.boxes[last, :2] + glyphs.boxes[last, 2:]) / 2.0
    level = np.array([abs(run.angle) < 1 for run in glyphs.objects], np.bool_)
    end[level, 1] = start[level, 1]
    return np.concatenate((np.minimum(start, end), np.maximum(start, end)), axis=1)


def ink_colors(glyphs: Glyphs) -> npt.NDArray[np.int16]:
    """Int16 (runs, 3): red, green and blue of what each text object is printed with, its strokes if it has no fill."""
    colors = glyphs.ink.colors[:, :3].astype(np.int16)
    for k, mode in enumerate(glyphs.ink.modes):
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


def _without_shape(glyphs: Glyphs) -> npt.NDArray[np.bool_]:
    """Bool (runs): text objects whose letters are all empty."""
    boxes = glyphs.boxes
    shaped = (boxes[:, 2] - boxes[:, 0] > _NO_SHAPE) & (boxes[:, 3] - boxes[:, 1] > _NO_SHAPE)
    some = np.zeros(len(glyphs.objects), np.bool_)
    some[glyphs.runs[shaped & (glyphs.runs >= 0)]] = True
    return ~some
