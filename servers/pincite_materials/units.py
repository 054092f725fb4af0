"""Units of the SuperCon literature, SI and Gaussian, by pint and a table of our own."""

import math
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any, cast

from pincite_core.errors import MissingExtraError
from pincite_materials.unit_grammar import Factor, Spelled, read_unit
from pincite_materials.unit_names import COUNTED, PLAIN, PREFIXED
from pincite_materials.values import spell

Dimensions = tuple[tuple[str, float], ...]

_SMALLEST, _LARGEST = 1e-200, 1e200
"""A factor beyond these is a misreading and would not survive a division."""

_READINGS_OF_A = ("ampere", "angstrom")
_EMU_PER_CM3 = 1e-3
"""1 emu (1e-3 A·m²) of susceptibility is 1 cm³ (1e-6 m³) in Gaussian units."""


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

    An empty string is the dimensionless one. Raises MissingExtraError without pint.
    """
    text = text.strip()
    if text in {"", "-", "1", "dimensionless", "unitless", "none"}:
        return (Unit(1.0, ()),)
    spelled = read_unit(text) if len(text) <= _LONGEST else None
    if spelled is None or not spelled.factors:
        return ()
    if spelled.factors == (Factor("degC", 1.0),):
        return (Unit(spelled.scale, _atom("kelvin")[1], 273.15),)
    ambiguous = any(factor.name == "A" for factor in spelled.factors)
    readings = [_unit(spelled, reading) for reading in (_READINGS_OF_A if ambiguous else ("",))]
    return tuple(unit for unit in readings if _SMALLEST < unit.factor < _LARGEST)


def convert(value: float, source: str, target: str) -> float | None:
    """``value`` in ``source`` as a number in ``target``; None where the two are not comparable.

    Comparable are equal dimensions and the physicist's equivalents: H and B (``Oe``, ``A/m``, ``T``: B = μ0 H),
    energy, temperature, wavenumber and frequency (k_B, hc, h; CODATA), and Gaussian susceptibility (1 emu is 1 cm³,
    4π·1e-6 m³ in SI). A unit nobody knows is comparable only with the same spelling of itself.
    """
    line = _line(source, target)
    return None if line is None else value * line[0] + line[1]


@lru_cache(maxsize=4096)
def _line(source: str, target: str) -> tuple[float, float] | None:
    """Slope and intercept of the conversion from ``source`` to ``target``, or None."""
    sources, targets = parse_unit(source), parse_unit(target)
    if not sources or not targets:
        same = bool(source.strip()) and spell(source).split() == spell(target).split()
        return (1.0, 0.0) if same and not sources else None
    pairs = [(a, b) for a in sources for b in targets]
    for a, b in pairs:
        if a.dimensions == b.dimensions:
            return a.factor / b.factor, (a.offset - b.offset) / b.factor
    for a, b in pairs:
        constant = _equivalence(a, b)
        if constant is not None:
            return a.factor * constant / b.factor, 0.0
    return None


def to_base(value: float, unit: str) -> float | None:
    """``value`` in SI base units by the first reading of ``unit``, or None where the unit is unknown."""
    readings = parse_unit(unit)
    return value * readings[0].factor + readings[0].offset if readings else None


def known(unit: str) -> bool:
    """Whether ``unit`` has a meaning here (no unit at all has one: dimensionless)."""
    return bool(parse_unit(unit))


def _unit(spelled: Spelled, ampere: str) -> Unit:
    factor = spelled.scale
    exponents: dict[str, float] = {}
    names: set[str] = set()
    for part in spelled.factors:
        name = ampere if part.name == "A" else part.name
        names.add(f"{name}^{abs(part.power):g}" if part.prefix == 1e-2 else name)
        size, dimensions = _atom(name)
        factor *= (size * part.prefix) ** part.power
        for dimension, exponent in dimensions:
            of_species = part.species and dimension == "[substance]"
            key = f"[substance of {part.species}]" if of_species else dimension
            exponents[key] = exponents.get(key, 0.0) + exponent * part.power
    return Unit(factor, _clean(exponents), names=frozenset(names))


def _clean(exponents: dict[str, float]) -> Dimensions:
    rounded = {name: round(exponent, 6) for name, exponent in exponents.items()}
    return tuple(sorted((name, exponent) for name, exponent in rounded.items() if exponent))


@cache
def _atom(name: str) -> tuple[float, Dimensions]:
    """Size in SI base units and dimensions of one named unit."""
    if name in COUNTED.values():
        return 1.0, ()
    expression = PLAIN.get(name) or PREFIXED.get(name) or name
    registry = _registry()
    quantity = registry.Quantity(registry.parse_expression(expression)).to_base_units()
    dimensions = {str(key): float(power) for key, power in quantity.dimensionality.items()}
    return float(quantity.magnitude), _clean(dimensions)


@cache
def _registry() -> Any:
    try:
        import pint
    except ModuleNotFoundError as error:
        raise MissingExtraError.of("materials", needed_for="Unit conversion") from error
    return cast("Any", pint.UnitRegistry())


def _ratio(a: Unit, b: Unit) -> Dimensions:
    exponents = dict(b.dimensions)
    for name, exponent in a.dimensions:
        exponents[name] = exponents.get(name, 0.0) - exponent
    return _clean(exponents)


def _equivalence(a: Unit, b: Unit) -> float | None:
    """The SI factor that turns a quantity of ``a`` into its physical equivalent of ``b``, or None."""
    if a.offset or b.offset:
        return None
    ratio = _ratio(a, b)
    magnetic = _magnetic(a, b, ratio)
    if magnetic is not None:
        return magnetic
    joules = dict(_energies())
    if a.dimensions in joules and b.dimensions in joules:
        return joules[a.dimensions] / joules[b.dimensions]
    return None


def _magnetic(a: Unit, b: Unit, ratio: Dimensions) -> float | None:
    mu0, mu0_dimensions = _atom("vacuum_permeability")
    inverse = _clean({name: -power for name, power in mu0_dimensions})
    gaussian = ("emu" in a.names) != ("emu" in b.names) and _in_cm3(b if "emu" in a.names else a)
    rationalised = 1.0 if gaussian else 4 * math.pi
    if ratio == mu0_dimensions:
        return mu0 / (4 * math.pi) if gaussian else mu0
    if ratio == inverse:
        return 4 * math.pi / mu0 if gaussian else 1 / mu0
    moment_to_volume = _clean({"[length]": 1.0, "[current]": -1.0})
    if ratio == moment_to_volume and "emu" in a.names:
        return _EMU_PER_CM3 * rationalised
    if ratio == _clean({"[length]": -1.0, "[current]": 1.0}) and "emu" in b.names:
        return 1 / (_EMU_PER_CM3 * rationalised)
    per_field = _clean({name: -power for name, power in _atom("tesla")[1]})
    if "emu" in a.names and "emu" in b.names and ratio in {per_field, _atom("tesla")[1]}:
        return 1e4 if ratio == per_field else 1e-4
    return None


def _in_cm3(unit: Unit) -> bool:
    return "m^3" in unit.names or "cc" in unit.names


@cache
def _energies() -> tuple[tuple[Dimensions, float], ...]:
    """Joules in one SI unit of energy, temperature, wavenumber and frequency."""
    boltzmann, planck, light = _atom("boltzmann_constant")[0], _atom("planck_constant")[0], _atom("speed_of_light")[0]
    return (
        (_atom("joule")[1], 1.0),
        (_atom("kelvin")[1], boltzmann),
        (_clean({"[length]": -1.0}), planck * light),
        (_clean({"[time]": -1.0}), planck),
    )
