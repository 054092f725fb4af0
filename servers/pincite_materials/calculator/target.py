"""Target: a quantity in the unit that stands behind ``to``."""

from dataclasses import dataclass

from pincite_core.errors import BadInputError
from pincite_materials.calculator.evaluating import shown_dimensions
from pincite_materials.calculator.fault import fault
from pincite_materials.calculator.quantity import Quantity, digits_to
from pincite_materials.calculator.reading import Expression
from pincite_materials.equivalents import HOW, equivalence
from pincite_materials.unit_atoms import Dimensions
from pincite_materials.units import Unit, not_understood, parse_unit


@dataclass(frozen=True, slots=True)
class _Kind:
    """What ``equivalence`` asks of a unit."""

    dimensions: Dimensions
    names: frozenset[str]
    offset: float = 0.0


def in_unit(quantity: Quantity, read: Expression) -> tuple[float, int | None, str]:
    """The number in the unit behind ``to``, its significant digits, and a note where it is an equivalent quantity."""
    readings = parse_unit(read.to)
    if not readings:
        raise _fault(read, not_understood(read.to), "Spell it in SI or Gaussian units")
    for unit in readings:
        if unit.dimensions == quantity.dimensions:
            return *_converted(quantity, unit, read), ""
    for unit in readings:
        found = equivalence(_Kind(quantity.dimensions, quantity.names), unit)
        if found is not None and not quantity.difference:
            return quantity.value * found[0] / unit.factor, quantity.digits, HOW[found[1]]
    hint = "; h is the Planck constant, an hour is written hour" if _has_planck(read.text) else ""
    raise _fault(
        read,
        f"{shown_dimensions(quantity)} cannot be converted to {read.to}",
        f"Give a unit of the same quantity{hint}",
    )


def _converted(quantity: Quantity, unit: Unit, read: Expression) -> tuple[float, int | None]:
    if unit.offset and quantity.difference:
        raise _fault(read, f"a difference of temperatures has no place on the scale of {read.to}", "Convert it to K")
    number = (quantity.value - unit.offset) / unit.factor
    place = quantity.place
    if not unit.offset or place is None:
        return number, quantity.digits
    return number, digits_to(number, place / unit.factor)


def _has_planck(text: str) -> bool:
    import re

    return re.search(r"(?<![A-Za-z_])h(?![A-Za-z_(])", text) is not None


def _fault(read: Expression, what: str, write: str) -> BadInputError:
    return fault(read.text, read.to_at, what, write)
