"""Fragments: chains of printed glyphs on one baseline, in one size, without a jump: what lines are built of."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_papers.pdf.glyphs import Glyphs
from pincite_papers.pdf.layout.characters import is_nothing, is_space
from pincite_papers.pdf.layout.leftwards import logical_order, turn_opposite_runs
from pincite_papers.pdf.scriptcodes import LEFTWARDS

WIDE_GAP = 1.8
"""A gap of so many sizes on one baseline parts two lines (columns, cells)."""

BACK_STEP = 0.6
"""A step back of so many sizes parts two fragments."""
_SIDE_BY_SIDE = 0.6
"""Share of the narrower one's extent that two figures of a downward line have in common: more means that they stand
side by side. Set by judgement."""


@dataclass(slots=True)
class Printed:
    """The m glyphs of a page that print something, in stream order, seen in their own direction of print.

    ``glyphs`` are their numbers; ``x0``, ``x1``, ``base`` and ``size`` float32 (m) in a frame where print runs to the
    right and y grows downwards; ``turn`` int8 (m), the direction in quarter turns; ``gap`` int8 (m), what is before:
    0 nothing, 1 a line break that PDFium made, 2 a space.
    """

    glyphs: npt.NDArray[np.int64]
    x0: npt.NDArray[np.float32]
    x1: npt.NDArray[np.float32]
    base: npt.NDArray[np.float32]
    size: npt.NDArray[np.float32]
    turn: npt.NDArray[np.int8]
    gap: npt.NDArray[np.int8]

    def taken(self, order: npt.NDArray[np.int64], gap: npt.NDArray[np.int8]) -> "Printed":
        """The glyphs in another order, with what is then before each."""
        x0, x1, base, size = self.x0[order], self.x1[order], self.base[order], self.size[order]
        return Printed(self.glyphs[order], x0, x1, base, size, self.turn[order], gap)


def printed(glyphs: Glyphs, *, keep: npt.NDArray[np.bool_]) -> Printed:
    """The glyphs of ``keep`` that are not space, in the frame of their own direction."""
    space = is_space(glyphs.codes)
    solid = ~space & (glyphs.runs >= 0) & ~is_nothing(glyphs.codes) & keep
    numbers = np.flatnonzero(solid)
    runs = glyphs.runs[numbers]
    boxes = glyphs.boxes[numbers]
    turns = np.array([round(run.angle / 90) % 4 for run in glyphs.objects] or [0], np.int8)[runs]
    size = np.array([max(run.style.size, 0.1) for run in glyphs.objects] or [1.0], np.float32)[runs]
    origin_x = np.array([run.x for run in glyphs.objects] or [0.0], np.float32)[runs]
    base = np.array([run.y for run in glyphs.objects] or [0.0], np.float32)[runs]
    x0, x1 = boxes[:, 0].copy(), boxes[:, 2].copy()
    if turns.any():
        up, over, down = turns == 1, turns == 2, turns == 3
        x0[up], x1[up], base[up] = -boxes[up, 3], -boxes[up, 1], origin_x[up]
        x0[over], x1[over], base[over] = -boxes[over, 2], -boxes[over, 0], -base[over]
        x0[down], x1[down], base[down] = boxes[down, 1], boxes[down, 3], -origin_x[down]
    ink = Printed(numbers, x0, x1, base, size, turns, _gaps(glyphs, space, numbers))
    if glyphs.scripts & LEFTWARDS:
        ink = _read_leftwards(ink, glyphs)
    if glyphs.down is not None and glyphs.ranks is not None:
        ink = _read_downwards(ink, glyphs.down[runs], glyphs.ranks)
    again = _repeats(glyphs.boxes[ink.glyphs], glyphs.runs[ink.glyphs])
    ink.x0[again] = ink.x1[again]
    return ink


def _read_leftwards(ink: Printed, glyphs: Glyphs) -> Printed:
    """The glyphs in logical order, all as if they ran in the direction of the page."""
    if not glyphs.mirrored:
        order = logical_order(glyphs.codes[ink.glyphs], ink.x0, ink.gap)
        ink = ink.taken(order, ink.gap) if order is not None else ink
    turn_opposite_runs(glyphs.codes[ink.glyphs], ink.x0, ink.x1, ink.gap, ink.base, mirrored=glyphs.mirrored)
    return ink


def _read_downwards(ink: Printed, down: npt.NDArray[np.bool_], ranks: npt.NDArray[np.int64]) -> Printed:
    """The glyphs column by column, figures that stand side by side after each other."""
    order = np.argsort(ranks[ink.glyphs], kind="stable")
    follows = np.concatenate(([False], order[1:] == order[:-1] + 1))
    ink = ink.taken(order, np.where(follows & (ink.gap[order] == 2), ink.gap[order], 0).astype(np.int8))
    _set_side_by_side(ink.x0, ink.x1, down[order])
    return ink


def _set_side_by_side(x0: npt.NDArray[np.float32], x1: npt.NDArray[np.float32], down: npt.NDArray[np.bool_]) -> None:
    """Let figures that stand side by side in a downward line follow each other, in place."""
    shared = np.minimum(x1[1:], x1[:-1]) - np.maximum(x0[1:], x0[:-1])
    level = down[1:] & down[:-1] & (shared > _SIDE_BY_SIDE * np.minimum(x1[1:] - x0[1:], x1[:-1] - x0[:-1]))
    for k in np.flatnonzero(level).tolist():
        x0[k + 1] = x1[k + 1] = x1[k]


def _repeats(boxes: npt.NDArray[np.float32], runs: npt.NDArray[np.int32]) -> npt.NDArray[np.bool_]:
    """The letters of a ligature after its first: PDFium gives each of them the box of the whole."""
    again = np.zeros(len(runs), np.bool_)
    again[1:] = (boxes[1:] == boxes[:-1]).all(axis=1) & (runs[1:] == runs[:-1])
    return again


def _gaps(glyphs: Glyphs, space: npt.NDArray[np.bool_], numbers: npt.NDArray[np.int64]) -> npt.NDArray[np.int8]:
    """What stands before each printed glyph: 0 nothing, 1 only a line break, 2 a space."""
    breaks = (glyphs.codes == 0x0D) | (glyphs.codes == 0x0A)
    spaces_before = np.concatenate(([0], np.cumsum(space & ~breaks)))[numbers]
    breaks_before = np.concatenate(([0], np.cumsum(breaks)))[numbers]
    gap = np.zeros(len(numbers), np.int8)
    if len(numbers):
        gap[1:][breaks_before[1:] > breaks_before[:-1]] = 1
        gap[1:][spaces_before[1:] > spaces_before[:-1]] = 2
    return gap


def fragment_starts(ink: Printed) -> npt.NDArray[np.int64]:
    """The positions, among the printed glyphs, at which a fragment starts."""
    if not len(ink.glyphs):
        return np.empty(0, np.int64)
    size = np.maximum(ink.size[1:], ink.size[:-1])
    step = ink.x0[1:] - ink.x1[:-1]
    jump = (
        (ink.turn[1:] != ink.turn[:-1])
        | (np.abs(ink.base[1:] - ink.base[:-1]) > 0.04 * size)
        | (np.abs(ink.size[1:] - ink.size[:-1]) > 0.04 * size)
        | (step < -BACK_STEP * size)
        | (step > WIDE_GAP * size)
    )
    return np.flatnonzero(np.concatenate(([True], jump)))
