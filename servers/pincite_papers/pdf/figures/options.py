"""Options: the pieces of paint that a caption could belong to, over it, under it and beside it."""

from dataclasses import dataclass

import numpy as np

from pincite_papers.model import Rect
from pincite_papers.pdf.figures.board import Board, Flags
from pincite_papers.pdf.figures.paint import Boxes

_EDGE = 3.0
"""Points by which a piece beside a caption may lie over the edge of the caption or of the next wall, and by which tops
or bottoms (or twice the middles) of a figure and a caption that stand level may differ. Set by judgement."""
_LEAST = 12.0
"""Points: paint whose box is narrower or lower is not a figure. A piece beside a caption shares a quarter of this
height with it, or of a lower caption's own. Set by judgement."""
_FAR = 60.0
"""Points without paint or labels between two pieces, one over the other: a wider room ends the figure. Raised from 34
to join the rows of tall figures."""
_FAR_LONE = 14.0
"""Points without paint or labels before a small piece, such as a logo: if wider, it is not of the figure. Set by
judgement."""
_FAR_ASIDE = 48.0
"""Points over and under a figure beside its caption: pieces nearer may be of it, others are not. Set by judgement."""
_SMALL = 3600.0
"""Square points: a piece is small if its box is smaller than this and than ``_SHARE`` of the largest. Set by
judgement."""
_SHARE = 0.3
"""The share of the box of the largest piece so far; see ``_SMALL``. Set by judgement."""
_ASIDE = 260.0
"""Points from a caption, to its right or left: paint at its height that is nearer may be its figure. Raised from 160
for figures beside captions (``test_a_short_caption_far_beside_its_figure_is_bound``)."""
_ROW = 64.0
"""Points to the right and left of a figure beside its caption: pieces nearer may be of it. Set by judgement."""
_UNDER = 10.0
"""A cost, in points of gap: how much nearer paint under a caption must be to count as much as paint over it. Set by
judgement."""
_BESIDE = 22.0
"""A cost, in points of gap, of paint beside a caption that is not level with it (``_EDGE``). Set by judgement."""
_LEVEL = 6.0
"""A cost, in points of gap, of paint beside a caption whose top, bottom or middle is level with it. Set by
judgement."""
_TEXT_COST = 25.0
"""A cost, in points of gap, of paint with a shape that is filled with running text. Set by judgement."""
_ROUNDS = 4
"""Count of rounds in which a figure grows by pieces near it. A bound, set by judgement."""
_MOST_STEPS = 5
"""Count of options over (or under) a caption: the whole stack of pieces and its largest parts. A bound, set by
judgement."""
_PART = 4.0
"""A cost, in points of gap, of each step from the whole of a figure to a smaller part of it; beside a caption half of
it counts. Set by judgement."""
_MANY_WEAK = 3
"""Count of weak pieces (lone rules, specks): fewer without another piece are not a figure. Set by judgement."""
_HULL = 15.0
"""Points by which a piece may reach out of the box or room of a figure that it is of, and a caption out of its column.
Raised from 12 to join the rows of tall figures."""
_LETTER = (3.0, 14.0)
"""Points between which the sides of a panel's drawn letter lie. Set by judgement."""
_LETTER_ROOM = 34.0
"""Points over a figure by which a drawn letter (sides between the two of ``_LETTER``, in points) may reach out of it,
other pieces by ``_HULL``. For drawn letters over top panels; set by judgement."""


@dataclass(frozen=True, slots=True)
class Option:
    """Pieces (indices), their box, the ``gap`` to the caption in points and the ``cost``: what speaks against it."""

    pieces: tuple[int, ...]
    box: Rect
    gap: float
    cost: float


def hull(boxes: Boxes) -> Rect:
    """The box around boxes."""
    x0, y0 = boxes[:, :2].min(0).tolist()
    x1, y1 = boxes[:, 2:].max(0).tolist()
    return Rect(x0, y0, x1, y1)


def options_of(board: Board, caption: Rect) -> list[Option]:
    """What a caption could belong to; shapes filled with running text only where little speaks for anything else."""
    found: dict[tuple[int, ...], Option] = {}
    for texts in (False, True) if board.texts.any() else (False,):
        for option in (
            *_vertical(board, caption, upward=True, texts=texts),
            *_vertical(board, caption, upward=False, texts=texts),
            *_side(board, caption, texts=texts, right=True),
            *_side(board, caption, texts=texts, right=False),
        ):
            if option.pieces not in found or option.cost < found[option.pieces].cost:
                found[option.pieces] = option
    if not found:
        wide = _column(board, caption)
        for upward in (True, False):
            for option in _vertical(board, caption, upward=upward, texts=False, wide=wide):
                found.setdefault(option.pieces, option)
    return list(found.values())


def _column(board: Board, caption: Rect) -> tuple[float, float]:
    """The edges of the column of running text that a short caption stands in, those of the caption where none does."""
    lines = [board.page.lines[k] for k in board.running.prose]
    around = [line for line in lines if line.x0 <= caption.x0 + _HULL and line.x1 >= caption.x1 - _HULL]
    return min([caption.x0, *[line.x0 for line in around]]), max([caption.x1, *[line.x1 for line in around]])


def _text_cost(board: Board, chosen: Flags) -> float:
    return _TEXT_COST if (chosen & board.texts).any() else 0.0


def _walls(board: Board, caption: Rect, *, texts: bool) -> Boxes:
    """What parts a caption from pieces; the caption itself is none."""
    own = np.array((caption.x0, caption.y0, caption.x1, caption.y1))
    walls = board.walls[~(np.abs(board.walls - own) < 0.01).all(1)]
    return walls if texts else np.concatenate((walls, board.pieces[board.texts]))


def _zone(
    walls: Boxes, caption: Rect, left: float, right: float, height: float, *, upward: bool
) -> tuple[float, float]:
    """From the nearest wall over a caption to the caption, or from the caption to the nearest wall under it."""
    shared = np.minimum(walls[:, 2], right) - np.maximum(walls[:, 0], left)
    meets = shared > np.minimum(0.2 * (right - left), 0.5 * (walls[:, 2] - walls[:, 0]))
    if upward:
        over = walls[meets & (walls[:, 3] <= caption.y0 + 1), 3]
        return (float(over.max()) if len(over) else 0.0), caption.y0
    under = walls[meets & (walls[:, 1] >= caption.y1 - 1), 1]
    return caption.y1, (float(under.min()) if len(under) else height)


def _vertical(
    board: Board, caption: Rect, *, upward: bool, texts: bool, wide: tuple[float, float] | None = None
) -> list[Option]:
    """The pieces between a caption and the nearest wall over (under) it, in the width of the caption and their own.

    ``wide`` are other edges to start from. The nearer ones alone are further options, at a higher cost.
    """
    walls = _walls(board, caption, texts=texts)
    usable = np.ones(len(board.pieces), np.bool_) if texts else ~board.texts
    left, right = wide or (caption.x0, caption.x1)
    steps: list[Flags] = []
    for _ in range(_ROUNDS):
        top, bottom = _zone(walls, caption, left, right, board.page.height, upward=upward)
        inside = usable & _within(board.pieces, left, right, top, bottom)
        if not (inside & ~board.weak).any():
            break
        steps = _near(board, inside, caption, upward=upward)
        box = hull(board.pieces[steps[-1]])
        wider = min(left, box.x0), max(right, box.x1)
        if wider == (left, right):
            break
        left, right = wider
    found: list[Option] = []
    for place, chosen in enumerate(reversed(steps[-_MOST_STEPS:])):
        option = _option(board, chosen, caption)
        if option is not None:
            between = (option.box.y1, caption.y0) if upward else (caption.y1, option.box.y0)
            gap = _room(_labels(board, caption), option.box, between)
            cost = gap + (0.0 if upward else _UNDER) + _text_cost(board, chosen) + _PART * place
            found.append(Option(option.pieces, option.box, gap, cost))
    return found


def _within(pieces: Boxes, left: float, right: float, top: float, bottom: float) -> Flags:
    """Which pieces stand in a zone, or lean over its edges a little, and share some of its width."""
    middle = (pieces[:, 1] + pieces[:, 3]) / 2
    shared = np.minimum(pieces[:, 2], right) - np.maximum(pieces[:, 0], left)
    enough = shared >= np.minimum(0.5 * (pieces[:, 2] - pieces[:, 0]), 0.3 * (right - left))
    lean = _HULL
    return (middle > top) & (middle < bottom) & (pieces[:, 1] > top - lean) & (pieces[:, 3] < bottom + lean) & enough


def _near(board: Board, inside: Flags, caption: Rect, *, upward: bool) -> list[Flags]:
    """Of the pieces in a zone those that follow each other from the caption on without much room between.

    Labels fill the room; a small piece alone, such as a logo, must stand nearer than a panel. The last of the sets is
    the whole, the others what stands before each gap.
    """
    numbers = np.flatnonzero(inside & ~board.weak)
    boxes = board.pieces[numbers]
    order = np.argsort(-boxes[:, 3] if upward else boxes[:, 1], kind="stable")
    edge = float(boxes[order[0], 3] if upward else boxes[order[0], 1])
    labels = _labels(board, caption)
    largest = 0.0
    kept = np.zeros(len(board.pieces), np.bool_)
    steps: list[Flags] = []
    for place in order.tolist():
        x0, y0, x1, y1 = boxes[place].tolist()
        room = edge - y1 if upward else y0 - edge
        if kept.any() and room > 0:
            step = kept.copy()
            room = _room(labels, hull(board.pieces[kept]), (y1, edge) if upward else (edge, y0))
            if room > _FAR:
                break
            if room > _FAR_LONE and (x1 - x0) * (y1 - y0) < min(_SMALL, _SHARE * largest):
                continue
            steps.append(step)
        kept[numbers[place]] = True
        largest = max(largest, (x1 - x0) * (y1 - y0))
        edge = min(edge, y0) if upward else max(edge, y1)
    steps = [step for step in [*steps, kept] if step.any()]
    return [step | (inside & _around(board.pieces, hull(board.pieces[step]))) for step in steps]


def _around(pieces: Boxes, box: Rect) -> Flags:
    """Which pieces stand in a box or at its edges; drawn letters may stand farther from it than rules."""
    wide, high = pieces[:, 2] - pieces[:, 0], pieces[:, 3] - pieces[:, 1]
    letter = (np.minimum(wide, high) > _LETTER[0]) & (np.maximum(wide, high) < _LETTER[1])
    reach = np.where(letter, _LETTER_ROOM, _HULL)
    inside = (pieces[:, 0] > box.x0 - _HULL) & (pieces[:, 2] < box.x1 + _HULL)
    return inside & (pieces[:, 1] > box.y0 - reach) & (pieces[:, 3] < box.y1 + _HULL)


def _labels(board: Board, caption: Rect) -> Boxes:
    """The boxes of the lines that can be labels."""
    running, lines = board.running, board.page.lines
    rows = [
        (lines[k].x0, lines[k].y0, lines[k].x1, lines[k].y1)
        for k in running.free
        if k not in running.prose and lines[k].x0 < caption.x1 + 300 and lines[k].x1 > caption.x0 - 300
    ]
    return np.array(rows, np.float64).reshape(-1, 4)


def _room(labels: Boxes, box: Rect, between: tuple[float, float]) -> float:
    """The widest room between two heights that no label over or under a box stands in."""
    low, high = between
    inside = (labels[:, 0] < box.x1) & (labels[:, 2] > box.x0) & (labels[:, 1] > low - 4) & (labels[:, 3] < high + 4)
    widest, reached = 0.0, low
    for y0, y1 in sorted(zip(labels[inside, 1].tolist(), labels[inside, 3].tolist(), strict=True)):
        widest = max(widest, y0 - reached)
        reached = max(reached, y1)
    return max(widest, high - reached)


def _side(board: Board, caption: Rect, *, texts: bool, right: bool) -> list[Option]:
    """The pieces to the right (left) of a caption, at its height, with no wall between; then those close to them."""
    walls = _walls(board, caption, texts=texts)
    p = board.pieces
    usable = ~board.weak if texts else ~board.weak & ~board.texts
    level = np.minimum(p[:, 3], caption.y1) - np.maximum(p[:, 1], caption.y0)
    gaps = p[:, 0] - caption.x1 if right else caption.x0 - p[:, 2]
    least = 0.25 * min(caption.y1 - caption.y0, _LEAST)
    seeds = usable & (level > least) & (gaps > -_EDGE) & (gaps < _ASIDE)
    if not seeds.any():
        return []
    own = walls[(walls[:, 3] > caption.y0 + 2) & (walls[:, 1] < caption.y1 - 2)]
    if _blocked(own, caption, hull(p[seeds]), right=right):
        return []
    within = seeds | (usable & _reachable(p, own, caption, hull(p[seeds]), board.page.width, right=right))
    first = _grow(seeds, within, walls, p, high=2.0)
    found: list[Option] = []
    for place, chosen in enumerate((_grow(first, within, walls, p, high=_FAR_ASIDE), first)):
        option = _option(board, chosen, caption)
        if option is None or option.box.y1 - option.box.y0 < caption.y1 - caption.y0 - 30:
            continue
        box = option.box
        gap = max(box.x0 - caption.x1 if right else caption.x0 - box.x1, 0.0)
        off = min(abs(box.y0 - caption.y0), abs(box.y1 - caption.y1), abs(box.y0 + box.y1 - caption.y0 - caption.y1))
        cost = 0.5 * (gap + _PART * place) + (_BESIDE if off > _EDGE else _LEVEL) + _text_cost(board, chosen)
        found.append(Option(option.pieces, box, gap, cost))
    return found


def _blocked(walls: Boxes, caption: Rect, box: Rect, *, right: bool) -> bool:
    """Whether a wall at the height of a caption stands between it and a box beside it."""
    if right:
        return bool(((walls[:, 0] >= caption.x1 - 2) & (walls[:, 0] < box.x0 + 2)).any())
    return bool(((walls[:, 2] <= caption.x0 + 2) & (walls[:, 2] > box.x1 - 2)).any())


def _reachable(pieces: Boxes, walls: Boxes, caption: Rect, box: Rect, width: float, *, right: bool) -> Flags:
    """Which pieces stand on the side of a box beside a caption, before the next wall beyond that box."""
    if right:
        limit = min([width, *walls[walls[:, 0] >= box.x1 - 2, 0].tolist()])
        return (pieces[:, 0] > caption.x1 - _EDGE) & (pieces[:, 2] <= limit + _EDGE)
    limit = max([0.0, *walls[walls[:, 2] <= box.x0 + 2, 2].tolist()])
    return (pieces[:, 2] < caption.x0 + _EDGE) & (pieces[:, 0] >= limit - _EDGE)


def _grow(seeds: Flags, within: Flags, walls: Boxes, pieces: Boxes, *, high: float) -> Flags:
    """The seeds with the pieces next to them, in their row or up to ``high`` points over or under them."""
    for _ in range(_ROUNDS):
        box = hull(pieces[seeds])
        near = (pieces[:, 0] < box.x1 + _ROW) & (pieces[:, 2] > box.x0 - _ROW)
        near &= (pieces[:, 1] < box.y1 + high) & (pieces[:, 3] > box.y0 - high)
        more = seeds | (within & near & _open(walls, pieces, box))
        if (more == seeds).all():
            break
        seeds = more
    return seeds


def _open(walls: Boxes, pieces: Boxes, box: Rect) -> Flags:
    """Which pieces have no wall between them and a box, over or under it."""
    if not len(walls):
        return np.ones(len(pieces), np.bool_)
    low = np.minimum(pieces[:, 3], box.y1)[:, None] - 2
    high = np.maximum(pieces[:, 1], box.y0)[:, None] + 2
    between = (walls[None, :, 1] > low) & (walls[None, :, 3] < high)
    beside = (walls[None, :, 0] < np.maximum(pieces[:, 2], box.x1)[:, None]) & (
        walls[None, :, 2] > np.minimum(pieces[:, 0], box.x0)[:, None]
    )
    return np.asarray(~(between & beside).any(1), np.bool_)


def _option(board: Board, chosen: Flags, caption: Rect) -> Option | None:
    strong = chosen & ~board.weak
    if not strong.any() and np.count_nonzero(chosen) < _MANY_WEAK:
        return None
    box = hull(board.pieces[chosen])
    if box.y1 - box.y0 < _LEAST or box.x1 - box.x0 < _LEAST:
        return None
    gap = max(caption.y0 - box.y1, box.y0 - caption.y1, 0.0)
    return Option(tuple(np.flatnonzero(chosen).tolist()), box, gap, gap)
