"""Legend: names beside small samples of the lines, markers and fills that they name."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_figures.plots.labels import Label
from pincite_figures.plots.marks import Mark
from pincite_figures.plots.paths import Color, Part, Shape
from pincite_figures.plots.strokes import is_rectangle
from pincite_figures.plots.traces import WHITE, Look, SeriesKind, Trace
from pincite_papers.model import Rect

_LONGEST_SAMPLE = 75.0
_SHORTEST_SAMPLE = 5.0
_APART = 2.8
_JOINT = 1.6
_MOST_CHARACTERS = 120
_MOST_LABELS = 600

PartId = tuple[int, int]
"""The number of a shape and of a part in it."""


@dataclass(slots=True, eq=False)
class Entry:
    """A name and the look of its sample; ``parts`` are drawn in the sample and are no data."""

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


def find_entries(shapes: Sequence[Shape], marks: Sequence[Mark], labels: Sequence[Label]) -> list[Entry]:
    """The legend entries of a figure; ``labels`` are those that no axis has (the first 600 are asked)."""
    small = _small_parts(shapes)
    if not len(small.boxes):
        return []
    by_shape: dict[int, list[Mark]] = {}
    for mark in marks:
        by_shape.setdefault(mark.shape, []).append(mark)
    found: list[Entry] = []
    for label in labels[:_MOST_LABELS]:
        if label.angle or len(label.text) > _MOST_CHARACTERS:
            continue
        for side in (-1, 1):
            entry = _entry(label, side, shapes, small, by_shape)
            if entry is not None:
                found.append(entry)
    entries = _confirm(_one_side(found), shapes, marks)
    for entry in entries:
        entry.parts |= _siblings(entry, shapes, small)
    return entries


def _small_parts(shapes: Sequence[Shape]) -> _Small:
    rows: list[tuple[float, float, float, float]] = []
    ids: list[PartId] = []
    for number, shape in enumerate(shapes):
        if len(shape.parts) > 200:
            continue
        for k, part in enumerate(shape.parts):
            (x0, y0), (x1, y1) = part.points.min(0).tolist(), part.points.max(0).tolist()
            if x1 - x0 <= _LONGEST_SAMPLE and y1 - y0 <= 24.0:
                rows.append((x0, y0, x1, y1))
                ids.append((number, k))
    return _Small(np.array(rows, np.float64).reshape(-1, 4), ids)


def _entry(
    label: Label, side: int, shapes: Sequence[Shape], small: _Small, marks: dict[int, list[Mark]]
) -> Entry | None:
    """The entry of a label with its sample to the left (side -1) or right."""
    boxes = small.boxes
    level = (boxes[:, 1] + boxes[:, 3]) / 2
    gap = label.box.x0 - boxes[:, 2] if side < 0 else boxes[:, 0] - label.box.x1
    near = (np.abs(level - label.y) <= 0.7 * label.size) & (gap >= -1.0) & (gap <= _APART * label.size)
    near &= boxes[:, 3] - boxes[:, 1] <= 1.8 * label.size
    places: list[int] = np.flatnonzero(near).tolist()
    if not places:
        return None
    line = _line_sample(places, shapes, small)
    if line is None:
        nearest = min(places, key=lambda k: float(gap[k]))
        box = Rect(*boxes[nearest].tolist())
    else:
        box = Rect(*boxes[line].tolist())
    beside = (np.abs(level - label.y) <= 0.55 * label.size) & (boxes[:, 3] - boxes[:, 1] <= 2.2 * label.size)
    box = _grown(box, boxes[beside])
    inside = beside & (boxes[:, 0] >= box.x0 - 1.5) & (boxes[:, 2] <= box.x1 + 1.5)
    members: list[int] = np.flatnonzero(inside).tolist()
    parts = {small.ids[k] for k in members}
    look, fill = _look(parts, line if line is None else small.ids[line], shapes, marks, label)
    if look is None and fill is None:
        return None
    return Entry(label.text, look or Look(), fill, box, label, parts, side)


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


def _look(
    parts: set[PartId], line: PartId | None, shapes: Sequence[Shape], marks: dict[int, list[Mark]], label: Label
) -> tuple[Look | None, Color | None]:
    """The look of a sample, and the fill of a patch that stands for bars or a band."""
    stroke = shapes[line[0]] if line is not None else None
    mark = next(
        (m for number, _ in sorted(parts) for m in marks.get(number, []) if abs(m.y - label.y) < label.size), None
    )
    if mark is not None and stroke is None and mark.look.marker == "square" and mark.look.size > 0.9 * label.size:
        return None, mark.look.face
    fill = None
    for number, k in sorted(parts):
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


def _one_side(found: list[Entry]) -> list[Entry]:
    """The entries of the side on which most labels have their samples; each sample names one label."""
    left = sum(entry.side < 0 for entry in found)
    side = -1 if 2 * left >= len(found) else 1
    chosen = [entry for entry in found if entry.side == side]
    used: set[PartId] = set()
    kept: list[Entry] = []
    for entry in sorted(
        chosen, key=lambda e: abs(e.label.box.x0 - e.box.x1) if side < 0 else abs(e.box.x0 - e.label.box.x1)
    ):
        if not entry.parts & used:
            kept.append(entry)
            used |= entry.parts
    return kept


def _siblings(entry: Entry, shapes: Sequence[Shape], small: _Small) -> set[PartId]:
    """Further small parts of a sample, of its colours, that stand close by on its level."""
    size = entry.label.size
    colors = {entry.fill, entry.look.line, entry.look.edge, entry.look.face} - {None, WHITE}
    boxes = small.boxes
    near = (boxes[:, 0] >= entry.box.x0 - 1.3 * size) & (boxes[:, 2] <= entry.box.x1 + 1.3 * size)
    near &= (boxes[:, 1] >= entry.label.y - size) & (boxes[:, 3] <= entry.label.y + size)
    near &= boxes[:, 2] - boxes[:, 0] <= 2 * size
    ids = (small.ids[k] for k in np.flatnonzero(near).tolist())
    return {part for part in ids if {shapes[part[0]].stroke, shapes[part[0]].fill} & colors}


def _confirm(entries: list[Entry], shapes: Sequence[Shape], marks: Sequence[Mark]) -> list[Entry]:
    """Entries whose samples stand under or beside another's, have a line sample, stand in a box with their name, or
    stand well apart from it and look like marks or fills that are drawn elsewhere."""
    frames = [
        shape.box
        for shape in shapes
        if len(shape.parts) == 1 and shape.parts[0].closed and len(shape.parts[0].points) <= 24
    ]
    kept: list[Entry] = []
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


def _repeats(entry: Entry, shapes: Sequence[Shape], marks: Sequence[Mark]) -> bool:
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
    return gap >= 0.8 * entry.label.size and alike > 3


def _middle(box: Rect) -> float:
    return (box.x0 + box.x1) / 2


def _frames(frame: Rect, entry: Entry) -> bool:
    """Whether a box encloses an entry closely."""
    box, label = entry.box, entry.label.box
    x0, x1 = min(box.x0, label.x0), max(box.x1, label.x1)
    holds = frame.x0 <= x0 + 1 and frame.x1 >= x1 - 1 and frame.y0 <= label.y0 + 2 and frame.y1 >= label.y1 - 2
    return holds and frame.x1 - frame.x0 < 1.6 * (x1 - x0) + 20 and frame.y1 - frame.y0 < 12 * entry.label.size


def name_traces(traces: Sequence[Trace], entries: Sequence[Entry]) -> None:
    """Give each trace the name of the entry that looks like it, in place; a name that fits several is given to none
    unless they were drawn as one."""
    pairs = [
        (score, i, j)
        for i, trace in enumerate(traces)
        for j, e in enumerate(entries)
        if (score := _likeness(trace, e)) > 0
    ]
    named: set[int] = set()
    used: dict[int, float] = {}
    for score, i, j in sorted(pairs, key=lambda pair: (-pair[0], pair[1])):
        if i in named or (j in used and used[j] > score):
            continue
        named.add(i)
        used[j] = score
        traces[i].name = entries[j].name


def _likeness(trace: Trace, entry: Entry) -> float:
    """How much a trace looks like a sample: 0 for not at all, more for each trait that agrees."""
    look, sample = trace.look, entry.look
    if trace.kind in {SeriesKind.BARS, SeriesKind.BAND}:
        wanted = entry.fill if entry.fill is not None else sample.face
        return 2.0 if wanted is not None and _same(look.face, wanted) else 0.0
    score = 0.0
    if look.line is not None and sample.line is not None:
        if not _same(look.line, sample.line) or not _same_dash(look, sample):
            return 0.0
        score += 2.0 + (0.3 if abs(look.width - sample.width) < 0.15 else 0.0)
    elif look.line is not None and not look.marker:
        return 0.0
    if look.marker or sample.marker:
        if look.marker != sample.marker:
            return 0.0 if look.marker and sample.marker else score * 0.4
        if not _same(look.edge, sample.edge) or not _same(look.face, sample.face):
            return 0.0
        score += 2.0 + (0.3 if abs(look.size - sample.size) < 0.6 else 0.0)
        if (look.line is None) != (sample.line is None):
            score -= 0.8
    return score


def _same(one: Color | None, other: Color | None) -> bool:
    if one is None or other is None:
        return one is other
    return max(abs(a - b) for a, b in zip(one, other, strict=True)) <= 3


def _same_dash(one: Look, other: Look) -> bool:
    if len(one.dash) != len(other.dash):
        return False
    return all(abs(a - b) <= 0.1 + 0.15 * max(a, b) for a, b in zip(one.dash, other.dash, strict=True))
