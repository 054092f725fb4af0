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
_LEAST = 0.6


@dataclass(frozen=True, slots=True)
class Block:
    """A drawn rectangle: its box, fill and edge, and the parts that draw it."""

    box: Rect
    fill: Color | None
    edge: Color | None
    parts: tuple[tuple[int, int], ...]


def find_blocks(shapes: Sequence[tuple[int, Shape]], area: Rect, taken: set[tuple[int, int]]) -> list[Block]:
    """The rectangles drawn in an area that are neither its ground nor taken; fill and edge drawn apart put together."""
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
                fill, edge = known.fill if fill is None else fill, known.edge if edge is None else edge
            before = known.parts if known is not None else ()
            blocks[key] = Block(box, fill, edge, (*before, (number, k)))
    return list(blocks.values())


def find_bars(blocks: Sequence[Block]) -> tuple[list[Trace], set[tuple[int, int]]]:
    """Bars by colour, upright or lying, and the parts they are drawn with; blocks that are no bars are left."""
    if len(blocks) < 2:
        return [], set()
    upright = _base([(block.box.y0, block.box.y1) for block in blocks])
    lying = _base([(block.box.x0, block.box.x1) for block in blocks])
    if max(upright[1], lying[1]) < 2 or max(upright[1], lying[1]) < 0.5 * len(blocks):
        return [], set()
    level = lying[1] > upright[1]
    base = lying[0] if level else upright[0]
    standing = _standing(blocks, base, level=level)
    groups: dict[tuple[Color | None, Color | None], list[Block]] = {}
    for block in standing:
        groups.setdefault((block.fill, None if block.fill else block.edge), []).append(block)
    traces = [_trace(own, base, level=level) for own in groups.values()]
    return traces, {part for block in standing for part in block.parts}


def _base(ends: list[tuple[float, float]]) -> tuple[float, int]:
    """The coordinate at which most blocks have an end, and how many."""
    counts = Counter(round(end * 2) for pair in ends for end in {round(pair[0] * 2) / 2, round(pair[1] * 2) / 2})
    key, count = counts.most_common(1)[0]
    near = [end for pair in ends for end in pair if abs(end * 2 - key) <= 1]
    return float(np.median(near)), max(count, sum(min(abs(a - key / 2), abs(b - key / 2)) <= _TOUCH for a, b in ends))


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
    ends = (block.box.x0, block.box.x1) if level else (block.box.y0, block.box.y1)
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
