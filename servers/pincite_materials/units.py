"""Units as papers print them, SI and Gaussian: what they mean, and values converted, by pint and a table of our own."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from pincite_materials.equivalents import Relation, equivalence
from pincite_materials.unit_atoms import Dimensions, atom, clean
from pincite_materials.unit_grammar import Factor, Spelled, read_unit, unread_part
from pincite_materials.unit_names import NO_UNIT
from pincite_materials.values import spell

_SMALLEST, _LARGEST = 1e-200, 1e200
"""A factor beyond these is a misreading and would not survive a division."""

_READINGS_OF_A = ("ampere", "angstrom")

_ZERO_POINTS: dict[str, tuple[float, float]] = {"degC": (1.0, 273.15), "degF": (5 / 9, 459.67 * 5 / 9)}
"""Kelvins a degree, and the kelvins at zero, of the scales that do not begin at absolute zero."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One reading of a unit: ``value * factor + offset`` is the value in SI base units."""

    factor: float
    dimensions: Dimensions
    offset: float = 0.0
    names: frozenset[str] = frozenset()


_LONGEST = 200
"""Characters of a unit; no unit has more, and brackets are read by recursion."""


@lru_cache(maxsize=4096)
def parse_unit(text: str) -> tuple[Unit, ...]:
    """The readings of a unit string; none for a unit nobody knows, two where ``A`` may be ampere or ångström.

    An empty string is the dimensionless one.
    """
    text = text.strip()
    if text in {"", "-", "1", "dimensionless", "unitless", "none"}:
        return (Unit(1.0, ()),)
    spelled = read_unit(text) if len(text) <= _LONGEST else None
    if spelled is None or not spelled.factors:
        return ()
    if len(spelled.factors) == 1 and spelled.factors[0] in _SCALES:
        degree, zero = _ZERO_POINTS[spelled.factors[0].name]
        return (Unit(spelled.scale * degree, atom("kelvin")[1], zero),)
    ambiguous = any(factor.name == "A" for factor in spelled.factors)
    readings = [_unit(spelled, reading) for reading in (_READINGS_OF_A if ambiguous else ("",))]
    return tuple(unit for unit in readings if _SMALLEST < unit.factor < _LARGEST)


_SCALES = frozenset(Factor(name, 1.0) for name in _ZERO_POINTS)


def convert(value: float, source: str, target: str, *, energies: bool = False) -> float | None:
    """``value`` in ``source`` as a number in ``target``; None where the two are not comparable.

    Comparable are equal dimensions, H and B (``Oe``, ``A/m``, ``T``: B = μ0 H), Gaussian susceptibility (1 emu is
    1 cm³, 4π·1e-6 m³ in SI), and daltons with a molar mass. With ``energies`` so are energies of a particle and of a
    mole, temperatures (k_B), wavenumbers (hc) and frequencies (h): only for what is an energy, since a temperature need
    not be one, and cm^-1 is a unit of absorption too. A unit nobody knows is comparable with its own spelling alone.
    """
    line = _line(source, target, energies)
    return None if line is None else value * line[0] + line[1]


def same_kind(source: str, target: str, *, energies: bool = False) -> bool:
    """Whether values in the two units are comparable, as ``convert`` has it."""
    return _line(source, target, energies) is not None


def relation(source: str, target: str) -> Relation | None:
    """How values in one unit become values in the other, equivalent energies among it; None where they do not."""
    if _line(source, target, False) is None:
        return "energy" if _line(source, target, True) is not None else None
    sources, targets = parse_unit(source), parse_unit(target)
    if not sources or any(a.dimensions == b.dimensions for a, b in product(sources, targets)):
        return "same"
    return next(found for _, _, (_, found) in _equivalents(sources, targets))


@lru_cache(maxsize=4096)
def _line(source: str, target: str, energies: bool) -> tuple[float, float] | None:
    """Slope and intercept of the conversion from ``source`` to ``target``, or None."""
    sources, targets = parse_unit(source), parse_unit(target)
    if not sources or not targets:
        same = bool(source.strip()) and spell(source).split() == spell(target).split()
        return (1.0, 0.0) if same and not sources else None
    for a, b in product(sources, targets):
        if a.dimensions == b.dimensions:
            return a.factor / b.factor, (a.offset - b.offset) / b.factor
    for a, b, (constant, found) in _equivalents(sources, targets):
        if energies or found != "energy":
            return a.factor * constant / b.factor, 0.0
    return None


def _equivalents(
    sources: tuple[Unit, ...], targets: tuple[Unit, ...]
) -> Iterator[tuple[Unit, Unit, tuple[float, Relation]]]:
    """The readings of two units that are equivalent, each pair with its factor and relation."""
    for a, b in product(sources, targets):
        found = equivalence(a, b)
        if found is not None:
            yield a, b, found


def to_base(value: float, unit: str) -> float | None:
    """``value`` in SI base units by the first reading of ``unit``, or None where the unit is unknown."""
    readings = parse_unit(unit)
    return value * readings[0].factor + readings[0].offset if readings else None


def known(unit: str) -> bool:
    """Whether ``unit`` has a meaning here (no unit at all has one: dimensionless)."""
    return bool(parse_unit(unit))


def not_understood(unit: str) -> str:
    """What of an unknown ``unit`` is not understood, in words: the unit, and the part of it that nobody knows."""
    text = unit.strip()
    why = NO_UNIT.get(text, "")
    part = unread_part(text) if len(text) <= _LONGEST else ""
    if not why and part and part != text:
        why = f"nobody knows {part!r} in it"
    return f"the unit {text[:_SHOWN]!r} is not understood{f': {why}' if why else ''}"


_SHOWN = 60
"""Characters of a unit that an error repeats."""


def _unit(spelled: Spelled, ampere: str) -> Unit:
    factor = spelled.scale
    exponents: dict[str, float] = {}
    names: set[str] = set()
    for part in spelled.factors:
        name = ampere if part.name == "A" else part.name
        names.add(f"{name}^{abs(part.power):g}" if part.prefix == 1e-2 else name)
        size, dimensions = atom(name)
        factor *= (size * part.prefix) ** part.power
        for dimension, exponent in dimensions:
            of_species = part.species and dimension == "[substance]"
            key = f"[substance of {part.species}]" if of_species else dimension
            exponents[key] = exponents.get(key, 0.0) + exponent * part.power
    return Unit(factor, clean(exponents), names=frozenset(names))
