"""The published comparison of values, quirks and all.

Source: the public scoring code of the SuperCon property extraction study (value scoring).
"""

import re
from functools import lru_cache

from pincite_core.characters import DASHES, HYPHENS, MINUS, RAISED_DIGITS, RAISED_MINUS
from pincite_materials.published_units import published_factors

_UNIT = r"\s*(?P<unit>[a-zA-Z/°%]+)?"
_POWER = re.compile(r"(?P<base>[-+]?\d*\.?\d+)\s*[x×]\s*10(?:\s*\^)?\s*(?P<exponent>[-+]?\d+)" + _UNIT, re.IGNORECASE)
_NUMBER = re.compile(r"(?P<number>[-+]?(?:\d+\.\d*|\.\d+|\d+)(?:[eE][-+]?\d+)?)" + _UNIT)
_LEAST, _MOST = -300, 300
"""Exponents of a float; a power beyond them is none."""

_DASHES = dict.fromkeys(map(ord, HYPHENS + DASHES + MINUS), "-")
_RAISED = str.maketrans(f"{RAISED_DIGITS}⁺{RAISED_MINUS}", "0123456789+-")


def published_spelling(text: str) -> str:
    """One kind of dash, level digits, and ``d`` for a δ: all that is normalised there."""
    return text.translate(_DASHES).replace("δ", "d").replace("Δ", "d").translate(_RAISED)


def published_same_value(answer: str, true: str, tolerance: float) -> bool:
    """Whether any number of the answer meets the first number of the true value; units are what follows a number."""
    wanted = published_numbers(true)[:1]
    return bool(wanted) and any(
        published_equal(x, unit, *wanted[0], tolerance) for x, unit in published_numbers(answer)
    )


@lru_cache(maxsize=16384)
def published_numbers(text: str) -> tuple[tuple[float, str], ...]:
    """Numbers with the letters that follow them; powers of ten come first, then all numbers, those of the powers among
    them; uncertainties in parentheses are dropped."""
    text = re.sub(r"\(\d+\)", "", published_spelling(text).strip())
    powers = (match for match in _POWER.finditer(text) if _LEAST <= int(match["exponent"]) <= _MOST)
    found = [(float(match["base"]) * 10.0 ** int(match["exponent"]), match["unit"] or "") for match in powers]
    found += [(float(match["number"]), match["unit"] or "") for match in _NUMBER.finditer(text)]
    return tuple(dict.fromkeys(found))


def published_equal(x: float, unit: str, true: float, true_unit: str, tolerance: float) -> bool:
    """|x - true| <= tolerance * |true|, in SI where both units have a published factor, else as bare numbers."""
    factors = published_factors()
    if unit != true_unit and unit in factors and true_unit in factors:
        x, true = x * factors[unit], true * factors[true_unit]
    return x == 0 if true == 0 else abs(x - true) / abs(true) <= tolerance
