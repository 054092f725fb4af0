"""Suspect glyphs: characters whose code the font does not map, or maps to a letter that it does not print.

What a glyph's box and its neighbours leave no doubt about is written so; it stays suspect all the same.
"""

import numpy as np

from pincite_papers.pdf.glyphs import Glyphs
from pincite_papers.pdf.layout.characters import UNKNOWN
from pincite_papers.pdf.scriptcodes import CodeSet
from pincite_papers.pdf.signs.encodings import is_named_for_signs
from pincite_papers.pdf.signs.judge import word_fonts

_UNREADABLE = CodeSet((*range(0x20), 0x7F, 0xFFFD))
_DESCENT = 0.1
"""Type sizes under the baseline from which on a narrow glyph coded m is a mu, which has a descender and an m has not.
Set by judgement."""
_NARROW = 1.1
"""A letter m that reaches so many sizes below the baseline, and is so narrow for its height, is a µ."""


def settle(glyphs: Glyphs, texts: list[str]) -> None:
    """Mark suspect glyphs, and write those that their shape gives away, in place."""
    if not glyphs.objects:
        return
    symbolic = np.array([is_named_for_signs(run.style.font) for run in glyphs.objects], np.bool_)
    if symbolic.any() and len(glyphs.faces.of_run) == len(symbolic):
        symbolic &= ~word_fonts(glyphs)[glyphs.faces.of_run]
    letters = ((glyphs.codes >= 0x41) & (glyphs.codes <= 0x5A)) | ((glyphs.codes >= 0x61) & (glyphs.codes <= 0x7A))
    printed = glyphs.runs >= 0
    doubtful = printed & letters & symbolic[glyphs.runs]
    doubtful &= ~glyphs.judged
    glyphs.suspects |= doubtful
    narrow = glyphs.boxes[:, 2] - glyphs.boxes[:, 0] < _NARROW * (glyphs.boxes[:, 3] - glyphs.boxes[:, 1])
    for i in np.flatnonzero(printed & narrow & ~glyphs.judged & (glyphs.codes == ord("m"))).tolist():
        if texts[i] == "m" and _depth(glyphs, i) > _DESCENT:
            texts[i] = "µ"
            glyphs.suspects[i] = True
    unknown = printed & _UNREADABLE.among(glyphs.codes) & ~glyphs.hyphens
    glyphs.suspects |= unknown
    places: list[int] = [i for i in np.flatnonzero(unknown).tolist() if texts[i] == UNKNOWN]
    known: dict[tuple[str, int], str] = {}
    keys = [(glyphs.objects[int(glyphs.runs[i])].style.font, int(glyphs.codes[i])) for i in places]
    for i, key in zip(places, keys, strict=True):
        texts[i] = _by_shape(glyphs, i, texts)
        if texts[i] != UNKNOWN:
            known[key] = texts[i]
    for i, key in zip(places, keys, strict=True):
        texts[i] = known.get(key, texts[i]) if texts[i] == UNKNOWN else texts[i]


def _depth(glyphs: Glyphs, i: int) -> float:
    """How far a glyph reaches below its baseline, in sizes; 0 for print that is not level."""
    run = glyphs.objects[int(glyphs.runs[i])]
    return 0.0 if run.angle else float(glyphs.boxes[i, 3] - run.y) / max(run.style.size, 0.1)


def _by_shape(glyphs: Glyphs, i: int, texts: list[str]) -> str:
    """A minus, a tilde, a degree or a times sign by its box (in sizes above the baseline) and the digits around it."""
    run = glyphs.objects[int(glyphs.runs[i])]
    if run.angle:
        return UNKNOWN
    size = max(run.style.size, 0.1)
    x0, y0, x1, y1 = (float(value) for value in glyphs.boxes[i])
    width, height, bottom = (x1 - x0) / size, (y1 - y0) / size, (run.y - y1) / size
    middle = bottom + height / 2
    if width > 0.35 and height < 0.12 and 0.1 < middle < 0.42:
        return "−"
    if width > 0.45 and 0.1 < height < 0.28 and 0.12 < middle < 0.4:
        return "∼"
    if bottom > 0.28 and 0.15 < height < 0.5 and 0.75 < width / height < 1.3:
        return "°"
    before, after = _neighbour(texts, i, -1), _neighbour(texts, i, 1)
    if _raised(glyphs, i) and before.isdigit() and 0.3 < height < 0.5 and 0.8 < width / height < 1.25:
        return "°"
    square = 0.3 < height < 0.7 and 0.75 < width / height < 1.35 and 0.1 < middle < 0.42
    return "×" if square and before.isdigit() and after.isdigit() else UNKNOWN


def _raised(glyphs: Glyphs, i: int) -> bool:
    """Whether a glyph stands as a superscript of the one before it."""
    if i == 0 or glyphs.runs[i - 1] < 0:
        return False
    run, before = glyphs.objects[int(glyphs.runs[i])], glyphs.objects[int(glyphs.runs[i - 1])]
    return before.y - run.y > 0.15 * before.style.size and run.style.size < 0.95 * before.style.size


def _neighbour(texts: list[str], i: int, step: int) -> str:
    """The nearest character before or after that is not white space, at most five places off."""
    for k in range(i + step, i + 6 * step, step):
        if 0 <= k < len(texts) and texts[k].strip():
            return texts[k]
    return ""
