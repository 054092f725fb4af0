"""A scanned page as it was read, and its print as glyphs for the layout that PDF text goes through as well."""

from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import accumulate

import numpy as np

from pincite_papers.model import Rect
from pincite_papers.pdf.elements import PageLayout, Rule, Style
from pincite_papers.pdf.glyphs import Glyphs, Ink, Run
from pincite_papers.pdf.layout.pages import ReadPage
from pincite_papers.pdf.layout.words import build_lines
from pincite_papers.pdf.ocr.hocr import OcrLine
from pincite_papers.pdf.ocr.letters import Letters
from pincite_papers.pdf.ocr.numbers import bare
from pincite_papers.pdf.turned import Turn

OCR_FONT = "OCR"
_EM = 1.08
"""Tesseract measures a line from descenders to ascenders; the em is so much more."""
_SHARES = {
    **dict.fromkeys("acemnorsuvwxz", 0.445),
    **dict.fromkeys("bdhklABDEFGHIKLMNPRTUVWXYZ0123456789", 0.68),
    **dict.fromkeys("gpqy", 0.65),
}
"""The heights of letters in ems."""
_FEWEST_HEIGHTS = 5
"""Letters of a line from which the size of its type is measured. Set by judgement."""
_MOST_SCRIPT = 0.35
"""Share of a line's letters that can be scripts; with more the base line is wrong. Set by judgement."""
_SAME_SIZE = (0.9, 1.12)
"""Ratios to the page's usual size between which a line has that size. Set by judgement."""
_HEAVY = 1.27
"""Ratio of a word's ink to the usual from which it is bold. Set by judgement."""
_SCRIPT = 0.7
"""Size of a script to its line's."""
_DOUBTFUL = 0.6
"""Confidence of 0 to 1 below which a word is marked as doubtful. Set by judgement."""
_SURE_SHARED, _SURE_ALONE, _SURE_AGAINST = 0.8, 0.9, 0.93
"""Confidence of a number that another reading of the page has too, of one without another reading, and of one that the
other reading does not have. On scans of six papers nine in ten of the numbers above were right, four in ten below."""
_SPACE, _BREAK = 0x20, (0x0D, 0x0A)
"""Codes of the blank and of a line's end."""


@dataclass(slots=True)
class ScannedLine:
    """A recognised line with the letters of each of its words, in pixels; ``size`` in points."""

    line: OcrLine
    letters: list[Letters]
    size: float


@dataclass(slots=True)
class ScannedPage:
    """A page that was read from its picture: its size in points as read, and how it was turned to be read.

    ``confidence`` is the mean of its words, 0 to 1; ``scale`` points a pixel.
    """

    number: int
    width: float
    height: float
    scale: float
    lines: list[ScannedLine]
    rules: list[Rule]
    pictures: list[Rect]
    confidence: float
    turn: Turn | None = None


def scanned_line(line: OcrLine, letters: list[Letters], scale: float) -> ScannedLine:
    """The line with its size: by the heights of its letters where there are some, else by tesseract's measure.

    Where most of it would be script, tesseract's baseline is off: then nothing is.
    """
    levels = [level for told in letters for level in told.levels]
    if sum(map(abs, levels)) > _MOST_SCRIPT * len(levels):
        letters = [replace(told, levels=[0] * len(told.levels), misread=frozenset()) for told in letters]
    heights = [
        (box[3] - box[1]) / share
        for word, told in zip(line.words, letters, strict=True)
        for character, box, level in zip(word.text, told.boxes.tolist(), told.levels, strict=True)
        if not level and (share := _SHARES.get(character))
    ]
    enough = len(heights) >= _FEWEST_HEIGHTS and not line.angle
    return ScannedLine(line, letters, scale * (float(np.median(heights)) if enough else _EM * line.height))


def doubt_numbers(page: ScannedPage, known: Counter[str] | None) -> None:
    """Doubt the numbers that were read with little confidence, in place.

    ``known`` are those of another reading of the page, if there is one: a number that both have is doubted less.
    """
    left: Counter[str] = Counter() if known is None else known.copy()
    for scanned in page.lines:
        for k, word in enumerate(scanned.line.words):
            if not any(map(str.isdigit, word.text)):
                continue
            least = _SURE_ALONE
            if known is not None:
                least = _SURE_SHARED if left[bare(word.text)] > 0 else _SURE_AGAINST
                left[bare(word.text)] -= 1
            if word.confidence < least:
                letters = scanned.letters[k]
                scanned.letters[k] = replace(letters, misread=frozenset(range(len(letters.levels))))


def settle(pages: Sequence[ScannedPage]) -> list[ReadPage]:
    """The pages for the layout; sizes that differ only by the scan's noise are made one over all of them."""
    lines = [line for page in pages for line in page.lines]
    for line, size in zip(lines, _settled_sizes(lines), strict=True):
        line.size = size
    weights = [(w.weight, len(w.levels)) for line in lines for w in line.letters if w.weight]
    usual = _median(weights)
    return [_read_page(page, usual) for page in pages]


def _settled_sizes(lines: Sequence[ScannedLine]) -> list[float]:
    """The size of each line, drawn to the most frequent size near it (by characters)."""
    counts = [sum(len(word.text) for word in line.line.words) for line in lines]
    sizes = np.array([line.size for line in lines])
    left = np.array(counts, np.float64)
    settled = sizes.copy()
    while left.any():
        order = np.argsort(sizes)
        sums = np.concatenate(([0.0], np.cumsum(left[order])))
        ranked = sizes[order]
        high = np.searchsorted(ranked, ranked * 1.06, side="right")
        low = np.searchsorted(ranked, ranked * 0.94, side="left")
        mode = ranked[int(np.argmax(np.where(left[order] > 0, sums[high] - sums[low], -1.0)))]
        near = (sizes >= _SAME_SIZE[0] * mode) & (sizes <= _SAME_SIZE[1] * mode) & (left > 0)
        shared = round(float(np.average(sizes[near], weights=left[near])), 1)
        settled[near] = shared
        left[near] = 0.0
    return settled.tolist()


def _median(weighted: list[tuple[float, int]]) -> float:
    """The median of (value, weight) pairs; 0 for none."""
    if not weighted:
        return 0.0
    ranked = sorted(weighted)
    sums = list(accumulate(weight for _, weight in ranked))
    return ranked[bisect_left(sums, sums[-1] / 2)][0]


def _read_page(page: ScannedPage, usual_weight: float) -> ReadPage:
    glyphs = _glyphs(page, usual_weight)
    lines = build_lines(glyphs, keep=np.ones(len(glyphs.codes), np.bool_))
    layout = PageLayout(page.number, page.width, page.height, lines, page.rules, [], page.pictures)
    return ReadPage(layout, glyphs, {}, page.turn, recognised=True)


def _glyphs(page: ScannedPage, usual_weight: float) -> Glyphs:
    """The letters as glyphs: one run a line and weight, one for each script."""
    codes: list[int] = []
    boxes: list[tuple[float, float, float, float]] = []
    runs: list[int] = []
    doubtful: list[bool] = []
    objects: list[Run] = []
    nothing = (0.0, 0.0, 0.0, 0.0)

    def blank(*values: int) -> None:
        codes.extend(values)
        boxes.extend([nothing] * len(values))
        runs.extend([-1] * len(values))
        doubtful.extend([False] * len(values))

    for scanned in page.lines:
        line = scanned.line
        base = _base(line) * page.scale
        heavy = _heavy(scanned.letters, usual_weight)
        for k, (word, letters) in enumerate(zip(line.words, scanned.letters, strict=True)):
            if k:
                blank(_SPACE)
            scaled: list[list[float]] = (letters.boxes * page.scale).tolist()
            previous = None
            for place, (character, box, level) in enumerate(zip(word.text, scaled, letters.levels, strict=True)):
                key = (level, heavy[k])
                if key != previous:
                    size = round(scanned.size * _SCRIPT, 2) if level else scanned.size
                    y = box[3] if level or line.angle % 180 else base
                    x = base if line.angle % 180 else box[0]
                    objects.append(Run(Style(OCR_FONT, size, heavy[k], False), float(line.angle), x, y, False))
                    previous = key
                codes.append(ord(character))
                boxes.append((box[0], box[1], box[2], box[3]))
                runs.append(len(objects) - 1)
                doubtful.append(word.confidence < _DOUBTFUL or place in letters.misread)
        blank(*_BREAK)
    return Glyphs(
        np.array(codes, np.uint32),
        np.array(boxes, np.float32).reshape(-1, 4),
        np.array(runs, np.int32),
        np.zeros(len(codes), np.bool_),
        np.array(doubtful, np.bool_),
        objects,
        Ink.unknown(),
    )


def _base(line: OcrLine) -> float:
    """Where the baseline of a line runs, in pixels: from the top of level print, from the left of upright print."""
    x0, y0, x1, y1 = line.box
    if not line.angle:
        return line.baseline((x0 + x1) / 2)
    fall = 0.22
    return {
        90: x1 - fall * (x1 - x0),
        180: y0 + fall * (y1 - y0),
        270: x0 + fall * (x1 - x0),
    }[line.angle]


def _heavy(letters: list[Letters], usual: float) -> list[bool]:
    """Which words are bold: by their strokes; a word too short to tell goes with the one before, else after it."""
    told = [word.weight > _HEAVY * usual if word.weight and len(word.levels) >= 3 else None for word in letters]
    last = next((value for value in told if value is not None), False)
    heavy: list[bool] = []
    for value in told:
        last = last if value is None else value
        heavy.append(last)
    return heavy
