"""How papers spell units: names, prefixes, misspellings, and what is not a unit at all."""

PREFIXES: dict[str, float] = {
    "f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "μ": 1e-6, "m": 1e-3, "c": 1e-2, "d": 1e-1, "k": 1e3, "M": 1e6,
    "G": 1e9, "T": 1e12, "femto": 1e-15, "pico": 1e-12, "nano": 1e-9, "micro": 1e-6, "milli": 1e-3, "centi": 1e-2,
    "deci": 1e-1, "kilo": 1e3, "mega": 1e6, "giga": 1e9, "tera": 1e12, "mic": 1e-6, "myu": 1e-6,
}  # fmt: skip
"""SI prefixes, the words, and the Greek letter as it is typed without one."""

PREFIXED: dict[str, str] = {
    "m": "meter", "meter": "meter", "metre": "meter", "g": "gram", "gram": "gram", "s": "second", "sec": "second",
    "K": "kelvin", "kelvin": "kelvin", "V": "volt", "volt": "volt", "W": "watt", "watt": "watt", "J": "joule",
    "joule": "joule", "eV": "electron_volt", "ev": "electron_volt",
    "electronvolt": "electron_volt", "electronvolts": "electron_volt",
    "Hz": "hertz", "Pa": "pascal", "pascal": "pascal",
    "bar": "bar", "T": "tesla", "tesla": "tesla", "G": "1e-4 tesla", "gauss": "1e-4 tesla", "Gauss": "1e-4 tesla",
    "Oe": "1e-4 tesla", "oersted": "1e-4 tesla", "Oersted": "1e-4 tesla", "emu": "1e-3 ampere * meter ** 2",
    "Ω": "ohm", "ohm": "ohm", "Ohm": "ohm", "OHM": "ohm", "C": "coulomb", "coulomb": "coulomb", "F": "farad",
    "H": "henry", "S": "siemens", "N": "newton", "L": "liter", "l": "liter", "liter": "liter", "litre": "liter",
    "mol": "mole", "mole": "mole", "Mol": "mole", "Wb": "weber", "ampere": "ampere", "amp": "ampere", "dyn": "dyne",
    "erg": "erg", "cal": "calorie", "Torr": "torr", "torr": "torr", "rad": "radian", "M": "molar", "Da": "dalton",
    "dalton": "dalton", "Dalton": "dalton", "daltons": "dalton", "Daltons": "dalton", "Ci": "curie", "curie": "curie",
    "Bq": "becquerel", "becquerel": "becquerel", "Gy": "gray", "Sv": "sievert", "kat": "katal", "cd": "candela",
    "lm": "lumen", "lx": "lux", "lux": "lux", "gramme": "gram", "second": "second", "newton": "newton",
    "farad": "farad", "weber": "weber", "siemens": "siemens", "hertz": "hertz", "radian": "radian",
    "molar": "molar", "calorie": "calorie", "sievert": "sievert", "lumen": "lumen",
}  # fmt: skip
"""Units that take a prefix, as expressions for the registry. Oe and G are both fields in tesla (B = μ0 H)."""

PLAIN: dict[str, str] = {
    "Å": "angstrom", "angstrom": "angstrom", "Angstrom": "angstrom", "Ang": "angstrom", "ang": "angstrom",
    "angstroms": "angstrom", "micron": "micrometer", "microns": "micrometer", "cc": "centimeter ** 3",
    "atm": "standard_atmosphere", "min": "minute", "h": "hour", "hr": "hour", "hour": "hour", "hours": "hour",
    "day": "day", "days": "day", "yr": "year", "year": "year", "moles": "mole", "gauss.": "1e-4 tesla",
    "kgf": "kilogram * 9.80665 meter / second ** 2", "bohr": "bohr_magneton", "Ry": "0.5 hartree", "Ha": "hartree",
    "hbar": "dirac_constant", "Phi0": "magnetic_flux_quantum", "Φ0": "magnetic_flux_quantum", "%": "0.01",
    "percent": "0.01", "‰": "0.001", "ppm": "1e-6", "ppb": "1e-9", "at%": "0.01", "wt%": "0.01 kilogram / kilogram",
    "vol%": "0.01", "mol%": "0.01", "deg": "degree", "degree": "degree", "°": "degree",
    "fu": "particle", "formula": "particle", "molecule": "particle", "n": "1", "carriers": "1", "electrons": "1",
    "holes": "1", "states": "1", "state": "1", "ions": "1",
    "Hv": "kilogram * 9.80665 meter / second ** 2 / millimeter ** 2", "kelvins": "kelvin", "volts": "volt",
    "meters": "meter", "seconds": "second", "spin": "1", "k": "kelvin", "degC": "kelvin", "arb": "1", "cps": "hertz",
    "GP": "gigapascal", "1": "1", "D": "debye", "Debye": "debye", "debye": "debye", "debyes": "debye",
    "mmHg": "millimeter_Hg", "cmHg": "centimeter_Hg", "inHg": "inch_Hg", "cmwater": "centimeter_H2O",
    "mmwater": "0.1 centimeter_H2O", "psi": "psi", "ksi": "1000 psi", "cP": "centipoise", "cSt": "centistokes",
    "wk": "week", "week": "week", "weeks": "week", "month": "month", "months": "month", "years": "year", "yrs": "year",
    "minute": "minute", "minutes": "minute", "hrs": "hour", "amu": "dalton", "degF": "5 / 9 kelvin",
    "kh": "1000 hour", "khr": "1000 hour", "Hartree": "hartree", "hartree": "hartree", "inch": "inch", "inches": "inch",
    "ft": "foot", "foot": "foot", "feet": "foot", "fathom": "1.8288 meter", "fathoms": "1.8288 meter",
    "mile": "mile", "miles": "mile", "lb": "pound", "lbs": "pound", "pound": "pound", "pounds": "pound",
    "degrees": "degree", "tonne": "tonne", "tonnes": "tonne", "ha": "hectare", "hectare": "hectare",
    "hectares": "hectare", "acre": "acre", "acres": "acre",
    "HV": "kilogram * 9.80665 meter / second ** 2 / millimeter ** 2", "MGOe": "7957.747154594767 joule / meter ** 3",
}  # fmt: skip
"""Units without a prefix. A formula unit is a particle, so 1 μB/f.u. is 5.585 A·m²/mol; ``k`` alone is kelvin."""

COUNTED: dict[str, str] = {
    "rlu": "reciprocal lattice unit", "cell": "cell", "unitcell": "cell", "atom": "atom", "atoms": "atom",
    "site": "site", "plane": "plane", "layer": "layer", "pixel": "pixel",
    "decade": "decade", "dec": "decade", "dB": "decibel", "cycle": "cycle", "cycles": "cycle",
    "rpm": "revolution a minute", "U": "enzyme unit", "IU": "international unit", "CFU": "colony", "cfu": "colony",
    "PFU": "plaque", "pfu": "plaque", "cells": "cell", "sccm": "standard cm3 a minute", "sun": "sun", "suns": "sun",
    "equiv": "equivalent",
}  # fmt: skip
"""Things that a paper counts by: each is a dimension of its own, comparable with itself only."""

OWN: dict[str, tuple[float, str]] = {
    "Bq": (1.0, "[activity]"), "becquerel": (1.0, "[activity]"), "Ci": (3.7e10, "[activity]"),
    "curie": (3.7e10, "[activity]"), "Sv": (1.0, "[dose equivalent]"), "sievert": (1.0, "[dose equivalent]"),
}  # fmt: skip
"""Units with a dimension of their own, and their size: a decay is not a cycle and a sievert no gray (SI Brochure, 2019,
table 4), though both pairs are the same in SI base units; 1 Ci is 3.7e10 Bq."""

ALONE = frozenset({"D", "U", "IU", "sun", "cP"})
"""Names that stand alone: written together with others they would be read into what is not a unit (``mD``, ``KD``)."""

MASS_OF_A_PARTICLE = frozenset({"Da", "dalton", "Dalton", "daltons", "Daltons", "amu"})
"""Units in which only the mass of a particle is given, never that of a sample."""

FOLDED: dict[str, str] = {
    "oe": "Oe", "koe": "kOe", "emu": "emu", "memu": "memu", "mole": "mol", "mol": "mol", "kbar": "kbar", "gpa": "GPa",
    "mpa": "MPa", "kpa": "kPa", "mev": "MeV", "kev": "keV", "gauss": "G", "kgauss": "kG", "ohm": "ohm",
    "kohm": "kohm", "uohm": "uohm", "mj": "mJ", "uj": "uJ", "cm": "cm", "mm": "mm", "nm": "nm", "um": "um",
}  # fmt: skip
"""Spellings that mean one thing in any case, tried where the case as written means nothing."""

ALIASES: dict[str, str] = {
    "KG": "kG", "W/mK": "W/m.K", "mW/mK": "mW/m.K", "KOe": "kOe", "KG/K": "kG/K", "k": "K", "mj/mol.K2": "mJ/mol.K2",
    "mj/mol.K": "mJ/mol.K", "m.ohm.cm": "mohm.cm", "eum/mol": "emu/mol", "emh.K/mol": "emu.K/mol",
    "emu,K/mol": "emu.K/mol", "micro.V/K": "uV/K", "mic.V/K": "uV/K", "mic.ohm.cm": "uohm.cm", "mic.ohm.m": "uohm.m",
    "microV/P": "uV/K", "uV/K-1": "uV/K", "mv/K": "mV/K", "k0/GPa": "1/GPa", "mOh..cm": "mohm.cm",
    "uOh.cm": "uohm.cm", "mOhm,cm": "mohm.cm", "moOhm.cm": "mohm.cm", "mOrm.cm": "mohm.cm", "mohmmm": "mohm.cm",
    "m-ohmcm": "mohm.cm", "UOhm.cm": "uohm.cm", "uOhm.cn": "uohm.cm", "micron m": "um", "micron.m": "um",
    "micron-m": "um", "micron. M": "um", "microm": "um", "micro-T": "uT", "micro-eV": "ueV", "micro-ohm": "uohm",
    "microohm": "uohm", "microohmcm": "uohm.cm", "mJ/gmol.K2": "mJ/mol.K2", "J/kg.K": "J/kg.K", "W/K.M": "W/m.K",
    "E-6%": "E-6 %", "mj/f.u.K2": "mJ/fu.K2", "mJ/K2fu": "mJ/fu.K2", "mj/K2.m-Re": "mJ/mol@Re.K2",
    "mJ/m-Co.K2": "mJ/mol@Co.K2", "mJ/Ymol.K2": "mJ/mol@Y.K2", "mJ/Ni.K2": "mJ/mol@Ni.K2", "J/K2.Mol-C": "J/mol@C.K2",
    "mJ/Pr mol": "mJ/mol@Pr", "emu/mol Nd": "emu/mol@Nd", "emu.K/Ru": "emu.K/mol@Ru", "emu.K/Yb": "emu.K/mol@Yb",
    "emu.K/Ce": "emu.K/mol@Ce", "mJ/gat.K2": "mJ/mol@atom.K2", "J/K2gat": "J/mol@atom.K2",
    "MJ/GAT.K": "MJ/mol@atom.K", "mB/Pr": "bohr/each@Pr", "ergK/Oe2g": "erg.K/Oe2.g", "EMU.K/G.OE": "emu.K/g.Oe",
    "EMU.K/G": "emu.K/g", "EMU/G": "emu/g", "per mol": "1/mol", "m3C-1(20K)": "m3.C-1", "hole/Cu": "holes/each@Cu",
    "(dL/L)/GPa": "1/GPa", "uB/R": "bohr/each@R", "K/GP": "K/GPa",
    "MJ/MOLE.K2": "MJ/mol.K2", "kg/mm2": "kg/mm2", "°C": "degC", "C°": "degC", "oC": "degC", "celsius": "degC",
    "deg C": "degC", "deg. C": "degC", "degrees Celsius": "degC", "Celsius": "degC", "mic.V/K.": "uV/K",
    "/CELL": "1/cell", "J/MOLE.K": "J/mol.K", "electrons/cm3": "1/cm3", "states/eV/f.u.": "1/eV.fu",
    "A/cm^2": "A/cm2", "° C": "degC", "°F": "degF", "° F": "degF",
    "t/ha": "tonne/ha", "t ha-1": "tonne/ha", "t ha−1": "tonne/ha", "t ha^-1": "tonne/ha", "t·ha−1": "tonne/ha",
    "deg F": "degF", "deg. F": "degF", "Fahrenheit": "degF", "degrees Fahrenheit": "degF",
}  # fmt: skip
"""Whole spellings that the grammar would misread, from the published list and from print."""

NO_UNIT: dict[str, str] = {
    "#N/A": "not a unit", "comment": "not a unit", "kTc": "a multiple of k_B T_c, which the record does not state",
    "k<B>T": "a multiple of k_B T, which the record does not state", "dC/r*Tc": "a ratio, not a unit",
    "gamma*Tc": "a product of two properties, not a unit", "my/md,K2": "not legible", "mic. Ohm c": "not legible",
    "A/Ma": "not legible", "M/mol": "not legible",
    "m/Zn": "not legible", "(dl/dT)/l": "a formula, not a unit", "arb. units": "arbitrary", "arb. unit": "arbitrary",
    "a.u.": "arbitrary or atomic", "arb.u.": "arbitrary", "arbitrary units": "arbitrary", "mu0H": "a quantity",
}  # fmt: skip
"""What stands in the unit column and is none, with the reason."""
