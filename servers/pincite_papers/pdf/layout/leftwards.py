"""Leftward print: pages of Hebrew or Arabic seen in a mirror, and runs of the other direction within a line."""

from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pincite_papers.model import Rect
from pincite_papers.pdf.elements import Rule
from pincite_papers.pdf.glyphs import Glyphs
from pincite_papers.pdf.layout.drawings import Drawings
from pincite_papers.pdf.scriptcodes import is_leftwards

_SWAPPED = str.maketrans("()[]{}«»<>", ")(][}{»«><")
_LONE = 100_000
"""Weight of a bracket without a partner against one glyph inside a pair: larger than any line is long, so that
partners decide first."""
_OPENING = frozenset("([{«")
_CLOSING = frozenset(")]}»")


def mirror(glyphs: Glyphs, found: Drawings, width: float) -> None:
    """See a page in a mirror, in place, so that its lines start at the left and its first column stands there."""
    boxes = glyphs.boxes
    printed = glyphs.runs >= 0
    boxes[printed, 0], boxes[printed, 2] = width - boxes[printed, 2], width - boxes[printed, 0]
    for run in glyphs.objects:
        run.x = width - run.x
    found.images = [Rect(width - r.x1, r.y0, width - r.x0, r.y1) for r in found.images]
    found.drawings = [Rect(width - r.x1, r.y0, width - r.x0, r.y1) for r in found.drawings]
    found.rules = [Rule(r.horizontal, width - r.x1, r.y0, width - r.x0, r.y1, r.width) for r in found.rules]


def turn_opposite_runs(
    codes: npt.NDArray[np.uint32],
    x0: npt.NDArray[np.float32],
    x1: npt.NDArray[np.float32],
    gap: npt.NDArray[np.int8],
    base: npt.NDArray[np.float32],
    *,
    mirrored: bool,
) -> None:
    """Let runs that read against the direction of the page run with it, in place: each is mirrored about its middle.

    Arrays of the printed glyphs in logical order; ``gap`` 1 stands where PDFium breaks the line.
    """
    if not len(codes):
        return
    strong = _directions(codes)
    breaks = np.flatnonzero((gap == 1) | np.concatenate(([True], np.abs(np.diff(base)) > 3))).tolist()
    for start, end in zip(breaks, [*breaks[1:], len(codes)], strict=True):
        for a, b in _runs(strong[start:end].tolist(), 1 if mirrored else 2):
            part = slice(start + a, start + b)
            _reflect(x0, x1, part)
            if not mirrored:
                for c, d in _runs(strong[part].tolist(), 3):
                    _reflect(x0, x1, slice(part.start + c, part.start + d))


def logical_order(
    codes: npt.NDArray[np.uint32], x0: npt.NDArray[np.float32], gap: npt.NDArray[np.int8]
) -> npt.NDArray[np.int64] | None:
    """The order in which printed glyphs read where leftward words stand in a rightward line; None where it is theirs.

    PDFium turns each such word, and leaves the words in the order of their places. Sets the ``gap`` of moved words.
    """
    strong = _directions(codes)
    order = np.arange(len(codes))
    breaks = np.flatnonzero(gap == 1).tolist()
    for start, end in zip([0, *breaks], [*breaks, len(codes)], strict=True):
        for a, b in _runs(strong[start:end].tolist(), 2):
            first, last = start + a, start + b
            cuts = [first, *(first + 1 + np.flatnonzero(gap[first + 1 : last] == 2)).tolist(), last]
            words = list(pairwise(cuts))
            if len(words) < 2 or x0[words[1][0]] < x0[words[0][0]]:
                continue
            before = int(gap[first])
            moved = [k for c, d in reversed(words) for k in range(c, d)]
            gap[first:last] = 0
            order[first:last] = moved
            at = first
            for c, d in reversed(words):
                gap[at] = before if at == first else 2
                at += d - c
    return None if (order[1:] > order[:-1]).all() else order


def _directions(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.int8]:
    """1 for letters that run rightwards, 2 for those that run leftwards, 3 for digits, 0 for what follows others."""
    strong = np.zeros(len(codes), np.int8)
    strong[((codes | 0x20) >= 0x61) & ((codes | 0x20) <= 0x7A) | ((codes >= 0xC0) & (codes < 0x590))] = 1
    strong[((codes >= 0x30) & (codes <= 0x39)) | ((codes >= 0x660) & (codes <= 0x669))] = 3
    leftwards = is_leftwards(codes) & (strong != 3)
    strong[leftwards] = 2
    return strong


def _runs(strong: list[int], direction: int) -> list[tuple[int, int]]:
    """Runs (start, end) that read in ``direction``: 1 takes digits in, 2 what stands between its letters, 3 digits."""
    inside = {1: (1, 3), 2: (2,), 3: (3,)}[direction]
    against = {1: (2,), 2: (1,), 3: (1, 2)}[direction]
    found: list[tuple[int, int]] = []
    start = last = -1
    for k, each in enumerate([*strong, against[0]]):
        if each in inside:
            start = k if start < 0 else start
            last = k
        elif each in against and start >= 0:
            found.append((start, last + 1))
            start = -1
    return found


def _reflect(x0: npt.NDArray[np.float32], x1: npt.NDArray[np.float32], part: slice) -> None:
    """Mirror a run about its middle, in place."""
    total = x0[part].min() + x1[part].max()
    x0[part], x1[part] = total - x1[part], total - x0[part]


def settle_brackets(codes: npt.NDArray[np.uint32], texts: list[str]) -> None:
    """Swap the brackets among leftward letters of a page where they close before they open, in place.

    PDFium mirrors them, as fonts ask for; some producers have written the mirrored character already.
    """
    strong = _directions(codes)
    places = np.flatnonzero(strong > 0)
    brackets: list[int] = []
    for i, text in enumerate(texts):
        if text in _OPENING or text in _CLOSING:
            k = int(np.searchsorted(places, i))
            if 2 in [int(strong[places[j]]) for j in (k - 1, k) if 0 <= j < len(places)]:
                brackets.append(i)
    opens = [texts[i] in _OPENING for i in brackets]
    if _disorder(brackets, [not each for each in opens]) < _disorder(brackets, opens):
        for i in brackets:
            texts[i] = texts[i].translate(_SWAPPED)
    _balance(brackets, texts)


def _disorder(brackets: list[int], opens: list[bool]) -> int:
    """How much is wrong with a reading of brackets: those without a partner, and what stands inside of the others."""
    wrong = inside = 0
    stack: list[int] = []
    for i, opening in zip(brackets, opens, strict=True):
        if opening:
            stack.append(i)
        elif stack:
            inside += i - stack.pop()
        else:
            wrong += 1
    return (wrong + len(stack)) * _LONE + inside


def _balance(brackets: list[int], texts: list[str]) -> None:
    """Swap a bracket that closes nothing, or opens again before the last has closed."""
    opened = False
    for place, i in enumerate(brackets):
        following = texts[brackets[place + 1]] if place + 1 < len(brackets) else ""
        opens = texts[i] in _OPENING
        if opens is opened and not (opens and following in _CLOSING):
            texts[i] = texts[i].translate(_SWAPPED)
            opens = not opens
        opened = opens
