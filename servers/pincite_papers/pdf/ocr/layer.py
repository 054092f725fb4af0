"""A scan's text layer against its picture: whether it can be relied on, and which of two readings makes more sense."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pypdfium2 as pdfium

from pincite_papers.pdf.elements import Line
from pincite_papers.pdf.layout.pages import ReadPage
from pincite_papers.pdf.ocr.components import component_boxes
from pincite_papers.pdf.ocr.lexicon import Lexicon, letters_of
from pincite_papers.pdf.ocr.numbers import looks_misread, number_words
from pincite_papers.pdf.ocr.raster import ink_of

Boxes = npt.NDArray[np.float64]
"""Float64 (n, 4): x0, y0, x1, y1 in points, origin top left."""

LOOK_DPI = 100.0
"""Dots an inch at which the ink is compared with the layer: letters of 6 points are four dots high."""
_LETTER_POINTS = (3.0, 14.4)
"""Points between which the height of a letter's ink lies. Set by judgement."""
_WIDEST_LETTER = 29.0
"""Points of the widest letter; wider ink is a rule or a picture. Set by judgement."""
_LEAST_LETTER = 6.0
"""Heights and width (points) and area (square points) of what may be a letter; specks are smaller, drawings larger."""
_NEAR = 2.0
"""Points by which a word may miss its ink."""
_SHORT = 2
"""Letters of words that any noise makes, which are not looked up."""

_LEAST_WORDS = 30
"""Words below which a layer is not judged by its words. Set by judgement."""
_LEAST_NUMBERS = 10
"""Numbers below which it is not judged by its numbers. Set by judgement."""
_LEAST_LETTERS = 200
"""Below so many words, numbers or letters a share says nothing."""
MOST_UNKNOWN = 0.08
"""Share of words outside the lexicon from which a layer is poor. Set by judgement."""
MOST_MISREAD = 0.2
"""Share of numbers with impossible signs from which a layer is poor. Set by judgement."""
MOST_MISSED = 0.15
"""Shares of small words that no lexicon has, of numbers that look misread, and of letters of ink outside the layer's
words."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """What speaks about a page's text: counts of its lower-case words and of those unknown, of its numbers and of those
    that look misread, of the letters in its ink and of those that no word of the text covers."""

    words: int
    unknown: int
    numbers: int
    misread: int
    letters: int
    missed: int

    @property
    def faults(self) -> list[str]:
        """Why the text cannot be relied on, in words; none for a text that says what is printed."""
        found: list[str] = []
        if self.words >= _LEAST_WORDS and _surely(self.unknown) > MOST_UNKNOWN * self.words:
            found.append(f"{self.unknown / self.words:.0%} of its words are in no lexicon")
        if self.numbers >= _LEAST_NUMBERS and _surely(self.misread) > MOST_MISREAD * self.numbers:
            found.append(f"{self.misread / self.numbers:.0%} of its numbers cannot be printed so")
        if self.letters >= _LEAST_LETTERS and self.missed > MOST_MISSED * self.letters:
            found.append(f"{self.missed / self.letters:.0%} of the printed letters are not in it")
        return found


def _surely(count: int) -> float:
    """A count less its standard deviation (Poisson): few words of a page of references tell little."""
    return count - count**0.5


def evidence_of(letters: Boxes, page: ReadPage, lexicon: Lexicon) -> Evidence:
    """The evidence about the text of a page with these letters of ink (see ``letter_boxes``)."""
    lines = page.layout.lines
    words = [word for word in _words(lines) if word.islower()] if lexicon.applies else []
    numbers = number_words(lines)
    return Evidence(
        words=len(words),
        unknown=sum(not lexicon.knows(word) for word in words),
        numbers=len(numbers),
        misread=sum(looks_misread(word.text, before, after) for word, before, after in numbers),
        letters=len(letters),
        missed=len(letters) - int(np.count_nonzero(covered(letters, page))),
    )


def letter_boxes(page: pdfium.PdfPage) -> Boxes:
    """The pieces of ink of a letter's size on an open page as it is shown, in points: float64 (n, 4)."""
    drawn: Any = page
    bitmap = drawn.render(scale=LOOK_DPI / 72, grayscale=True)
    try:
        raster = np.array(bitmap.to_numpy(), np.uint8).reshape(bitmap.height, bitmap.width)
    finally:
        bitmap.close()
    boxes = component_boxes(ink_of(raster)).astype(np.float64) * (72 / LOOK_DPI)
    high, wide = boxes[:, 3] - boxes[:, 1], boxes[:, 2] - boxes[:, 0]
    low, tall = _LETTER_POINTS
    return boxes[(high >= low) & (high <= tall) & (wide <= _WIDEST_LETTER) & (high * wide >= _LEAST_LETTER)]


def covered(letters: Boxes, page: ReadPage) -> npt.NDArray[np.bool_]:
    """Bool (n): which letters of ink lie within a word of the page's text."""
    inside = np.zeros(len(letters), np.bool_)
    words = [(w.x0, w.y0, w.x1, w.y1) for line in page.layout.lines for w in line.words]
    if not words:
        return inside
    boxes = np.array(words, np.float32)
    if page.turn is not None:
        boxes = page.turn.back(boxes)
    across, down = (letters[:, 0] + letters[:, 2]) / 2, (letters[:, 1] + letters[:, 3]) / 2
    order = np.argsort(down, kind="stable")
    ranked = down[order]
    lows, highs = np.searchsorted(ranked, boxes[:, 1] - _NEAR), np.searchsorted(ranked, boxes[:, 3] + _NEAR)
    for (x0, _, x1, _), low, high in zip(boxes.tolist(), lows.tolist(), highs.tolist(), strict=True):
        near = order[low:high]
        inside[near[(across[near] > x0 - _NEAR) & (across[near] < x1 + _NEAR)]] = True
    return inside


def sense(lines: Iterable[Line], lexicon: Lexicon) -> int:
    """How much of a reading makes sense: characters of known words and of plain numbers, less those of the others."""
    lines = list(lines)
    total = 0
    for word in _words(lines):
        total += len(word) if lexicon.knows(word) else -len(word)
    for word, before, after in number_words(lines):
        total += -len(word.text) if looks_misread(word.text, before, after) else len(word.text)
    return total


def _words(lines: Iterable[Line]) -> list[str]:
    """The words of letters that are long enough to tell."""
    found = (letters_of(word.text) for line in lines for word in line.words)
    return [word for word in found if len(word) > _SHORT]
