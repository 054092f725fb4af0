"""Bars: rectangles that stand on one base line, and those that float."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pincite_figures.plots.paths import Color, Shape
from pincite_figures.plots.strokes import is_rectangle, rectangle
from pincite_figures.plots.traces import WHITE, Look, SeriesKind, Trace
from pincite_papers.model import Rect

_TOUCH = 0.6
"""Points: a bar whose end is no further from the base line or another bar stands on it; a rectangle further outside of
an area is not of it. Set by judgement."""
_LEAST = 0.6
"""Points: a rectangle whose shorter side is shorter is a line, not a bar. Set by judgement."""
_SIDE_BY_SIDE = 0.15
"""The share of a bar's width: bars that leave less between them stand in one group. Set by judgement."""
_MOST_BASES = 6
"""So many of the commonest ends are tried as base line: those of stacked bars may meet more often than they stand."""


@dataclass(frozen=True, slots=True)
class Block:
    """A drawn rectangle: its box, fill and edge, and the parts that draw it."""

    box: Rect
    fill: Color | None
    edge: Color | None
    parts: tuple[tuple[int, int], ...]


def find_blocks(shapes: Sequence[tuple[int, Shape]], area: Rect, taken: set[tuple[int, int]]) -> list[Block]:
    """The rectangles drawn in an area that are neither its ground nor taken; fill and edge drawn apart put together.

    Of two fills of one rectangle the first is the bar's, unless it is white: the second one is a hatch over it.
    """
    blocks: dict[tuple[int, int, int, int], Block] = {}
    for number, shape in shapes:
        for k, part in enumerate(shape.parts):
            if (number, k) in taken or not is_rectangle(part):
                continue
            box = rectangle(part)
            wide, high = box.x1 - box.x0, box.y1 - box.y0
            if min(wide, high) < _LEAST or wide * high > 0.9 * (area.x1 - area.x0) * (area.y1 - area.y0):
                continue
            if (
                box.x1 < area.x0 - _TOUCH
                or box.x0 > area.x1 + _TOUCH
                or box.y1 < area.y0 - _TOUCH
                or box.y0 > area.y1 + _TOUCH
            ):
                continue
            key = round(box.x0), round(box.y0), round(box.x1), round(box.y1)
            known = blocks.get(key)
            fill, edge = shape.fill, shape.stroke
            if known is not None:
                ground = fill is None or known.fill not in (None, WHITE)
                fill, edge = known.fill if ground else fill, known.edge if edge is None else edge
            before = known.parts if known is not None else ()
            blocks[key] = Block(box, fill, edge, (*before, (number, k)))
    return list(blocks.values())


def find_bars(blocks: Sequence[Block]) -> tuple[list[Trace], set[tuple[int, int]]]:
    """Bars by colour, upright or lying, and the parts they are drawn with; blocks that are not bars are left."""
    if len(blocks) < 2:
        return [], set()
    found = [(level, base) for level in (False, True) for base in _bases(blocks, level=level)]
    if not found:
        return [], set()
    rows = [_standing(blocks, base, level=level) for level, base in found]
    best = max(range(len(found)), key=lambda k: (len(rows[k]), _on(blocks, found[k][1], level=found[k][0])))
    (level, base), standing = found[best], rows[best]
    if len(standing) < 0.5 * len(blocks):
        return [], set()
    groups: dict[tuple[Color | None, Color | None], list[Block]] = {}
    for block in standing:
        groups.setdefault((block.fill, None if block.fill else block.edge), []).append(block)
    parted = [part for own in groups.values() for part in _parted(own, base, level=level)]
    traces = [_trace(own, base, level=level) for own in parted]
    return traces, {part for block in standing for part in block.parts}


def _parted(blocks: list[Block], base: float, *, level: bool) -> list[list[Block]]:
    """Bars of one look parted by their places where several stand side by side in every group: hatches look alike."""
    rows = sorted((sorted((b.box.y0, b.box.y1) if level else (b.box.x0, b.box.x1)), k) for k, b in enumerate(blocks))
    if any(_distance(block, base, level=level) > _TOUCH for block in blocks):
        return [blocks]
    clusters: list[list[Block]] = []
    before = -np.inf
    for (low, high), k in rows:
        if low - before > _SIDE_BY_SIDE * (high - low):
            clusters.append([])
        elif before - low > _SIDE_BY_SIDE * (high - low):
            return [blocks]
        clusters[-1].append(blocks[k])
        before = high
    size = len(clusters[0])
    if len(clusters) < 2 or size < 2 or any(len(cluster) != size for cluster in clusters):
        return [blocks]
    return [list(own) for own in zip(*clusters, strict=True)]


def _bases(blocks: Sequence[Block], *, level: bool) -> list[float]:
    """The coordinates at which at least two blocks have an end, the commonest first: bars may stand on these."""
    ends = [_ends(block, level=level) for block in blocks]
    counts = Counter(round(end) for pair in ends for end in pair)
    bases: list[float] = []
    for key, _ in counts.most_common(_MOST_BASES):
        near = [end for pair in ends for end in pair if abs(end - key) <= 1]
        if len(near) >= 2:
            bases.append(float(np.median(near)))
    return bases


def _ends(block: Block, *, level: bool) -> tuple[float, float]:
    return (block.box.x0, block.box.x1) if level else (block.box.y0, block.box.y1)


def _on(blocks: Sequence[Block], base: float, *, level: bool) -> int:
    """How many blocks have an end on a base line."""
    return sum(_distance(block, base, level=level) <= _TOUCH for block in blocks)


def _standing(blocks: Sequence[Block], base: float, *, level: bool) -> list[Block]:
    """The blocks that stand on the base line or on one another."""
    found: list[Block] = []
    tops: dict[tuple[int, int], list[float]] = {}
    for block in sorted(blocks, key=lambda block: _distance(block, base, level=level)):
        box = block.box
        ends = (box.x0, box.x1) if level else (box.y0, box.y1)
        key = (round(box.y0), round(box.y1)) if level else (round(box.x0), round(box.x1))
        stacked = [t for i in (-1, 0, 1) for j in (-1, 0, 1) for t in tops.get((key[0] + i, key[1] + j), [])]
        if any(abs(end - t) <= _TOUCH for end in ends for t in (base, *stacked[:60])):
            found.append(block)
            tops.setdefault(key, []).extend(ends)
    return found


def _distance(block: Block, base: float, *, level: bool) -> float:
    ends = _ends(block, level=level)
    return min(abs(end - base) for end in ends)


def _trace(blocks: list[Block], base: float, *, level: bool) -> Trace:
    """The bars of one colour as a trace: points at their value ends, spans from side to side and from base to end."""
    blocks = sorted(blocks, key=lambda block: -block.box.y0 if level else block.box.x0)
    rows = np.array([(b.box.x0, b.box.y0, b.box.x1, b.box.y1) for b in blocks])
    middle = (rows[:, :2] + rows[:, 2:]) / 2
    own = 0 if level else 1
    low, high = rows[:, own], rows[:, own + 2]
    ends = np.where(np.abs(low - base) > np.abs(high - base), low, high)
    starts = np.where(np.abs(low - base) > np.abs(high - base), high, low)
    points = middle.copy()
    points[:, own] = ends
    sides = rows[:, [1 - own, 3 - own]]
    span = np.stack((starts, ends), axis=1)
    look = Look(face=blocks[0].fill if blocks[0].fill not in (None, WHITE) else blocks[0].edge)
    notes = ["bars lie: values run along x"] if level else []
    if (np.abs(starts - base) > _TOUCH).any():
        notes.append("stacked: each bar from its own start to its end")
    trace = Trace(SeriesKind.BARS, look, points, blocks[0].parts[0][0], notes=notes)
    trace.x_span, trace.y_span = (span, sides) if level else (sides, span)
    return trace
