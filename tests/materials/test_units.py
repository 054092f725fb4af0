"""Units: every row of the published list, conversions by hand, and what must not be compared."""

import csv
import math
from pathlib import Path

import pytest

from pincite_materials.published_units import published_factors
from pincite_materials.units import Unit, convert, known, not_understood, parse_unit, relation, same_kind

STRICT = Path(__file__).with_name("strict_units.tsv")
SHORT = {"[length]": "L", "[mass]": "M", "[time]": "T", "[current]": "I", "[temperature]": "K", "[substance]": "N"}

WRONG_FACTORS = {
    "meV": (1.602176634e-22, "rounded to 1.60e-22: 0.14 % off, more than the tolerance"),
    "micro-eV": (1.602176634e-25, "rounded to 1.60e-25"),
    "MeV": (1.602176634e-13, "rounded to 1.60e-13"),
    "MEV": (1.602176634e-13, "rounded to 1.60e-13"),
    "cm-1": (1.986445857e-23, "rounded to 1.99e-23: 0.18 % off"),
    "m.ohm.cm": (1e-5, "milliohm centimetre is taken for ohm centimetre: 1000 times too large"),
    "mW/cm.K": (0.1, "inverted: 1 mW/(cm K) is 0.1 W/(m K), not 10"),
    "emu.K/mol": (4 * math.pi * 1e-6, "the 4 pi of Gaussian susceptibility is missing"),
    "emh.K/mol": (4 * math.pi * 1e-6, "the 4 pi is missing"),
    "emu.K/mole": (4 * math.pi * 1e-6, "the 4 pi is missing"),
    "emu,K/mol": (4 * math.pi * 1e-6, "the 4 pi is missing"),
    "emuK/mol": (4 * math.pi * 1e-6, "the 4 pi is missing"),
    "EMU.K/MOLE": (4 * math.pi * 1e-6, "the 4 pi is missing"),
}
"""Published factor wrong: ours, and why."""

NOT_THE_TARGET = {
    **{
        f"emu/mol-{element}": "a mole of one element is no mole of formula units"
        for element in ("Yb", "La", "Si", "Cr", "Ce")
    },
    "emu/mol Nd": "a mole of one element is no mole of formula units",
    "E-6%": "a percentage is no length per pressure",
}
"""Published factor given, but the unit is not of the published dimension."""

NO_UNITS = {
    "kTc", "(dl/dT)/l", "dC/r*Tc", "mic. Ohm c", "my/md,K2", "A/Ma", "comment", "k<B>T", "gamma*Tc", "M/mol", "m/Zn",
}  # fmt: skip


def spelled(unit: Unit) -> str:
    dimensions = " ".join(f"{SHORT.get(n, n.replace('substance of ', 'N:'))}{p:g}" for n, p in unit.dimensions)
    return f"{unit.factor:.7g} {dimensions or '1'}"


def strict_rows() -> list[tuple[str, str]]:
    lines = STRICT.read_text("utf-8").splitlines()[1:]
    return [(unit, readings) for unit, _, readings in (line.partition("\t") for line in lines)]


def test_every_unit_of_the_published_list_has_its_strict_reading() -> None:
    wrong = {
        unit: read
        for unit, readings in strict_rows()
        if (read := " | ".join(spelled(reading) for reading in parse_unit(unit))) != readings
    }
    assert not wrong


def test_only_what_is_no_unit_has_no_reading() -> None:
    assert {unit for unit, readings in strict_rows() if not readings} == NO_UNITS


def test_every_published_row(supercon: Path) -> None:
    with (supercon / "si_conversion_factors.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert [row["property_unit"] for row in rows] == [unit for unit, _ in strict_rows()]
    assert len(rows) == 323
    agreeing = 0
    for row in rows:
        unit, target, factor = row["property_unit"], row["SI"], row["conversion_factor"]
        if not factor:
            assert unit not in published_factors()
            continue
        assert published_factors()[unit] == float(factor)
        ours = convert(1.0, unit, target, energies=True)
        if unit in NOT_THE_TARGET:
            assert ours is None, unit
        elif unit in WRONG_FACTORS:
            assert ours == pytest.approx(WRONG_FACTORS[unit][0], rel=1e-8), unit
            assert abs(float(factor) / WRONG_FACTORS[unit][0] - 1) > 1e-3, f"{unit} would pass: it is not wrong"
        else:
            assert ours == pytest.approx(float(factor), rel=1e-6), unit
            agreeing += 1
    assert agreeing == 142


@pytest.mark.parametrize(
    ("value", "source", "target", "expected"),
    [
        (5.0, "mJ mol−1 K−2", "J/(mol K^2)", 5e-3),
        (5.0, "mJ/mol.K2", "mJ mol^{-1} K^{-2}", 5.0),
        (165.0, "μΩ cm", "mOhm.cm", 0.165),
        (165.0, "µΩ·cm", "Ω m", 1.65e-6),
        (1.0, "kΩ μm", "Ω m", 1e-3),
        (1.0, "MPa m^1/2", "Pa m^0.5", 1e6),
        (1.0, "MPa √m", "MPa m^(1/2)", 1.0),
        (2.0, "10^20 cm^-3", "m^-3", 2e26),
        (2.0, "×10^{20} cm⁻³", "cm-3", 2e20),
        (3.0, "10^-3 cm3/C", "m^3/C", 3e-9),
        (1.0, "Oe", "T", 1e-4),
        (1.0, "kOe", "G", 1e3),
        (1.0, "kA/m", "Oe", 4 * math.pi),
        (1.0, "emu/cm3", "kA/m", 1.0),
        (1.0, "emu/cm3", "G", 4 * math.pi),
        (1.0, "emu/g", "A m^2/kg", 1.0),
        (1.0, "emu/mol", "cm3/mol", 1.0),
        (1.0, "emu/mol Oe", "cm^3/mol", 1.0),
        (1.0, "emu/mol/Oe", "m^3/mol", 4 * math.pi * 1e-6),
        (1.0, "emu/cm3.Oe", "", 4 * math.pi),
        (1.0, "emu/mol.Oe", "emu/mol", 1.0),
        (1.0, "MGOe", "kJ/m^3", 1e2 / (4 * math.pi)),
        (1.0, "μ_B/f.u.", "emu/mol", 5584.9394),
        (1.0, "μB/Fe", "uB/Fe", 1.0),
        (2.51, "μ_B per Ce", "myu-B/Ce", 2.51),
        (0.0, "°C", "K", 273.15),
        (25.0, "degC", "K", 298.15),
        (300.0, "K", "°C", 26.85),
        (1.0, "mmHg", "Pa", 133.322387),
        (760.0, "mm Hg", "atm", 1.0),
        (1.0, "cm H2O", "Pa", 98.0665),
        (14.695949, "psi", "atm", 1.0),
        (66.0, "kDa", "g/mol", 66000.0),
        (180.0, "g/mol", "Da", 180.0),
        (1.0, "D", "C m", 3.3356410e-30),
        (1.85, "Debye", "C m", 6.1709359e-30),
        (1.0, "mCi", "MBq", 37.0),
        (5.0, "μCi/mL", "kBq/mL", 185.0),
        (98.6, "°F", "°C", 37.0),
        (10.0, "°C/min", "K/min", 10.0),
        (5.0, "W/m°C", "W m^-1 K^-1", 5.0),
        (1.0, "cP", "mPa s", 1.0),
        (1.0, "hbar", "J s", 1.0545718e-34),
        (2.0, "weeks", "days", 14.0),
        (1.0, "A", "nm", 0.1),
        (1.0, "mA", "A", 1e-3),
        (4.2, "t/ha", "kg ha−1", 4200.0),
        (1.0, "Mg/ha", "kg/m2", 0.1),
        (1.0, "MA/cm2", "A/m^2", 1e10),
        (1.0, "Å^3", "nm3", 1e-3),
        (5.0, "%", "", 0.05),
        (3.0, "at.%", "%", 3.0),
        (1.0, "% per 1000 h", "%/h", 1e-3),
        (1.0, "K/GPa", "K/kbar", 0.1),
        (1.0, "erg/cc", "J/m^3", 0.1),
        (1.0, "states/(eV f.u.)", "1/eV/f.u.", 1.0),
        (1.0, "kJ/mol", "eV/f.u.", 0.010364270),
        (1.0, r"\mu\Omega\,cm", "Ohm.m", 1e-8),
        (1.0, "r.l.u.", "rlu", 1.0),
        (1.0, "cm^2 V^-1 s^-1", "m2/V.s", 1e-4),
        (1.0, "(μΩ cm)^-1", "S/m", 1e8),
        (1.0, "K", "k", 1.0),
        (1.0, "degrees C", "K", 274.15),
        (12.0, "deg. C", "°C", 12.0),
        (19.8, "mg N per g", "mg/g", 19.8),
        (2.0, "mg of N g^-1", "g/kg", 2.0),
        (3.0, "g C m-2", "g/m2", 3.0),
        (30.0, "fathoms", "m", 54.864),
        (2.0, "per cubic centimetre", "m^-3", 2e6),
        (1.0, "10^19 per cubic centimetre", "10^19 cm^-3", 1.0),
        (3.0, "W per square metre", "mW/cm^2", 0.3),
        (3.0, "Volts", "mV", 3000.0),
    ],
)
def test_conversions_by_hand(value: float, source: str, target: str, expected: float) -> None:
    assert convert(value, source, target) == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("frobs", "K"),
        ("K", "frobs"),
        ("frobs", "blips"),
        ("", "K"),
        ("K", ""),
        ("K", "T"),
        ("meV", "nm"),
        ("emu/mol-Ce", "emu/mol"),
        ("uB/Ce", "uB/f.u."),
        ("uB", "uB/f.u."),
        ("mJ/gat.K2", "mJ/mol.K2"),
        ("rlu", "1/cell"),
        ("kTc", "meV"),
        ("a.u.", "T"),
        ("mJ/cm3.K", "mJ/mol.K"),
        ("kg", "g/mol"),
        ("Bq", "Hz"),
        ("Sv", "Gy"),
        ("mD", "C m^2"),
        ("°C", "°"),
        ("U/mL", "mol/L"),
        ("meV", "K"),
        ("cm^-1", "meV"),
        ("THz", "meV"),
        ("eV", "kJ/mol"),
    ],
)
def test_not_comparable(source: str, target: str) -> None:
    assert convert(1.0, source, target) is None


ENERGIES = [
    (1.0, "meV", "K", 11.604518),
    (1.0, "cm^-1", "meV", 0.12398420),
    (1.0, "THz", "meV", 4.1356677),
    (1.0, "eV", "kJ/mol", 96.485332),
    (1.0, "kcal/mol", "meV", 43.364104),
    (1.0, "kJ/mol", "cm-1", 83.593472),
    (1000.0, "K", "kJ/mol", 8.3144626),
    (1.0, "hartree", "eV", 27.211386),
    (1.0, "eV/atom", "kJ/mol", None),
    (1.0, "K", "T", None),
    (20.0, "°C", "meV", None),
]
"""Energies of a particle and a mole, temperatures, wavenumbers and frequencies, by CODATA; None for what is none."""


def test_energies_are_one_kind_where_the_caller_says_that_they_are() -> None:
    wrong = [
        row
        for row in ENERGIES
        if convert(row[0], row[1], row[2], energies=True) != (row[3] and pytest.approx(row[3], rel=1e-6))
        or same_kind(row[1], row[2], energies=True) is (row[3] is None)
    ]
    assert wrong == []
    assert not same_kind("K", "meV")
    assert same_kind("meV", "eV")
    assert [relation(*pair) for pair in (("K", "meV"), ("Oe", "A/m"), ("kDa", "g/mol"), ("Oe", "T"), ("K", "T"))] == [
        "energy", "magnetic", "molar mass", "same", None,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("unit", "said"),
    [
        ("frobs", "the unit 'frobs' is not understood"),
        ("J/frob.K", "the unit 'J/frob.K' is not understood: nobody knows 'frob' in it"),
        ("kTc", "the unit 'kTc' is not understood: a multiple of k_B T_c, which the record does not state"),
        ("J/mol.K)", "the unit 'J/mol.K)' is not understood"),
    ],
)
def test_what_of_a_unit_is_not_understood_is_said(unit: str, said: str) -> None:
    assert not known(unit)
    assert not_understood(unit) == said


def test_an_unknown_unit_is_comparable_with_its_own_spelling_only() -> None:
    assert convert(3.5, "kTc", " kTc ") == 3.5
    assert not known("kTc")
    assert convert(3.5, "kTc", "ktc") is None


@pytest.mark.parametrize("unit", ["(K", "K)", "K//", "m^", "^2", "5", "..", "((", "é", "a" * 200, "K" * 60])
def test_broken_units_are_unknown_and_quick(unit: str) -> None:
    assert convert(1.0, unit, "K") is None


def test_units_in_words_and_their_plurals() -> None:
    """A plural is no product with a second; symbols with an s behind them are."""
    rows = [
        ("metres", "m", 1.0), ("litres", "L", 1.0), ("moles", "mol", 1.0), ("mols/L", "mol/L", 1.0),
        ("Newton metres", "N m", 1.0), ("metres per second", "m/s", 1.0), ("milliseconds", "s", 1e-3),
        ("kilograms", "g", 1e3), ("electron-volts", "eV", 1.0), ("Siemens", "S", 1.0), ("kh", "h", 1e3),
        ("Ws", "W s", 1.0), ("Pas", "Pa s", 1.0), ("ms", "s", 1e-3), ("volts", "V", 1.0),
    ]  # fmt: skip
    assert [row for row in rows if convert(1.0, row[0], row[1]) != pytest.approx(row[2])] == []
    assert convert(1.0, "metres", "m s") is None
