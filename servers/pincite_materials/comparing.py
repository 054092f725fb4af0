"""Is a stated value the true one? Numbers at three tolerances after SI conversion, everything else exactly."""

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pincite_materials.categories import same_category, space_group_told
from pincite_materials.identity import same_material
from pincite_materials.symmetry import crystal_system
from pincite_materials.units import convert, known, not_understood, to_base
from pincite_materials.values import Bound, Value, parse_bound, parse_value

Kind = Literal["number", "space_group", "crystal_system", "formula", "category"]

TOLERANCES: dict[str, float] = {"0.1%": 1e-3, "1%": 1e-2, "10%": 1e-1}
"""Relative tolerances; the first is the published one (rubric ``0.1% SI``), the others show near misses."""

_SLACK = 1e-9
"""A difference that is the tolerance exactly, but for rounding, is within it."""

_ZERO = 1e-12
"""A gold value of zero has no relative error: the answer in SI base units must be zero to this."""

_COUNTED = re.compile(r"(?:\s+per\s+|\s*/\s*)(?:[A-Z][a-z]?(?:\s+(?:atom|ion))?|atom|ion|f\.?\s?u\.?|formula unit)$")
"""What a moment or the like is counted by."""

_PER_CENT = re.compile(r"\bper\s?cent\b|\bpercent\b|\bpct\b", re.IGNORECASE)
_OF_WHAT = re.compile(r"(?<=%)\s+(?:of|in)\s+(?:the\s+)?[A-Za-z][A-Za-z\s-]*$")
"""What a share is of: ``% of the theoretical density``, ``% of strain``."""

_DIRECTION: dict[str, str] = {"<": "<", "≤": "<", ">": ">", "≥": ">", "": ""}


@dataclass(frozen=True, slots=True)
class Stated:
    """A value as someone states it: its text, its unit where that stands apart, and a qualifier ("upper limit")."""

    text: str
    unit: str = ""
    qualifier: str = ""

    def quantity(self) -> tuple[Value | None, str]:
        """The parsed value and its unit: ``unit``, else what stands behind the number in ``text``."""
        value = parse_value(self.text)
        unit = self.unit or (value.unit if value is not None else "")
        return value, _OF_WHAT.sub("", _PER_CENT.sub("%", unit))

    def bound(self, value: Value) -> Bound:
        """The bound that the text or the qualifier states."""
        return value.bound or parse_bound(self.qualifier)[0]

    def __str__(self) -> str:
        return f"{self.text} {self.unit}".strip()


@dataclass(frozen=True, slots=True)
class Comparison:
    """How a stated value stands to the true value; ``error`` is the relative error of numbers that compare.

    ``note`` says why a value is wrong or not comparable; it is empty for an exact match.
    """

    kind: Kind
    error: float | None
    equal: bool
    note: str = ""
    misread: bool = False
    """Whether what the answer quotes prints the true number where the answer has another one: no rounding, though as
    near as one."""

    def within(self, tolerance: float) -> bool:
        """Whether the value counts as right at ``tolerance``; kinds other than numbers are right or wrong."""
        if self.kind == "number" and self.error is not None:
            return self.error <= tolerance * (1 + _SLACK) and not (self.misread and tolerance <= TOLERANCES["0.1%"])
        return self.equal


def compare_stated(kind: Kind, answer: Stated, true: Stated) -> Comparison:
    """Compare by the rule of ``kind``; raises MissingExtraError where the materials extra is needed and absent."""
    if kind == "number":
        return _numbers(answer, true)
    a, b = answer.text, true.text
    if kind == "space_group":
        equal = space_group_told(a) == space_group_told(b)
    elif kind == "crystal_system":
        equal = crystal_system(a) == crystal_system(b)
    elif kind == "formula":
        equal = same_material(a, b)
    else:
        equal = same_category(str(answer), str(true))
    return Comparison(kind, None, equal, "" if equal else f"{a} is not {b}")


def _numbers(answer: Stated, gold: Stated) -> Comparison:
    (value, unit), (true, true_unit) = answer.quantity(), gold.quantity()
    if true is None:
        return Comparison("category", None, False, f"the true value {gold.text!r} is not a number")
    if value is None:
        return Comparison("number", None, False, f"{answer.text!r} is not a number")
    if len(value.numbers) != len(true.numbers):
        return Comparison("number", None, False, f"{len(value.numbers)} numbers against {len(true.numbers)}")
    if _DIRECTION[answer.bound(value)] != _DIRECTION[gold.bound(true)]:
        return Comparison("number", None, False, "one is a bound and the other is not, or they bound different sides")
    errors = [relative_error(x, unit, y, true_unit) for x, y in zip(value.numbers, true.numbers, strict=True)]
    if any(error is None for error in errors):
        return Comparison("number", None, False, _why_not(unit, true_unit))
    worst = max(error for error in errors if error is not None)
    return Comparison("number", worst, worst <= _ZERO, "" if worst <= _ZERO else f"relative error {worst:.3g}")


@lru_cache(maxsize=65536)
def relative_error(x: float, unit: str, true: float, true_unit: str) -> float | None:
    """|x - true| / |true| in SI base units; None where the units are not comparable.

    Zero rule: a true value of zero is met by zero alone (|x| <= 1e-12 in SI base units), else the error is infinite.
    Celsius zero is 273.15 K and follows the relative rule.
    """
    converted = convert(x, unit, true_unit, energies=True)
    if converted is None:
        unit, true_unit = _uncounted(unit, true_unit)
        converted = convert(x, unit, true_unit, energies=True)
    if converted is None:
        return None
    mine, gold = to_base(converted, true_unit), to_base(true, true_unit)
    if mine is None or gold is None:
        mine, gold = converted, true
    if gold == 0.0:
        return 0.0 if abs(mine) <= _ZERO else float("inf")
    return abs(mine - gold) / abs(gold)


def _uncounted(unit: str, true_unit: str) -> tuple[str, str]:
    """Both units without "per Ce" where one alone has it: what is counted goes without saying, but two must agree."""
    if bool(_COUNTED.search(unit)) == bool(_COUNTED.search(true_unit)):
        return unit, true_unit
    return _COUNTED.sub("", unit).strip(), _COUNTED.sub("", true_unit).strip()


def _why_not(unit: str, true_unit: str) -> str:
    for text in (unit, true_unit):
        if text and not known(text):
            return f"not comparable: {not_understood(text)}"
    return f"not comparable: {unit or 'no unit'} against {true_unit or 'no unit'}"
