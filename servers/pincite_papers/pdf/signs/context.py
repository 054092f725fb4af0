"""Context: whether what stands before and after a sign is what papers print around it."""

import re
from collections.abc import Sequence

from pincite_papers.pdf.signs.ligatures import LETTERS, stands_in_word

_INFIX = frozenset("=+−×÷±∓<>≤≥≪≫∼≈≅≃≠≡∝·/")
_UNITS_OF_DEGREE = frozenset("CFKNESW2θ")
_OPENING, _CLOSING = "([{⟨", ")]}⟩"
_WITHIN = 80
"""Glyphs within which a bracket closes again, on a line or two."""
_NUMBER = re.compile(r"[0-9.−+-]")


def agrees(sign: str, at: int, codes: Sequence[int]) -> bool:
    """Whether the glyphs around place ``at`` are those of a use of ``sign``: only ever a second kind of evidence."""
    if sign in LETTERS:
        return stands_in_word(sign, at, codes)
    before, after = _beside(codes, at, -1), _beside(codes, at, 1)
    if sign == "°":
        return before.isdigit() and (after in _UNITS_OF_DEGREE or not after.isalpha())
    if sign in _INFIX:
        return _operates(sign, before, after)
    if sign in "′″":
        return before.isalnum() and (not after.isalpha() or after.isupper())
    if sign in _OPENING:
        return _closes(codes, at, 1, _CLOSING[_OPENING.index(sign)])
    if sign in _CLOSING:
        return _closes(codes, at, -1, _OPENING[_CLOSING.index(sign)])
    if sign == "µ":
        return before.isdigit() or (before in "(/" and after in "mglMLsFVAWKN")
    return False


def _operates(sign: str, before: str, after: str) -> bool:
    """Whether an operator stands before a number or between two terms."""
    number = bool(_NUMBER.match(after)) if after else False
    if number and sign in "+−±∓∼≈<>≤≥≪≫":
        return True
    term = bool(before) and (before.isalnum() or before in ")]}⟩′%")
    return term and (number or after.isalnum() or after in "([{⟨")


def _beside(codes: Sequence[int], at: int, step: int) -> str:
    """The nearest printed character before or after, at most three places off; empty where there is none."""
    for k in range(at + step, at + 4 * step, step):
        if 0 <= k < len(codes) and codes[k] > 0x20:
            return chr(codes[k])
    return ""


def _closes(codes: Sequence[int], at: int, step: int, partner: str) -> bool:
    places = range(at + step, at + _WITHIN * step, step)
    return any(codes[k] == ord(partner) for k in places if 0 <= k < len(codes))
