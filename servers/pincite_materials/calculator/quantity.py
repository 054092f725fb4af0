"""Quantity: a number in SI base units with its dimensions, the units that it was written in, and its digits."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pincite_materials.unit_atoms import Dimensions, clean

MOST_DIGITS = 12
"""Significant digits of a result: more are noise of the arithmetic."""


@dataclass(frozen=True, slots=True)
class Quantity:
    """``value`` is in SI base units; ``units`` are the powers of the units that it was written in, by spelling."""

    value: float
    dimensions: Dimensions = ()
    units: Mapping[str, float] = field(default_factory=dict[str, float])
    names: frozenset[str] = frozenset()
    digits: int | None = None
    """Significant digits; None for an exact number."""
    on_scale: bool = False
    """Whether it is a temperature that was given on a scale with its own zero (°C, °F)."""
    difference: bool = False
    """Whether it is a difference of temperatures."""

    @property
    def plain(self) -> bool:
        """Whether it is a bare number."""
        return not self.dimensions

    @property
    def place(self) -> float | None:
        """The size of its last significant digit, None for an exact number."""
        if self.digits is None:
            return None
        return 10.0 ** (magnitude(self.value) - self.digits + 1)

    def times(self, other: "Quantity", power: float = 1.0) -> "Quantity":
        """The product with ``other`` to a power; fewer digits count. OverflowError where it is too large or small."""
        dimensions = dict(self.dimensions)
        for name, exponent in other.dimensions:
            dimensions[name] = dimensions.get(name, 0.0) + exponent * power
        units = dict(self.units)
        for name, exponent in other.units.items():
            units[name] = units.get(name, 0.0) + exponent * power
        value = self.value * other.value**power
        if not value and self.value and other.value:
            raise OverflowError
        scaled = (self.difference and other.plain) or (other.difference and self.plain)
        return Quantity(
            value,
            clean(dimensions),
            {name: exponent for name, exponent in units.items() if exponent},
            self.names | other.names,
            fewer(self.digits, other.digits),
            difference=scaled,
        )

    def raised(self, power: float) -> "Quantity":
        """To a power."""
        return replace(Quantity(1.0).times(self, power), digits=self.digits)

    def plus(self, other: "Quantity", sign: float) -> "Quantity":
        """The sum or difference of two quantities of one dimension: the coarser last place counts."""
        value = self.value + sign * other.value
        places = [place for place in (self.place, other.place) if place is not None]
        subtracted = sign < 0 and self.dimensions == (("[temperature]", 1.0),)
        return replace(
            self,
            value=value,
            digits=digits_to(value, max(places)) if places else None,
            names=self.names | other.names,
            on_scale=False,
            difference=subtracted or (self.difference and other.difference),
        )


def magnitude(value: float) -> int:
    """The power of ten of the first digit; 0 for zero."""
    return math.floor(math.log10(abs(value))) if value else 0


def digits_to(value: float, place: float) -> int:
    """Significant digits of a value whose last one is worth ``place``."""
    return min(max(magnitude(value) - round(math.log10(place)) + 1, 1), MOST_DIGITS)


def fewer(*digits: int | None) -> int | None:
    """The least of the digits, exact numbers aside."""
    counted = [count for count in digits if count is not None]
    return min(counted) if counted else None
