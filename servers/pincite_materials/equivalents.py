"""Equivalents: one quantity told as another, such as B for H, a molar mass for a particle's, an energy for k_B T.

Constants are those of pint's registry (CODATA 2022; k_B, N_A, h, c and e are exact in the SI since 2019). The molar
mass constant is taken as 1 g/mol exactly, from which the measured one differs by 1e-9.
"""

import math
from functools import cache
from typing import Literal, Protocol

from pincite_materials.unit_atoms import Dimensions, atom, clean
from pincite_materials.unit_names import MASS_OF_A_PARTICLE

Relation = Literal["same", "magnetic", "molar mass", "energy"]
"""How two units convert: one quantity, or equivalents; those of energy hold only for what is an energy."""

HOW: dict[Relation, str] = {
    "same": "the same quantity in another unit",
    "magnetic": "equivalent quantities, not the same one: B = μ0 H, or Gaussian against SI (4π)",
    "molar mass": "equivalent quantities, not the same one: 1 Da for each particle is 1 g/mol",
    "energy": "equivalent quantities, not the same one: E = k_B T = h c ν̃ = h ν, times N_A for a mole",
}
"""Each relation in words."""

_EMU_PER_CM3 = 1e-3
"""1 emu (1e-3 A·m²) of susceptibility is 1 cm³ (1e-6 m³) in Gaussian units."""

_KG_PER_MOL_AND_DALTON = 1e-3
"""Molar mass in kg/mol of what weighs one dalton."""


class Sized(Protocol):
    """What is asked of a unit here: its dimensions, its offset, and the names in it."""

    @property
    def dimensions(self) -> Dimensions: ...

    @property
    def offset(self) -> float: ...

    @property
    def names(self) -> frozenset[str]: ...


def equivalence(a: Sized, b: Sized) -> tuple[float, Relation] | None:
    """The SI factor that turns a quantity of ``a`` into its equivalent of ``b``, and the relation used; or None."""
    if a.offset or b.offset:
        return None
    magnetic = _magnetic(a, b)
    if magnetic is not None:
        return magnetic, "magnetic"
    molar = _molar_mass(a, b)
    if molar is not None:
        return molar, "molar mass"
    joules = dict(_energies())
    if a.dimensions in joules and b.dimensions in joules:
        return joules[a.dimensions] / joules[b.dimensions], "energy"
    return None


def _ratio(a: Sized, b: Sized) -> Dimensions:
    exponents = dict(b.dimensions)
    for name, exponent in a.dimensions:
        exponents[name] = exponents.get(name, 0.0) - exponent
    return clean(exponents)


def _magnetic(a: Sized, b: Sized) -> float | None:
    ratio = _ratio(a, b)
    mu0, mu0_dimensions = atom("vacuum_permeability")
    inverse = clean({name: -power for name, power in mu0_dimensions})
    gaussian = ("emu" in a.names) != ("emu" in b.names) and _in_cm3(b if "emu" in a.names else a)
    rationalised = 1.0 if gaussian else 4 * math.pi
    if ratio == mu0_dimensions:
        return mu0 / (4 * math.pi) if gaussian else mu0
    if ratio == inverse:
        return 4 * math.pi / mu0 if gaussian else 1 / mu0
    moment_to_volume = clean({"[length]": 1.0, "[current]": -1.0})
    if ratio == moment_to_volume and "emu" in a.names:
        return _EMU_PER_CM3 * rationalised
    if ratio == clean({"[length]": -1.0, "[current]": 1.0}) and "emu" in b.names:
        return 1 / (_EMU_PER_CM3 * rationalised)
    per_field = clean({name: -power for name, power in atom("tesla")[1]})
    if "emu" in a.names and "emu" in b.names and ratio in {per_field, atom("tesla")[1]}:
        return 1e4 if ratio == per_field else 1e-4
    return None


def _in_cm3(unit: Sized) -> bool:
    return "m^3" in unit.names or "cc" in unit.names


def _molar_mass(a: Sized, b: Sized) -> float | None:
    """Between a mass in daltons and a molar mass: a mass in grams is that of a sample, not of a particle."""
    mass = clean({"[mass]": 1.0})
    molar = clean({"[mass]": 1.0, "[substance]": -1.0})
    dalton = atom("Da")[0]
    if MASS_OF_A_PARTICLE & a.names and a.dimensions == mass and b.dimensions == molar:
        return _KG_PER_MOL_AND_DALTON / dalton
    if MASS_OF_A_PARTICLE & b.names and b.dimensions == mass and a.dimensions == molar:
        return dalton / _KG_PER_MOL_AND_DALTON
    return None


@cache
def _energies() -> tuple[tuple[Dimensions, float], ...]:
    """Joules of one particle in one SI unit of energy, molar energy, temperature, wavenumber and frequency."""
    boltzmann, planck, light = atom("boltzmann_constant")[0], atom("planck_constant")[0], atom("speed_of_light")[0]
    energy = atom("joule")[1]
    return (
        (energy, 1.0),
        (clean({**dict(energy), "[substance]": -1.0}), 1.0 / atom("avogadro_constant")[0]),
        (atom("kelvin")[1], boltzmann),
        (clean({"[length]": -1.0}), planck * light),
        (clean({"[time]": -1.0}), planck),
    )
