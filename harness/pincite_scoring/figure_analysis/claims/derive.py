"""Derive: claims from the text of a reference analysis by rule, where nobody wrote them.

Things compared are the row labels of the task's tables. Every number of the analysis is a claim, said of the thing that
it surely belongs to; so is each clause that says one direction of one thing. Conclusions are not found: an analysis
without numbers and directions has no claims.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping

from pincite_scoring.figure_analysis.claims.binding import bind
from pincite_scoring.figure_analysis.claims.model import Claim, Claims
from pincite_scoring.figure_analysis.claims.reading import Number, Sentence, read_answer

_DIRECTIONS = ("up", "down", "fast", "slow", "lowest", "highest", "cross", "closer", "apart")
_NO_VALUE = frozenset({"name", "year", "level", "n"})
_NAME = re.compile(r"[A-Za-z]{2}|\w\s?=\s?\d")
_LONGEST_NAME = 60
"""Characters of a label that names something; longer ones are sentences. Set by judgement."""
_MOST_CLAIMS = 60
"""Claims of one analysis. Set by judgement."""


def derive_claims(analysis: str, tables: Mapping[str, str]) -> Claims | None:
    """The claims of an analysis by rule; None where it has none that rules find."""
    entities = {name: [name] for name in dict.fromkeys(_row_labels(tables))}
    names = Claims(entities=entities, claims=[Claim(text=analysis)])
    made: dict[tuple[object, ...], Claim] = {}
    for sentence in read_answer(analysis, names):
        for claim in (*_values(sentence, names), *_directions(sentence)):
            made.setdefault((claim.value, claim.unit, *claim.subject, *claim.relation), claim)
    found = list(made.values())[:_MOST_CLAIMS]
    return Claims(entities=entities, claims=found, derived=True) if found else None


def _row_labels(tables: Mapping[str, str]) -> Iterator[str]:
    for name, text in tables.items():
        if name.endswith(".csv"):
            labels = (row[0].strip() for row in list(csv.reader(io.StringIO(text)))[1:] if row)
            yield from (label for label in labels if _NAME.search(label) and len(label) <= _LONGEST_NAME)


def _values(sentence: Sentence, names: Claims) -> Iterator[Claim]:
    for number in sentence.numbers:
        if number.role in _NO_VALUE or (number.word and not number.unit) or _is_small_count(number):
            continue
        subject = list(bind(sentence, number, set(names.entities)).surely)
        said = f"{sentence.text[number.start : number.end].strip()}: {sentence.text}"
        yield Claim(text=said, subject=subject, value=number.value, unit=number.unit)


def _is_small_count(number: Number) -> bool:
    """Whole numbers below 13 without a unit count or label things."""
    return not number.unit and number.value.is_integer() and abs(number.value) <= 12


def _directions(sentence: Sentence) -> Iterator[Claim]:
    for clause in sentence.clauses:
        subject = {one.key for one in sentence.mentions if clause.holds(one.start)}
        said = {one.concept for one in clause.said if not one.negated and one.concept in _DIRECTIONS}
        if len(subject) == 1 and len(said) == 1 and len(clause.said) == 1:
            text = sentence.text[clause.start : clause.end].strip(" ,;:")
            yield Claim(text=text, subject=sorted(subject), relation=sorted(said))
