"""Letters of recognised words: the box of each, whether it is a script, and how heavily a word is inked.

Tesseract's own boxes of letters are off by whole letters; the gaps in the ink tell them better.
"""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from pincite_papers.pdf.ocr.hocr import OcrLine, OcrWord
from pincite_papers.pdf.ocr.raster import Ink

_NARROW = frozenset("iljIt|!.,:;'’‘`()[]{}f1/\\-")
_WIDE = frozenset("mwMW%@—&")
_DEEP = frozenset("gjpqyQJ,;()[]{}|/\\$§ßçþµμβγζημξρςφχψ_@")
_SIGNS = frozenset("+-−–")
_DIGIT_LIKE = frozenset("?!’‘'\"”“»«")
_HIGH_MARK = 0.75
"""Height of a mark that may be a script, in x-heights; lower ones are points and dashes. Set by judgement."""
_SUPERSCRIPT_RISE = 0.4
"""Rise over the base line, in x-heights, from which a letter is a superscript. Set by judgement."""
_SUBSCRIPT_FALL = 0.12
"""Fall under the base line, in x-heights, from which a letter is a subscript. Set by judgement."""
_SMALL = 1.25
"""Scripts are told in x-heights of their line: how far they stand from the baseline, how tall they are at most."""


@dataclass(slots=True)
class Letters:
    """The characters of a word: float32 (n, 4) boxes in pixels, levels (1 superscript, -1 subscript), ink weight.

    ``weight`` is the mean width of the strokes in x-heights, 0 where it cannot be told. ``misread`` are the places of
    marks that stand like raised digits: tesseract reads ``cm²`` as ``cm?``.
    """

    boxes: npt.NDArray[np.float32]
    levels: list[int]
    weight: float
    misread: frozenset[int] = frozenset()


def letters_of(ink: Ink, line: OcrLine, word: OcrWord) -> Letters:
    """The letters of a word of a line."""
    if line.angle:
        return Letters(_sliced(word, line.angle), [0] * len(word.text), 0.0)
    x0, y0, x1, y1 = (round(value) for value in word.box)
    crop = ink[max(y0, 0) : y1, max(x0, 0) : x1]
    n = len(word.text)
    boxes = np.tile(np.array(word.box, np.float32), (n, 1))
    if not crop.size or not crop.any():
        return Letters(boxes, [0] * n, 0.0)
    cuts, sure = _cuts(np.asarray(crop.any(axis=0)), word.text)
    base = line.baseline((word.box[0] + word.box[2]) / 2)
    for k, (a, b) in enumerate(pairwise(cuts)):
        part = crop[:, a:b]
        rows, columns = np.flatnonzero(part.any(axis=1)), np.flatnonzero(part.any(axis=0))
        if not len(rows):
            boxes[k, 0], boxes[k, 2] = x0 + a, x0 + b
            continue
        bottom = y0 + int(rows[-1]) + 1.0
        if word.text[k] not in _DEEP:
            bottom = max(min(bottom, base + 0.1 * line.x_height), y0 + int(rows[0]) + 1.0)
        boxes[k] = x0 + a + int(columns[0]), y0 + int(rows[0]), x0 + a + int(columns[-1]) + 1, bottom
    levels = _levels(word.text, boxes, base, line.x_height, sure=sure)
    return Letters(boxes, levels, _weight(crop, line.x_height), _misread(word.text, boxes, base, line.x_height))


def _sliced(word: OcrWord, angle: int) -> npt.NDArray[np.float32]:
    """The box of a word that is not printed level, cut into as many slices along its direction."""
    x0, y0, x1, y1 = word.box
    steps = np.linspace(0.0, 1.0, len(word.text) + 1)
    if angle in {90, 180}:
        steps = 1 - steps
    low, high = np.minimum(steps[:-1], steps[1:]), np.maximum(steps[:-1], steps[1:])
    if angle == 180:
        return np.stack((x0 + low * (x1 - x0), 0 * low + y0, x0 + high * (x1 - x0), 0 * low + y1), 1).astype(np.float32)
    return np.stack((0 * low + x0, y0 + low * (y1 - y0), 0 * low + x1, y0 + high * (y1 - y0)), 1).astype(np.float32)


def _cuts(filled: npt.NDArray[np.bool_], text: str) -> tuple[list[int], bool]:
    """The columns at which the letters of a word start, and its width: at gaps in the ink near where they belong.

    They are sure where there are as many gaps as there must be.
    """
    width, n = len(filled), len(text)
    shares = np.array([0.5 if c in _NARROW else 1.5 if c in _WIDE or c.isupper() else 1.0 for c in text])
    expected = np.cumsum(shares)[:-1] * width / shares.sum()
    edges = np.flatnonzero(np.diff(filled.astype(np.int8)))
    gaps = [(a + b + 2) / 2 for a, b in pairwise(edges.tolist()) if not filled[a + 1]]
    if len(gaps) == n - 1:
        return [0, *(round(gap) for gap in gaps), width], True
    reach = 0.5 * width / n
    cuts = [0]
    for place in expected.tolist():
        near = min(gaps, key=lambda gap: abs(gap - place), default=None)
        cut = near if near is not None and abs(near - place) <= reach else place
        cuts.append(max(min(round(cut), width - 1), cuts[-1] + 1 if cuts[-1] < width - 1 else cuts[-1]))
    return [*cuts, width], False


def _levels(text: str, boxes: npt.NDArray[np.float32], base: float, x_height: float, *, sure: bool) -> list[int]:
    """Which digits, and letters of ``sure`` boxes, stand raised or lowered; a sign goes with the raised digit after.

    Where boxes are not sure, only what stands at an end of the word counts as raised.
    """
    levels = [0] * len(text)
    for k, (character, box) in enumerate(zip(text, boxes.tolist(), strict=True)):
        if not (character.isdigit() or (sure and character.isalpha())) or box[3] - box[1] > _SMALL * x_height:
            continue
        if base - box[3] >= _SUPERSCRIPT_RISE * x_height:
            levels[k] = 1
        elif (
            k
            and text[k - 1].isalnum()
            and character not in _DEEP
            and box[3] - base >= _SUBSCRIPT_FALL * x_height
            and base - box[1] <= 0.85 * x_height
        ):
            levels[k] = -1
    for k in range(len(text) - 2, 0, -1):
        raised = base - (boxes[k, 1] + boxes[k, 3]) / 2 > 0.7 * x_height
        if text[k] in _SIGNS and levels[k + 1] == 1 and raised:
            levels[k] = 1
    _lay_down_letters(text, levels)
    if not sure:
        for k in range(len(text)):
            if levels[k] == 1 and 0 in levels[:k] and 0 in levels[k:]:
                levels[k] = 0
    return levels


def _lay_down_letters(text: str, levels: list[int]) -> None:
    """Take no letter for a script, in place, where one on the line follows: words end in such scripts at most."""
    for k, character in enumerate(text[:-1]):
        if levels[k] and character.isalpha() and not levels[k + 1] and text[k + 1].isalpha():
            levels[:] = [0 if mark.isalpha() else level for mark, level in zip(text, levels, strict=True)]
            return


def _misread(text: str, boxes: npt.NDArray[np.float32], base: float, x_height: float) -> frozenset[int]:
    """The marks that are as high as a raised digit and stand where one would."""
    return frozenset(
        k
        for k, (character, box) in enumerate(zip(text, boxes.tolist(), strict=True))
        if character in _DIGIT_LIKE
        and k
        and box[3] - box[1] >= _HIGH_MARK * x_height
        and base - box[3] >= _SUPERSCRIPT_RISE * x_height
    )


def _weight(crop: Ink, x_height: float) -> float:
    """The mean length of level runs of ink that are no longer than an x-height, in x-heights."""
    edges = np.diff(crop.astype(np.int8), axis=1, prepend=0, append=0)
    lengths = np.argwhere(edges == -1)[:, 1] - np.argwhere(edges == 1)[:, 1]
    strokes = lengths[lengths <= 0.7 * x_height]
    return float(strokes.mean()) / x_height if len(strokes) >= 8 else 0.0
