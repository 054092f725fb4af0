"""Amounts: whether a number of an answer is that of a claim, in any unit and as far as it is printed."""

import math
import re
from dataclasses import replace

from pincite_materials.units import convert, known
from pincite_scoring.figure_analysis.claims.model import Claim
from pincite_scoring.figure_analysis.claims.reading import Number

_BARE = frozenset({"", "point", "times"})
_COUNTS = {"million": 1e6, "billion": 1e9, "trillion": 1e12}
_BYTES = {"kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12}
_OWN = frozenset({"point", "times", "decade", *_COUNTS})
"""Units that are words here, and not to be converted."""
_NEVER_BARE = frozenset({"times", "decade"})
"""Units that a number never goes without: "includes 1" is not one decade."""
DIFFERENCES = frozenset({"point", "times", "decade"})
"""Units in which two values are compared: a number in one of them is a result."""
_SHARE = re.compile(r"\b(?:ratio|share|fraction|proportion|probability|accuracy)\b", re.IGNORECASE)
"""In a claim without a unit, what may be said in percent: a ratio of 0.86 as 86 %."""
_CONVERTED = 0.005
"""Relative difference that rounding a converted number may leave."""
_ROUNDED_DIGITS = 2
"""Significant digits that a rounded number must have to be told from others: 78 % for 78.1 %."""


def decimals(printed: str) -> int:
    """Decimals of a number as it is printed."""
    digits = printed.lstrip("+-").partition(".")[2]
    return next((index for index, char in enumerate(digits) if not char.isdigit()), len(digits))


def in_unit(number: Number, unit: str) -> float | None:
    """The number's value in ``unit``; None where it cannot be one of it. A unit left out fits every unit."""
    if number.unit == unit:
        return number.value
    if not number.unit:
        return None if unit in _NEVER_BARE else number.value
    if not unit:
        return number.value if number.unit in _BARE else None
    for scale in (_COUNTS, _BYTES):
        if number.unit in scale and unit in scale:
            return number.value * scale[number.unit] / scale[unit]
    if number.unit in _OWN or unit in _OWN or not known(unit) or not known(number.unit):
        return None
    return convert(number.value, number.unit, unit)


def restated(number: Number, unit: str) -> Number | None:
    """The number in another unit of its kind, printed to the place that it was printed to; None where it has none."""
    if not number.unit or not unit or number.unit == unit:
        return None
    value = in_unit(number, unit)
    if value is None or not value or not number.value:
        return None
    places = max(0, decimals(number.printed) - round(math.log10(abs(value / number.value))))
    return replace(number, value=value, unit=unit, printed=f"{value:.{places}f}")


def is_amount(claim: Claim, number: Number) -> bool:
    """Whether ``number`` is the claim's value, sign apart: prose says "smaller by 0.061" for −0.061."""
    value = in_unit(number, claim.unit)
    if number.unit == "%" and not claim.unit and _SHARE.search(claim.text):
        value = number.value / 100
        number = replace(number, value=value, printed=f"{value:.{decimals(number.printed) + 2}f}", unit="")
    if claim.value is None or value is None or (number.word and number.unit != claim.unit):
        return False
    if number.word and not number.unit and number.printed.lower() not in claim.text.lower():
        return False
    distance = abs(abs(value) - abs(claim.value))
    if value * claim.value < 0 and number.printed[:1] in "+-":
        return False
    if number.unit not in ("", claim.unit) and claim.unit:
        return distance <= max(claim.tolerance, _CONVERTED * abs(claim.value))
    return distance <= max(claim.tolerance, _rounding(number, claim.value))


def _rounding(number: Number, value: float) -> float:
    """Half of the last printed place, for numbers with two digits or more; else next to nothing."""
    places = decimals(number.printed)
    digits = len(f"{abs(number.value):.{places}f}".replace(".", "").lstrip("0"))
    exact = 1e-9 * max(abs(value), 1.0)
    return 0.5 * 10.0**-places + exact if digits >= _ROUNDED_DIGITS and not number.word else exact
