"""Counters: their values, and which are set to zero by which."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import pairwise

_ROMAN = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)
_SYMBOLS = ("*", "†", "‡", "§", "¶", "‖", "**", "††", "‡‡")
_MOST = 100_000
"""The highest value of a counter. Set by judgement."""
_LEVELS = ("part", "chapter", "section", "subsection", "subsubsection", "paragraph", "subparagraph")


@dataclass(slots=True)
class Counters:
    """Values by name; ``within`` gives the counter whose stepping resets one."""

    values: dict[str, int] = field(default_factory=dict[str, int])
    within: dict[str, str] = field(default_factory=lambda: {low: high for high, low in pairwise(_LEVELS[1:])})

    def step(self, name: str) -> None:
        """Add one, and set those within to zero."""
        self.values[name] = self.values.get(name, 0) + 1
        changed = {name}
        # Each pass takes in one more level; there are few counters.
        for _ in range(8):
            inner = {low for low, high in self.within.items() if high in changed} - changed
            if not inner:
                break
            changed |= inner
            self.values.update(dict.fromkeys(inner, 0))

    def set(self, name: str, value: int) -> None:
        """Set a value."""
        self.values[name] = max(-_MOST, min(value, _MOST))

    def get(self, name: str) -> int:
        """A value; 0 for a counter never used."""
        return self.values.get(name, 0)


def roman(number: int) -> str:
    """A number in small Roman numerals."""
    if not 0 < number < 4000:
        return str(number)
    found: list[str] = []
    for value, digits in _ROMAN:
        count, number = divmod(number, value)
        found.append(digits * count)
    return "".join(found)


def letter(number: int) -> str:
    """1 is a, 27 is aa (where LaTeX gives up)."""
    found = ""
    while number > 0:
        number, place = divmod(number - 1, 26)
        found = chr(ord("a") + place) + found
    return found


def symbol(number: int) -> str:
    """The footnote symbol of a number."""
    return _SYMBOLS[number - 1] if 0 < number <= len(_SYMBOLS) else str(number)


FORMATS: dict[str, Callable[[int], str]] = {
    "arabic": str,
    "roman": roman,
    "Roman": lambda number: roman(number).upper(),
    "alph": letter,
    "Alph": lambda number: letter(number).upper(),
    "fnsymbol": symbol,
}
"""How ``\\arabic`` and its kin print a value."""
