"""Words of works and queries, brought to one form so that a search finds what a reader would.

Stated here, since the sources do not publish theirs: letters and digits in lower case without accents, subscripts as
digits; common English endings are cut from words of letters alone ("superconducting" and "superconductivity" are one
word, "La3Ni2O7" stays as it is).
"""

import re
import unicodedata

_WORD = re.compile(r"[^\W_]+")
_ENDINGS = (
    "ivities", "ations", "ivity", "ation", "ities", "ments", "ings", "ions", "ives", "ment", "ants", "ents", "ies",
    "ing", "ion", "ive", "ity", "ors", "ers", "ed", "es", "or", "er", "ic", "al", "ly", "s", "y", "e",
)  # fmt: skip
_LEAST = 4
"""Letters that an ending leaves."""

STOP = frozenset({
    "a", "an", "and", "are", "as", "at", "be", "been", "by", "for", "from", "has", "have", "in", "is", "it", "its",
    "of", "on", "or", "that", "the", "their", "this", "to", "was", "we", "were", "which", "with",
})  # fmt: skip
"""Words that no search asks for."""


def split(text: str) -> list[str]:
    """The words of a text in their order, each in its one form."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return [stem(word) for word in _WORD.findall("".join(c for c in plain if not unicodedata.combining(c)))]


def stem(word: str) -> str:
    """A word without its endings, as long as at least 4 letters stay; words with digits as they are."""
    if not word.isalpha() or not word.isascii():
        return word
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _LEAST:
            return word[: -len(ending)]
    return word
