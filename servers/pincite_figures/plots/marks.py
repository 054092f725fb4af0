"""Marks: the small shapes that mark points, grouped by their look."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from pincite_figures.plots.labels import Symbol
from pincite_figures.plots.paths import Color, Part, Points, Shape
from pincite_figures.plots.strokes import is_rectangle
from pincite_figures.plots.traces import Look

_LARGEST = 16.0
"""Points along x or y: a larger shape or subpath, or a longer stroke of a cross, is not one mark. Set by judgement."""
_SMALLEST = 0.6
"""Points along x and y: a shape smaller than this in both is not a mark. Set by judgement."""
_CENTRED = 0.35
"""Points along x and y: strokes whose middles (or first ends, of an asterisk) differ by more do not make one cross. Set
by judgement."""
_MOST_PARTS = 12
"""Count of subpaths: a shape of more is not one mark. Set by judgement."""
_APEX = ((0.866, 2 / 3), (0.7887, 0.634), (0.81, 0.691))
"""Height to base of a triangle, and where from its apex, as a share of its height, the point lies: of equilateral ones
at the centroid, of gnuplot's own in its cairo and PostScript outputs; of all others (matplotlib) in the middle."""
_CORNERS = {3: "triangle", 5: "pentagon", 6: "hexagon", 8: "octagon", 10: "star", 12: "star"}


@dataclass(frozen=True, slots=True)
class Mark:
    """A small shape that may mark a point: its centre, look, the first shape that draws it (-1: a glyph), others."""

    x: float
    y: float
    look: Look
    shape: int
    others: tuple[int, ...] = ()

    @property
    def shapes(self) -> tuple[int, ...]:
        """The numbers of all shapes that draw it."""
        return () if self.shape < 0 else (self.shape, *self.others)


def find_marks(shapes: Sequence[tuple[int, Shape]], symbols: Iterable[Symbol]) -> list[Mark]:
    """The marks among ``shapes``, given with their numbers, and the symbol glyphs."""
    marks = _crossed(shapes)
    crossed = {number for mark in marks for number in mark.shapes}
    for number, shape in shapes:
        if number in crossed:
            continue
        box = shape.box
        if max(box.x1 - box.x0, box.y1 - box.y0) <= _LARGEST:
            mark = _mark(shape.parts, shape, number)
            if mark is not None:
                marks.append(mark)
        elif len(shape.parts) >= 3:
            marks.extend(_many(shape, number))
    for symbol in symbols:
        box = symbol.box
        size = max(box.x1 - box.x0, box.y1 - box.y0)
        look = Look(marker=symbol.name, face=symbol.color, size=round(size, 1))
        marks.append(Mark((box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2, look, -1))
    return marks


def _crossed(shapes: Sequence[tuple[int, Shape]]) -> list[Mark]:
    """Marks drawn stroke by stroke: shapes that follow each other, straight, of one style, length and middle."""
    marks: list[Mark] = []
    group: list[tuple[int, Shape]] = []
    for number, shape in [*shapes, (-1, None)]:
        if shape is not None and group and _crosses(group[-1], (number, shape)):
            group.append((number, shape))
            continue
        if len(group) >= 2:
            mark = _mark([part for _, own in group for part in own.parts], group[0][1], group[0][0])
            if mark is not None:
                marks.append(Mark(mark.x, mark.y, mark.look, mark.shape, tuple(n for n, _ in group[1:])))
        group = [(number, shape)] if shape is not None and _is_dash(shape) else []
    return marks


def _is_dash(shape: Shape) -> bool:
    return len(shape.parts) == 1 and len(shape.parts[0].points) == 2 and shape.stroke is not None


def _crosses(one: tuple[int, Shape], other: tuple[int, Shape]) -> bool:
    """Whether two neighbouring strokes cross in their middles and are alike, if not in direction."""
    if other[0] != one[0] + 1 or not _is_dash(other[1]) or one[1].stroke != other[1].stroke:
        return False
    (a, b), (c, d) = one[1].parts[0].points, other[1].parts[0].points
    first, second = b - a, d - c
    lengths = float(np.hypot(*first)), float(np.hypot(*second))
    apart = float(np.abs((a + b) / 2 - (c + d) / 2).max())
    turned = abs(float(first[0] * second[1] - first[1] * second[0])) > 0.3 * lengths[0] * lengths[1]
    return apart <= _CENTRED and turned and max(lengths) <= _LARGEST and min(lengths) > 0.6 * max(lengths)


def _many(shape: Shape, number: int) -> list[Mark]:
    """The marks of a shape that draws many closed ones in one path; none where any of its parts is something else."""
    marks: list[Mark] = []
    for part in shape.parts:
        if np.ptp(part.points, axis=0).max() > _LARGEST or not part.closed:
            return []
        mark = _mark([part], shape, number)
        if mark is None:
            return []
        marks.append(Mark(mark.x, mark.y, mark.look, number))
    return marks


def _mark(parts: list[Part], shape: Shape, number: int) -> Mark | None:
    every = np.concatenate([part.points for part in parts]) if len(parts) > 1 else parts[0].points
    low, high = every.min(0), every.max(0)
    wide, high_ = (high - low).tolist()
    if max(wide, high_) < _SMALLEST or len(parts) > _MOST_PARTS:
        return None
    named = _closed_name(parts[0]) if len(parts) == 1 else _open_name(parts)
    if named is None:
        named = _around(parts, low, high)
    if named is None:
        return None
    name, centre = named
    if centre is None:
        centre = (low + high) / 2
    if name in {"plus", "cross", "asterisk"}:
        look = Look(marker=name, edge=shape.stroke, size=_round(max(wide, high_)))
    else:
        if not (parts[0].closed or shape.fill is not None):
            return None
        look = Look(marker=name, edge=shape.stroke, face=shape.fill, size=_round(max(wide, high_)))
    if look.color is None:
        return None
    return Mark(float(centre[0]), float(centre[1]), look, number)


def _around(parts: list[Part], low: Points, high: Points) -> tuple[str, Points | None] | None:
    """The name of the closed part that encloses all others: a circle with a cross in it is a circle."""
    for part in parts:
        if (
            part.closed
            and np.abs(part.points.min(0) - low).max() < 0.3
            and np.abs(part.points.max(0) - high).max() < 0.3
        ):
            return _closed_name(part)
    return None


def _round(size: float) -> float:
    return round(size * 4) / 4


def _closed_name(part: Part) -> tuple[str, Points | None] | None:
    """What a single outline is, and its centre where that is not the centre of its box."""
    nodes = part.points
    if len(nodes) > 1 and np.abs(nodes[0] - nodes[-1]).max() < 0.05:
        nodes = nodes[:-1]
    (wide, high) = np.ptp(nodes, axis=0).tolist()
    if min(wide, high) < 0.25 * max(wide, high):
        return None
    if part.curved:
        middle = (nodes.min(0) + nodes.max(0)) / 2
        reach = np.hypot(*(nodes - middle).T)
        return ("circle", None) if len(nodes) >= 4 and np.ptp(reach) < 0.25 * reach.max() else None
    if is_rectangle(part):
        return "square", None
    nodes = _corners(nodes)
    n = len(nodes)
    if n == 4:
        middle = (nodes.min(0) + nodes.max(0)) / 2
        upright = np.abs(np.abs(nodes - middle) - np.array([wide, high]) / 2).max() < 0.1 * max(wide, high)
        return ("square" if upright else "diamond"), None
    if n not in _CORNERS:
        return ("polygon", None) if 3 <= n <= 16 and max(wide, high) < 10 else None
    mean = nodes.mean(0)
    if n == 3:
        return _triangle(nodes)
    return _CORNERS[n], mean


def _corners(nodes: Points) -> Points:
    """The nodes at which an outline turns."""
    around = np.concatenate((nodes[-1:], nodes, nodes[:1]))
    steps = around[1:] - around[:-1]
    before, after = steps[:-1], steps[1:]
    turn = before[:, 0] * after[:, 1] - before[:, 1] * after[:, 0]
    scale = np.hypot(*before.T) * np.hypot(*after.T)
    return nodes[np.abs(turn) > 0.05 * np.maximum(scale, 1e-9)]


def _triangle(nodes: Points) -> tuple[str, Points]:
    """Which way a triangle points, and where the point that it marks lies between its apex and its base.

    Programs differ, but by their shapes they can be told: see ``_APEX``.
    """
    low, high = nodes.min(0), nodes.max(0)
    centre = (low + high) / 2
    across, down = (nodes.mean(0) - centre).tolist()
    own = 1 if abs(down) >= abs(across) else 0
    size = high - low
    aspect = float(size[own] / max(size[1 - own], 1e-9))
    share = next((share for wanted, share in _APEX if abs(aspect - wanted) < 0.012), 0.5)
    forward = (down if own else across) > 0
    apex = low[own] if forward else high[own]
    centre[own] = apex + share * size[own] * (1 if forward else -1)
    name = (
        ("triangle up" if down > 0 else "triangle down")
        if own
        else ("triangle left" if across > 0 else "triangle right")
    )
    return name, centre


def _open_name(parts: list[Part]) -> tuple[str, Points | None] | None:
    """Whether straight strokes that cross in their middles make a plus, a cross or an asterisk."""
    if any(len(part.points) != 2 or part.closed for part in parts):
        return None
    ends = np.stack([part.points for part in parts])
    middles = ends.mean(1)
    hub = ends[:, 0]
    if len(parts) >= 3 and np.ptp(hub, axis=0).max() <= _CENTRED:
        return "asterisk", hub.mean(0)
    if np.ptp(middles, axis=0).max() > _CENTRED:
        return None
    steps = np.abs(ends[:, 1] - ends[:, 0])
    if len(parts) > 2:
        return "asterisk", middles.mean(0)
    level = (steps[:, 1] < 0.1 * steps[:, 0]) | (steps[:, 0] < 0.1 * steps[:, 1])
    return ("plus" if level.all() else "cross"), middles.mean(0)


@dataclass(slots=True, eq=False)
class MarkGroup:
    """Marks of one look, in the order of drawing; ``sizes`` vary where it is a bubble chart."""

    look: Look
    marks: list[Mark]
    notes: list[str]

    @property
    def points(self) -> Points:
        """Their centres."""
        return np.array([(mark.x, mark.y) for mark in self.marks]).reshape(-1, 2)


def marks_of(marks: Sequence[Mark], numbers: set[int]) -> list[Mark]:
    """The marks that these shapes draw, and the glyphs."""
    return [mark for mark in marks if mark.shape < 0 or mark.shape in numbers]


def group_marks(marks: Sequence[Mark]) -> list[MarkGroup]:
    """Marks by look; an edge drawn apart from its face is put on it; many looks of one shape are one mapped group."""
    groups: dict[Look, list[Mark]] = {}
    for mark in _merge(marks):
        groups.setdefault(mark.look, []).append(mark)
    made = [MarkGroup(look, own, []) for look, own in groups.items()]
    made = _join_sizes(made)
    return _join_colors(made)


def _merge(marks: Sequence[Mark]) -> list[Mark]:
    """Marks with the fill and the outline that are drawn one after the other at one place put together."""
    merged: list[Mark] = []
    at: dict[tuple[int, int, str], int] = {}
    for mark in marks:
        key = round(mark.x * 4), round(mark.y * 4), mark.look.marker
        known = at.get(key)
        if known is not None:
            below = merged[known].look
            apart = below.edge is None and mark.look.face is None and abs(below.size - mark.look.size) <= 1.0
            if apart:
                look = Look(marker=below.marker, edge=mark.look.edge, face=below.face, size=below.size)
                merged[known] = Mark(mark.x, mark.y, look, merged[known].shape, (*merged[known].others, *mark.shapes))
                continue
        at[key] = len(merged)
        merged.append(mark)
    return merged


def _join_sizes(groups: list[MarkGroup]) -> list[MarkGroup]:
    """Groups that differ in size alone as one, near sizes always, others where single sizes are rare."""
    families: dict[tuple[str, Color | None, Color | None], list[MarkGroup]] = {}
    for group in groups:
        families.setdefault((group.look.marker, group.look.edge, group.look.face), []).append(group)
    made: list[MarkGroup] = []
    for family in families.values():
        family.sort(key=lambda group: group.look.size)
        rare = len(family) > 4 and sum(len(g.marks) for g in family) < 4 * len(family)
        current: MarkGroup | None = None
        for group in family:
            if current is not None and (rare or group.look.size - current.marks[-1].look.size <= 0.3):
                current.marks.extend(group.marks)
                if rare and "marker sizes vary" not in current.notes:
                    current.notes.append("marker sizes vary")
            else:
                current = MarkGroup(group.look, list(group.marks), [])
                made.append(current)
    for group in made:
        group.marks.sort(key=lambda mark: mark.shape)
    return made


def _join_colors(groups: list[MarkGroup]) -> list[MarkGroup]:
    """Groups that differ in colour alone as one where there are many of few marks: colours that map a value."""
    families: dict[tuple[str, float], list[MarkGroup]] = {}
    for group in groups:
        families.setdefault((group.look.marker, round(group.look.size)), []).append(group)
    made: list[MarkGroup] = []
    for family in families.values():
        count = sum(len(group.marks) for group in family)
        if len(family) > 8 and count < 4 * len(family):
            marks = sorted((mark for group in family for mark in group.marks), key=lambda mark: mark.shape)
            look = Look(marker=family[0].look.marker, size=family[0].look.size)
            made.append(MarkGroup(look, marks, [f"{len(family)} colours: the colour maps a further value"]))
        else:
            made.extend(family)
    return made
