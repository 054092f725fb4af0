"""Constants of nature by the names that physicists write: CODATA 2022, as pint's registry has them."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Constant:
    """``registry`` is its name in pint's registry, ``units`` what it is shown in; ``beware`` tells what else the name
    might mean."""

    registry: str
    title: str
    units: Mapping[str, float]
    beware: str = ""


_BOLTZMANN = Constant("boltzmann_constant", "Boltzmann constant", {"J": 1, "K": -1})
_AVOGADRO = Constant("avogadro_constant", "Avogadro constant", {"mol": -1})
_HBAR = Constant("dirac_constant", "reduced Planck constant", {"J": 1, "s": 1})
_MU_0 = Constant("vacuum_permeability", "vacuum permeability", {"H": 1, "m": -1})
_EPSILON_0 = Constant("vacuum_permittivity", "vacuum permittivity", {"F": 1, "m": -1})

CONSTANTS: Mapping[str, Constant] = {
    "k_B": _BOLTZMANN,
    "kB": _BOLTZMANN,
    "N_A": _AVOGADRO,
    "NA": _AVOGADRO,
    "h": Constant("planck_constant", "Planck constant", {"J": 1, "s": 1}, "an hour is written hour"),
    "hbar": _HBAR,
    "ħ": _HBAR,
    "c": Constant("speed_of_light", "speed of light", {"m": 1, "s": -1}),
    "e": Constant("elementary_charge", "elementary charge", {"C": 1}, "Euler's number is written exp(1)"),
    "R": Constant("molar_gas_constant", "molar gas constant", {"J": 1, "mol": -1, "K": -1}),
    "faraday": Constant("faraday_constant", "Faraday constant", {"C": 1, "mol": -1}),
    "m_e": Constant("electron_mass", "mass of the electron", {"kg": 1}),
    "m_p": Constant("proton_mass", "mass of the proton", {"kg": 1}),
    "m_n": Constant("neutron_mass", "mass of the neutron", {"kg": 1}),
    "m_u": Constant("dalton", "atomic mass constant", {"kg": 1}),
    "mu_0": _MU_0,
    "μ_0": _MU_0,
    "epsilon_0": _EPSILON_0,
    "ε_0": _EPSILON_0,
    "mu_B": Constant("bohr_magneton", "Bohr magneton", {"J": 1, "T": -1}),
    "a_0": Constant("bohr_radius", "Bohr radius", {"m": 1}),
    "Phi_0": Constant("magnetic_flux_quantum", "magnetic flux quantum", {"Wb": 1}),
    "sigma_SB": Constant("stefan_boltzmann_constant", "Stefan-Boltzmann constant", {"W": 1, "m": -2, "K": -4}),
    "g_0": Constant("standard_gravity", "standard gravity", {"m": 1, "s": -2}),
    "G_N": Constant("newtonian_constant_of_gravitation", "constant of gravitation", {"m": 3, "kg": -1, "s": -2}),
    "pi": Constant("pi", "", {}),
    "π": Constant("pi", "", {}),
}
