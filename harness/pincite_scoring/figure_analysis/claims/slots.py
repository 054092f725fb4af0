"""Slots: whether a number of an answer stands where a claim's value should stand."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise

from pincite_scoring.figure_analysis.claims.amounts import decimals, in_unit
from pincite_scoring.figure_analysis.claims.binding import bind
from pincite_scoring.figure_analysis.claims.conditions import other_condition
from pincite_scoring.figure_analysis.claims.lexicon import DIRECTIONS
from pincite_scoring.figure_analysis.claims.model import Claim, Claims
from pincite_scoring.figure_analysis.claims.reading import Number, Sentence

_SILENT_ROLES = frozenset({"name", "year", "n", "level"})
_LEAST_SHARED = 2
"""Words that a clause must share with a claim without a subject to be about the same: "0.2 points between seeds"."""
_LEAST_SHARED_BARE = 3
"""The same for numbers without a unit, which may be of anything."""
_BOUND = re.compile(r"\b(?:more|less|higher|lower) than\b|\b(?:above|below|within|up to)\b", re.IGNORECASE)
"""A limit in the answer stands for a limit alone."""
_RANGE = re.compile(r"\bbetween\s+(?:about\s+|roughly\s+)?$", re.IGNORECASE)
_AND = re.compile(r"\s*(?:and|to)\s*(?:about\s+|roughly\s+)?", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{4,}")
_COMMON = frozenset(
    {"with", "that", "from", "than", "this", "only", "about", "more", "less", "under", "over", "point", "points"}
)


def stands_in_slot(claim: Claim, claims: Claims, sentence: Sentence, number: Number) -> bool:
    """Whether a number is of the claim's unit and said of its subject, at its condition, compared with its object and
    in a clause with a direction where the claim has one: the place of the claim's value."""
    if number.role in _SILENT_ROLES or (number.word and not number.unit):
        return False
    if number.bound and not _BOUND.search(claim.text):
        return False
    if not _is_like(claim, number) or other_condition(claim, sentence, number):
        return False
    if claim.at and not set(claim.at) & set(sentence.keys):
        return False
    named = set(sentence.keys) | (set(sentence.before) if sentence.refers_back else set[str]())
    others = claims.related(claim.object)
    if others and not others & named:
        return False
    clause = sentence.clause_at(number.start)
    if claim.relation and not {one.concept for one in clause.said} & DIRECTIONS:
        return False
    return _is_said_of(claim, claims, sentence, number)


def range_ends(sentences: Sequence[Sentence]) -> Iterator[tuple[tuple[int, int], tuple[int, int]]]:
    """The places of the two ends of each range ("between 80 and 160"), either way round: which sentence, and where."""
    for place, sentence in enumerate(sentences):
        for one, other in pairwise(sentence.numbers):
            if _RANGE.search(sentence.text, 0, one.start) and _AND.fullmatch(sentence.text, one.end, other.start):
                yield (place, one.start), (place, other.start)
                yield (place, other.start), (place, one.start)


def _is_like(claim: Claim, number: Number) -> bool:
    """Whether a number is of the claim's kind: of its unit or, where that has none, with as many decimals."""
    if claim.unit or number.unit:
        return bool(claim.unit and number.unit) and in_unit(number, claim.unit) is not None
    places = decimals(number.printed)
    return claim.value is not None and places > 0 and round(claim.value, places) == claim.value


def _is_said_of(claim: Claim, claims: Claims, sentence: Sentence, number: Number) -> bool:
    """Whether a number is said of the claim's subject; without one, whether its clause has the claim's words."""
    clause = sentence.clause_at(number.start)
    mine = claims.related(claim.subject)
    entities = mine & set(claims.entities)
    if entities:
        bound = bind(sentence, number, claims.kind_of(claim.subject))
        return bool(entities & {*bound.surely, *bound.likely})
    if mine:
        return any(clause.holds(one.start) and one.key in mine for one in sentence.attributes)
    said = sentence.text[clause.start : clause.end]
    least = _LEAST_SHARED if number.unit else _LEAST_SHARED_BARE
    return bool(claim.at) or len(_words(said) & _words(claim.text)) >= least


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)} - _COMMON
