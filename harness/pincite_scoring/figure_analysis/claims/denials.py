"""Denials: words beside a number that deny it, or bound it from the other side than the claim does."""

import re

from pincite_scoring.figure_analysis.claims.lexicon import Said
from pincite_scoring.figure_analysis.claims.model import Claim
from pincite_scoring.figure_analysis.claims.reading import Number, Sentence, read_numbers

_NOT = re.compile(
    r"(?:\b(?:is|are|was|were|do|does|did|has|have|had)\s+not|n't|\bnever)\s+(?!only|just|merely|even|until|before)"
    r"(?:(?!more|less|fewer|above|below|over|under|exceed|reach|before|until|significan|differ|quite|or|and|but)[^\W\d]+"
    r"\s+){0,4}$",
    re.IGNORECASE,
)
"""A denial that reaches to the number behind it: "are not higher by"."""
_NEGATIVE = re.compile(r"\b(?:not|no|never|neither|nor|without|cannot)\b", re.IGNORECASE)
_ABOUT = r"\s+(?:about\s+|roughly\s+|an?\s+)?$"
_OVER = re.compile(rf"\b(?:more than|over|above|at least|upwards of|in excess of|beyond){_ABOUT}", re.IGNORECASE)
_UNDER = re.compile(rf"\b(?:less than|fewer than|under|below|at most|short of){_ABOUT}", re.IGNORECASE)
_NEGATED_BOUND = re.compile(
    r"\b(?:no|not|never|hardly|barely|scarcely|little|not much)\s+\S+(?:\s+than)?\s*$", re.IGNORECASE
)
_BY = re.compile(
    r"\s+(?:by|in)\s+(?:[\d.]+\s\S+\s+(?:or\s+|\())?(?:about\s+|only\s+|roughly\s+|some\s+|an?\s+)*", re.IGNORECASE
)
_DIRECTLY = re.compile(r"(?:\s+\([^()]*\)|\s+or\s+[\d.]+\s\S+|\))?\s+(?:times\s+|points?\s+)?", re.IGNORECASE)


def denied_amount(claim: Claim, sentence: Sentence, number: Number) -> str:
    """The words before a number that deny the claim's value, or make a lower limit of an upper one or the other way
    round; empty where there are none."""
    denial = _NOT.search(sentence.text, 0, number.start)
    if denial and not _NEGATIVE.search(claim.text):
        return denial[0].strip()
    for one in read_numbers(claim.text):
        if one.value == number.value:
            claimed, said = _limit(claim.text, one.start), _limit(sentence.text, number.start)
            if claimed and said and claimed != said:
                return said
    return ""


def measures(sentence: Sentence, said: Said, number: Number) -> bool:
    """Whether a number is how far a comparative goes: "higher by 0.118", "39 % lower"."""
    text = sentence.text
    if said.start >= number.end:
        return _DIRECTLY.fullmatch(text, number.end, said.start) is not None
    return _BY.fullmatch(text, said.end, number.start) is not None


def _limit(text: str, at: int) -> str:
    """How a number is bounded: ``more than``, ``less than``, or empty where it is not, or the bound is denied."""
    for name, pattern in (("more than", _OVER), ("less than", _UNDER)):
        match = pattern.search(text, 0, at)
        if match:
            return "" if _NEGATED_BOUND.search(text, 0, at) else name
    return ""
