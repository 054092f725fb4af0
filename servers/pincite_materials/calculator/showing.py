"""Showing: a quantity in a unit that people write, with the digits that count."""

from collections.abc import Mapping
from functools import cache

from pincite_materials.calculator.quantity import Quantity, magnitude
from pincite_materials.unit_atoms import Dimensions
from pincite_materials.units import parse_unit

_DERIVED = (
    "J", "N", "Pa", "W", "V", "Ω", "C", "F", "T", "Wb", "H", "S", "J/mol", "J/(mol K)", "J/K", "J/(kg K)", "V/m",
    "W/(m K)", "W/m^2", "A/m", "Ω m", "S/m", "V/K", "Pa s", "m^2/(V s)", "C m", "kg/mol", "kg/m^3", "mol/m^3", "J s",
    "N/m", "F/m", "H/m", "C/mol", "J/T",
)  # fmt: skip
"""SI units by which results are shown, where the units that were written do not make one."""

_BASE = {
    "[mass]": "kg", "[length]": "m", "[time]": "s", "[current]": "A", "[temperature]": "K", "[substance]": "mol",
    "[luminosity]": "cd", "[activity]": "Bq", "[dose equivalent]": "Sv",
}  # fmt: skip
_ORDER = tuple(_BASE)
_PLAIN_BELOW, _PLAIN_FROM = 7, -4
"""Powers of ten of numbers that are written without an exponent."""


def own_unit(value: Quantity) -> tuple[str, float]:
    """The unit to show a result in and its size in SI: as it was written, where that is one unit for each dimension."""
    units = {name: power for name, power in value.units.items() if _dimensions_of(name) or len(value.units) == 1}
    taken = [dimension for name in units for dimension, _ in _dimensions_of(name)]
    if value.units and units and len(set(taken)) == len(taken):
        size = 1.0
        for name, power in units.items():
            size *= parse_unit(name)[0].factor ** power
        return joined(units), size
    return si_unit(value.dimensions), 1.0


@cache
def si_unit(dimensions: Dimensions) -> str:
    """The coherent SI unit of these dimensions; "" for a bare number."""
    if not dimensions:
        return ""
    for unit in _DERIVED:
        if parse_unit(unit)[0].dimensions == dimensions:
            return unit
    powers = dict(dimensions)
    known = {_BASE[name]: powers[name] for name in _ORDER if name in powers}
    others = {name.strip("[]"): power for name, power in dimensions if name not in _BASE}
    return joined(known | others)


def joined(units: Mapping[str, float]) -> str:
    """``kg m^2/s^2`` of the powers of units."""
    above = [_raised(name, power) for name, power in units.items() if power > 0]
    below = [_raised(name, -power) for name, power in units.items() if power < 0]
    if not above:
        return " ".join(_raised(name, power) for name, power in units.items())
    divisor = below[0] if len(below) == 1 else f"({' '.join(below)})"
    return " ".join(above) + (f"/{divisor}" if below else "")


def rounded(number: float, digits: int) -> str:
    """A number with its significant digits: ``25.9``, ``6.6e4``."""
    text = f"{number:.{digits - 1}e}"
    exponent = magnitude(float(text))
    if _PLAIN_FROM <= exponent < min(digits, _PLAIN_BELOW):
        return f"{float(text):.{digits - 1 - exponent}f}"
    return f"{text.partition('e')[0]}e{exponent}"


def _raised(name: str, power: float) -> str:
    return name if power == 1 else f"{name}^{power:g}"


def _dimensions_of(name: str) -> Dimensions:
    return parse_unit(name)[0].dimensions
