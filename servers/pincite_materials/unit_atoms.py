"""Named units: their size in SI base units and their dimensions, by pint; loaded with the first unit that is read."""

from functools import cache
from typing import Any, cast

from pincite_materials.unit_names import COUNTED, OWN, PLAIN, PREFIXED

Dimensions = tuple[tuple[str, float], ...]


def clean(exponents: dict[str, float]) -> Dimensions:
    """Dimensions sorted by name, without those to the power of zero."""
    rounded = {name: round(exponent, 6) for name, exponent in exponents.items()}
    return tuple(sorted((name, exponent) for name, exponent in rounded.items() if exponent))


@cache
def atom(name: str) -> tuple[float, Dimensions]:
    """Size in SI base units and dimensions of one named unit, or of a constant of pint's registry (CODATA 2022)."""
    if name in COUNTED.values():
        return 1.0, ()
    if name in OWN:
        size, dimension = OWN[name]
        return size, ((dimension, 1.0),)
    expression = PLAIN.get(name) or PREFIXED.get(name) or name
    registry = _registry()
    quantity = registry.Quantity(registry.parse_expression(expression)).to_base_units()
    dimensions = {str(key): float(power) for key, power in quantity.dimensionality.items()}
    return float(quantity.magnitude), clean(dimensions)


@cache
def _registry() -> Any:
    import pint

    return cast("Any", pint.UnitRegistry())
