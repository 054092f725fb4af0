"""Names beside a number: the words of a row's labels, and whether a word stands among others."""

import re
from collections.abc import Sequence
from functools import lru_cache

from pincite_provenance.audit.context_words import LIGHT, ContextWord, label_words
from pincite_provenance.audit.source import SourceQuantity
from pincite_provenance.claims.tablecells import without_units


@lru_cache(maxsize=4096)
def _name_words(label: str) -> tuple[ContextWord, ...]:
    """The words of a row's label without its units."""
    return label_words(without_units(label))


@lru_cache(maxsize=4096)
def keys_of(row: tuple[str, ...]) -> frozenset[str]:
    """The keys of all words of a row's labels."""
    return frozenset[str]().union(*(word.keys for word in words_of(row)))


def is_named(row: Sequence[str], other: Sequence[str], words: Sequence[ContextWord]) -> bool:
    """Whether these words have all by which a label of a row differs from another row, and one of them says more than
    that it is a group."""
    theirs = words_of(other)
    for label in row:
        own = [word for word in _name_words(label) if not is_among(word, theirs)]
        if any(word.weight > LIGHT for word in own) and all(is_among(word, words) for word in own):
            return True
    return False


def words_of(labels: Sequence[str]) -> list[ContextWord]:
    return [word for label in labels for word in _name_words(label)]


def pattern_of(name: str) -> str:
    """The shape of a name: ``E4`` and ``E12`` have one, formulas of the same elements too."""
    letters = re.sub(r"[\d.,−–-]+", "#", name)
    return re.sub(r"#+", "#", letters)


def is_among(word: ContextWord, words: Sequence[ContextWord]) -> bool:
    return any(word.keys & other.keys for other in words)


def has_word(entry: SourceQuantity, word: ContextWord) -> bool:
    """Whether a word stands near to a number, or in its paragraph or caption."""
    return is_among(word, entry.near) or is_among(word, entry.far)
