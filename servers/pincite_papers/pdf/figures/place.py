"""Place: which pieces of paint belong to which caption of a page."""

from collections.abc import Sequence

import numpy as np

from pincite_papers.model import Rect
from pincite_papers.pdf.figures.board import Board
from pincite_papers.pdf.figures.options import Option, hull, options_of

_NOTHING = 400.0
"""A cost, in points of gap, of a caption without a figure: paint that costs more is not taken. Set by judgement."""
_MOST_TOGETHER = 6
"""Count of captions of a page: for more, the cheapest option is taken first instead of the cheapest of all
combinations. A bound on cost, set by judgement."""
_ROW_GAP = 50.0
"""Points: a piece of no caption that stands nearer beside a figure is of its row. Set by judgement."""
_CONTESTED = 30.0
"""A cost, in points of gap, each time the options of two captions have a piece in common. Set by judgement."""


def place_figures(board: Board, wanted: Sequence[int]) -> dict[int, Rect]:
    """The box of the pieces of each caption of ``wanted`` (indices into the board's captions) that has some."""
    chosen = _choose({k: options_of(board, board.captions[k]) for k in wanted})
    owned = _share(board, chosen)
    _add_rows(board, owned, wanted)
    return {k: hull(board.pieces[sorted(pieces)]) for k, pieces in owned.items() if pieces}


def _choose(options: dict[int, list[Option]]) -> dict[int, Option]:
    """One option a caption at the least cost: no two captions have the same nearest pieces; none costs much."""
    keys = sorted(options)
    if len(keys) > _MOST_TOGETHER:
        return _greedy(options)
    best: tuple[float, dict[int, Option]] = (np.inf, {})

    def search(place: int, cost: float, taken: dict[int, Option]) -> None:
        nonlocal best
        if cost >= best[0]:
            return
        if place == len(keys):
            best = (cost, dict(taken))
            return
        for option in options[keys[place]]:
            if not any(_same(option, other) for other in taken.values()):
                more = _CONTESTED * sum(not set(option.pieces).isdisjoint(other.pieces) for other in taken.values())
                taken[keys[place]] = option
                search(place + 1, cost + option.cost + more, taken)
                del taken[keys[place]]
        search(place + 1, cost + _NOTHING, taken)

    search(0, 0.0, {})
    return best[1]


def _greedy(options: dict[int, list[Option]]) -> dict[int, Option]:
    """The same for many captions: the cheapest first."""
    pairs = sorted(((o.cost, k, n) for k, found in options.items() for n, o in enumerate(found)))
    chosen: dict[int, Option] = {}
    for _, k, n in pairs:
        option = options[k][n]
        if k not in chosen and not any(_same(option, other) for other in chosen.values()):
            chosen[k] = option
    return chosen


def _same(one: Option, other: Option) -> bool:
    """Whether two options are of the same pieces."""
    return set(one.pieces) == set(other.pieces)


def _share(board: Board, chosen: dict[int, Option]) -> dict[int, set[int]]:
    """The pieces of each caption; what several have chosen goes to the one that has no other, else to the nearest."""
    owned: dict[int, set[int]] = {k: set() for k in chosen}
    claims: dict[int, list[int]] = {}
    for k, option in chosen.items():
        for piece in option.pieces:
            claims.setdefault(piece, []).append(k)
    shared = {k: all(len(claims[piece]) > 1 for piece in option.pieces) for k, option in chosen.items()}
    for piece, keys in claims.items():
        needy = [k for k in keys if shared[k]] or keys
        owned[min(needy, key=lambda k: _distance(board, piece, k))].add(piece)
    return owned


def _distance(board: Board, piece: int, key: int) -> tuple[float, float]:
    x0, y0, x1, y1 = board.pieces[piece].tolist()
    caption = board.captions[key]
    aside = max(caption.x0 - (x0 + x1) / 2, (x0 + x1) / 2 - caption.x1, 0.0)
    apart = max(caption.y0 - y1, y0 - caption.y1, 0.0)
    return aside, apart


def _add_rows(board: Board, owned: dict[int, set[int]], wanted: Sequence[int]) -> None:
    """Give pieces that no caption has to the figure in whose row they stand, when no wall is between."""
    free = ~board.weak & ~board.texts
    for pieces in owned.values():
        free[sorted(pieces)] = False
    for key in sorted(owned):
        if not owned[key]:
            continue
        for _ in range(3):
            box = hull(board.pieces[sorted(owned[key])])
            near = [n for n in np.flatnonzero(free).tolist() if _in_row(board, n, box, key, wanted)]
            if not near:
                break
            owned[key] |= set(near)
            free[near] = False


def _in_row(board: Board, piece: int, box: Rect, key: int, wanted: Sequence[int]) -> bool:
    x0, y0, x1, y1 = board.pieces[piece].tolist()
    level = min(y1, box.y1) - max(y0, box.y0)
    aside = max(x0 - box.x1, box.x0 - x1)
    if level < 0.6 * (y1 - y0) or not -2 < aside < _ROW_GAP:
        return False
    grown = Rect(min(x0, box.x0), min(y0, box.y0), max(x1, box.x1), max(y1, box.y1))
    walls = board.walls
    over = (walls[:, 0] < grown.x1 - 2) & (walls[:, 2] > grown.x0 + 2)
    over &= (walls[:, 1] < grown.y1 - 2) & (walls[:, 3] > grown.y0 + 2)
    if over.any():
        return False
    return not any(
        k != key and board.captions[k].x0 < x1 and board.captions[k].x1 > x0 and abs(board.captions[k].y0 - y1) < 40
        for k in wanted
    )
