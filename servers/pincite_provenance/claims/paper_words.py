"""The words of a whole paper: in how much of it each stands, and which of them are its subject."""

import re
from collections import Counter

from pincite_papers.model import Paper
from pincite_papers.passages import PerPaper
from pincite_provenance.claims.reading import clean
from pincite_provenance.claims.terms import Term
from pincite_provenance.claims.words import alike, read_words, stem

_WORD = re.compile(r"[^\W_]+(?:-[^\W_]+)?")
_PIECE = 1000
"""Characters of the pieces in which words are counted, about a paragraph."""

_SUBJECT = 0.2
"""Share of the pieces that have a word of the paper's subject. Set on the written claims: at 0.1 words of one of
several groups are among them, at 0.3 few names of the one that a paper is about."""

_FEWEST = 10
"""Pieces below which a share says nothing."""


class PaperWords:
    """How common each word is in a paper."""

    def __init__(self, paper: Paper) -> None:
        self._pieces = Counter[str]()
        self._number = 0
        for low in range(0, len(paper.text), _PIECE):
            self._pieces.update({stem(word) for word in set(_WORD.findall(paper.text[low : low + _PIECE]))})
            self._number += 1
        self._title = frozenset[str]().union(*(word.keys for word in read_words(clean(paper.title))))
        self._roots: dict[str, set[str]] = {}
        for key in self._pieces:
            self._roots.setdefault(key[:5], set()).add(key)

    def share(self, keys: frozenset[str]) -> float:
        """The share of the paper's pieces that have the word, by its commonest key or one like it."""
        counts = [self._pieces[key] for key in keys if key in self._pieces and not key.startswith("=")]
        if not counts:
            like = {other for key in keys for other in self._roots.get(key[:5], ()) if alike(keys, frozenset({other}))}
            counts = [self._pieces[other] for other in like if not other.startswith("=")]
        return max(counts, default=0) / max(self._number, 1)

    def is_subject(self, term: Term) -> bool:
        """Whether the paper is about it: a word of the title, or one that stands all over the text."""
        if term.number is not None:
            return False
        if term.keys & self._title:
            return True
        return self._number >= _FEWEST and self.share(term.keys) >= _SUBJECT


paper_words_of = PerPaper(PaperWords)
"""The words of each paper, counted when they are first asked for."""
