"""Slips: values of the gold that an answer gives in another unit, of another attribute, or in another range."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from pincite_materials.units import known
from pincite_scoring.figure_analysis.claims.amounts import in_unit, is_amount
from pincite_scoring.figure_analysis.claims.model import Claim, Claims
from pincite_scoring.figure_analysis.claims.reading import Number, Sentence, name_pattern
from pincite_scoring.figure_analysis.claims.verdicts import ClaimVerdict

_FROM = re.compile(r"\bfrom\s+(?:about\s+|roughly\s+|some\s+)?$", re.IGNORECASE)
"""Before the first end of a change."""
_TO = re.compile(r"\s*(?:\bto\b|→|->)\s*(?:about\s+|roughly\s+|some\s+|only\s+|just\s+)?", re.IGNORECASE)
"""Between the two ends of a change."""
_WORD = re.compile(r"[^\W\d_]{4,}")


def contradict_slips(
    verdicts: Sequence[ClaimVerdict], claims: Claims, sentences: Sequence[Sentence]
) -> list[ClaimVerdict]:
    """The verdicts, values contradicted that the answer gives in another unit or of another attribute."""
    contrasts = _contrasts(claims)
    found: list[ClaimVerdict] = []
    for one in verdicts:
        slip = _slip(one, claims, sentences, contrasts)
        found.append(replace(one, state="contradicted", said=slip[0], reason=slip[1]) if slip else one)
    return found


def changed_ranges(
    sentences: Sequence[Sentence], reference: Sequence[Sentence]
) -> Iterator[tuple[Sentence, Number, str]]:
    """The ends of changes ("from 181 to 245 HV") that the gold (``reference``) gives with another second end, which the
    answer has nowhere, or the other way round; each with its sentence and what the gold says."""
    given = [pair for sentence in reference for pair in _changes(sentence)]
    said = {number.value for sentence in sentences for number in sentence.numbers}
    values = {number.value for sentence in reference for number in sentence.numbers}
    for sentence in sentences:
        for first, second in _changes(sentence):
            is_new = second.value not in values
            for start, end in given:
                if end.unit != second.unit:
                    continue
                has_other_end = is_new and first.value == start.value and end.value not in said
                if has_other_end or _is_turned(sentence, (first, second), (start, end)):
                    yield sentence, second, f"the gold has {start.printed} to {end.printed}"


def _is_turned(sentence: Sentence, said: tuple[Number, Number], gold: tuple[Number, Number]) -> bool:
    """Whether a change "from A to B" has its ends the other way round than the gold."""
    if (said[0].value, said[1].value) != (gold[1].value, gold[0].value) or gold[0].value == gold[1].value:
        return False
    return _FROM.search(sentence.text, 0, said[0].start) is not None


def _changes(sentence: Sentence) -> Iterator[tuple[Number, Number]]:
    """Two numbers of one unit with "to" between them."""
    for first, second in pairwise(sentence.numbers):
        if first.unit == second.unit and _TO.fullmatch(sentence.text, first.end, second.start):
            yield first, second


def _slip(
    verdict: ClaimVerdict, claims: Claims, sentences: Sequence[Sentence], contrasts: Mapping[str, set[str]]
) -> tuple[str, str] | None:
    """The sentence that gives a claim's value in another unit or of another attribute, and what it says."""
    claim = verdict.claim
    if claim.value is None:
        return None
    if verdict.state == "missing":
        return next(_in_other_units(claim, claims, sentences), None)
    if verdict.state in ("carried", "undecided") and verdict.place is not None:
        sentence = sentences[verdict.place[0]]
        clause = sentence.clause_at(verdict.place[1])
        here = {one.key for one in sentence.attributes if clause.holds(one.start)}
        strange = here & contrasts.get(claim.text, set())
        if strange and not here & _attributes_of(claim, claims):
            return sentence.text, f"the answer says it of {min(strange)}"
    return None


def _in_other_units(claim: Claim, claims: Claims, sentences: Sequence[Sentence]) -> Iterator[tuple[str, str]]:
    """Sentences about the claim's subject with its very number in another unit of the same kind."""
    subject = claims.related(claim.subject)
    for sentence in sentences:
        for number in sentence.numbers:
            if number.value != claim.value or not claim.unit or not number.unit or number.unit == claim.unit:
                continue
            if not (known(claim.unit) and known(number.unit)) or (subject and not subject & sentence.keys):
                continue
            converted = in_unit(number, claim.unit)
            if converted is not None and not is_amount(claim, number):
                yield sentence.text, f"the answer gives it in {number.unit}, not in {claim.unit}"


def _contrasts(claims: Claims) -> dict[str, set[str]]:
    """By the text of a claim with a value: attributes of which the gold says another value in the same words, as in
    "A8 lacks 0.17 points of aluminium" and "A6 lacks 0.19 points of titanium"."""
    names = [pattern for _, pattern in (*name_pattern(claims.entities), *name_pattern(claims.attributes))]
    groups: dict[tuple[str, frozenset[str]], dict[str, set[str]]] = {}
    for one in claims.claims:
        attributes = _attributes_of(one, claims)
        if one.value is None or not attributes:
            continue
        words = _plain(one.text, names)
        if words:
            groups.setdefault((one.unit, words), {})[one.text] = attributes
    found: dict[str, set[str]] = {}
    for alike in groups.values():
        every = set[str]().union(*alike.values())
        found |= {text: every - own for text, own in alike.items()}
    return found


def _attributes_of(claim: Claim, claims: Claims) -> set[str]:
    """The attributes that a claim's own sentence names."""
    text = claim.text.lower()
    found: set[str] = set()
    for key, names in claims.attributes.items():
        if any(name.lower() in text for name in names):
            found.add(key)
    return found


def _plain(text: str, names: Sequence[re.Pattern[str]]) -> frozenset[str]:
    """The words of four letters and more of a sentence, without numbers and these names."""
    for name in names:
        text = name.sub(" ", text)
    return frozenset(_WORD.findall(text.lower()))
