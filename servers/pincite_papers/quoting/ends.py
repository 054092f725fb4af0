"""Ends: a quote that begins or stops inside a word, a number, a unit or a range is not a quote of it."""

import re

from pincite_papers.quoting.skeleton import DASHES

_NEGATIONS = re.compile(r"(?:\b(?:non|un|anti|in|im|a|quasi|pseudo|pre|sub|anti))[-‐‑–]$", re.IGNORECASE)
_LONE_MINUS = re.compile(r"(?:[A-Za-z]{2}|[^\w)\]}])\s*−\s$")
_POWER_BEHIND = re.compile(r"\s?[×x·⋅]\s?10(?:\^|[-−–⁻]?\d|[⁰¹²³⁴-⁹⁻])")
_NOTE_BEHIND = re.compile(r"\^\{?[\d*†‡§a-z](?:[\d,;–−‐-]|\s\d)*\}?(?![\w−-])")
_NOTE_BEFORE = re.compile(r"(?:^|[\s(\[])\^\{[^{}]{1,6}\}$")
_PLAIN_WORD = re.compile(r"[A-Z]?[a-z]{3}")
"""A word behind a note's mark (``^{7}Department``); in ``^{7}Li`` the mark is a part of the name."""

_NOTE_OF_A_CELL = re.compile(r"\^\{?[a-h*†‡§](?:,\s?[a-h*†‡§])*\}?(?=\s*(?:[\t\n]|$))")
"""A note's mark that ends a cell, behind a number (``0.37^c``); ``^n`` would be a power."""
_BEFORE_A_NOTE = re.compile(r"(?:[A-Za-z]{4}|[.,;:)\]”’\"'])$")


def whole(text: str, start: int, end: int) -> tuple[int, int]:
    """``start`` and ``end``, moved outwards so that no word, number, unit or range is cut."""
    low = start
    while low > 0 and _cut_before(text, low):
        low -= 1
    high = end
    while high < len(text) and _cut_behind(text, high):
        high += 1
    return low, high


def close_braces(text: str, start: int, end: int) -> int:
    """``end``, behind the brace that closes a script whose opening one is inside."""
    if text.startswith("}", end) and text.count("{", start, end) > text.count("}", start, end):
        return end + 1
    return end


def _cut_before(text: str, at: int) -> bool:
    before, first = text[at - 1], text[at]
    if before.isalnum():
        return first.isalnum() or first in "^_{" or (first in DASHES and text[at + 1 : at + 2].isdigit())
    if before in "{^_":
        return (at >= 2 and not text[at - 2].isspace()) or first in "{^_"
    if before == "}":
        noted = _NOTE_BEFORE.search(text, max(at - 12, 0), at) and _PLAIN_WORD.match(text, at)
        return first.isalnum() and not noted
    if first.isdigit():
        if before in ".,":
            return at < 2 or text[at - 2].isdigit() or (before == "." and text[at - 2].isspace())
        if before in DASHES:
            return True
        return before.isspace() and _LONE_MINUS.search(text, max(at - 8, 0), at) is not None
    if before in DASHES:
        return first.isalpha() and _NEGATIONS.search(text, max(at - 8, 0), at) is not None
    if first in ".," and before.isdigit():
        return text[at + 1 : at + 2].isdigit()
    return False


def _cut_behind(text: str, at: int) -> bool:
    last, after = text[at - 1], text[at]
    following = text[at + 1 : at + 2]
    if after.isalnum():
        return last.isalnum() or last in "^_{" or (last in DASHES and after.isdigit() and not text[at - 2].isspace())
    if after in "^_{":
        noted = _NOTE_BEHIND.match(text, at) and _BEFORE_A_NOTE.search(text, max(at - 4, 0), at)
        noted = noted or (last.isdigit() and _NOTE_OF_A_CELL.match(text, at))
        return not last.isspace() and not noted
    if after == "}":
        return True
    if after in DASHES and following.isdigit():
        return last.isalnum() or last in "^{"
    if last.isdigit():
        return (after in ".," and following.isdigit()) or _POWER_BEHIND.match(text, at) is not None
    if last in ".," and after.isdigit():
        return text[at - 2].isdigit()
    return False


def open_marks(text: str, start: int) -> int:
    """``start``, before the script marks that open a word there (``^{7}Li``)."""
    low = start
    while low > 0 and text[low - 1] in "{^_":
        low -= 1
    return low if low == 0 or text[low - 1].isspace() or text[low - 1] in "([/,;" else start
