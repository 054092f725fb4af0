"""Lexicon: whether read words are words, by a list of common ones, by their shape, and by the document itself."""

import functools
import importlib
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from importlib import resources
from typing import Any, cast

from pincite_papers.pdf.layout.pages import ReadPage

_LEAST_LETTERS = 3
"""Shorter words are like anything else that short."""
_OWN = 3
"""A word that a document prints so often is a word of it: a name, a term. Misreadings seldom recur alike."""
_LETTERS = re.compile(r"[A-Za-z]+(?:[’'][a-z]{1,2})?")
_EDGES = "()[]{}.,;:!?\"'“”‘’*†‡§<>«»"
_ENGLISH = frozenset({"the", "of", "and", "in", "to", "a", "is", "for", "with"})
_LEAST_ENGLISH = 0.08
"""Share of the commonest words: English prose has above 0.15, its tables and reference lists less than this, other
languages hardly any."""


class Lexicon:
    """The words that occur in at least two of 188 open-access articles (see ``data/README.md``), their stems, and what
    the document itself repeats."""

    def __init__(self, texts: Iterable[str]) -> None:
        tokens = (token for text in texts for token in text.split())
        words = [word.casefold() for word in map(letters_of, tokens) if word]
        counts = Counter(words)
        self._own = {word for word, count in counts.items() if count >= _OWN}
        common = sum(counts[word] for word in _ENGLISH)
        self.applies = common >= _LEAST_ENGLISH * max(len(words), 1)
        """Whether the document is in English, the language of the list."""

    def knows(self, word: str) -> bool:
        """Whether a word of letters (see ``letters_of``) is known, a name (capitalised), or too short to tell."""
        plain = word.casefold().split("'")[0].split("’")[0]
        if len(plain) < _LEAST_LETTERS or plain in self._own or plain in _words():
            return True
        return _stem()(plain) in _stems()


def lexicon_of(pages: Sequence[ReadPage]) -> Lexicon:
    """The lexicon with what the lines of the pages repeat."""
    return Lexicon(line.text for page in pages for line in page.layout.lines)


def letters_of(token: str) -> str:
    """The word that a token is, without brackets and punctuation; "" for any other, as ``3.5`` or ``x=1``."""
    bare = token.strip(_EDGES)
    return bare if _LETTERS.fullmatch(bare) else ""


@functools.cache
def _words() -> frozenset[str]:
    content = resources.files("pincite_papers.pdf.ocr").joinpath("data/words.txt").read_text("ascii")
    return frozenset(content.split())


@functools.cache
def _stems() -> frozenset[str]:
    stem = _stem()
    return frozenset(stem(word) for word in _words())


@functools.cache
def _stem() -> Callable[[str], str]:
    package = cast("Any", importlib.import_module("Stemmer"))  # it has no types
    return package.Stemmer("english").stemWord
