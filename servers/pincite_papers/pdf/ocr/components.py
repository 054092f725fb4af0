"""Components: the connected pieces of ink of a picture, found run by run."""

import numpy as np
import numpy.typing as npt

from pincite_papers.pdf.ocr.raster import Ink

_MOST_RUNS = 200_000
"""A page of print has about 30,000 runs at 100 dots an inch; a screened photograph has more than this."""

Boxes = npt.NDArray[np.int32]
"""Int32 (n, 4): x0, y0, x1, y1 in pixels, the ends exclusive."""


def component_boxes(ink: Ink) -> Boxes:
    """The boxes of the connected pieces of ink (edges and corners touch); none for a picture of mere noise."""
    edges = np.diff(ink.astype(np.int8), axis=1, prepend=0, append=0)
    starts, ends = np.argwhere(edges == 1), np.argwhere(edges == -1)
    n = len(starts)
    if not n or n > _MOST_RUNS:
        return np.zeros((0, 4), np.int32)
    rows, left, right = starts[:, 0], starts[:, 1], ends[:, 1]
    owner = _joined(n, _touching(rows, left, right, ink.shape[1]))
    boxes = np.empty((n, 4), np.int32)
    boxes[:, :2] = np.iinfo(np.int32).max
    boxes[:, 2:] = -1
    np.minimum.at(boxes[:, 0], owner, left)
    np.minimum.at(boxes[:, 1], owner, rows)
    np.maximum.at(boxes[:, 2], owner, right)
    np.maximum.at(boxes[:, 3], owner, rows + 1)
    return boxes[np.unique(owner)]


def _touching(
    rows: npt.NDArray[np.int64], left: npt.NDArray[np.int64], right: npt.NDArray[np.int64], width: int
) -> npt.NDArray[np.int64]:
    """Pairs (run, run of the row above) that touch, int64 (m, 2)."""
    pitch = width + 2
    begins, finishes = rows * pitch + left, rows * pitch + right
    above = (rows - 1) * pitch
    first = np.searchsorted(finishes, above + left, side="left")
    last = np.searchsorted(begins, above + right, side="right")
    counts = np.maximum(last - first, 0)
    run = np.repeat(np.arange(len(rows)), counts)
    offsets = np.arange(int(counts.sum())) - np.repeat(np.cumsum(counts) - counts, counts)
    pairs = np.column_stack((run, np.repeat(first, counts) + offsets))
    return pairs[rows[pairs[:, 1]] == rows[pairs[:, 0]] - 1]


def _joined(count: int, pairs: npt.NDArray[np.int64]) -> npt.NDArray[np.int64]:
    """For each run the least run of its component: the least number is spread over the pairs until nothing changes."""
    owner = np.arange(count)
    one, other = pairs[:, 0], pairs[:, 1]
    while True:
        least = np.minimum(owner[one], owner[other])
        before = owner.copy()
        np.minimum.at(owner, owner[one], least)
        np.minimum.at(owner, owner[other], least)
        np.minimum.at(owner, one, least)
        np.minimum.at(owner, other, least)
        owner = owner[owner]
        if np.array_equal(owner, before):
            return owner
