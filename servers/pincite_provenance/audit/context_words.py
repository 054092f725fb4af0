"""The words that stand around a number, by which a number of a report is told to be the one of a source."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pincite_provenance.claims.quantities import Quantity, find_quantities
from pincite_provenance.claims.words import read_words

FULL, LIGHT = 1.0, 0.3
"""How much a word counts; those such as "value" or "group" say little of what a value is."""
CONDITION = 0.6
"""The same for another number beside it, which may be a condition (300 K) or the next of a list."""
_CLAUSE_END = re.compile(r"[,;()]\s|\s(?:and|while|whereas|but|against|versus|with|or)\s")


@dataclass(frozen=True, slots=True)
class ContextWord:
    """``keys`` are all the stems and marks of synonyms under which the word is found; ``entity`` is what looks like a
    name: a formula, a code of a sample."""

    text: str
    keys: frozenset[str]
    weight: float
    entity: bool = False

    @property
    def is_number(self) -> bool:
        """Whether it is another quantity."""
        return self.weight == CONDITION


class TextWords:
    """The words of a text in the spelling of ``reading.clean``, without those that name nothing; each of its quantities
    is one word."""

    def __init__(self, text: str, quantities: Sequence[Quantity] | None = None) -> None:
        self.text = text
        self.quantities = find_quantities(text) if quantities is None else tuple(quantities)
        taken = [(each.start, each.end) for each in self.quantities]
        self._words: list[tuple[int, ContextWord]] = []
        at = 0
        for word in read_words(text):
            while at < len(taken) and taken[at][1] <= word.start:
                at += 1
            if word.stop or (at < len(taken) and taken[at][0] <= word.start):
                continue
            weight = LIGHT if word.light else FULL
            self._words.append((word.start, ContextWord(word.text, word.keys, weight, word.entity)))
        self._numbers = [(each, _condition(each)) for each in self.quantities]

    def within(self, low: int, high: int, without: Quantity | None = None) -> tuple[ContextWord, ...]:
        """The words of ``text[low:high]``, each once, without the quantity that is asked about."""
        words = [word for start, word in self._words if low <= start < high]
        numbers = [word for each, word in self._numbers if each is not without and low <= each.start < high]
        return once((*words, *numbers))

    def around(self, quantity: Quantity) -> tuple[ContextWord, ...]:
        """The words of the whole text but the quantity."""
        return self.within(0, len(self.text), quantity)

    def beside(self, quantity: Quantity) -> tuple[ContextWord, ...]:
        """The words of the quantity's clause."""
        return self.within(*self.clause(quantity), quantity)

    def clause(self, quantity: Quantity) -> tuple[int, int]:
        """The part of the text between marks or joining words around a quantity."""
        low = 0
        for match in _CLAUSE_END.finditer(self.text, 0, quantity.start):
            low = match.end()
        following = _CLAUSE_END.search(self.text, quantity.end)
        return min(low, quantity.start), following.start() if following is not None else len(self.text)


def once(words: Iterable[ContextWord]) -> tuple[ContextWord, ...]:
    """Each word once, the first of its keys."""
    found: dict[frozenset[str], ContextWord] = {}
    for word in words:
        found.setdefault(word.keys, word)
    return tuple(found.values())


@lru_cache(maxsize=4096)
def label_words(text: str) -> tuple[ContextWord, ...]:
    """The words of a label, a caption or a heading."""
    return TextWords(text).within(0, len(text))


def number_key(quantity: Quantity) -> str:
    """The key under which a quantity beside another is found."""
    return f"#{quantity.value:g} {quantity.unit}"


def _condition(quantity: Quantity) -> ContextWord:
    return ContextWord(quantity.printed, frozenset({number_key(quantity)}), CONDITION)
