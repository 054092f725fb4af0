"""The published comparison of values, quirks and all.

Source: the public scoring code of the SuperCon property extraction study (value scoring).
"""

import re
from functools import lru_cache

from pincite_materials.published_units import published_factors
from pincite_materials.text import plain

_NUMBER = re.compile(
    r"(?P<base>[-+]?(?:\d+\.?\d*|\.\d+))(?:\s*(?:[x×]\s*10\s*\^?|e)\s*(?P<exponent>[-+]?\d+))?"
    r"\s*(?P<unit>[a-z0-9/°%.]+)?",
    re.IGNORECASE,
)


def published_same_value(answer: str, true: str, tolerance: float) -> bool:
    """Whether any number of the answer meets the first number of the true value; units are what follows a number."""
    wanted = published_numbers(true)[:1]
    return bool(wanted) and any(
        published_equal(x, unit, *wanted[0], tolerance) for x, unit in published_numbers(answer)
    )


@lru_cache(maxsize=16384)
def published_numbers(text: str) -> tuple[tuple[float, str], ...]:
    """Numbers with the letters that follow them; powers of ten come first, uncertainties in parentheses are dropped."""
    text = re.sub(r"\(\d+\)", "", plain(text))
    found: list[tuple[bool, float, str]] = []
    for match in _NUMBER.finditer(text):
        scientific = match["exponent"] is not None
        number = float(f"{match['base']}e{match['exponent'] or 0}")
        found.append((not scientific, number, match["unit"] or ""))
    return tuple((number, unit) for _, number, unit in sorted(found, key=lambda item: item[0]))


def published_equal(x: float, unit: str, true: float, true_unit: str, tolerance: float) -> bool:
    """|x - true| <= tolerance * |true|, in SI where both units have a published factor, else as bare numbers."""
    factors = published_factors()
    if unit != true_unit and unit in factors and true_unit in factors:
        x, true = x * factors[unit], true * factors[true_unit]
    return x == 0 if true == 0 else abs(x - true) / abs(true) <= tolerance
