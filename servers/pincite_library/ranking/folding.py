"""Text made comparable before it is cut into terms: one form for dashes, marks, letters, digits and line ends.

Patterns open with the sign they look for and look behind from there: a page is passed at the speed of a search for it.
"""

import re
import unicodedata

from pincite_core.characters import (
    ACUTE,
    LETTER_APOSTROPHE,
    LINE_DASHES,
    LOWERED_MINUS,
    PRIME,
    RAISED_DIGITS,
    RAISED_MINUS,
    SINGLE_QUOTES,
    THIN_SPACES,
    UNSEEN,
)
from pincite_library.ranking.function_words import GREEK

SEAM = "\x1f"
"""Stands within a word where script marks or a Greek letter end: both sides, and the whole, are terms."""

_SIGNS = (
    dict.fromkeys(LINE_DASHES + LOWERED_MINUS, "-")
    | dict.fromkeys(SINGLE_QUOTES + LETTER_APOSTROPHE + PRIME + ACUTE, "'")
    | dict.fromkeys("\u22c5\u2022\u2219\u2027\u30fb", "·")
    | dict.fromkeys(UNSEEN, "")
    | {"\u2715": "×", "\u2044": "/", "\u2215": "/", "ß": "ss", "ı": "i", "ł": "l", "ø": "o", "đ": "d", "Ø": "O"}
)
_RAISED = dict(zip(f"{RAISED_DIGITS}⁺{RAISED_MINUS}", "0123456789+-", strict=True))
_RAISED_RUN = re.compile("[⁺⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_ANGSTROM = re.compile(r"[\u00c5\u212b](?<![^\W\d].)(?![^\W\d_])")
_GREEK_RUN = re.compile(r"[\u0391-\u03ff]{1,2}(?![\u0370-\u03ff])(?<![\u0370-\u03ff]{3})")
_STRAY_SEAM = re.compile(rf"{SEAM}+(?![^\W_])|{SEAM}(?<![^\W_].)")
_ACCENTS = re.compile("[\u0300-\u036f]+")
_BROKEN_WORD = re.compile(r"-(?<=[^\W_]-) ?\r?\n ?(?=[^\W_])")
_RAISED_NUMBER = re.compile(r"\^(?<=\d\^)(?=\{?[-+]?\d)")
_MARK_BY_WORD = re.compile(r"[\^_](?:(?<=[a-z]{3}.)\{?(?=[^\W_])|(?<=[^\W_].)\{?(?=[A-Za-z]{3}))")
_MARKS = str.maketrans("", "", "_{}")
_THIN_GROUP = re.compile(rf"[{THIN_SPACES}](?<=[0-9].)(?=[0-9]{{3}}(?![0-9]))")


def fold(text: str) -> str:
    """``text`` with one form for what print varies; ``^`` is left only between digits (``10^-3``), ``_{}`` nowhere.

    NFKC but for raised digits after digits (10² is not 102); accents go, single Greek letters get their names, a word
    broken at a line's end is joined by its hyphen.
    """
    if SEAM in text:
        text = text.replace(SEAM, " ")
    if not text.isascii():
        text = _fold_unicode(text)
    if "-" in text and "\n" in text:
        text = _BROKEN_WORD.sub("-", text)
    if "^" in text or "_" in text:
        text = _MARK_BY_WORD.sub(SEAM, text)
        text = _RAISED_NUMBER.sub("\x1e", text).replace("^", "").replace("\x1e", "^")
    return text.translate(_MARKS) if "_" in text or "{" in text else text


def _fold_unicode(text: str) -> str:
    odd = {sign for sign in set(text) if sign > "\x7f"}
    if not odd.isdisjoint(THIN_SPACES):
        text = _THIN_GROUP.sub("", text)
    if not odd.isdisjoint(_RAISED):
        text = _RAISED_RUN.sub(_lowered, text)
    if not odd.isdisjoint("\u00c5\u212b"):
        text = _ANGSTROM.sub(" angstrom ", text)
    for sign in odd & _SIGNS.keys():
        text = text.replace(sign, _SIGNS[sign])
    if not text.isascii():
        text = unicodedata.normalize("NFC", _ACCENTS.sub("", unicodedata.normalize("NFKD", text)))
        text = _GREEK_RUN.sub(_named, text)
    return _STRAY_SEAM.sub("", text) if SEAM in text else text


def _lowered(run: re.Match[str]) -> str:
    """Raised signs as ``^`` and what they are: ``fold`` keeps the mark between digits and drops it elsewhere."""
    return "^" + "".join(_RAISED[sign] for sign in run[0])


def _named(run: re.Match[str]) -> str:
    names = [GREEK.get(letter, letter) for letter in run[0].lower()]
    return SEAM + SEAM.join(names) + SEAM
