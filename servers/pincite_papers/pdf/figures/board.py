"""Board: a page as the search for figures sees it: pieces of paint, captions, and what parts them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from pincite_papers.model import Rect
from pincite_papers.pdf.captions import CaptionDraft
from pincite_papers.pdf.elements import Line, PageLayout
from pincite_papers.pdf.figures.paint import Boxes, Paint
from pincite_papers.pdf.figures.running import Running

_WEAK_SIDE = 20.0
"""Points: a piece whose longer side is shorter makes no figure by itself (a speck), a larger one may. Set by
judgement."""
_FLAT = 3.0
"""Points: a piece of one or two shapes whose shorter side is shorter is a lone rule and makes no figure by itself. Set
by judgement."""
_TEXT_SHARE = 0.25
"""The share of a piece that the lines of running text in it cover: above it, with ``_TEXT_LINES``, the piece is a box
of text, else a picture with labels. Set by judgement."""
_TEXT_LINES = 2
"""Count of lines of running text in a piece: with fewer it is not a box of text. Set by judgement."""

Flags = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Board:
    """The m ``pieces`` of a page with their marks, and the ``walls``: boxes that no figure runs over.

    ``weak`` pieces (a lone rule, a speck) make no figure by themselves; ``texts`` are shapes filled with running text,
    ``boxed`` the prose lines (indices) in any piece.
    """

    page: PageLayout
    running: Running
    paint: Paint
    captions: tuple[Rect, ...]
    weak: Flags
    texts: Flags
    walls: Boxes
    boxed: frozenset[int]

    @property
    def pieces(self) -> Boxes:
        """The boxes of the pieces."""
        return self.paint.pieces


def make_board(
    page: PageLayout, running: Running, paint: Paint, captions: Sequence[CaptionDraft], tables: Sequence[Rect]
) -> Board:
    """The board of a page; ``captions`` are all those that run level on it."""
    pieces = paint.pieces
    wide, high = pieces[:, 2] - pieces[:, 0], pieces[:, 3] - pieces[:, 1]
    counts = np.bincount(paint.owners, minlength=len(pieces)) if len(pieces) else np.empty(0, np.int64)
    weak = (np.maximum(wide, high) < _WEAK_SIDE) | ((counts <= 2) & (np.minimum(wide, high) < _FLAT))
    prose = sorted(running.prose)
    lines = _boxes_of([page.lines[k] for k in prose])
    inside = _centres_in(lines, pieces)
    pictured = _centres_in(lines, paint.boxes[paint.kinds == 2])
    filled = (inside * ((lines[:, 2] - lines[:, 0]) * (lines[:, 3] - lines[:, 1]))[:, None]).sum(0)
    texts = (inside.sum(0) >= _TEXT_LINES) & (filled > _TEXT_SHARE * np.maximum(wide * high, 1.0))
    held = np.asarray(inside.any(1) | pictured.any(1), np.bool_)
    boxes = [caption.bbox for caption in captions]
    walls = [lines[~held], paint.separators, _boxes_of(boxes), _boxes_of(tables)]
    boxed = frozenset(prose[k] for k in np.flatnonzero(held).tolist())
    return Board(page, running, paint, tuple(boxes), weak, texts, np.concatenate(walls), boxed)


def _boxes_of(parts: Sequence[Line | Rect]) -> Boxes:
    rows = [(r.x0, r.y0, r.x1, r.y1) for r in parts]
    return np.array(rows, np.float64).reshape(-1, 4)


def _centres_in(boxes: Boxes, frames: Boxes) -> Flags:
    """Bool (n, m): whether the middle of each box stands in each frame."""
    x, y = (boxes[:, 0] + boxes[:, 2]) / 2, (boxes[:, 1] + boxes[:, 3]) / 2
    return (
        (x[:, None] >= frames[None, :, 0])
        & (x[:, None] <= frames[None, :, 2])
        & (y[:, None] >= frames[None, :, 1])
        & (y[:, None] <= frames[None, :, 3])
    )
