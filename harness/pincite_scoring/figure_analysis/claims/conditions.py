"""Conditions: at which quantity, such as a temperature, a number of a sentence is said to hold."""

import re
from collections.abc import Iterator, Sequence

from pincite_scoring.figure_analysis.claims.amounts import is_amount
from pincite_scoring.figure_analysis.claims.model import Claim, Claims
from pincite_scoring.figure_analysis.claims.reading import Number, Sentence, read_numbers

_AT = re.compile(r"\b(?:at|after|with|on)\s+(?:about\s+|only\s+|just\s+)?$", re.IGNORECASE)
"""Before a quantity that is a condition, and not an end of a range."""
_DIRECTLY = re.compile(r"[^,;.()\d]{0,40}\b(?:at|after)\s+(?:about\s+)?", re.IGNORECASE)
"""From a number to the condition behind it, both in one phrase: "39 % at 300 K"."""


_UNITS_OF_CONDITIONS = ("K", "°C", "s", "min", "h", "d", "dB", "V", "T", "Hz", "kHz", "MHz", "GHz")
"""Units of temperature, time, noise, voltage, field and frequency: quantities that others are given at."""


def with_conditions(claims: Claims, gold: Sequence[Sentence]) -> Claims:
    """The claims, those with a value that name no condition with the one that the gold's own text gives it."""
    return claims.model_copy(update={"claims": [_with_condition(one, gold) for one in claims.claims]})


def _with_condition(claim: Claim, gold: Sequence[Sentence]) -> Claim:
    if claim.value is None or claim.condition:
        return claim
    said = {
        condition
        for sentence in gold
        for number in sentence.numbers
        if is_amount(claim, number)
        for condition in _conditions_with(sentence, number)
    }
    return claim.model_copy(update={"condition": said.pop()}) if len(said) == 1 else claim


def _conditions_with(sentence: Sentence, number: Number) -> Iterator[str]:
    """The conditions in a number's own clause, each the only one of its unit in the sentence."""
    clause = sentence.clause_at(number.start)
    for unit in _UNITS_OF_CONDITIONS:
        alike = [one for one in sentence.numbers if one.unit == unit]
        if unit != number.unit and len(alike) == 1 and clause.holds(alike[0].start):
            one = _condition_of(sentence, number, unit)
            if one is not None:
                yield one.printed


def other_condition(claim: Claim, sentence: Sentence, number: Number) -> str:
    """The condition that a number is said to hold at, where it is not the claim's; empty where it is, or none is
    given. One directly behind the number goes before the last one ahead of it in its sentence."""
    wanted = next(iter(read_numbers(claim.condition, ())), None) if claim.condition else None
    if wanted is None:
        return ""
    said = _condition_of(sentence, number, wanted.unit)
    return "" if said is None or said.value == wanted.value else said.printed


def _condition_of(sentence: Sentence, number: Number, unit: str) -> Number | None:
    text = sentence.text
    places = [one for one in sentence.numbers if one.unit == unit and _AT.search(text, 0, one.start)]
    behind = next((one for one in places if one.start >= number.end), None)
    if behind is not None and _DIRECTLY.fullmatch(text, number.end, behind.start):
        return behind
    return next((one for one in reversed(places) if one.end <= number.start), None)
