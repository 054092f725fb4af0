"""Claim: does a quote say that a material has a property that no value tells of?"""

import re
from collections.abc import Sequence
from functools import lru_cache

from pincite_materials.text import plain
from pincite_scoring.precedent_search.answer import Source

_WORD = re.compile(r"[^\W\d_]+")
_LEAST_STEM = 4
"""Letters at the beginning that two forms of a word have in common: growth, grown."""
_LEAST_WORDS = 2
"""Words of the property's name that a quote must say; one alone (crystals) is of any property."""
_SAYS_LITTLE = frozenset({"a", "an", "at", "by", "for", "from", "in", "of", "on", "the", "to", "with", "and", "or"})
_DENIES = frozenset({"no", "not", "never", "neither", "nor", "without", "cannot", "failed", "absence", "lack", "non"})
_SCOPE = 3
"""Words before a word in which a denial is of it: without any flux."""


def carries(quote: str, wanted: str, gold: Sequence[Source]) -> bool:
    """Whether a quote carries a claim: a longer or shorter form of a gold quote, or one that says two words at least of
    the property's name (all, where it has fewer) and denies none of these throughout."""
    stems = [word for word in dict.fromkeys(_words(wanted)) if word not in _SAYS_LITTLE]
    least = min(_LEAST_WORDS, len(stems))
    if not least or any(_is_part(quote, true.quoted_span) for true in gold):
        return True
    said = _affirmed(quote)
    return sum(any(_one_stem(stem, word) for word in said) for stem in stems) >= least


def _is_part(quote: str, gold: str) -> bool:
    """Whether the gold's quote stands in this one."""
    mine, true = " ".join(_words(quote)), " ".join(_words(gold))
    return bool(true) and f" {true} " in f" {mine} "


def _affirmed(quote: str) -> frozenset[str]:
    """The words of a quote that no denial stands before."""
    words = _words(quote)
    return frozenset(word for at, word in enumerate(words) if not _DENIES & {*words[max(0, at - _SCOPE) : at]})


@lru_cache(maxsize=1024)
def _words(text: str) -> tuple[str, ...]:
    return tuple(_WORD.findall(plain(text).casefold()))


def _one_stem(a: str, b: str) -> bool:
    short = min(len(a), len(b))
    shared = next((n for n in range(short) if a[n] != b[n]), short)
    return a == b or (shared >= _LEAST_STEM and shared >= short - 2)
