"""Titles: what is printed beside an axis, its multiplier, and the letter of a panel."""

import re
from collections.abc import Iterable, Sequence

from pincite_figures.plots.areas import Area
from pincite_figures.plots.axes import Axis
from pincite_figures.plots.calibration import ScaleKind
from pincite_figures.plots.labels import Label
from pincite_figures.plots.numbers import read_number, read_offset

_REACH = 3.6
"""In type sizes of the label: what stands further beyond an axis' numbers is not its title. Set by judgement."""
_PANEL = re.compile(r"^[(\[]?([A-Za-z]|[ivx]{1,4})[)\].:]$|^([A-Ha-h])$")
_PANEL_FIRST = re.compile(r"^[(\[]([A-Za-z]|[ivx]{1,4})[)\]]\s|^([A-Z])[.:)]?\s")
_NEAR_END = 70.0
"""Points, of which half count: a multiplier stands no further from the end of a level axis or beside an upright one.
Set by judgement."""


def read_multiplier(axis: Axis, labels: Iterable[Label], taken: set[int]) -> Label | None:
    """Apply to an axis what is printed at its end for all its labels (``1e6``, ``×10^3``), and return that label."""
    if axis.scale.kind is ScaleKind.LOG:
        return None
    best: tuple[float, Label] | None = None
    for label in labels:
        if id(label) in taken or (offset := read_offset(label.text)) is None:
            continue
        distance = _from_end(axis, label)
        if distance is not None and (best is None or distance < best[0]):
            best = distance, label
    if best is None:
        return None
    offset = read_offset(best[1].text)
    assert offset is not None
    axis.scale = axis.scale.shifted(offset.factor, offset.shift)
    axis.multiplier = offset.text
    return best[1]


def _from_end(axis: Axis, label: Label) -> float | None:
    """How far a label stands from the end of an axis where multipliers are printed; None where it is elsewhere."""
    line, box, size = axis.line, label.box, label.size
    if line.level:
        beyond = (box.y0 - line.at) * axis.side if axis.side > 0 else line.at - box.y1
        across = min(abs(box.x1 - line.high), abs(box.x0 - line.high), abs(label.x - line.high))
        return across + abs(beyond) if -size < beyond < 5.5 * size and across < _NEAR_END / 2 else None
    above = line.low - label.y
    across = max(box.x0 - line.at, line.at - box.x1, 0.0)
    return across + abs(above) if -0.4 * size < above < 3.0 * size and across < _NEAR_END / 2 else None


def read_title(axis: Axis, labels: Sequence[Label], taken: set[int]) -> list[Label]:
    """The labels that make the title of an axis: beyond its numbers, about the middle of the line."""
    line = axis.line
    far = max((_far(axis, label) for label in axis.labels), default=axis.gap)
    found: list[tuple[float, Label]] = []
    for label in labels:
        if id(label) in taken or (not line.level and label.angle not in (90, 270)) or (line.level and label.angle):
            continue
        if read_number(label.text) is not None:
            continue
        box = label.box
        low, high, near = (box.x0, box.x1, box.y0 if axis.side > 0 else box.y1) if line.level else (
            box.y0, box.y1, box.x0 if axis.side > 0 else box.x1)  # fmt: skip
        gap = (near - line.at) * axis.side - far
        middle = (
            line.low + 0.02 * (line.high - line.low) <= (low + high) / 2 <= line.high - 0.02 * (line.high - line.low)
        )
        if middle and -0.8 * label.size <= gap <= _REACH * label.size:
            found.append((gap, label))
    if not found:
        return _top_title(axis, labels, taken)
    first = min(gap for gap, _ in found)
    chosen = [label for gap, label in found if gap <= first + 0.7 * label.size]
    return sorted(chosen, key=_reading)


def _top_title(axis: Axis, labels: Sequence[Label], taken: set[int]) -> list[Label]:
    """The level title of an upright axis that is printed above its end."""
    if axis.line.level:
        return []
    for label in labels:
        above = axis.line.low - label.box.y1
        if id(label) in taken or label.angle or _PANEL.match(label.text) or read_number(label.text) is not None:
            continue
        if 0 <= above <= 1.2 * label.size and abs(label.x - axis.line.at) <= 0.75 * (label.box.x1 - label.box.x0):
            return [label]
    return []


def _reading(label: Label) -> float:
    return {0: label.box.x0, 90: -label.box.y1, 270: label.box.y0}.get(round(label.angle), label.box.x0)


def _far(axis: Axis, label: Label) -> float:
    """How far a label reaches from its axis."""
    box, line = label.box, axis.line
    edge = (box.y1 if axis.side > 0 else box.y0) if line.level else (box.x1 if axis.side > 0 else box.x0)
    return (edge - line.at) * axis.side


def panel_letters(areas: Sequence[Area], labels: Sequence[Label], taken: set[int]) -> list[str]:
    """The letter of each area, "" for none: printed in its upper corners, above it or to its upper left."""
    pairs: list[tuple[float, int, int, str]] = []
    for i, area in enumerate(areas):
        for j, label in enumerate(labels):
            match = _PANEL.match(label.text) or _PANEL_FIRST.match(label.text)
            if match is None or id(label) in taken or label.angle:
                continue
            distance = _from_corner(area, label)
            if distance is not None:
                pairs.append((distance, i, j, match[1] or match[2]))
    letters = [""] * len(areas)
    used: set[int] = set()
    for _, i, j, letter in sorted(pairs):
        if not letters[i] and j not in used:
            letters[i] = letter
            used.add(j)
    known = [letter.lower() for letter in letters if letter]
    return letters if len(set(known)) == len(known) else [""] * len(areas)


def _from_corner(area: Area, label: Label) -> float | None:
    box, middle = area.box, label
    wide, high = box.x1 - box.x0, box.y1 - box.y0
    inside = box.x0 <= middle.x <= box.x1 and box.y0 <= middle.y <= box.y0 + 0.25 * high
    if inside and min(middle.x - box.x0, box.x1 - middle.x) <= 0.2 * wide:
        return 0.5 * min(middle.x - box.x0, box.x1 - middle.x) + abs(middle.y - box.y0)
    above = box.y0 - 3.0 * label.size <= middle.y <= box.y0 + 1.2 * label.size
    if above and box.x0 - 0.35 * wide - 20 <= middle.x <= box.x0 + 0.6 * wide:
        return abs(middle.x - box.x0) + abs(middle.y - box.y0)
    return None
