"""Fitting: how well a claim's terms go with a number of a sentence, and with the other numbers of it."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from pincite_provenance.claims.sentences import CLAUSE, ELSEWHERE, FAR, OWN, Sentence, Slot
from pincite_provenance.claims.terms import MOST_OF, Term, Terms, with_long_forms
from pincite_provenance.claims.words import Word, alike

_ASIDE = re.compile(r"(?:Fig(?:ure)?s?|Tables?|Graphs?|Ref|Supplementary)\b", re.IGNORECASE)
_COMPARES = re.compile(r"\b(?:over|than|versus|vs|compared|relative|against|between)\b")
_COMPARING = re.compile(r"relative$|compar(?:ed|ison)$")
_COMPARED = re.compile(r"\b(?:than|versus|vs|compared (?:to|with)|in comparison (?:to|with)|relative to)\b")
"""What says in a claim, and what in a sentence, that something is compared with another."""
_ACTING = re.compile(
    r"\b(?:reduc|increas|decreas|improv|inhibit|caus|lead|led|produc|induc|affect|prevent|enhanc|suppress|rais|lower"
    r"|result|provid|stimulat|block|protect|show|gave|give|exhibit|reveal)(?:es|e|s|ed|d|ing)?\b"
)


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
    """Ranges known otherwise (formulas, the lexicon) to name what the terms' text names."""
    parts: Mapping[str, frozenset[str]] = field(default_factory=dict[str, frozenset[str]])
    """Of such texts the terms that the name is made of: ``film`` of "MgB2 film" is none."""
    implied: frozenset[str] = frozenset()
    """Keys of words that the value's unit says already: "dose" of mg/kg, "duration" of days."""

    def __post_init__(self) -> None:
        self._words = with_long_forms(self.sentence.words, self.abbreviations)
        self._places: dict[tuple[str, str], list[int]] = {}
        quantities = [(one.start, one.end) for one in self.sentence.quantities]
        self._telling = [
            (word, keys)
            for word, keys in self._words
            if not (word.stop or word.light or _ASIDE.match(word.text))
            and not any(start <= word.start < end for start, end in quantities)
        ]

    def places(self, term: Term, terms: Terms) -> list[int]:
        """Offsets of the words that may be the term."""
        key = (terms.text, term.text)
        if key not in self._places:
            found = [word.start for word, keys in self._words if not word.stop and alike(term.keys, keys)]
            found += self._spelled_out(term)
            if term.number is not None:
                found += [q.start for q in self.sentence.quantities if q.value == term.number and not q.word]
            found += [word.start for word in self.sentence.words if word.text.removesuffix("s") in term.initials]
            for alias in terms.aliases:
                found += [word.start for word, _ in self._words if word.keys & alias]
            if term.text in self.parts.get(terms.text, ()):
                found += [start for start, _ in self.named.get(terms.text, ())]
            found += self._initials(term, terms) + self._spelled_initials(term)
            if _COMPARING.match(term.text) and _COMPARES.search(terms.text):
                found += [match.start() for match in _COMPARED.finditer(self.sentence.text)]
            self._places[key] = found
        return self._places[key]

    def _spelled_initials(self, term: Term) -> list[int]:
        return self._in_full(term)[:1]

    def _in_full(self, term: Term) -> list[int]:
        """Words in a row whose initials are the term (``mass median aerodynamic diameter`` for MMAD)."""
        size = len(term.text)
        if not term.text.isupper() or not term.text.isalpha() or not 2 <= size <= 6:
            return []
        words = [word for word in self.sentence.words if not word.stop]
        for start in range(len(words) - size + 1):
            run = words[start : start + size]
            if "".join(word.text[0].upper() for word in run) == term.text:
                return [word.start for word in run]
        return []

    def _spelled_out(self, term: Term) -> list[int]:
        """The words of an abbreviation's long form, where the sentence has most of them."""
        if not term.long:
            return []
        places = [[word.start for word in self.sentence.words if alike(long, word.keys)] for long in term.long]
        if sum(bool(each) for each in places) < MOST_OF * len(places):
            return []
        return [at for each in places for at in each]

    def _initials(self, term: Term, terms: Terms) -> list[int]:
        """``S. mutans`` for Streptococcus mutans: an initial before the next of the terms."""
        index = terms.terms.index(term)
        if not term.text[:1].isupper() or len(term.text) < 4 or index + 1 == len(terms.terms):
            return []
        following = terms.terms[index + 1].keys
        pairs = pairwise(self._words)
        return [a.start for (a, _), (_, keys) in pairs if a.text == term.text[0] and alike(following, keys)]

    def fit(self, terms: Terms, slot: Slot, actors: int = 0, *, name: bool = False) -> Fit:
        """How the terms go with a number; not by words behind ``actors``, where a verb begins another statement."""
        bound: list[Term] = []
        foreign: list[Term] = []
        absent: list[Term] = []
        score = 0.0
        compares = _COMPARES.search(terms.text) is not None
        for term in terms.terms:
            number = slot.quantity
            places = [
                at
                for at in self.places(term, terms)
                if not number.start <= at < number.start + len(number.printed.split()[0])
            ]
            if not places:
                implied = bool(term.keys & self.implied)
                (bound if implied else absent).append(term)
                score += term.weight * OWN if implied else 0.0
                continue
            best = max(self.sentence.weight(slot, at, name=name, compares=compares) for at in places)
            if actors and best > ELSEWHERE:
                best = max(ELSEWHERE if at > actors else self.sentence.weight(slot, at) for at in places)
            if name and self.sentence.is_of_another(slot, places):
                best = min(best, ELSEWHERE)
            score += term.weight * best
            if best >= FAR:
                bound.append(term)
            else:
                foreign.append(term)
        return Fit(terms, tuple(bound), tuple(foreign), tuple(absent), score)

    def _bracketed(self, at: int, slot: Slot) -> bool:
        return any(start < at < end for start, end in self.sentence.brackets if (start, end) != slot.bracket)

    def acting_verb(self, slot: Slot) -> int:
        """Where a verb behind a measured number begins to say something else of it (``120 mg/kg of X reduces Y``)."""
        number = slot.quantity
        if number.unit in ("", "%") or slot.bracket is not None:
            return 0
        verb = _ACTING.search(self.sentence.text, number.end, self.sentence.element(slot)[1])
        return verb.start() if verb else 0

    def owners(self, term: Term, terms: Terms) -> list[Slot]:
        """The numbers that a term stands with."""
        places = self.places(term, terms)
        return [slot for slot in self.sentence.slots if any(self.sentence.weight(slot, at) >= CLAUSE for at in places)]

    def left_out(self, term: Term, terms: Terms) -> bool:
        """Whether all places of the term are where something is left out or compared with."""
        places = self.places(term, terms)
        return bool(places) and all(self.sentence.is_apart(at) for at in places)

    def unexplained(self, slot: Slot, explained: Sequence[Terms]) -> list[Word]:
        """Words that go with the number and that no term explains, names first of all."""
        found: list[Word] = []
        known = [term for terms in explained for term in terms.terms]
        aliases = [alias for terms in explained for alias in terms.aliases]
        ranges = [r for terms in explained for r in self.named.get(terms.text, ())]
        spelled = {at for terms in explained for term in terms.terms for at in self._in_full(term)}
        for word, keys in self._telling:
            if self._bracketed(word.start, slot) or word.start in spelled:
                continue
            if any(start <= word.start < end for start, end in ranges):
                continue
            if any(alike(term.keys, keys) or word.text in term.initials for term in known) or any(
                alias & keys for alias in aliases
            ):
                continue
            if self.sentence.weight(slot, word.start) > CLAUSE:
                found.append(word)
        return found
