"""Rows: numbers of an answer that the task's table gives to another of its rows than the one they are said of."""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pincite_provenance.claims.reading import clean
from pincite_scoring.figure_analysis.claims.amounts import decimals, is_amount
from pincite_scoring.figure_analysis.claims.binding import bind
from pincite_scoring.figure_analysis.claims.model import Claims
from pincite_scoring.figure_analysis.claims.reading import Number, Sentence, name_pattern

_NUMBER = re.compile(r"[−-]?\d+(?:\.\d+)?")
_UNIT = re.compile(r"\(([^()\d\s]+)\)\s*$")
_HUNDRED = 100.0
"""Per cent."""


@dataclass(frozen=True, slots=True)
class _Cell:
    column: int
    value: float
    printed: str
    unit: str


class Rows:
    """The rows of a task's tables by the entity that their first cell names."""

    def __init__(self, tables: Mapping[str, str], claims: Claims) -> None:
        self._rows: dict[str, list[_Cell]] = {}
        patterns = name_pattern(claims.entities)
        for name, text in tables.items():
            lines = [line for line in csv.reader(io.StringIO(text)) if line] if name.endswith(".csv") else []
            for line in lines[1:]:
                label = clean(line[0]).strip()
                key = next((key for key, pattern in patterns if pattern.fullmatch(label)), "")
                if key:
                    self._rows.setdefault(key, []).extend(_cells(lines[0], line))

    def misplaced(self, sentences: Sequence[Sentence], claims: Claims) -> Iterator[tuple[Sentence, Number, str, str]]:
        """Each number with a unit that is surely said of one row and printed in another one only, with both keys;
        those that are values of claims are left to them."""
        if len(self._rows) <= 1:
            return
        for sentence in sentences:
            for number in sentence.numbers:
                if not number.unit or number.word or any(is_amount(claim, number) for claim in claims.claims):
                    continue
                bound = bind(sentence, number, set(self._rows)).surely
                if len(bound) == 1 and not self._fits(bound[0], number):
                    owners = [key for key in self._rows if key != bound[0] and self._prints(key, number)]
                    if owners:
                        yield sentence, number, bound[0], owners[0]

    def _prints(self, key: str, number: Number) -> bool:
        return any(cell.unit == number.unit and _same(cell, number) for cell in self._rows[key])

    def _fits(self, key: str, number: Number) -> bool:
        """Whether a row has the number, or another row makes it as a difference or a change in percent."""
        places = decimals(number.printed)
        for cell in self._rows[key]:
            if round(cell.value, places) == abs(number.value):
                return True
            for other in self._column(cell.column):
                gap = abs(cell.value - other)
                made = [gap, *(_HUNDRED * gap / base for base in (cell.value, other) if base)]
                if any(round(abs(one), places) == abs(number.value) for one in made):
                    return True
        return False

    def _column(self, column: int) -> Iterator[float]:
        yield from (cell.value for cells in self._rows.values() for cell in cells if cell.column == column)


def _cells(headings: Sequence[str], line: Sequence[str]) -> Iterator[_Cell]:
    for index, (heading, text) in enumerate(zip(headings, line, strict=False)):
        match = _NUMBER.match(text.strip()) if index else None
        unit = _UNIT.search(clean(heading))
        if match:
            printed = match[0].replace("−", "-")
            yield _Cell(index, float(printed), printed, unit[1] if unit else "")


def _same(cell: _Cell, number: Number) -> bool:
    return abs(cell.value) == abs(number.value) and decimals(cell.printed) == decimals(number.printed)
