"""Accents: diacritics that are printed over their letters, and stand elsewhere in the content of the page."""

import unicodedata

import numpy as np
import numpy.typing as npt

from pincite_papers.pdf.glyphs import Glyphs
from pincite_papers.pdf.scriptcodes import CodeSet

_NOTHING = 0x200B
"""The zero-width space, which stands for a glyph that is to be passed over."""
_SPACE = 0x20
"""Code of the blank."""
_ABOVE = {
    "´": "\u0301", "¨": "\u0308", "ˆ": "\u0302", "˜": "\u0303", "˚": "\u030a", "ˇ": "\u030c", "¯": "\u0304",
    "˘": "\u0306", "˙": "\u0307", "˝": "\u030b", "`": "\u0300",
}  # fmt: skip
_BELOW = {"¸": "\u0327", "˛": "\u0328"}
_MARKS = {ord(accent): mark for accent, mark in (_ABOVE | _BELOW).items()}
_CODES = CodeSet(_MARKS)

_ASIDE = 0.1
"""Ems by which an accent's centre may leave the box of its letter: those over a slanted i do."""
_APART = 0.3
"""Ems between an accent and its letter, and by which it may overlap it: accents over capitals lie on them."""
_SAME_LINE = 0.35
"""Ems between the baselines of an accent and its letter."""
_CLOSE = 0.12
"""Ems between two glyphs of one word; the narrowest spaces of justified print have 0.15."""


def set_accents(glyphs: Glyphs) -> None:
    """Write each accent that is printed over a letter into that letter, and close the word that it had parted."""
    found: list[int] = np.flatnonzero(_CODES.among(glyphs.codes) & (glyphs.runs >= 0)).tolist()
    if not found:
        return
    letters = np.flatnonzero(_is_letter(glyphs.codes) & (glyphs.runs >= 0))
    set_apart = [i for i in found if _compose(glyphs, i, letters)]
    for i in set_apart:
        _close_word(glyphs, i)


def _is_letter(codes: npt.NDArray[np.uint32]) -> npt.NDArray[np.bool_]:
    upper, lower = (codes >= 0x41) & (codes <= 0x5A), (codes >= 0x61) & (codes <= 0x7A)
    return upper | lower | ((codes >= 0xC0) & (codes <= 0x17F))


def _compose(glyphs: Glyphs, i: int, letters: npt.NDArray[np.int64]) -> bool:
    """Put the accent at place ``i`` into the letter under or over it; False where there is none, or it stands beside it
    in the content as well."""
    mark, box = _MARKS[int(glyphs.codes[i])], glyphs.boxes[i]
    size = max(float(glyphs.ink.sizes[glyphs.runs[i]]), 0.1)
    boxes, centre = glyphs.boxes[letters], float(box[0] + box[2]) / 2
    over = (boxes[:, 0] - _ASIDE * size <= centre) & (centre <= boxes[:, 2] + _ASIDE * size)
    gap = box[1] - boxes[:, 3] if chr(int(glyphs.codes[i])) in _BELOW else boxes[:, 1] - box[3]
    baselines = glyphs.ink.origins[glyphs.runs[letters], 1] - glyphs.ink.origins[glyphs.runs[i], 1]
    fits = over & (np.abs(gap) < _APART * size) & (np.abs(baselines) < _SAME_LINE * size)
    at = letters[fits]
    if not len(at):
        return False
    middles = (glyphs.boxes[at, 0] + glyphs.boxes[at, 2]) / 2
    letter = int(at[np.argmin(np.abs(middles - centre))])
    if abs(letter - i) == 1:
        return False
    base = chr(int(glyphs.codes[letter]))
    whole = unicodedata.normalize("NFC", ("i" if base == "ı" else base) + mark)
    if len(whole) != 1:
        return False
    glyphs.codes[letter], glyphs.codes[i] = ord(whole), _NOTHING
    return True


def _close_word(glyphs: Glyphs, i: int) -> None:
    """Take away the spaces beside an accent that was set where it is printed, if they part the letters of a word."""
    before, after = _printed(glyphs, i, -1), _printed(glyphs, i, 1)
    if before < 0 or after < 0:
        return
    size = max(float(glyphs.ink.sizes[glyphs.runs[after]]), 0.1)
    step = float(glyphs.boxes[after, 0] - glyphs.boxes[before, 2])
    baselines = glyphs.ink.origins[glyphs.runs[[before, after]], 1]
    if abs(step) < _CLOSE * size and abs(float(baselines[0] - baselines[1])) < _CLOSE * size:
        between = glyphs.codes[before + 1 : after]
        between[between == _SPACE] = _NOTHING


def _printed(glyphs: Glyphs, i: int, step: int) -> int:
    """The nearest place before or after that is printed, on the same line of the content; -1 where there is none."""
    k = i + step
    while 0 <= k < len(glyphs.codes) and (glyphs.codes[k] == _SPACE or glyphs.codes[k] == _NOTHING):
        k += step
    return k if 0 <= k < len(glyphs.codes) and glyphs.runs[k] >= 0 else -1
