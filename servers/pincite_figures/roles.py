"""Roles: what a text in a figure is for, guessed from where it stands among the others."""

import re
from collections.abc import Sequence
from enum import StrEnum
from statistics import median
from typing import TYPE_CHECKING

from pincite_papers.model import Rect

if TYPE_CHECKING:
    from pincite_figures.figure_text import Text

_NUMBER = re.compile(r"[+−–-]?\s?(?:\d[\d,.\s]*|\.\d+)(?:\s?[×x·]\s?10)?(?:e[+-]?\d+)?(?:\^[+−–-]?\d+)?\s?[%°kKMG]?")
_PANEL = re.compile(r"[(\[]?\s?[A-Za-z]\s?[)\]]?[.:]?|\((?:i{1,3}|iv|vi{0,3})\)")
_FEW = 2
"""Texts that make a row or column; fewer are by chance."""
_SLACK = 0.35
"""How far texts of one row may be out of line, in heights of their type. Set by judgement."""


class Role(StrEnum):
    """What a text is for."""

    TICK = "tick"
    AXIS = "axis label"
    LEGEND = "legend"
    PANEL = "panel letter"
    TEXT = "text"


def roles_of(texts: "Sequence[Text]", keys: Sequence[Rect]) -> list[Role]:
    """The role of each text; ``keys`` are boxes of drawings, beside which names of legends stand."""
    if not texts:
        return []
    numbers = [index for index, text in enumerate(texts) if _NUMBER.fullmatch(text.text)]
    rows, columns = _scales(texts, numbers)
    rows, columns = _trusted(texts, rows, columns)
    ticks = {index for group in (*rows, *columns) for index in group}
    usual = median(text.size for text in texts)
    roles: list[Role] = []
    for index, text in enumerate(texts):
        if index in ticks:
            role = Role.TICK
        elif _is_panel(text, usual):
            role = Role.PANEL
        elif any(_is_key(key, text) for key in keys):
            role = Role.LEGEND
        elif _is_axis(text, texts, rows, columns):
            role = Role.AXIS
        else:
            role = Role.TEXT
        roles.append(role)
    return roles


def _scales(texts: "Sequence[Text]", numbers: list[int]) -> tuple[list[list[int]], list[list[int]]]:
    """Level rows and upright columns of numbers, each number in the largest of its groups."""
    groups = [(group, True) for group in _aligned(texts, numbers, 1, 3)]
    groups += [(group, False) for group in _aligned(texts, numbers, 0, 2)]
    groups.sort(key=lambda pair: -len(pair[0]))
    taken: set[int] = set()
    rows: list[list[int]] = []
    columns: list[list[int]] = []
    for group, level in groups:
        free = [index for index in group if index not in taken]
        if len(free) >= _FEW:
            taken.update(free)
            (rows if level else columns).append(free)
    return rows, columns


def _trusted(
    texts: "Sequence[Text]", rows: list[list[int]], columns: list[list[int]]
) -> tuple[list[list[int]], list[list[int]]]:
    """The groups that are surely scales: of three numbers, and pairs that are printed in the size of those."""
    sizes = [texts[index].size for group in (*rows, *columns) if len(group) > _FEW for index in group]

    def holds(group: list[int]) -> bool:
        return len(group) > _FEW or not sizes or abs(texts[group[0]].size - median(sizes)) < 0.03 * median(sizes)

    return [group for group in rows if holds(group)], [group for group in columns if holds(group)]


def _aligned(texts: "Sequence[Text]", numbers: list[int], low: int, high: int) -> list[list[int]]:
    """Groups of numbers that share a line: with their low edges, their high edges or their middles on it."""
    groups: list[list[int]] = []
    for edge in (low, high, None):
        places = {index: _edge(texts[index], edge, low, high) for index in numbers}
        group: list[int] = []
        for index in sorted(numbers, key=places.__getitem__):
            if group and places[index] - places[group[0]] > _SLACK * texts[index].size:
                groups.append(group)
                group = []
            group.append(index)
        groups.append(group)
    return [group for group in groups if len(group) >= _FEW]


def _edge(text: "Text", edge: int | None, low: int, high: int) -> float:
    return (text.box[low] + text.box[high]) / 2 if edge is None else text.box[edge]


def _is_panel(text: "Text", usual: float) -> bool:
    if _PANEL.fullmatch(text.text) is None:
        return False
    return "(" in text.text or "[" in text.text or ")" in text.text or text.bold or text.size > 1.15 * usual


def _is_axis(text: "Text", texts: "Sequence[Text]", rows: list[list[int]], columns: list[list[int]]) -> bool:
    """Whether a text runs along ticks: below or above a row of them and within it, or beside a column of them."""
    x0, y0, x1, y1 = text.box
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    if text.rotation in (90, 270):
        for group in columns:
            boxes = [texts[index].box for index in group]
            gap = max(min(box[0] for box in boxes) - x1, x0 - max(box[2] for box in boxes))
            if _spans(boxes, 1, y, text.size) and -text.size < gap < 4 * text.size:
                return True
        return not columns and len(text.text) > _FEW
    for group in rows:
        boxes = [texts[index].box for index in group]
        gap = max(y0 - max(box[3] for box in boxes), min(box[1] for box in boxes) - y1)
        if _spans(boxes, 0, x, text.size) and -0.5 * text.size < gap < 2.5 * text.size:
            return True
    return False


def _spans(boxes: list[tuple[float, float, float, float]], axis: int, at: float, size: float) -> bool:
    low, high = min(box[axis] for box in boxes), max(box[axis + 2] for box in boxes)
    return low - size <= at <= high + size


def _is_key(key: Rect, text: "Text") -> bool:
    """Whether a small drawing stands right beside a level text, on its height."""
    x0, y0, x1, y1 = text.box
    size = max(text.size, 1.0)
    small = key.x1 - key.x0 < 6 * size and key.y1 - key.y0 < 2 * size
    level = text.rotation == 0 and abs((key.y0 + key.y1) / 2 - (y0 + y1) / 2) < 0.5 * size
    return small and level and -0.2 * size < max(x0 - key.x1, key.x0 - x1) < 2 * size
