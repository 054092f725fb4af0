"""Labels: the words printed in a figure, in any direction, put together to phrases."""

import ctypes
import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import pairwise

import numpy as np
import pypdfium2 as pdfium

from pincite_figures.plots.numbers import read_number
from pincite_figures.plots.paths import Color
from pincite_papers.model import Rect
from pincite_papers.pdf import pdfium as raw
from pincite_papers.pdf.elements import Line
from pincite_papers.pdf.glyphs import Frame, Glyphs, read_glyphs
from pincite_papers.pdf.layout.characters import characters, is_nothing, is_space
from pincite_papers.pdf.layout.words import build_lines

_PHRASE_GAP = 0.75
"""In type sizes of the larger word: words nearer to each other are one phrase, others two labels. Set by judgement."""
_GROUP_GAP = 0.45
"""In type sizes: numbers all nearer than this may be the groups of one number (1 000), others are a row. Set by
judgement."""
_DIGIT_GAP = 0.25
"""In type sizes: what stands nearer to a digit, sign or point is the same word ("1 .5", "10 ^1"). Set by judgement."""
_SLANT = 4.0
"""Degrees off level and upright: print turned by more is put together glyph by glyph. Set by judgement."""
_MOST_GLYPHS = 60_000
"""Count of glyphs that are read in a figure; the rest are left out. A bound on cost, set by judgement."""
_OUTLINED, _INVISIBLE = 1, 3
"""The text render modes of PDF that draw the stroke alone, and neither fill nor stroke: codes of the format."""


@dataclass(frozen=True, slots=True)
class Label:
    """A phrase of a figure: its box in points, size, direction of print in degrees counter-clockwise, ink."""

    text: str
    box: Rect
    size: float
    angle: float
    color: Color = (0, 0, 0)

    @property
    def x(self) -> float:
        """The middle across the page."""
        return (self.box.x0 + self.box.x1) / 2

    @property
    def y(self) -> float:
        """The middle down the page."""
        return (self.box.y0 + self.box.y1) / 2


@dataclass(frozen=True, slots=True)
class Symbol:
    """A glyph of a symbol font, which may mark a point: the font and the character, its box and ink.

    ``outlined`` says that only its outline is drawn.
    """

    name: str
    box: Rect
    color: Color
    outlined: bool = False


@dataclass(slots=True)
class Print:
    """What a figure prints: its phrases, and the glyphs of symbol fonts."""

    labels: list[Label]
    symbols: list[Symbol]


@dataclass(slots=True)
class _Word:
    """A word on the way to a phrase: ``start`` and ``end`` along its direction of print, ``glyph`` its first glyph."""

    text: str
    box: Rect
    size: float
    angle: float
    start: float
    end: float
    base: float
    glyph: int
    glyphs: list[int] = field(default_factory=list[int])


def read_print(page: pdfium.PdfPage, frame: Frame, box: Rect, minuses: Sequence[Rect] = ()) -> Print:
    """The phrases and symbols of an open page whose middle lies in ``box``; ``minuses`` are bars drawn as shapes."""
    glyphs = read_glyphs(page, frame)
    if not glyphs.objects:
        return Print([], [])
    x, y = (glyphs.boxes[:, 0] + glyphs.boxes[:, 2]) / 2, (glyphs.boxes[:, 1] + glyphs.boxes[:, 3]) / 2
    keep = (x >= box.x0) & (x <= box.x1) & (y >= box.y0) & (y <= box.y1) & (glyphs.runs >= 0)
    if int(keep.sum()) > _MOST_GLYPHS:
        keep &= np.cumsum(keep) <= _MOST_GLYPHS
    symbols = _is_symbol(glyphs) & keep
    slants = np.array([abs((run.angle + 45) % 90 - 45) > _SLANT for run in glyphs.objects], np.bool_)[glyphs.runs]
    words = [word for line in build_lines(glyphs, keep=keep & ~symbols & ~slants) for word in _words_of(line, glyphs)]
    if minuses:
        words = add_minuses(words, glyphs, minuses)
    words += _slanted(glyphs, keep & ~symbols & slants & ~is_space(glyphs.codes) & ~is_nothing(glyphs.codes))
    places = np.flatnonzero(symbols).tolist()
    inks = _inks(page, [word.glyph for word in words] + places)
    seen = [(word, ink) for word, ink in zip(words, inks, strict=False) if ink is not None]
    labels = _phrases([word for word, _ in seen], [ink for _, ink in seen])
    marks = [
        Symbol(
            f"{glyphs.objects[int(glyphs.runs[i])].style.font} {int(glyphs.codes[i])}",
            _rect(glyphs, [i]),
            outline or ink,
            outline is not None,
        )
        for i, ink, outline in zip(places, inks[len(words) :], _outlines(page, places), strict=True)
        if ink is not None
    ]
    return Print(labels, marks)


def _is_symbol(glyphs: Glyphs) -> np.ndarray:
    """Which glyphs are geometric shapes or come from a font of ornaments."""
    shapes = ((glyphs.codes >= 0x25A0) & (glyphs.codes <= 0x25FF)) | (
        (glyphs.codes >= 0x2700) & (glyphs.codes <= 0x27BF)
    )
    names = [run.style.font.lower() for run in glyphs.objects]
    ornate = np.array(["dingbat" in name or "wingding" in name for name in names], np.bool_)
    return (shapes | ornate[glyphs.runs]) & (glyphs.runs >= 0) & ~is_space(glyphs.codes)


def _words_of(line: Line, glyphs: Glyphs) -> list[_Word]:
    words: list[_Word] = []
    for word in line.words:
        first = next((k for k in word.glyphs if k >= 0), -1)
        if first < 0:
            continue
        angle = round(glyphs.objects[int(glyphs.runs[first])].angle / 90) % 4 * 90
        box = Rect(word.x0, word.y0, word.x1, word.y1)
        start, end, base = {
            0: (box.x0, box.x1, line.baseline),
            90: (-box.y1, -box.y0, line.baseline),
            180: (-box.x1, -box.x0, line.baseline),
            270: (box.y0, box.y1, line.baseline),
        }[angle]
        words.append(_Word(word.text, box, word.style.size, angle, start, end, base, first, list(word.glyphs)))
    return words


def add_minuses(words: list[_Word], glyphs: Glyphs, minuses: Sequence[Rect]) -> list[_Word]:
    """Level words with the minus signs that are drawn as shapes just before one of their digits, in place."""
    places = [(word, k, g) for word in words if not word.angle for k, g in enumerate(word.glyphs) if g >= 0]
    digits = [(word, k, g) for word, k, g in places if word.text[k : k + 1].isdigit() or word.text[k : k + 1] == "."]
    if not digits:
        return words
    boxes = glyphs.boxes[[g for _, _, g in digits]].astype(np.float64)
    sizes = np.array([glyphs.objects[int(glyphs.runs[g])].style.size for _, _, g in digits])
    found: list[tuple[_Word, int, Rect]] = []
    for bar in minuses:
        gap = boxes[:, 0] - bar.x1
        share = (boxes[:, 3] - (bar.y0 + bar.y1) / 2) / np.maximum(boxes[:, 3] - boxes[:, 1], 0.1)
        fits = (gap > -0.05 * sizes) & (gap < 0.32 * sizes) & (share > 0.2) & (share < 0.75)
        fits &= (bar.x1 - bar.x0 > 0.3 * sizes) & (bar.x1 - bar.x0 < sizes) & (bar.y1 - bar.y0 < 0.16 * sizes)
        if fits.any():
            word, k, _ = digits[int(np.where(fits, gap, np.inf).argmin())]
            found.append((word, k, bar))
    for word, k, bar in sorted(found, key=lambda item: -item[1]):
        word.text = word.text[:k] + "−" + word.text[k:]
        word.glyphs.insert(k, -1)
        if bar.x0 < word.box.x0:
            word.box = Rect(bar.x0, word.box.y0, word.box.x1, word.box.y1)
            word.start = bar.x0
    return words


def _slanted(glyphs: Glyphs, keep: np.ndarray) -> list[_Word]:
    """Words of print that is neither level nor upright: glyphs of one baseline that follow each other closely."""
    places: list[int] = np.flatnonzero(keep).tolist()
    if not places:
        return []
    texts = characters(glyphs)
    words: list[_Word] = []
    members: list[int] = []
    for i in places:
        run = glyphs.objects[int(glyphs.runs[i])]
        turn = math.radians(run.angle)
        box = _rect(glyphs, [i])
        along = (box.x0 + box.x1) / 2 * math.cos(turn) - (box.y0 + box.y1) / 2 * math.sin(turn)
        base = run.x * math.sin(turn) + run.y * math.cos(turn)
        last = words[-1] if words else None
        half = 0.28 * run.style.size
        near = last is not None and last.angle == round(run.angle) and abs(last.base - base) < 0.5 * run.style.size
        if last is not None and near and -0.3 * run.style.size < along - half - last.end < 0.25 * run.style.size:
            raised = last.base - base > 0.15 * run.style.size and run.style.size < 0.92 * last.size
            last.text += ("^" if raised and "^" not in last.text else "") + texts[i]
            last.end = along + half
            members.append(i)
            last.box = _rect(glyphs, members)
        else:
            members = [i]
            words.append(_Word(texts[i], box, run.style.size, round(run.angle), along - half, along + half, base, i))
    return words


def _rect(glyphs: Glyphs, places: Sequence[int]) -> Rect:
    boxes = glyphs.boxes[list(places)].astype(np.float64)
    return Rect(*boxes[:, :2].min(0).tolist(), *boxes[:, 2:].max(0).tolist())


def _phrases(words: list[_Word], colors: list[Color]) -> list[Label]:
    """Neighbouring words as phrases; numbers stay apart unless they are the groups of one number."""
    labels: list[Label] = []
    group: list[int] = []
    for k, (before, word) in enumerate(pairwise([None, *words])):
        assert word is not None
        if before is not None and not _follows(before, word):
            labels.extend(_labels_of([words[i] for i in group], [colors[i] for i in group]))
            group = []
        group.append(k)
    labels.extend(_labels_of([words[i] for i in group], [colors[i] for i in group]))
    return labels


def _follows(before: _Word, word: _Word) -> bool:
    size = max(before.size, word.size)
    level = before.angle == word.angle and abs(before.base - word.base) < 0.3 * size
    return level and -0.5 * size < word.start - before.end < _PHRASE_GAP * size


def _labels_of(words: list[_Word], colors: list[Color]) -> list[Label]:
    """One label for a phrase; one for each number where it is a row of numbers."""
    if not words:
        return []
    text = _join(words)
    numbers = [read_number(word.text) is not None or word.text[0] in ".,^" for word in words]
    tight = all(b.start - a.end < _GROUP_GAP * a.size for a, b in pairwise(words))
    whole = len(words) == 1 or not all(numbers) or (tight and read_number(text) is not None)
    groups = [words] if whole else [[word] for word in words]
    shades = [colors[0]] if whole else colors
    return [
        Label(
            _join(group),
            Rect(
                min(word.box.x0 for word in group),
                min(word.box.y0 for word in group),
                max(word.box.x1 for word in group),
                max(word.box.y1 for word in group),
            ),
            max(word.size for word in group),
            group[0].angle,
            color,
        )
        for group, color in zip(groups, shades, strict=True)
    ]


def _join(words: list[_Word]) -> str:
    """The words of a phrase; a number that its letters' narrow boxes part ("1 .5", "10 ^1") is one word again."""
    text = words[0].text
    for before, word in pairwise(words):
        parted = word.start - before.end < _DIGIT_GAP * word.size
        digits = word.text[0].isdigit() and before.text[-1].isdigit()
        together = parted and (digits or word.text[0] in ".,^" or before.text[-1] in ".,^+-−")
        text += word.text if together else " " + word.text
    return text


def _inks(page: pdfium.PdfPage, places: list[int]) -> list[Color | None]:
    """The ink of each glyph, None where it has none."""
    textpage = page.get_textpage()
    try:
        handle = raw.address(textpage)
        rows: list[list[int]] = raw.four_unsigned(raw.get_fill_color, handle, places).tolist()
        modes = [raw.text_render_mode(raw.get_text_object(handle, i) or None) for i in places]
    finally:
        textpage.close()
    return [None if mode == _INVISIBLE else (row[0], row[1], row[2]) for row, mode in zip(rows, modes, strict=True)]


def _outlines(page: pdfium.PdfPage, places: list[int]) -> list[Color | None]:
    """The ink of the outline of each glyph that is drawn by its outline alone, as R draws open circles."""
    found: list[Color | None] = []
    channels = (ctypes.c_uint * 4)()
    at = ctypes.addressof(channels)
    textpage = page.get_textpage()
    try:
        handle = raw.address(textpage)
        for i in places:
            text = raw.get_text_object(handle, i)
            outlined = bool(text) and raw.text_render_mode(text) == _OUTLINED
            inked = outlined and raw.object_stroke(text, at, at + 4, at + 8, at + 12)
            found.append((channels[0], channels[1], channels[2]) if inked else None)
    finally:
        textpage.close()
    return found
