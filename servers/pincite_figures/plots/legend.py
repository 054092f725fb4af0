"""Legend: names beside small samples of the lines, markers and fills that they name."""

from collections import Counter
from collections.abc import Sequence, Set
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_figures.plots.labels import Label
from pincite_figures.plots.marks import Mark
from pincite_figures.plots.paths import Color, Part, Shape
from pincite_figures.plots.strokes import is_rectangle
from pincite_figures.plots.traces import WHITE, Look
from pincite_papers.model import Rect

_LONGEST_SAMPLE = 75.0
"""Points: what is wider is not part of a legend sample but data, a frame or an axis. Set by judgement."""
_SHORTEST_SAMPLE = 5.0
"""Points: a level line that is shorter is not the sample of a curve but a cap or part of a marker. Set by judgement."""
_APART = 2.8
"""In type sizes of the label: parts further to its left or right are not its sample. Set by judgement."""
_JOINT = 1.6
"""Points along x between the pieces of one sample at most; for lines that stop short of their marker. Set by
judgement."""
_ALIGNED = 2.0
"""Points: labels whose edges round to the same or neighbouring multiples of it are one column. Set by judgement."""
_ON_ROW = 1.2
"""Points: a level stroke further off the row of a sample, or a mark or cap half as far beside its places, is data drawn
under the legend (plot case ``legend_over_data``). Set by judgement."""
_COLUMN = 2.0
"""Points: the parts of a marker without a line have their middles no further from the column of the samples; others are
data beside it. As wide as the columns of ``_at_column``."""
_EXACT = 0.25
"""How far, in points, the markers of one sample may stand off its row: programs put them exactly on it."""
_TWIN_STEP = 2.6
"""How far apart, in sizes of the text, the markers of one sample stand: about 1.2 in matplotlib's own style."""
_MOST_TWINS = 4
"""Count of rounds that look for further markers of one sample beside those found. A bound, set by judgement."""
_PATCH = 1.5
"""How far, in points, the edge of a patch is drawn off its fill at most; bars under a legend differ by more."""
_LEAST_GAP = 0.65
"""In type sizes: a lone marker nearer to a name is not its sample but a point beside a word. R leaves 0.68 to 0.75."""
_MOST_CHARACTERS = 120
"""Count of characters: a longer label is not the name of a series. Set by judgement."""
_MOST_LABELS = 600
"""Count of labels of a figure that are asked for a sample; the rest are not. A bound on cost, set by judgement."""

PartId = tuple[int, int]
"""The number of a shape and of a part in it."""


@dataclass(slots=True, eq=False)
class LegendEntry:
    """A name and the look of its sample; ``parts`` are drawn in the sample and are not data."""

    name: str
    look: Look
    fill: Color | None
    box: Rect
    label: Label
    parts: set[PartId]
    side: int


@dataclass(slots=True)
class _Small:
    """The small parts of a figure: their boxes as rows x0, y0, x1, y1, and what they belong to."""

    boxes: npt.NDArray[np.float64]
    ids: list[PartId]


def find_entries(
    shapes: Sequence[Shape], marks: Sequence[Mark], labels: Sequence[Label], scenery: Set[PartId] = frozenset()
) -> list[LegendEntry]:
    """The legend entries of a figure; ``labels`` are those that no axis has (the first 600 are asked).

    ``scenery`` are the parts that draw axes: their ticks stand beside words, too.
    """
    small = _small_parts(shapes, scenery)
    if not len(small.boxes):
        return []
    by_shape: dict[int, list[Mark]] = {}
    for mark in marks:
        by_shape.setdefault(mark.shape, []).append(mark)
    found: list[LegendEntry] = []
    level = [label for label in labels[:_MOST_LABELS] if not label.angle and len(label.text) <= _MOST_CHARACTERS]
    for side in (-1, 1):
        beside = [_places(label, side, small) for label in level]
        columns = _columns(level, beside, side, small)
        for label, places, column in zip(level, beside, columns, strict=True):
            chosen = _at_column(places, column, small)
            entry = _entry(label, side, chosen, column, shapes, small, by_shape)
            if entry is not None:
                found.append(entry)
    entries = _confirm(_one_side(found), shapes, marks)
    for entry in entries:
        if entry.fill is not None:
            entry.parts |= _siblings(entry, shapes, small)
    return entries


def _small_parts(shapes: Sequence[Shape], scenery: Set[PartId]) -> _Small:
    rows: list[tuple[float, float, float, float]] = []
    ids: list[PartId] = []
    for number, shape in enumerate(shapes):
        if len(shape.parts) > 200:
            continue
        for k, part in enumerate(shape.parts):
            if (number, k) in scenery:
                continue
            (x0, y0), (x1, y1) = part.points.min(0).tolist(), part.points.max(0).tolist()
            if x1 - x0 <= _LONGEST_SAMPLE and y1 - y0 <= 24.0:
                rows.append((x0, y0, x1, y1))
                ids.append((number, k))
    return _Small(np.array(rows, np.float64).reshape(-1, 4), ids)


def _places(label: Label, side: int, small: _Small) -> list[int]:
    """The small parts that stand on the level of a label, close to its left (side -1) or right."""
    boxes = small.boxes
    level = (boxes[:, 1] + boxes[:, 3]) / 2
    gap = label.box.x0 - boxes[:, 2] if side < 0 else boxes[:, 0] - label.box.x1
    near = (np.abs(level - label.y) <= 0.7 * label.size) & (gap >= -1.0) & (gap <= _APART * label.size)
    near &= boxes[:, 3] - boxes[:, 1] <= 1.8 * label.size
    return np.flatnonzero(near).tolist()


def _columns(labels: Sequence[Label], beside: Sequence[list[int]], side: int, small: _Small) -> list[float | None]:
    """Where the samples of each label stand: the middle that most labels of its column of text have a part at.

    None for a label that stands alone. Data drawn under a legend is told from its samples so.
    """
    groups: dict[int, list[int]] = {}
    for k, label in enumerate(labels):
        edge = label.box.x0 if side < 0 else label.box.x1
        groups.setdefault(round(edge / _ALIGNED), []).append(k)
    columns: list[float | None] = [None] * len(labels)
    for key, own in groups.items():
        members = sorted({*own, *groups.get(key - 1, []), *groups.get(key + 1, [])})
        votes: Counter[int] = Counter()
        for k in members:
            votes.update({_column(small, place) for place in beside[k]})
        both = {column: votes[column] + votes[column + 1] for column in votes}
        if both and max(both.values()) >= 2:
            best = max(both, key=lambda column: (both[column], votes[column]))
            for k in own:
                columns[k] = best + 0.5
    return columns


def _column(small: _Small, place: int) -> int:
    return round(float(small.boxes[place, 0] + small.boxes[place, 2]) / 2)


def _at_column(places: list[int], column: float | None, small: _Small) -> list[int]:
    """The parts with their middle at a column, and those that reach across it."""
    if column is None:
        return places
    middle = [k for k in places if abs(_column(small, k) - column) <= 1.5]
    across = [k for k in places if small.boxes[k, 0] <= column + 1 and small.boxes[k, 2] >= column - 1]
    return sorted({*middle, *across}) or places


def _entry(
    label: Label,
    side: int,
    places: list[int],
    column: float | None,
    shapes: Sequence[Shape],
    small: _Small,
    marks: dict[int, list[Mark]],
) -> LegendEntry | None:
    """The entry of a label with its sample among ``places``, to its left (side -1) or right, about ``column``."""
    if not places:
        return None
    boxes = small.boxes
    level = (boxes[:, 1] + boxes[:, 3]) / 2
    gap = label.box.x0 - boxes[:, 2] if side < 0 else boxes[:, 0] - label.box.x1
    line = _line_sample(places, shapes, small)
    if line is None:
        off = np.abs(level - label.y) if column is not None else gap
        nearest = min(places, key=lambda k: float(off[k]))
        box = Rect(*boxes[nearest].tolist())
    else:
        box = Rect(*boxes[line].tolist())
    beside = (np.abs(level - label.y) <= 0.55 * label.size) & (boxes[:, 3] - boxes[:, 1] <= 2.2 * label.size)
    at_column = beside
    if column is not None and line is None:
        at_column = beside & (np.abs(_middles(boxes) - column) <= _COLUMN)
    box = _grown(box, boxes[at_column])
    inside = beside & (boxes[:, 0] >= box.x0 - 1.5) & (boxes[:, 2] <= box.x1 + 1.5)
    members: list[int] = np.flatnonzero(inside).tolist()
    parts = {small.ids[k] for k in members}
    middle = (_middle(box), (box.y0 + box.y1) / 2) if column is None else (column, label.y)
    mark = _mark_at(parts, marks, label, middle)
    look, fill = _look(parts, line if line is None else small.ids[line], shapes, mark, label)
    if look is None and fill is None:
        return None
    twins = _twins(mark, marks, label, side) if mark is not None else []
    if twins:
        box = _around(box, twins)
        inside = beside & (boxes[:, 0] >= box.x0 - 1.5) & (boxes[:, 2] <= box.x1 + 1.5)
        members = np.flatnonzero(inside).tolist()
    if fill is not None and line is None:
        patches = [
            k for k in members if shapes[small.ids[k][0]].fill == fill and _is_patch(_part(shapes, small, k), label)
        ]
        patch = boxes[min(patches, key=lambda k: abs(_gap(boxes[k], label, side)))]
        box = Rect(*patch.tolist())
        members = [k for k in members if np.abs(boxes[k] - patch).max() <= _PATCH]
    row = float(level[line]) if line is not None else mark.y if mark is not None else label.y
    across = [mark.x if mark is not None else _middle(box), *(twin.x for twin in twins)]
    across += boxes[line, ::2].tolist() if line is not None else []
    parts = {small.ids[k] for k in members if fill is not None or _in_sample(boxes[k], row, across)}
    return LegendEntry(label.text, look or Look(), fill, box, label, parts, side)


def _middles(boxes: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """The middles of boxes across the page."""
    return (boxes[:, 0] + boxes[:, 2]) / 2


def _part(shapes: Sequence[Shape], small: _Small, k: int) -> Part:
    number, part = small.ids[k]
    return shapes[number].parts[part]


def _gap(box: npt.NDArray[np.float64], label: Label, side: int) -> float:
    """How far a part stands off a label on one of its sides."""
    return float(label.box.x0 - box[2] if side < 0 else box[0] - label.box.x1)


def _twins(mark: Mark, marks: dict[int, list[Mark]], label: Label, side: int) -> list[Mark]:
    """The further marks of a sample that repeats its marker: of its look, exactly on its row, one beside the other."""
    row = [
        other
        for own in marks.values()
        for other in own
        if abs(other.y - mark.y) <= _EXACT and other is not mark and (other.x - _edge(label, side)) * side > 0
    ]
    row = [other for other in row if other.look == mark.look]
    chosen = [mark]
    for _ in range(_MOST_TWINS):
        near = [o for o in row if min(abs(o.x - c.x) for c in chosen) <= _TWIN_STEP * label.size and o not in chosen]
        if not near:
            break
        chosen += near
    return chosen[1:]


def _edge(label: Label, side: int) -> float:
    return label.box.x0 if side < 0 else label.box.x1


def _around(box: Rect, marks: Sequence[Mark]) -> Rect:
    """A box grown by marks."""
    half = max(mark.look.size for mark in marks) / 2
    xs = [mark.x for mark in marks]
    return Rect(min(box.x0, min(xs) - half), box.y0, max(box.x1, max(xs) + half), box.y1)


def _grown(box: Rect, boxes: npt.NDArray[np.float64]) -> Rect:
    """A sample with what is drawn close by on its level: a line may be interrupted at its marker."""
    for _ in range(4):
        near = (boxes[:, 0] <= box.x1 + _JOINT) & (boxes[:, 2] >= box.x0 - _JOINT)
        x0 = min([box.x0, *boxes[near, 0].tolist()])
        x1 = max([box.x1, *boxes[near, 2].tolist()])
        if x1 - x0 > _LONGEST_SAMPLE or (x0, x1) == (box.x0, box.x1):
            break
        box = Rect(x0, box.y0, x1, box.y1)
    return box


def _line_sample(places: list[int], shapes: Sequence[Shape], small: _Small) -> int | None:
    """The longest level line among parts, which is the sample of a curve."""
    best: int | None = None
    for k in places:
        number, part = small.ids[k]
        nodes = shapes[number].parts[part].points
        wide, high = np.ptp(nodes, axis=0).tolist()
        level = shapes[number].stroke is not None and len(nodes) <= 9 and high < 0.3 and wide >= _SHORTEST_SAMPLE
        if level and not shapes[number].parts[part].closed and (best is None or wide > np.ptp(small.boxes[best, ::2])):
            best = k
    return best


def _mark_at(
    parts: set[PartId], marks: dict[int, list[Mark]], label: Label, middle: tuple[float, float]
) -> Mark | None:
    """The mark of a sample: the one nearest to its middle."""
    near = [m for number, _ in sorted(parts) for m in marks.get(number, []) if abs(m.y - label.y) < 0.6 * label.size]
    return min(near, key=lambda m: abs(m.x - middle[0]) + abs(m.y - middle[1]), default=None)


def _in_sample(box: npt.NDArray[np.float64], row: float, across: Sequence[float]) -> bool:
    """Whether a part belongs to the sample on ``row``: a stroke along it, or a mark or cap at one of its places.

    Others are data drawn under the legend.
    """
    x, y = float(box[0] + box[2]) / 2, float(box[1] + box[3]) / 2
    flat = float(box[3] - box[1]) < 0.3
    return (flat and abs(y - row) <= _ON_ROW) or min(abs(x - at) for at in across) <= _ON_ROW / 2


def _look(
    parts: set[PartId], line: PartId | None, shapes: Sequence[Shape], mark: Mark | None, label: Label
) -> tuple[Look | None, Color | None]:
    """The look of a sample with a mark, and the fill of a patch that stands for bars or a band."""
    stroke = shapes[line[0]] if line is not None else None
    if mark is not None and stroke is None and mark.look.marker == "square" and mark.look.size > 0.9 * label.size:
        return None, mark.look.face
    fill = None
    for number, k in sorted(parts) if mark is None else ():
        shape = shapes[number]
        if shape.fill not in (None, WHITE) and _is_patch(shape.parts[k], label):
            fill = shape.fill
    if mark is None and stroke is None:
        return None, fill
    seen = mark.look if mark is not None else Look()
    if stroke is None:
        return seen, fill
    return Look(stroke.stroke, stroke.dash, stroke.width, seen.marker, seen.edge, seen.face, seen.size), fill


def _is_patch(part: Part, label: Label) -> bool:
    wide, high = np.ptp(part.points, axis=0).tolist()
    return is_rectangle(part) and wide >= 0.25 * label.size and high >= 0.35 * label.size


def _one_side(found: list[LegendEntry]) -> list[LegendEntry]:
    """The entries of the side on which most labels have their samples; each sample names one label."""
    left = sum(entry.side < 0 for entry in found)
    side = -1 if 2 * left >= len(found) else 1
    chosen = [entry for entry in found if entry.side == side]
    used: set[PartId] = set()
    kept: list[LegendEntry] = []
    for entry in sorted(
        chosen, key=lambda e: abs(e.label.box.x0 - e.box.x1) if side < 0 else abs(e.box.x0 - e.label.box.x1)
    ):
        if not entry.parts & used:
            kept.append(entry)
            used |= entry.parts
    return kept


def _siblings(entry: LegendEntry, shapes: Sequence[Shape], small: _Small) -> set[PartId]:
    """Further small parts of a sample, of its colours, that stand close by on its level."""
    size = entry.label.size
    colors = {entry.fill, entry.look.line, entry.look.edge, entry.look.face} - {None, WHITE}
    boxes = small.boxes
    near = (boxes[:, 0] >= entry.box.x0 - 1.3 * size) & (boxes[:, 2] <= entry.box.x1 + 1.3 * size)
    near &= (boxes[:, 1] >= entry.label.y - size) & (boxes[:, 3] <= entry.label.y + size)
    near &= boxes[:, 2] - boxes[:, 0] <= 2 * size
    ids = (small.ids[k] for k in np.flatnonzero(near).tolist())
    return {part for part in ids if {shapes[part[0]].stroke, shapes[part[0]].fill} & colors}


def _confirm(entries: list[LegendEntry], shapes: Sequence[Shape], marks: Sequence[Mark]) -> list[LegendEntry]:
    """Entries whose samples stand under or beside another's, have a line sample, stand in a box with their name, or
    stand well apart from it and look like marks or fills that are drawn elsewhere."""
    frames = [
        shape.box
        for shape in shapes
        if len(shape.parts) == 1 and shape.parts[0].closed and len(shape.parts[0].points) <= 24
    ]
    kept: list[LegendEntry] = []
    for entry in entries:
        lined = entry.look.line is not None
        beside = any(
            other is not entry
            and (abs(_middle(other.box) - _middle(entry.box)) < 2.5 or abs(other.label.y - entry.label.y) < 1.5)
            and abs(other.label.y - entry.label.y) < 12 * entry.label.size
            for other in entries
        )
        if lined or beside or any(_frames(frame, entry) for frame in frames) or _repeats(entry, shapes, marks):
            kept.append(entry)
    return kept


def _repeats(entry: LegendEntry, shapes: Sequence[Shape], marks: Sequence[Mark]) -> bool:
    """Whether a lone sample stands apart from its name, on its level, and at least three others look like it."""
    gap = max(entry.label.box.x0 - entry.box.x1, entry.box.x0 - entry.label.box.x1)
    level = abs((entry.box.y0 + entry.box.y1) / 2 - entry.label.y)
    if level > 0.35 * entry.label.size:
        return False
    if entry.fill is not None:
        return sum(shape.fill == entry.fill for shape in shapes) > 3
    alike = sum(
        (m.look.marker, m.look.edge, m.look.face) == (entry.look.marker, entry.look.edge, entry.look.face)
        for m in marks
    )
    return gap >= _LEAST_GAP * entry.label.size and alike > 3


def _middle(box: Rect) -> float:
    return (box.x0 + box.x1) / 2


def _frames(frame: Rect, entry: LegendEntry) -> bool:
    """Whether a box encloses an entry closely."""
    box, label = entry.box, entry.label.box
    x0, x1 = min(box.x0, label.x0), max(box.x1, label.x1)
    holds = frame.x0 <= x0 + 1 and frame.x1 >= x1 - 1 and frame.y0 <= label.y0 + 2 and frame.y1 >= label.y1 - 2
    return holds and frame.x1 - frame.x0 < 1.6 * (x1 - x0) + 20 and frame.y1 - frame.y0 < 12 * entry.label.size
