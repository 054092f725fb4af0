"""What a scanned page shows besides text: ruled lines and pictures, found in its ink."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_papers.model import Rect
from pincite_papers.pdf.elements import Rule
from pincite_papers.pdf.ocr.hocr import OcrLine
from pincite_papers.pdf.ocr.raster import Ink

_SHORTEST_RULE = 24.0
"""Points of the shortest ruled line. Set by judgement."""
_THICKEST_RULE = 3.0
"""Points of the thickest ruled line. Set by judgement."""
_TEETH = 5
"""Columns of ink beside each other that must be there for a rule to go on."""
_CELL = 6.0
"""Ink is gathered in square cells of so many points; cells that touch make a picture."""
_LEAST_PICTURE = 24.0
"""Points of a picture's shorter side. Set by judgement."""


@dataclass(slots=True)
class Marks:
    """Rules, and the boxes of drawings or photographs, in points from the top left corner."""

    rules: list[Rule]
    pictures: list[Rect]


def find_rules(ink: Ink, dpi: float) -> list[Rule]:
    """The level and upright lines of at least 24 points that are at most 3 points wide."""
    return _level_rules(ink, dpi, horizontal=True) + _level_rules(np.ascontiguousarray(ink.T), dpi, horizontal=False)


def find_pictures(ink: Ink, dpi: float, lines: list[OcrLine], rules: list[Rule]) -> list[Rect]:
    """The boxes of what is neither a sure word nor a rule, joined where they nearly touch."""
    rest = ink.copy()
    for line in lines:
        for word in line.words:
            if word.confidence >= 0.5:
                x0, y0, x1, y1 = (round(value) for value in word.box)
                rest[max(y0 - 2, 0) : y1 + 3, max(x0 - 2, 0) : x1 + 3] = False
    scale = dpi / 72
    for rule in rules:
        half = rule.width / 2 + 1
        rest[
            max(round((rule.y0 - half) * scale), 0) : round((rule.y1 + half) * scale) + 1,
            max(round((rule.x0 - half) * scale), 0) : round((rule.x1 + half) * scale) + 1,
        ] = False
    size = max(round(_CELL * scale), 1)
    high, wide = -(-rest.shape[0] // size), -(-rest.shape[1] // size)
    padded = np.zeros((high * size, wide * size), np.bool_)
    padded[: rest.shape[0], : rest.shape[1]] = rest
    cells = padded.reshape(high, size, wide, size).sum(axis=(1, 3)) >= max(size // 2, 3)
    found: list[Rect] = []
    for rows, columns in _components(cells):
        box = Rect(columns[0] * _CELL, rows[0] * _CELL, (columns[1] + 1) * _CELL, (rows[1] + 1) * _CELL)
        if box.x1 - box.x0 >= _LEAST_PICTURE and box.y1 - box.y0 >= _LEAST_PICTURE:
            found.append(box)
    return found


def _level_rules(ink: Ink, dpi: float, *, horizontal: bool) -> list[Rule]:
    """The long thin runs of ink along the rows."""
    length, thick = round(_SHORTEST_RULE * dpi / 72), max(round(_THICKEST_RULE * dpi / 72), 1)
    if ink.shape[1] <= length:
        return []
    # A scanned line wavers by a dot or two: three rows together are asked.
    spread = ink.copy()
    spread[1:] |= ink[:-1]
    spread[:-1] |= ink[1:]
    rows = _promising(spread, length)
    edges = np.diff(spread[rows].astype(np.int8), axis=1, prepend=0, append=0)
    starts, ends = np.argwhere(edges == 1), np.argwhere(edges == -1)
    long = ends[:, 1] - starts[:, 1] >= length
    runs = np.column_stack((rows[starts[long, 0]], starts[long, 1], ends[long, 1]))
    found: list[Rule] = []
    for top, bottom, left, right in _bands(runs):
        width = bottom - top - 1
        if not 0 < width <= thick + 1:
            continue
        middle = (top + bottom + 1) / 2 * 72 / dpi
        x0, x1, line = left * 72 / dpi, right * 72 / dpi, max(width, 1) * 72 / dpi
        found.append(
            Rule(True, x0, middle, x1, middle, line) if horizontal else Rule(False, middle, x0, middle, x1, line)
        )
    return found


def _promising(ink: Ink, length: int) -> npt.NDArray[np.int64]:
    """The rows that may hold a run of ``length``: those with ink at enough places in a row of a coarse comb."""
    step = max(length // 6, 1)
    comb = ink[:, ::step]
    if comb.shape[1] < _TEETH:
        return np.arange(len(ink))
    held = comb[:, : comb.shape[1] - _TEETH + 1].copy()
    for shift in range(1, _TEETH):
        held &= comb[:, shift : shift + held.shape[1]]
    return np.flatnonzero(held.any(axis=1))


def _bands(runs: npt.NDArray[np.int64]) -> list[tuple[int, int, int, int]]:
    """Runs (row, start, end) on neighbouring rows that overlap, as (top, bottom, left, right)."""
    open_bands: list[list[int]] = []
    closed: list[tuple[int, int, int, int]] = []
    for row, start, end in runs.tolist():
        still = [band for band in open_bands if band[1] >= row - 1]
        closed.extend((a, b, c, d) for a, b, c, d in (band for band in open_bands if band[1] < row - 1))
        open_bands = still
        band = next((b for b in open_bands if b[2] < end and start < b[3]), None)
        if band is None:
            open_bands.append([row, row, start, end])
        else:
            band[1], band[2], band[3] = row, min(band[2], start), max(band[3], end)
    return closed + [(a, b, c, d) for a, b, c, d in open_bands]


def _components(cells: npt.NDArray[np.bool_]) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Groups of cells that touch, corners and one empty cell between counting, as ranges of rows and columns."""
    left = {(int(y), int(x)) for y, x in np.argwhere(cells)}
    steps = [(dy, dx) for dy in (-2, -1, 0, 1, 2) for dx in (-2, -1, 0, 1, 2) if dy or dx]
    groups: list[tuple[tuple[int, int], tuple[int, int]]] = []
    while left:
        stack = [left.pop()]
        ys, xs = [stack[0][0]], [stack[0][1]]
        while stack:
            y, x = stack.pop()
            for dy, dx in steps:
                near = (y + dy, x + dx)
                if near in left:
                    left.remove(near)
                    stack.append(near)
                    ys.append(near[0])
                    xs.append(near[1])
        groups.append(((min(ys), max(ys)), (min(xs), max(xs))))
    return sorted(groups)
