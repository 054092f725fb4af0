"""Support: numbers of an answer that neither the gold nor the task's tables and papers give, nor simple arithmetic."""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import permutations

from pincite_materials.values import scan_numbers
from pincite_provenance.claims.reading import clean
from pincite_scoring.figure_analysis.claims.amounts import decimals, restated
from pincite_scoring.figure_analysis.claims.reading import Number, Sentence

_SILENT_ROLES = frozenset({"name", "year", "n", "level"})
_TOLD = frozenset({"point", "decade", "times"})
"""Units behind which a number in words is a result, not a count of things."""
_COUNTED = 12
"""Whole numbers up to this without a unit count or label things, as in "both curves" and "day 14" they do."""
_READ_OFF = 0.02
"""How far a number that an answer marks with "about" may be from one that is printed, relatively."""
_RATIO_READ_OFF = 0.05
"""How far a ratio of two points of a figure may be from what the points give, relatively: both are read off."""
_TIME = re.compile(r"\b(?:days?|weeks?|months?)\s+$", re.IGNORECASE)
"""Before a number that says when: "day 14" is a place in the figure, and no result of arithmetic."""
_FIRST = re.compile(r"\s*[−-]?\d+(?:\.\d+)?")
_HEADING_UNIT = re.compile(r"\(([^()\d\s]+)\)\s*$")
_EXACT = 1e-9
"""Relative difference that comes of computing alone."""
_TABLES = (".csv", ".tsv")
_MOST_ROWS = 60
"""Rows of a table whose numbers are combined; the work grows with their square. Set by judgement."""


class Support:
    """The numbers that an answer may say. ``papers`` gives the papers' texts, asked only for what is found nowhere
    else; ``read_off`` are the points of figures, whose ratios may be said."""

    def __init__(
        self,
        texts: Iterable[str],
        numbers: Iterable[float],
        tables: Mapping[str, str],
        papers: Callable[[], Iterable[str]],
        read_off: Sequence[float] = (),
        quantities: Iterable[tuple[float, str]] = (),
    ) -> None:
        self._given = {value for name, text in tables.items() for value in _values_of(_cells(name, text))}
        self._known = {abs(value) for value in numbers} | set(_values_of(texts)) | self._given
        cut = [text for name, text in tables.items() if name.endswith(_TABLES)]
        self._columns = [series for text in cut for series in (*_columns(text), *_rows(text))]
        self._papers = papers
        self._read_off = [abs(value) for value in read_off if value]
        self._quantities = [(abs(value), unit) for value, unit in quantities]
        self._quantities += [pair for text in cut for pair in _cells_with_units(text)]
        self._units = {unit for _, unit in self._quantities if unit}
        self._printed: set[float] | None = None

    def foreign(self, sentences: Sequence[Sentence]) -> Iterator[tuple[Sentence, Number]]:
        """The numbers that neither the gold nor the task's data give, each with its sentence."""
        for sentence in sentences:
            for number in sentence.numbers:
                if _TIME.search(sentence.text, 0, number.start):
                    given = any(self._is_known(abs(one.value), one) for one in self._stated(number))
                else:
                    given = self._is_silent(number) or self.gives(number)
                if not given:
                    yield sentence, number

    def is_given(self, number: Number) -> bool:
        """Whether a number is given by the gold or the task's data, in its unit and as rounded or in no other unit, and
        not only made from theirs."""
        return any(self._gives_as_stated(one) for one in self._stated(number))

    def _gives_as_stated(self, number: Number) -> bool:
        value = abs(number.value)
        if any(_near(value, known, number) for known in self._read_off):
            return True
        for known, unit in self._quantities:
            if unit == number.unit and _near(value, known, number):
                return True
            if not (unit and number.unit) and abs(value - known) <= _EXACT * max(known, 1.0):
                return True
        return False

    def gives(self, number: Number) -> bool:
        """Whether a number is known, or follows from two of one column as a difference, ratio or change in percent."""
        return any(
            self._is_known(abs(one.value), one) or self._is_derived(abs(one.value), one) for one in self._stated(number)
        )

    def _stated(self, number: Number) -> list[Number]:
        """The number as it stands, and in each unit of its kind that the gold or the data use."""
        converted = (restated(number, unit) for unit in sorted(self._units))
        return [number, *(one for one in converted if one is not None)]

    def prints(self, number: Number) -> bool:
        """Whether the papers have a number somewhere."""
        if self._printed is None:
            self._printed = set(_values_of(self._papers()))
        return any(_near(abs(number.value), known, number) for known in self._printed)

    def _is_silent(self, number: Number) -> bool:
        if number.role in _SILENT_ROLES or (number.word and number.unit not in _TOLD):
            return True
        return not number.unit and number.value.is_integer() and abs(number.value) <= _COUNTED

    def _is_known(self, value: float, number: Number) -> bool:
        return any(_near(value, known, number) for known in self._known)

    def _is_derived(self, value: float, number: Number) -> bool:
        for a, b in permutations(self._read_off, 2):
            made = a / b if number.unit == "times" else 100 * abs(a - b) / b if number.unit == "%" else None
            if made is not None and abs(made - value) <= _RATIO_READ_OFF * value:
                return True
        for column in self._columns:
            for a, b in permutations(column, 2):
                if any(_near(value, made, number) for made in _made(a, b, number.unit)):
                    return True
        return False


def _made(a: float, b: float, unit: str) -> Iterator[float]:
    if unit == "%" and a:
        yield abs(100 * (a - b) / a)
    if unit in ("times", "") and b:
        yield abs(a / b)
    yield abs(a - b)
    yield abs(a + b)


def _near(value: float, known: float, number: Number) -> bool:
    exact = 1e-9 * max(known, 1.0)
    rounding = 0.5 * 10.0 ** -decimals(number.printed) + exact if known % 1 or number.approximate else exact
    about = _READ_OFF * known if number.approximate else 0.0
    return abs(value - known) <= max(rounding, about)


def _values_of(texts: Iterable[str]) -> Iterator[float]:
    for text in texts:
        for number in scan_numbers(clean_all(text)):
            yield abs(number.value)
            if number.uncertainty is not None:
                yield number.uncertainty


def clean_all(text: str) -> str:
    """``clean`` of a text of any length, line by line."""
    return "\n".join(clean(line) for line in text.splitlines())


def _cells(name: str, text: str) -> list[str]:
    """The cells of a table, so that those of a row do not run into one number; else the whole text."""
    return [cell for row in csv.reader(io.StringIO(text)) for cell in row] if name.endswith(_TABLES) else [text]


def _cells_with_units(text: str) -> Iterator[tuple[float, str]]:
    """The numbers of a table with the units that their headings have in brackets: "Infected (%)"."""
    rows = list(csv.reader(io.StringIO(text)))
    for row in rows:
        for heading, cell in zip(rows[0], row, strict=False):
            match = _HEADING_UNIT.search(clean(heading))
            unit = match[1] if match else ""
            yield from ((value, unit) for value in _values_of([cell]))


def _columns(text: str) -> Iterator[list[float]]:
    """The leading numbers of a table's columns."""
    rows = list(csv.reader(io.StringIO(text)))[:_MOST_ROWS]
    for index in range(max(map(len, rows), default=0)):
        cells = [row[index] for row in rows[1:] if index < len(row)]
        matches = (_FIRST.match(cell) for cell in cells)
        yield [float(match[0].strip().replace("−", "-")) for match in matches if match]


def _rows(text: str) -> Iterator[list[float]]:
    """The leading numbers of a row's cells whose headings begin alike, as "Biomass 2015" and "Biomass 2025" do."""
    rows = list(csv.reader(io.StringIO(text)))[: _MOST_ROWS + 1]
    headings = [heading.split()[:1] for heading in rows[0]] if rows else []
    for row in rows[1:]:
        for first in {tuple(one) for one in headings if headings.count(one) > 1}:
            cells = [cell for cell, heading in zip(row, headings, strict=False) if tuple(heading) == first]
            matches = (_FIRST.match(cell) for cell in cells)
            yield [float(match[0].strip().replace("−", "-")) for match in matches if match]
