"""Fitting: how well a claim's terms go with a number of a sentence, and with the other numbers of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from pincite_provenance.claims.sentences import ELSEWHERE, FAR, Sentence, Slot
from pincite_provenance.claims.terms import Term, Terms, with_long_forms
from pincite_provenance.claims.words import Word, alike


@dataclass(frozen=True, slots=True)
class Fit:
    """Where the terms of a material or property are, seen from one number.

    ``bound`` stand with the number or with what it shares, ``foreign`` with other numbers only, ``absent`` nowhere in
    the sentence; ``score`` is the sum of the weights by how surely each goes with the number.
    """

    terms: Terms
    bound: tuple[Term, ...] = ()
    foreign: tuple[Term, ...] = ()
    absent: tuple[Term, ...] = ()
    score: float = 0.0

    def share(self, terms: Sequence[Term]) -> float:
        """The weight of ``terms`` among all."""
        return sum(term.weight for term in terms) / (self.terms.total or 1.0)


@dataclass
class Matcher:
    """Where a sentence has the terms of a claim's material and property."""

    sentence: Sentence
    abbreviations: Mapping[str, str]
    named: Mapping[str, Sequence[tuple[int, int]]] = field(default_factory=dict[str, Sequence[tuple[int, int]]])
    """Ranges known otherwise (formulas, the lexicon) to name all of the terms' text."""

    def __post_init__(self) -> None:
        self._words = with_long_forms(self.sentence.words, self.abbreviations)
        self._places: dict[tuple[str, str], list[int]] = {}

    def places(self, term: Term, terms: Terms) -> list[int]:
        """Offsets of the words that may be the term."""
        key = (terms.text, term.text)
        if key not in self._places:
            found = [word.start for word, keys in self._words if not word.stop and alike(term.keys, keys)]
            for alias in terms.aliases:
                found += [word.start for word, keys in self._words if word.keys & alias]
            found += [start for start, _ in self.named.get(terms.text, ())]
            found += self._initials(term)
            self._places[key] = found
        return self._places[key]

    def _initials(self, term: Term) -> list[int]:
        """``S.`` for Streptococcus: an initial with a full stop, before a name."""
        if not term.text[:1].isupper() or len(term.text) < 4:
            return []
        text = self.sentence.text
        return [
            word.start
            for word in self.sentence.words
            if len(word.text) == 1 and word.text == term.text[0] and text[word.end : word.end + 1] == "."
        ]

    def fit(self, terms: Terms, slot: Slot) -> Fit:
        """How the terms go with a number."""
        bound: list[Term] = []
        foreign: list[Term] = []
        absent: list[Term] = []
        score = 0.0
        for term in terms.terms:
            number = slot.quantity
            places = [at for at in self.places(term, terms) if not number.start <= at < number.start + len(number.printed.split()[0])]
            if not places:
                absent.append(term)
                continue
            best = max(self.sentence.weight(slot, at) for at in places)
            score += term.weight * best
            if best >= FAR:
                bound.append(term)
            else:
                foreign.append(term)
        return Fit(terms, tuple(bound), tuple(foreign), tuple(absent), score)

    def unexplained(self, slot: Slot, explained: Sequence[Terms]) -> list[Word]:
        """Words that go with the number and that no term explains, names first of all."""
        found: list[Word] = []
        known = [term for terms in explained for term in terms.terms]
        aliases = [alias for terms in explained for alias in terms.aliases]
        ranges = [r for terms in explained for r in self.named.get(terms.text, ())]
        for word, keys in self._words:
            if word.stop or word.light or any(q.start <= word.start < q.end for q in self.sentence.quantities):
                continue
            if any(start <= word.start < end for start, end in ranges):
                continue
            if any(alike(term.keys, keys) for term in known) or any(alias & keys for alias in aliases):
                continue
            if self.sentence.weight(slot, word.start) > ELSEWHERE:
                found.append(word)
        return found
