"""Conditions: at which quantity, such as a temperature, a number of a sentence is said to hold."""

import re

from pincite_scoring.figure_analysis.claims.model import Claim
from pincite_scoring.figure_analysis.claims.reading import Number, Sentence, read_numbers

_AT = re.compile(r"\b(?:at|after|with|on)\s+(?:about\s+|only\s+|just\s+)?$", re.IGNORECASE)
"""Before a quantity that is a condition, and not an end of a range."""
_DIRECTLY = re.compile(r"[^,;.()\d]{0,40}\b(?:at|after)\s+(?:about\s+)?", re.IGNORECASE)
"""From a number to the condition behind it, both in one phrase: "39 % at 300 K"."""


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
