"""Reading what describes a sample or a measurement: clauses of words, and the labels in them."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

from pincite_materials.formulas import parse_formula
from pincite_materials.identity import same_material
from pincite_materials.opposite_words import DIATOMIC, ELEMENTS_BY_NAME, NUMBERED, NUMBERS, ROMAN, SKIPPED, singular
from pincite_materials.text import plain
from pincite_materials.units import known

Kind = Literal["", "number", "range", "name"]

_CLAUSE = re.compile(r"[,;]\s|;|\s-\s|\.\s|[/&](?=\s)")
_TOKEN = re.compile(
    r"(?P<range>\d+(?:\.\d+)?\s?-\s?\d+(?:\.\d+)?)(?![\w.])"
    r"|(?<![\w.])(?P<number>[+-]?\d+(?:\.\d+)?)(?P<ordinal>st|nd|rd|th)?(?![\w.]*\w)"
    r"|(?P<name>[A-Z][A-Za-z]*-\d+[A-Za-z]?(?![\w-])|[A-Za-zΑ-ω]*\d[\w.]*\w|[A-Za-zΑ-ω]+\d)"
    r"|(?P<word>[^\W\d_]+)"
)
_UNIT = re.compile(r"\s?(?P<unit>[A-Za-zμΩÅ°%][\w/^%.·°-]*(?:\s(?:[a-zA-Z]+\^?-\d|%))*)")
_LETTERS = {"alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "kappa": "κ"}
_RATE = re.compile(r"(?<![\w/])(?:C\s?/\s?(?P<of>\d+(?:\.\d+)?)|(?P<times>\d+(?:\.\d+)?)\s?C)(?![\w/])")
"""How fast a cell is charged: C/10 is 0.1C."""
_LONGEST = 600
"""Characters of a description that are read: bundled conditions have at most 200, and labels are compared pair by pair,
which a text made to be slow must not draw out."""
_ABBREVIATION = 2
"""Letters of a word in capitals; a longer one (``XRD``) labels only what it stands directly before (``HeLa cells``)."""


@dataclass(frozen=True, slots=True)
class Label:
    """A number, letter or name that tells one of several things apart, and the words directly beside it."""

    kind: Kind
    printed: str
    numbers: tuple[float, ...] = ()
    beside: frozenset[str] = frozenset()
    alone: bool = False
    """Whether the text says nothing else."""

    def same(self, other: "Label") -> bool:
        """Whether both may be one label: numbers by value, names also by formula (STO is SrTiO3, oxygen O2)."""
        if self.kind != other.kind:
            return False
        if self.numbers:
            return self.numbers == other.numbers
        if self.printed == other.printed or same_material(self.printed, other.printed):
            return True
        return _one_element(self.printed, other.printed)


@dataclass(frozen=True, slots=True)
class Clause:
    """Words in lower case without plurals, in order, and the labels among them."""

    words: tuple[str, ...]
    labels: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class _Token:
    word: str
    label: Label | None = None


@lru_cache(maxsize=4096)
def read_clauses(text: str) -> tuple[Clause, ...]:
    """The clauses of a text (of its first 600 characters), which commas and semicolons part."""
    parts = [part for part in _CLAUSE.split(plain(text[:_LONGEST])) if part.strip()]
    clauses: list[Clause] = []
    for part in parts:
        tokens = _tokens(part)
        labels = [_placed(tokens, place, len(parts) == 1) for place, token in enumerate(tokens) if token.label]
        told = dict.fromkeys(label for label in labels if label.kind)
        clauses.append(Clause(tuple(token.word for token in tokens), tuple(told)))
    return tuple(clauses)


def _placed(tokens: Sequence[_Token], place: int, only_clause: bool) -> Label:
    label = tokens[place].label or Label("", "")
    before = next((token.word for token in reversed(tokens[:place]) if token.word not in SKIPPED), "")
    after = tokens[place + 1].word if place + 1 < len(tokens) else ""
    alone = only_clause and len(tokens) == 1
    if label.kind == "name" and label.printed.isalpha() and len(label.printed) > _ABBREVIATION:
        on = place > 0 and tokens[place - 1].word == "on"
        before = before if on or parse_formula(label.printed) is not None else ""
    beside = frozenset(word for word in (before, after) if word and word not in SKIPPED)
    return replace(label, beside=beside, alone=alone)


def _tokens(text: str) -> list[_Token]:
    found: list[_Token] = []
    end = 0
    for match in _TOKEN.finditer(_RATE.sub(_rate, text)):
        if match.start() < end:
            continue
        if match["number"] or match["range"]:
            unit = None if match["ordinal"] else _unit_behind(match.string[match.end() :])
            end = match.end() + (unit.end() if unit else 0)
            found.append(_Token(f"#{unit['unit']}") if unit else _numbered(match[0], match["range"] is not None))
        else:
            end = match.end()
            numbered = bool(found) and found[-1].word in NUMBERED and match[0] in ROMAN
            found.append(_roman(match[0]) if numbered else _worded(match[0]))
    return found


def _rate(found: re.Match[str]) -> str:
    times = 1 / float(found["of"]) if found["of"] and float(found["of"]) else float(found["times"] or 0)
    return f"{times:.3g} crate"


def _unit_behind(rest: str) -> re.Match[str] | None:
    match = _UNIT.match(rest)
    return match if match is not None and known(match["unit"].rstrip(".-")) else None


def _numbered(printed: str, is_range: bool) -> _Token:
    numbers = tuple(float(number) for number in re.findall(r"(?:(?<!\d)[+-])?\d+(?:\.\d+)?", printed))
    if is_range:
        numbers = tuple(abs(number) for number in numbers)
    return _Token(printed, Label("range" if is_range else "number", printed, numbers))


def _roman(printed: str) -> _Token:
    return _Token(printed.lower(), Label("number", printed, (ROMAN[printed],)))


def _worded(printed: str) -> _Token:
    lower = printed.lower()
    if lower in NUMBERS:
        return _Token(lower, Label("number", printed, (NUMBERS[lower],)))
    if printed in SKIPPED or (lower in SKIPPED and len(printed) > 1):
        return _Token(lower)
    letter = _LETTERS.get(lower, printed)
    if len(letter) == 1:
        return _Token(lower, Label("name", letter))
    if lower in ELEMENTS_BY_NAME:
        return _Token(lower, Label("name", ELEMENTS_BY_NAME[lower]))
    is_name = any(map(str.isdigit, printed)) or any(map(str.isupper, printed[1:])) or parse_formula(printed) is not None
    return _Token(singular(lower), Label("name", printed) if is_name and len(printed) > 1 else None)


def _one_element(a: str, b: str) -> bool:
    """Whether both are the same gas, with and without the number of its atoms."""
    first, second = parse_formula(a), parse_formula(b)
    if first is None or second is None or len(first.amounts) != 1 or first.amounts[0][0] not in DIATOMIC:
        return False
    return [element for element, _ in first.amounts] == [element for element, _ in second.amounts]
