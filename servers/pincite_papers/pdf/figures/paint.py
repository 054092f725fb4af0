"""Paint: what is drawn on a page besides text, in pieces that hang together."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_papers.model import FigureKind, Rect
from pincite_papers.pdf.elements import PageLayout

Boxes = npt.NDArray[np.float64]
"""Boxes as rows (x0, y0, x1, y1)."""

_RULE, _DRAWING, _IMAGE = 0, 1, 2
"""Kinds of paint."""
_BACKGROUND = 0.85
"""The share of the page: a shape that covers as much is its background; so is a line higher than this share of its
height. Set by judgement."""
_REACH = 3.5
"""Points: shapes nearer to each other are one piece, as closely as cells (``_CELL``) tell. Set by judgement."""
_CELL = 3.0
"""Points: the side of the cells on which pieces are told apart; larger on pages longer than ``_MOST_CELLS`` of it. Set
by judgement."""
_EDGE = 3.0
"""Points: a rule nearer to an edge of the piece that holds a caption is a frame around both, not part of the figure.
Set by judgement."""
_MOST_CELLS = 320
"""Count of cells along a side of the page. A bound on cost, set by judgement."""
_FLAT = 6.0
"""Points: a piece lower than this is flat and, if long (``_LONG_RULE``), a rule that parts text. Set by judgement."""
_LONG_RULE = 90.0
"""Points: a flat piece that is wider is a rule that parts text, a shorter one may be of a figure; an upright rule twice
as high is left out. Set by judgement."""
_NEAR_RULE = 40.0
"""Points: a long rule nearer than this to the side of a piece at its height is a line of that drawing and parts
nothing. Set by judgement."""


@dataclass(frozen=True, slots=True)
class Paint:
    """The n shapes of a page and the m pieces that they make: ``boxes`` (n, 4), ``kinds`` (n) and ``owners`` (n).

    ``pieces`` (m, 4) enclose the shapes of each piece; ``separators`` are lone level rules, which part text.
    """

    boxes: Boxes
    kinds: npt.NDArray[np.int8]
    owners: npt.NDArray[np.int64]
    pieces: Boxes
    separators: Boxes

    def kind_in(self, box: Rect) -> FigureKind | None:
        """What paints the inside of a box: pictures, drawings or both; None where nothing does."""
        x, y = (self.boxes[:, 0] + self.boxes[:, 2]) / 2, (self.boxes[:, 1] + self.boxes[:, 3]) / 2
        inside = (x >= box.x0 - 1) & (x <= box.x1 + 1) & (y >= box.y0 - 1) & (y <= box.y1 + 1)
        kinds = self.kinds[inside]
        if not len(kinds):
            return None
        images = bool((kinds == _IMAGE).any())
        return FigureKind.VECTOR if not images else FigureKind.MIXED if (kinds != _IMAGE).any() else FigureKind.RASTER


def find_paint(
    page: PageLayout, captions: Sequence[Rect], tables: Sequence[Rect], furniture: Boxes | None = None
) -> Paint:
    """The shapes that can belong to a figure: no background, none in ``tables``, no recurring ``furniture``."""
    rows = [(r.x0, r.y0, r.x1, r.y1) for r in page.rules]
    rows += [(r.x0, r.y0, r.x1, r.y1) for r in page.drawings]
    rows += [(r.x0, r.y0, r.x1, r.y1) for r in page.images]
    boxes = np.array(rows, np.float64).reshape(-1, 4)
    counts = (len(page.rules), len(page.drawings), len(page.images))
    kinds = np.repeat(np.array((_RULE, _DRAWING, _IMAGE), np.int8), counts)
    keep = _area(boxes) < _BACKGROUND * page.width * page.height
    keep &= ~((boxes[:, 3] - boxes[:, 1] > _BACKGROUND * page.height) & (boxes[:, 2] - boxes[:, 0] < 2))
    for table in tables:
        keep &= ~_held(boxes, table, 3.0)
    if furniture is not None and len(furniture):
        keep &= ~_among(boxes, furniture)
    boxes, kinds = boxes[keep], kinds[keep]
    longest = max(page.width, page.height, 1.0)
    owners = _components(boxes, longest)
    framing = _frames(boxes, kinds, owners, captions)
    if framing.any():
        boxes, kinds = boxes[~framing], kinds[~framing]
        owners = _components(boxes, longest)
    return _sort(boxes, kinds, owners)


def _frames(
    boxes: Boxes, kinds: npt.NDArray[np.int8], owners: npt.NDArray[np.int64], captions: Sequence[Rect]
) -> npt.NDArray[np.bool_]:
    """Which shapes frame a figure together with its caption: drawings over a caption, rules around one."""
    framing = np.zeros(len(boxes), np.bool_)
    pieces = _hulls(boxes, owners)
    for caption in captions:
        framing |= (kinds == _DRAWING) & _holds(boxes, caption)
        around = np.flatnonzero(_holds(pieces, caption))
        ruled = (kinds == _RULE) & np.isin(owners, around)
        edges = np.abs(boxes - pieces[owners]).min(1) < _EDGE
        framing |= ruled & edges
    return framing


def _holds(boxes: Boxes, inner: Rect) -> npt.NDArray[np.bool_]:
    """Which boxes hold a box."""
    return (
        (boxes[:, 0] <= inner.x0 + 1)
        & (boxes[:, 1] <= inner.y0 + 1)
        & (boxes[:, 2] >= inner.x1 - 1)
        & (boxes[:, 3] >= inner.y1 - 1)
    )


def _hulls(boxes: Boxes, owners: npt.NDArray[np.int64]) -> Boxes:
    """The boxes around the shapes of each piece."""
    count = int(owners.max()) + 1 if len(owners) else 0
    pieces = np.tile(np.array([np.inf, np.inf, -np.inf, -np.inf]), (count, 1))
    for edge, pick in ((0, np.minimum), (1, np.minimum), (2, np.maximum), (3, np.maximum)):
        pick.at(pieces[:, edge], owners, boxes[:, edge])
    return pieces


def _sort(boxes: Boxes, kinds: npt.NDArray[np.int8], owners: npt.NDArray[np.int64]) -> Paint:
    """The pieces, lone rules told from the others."""
    pieces = _hulls(boxes, owners)
    count = len(pieces)
    ruled = np.ones(count, np.bool_)
    np.logical_and.at(ruled, owners, kinds == _RULE)
    wide, high = pieces[:, 2] - pieces[:, 0], pieces[:, 3] - pieces[:, 1]
    flat = high < _FLAT
    lone = flat & (wide > _LONG_RULE)
    lone[lone] = ~_joined(pieces[lone], pieces[~flat])
    speck = (ruled & (wide < 2) & (high > 2 * _LONG_RULE)) | (np.maximum(wide, high) < 2)
    kept = ~lone & ~speck
    number = np.cumsum(kept) - 1
    inside = kept[owners] if len(owners) else np.zeros(0, np.bool_)
    return Paint(boxes[inside], kinds[inside], number[owners[inside]], pieces[kept], pieces[lone])


def _joined(rules: Boxes, others: Boxes) -> npt.NDArray[np.bool_]:
    """Which level rules run beside another piece, at its height and near its side, as the lines of one drawing do."""
    y = (rules[:, 1] + rules[:, 3])[:, None] / 2
    level = (y > others[None, :, 1] - 2) & (y < others[None, :, 3] + 2)
    aside = np.maximum(others[None, :, 0] - rules[:, None, 2], rules[:, None, 0] - others[None, :, 2])
    return np.asarray((level & (aside < _NEAR_RULE)).any(1), np.bool_)


def recurring(pages: Sequence[PageLayout]) -> Boxes:
    """The boxes of pictures and drawings that stand in one place on three pages and more: logos, bands, marks."""
    if len(pages) < 3:
        return np.empty((0, 4))
    seen: dict[tuple[int, int, int, int], int] = {}
    for page in pages:
        shapes = [*page.images, *page.drawings]
        if len(shapes) > 400:
            continue
        for key in {(round(r.x0), round(r.y0), round(r.x1), round(r.y1)) for r in shapes}:
            seen[key] = seen.get(key, 0) + 1
    return np.array([key for key, count in seen.items() if count >= 3], np.float64).reshape(-1, 4)


def _area(boxes: Boxes) -> npt.NDArray[np.float64]:
    return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])


def _held(boxes: Boxes, frame: Rect, slack: float) -> npt.NDArray[np.bool_]:
    """Which boxes stand inside a frame."""
    return (
        (boxes[:, 0] >= frame.x0 - slack)
        & (boxes[:, 1] >= frame.y0 - slack)
        & (boxes[:, 2] <= frame.x1 + slack)
        & (boxes[:, 3] <= frame.y1 + slack)
    )


def _among(boxes: Boxes, others: Boxes) -> npt.NDArray[np.bool_]:
    known = {tuple(row) for row in others.astype(int).tolist()}
    return np.array([tuple(row) in known for row in np.round(boxes).astype(int).tolist()], np.bool_)


def _components(boxes: Boxes, longest: float) -> npt.NDArray[np.int64]:
    """The number of the piece of each box: boxes within a few points of each other hang together.

    The boxes are painted on a grid of at most 320 cells a side, so that the work is bounded for any number of them.
    """
    if not len(boxes):
        return np.empty(0, np.int64)
    cell = max(_CELL, longest / _MOST_CELLS)
    low = np.floor((boxes[:, :2] - _REACH / 2) / cell).astype(np.int64).clip(0, _MOST_CELLS)
    high = np.floor((boxes[:, 2:] + _REACH / 2) / cell).astype(np.int64).clip(0, _MOST_CELLS)
    change = np.zeros((_MOST_CELLS + 2, _MOST_CELLS + 2), np.int64)
    for x, y, step in (
        (low[:, 0], low[:, 1], 1),
        (high[:, 0] + 1, low[:, 1], -1),
        (low[:, 0], high[:, 1] + 1, -1),
        (high[:, 0] + 1, high[:, 1] + 1, 1),
    ):
        np.add.at(change, (y, x), step)
    filled = change.cumsum(0).cumsum(1) > 0
    labels = _label(filled)
    own = labels[low[:, 1], low[:, 0]]
    return np.unique(own, return_inverse=True)[1].astype(np.int64)


def _label(filled: npt.NDArray[np.bool_]) -> npt.NDArray[np.int64]:
    """A number for each filled cell, the same for cells that touch by an edge or a corner."""
    wide = filled.shape[1] + 2
    rows = np.zeros((filled.shape[0] + 1, wide), np.int8)
    rows[:-1, 1:-1] = filled
    change = np.diff(rows.ravel(), prepend=np.int8(0))
    starts, ends = np.flatnonzero(change == 1), np.flatnonzero(change == -1)
    low = np.asarray(ends.searchsorted(starts + wide, "left"), np.int64)
    high = np.asarray(starts.searchsorted(ends + wide, "right"), np.int64)
    counts = np.maximum(high - low, 0)
    upper = np.repeat(np.arange(len(starts)), counts)
    lower = np.repeat(low - np.concatenate(([0], np.cumsum(counts)[:-1])), counts) + np.arange(int(counts.sum()))
    parents = list(range(len(starts)))

    def root(k: int) -> int:
        while parents[k] != k:
            parents[k] = parents[parents[k]]
            k = parents[k]
        return k

    for one, other in zip(upper.tolist(), lower.tolist(), strict=True):
        parents[root(one)] = root(other)
    roots = np.array([root(k) for k in parents], np.int64)
    labels = np.zeros(rows.size, np.int64)
    labels[rows.ravel() == 1] = np.repeat(roots, ends - starts)
    return labels.reshape(rows.shape)[:-1, 1:-1]
