"""Labels: the print that belongs to a figure, inside its paint and close around it."""

import re
from collections.abc import Collection, Sequence

from pincite_papers.model import Rect
from pincite_papers.pdf.elements import Line
from pincite_papers.pdf.figures.board import Board
from pincite_papers.pdf.figures.running import Running

_REACH = 14.0
"""Points, sideways and up or down: print no further from a figure may be its label. Set by judgement."""
_ROUNDS = 3
"""Count of rounds in which labels found near a figure lead to further ones. A bound, set by judgement."""
_LETTER = re.compile(r"^\(?[A-Za-z]\)?[.:]?$|^\([a-z]\)\s")
_MATHS = re.compile(r"math|cm[mse][iyx]\d|symbol|mt(?:mi|sy|ex)|stix|rsfs|msbm", re.IGNORECASE)
_BLOCK_GAP = 1.3
"""In type sizes of the line: a wider gap to the line before ends a figure that is print alone. Set by judgement."""
_ASIDE = 140.0
"""Points from a caption, to its right or left: print at its height that is nearer may be its figure. Set by
judgement."""


def enclose(box: Rect, lines: Sequence[Line]) -> Rect:
    """The box around a box and lines."""
    return Rect(
        min([box.x0, *[line.x0 for line in lines]]),
        min([box.y0, *[line.y0 for line in lines]]),
        max([box.x1, *[line.x1 for line in lines]]),
        max([box.y1, *[line.y1 for line in lines]]),
    )


def labels_in(board: Board, box: Rect, taken: Collection[int] = ()) -> list[int]:
    """The lines printed in a figure: those over its paint, then those near it that are set unlike running text."""
    lines, running = board.page.lines, board.running
    usable = [k for k in running.free if (k not in running.prose or k in board.boxed) and k not in taken]
    inside = [k for k in usable if _covers(box, lines[k])]
    chosen = set(inside)
    fonts = {lines[k].style.font for k in inside}
    around_free = [
        k for k in usable if k not in chosen and k not in running.prose and _can_label(lines[k], running, fonts)
    ]
    around = box
    for _ in range(_ROUNDS):
        around = enclose(around, [lines[k] for k in inside])
        near = [k for k in around_free if _near(around, lines[k]) and not _hits(around, lines[k], board.captions)]
        if not near:
            break
        inside += near
        gone = set(near)
        around_free = [k for k in around_free if k not in gone]
    return sorted(inside)


def _can_label(line: Line, running: Running, fonts: Collection[str]) -> bool:
    """Whether a line near a figure can be of it: a letter alone, or print unlike the text and unlike a formula."""
    if line.style.font in fonts and line.style.font != running.font:
        return True
    formula = _MATHS.search(line.style.font) and line.style.size > 0.6 * running.size
    return not formula and (bool(_LETTER.match(line.text)) or not running.like_text(line))


def print_figure(board: Board, key: int, taken: Collection[int]) -> tuple[Rect, list[int]] | None:
    """A figure that is print alone: the lines right over a caption, else under or beside it, set unlike the text."""
    caption = board.captions[key]
    lines, running = board.page.lines, board.running
    usable = [k for k in running.free if k not in taken and not lines[k].rotation]
    across = [k for k in usable if lines[k].x0 < caption.x1 and lines[k].x1 > caption.x0]
    for upward in (True, False):
        edge = caption.y0 if upward else caption.y1
        found: list[int] = []
        order = sorted(across, key=lambda k: -lines[k].y1 if upward else lines[k].y0)
        for k in order:
            line = lines[k]
            beyond = line.y1 > caption.y0 + 1 if upward else line.y0 < caption.y1 - 1
            if beyond:
                continue
            gap = edge - line.y1 if upward else line.y0 - edge
            limit = _BLOCK_GAP * line.style.size if found else 2.5 * line.style.size
            if gap > limit or running.like_text(line) or _wide_prose(board, k):
                break
            found.append(k)
            edge = line.y0 if upward else line.y1
        if found:
            first = lines[found[0]]
            return enclose(Rect(first.x0, first.y0, first.x1, first.y1), [lines[k] for k in found]), sorted(found)
    return _print_beside(board, caption, usable)


def _print_beside(board: Board, caption: Rect, usable: Sequence[int]) -> tuple[Rect, list[int]] | None:
    """The block of lines at the height of a caption, to its right or left, that is set unlike the text."""
    lines = board.page.lines
    free = [k for k in usable if not board.running.like_text(lines[k]) and not _wide_prose(board, k)]
    for right in (True, False):
        found = [
            k
            for k in free
            if lines[k].y0 < caption.y1
            and lines[k].y1 > caption.y0
            and 0 <= (lines[k].x0 - caption.x1 if right else caption.x0 - lines[k].x1) < _ASIDE
        ]
        if not found:
            continue
        first = lines[found[0]]
        box = enclose(Rect(first.x0, first.y0, first.x1, first.y1), [lines[k] for k in found])
        for k in sorted(set(free) - set(found), key=lambda k: lines[k].y0):
            line = lines[k]
            if line.x0 >= box.x0 - 3 and line.x1 <= box.x1 + 60 and _near(box, line):
                found.append(k)
                box = enclose(box, [line])
        return box, sorted(found)
    return None


def _wide_prose(board: Board, k: int) -> bool:
    line = board.page.lines[k]
    return k in board.running.prose and abs(line.style.size - board.running.size) < 0.02 * board.running.size


def _covers(box: Rect, line: Line) -> bool:
    x, y = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2
    return box.x0 - 1 <= x <= box.x1 + 1 and box.y0 - 1 <= y <= box.y1 + 1


def _near(box: Rect, line: Line) -> bool:
    aside = max(box.x0 - line.x1, line.x0 - box.x1, 0.0)
    apart = max(box.y0 - line.y1, line.y0 - box.y1, 0.0)
    return aside <= _REACH and apart <= _REACH


def _hits(box: Rect, line: Line, captions: Sequence[Rect]) -> bool:
    """Whether taking a line in would make the figure run over a caption."""
    grown = enclose(box, [line])
    return any(
        min(grown.x1, c.x1) - max(grown.x0, c.x0) > 1 and min(grown.y1, c.y1) - max(grown.y0, c.y0) > 1
        for c in captions
    )
