"""Skeletons: what is left of a text when everything that print and copying change is taken out of it.

A quote can stand in a paper only where its skeleton does. Whether it does stand there is told by what was taken out
(``quoting.gaps``): two texts of one skeleton may still differ in a sign, a power or a number.
"""

import unicodedata
from dataclasses import dataclass
from typing import TYPE_CHECKING

from pincite_core import characters

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

SUPERSCRIPTS = frozenset(characters.RAISED_DIGITS + "⁺⁻⁼⁽⁾ⁿⁱ")
SUBSCRIPTS = frozenset(characters.LOWERED_DIGITS + "₊₋₌₍₎")
HYPHENS = frozenset("-\u2043" + characters.HYPHENS + characters.FORM_HYPHENS)
DASHES = HYPHENS | frozenset(characters.LINE_DASHES + characters.RAISED_MINUS + characters.LOWERED_MINUS)
INVISIBLE = frozenset(characters.UNSEEN + "\u200e\u200f")
MARKS = frozenset("^_{}")
_SINGLE = (
    characters.SINGLE_QUOTES
    + characters.LOW_SINGLE_QUOTES
    + characters.LETTER_APOSTROPHE
    + characters.ACUTE
    + characters.PRIME
    + "`ʹˈ"
)
_DOUBLE = characters.DOUBLE_QUOTES + characters.LOW_DOUBLE_QUOTES + characters.ANGLED_QUOTES + characters.DOUBLE_PRIME
_ALIKE = {
    **dict.fromkeys(_SINGLE, "'"),
    **dict.fromkeys(_DOUBLE, '"'),
    **dict.fromkeys("∼˜～", "~"),
    **dict.fromkeys("⁄∕", "/"),
    **dict.fromkeys("⋅∙•·‧・", "·"),
    **dict.fromkeys("×✕⨯", "x"),
    **dict.fromkeys("∥‖∣", "|"),
    **dict.fromkeys("⩽≦", "≤"),
    **dict.fromkeys("⩾≧", "≥"),
    **dict.fromkeys("º˚∘", "°"),
    "∆": "Δ",
    "ɛ": "ε",
    "ϕ": "φ",
    "∶": ":",
}


class _Folds(dict[str, str]):
    """The skeleton of each character, found on first use."""

    def __missing__(self, character: str) -> str:
        self[character] = found = _fold(character)
        return found


def _fold(character: str) -> str:
    """Fractions and numbers in circles stay one character: ``1½`` is not ``11/2``."""
    if character.isspace() or character in DASHES or character in INVISIBLE or character in MARKS:
        return ""
    if character in _ALIKE:
        return _ALIKE[character]
    if unicodedata.category(character) == "No" and character not in SUPERSCRIPTS | SUBSCRIPTS:
        return character
    pieces = unicodedata.normalize("NFKD", character)
    return "".join(_ALIKE.get(piece, piece) for piece in pieces if not piece.isspace() and piece not in DASHES)


_FOLDS = _Folds()


@dataclass(frozen=True, slots=True)
class Skeleton:
    """``bare`` is the text without white space, dashes, script marks and invisible characters, ligatures and
    compatibility characters resolved, quotation marks and lookalikes in one form; case is kept.

    ``offsets[i]`` is where ``bare[i]`` comes from in ``text``; a ligature gives one offset to several.
    """

    text: str
    bare: str
    offsets: "npt.NDArray[np.int64]"

    @classmethod
    def of(cls, text: str) -> "Skeleton":
        """The skeleton of ``text``; linear in its length."""
        import numpy as np

        pieces = [_FOLDS[character] for character in text]
        lengths = np.fromiter(map(len, pieces), np.int64, len(pieces))
        return cls(text, "".join(pieces), np.repeat(np.arange(len(pieces)), lengths))

    def span(self, at: int, length: int) -> tuple[int, int]:
        """The range of ``text`` that ``bare[at:at + length]`` comes from."""
        return int(self.offsets[at]), int(self.offsets[at + length - 1]) + 1


def folded(character: str) -> str:
    """What stands for ``character`` in a skeleton."""
    return _FOLDS[character]
