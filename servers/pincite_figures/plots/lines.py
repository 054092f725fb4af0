"""Lines: drawn curves put together from the paths, pieces and dashes that they are drawn in."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np

from pincite_figures.plots.marks import Mark
from pincite_figures.plots.paths import Color, Points, clip_runs
from pincite_papers.model import Rect

_JOINT = 0.35
"""Points along x and y: pieces that end and start nearer than this are one line. Set by judgement."""
_LONGEST_DASH = 18.0
"""Points along x or y: a piece that joins no other and is no longer may be a dash; a longer one is a line. Set by
judgement."""
_LEAST_DASHES = 6
"""Count: fewer short pieces that run on in one direction are not a dashed line. Set by judgement."""
_MOST_ALIKE = 24
"""Count of curves of one style: more are given as one series, with a note that says so. Set by judgement."""
_REACH = 16.0
"""Points: the side of the cells in which the mark beyond the end of a line is looked for, with those around: as large
as the largest drawn mark (``marks._LARGEST``). For lines that stop at their markers, as Origin draws."""
_MOST_NEAR = 32
"""Count of marks of one cell that are asked. A bound on cost, set by judgement."""

Style = tuple[Color, float, tuple[float, ...]]
"""Colour, width and dashes."""


@dataclass(slots=True, eq=False)
class Piece:
    """A drawn polyline: its nodes, style, the shape it comes from and what the page shows of it."""

    points: Points
    style: Style
    shape: int
    clip: Rect
    curved: bool = False
    closed: bool = False


@dataclass(slots=True, eq=False)
class Curve:
    """A curve: its pieces in the area, parted where it is interrupted."""

    style: Style
    runs: list[Points]
    order: int
    notes: list[str] = field(default_factory=list[str])
    curved: bool = False
    closed: bool = False


def join_pieces(pieces: Sequence[Piece]) -> tuple[list[Curve], list[Piece]]:
    """Curves, in the order of drawing, and the straight level or upright strokes that belong to none."""
    styles: dict[Style, list[Piece]] = {}
    for piece in pieces:
        styles.setdefault(piece.style, []).append(piece)
    curves: list[Curve] = []
    strokes: list[Piece] = []
    for style, own in styles.items():
        chains = _link(_chain(own))
        short = [len(chain) == 1 and _extent(chain[0].points) <= _LONGEST_DASH for chain in chains]
        if sum(short) >= _LEAST_DASHES:
            dashes = [chain for chain, is_short in zip(chains, short, strict=True) if is_short]
            others = [chain for chain, is_short in zip(chains, short, strict=True) if not is_short]
            lines, rest = _join_dashes([chain[0] for chain in dashes])
            curves += [_curve(style, line, [f"drawn as {len(line)} dashes"]) for line in lines]
            chains = others + [[piece] for piece in rest]
        loose = [chain[0] for chain in chains if len(chain) == 1 and _is_stroke(chain[0])]
        strokes += loose
        lone = {id(piece) for piece in loose}
        curves += _gather(style, [chain for chain in chains if id(chain[0]) not in lone])
    kept = [curve for curve in curves if curve.runs]
    return sorted(kept, key=lambda curve: curve.order), strokes


def snap_pieces(pieces: Sequence[Piece], marks: Sequence[Mark]) -> list[Piece]:
    """Straight pieces that stop short of the marks between which they are drawn, extended to the marks' centres."""
    if not marks:
        return list(pieces)
    cells: dict[tuple[int, int], list[Mark]] = {}
    for mark in marks:
        cells.setdefault((int(mark.x / _REACH), int(mark.y / _REACH)), []).append(mark)
    snapped: list[Piece] = []
    for piece in pieces:
        ends = [_mark_beyond(piece.points, end, cells) for end in (0, 1)] if len(piece.points) == 2 else [None, None]
        if ends[0] is None or ends[1] is None or ends[0] is ends[1]:
            snapped.append(piece)
        else:
            points = np.array([(mark.x, mark.y) for mark in ends if mark is not None])
            snapped.append(Piece(points, piece.style, piece.shape, piece.clip))
    return snapped


def _mark_beyond(points: Points, end: int, cells: dict[tuple[int, int], list[Mark]]) -> Mark | None:
    """The mark that the line through two points meets at most a mark's size beyond one of them."""
    here, other = points[end], points[1 - end]
    length = float(np.hypot(*(here - other)))
    if length < 0.5:
        return None
    along = (here - other) / length
    x, y = int(here[0] / _REACH), int(here[1] / _REACH)
    for mark in (m for i in (-1, 0, 1) for j in (-1, 0, 1) for m in cells.get((x + i, y + j), [])[:_MOST_NEAR]):
        step = np.array((mark.x, mark.y)) - here
        beyond, aside = float(step @ along), abs(float(step[0] * along[1] - step[1] * along[0]))
        if -0.5 <= beyond <= mark.look.size + 1.0 and aside <= 0.5 + 0.1 * mark.look.size:
            return mark
    return None


def _chain(pieces: Sequence[Piece]) -> list[list[Piece]]:
    """Pieces that follow each other in the stream and end where the next begins."""
    chains: list[list[Piece]] = []
    for piece in pieces:
        last = chains[-1][-1] if chains else None
        if last is not None and not last.closed and np.abs(last.points[-1] - piece.points[0]).max() <= _JOINT:
            chains[-1].append(piece)
        else:
            chains.append([piece])
    return chains


def _link(chains: list[list[Piece]]) -> list[list[Piece]]:
    """Chains drawn out of order put together: each to the first later one that starts where it ends."""
    if not 1 < len(chains) <= 50_000:
        return chains
    starts: dict[tuple[int, int], list[int]] = {}
    for k, chain in enumerate(chains):
        starts.setdefault(_cell(chain[0].points[0]), []).append(k)
    linked: list[list[Piece]] = []
    used = [False] * len(chains)
    follow = {k: _next(chains, k, starts) for k in range(len(chains))}
    heads = set(range(len(chains))) - {k for k in follow.values() if k is not None}
    for k in [*sorted(heads), *range(len(chains))]:
        whole: list[Piece] = []
        at: int | None = k
        while at is not None and not used[at]:
            used[at] = True
            whole += chains[at]
            at = follow[at]
        if whole:
            linked.append(whole)
    return linked


def _next(chains: list[list[Piece]], k: int, starts: dict[tuple[int, int], list[int]]) -> int | None:
    """The only chain that starts where chain ``k`` ends."""
    if chains[k][-1].closed:
        return None
    end = chains[k][-1].points[-1]
    x, y = _cell(end)
    found = [
        other
        for i in (-1, 0, 1)
        for j in (-1, 0, 1)
        for other in starts.get((x + i, y + j), [])[:4]
        if other != k and not chains[other][0].closed and np.abs(chains[other][0].points[0] - end).max() <= _JOINT
    ]
    return found[0] if len(found) == 1 else None


def _cell(point: Points) -> tuple[int, int]:
    return int(point[0] / _JOINT), int(point[1] / _JOINT)


def _join_dashes(pieces: list[Piece]) -> tuple[list[list[Piece]], list[Piece]]:
    """Lines of at least six dashes that run on in each other's direction, and the pieces that make none."""
    lines: list[list[Piece]] = []
    current: list[Piece] = []
    for piece in pieces:
        if current and not _runs_on(current[-1].points, piece.points):
            lines.append(current)
            current = []
        current.append(piece)
    lines.append(current)
    rest = [piece for line in lines if len(line) < _LEAST_DASHES for piece in line]
    return [line for line in lines if len(line) >= _LEAST_DASHES], rest


def _runs_on(before: Points, after: Points) -> bool:
    """Whether the second dash continues the first over a gap no longer than three dashes."""
    step = after[0] - before[-1]
    gap = float(np.hypot(*step))
    length = max(_extent(before), _extent(after), 1.0)
    if gap <= _JOINT:
        return True
    if gap > 3 * length + 2:
        return False
    directions = before[-1] - before[0], step, after[-1] - after[0]
    return all(_cosine(one, other) > 0.6 for one, other in pairwise(directions))


def _cosine(one: Points, other: Points) -> float:
    size = float(np.hypot(*one) * np.hypot(*other))
    return float(one @ other) / size if size else 1.0


def _extent(points: Points) -> float:
    return float(np.ptp(points, axis=0).max())


def _is_stroke(piece: Piece) -> bool:
    """Whether a piece is one level or upright straight line."""
    return len(piece.points) == 2 and bool(np.ptp(piece.points, axis=0).min() <= 0.3)


def _gather(style: Style, chains: list[list[Piece]]) -> list[Curve]:
    """A curve for each chain; the parts of one path are one curve, and so are very many chains of one style."""
    groups: dict[int, list[list[Piece]]] = {}
    for chain in chains:
        groups.setdefault(chain[0].shape, []).append(chain)
    curves: list[Curve] = []
    for group in groups.values():
        curve = _curve(style, group[0], [])
        for chain in group[1:]:
            curve.runs += _curve(style, chain, []).runs
        curves.append(curve)
    if len(curves) <= _MOST_ALIKE:
        return curves
    whole = curves[0]
    for curve in curves[1:]:
        whole.runs += curve.runs
    whole.notes.append(f"{len(curves)} separate lines of one style")
    return [whole]


def _curve(style: Style, chain: Sequence[Piece], notes: list[str]) -> Curve:
    """The nodes of a chain in its clip box; joints counted once."""
    nodes = [chain[0].points]
    for before, piece in pairwise(chain):
        joint = np.abs(before.points[-1] - piece.points[0]).max() <= _JOINT
        nodes.append(piece.points[1:] if joint else piece.points)
    points = np.concatenate(nodes)
    if chain[-1].closed and len(points) > 2 and np.abs(points[0] - points[-1]).max() > 1e-6:
        points = np.concatenate((points, points[:1]))
    runs = [run for run in clip_runs(points, chain[0].clip) if len(run) >= 2]
    curved = any(piece.curved for piece in chain)
    return Curve(style, runs, chain[0].shape, notes, curved, chain[-1].closed)
