"""The class of a wrong value, by rule: what would have to change for it to be the gold's, or where else it stands."""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from pincite_materials.comparing import TOLERANCES, Stated, relative_error
from pincite_materials.units import convert
from pincite_materials.values import Value, find_numbers, spell
from pincite_papers.model import Paper

CLASSES = (
    "theory for experiment",
    "bound",
    "sign or exponent",
    "rounded",
    "unit",
    "neighbour",
    "not in the paper",
    "other",
)
"""In the order in which they are looked for."""
_SAME = TOLERANCES["0.1%"]
"""Relative difference up to which two numbers are the same, as the scorers have it."""
_ABOUT = TOLERANCES["10%"]
"""Relative difference up to which a value that is said to be approximate is the gold's."""
_EXPONENT = re.compile(r"(?:[x×·*]\s*10|\de[+-]?\d|10\s*\^|10[⁰¹²³⁴⁵⁶⁷⁸⁹⁻])", re.IGNORECASE)
_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_UNITS = (
    *("K", "°C", "°F", "meV", "eV", "kJ/mol", "kcal/mol", "Pa", "bar", "atm", "torr", "psi", "kbar", "T", "Oe", "G"),
    *("Å", "nm", "bohr", "s", "min", "h", "day", "Hz", "cm^-1", "%", "wt%", "g", "lb"),
)
"""Units that one quantity is printed in; a value is looked at as if its unit were another one of its kind."""


@dataclass(frozen=True, slots=True)
class WrongValue:
    """A value that is not the gold's. ``others`` are the gold values of the same task beside it, ``papers`` what the
    answer was to be found in; ``theory`` says that one is computed and the other measured."""

    answer: Stated
    gold: Stated
    others: Sequence[Stated] = ()
    papers: Sequence[Paper] = ()
    theory: bool = False


def classify(wrong: WrongValue) -> str:
    """One of ``CLASSES``: the first that holds. Values that are not single numbers are ``other`` but for the first two.

    ``rounded``: the gold to the answer's digits, or within 10 % where the answer says "about". ``unit``: right after a
    power of ten or in another unit of its kind. ``neighbour``: another gold value of the task, or any number that its
    papers print.
    """
    if wrong.theory:
        return "theory for experiment"
    (value, unit), (true, true_unit) = wrong.answer.quantity(), wrong.gold.quantity()
    if value is None or true is None:
        return "other"
    if wrong.answer.bound(value) != wrong.gold.bound(true):
        return "bound"
    if len(value.numbers) != 1 or len(true.numbers) != 1:
        return "other"
    return _of_numbers(wrong, (value, unit), (true, true_unit))


def _of_numbers(wrong: WrongValue, answer: tuple[Value, str], gold: tuple[Value, str]) -> str:
    value, unit = answer
    true, true_unit = gold
    number, target = value.numbers[0], true.numbers[0]
    here = convert(target, true_unit, unit, energies=True) if unit != true_unit else target
    if here is not None and _is_sign_or_exponent(wrong, number, here):
        return "sign or exponent"
    if here is not None and _is_rounded(wrong.answer.text, value, here):
        return "rounded"
    if _is_of_unit(number, unit, target, true_unit):
        return "unit"
    if _is_neighbour(wrong, number, unit):
        return "neighbour"
    return "not in the paper" if wrong.papers else "other"


def _is_sign_or_exponent(wrong: WrongValue, number: float, target: float) -> bool:
    """Whether the sign alone is another, or the power of ten where one of the two prints one."""
    if _same(number, -target):
        return True
    printed = _EXPONENT.search(spell(wrong.answer.text)) or _EXPONENT.search(spell(wrong.gold.text))
    return bool(printed) and _power_of_ten_apart(number, target)


def _is_rounded(text: str, value: Value, target: float) -> bool:
    number = value.numbers[0]
    if value.approximate and target and abs(number - target) <= _ABOUT * abs(target):
        return True
    digits = _DIGITS.search(spell(text))
    if digits is None or not number or number * target <= 0:
        return False
    scale = abs(number) / float(digits[0]) if float(digits[0]) else 1.0
    mantissa = Decimal(repr(abs(target) / scale))
    for step in _steps(digits[0]):
        if abs((mantissa / step).to_integral_value() * step - Decimal(digits[0])) < Decimal("1e-9"):
            return True
    return False


def _steps(digits: str) -> list[Decimal]:
    """What a printed number may be rounded to: its last digit; of a whole number also each zero at its end."""
    if "." in digits:
        return [Decimal(1).scaleb(-len(digits.partition(".")[2]))]
    zeros = len(digits) - len(digits.rstrip("0"))
    return [Decimal(1).scaleb(power) for power in range(zeros + 1)]


def _is_of_unit(number: float, unit: str, target: float, true_unit: str) -> bool:
    """Whether the number is right after a power of ten, with the gold's unit, or in another unit of its kind."""
    if _power_of_ten_apart(number, target) or (unit != true_unit and _same(number, target)):
        return True
    here = convert(target, true_unit, unit, energies=True)
    if here is not None and _power_of_ten_apart(number, here):
        return True
    for other in _UNITS:
        converted = convert(number, other, true_unit, energies=True)
        if converted is not None and _same(converted, target):
            return True
    return False


def _is_neighbour(wrong: WrongValue, number: float, unit: str) -> bool:
    for other in wrong.others:
        value, own = other.quantity()
        for one in value.numbers if value is not None else ():
            error = relative_error(number, unit, one, own)
            if error is not None and error <= _SAME:
                return True
    return any(_same(number, printed) for paper in wrong.papers for printed in _printed(paper))


def _printed(paper: Paper) -> Sequence[float]:
    return find_numbers(paper.text)


def _same(a: float, b: float) -> bool:
    return abs(a - b) <= _SAME * abs(b) if b else a == 0


def _power_of_ten_apart(a: float, b: float) -> bool:
    """Whether two numbers of one sign differ by a power of ten, and not by none."""
    if a * b <= 0:
        return False
    power = round(math.log10(a / b))
    return power != 0 and _same(a, b * 10.0**power)
