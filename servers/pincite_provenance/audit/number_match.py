"""How the number of a claim and one of a source compare: the same, rounded to it, within a range, in a formula."""

import re
from typing import TYPE_CHECKING

from pincite_materials.units import convert, known
from pincite_materials.values import Value
from pincite_provenance.audit.source import SourceQuantity
from pincite_provenance.audit.values import ReportValue
from pincite_provenance.claims.quantities import Quantity
from pincite_provenance.claims.values import Wanted, judge

if TYPE_CHECKING:
    from pincite_provenance.claims.values import Outcome

_DIGITS = re.compile(r"\d+(?:\.\d+)?")
_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


def judged(value: ReportValue, unit: str, entry: SourceQuantity) -> "Outcome | None":
    """What the rules of claims say of the two numbers and their units."""
    quantity = value.quantity
    number = Value((quantity.value,), "number", quantity.uncertainty, "", quantity.approximate, unit)
    wanted = Wanted(value.digits, unit, "number", number)
    outcome = judge(wanted, entry.quantity, entry.units)
    if outcome is None or outcome.value.verdict != "fails":
        return outcome
    return None if "uncertainty" in outcome.value.reason else outcome


def rounds_to(value: ReportValue, unit: str, entry: SourceQuantity) -> bool:
    """Whether the source's number, in the report's unit, is the report's when rounded to its digits, two at least."""
    digits = _DIGITS.search(value.digits)
    if digits is None or len(digits[0].replace(".", "").lstrip("0")) < 2:
        return False
    there = entry.quantity.value
    if entry.unit != unit and entry.unit:
        if not unit or not known(unit):
            return False
        converted = convert(there, entry.unit, unit)
        if converted is None:
            return False
        there = converted
    mantissa = float(digits[0])
    if not mantissa:
        return False
    scale = abs(value.quantity.value) / mantissa
    decimals = len(digits[0].partition(".")[2])
    if value.quantity.approximate and not decimals:
        decimals = -min(len(digits[0]) - len(digits[0].rstrip("0")), len(digits[0]) - 2)
    return abs(round(abs(there) / scale, decimals) - mantissa) < 1e-9 and there * value.quantity.value >= 0


def figures_of(digits: str) -> str:
    """The significant figures of a printed number."""
    found = _DIGITS.search(digits)
    return found[0].replace(".", "").lstrip("0") if found is not None else ""


def is_between(number: float, quantity: Quantity) -> bool:
    """Whether a number is within a range that is printed."""
    other = quantity.other_end
    return other is not None and min(quantity.value, other) < number < max(quantity.value, other)


def in_formula(text: str, share: float) -> bool:
    """Whether a number is a subscript of a formula: 0.04 in ``Li0.04``."""
    plain = re.escape(f"{share:g}")
    lowered = re.escape(f"{share:g}".translate(_LOWERED))
    return re.search(rf"(?<=[A-Za-z)])(?:{plain}(?![\d.])|{lowered}(?![₀-₉]))", text) is not None
