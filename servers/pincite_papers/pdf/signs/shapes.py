"""Shapes: a glyph as a small grid of ink with its place in the em, and the characters that look most like it."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import numpy.typing as npt

GRID = 12
"""Cells of a shape's grid, across and down: enough to tell ≤ from <, and blind to serifs."""

_INK = 0.25
"""Share of full ink (0 to 1) from which on a pixel belongs to a glyph: below it is the blur of an edge."""

_WEIGHTS = np.array((2.0, 2.0, 1.5, 1.5), np.float32)
"""What a difference of one em in width, height, foot and head counts beside the mean difference of two grids (0 to 1).
Set so that a minus is told from an en dash or an underscore, and a ring from a letter o, across DejaVu, STIX and CM."""

_ASPECT = 0.12
"""What a glyph twice as wide for its height counts beside the mean difference of two grids."""

_NEAREST = 160
"""Shapes, of the 1,800 of the table, whose boxes are most like that of a glyph: only their grids are compared."""

_LEVELS = 15
"""Steps of ink that the table of shapes keeps."""


@dataclass(frozen=True, slots=True)
class Shape:
    """A glyph's ink: ``grid`` float32 (GRID * GRID), 0 to 1, over its tight box; the box in ems."""

    grid: npt.NDArray[np.float32]
    width: float
    height: float
    foot: float


@dataclass(frozen=True, slots=True)
class Table:
    """The shapes of n printed characters, several fonts each."""

    texts: list[str]
    grids: npt.NDArray[np.float32]
    places: npt.NDArray[np.float32]
    aspects: npt.NDArray[np.float32]
    rows: dict[str, npt.NDArray[np.int64]]

    def distances(self, shape: Shape, claimed: str = "") -> dict[str, float]:
        """How far the likeliest characters and ``claimed`` are from a shape: 0 is the same, 0.3 another character."""
        places = self._places_from(shape, slice(None))
        near: npt.NDArray[np.int64] = np.argpartition(places, _NEAREST)[:_NEAREST]
        if claimed in self.rows:
            near = np.concatenate((near, self.rows[claimed]))
        grids = np.sqrt(np.mean((self.grids[near] - shape.grid) ** 2, axis=1)) * 0.5
        found: dict[str, float] = {}
        rows: list[int] = near.tolist()
        distances: list[float] = (grids + places[near]).tolist()
        for row, far in zip(rows, distances, strict=True):
            text = self.texts[row]
            if far < found.get(text, 9.0):
                found[text] = far
        return found

    def distance_from(self, shape: Shape, text: str) -> float:
        """How far a shape is from one character, as ``distances`` gives it; 9 for one that is not in the table."""
        rows = self.rows.get(text)
        if rows is None:
            return 9.0
        grids = np.sqrt(np.mean((self.grids[rows] - shape.grid) ** 2, axis=1)) * 0.5
        return float((grids + self._places_from(shape, rows)).min())

    def _places_from(self, shape: Shape, rows: "npt.NDArray[np.int64] | slice") -> npt.NDArray[np.floating]:
        """What the boxes of these rows differ from a shape's."""
        place = np.array((shape.width, shape.height, shape.foot, shape.foot + shape.height), np.float32)
        places = np.minimum(np.abs(self.places[rows] - place), 0.3) @ (_WEIGHTS * 0.1)
        return places + np.abs(self.aspects[rows] - _aspect(shape.width, shape.height)) * _ASPECT

    def is_drawn_as(self, shape: Shape, text: str) -> float:
        """How far a shape is from a character whatever its size and place: 0 is the same."""
        rows = self.rows.get(text)
        if rows is None:
            return 9.0
        far = np.sqrt(np.mean((self.grids[rows] - shape.grid) ** 2, axis=1)) * 0.5
        return float((far + np.abs(self.aspects[rows] - _aspect(shape.width, shape.height)) * _ASPECT).min())


def _aspect(width: float, height: float) -> float:
    return float(np.log2(max(width, 0.02) / max(height, 0.02)))


def describe(ink: npt.NDArray[np.floating], size: float, baseline: float) -> Shape | None:
    """The shape of a glyph's ink (0 to 1), set in ``size`` pixels on the row ``baseline``; None where there is none."""
    rows = np.flatnonzero((ink > _INK).any(axis=1))
    columns = np.flatnonzero((ink > _INK).any(axis=0))
    if not len(rows) or not len(columns) or size <= 0:
        return None
    top, bottom, left, right = int(rows[0]), int(rows[-1]) + 1, int(columns[0]), int(columns[-1]) + 1
    tight = ink[top:bottom, left:right]
    grid = _averages(_averages(tight).T).T
    return Shape(
        np.clip(grid, 0, 1).ravel().astype(np.float32),
        (right - left) / size,
        (bottom - top) / size,
        (baseline - bottom) / size,
    )


def _averages(ink: npt.NDArray[np.floating]) -> npt.NDArray[np.floating]:
    """The rows of ``ink`` drawn together, or apart, to GRID rows."""
    sums = np.concatenate((np.zeros((1, ink.shape[1]), np.float32), np.cumsum(ink, axis=0, dtype=np.float32)))
    edges = np.linspace(0, len(ink), GRID + 1)
    low = np.minimum(edges.astype(np.int64), len(ink) - 1)
    share = (edges - low)[:, None].astype(np.float32)
    at = sums[low] + (sums[low + 1] - sums[low]) * share
    return (at[1:] - at[:-1]) / np.float32(len(ink) / GRID)


def pack(shapes: Iterable[tuple[str, Shape]]) -> dict[str, Any]:
    """Shapes as the arrays of the table's file."""
    every = list(shapes)
    return {
        "texts": np.array([text for text, _ in every]),
        "grids": np.array([np.round(shape.grid * _LEVELS) for _, shape in every], np.uint8),
        "boxes": np.array([(shape.width, shape.height, shape.foot) for _, shape in every], np.float16),
    }


@cache
def known_shapes() -> Table:
    """The table of shapes that comes with this package (``scripts/build_glyph_shapes.py`` draws it)."""
    with (files("pincite_papers.pdf.signs") / "shapes.npz").open("rb") as stream, np.load(stream) as data:
        boxes = data["boxes"].astype(np.float32)
        width, height, foot = boxes.T
        aspects = np.log2(np.maximum(width, 0.02) / np.maximum(height, 0.02))
        places = np.stack((width, height, foot, foot + height), axis=1)
        texts: list[str] = data["texts"].tolist()
        numbers: dict[str, list[int]] = {}
        for row, text in enumerate(texts):
            numbers.setdefault(text, []).append(row)
        rows = {text: np.array(each, np.int64) for text, each in numbers.items()}
        return Table(texts, data["grids"].astype(np.float32) / _LEVELS, places, aspects, rows)
