"""Visibility: which characters a reader of the page cannot see, and why.

Numbers that are read anyway tell what is suspect; only then the page is rendered with and without the suspect text.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium

from pincite_papers.pdf.glyphs import Frame, Glyphs
from pincite_papers.pdf.layout.characters import is_space
from pincite_papers.pdf.layout.drawings import Drawings
from pincite_papers.pdf.layout.invisible import (
    CLEAR,
    COLOR,
    COVERED,
    MODE_3,
    MODE_7,
    NARROW,
    OFF,
    TINY,
    Ends,
    Numbers,
    ink_colors,
    suspect_runs,
)
from pincite_papers.pdf.layout.seen import leaves_ink, lies_on_ink

_SMALLEST = 2.0
"""Points: text that is set and printed smaller is too small to be seen. Set by judgement."""
_THINNEST = 0.1
"""Width over height of the letters: text squeezed to less are not seen. Set by judgement."""
_STACKED, _FEW = 0.12, 6
_SCAN = 0.5
"""Share of the page's area that pictures cover: more makes it a scan, whose unseen text is its text layer. Set by
judgement."""
_STRETCH = 4
"""Unseen glyphs in a row that are taken out of a text object of which other glyphs are seen; a dot alone may leave no
ink. Set by judgement."""
_LAYERS = (MODE_3, MODE_7, COVERED, CLEAR)
# Letters of Unicode's plane of tags and its selectors of variants: they spell words that no font prints.
_TAG_HIGH, _TAG_LOW = 0xDB40, (0xDC00, 0xDDF0)


@dataclass(slots=True)
class Visibility:
    """``why`` int8 (n), the number in REASONS of why a glyph cannot be seen, 0 where it can be.

    ``scanned`` says that the page's text is the text layer under the picture of a page.
    """

    why: Numbers
    scanned: bool = False


def find_hidden(
    page: pdfium.PdfPage, glyphs: Glyphs, frame: Frame, found: Drawings, *, quarters: int = 0, layers_off: bool = False
) -> Visibility:
    """What a reader of an open page cannot see.

    ``quarters`` are the clockwise turns in which the glyphs were read; ``layers_off`` says that the document has
    optional content that is not shown.
    """
    why = np.zeros(len(glyphs.codes), np.int8)
    if not glyphs.objects:
        return Visibility(why)
    ends = Ends.of(glyphs)
    _mark_tiny(glyphs, why)
    _mark_narrow(glyphs, ends, why)
    boxes = glyphs.boxes
    off = (boxes[:, 2] < 0) | (boxes[:, 0] > frame.width) | (boxes[:, 3] < 0) | (boxes[:, 1] > frame.height)
    why[off & (glyphs.runs >= 0) & (why == 0)] = OFF
    suspects = suspect_runs(glyphs, ends, found, layers_off=layers_off)
    if not suspects.any() and not why.any():
        return Visibility(why)
    solid = (glyphs.runs >= 0) & ~is_space(glyphs.codes)
    asked = solid & (suspects[glyphs.runs] > 0) & (why == 0)
    if not asked.any():
        return Visibility(why)
    runs: list[int] = np.unique(glyphs.runs[asked]).tolist()
    handles = [glyphs.ink.handles[run] for run in runs]
    unseen = np.zeros(len(why), np.bool_)
    color = _only_color(glyphs, suspects, runs)
    unseen[asked] = ~leaves_ink(page, quarters, boxes[asked], handles, color)
    if unseen.any():
        unseen = _stretches(unseen, glyphs.runs, solid)
        why[unseen] = suspects[glyphs.runs[unseen]]
    return Visibility(why, _free_text_layer(page, quarters, glyphs, _is_scan(frame, found), why))


def _mark_tiny(glyphs: Glyphs, why: Numbers) -> None:
    """Mark text objects under two points, if their letters are as small as their size says."""
    small = glyphs.ink.sizes < _SMALLEST
    if small.any():
        inside = glyphs.runs >= 0
        extents = glyphs.boxes[:, 2:] - glyphs.boxes[:, :2]
        tallest = np.zeros(len(small), np.float32)
        np.maximum.at(tallest, glyphs.runs[inside], extents.min(axis=1)[inside])
        why[inside & (small & (tallest < _SMALLEST))[glyphs.runs]] = TINY


def _mark_narrow(glyphs: Glyphs, ends: Ends, why: Numbers) -> None:
    """Mark text objects drawn without width or with all letters on one place, and characters that have no glyphs."""
    narrow = glyphs.ink.widths < _THINNEST
    least = _STACKED * ends.counts * glyphs.ink.sizes
    steps = np.abs(glyphs.boxes[ends.last] - glyphs.boxes[ends.first]).max(axis=1)
    for run in np.flatnonzero((steps < least) & (ends.counts >= _FEW)).tolist():
        part = glyphs.boxes[glyphs.runs == run]
        narrow[run] |= np.max(part[:, 2:].max(axis=0) - part[:, :2].min(axis=0)) < least[run]
    if narrow.any():
        why[(glyphs.runs >= 0) & narrow[glyphs.runs] & (why == 0)] = NARROW
    tags = np.flatnonzero(glyphs.codes[:-1] == _TAG_HIGH)
    if len(tags):
        low_half = glyphs.codes[tags + 1]
        tags = tags[(low_half >= _TAG_LOW[0]) & (low_half < _TAG_LOW[1])]
        why[tags] = why[tags + 1] = NARROW


def _only_color(glyphs: Glyphs, suspects: Numbers, runs: list[int]) -> tuple[int, int, int] | None:
    """The colour of these text objects, if they have one and are suspect for nothing else."""
    if (suspects[runs] != COLOR).any():
        return None
    red, green, blue = ink_colors(glyphs)[runs].T.tolist()
    same = len(set(zip(red, green, blue, strict=True))) == 1
    return (red[0], green[0], blue[0]) if same else None


def _stretches(
    unseen: npt.NDArray[np.bool_], runs: npt.NDArray[np.int32], solid: npt.NDArray[np.bool_]
) -> npt.NDArray[np.bool_]:
    """The unseen glyphs in stretches of some length or in text objects of which nothing is seen.

    A thin glyph between others that are seen, a dot or a comma, may leave no ink of its own.
    """
    seen_runs = np.zeros(int(runs.max()) + 1, np.bool_)
    seen_runs[runs[solid & ~unseen]] = True
    numbers = np.flatnonzero(solid)
    part = unseen[numbers]
    starts = np.flatnonzero(np.diff(part, prepend=~part[0]) | (np.diff(runs[numbers], prepend=-1) != 0))
    lengths = np.diff(np.append(starts, len(part)))
    kept = part & ((np.repeat(lengths, lengths) >= _STRETCH) | ~seen_runs[runs[numbers]])
    result = np.zeros(len(unseen), np.bool_)
    result[numbers[kept]] = True
    return result


def _is_scan(frame: Frame, found: Drawings) -> bool:
    """Whether pictures cover most of the page."""
    return sum((i.x1 - i.x0) * (i.y1 - i.y0) for i in found.images) > _SCAN * frame.width * frame.height


def _free_text_layer(page: pdfium.PdfPage, quarters: int, glyphs: Glyphs, scan: bool, why: Numbers) -> bool:
    """Unmark, in place, unseen text over the words of a scanned page: True where it is most of the page's text."""
    layer = np.isin(why, _LAYERS)
    solid = (glyphs.runs >= 0) & ~is_space(glyphs.codes)
    if not scan or np.count_nonzero(layer) <= np.count_nonzero(solid & (why == 0)):
        return False
    numbers = np.flatnonzero(layer)
    starts = np.flatnonzero(np.diff(glyphs.runs[numbers], prepend=-2))
    low = np.minimum.reduceat(glyphs.boxes[numbers, :2], starts)
    high = np.maximum.reduceat(glyphs.boxes[numbers, 2:], starts)
    printed = lies_on_ink(page, quarters, np.concatenate((low, high), axis=1))
    why[numbers[np.repeat(printed, np.diff(np.append(starts, len(numbers))))]] = 0
    return bool(printed.any())
