"""What an answer says that can be looked up in its evidence without understanding it: numbers and quotations."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from pincite_core.locator import WITHIN_TEXT
from pincite_core.patterns import FoldedText
from pincite_papers.doi import PREFIX

_DOI = re.compile(rf"\b{PREFIX}\S+")
_BRACKETED = re.compile(r"\[\d+(?:\s*[-,\u2013]\s*\d+)*\]")
_LISTED = re.compile(r"(?m)^\s*\d{1,2}[.)]\s")
_NUMBER = re.compile(r"(?<![\w.])(?<!\d,)\d+(?:,\d{3})+(?:\.\d+)?(?!\d)|(?<![A-Za-z_\d.])\d*\.?\d+")
_ANY_NUMBER = re.compile(r"\d+(?:,\d{3})+(?:\.\d+)?(?!\d)|\d*\.?\d+")
_QUOTED = re.compile(r"[\"\u201c\u201e]([^\"\u201c\u201d\u201e]{1,1000})[\"\u201d\u201c]")
_AROUND = 30
"""Characters beside a number that are shown with it."""
_LEAST_WORDS = 3
"""Words from which words in quotation marks are a quotation. Set by judgement."""


@dataclass(frozen=True, slots=True)
class Missing:
    """Something an answer says, as written, with the words around it."""

    written: str
    around: str


def numbers_in(answer: str) -> list[tuple[str, int]]:
    """The numbers of an answer as written, with their offsets; not those of locators, DOIs, citations [3], names (H2O)
    and list items.
    """
    for expression in (WITHIN_TEXT, _DOI, _BRACKETED, _LISTED):
        answer = expression.sub(lambda match: " " * len(match[0]), answer)
    return [(match[0], match.start()) for match in _NUMBER.finditer(answer)]


def missing_numbers(answer: str, texts: Iterable[str]) -> list[Missing]:
    """The numbers of an answer whose value stands in none of the texts, each once; 6.930 stands where 6.93 does."""
    there = {_value(match[0]) for text in texts for match in _ANY_NUMBER.finditer(text)}
    found: dict[str, Missing] = {}
    for written, at in numbers_in(answer):
        if _value(written) not in there:
            found.setdefault(written, Missing(written, _around(answer, at, at + len(written))))
    return list(found.values())


def missing_quotes(answer: str, texts: Iterable[str]) -> list[Missing]:
    """What an answer puts in double quotes, of three words or more, that none of the texts holds (as ``find_literal``
    forgives differences of print, case too).
    """
    folded = [_folded(text) for text in texts]
    found: list[Missing] = []
    for match in _QUOTED.finditer(answer):
        wanted = _folded(match[1].strip(" .,;:"))
        if len(wanted.split()) >= _LEAST_WORDS and not any(wanted in text for text in folded):
            found.append(Missing(match[1], _around(answer, *match.span(1))))
    return found


def _value(written: str) -> Decimal | str:
    try:
        return Decimal(written.replace(",", "")).normalize()
    except InvalidOperation:
        return written


def _folded(text: str) -> str:
    return " ".join(FoldedText.of(text).lowered.split())


def _around(text: str, start: int, end: int) -> str:
    return " ".join(text[max(start - _AROUND, 0) : end + _AROUND].split())
