"""Extract: the series drawn in one plot area, as traces on the page."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, field

import numpy as np

from pincite_figures.plots.areas import Area
from pincite_figures.plots.arrows import find_arrows, find_frames
from pincite_figures.plots.bands import find_bands
from pincite_figures.plots.bars import Block, find_bars, find_blocks
from pincite_figures.plots.labels import Label
from pincite_figures.plots.legend import LegendEntry
from pincite_figures.plots.lines import Curve, Piece, join_pieces, snap_pieces
from pincite_figures.plots.marks import Mark, MarkGroup, group_marks, marks_of
from pincite_figures.plots.names import name_traces
from pincite_figures.plots.paths import Part, Shape, clip_runs, meet
from pincite_figures.plots.scenery import PartId, find_scenery
from pincite_figures.plots.strokes import Strokes
from pincite_figures.plots.traces import WHITE, Floats, Look, SeriesKind, Trace
from pincite_figures.plots.whiskers import attach_whiskers, spans
from pincite_papers.model import Rect

_ON_VERTEX = 0.6
"""Points: a marker no further than this from a node of a curve, or above or below a line of its colour, is on it. Set
by judgement. Nodes are looked up in cells of this size and those around, so that up to twice as far may count."""
_SLACK = 0.6
"""Points by which shapes and marks may lie outside of an area's box and still belong to it; a straight line of which no
more shows is left out. Set by judgement."""
_SQUARE = 0.15
"""The share of the longer side by which the sides of a block may differ: a square, else a bar. Set by judgement."""
_SMALL = 16.0
"""Points; a square block no larger may be a marker and is a bar only where others of its look are bars. Set by
judgement."""
_BEHIND = 6.0
"""How far, in points, a shape reaches out of an inset to be of what lies behind; a marker on its edge reaches less."""
_ROUND = 4.0
"""Points: nodes further from the box around them are not those of a frame, whose corners may be round. Set by
judgement; the steps of the test case ``_steps_over_legend`` reach further."""
_LONGEST_CAP = 20.0
"""Points: the cap of an error bar is no longer; as in ``whiskers``."""
_CAP_HEIGHT = 0.1
"""Points across a cap at most; R draws caps as polylines over their tip, exactly level or upright."""
_PLAIN = {"circle", "square", "diamond", "star", "triangle up", "triangle down"}
"""Marks of which a single one is taken for a point."""


@dataclass(slots=True)
class Extract:
    """The traces of an area, how many drawn things in it nothing reads, and the lines that cross it."""

    traces: list[Trace]
    unread_strokes: int = 0
    unread_fills: int = 0
    references: list[Trace] = field(default_factory=list[Trace])


def extract(
    area: Area,
    shapes: list[Shape],
    strokes: tuple[Strokes, Strokes],
    marks: Sequence[Mark],
    legend: tuple[Sequence[LegendEntry], Sequence[LegendEntry], Set[str]],
    labels: Sequence[Label],
) -> Extract:
    """The series of an area; ``marks`` and ``labels`` are those of the whole figure.

    ``legend`` holds the entries of the whole figure, those that may name series of this area, and the names among these
    that are of another area's legend.
    """
    entries, own_entries, lent = legend
    box = _data_box(area)
    taken = find_scenery(area, shapes, *strokes)
    taken |= {part for entry in entries for part in entry.parts}
    own = [(number, shape) for number, shape in enumerate(shapes) if _belongs(shape, box, area)]
    taken |= _legend_boxes(own, entries, box)
    taken |= find_arrows(own, taken) | find_frames(own, labels, taken)
    own = [(number, shape) for number, shape in own if not _is_behind(shape, area)]
    blocks = find_blocks(own, box, taken)
    bars, used = _bars(blocks)
    taken |= used
    groups, marked = _groups(own, marks, entries, area, taken)
    taken |= marked
    bands, used, fills = find_bands(own, box, taken)
    taken |= used
    pieces = snap_pieces(_pieces(own, box, taken), [mark for group in groups for mark in group.marks])
    curves, loose = join_pieces(pieces)
    traces = [*bars, *bands, *_lines(curves, groups, box, own_entries)]
    left = attach_whiskers(traces, loose, box)
    traces.sort(key=lambda trace: trace.order)
    name_traces(traces, own_entries, lent)
    references = [trace for trace in traces if not trace.name and trace.straight]
    crossing = [trace for trace in references if spans(trace, box)]
    kept = [trace for trace in traces if trace not in references]
    return Extract(kept, left + len(references) - len(crossing), fills, crossing)


def _data_box(area: Area) -> Rect:
    """Where data may stand: somewhat beyond axes that do not bound it."""
    box = area.box
    if not area.detached:
        return box
    wide, high = 0.06 * (box.x1 - box.x0), 0.06 * (box.y1 - box.y0)
    return Rect(box.x0 - wide, box.y0 - high, box.x1 + wide, box.y1 + high)


def _belongs(shape: Shape, box: Rect, area: Area) -> bool:
    """Whether a shape shows in an area and not wholly in one of its insets."""
    seen = meet(shape.box, shape.clip) if shape.clip is not None else shape.box
    common = meet(seen, box)
    if common.x1 < common.x0 - _SLACK or common.y1 < common.y0 - _SLACK:
        return False
    return not any(_within(common, inset.box) for inset in area.insets)


def _is_behind(shape: Shape, area: Area) -> bool:
    """Whether a shape reaches out of an inset that does not clip it: a curve or grid line of what lies behind."""
    if not area.inset:
        return False
    box, seen = area.box, shape.box
    if shape.clip is not None and _within(shape.clip, Rect(box.x0 - 2, box.y0 - 2, box.x1 + 2, box.y1 + 2)):
        return False
    return (
        seen.x0 < box.x0 - _BEHIND
        or seen.y0 < box.y0 - _BEHIND
        or seen.x1 > box.x1 + _BEHIND
        or seen.y1 > box.y1 + _BEHIND
    )


def _within(inner: Rect, outer: Rect) -> bool:
    return (
        inner.x0 >= outer.x0 - 1 and inner.x1 <= outer.x1 + 1 and inner.y0 >= outer.y0 - 1 and inner.y1 <= outer.y1 + 1
    )


def _legend_boxes(own: Sequence[tuple[int, Shape]], entries: Sequence[LegendEntry], box: Rect) -> set[PartId]:
    """The closed outlines around whole legend entries that are no larger than half of the area."""
    found: set[PartId] = set()
    if not entries:
        return found
    size = (box.x1 - box.x0) * (box.y1 - box.y0)
    fills = {entry.fill for entry in entries} - {None, WHITE}
    for number, shape in own:
        if shape.fill in fills:
            continue
        for k, part in enumerate(shape.parts):
            if len(part.points) > 40 or not (part.closed or shape.fill is not None or len(part.points) >= 4):
                continue
            if not _runs_around(part.points):
                continue
            low, high = part.points.min(0).tolist(), part.points.max(0).tolist()
            frame = Rect(low[0] - 2, low[1] - 2, high[0] + 2, high[1] + 2)
            if (high[0] - low[0]) * (high[1] - low[1]) > 0.5 * size:
                continue
            if any(_within(entry.box, frame) and _within(entry.label.box, frame) for entry in entries):
                found.add((number, k))
    return found


def _runs_around(points: Floats) -> bool:
    """Whether all nodes of an outline lie near its box, as those of a round frame do and those of steps do not."""
    low, high = points.min(0), points.max(0)
    return bool((np.minimum(points - low, high - points).min(1) <= _ROUND).all())


def _bars(blocks: Sequence[Block]) -> tuple[list[Trace], set[PartId]]:
    """Bars among blocks; small squares count as bars only where larger ones of the same look do."""
    large = [block for block in blocks if not _is_square(block)]
    looks = {(block.fill, block.edge) for block in large}
    return find_bars([block for block in blocks if not _is_square(block) or (block.fill, block.edge) in looks])


def _is_square(block: Block) -> bool:
    wide, high = block.box.x1 - block.box.x0, block.box.y1 - block.box.y0
    return max(wide, high) <= _SMALL and abs(wide - high) <= _SQUARE * max(wide, high)


def _groups(
    own: Sequence[tuple[int, Shape]],
    marks: Sequence[Mark],
    entries: Sequence[LegendEntry],
    area: Area,
    taken: set[PartId],
) -> tuple[list[MarkGroup], set[PartId]]:
    """The groups of marks in an area and the parts that draw them."""
    box = _data_box(area)
    free = {number for number, shape in own if not all((number, k) in taken for k in range(len(shape.parts)))}
    marks = [mark for mark in marks_of(marks, free) if _shows(mark, box)]
    if area.detached:
        marks = [mark for mark in marks if not _is_tip(mark, area)]
    sampled = {entry.look.marker for entry in entries}
    kept: list[MarkGroup] = []
    parts: set[PartId] = set()
    shapes = dict(own)
    for group in group_marks(marks):
        if all(_is_tip(mark, area) for mark in group.marks):
            continue
        if len(group.marks) < 2 and group.look.marker not in sampled | _PLAIN:
            continue
        inks = {group.look.face, group.look.edge}
        if WHITE in inks and inks <= {None, WHITE}:
            continue
        kept.append(group)
        numbers = {number for mark in group.marks for number in mark.shapes}
        parts |= {(number, k) for number in numbers for k in range(len(shapes[number].parts))}
    every = {number for mark in marks for number in mark.shapes}
    whole = {(number, k) for number in every for k in range(len(shapes[number].parts))}
    return kept, parts | (whole if kept else set())


def _is_tip(mark: Mark, area: Area) -> bool:
    """Whether a mark is the arrow tip at the end of an axis."""
    for axis in area.axes:
        at, along = (mark.y, mark.x) if axis.line.level else (mark.x, mark.y)
        if (
            abs(at - axis.line.at) < 1.0
            and min(abs(along - axis.line.low), abs(along - axis.line.high)) < mark.look.size
        ):
            return True
    return False


def _shows(mark: Mark, box: Rect) -> bool:
    return box.x0 - _SLACK <= mark.x <= box.x1 + _SLACK and box.y0 - _SLACK <= mark.y <= box.y1 + _SLACK


def _pieces(own: Sequence[tuple[int, Shape]], box: Rect, taken: set[PartId]) -> list[Piece]:
    """The stroked polylines that are left."""
    pieces: list[Piece] = []
    for number, shape in own:
        if shape.stroke is None or shape.stroke == WHITE:
            continue
        clip = meet(box, shape.clip) if shape.clip is not None else box
        style = shape.stroke, round(shape.width, 1), shape.dash
        for k, part in enumerate(shape.parts):
            if (number, k) in taken or (part.closed and shape.fill not in (None, WHITE)):
                continue
            points = _straightened(part)
            if len(points) > 2 or _length(points, clip) > _SLACK:
                pieces.append(Piece(points, style, number, clip, part.curved, part.closed))
    return pieces


def _straightened(part: Part) -> Floats:
    """The ends of a short level or upright stroke that is drawn over a node in its middle: the cap of an error bar."""
    points = part.points
    extent = np.ptp(points, axis=0)
    if len(points) != 3 or part.curved or part.closed or extent.max() > _LONGEST_CAP or extent.min() > _CAP_HEIGHT:
        return points
    first, second = points[1] - points[0], points[2] - points[1]
    runs_on = float(first @ second) > 0
    return points[[0, 2]] if runs_on and abs(float(np.hypot(*first) - np.hypot(*second))) < 0.1 else points


def _length(points: Floats, clip: Rect) -> float:
    """How much of a straight line shows in a box."""
    return max((float(np.hypot(*(run[-1] - run[0]))) for run in clip_runs(points, clip)), default=0.0)


def _lines(
    curves: Sequence[Curve], groups: Sequence[MarkGroup], box: Rect, entries: Sequence[LegendEntry]
) -> list[Trace]:
    """Curves and groups of marks as traces; a group whose marks stand on the nodes of a curve is one with it."""
    pairs: list[tuple[float, int, int]] = []
    grids = [_grid(np.concatenate(curve.runs)) for curve in curves]
    for j, group in enumerate(groups):
        for i, curve in enumerate(curves):
            share = _share(group, curve, grids[i])
            if share >= 0.8 and not _named_apart(curve, group, entries):
                same = curve.style[0] in (group.look.edge, group.look.face)
                pairs.append((-share - (0.5 if same else 0.0), i, j))
    paired: dict[int, int] = {}
    used: set[int] = set()
    for _, i, j in sorted(pairs):
        if i not in paired and j not in used:
            paired[i] = j
            used.add(j)
    traces = [_line(curve, groups[paired[i]] if i in paired else None, box) for i, curve in enumerate(curves)]
    for j, group in enumerate(groups):
        if j not in used:
            traces.append(Trace(SeriesKind.MARKERS, group.look, group.points, group.marks[0].shape, notes=group.notes))
    return [trace for trace in traces if trace is not None]


def _named_apart(curve: Curve, group: MarkGroup, entries: Sequence[LegendEntry]) -> bool:
    """Whether the legend names the marks alone and the line alone: data, and a fit through them."""
    line = any(
        not entry.look.marker and entry.look.line == curve.style[0] and entry.look.dash == curve.style[2]
        for entry in entries
    )
    look = group.look
    marks = any(
        entry.look.line is None and (entry.look.marker, entry.look.face) == (look.marker, look.face)
        for entry in entries
    )
    return line and marks


def _grid(points: Floats) -> set[tuple[int, int]]:
    return {(int(x), int(y)) for x, y in np.floor(points / _ON_VERTEX).tolist()}


def _share(group: MarkGroup, curve: Curve, grid: set[tuple[int, int]]) -> float:
    """The share of a group's marks that stand on nodes of a curve (or on it, where both have one colour)."""
    cells = np.floor(group.points / _ON_VERTEX).astype(int).tolist()
    on = sum(any((x + i, y + j) in grid for i in (-1, 0, 1) for j in (-1, 0, 1)) for x, y in cells)
    if on >= 0.8 * len(cells) or curve.style[0] not in (group.look.edge, group.look.face) or len(cells) < 3:
        return on / len(cells)
    points = np.concatenate(curve.runs)
    if (np.diff(points[:, 0]) < 0).any():
        return on / len(cells)
    level = np.interp(group.points[:, 0], points[:, 0], points[:, 1])
    return float((np.abs(level - group.points[:, 1]) <= _ON_VERTEX).mean())


def _line(curve: Curve, group: MarkGroup | None, box: Rect) -> Trace | None:
    points = np.concatenate(curve.runs)
    starts = np.cumsum([0, *[len(run) for run in curve.runs[:-1]]]).tolist()
    color, width, dash = curve.style
    look = Look(color, dash, width)
    if group is None:
        extent = np.ptp(points, axis=0)
        if len(points) <= 4 and (extent <= 0.07 * np.array([box.x1 - box.x0, box.y1 - box.y0])).all():
            return None
        trace = Trace(SeriesKind.LINE, look, points, curve.order, starts, notes=list(curve.notes))
    else:
        mark = group.look
        look = Look(color, dash, width, mark.marker, mark.edge, mark.face, mark.size)
        notes = [*curve.notes, *group.notes]
        if len(points) > 1.1 * len(group.marks) + 2:
            notes.append(f"{len(group.marks)} markers on the line; points are the line's nodes")
            trace = Trace(SeriesKind.LINE_AND_MARKERS, look, points, curve.order, starts, notes=notes)
        else:
            trace = Trace(SeriesKind.LINE_AND_MARKERS, look, group.points, curve.order, notes=notes)
    trace.curved, trace.closed = curve.curved, curve.closed
    return trace
