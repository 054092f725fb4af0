"""The lexicon matcher: pairs that are one measurement and pairs that are not."""

from collections.abc import Callable
from typing import Any

import pytest

from pincite_scoring.property_extraction.conditions import directions
from pincite_scoring.property_extraction.matcher import LexiconMatcher
from pincite_scoring.property_extraction.records import Record

TC = "superconducting transition temperature"
RHO = "resistivity"

CASES: list[tuple[str, dict[str, Any], dict[str, Any], bool]] = [
    ("the same", {}, {}, True),
    ("a synonym", {"property_name": "Tc"}, {}, True),
    ("onset against zero", {"property_name": "Tc onset"}, {"property_name": "Tc (zero resistance)"}, False),
    ("onset against midpoint", {"property_name": f"{TC} (onset)"}, {"property_name": f"{TC} (midpoint)"}, False),
    (
        "zero resistance against susceptibility",
        {"property_name": "Tc (zero resistance)"},
        {"property_name": "Tc from susceptibility"},
        False,
    ),
    ("susceptibility against silence", {"property_name": "Tc from magnetic susceptibility"}, {}, True),
    ("onset against silence", {"property_name": "Tc onset"}, {}, True),
    ("onset in the detail", {"value_detail": "midpoint of the drop"}, {"property_name": "Tc onset"}, False),
    ("density against absolute", {"property_name": "Jc"}, {"property_name": "critical current"}, False),
    ("upper against lower field", {"property_name": "Hc2"}, {"property_name": "Hc1"}, False),
    ("axes", {"property_name": "lattice constant a"}, {"property_name": "lattice constant c"}, False),
    (
        "orientations",
        {"property_name": RHO, "orientation": "c axis"},
        {"property_name": RHO, "orientation": "ab plane"},
        False,
    ),
    ("one orientation in two spellings", {"orientation": "H // c"}, {"orientation": "H ∥ [001]"}, True),
    ("perpendicular to ab is c", {"orientation": "H ⊥ ab plane"}, {"orientation": "H ∥ c"}, True),
    ("a axis against b axis", {"orientation": "a axis"}, {"orientation": "b axis"}, False),
    ("orientation against silence", {"orientation": "H ∥ c"}, {}, True),
    (
        "in-plane in the name",
        {"property_name": "in-plane resistivity"},
        {"property_name": RHO, "orientation": "c axis"},
        False,
    ),
    ("pressures", {"pressure": "10 GPa"}, {"pressure": "2 GPa"}, False),
    ("one pressure in two units", {"pressure": "10 GPa"}, {"pressure": "100 kbar"}, True),
    ("high pressure against silence", {"pressure": "10 GPa"}, {}, False),
    ("ambient against silence", {"pressure": "ambient"}, {}, True),
    ("ambient against 1 atm", {"pressure": "ambient pressure"}, {"pressure": "1 atm"}, True),
    ("pressure in the name", {"property_name": "Tc at 10 GPa"}, {"pressure": "10 GPa"}, True),
    ("pressure in the name differs", {"property_name": "Tc at 10 GPa"}, {}, False),
    (
        "temperatures",
        {"property_name": RHO, "temperature": "300 K"},
        {"property_name": RHO, "temperature": "4.2 K"},
        False,
    ),
    (
        "temperature in the name",
        {"property_name": f"{RHO} at 300 K"},
        {"property_name": RHO, "temperature": "300 K"},
        True,
    ),
    ("room temperature", {"temperature": "room temperature"}, {"temperature": "295 K"}, True),
    ("room temperature is not 77 K", {"temperature": "RT"}, {"temperature": "77 K"}, False),
    ("Celsius and kelvin", {"temperature": "25 °C"}, {"temperature": "298 K"}, True),
    ("Celsius is not kelvin", {"temperature": "600 °C"}, {"temperature": "600 K"}, False),
    ("temperature against silence", {"temperature": "300 K"}, {}, True),
    ("ranges", {"temperature": "30 to 800 °C"}, {"temperature": "30 to 500 °C"}, False),
    ("the same range", {"temperature": "30–800 °C"}, {"temperature": "30 to 800 °C"}, True),
    ("inside a range", {"temperature": "100 K"}, {"temperature": "50-150 K"}, True),
    ("fields", {"field": "5 T"}, {"field": "9 T"}, False),
    ("one field in two units", {"field": "10 kOe"}, {"field": "1 T"}, True),
    ("self-field is zero", {"field": "self-field"}, {"field": "0 T"}, True),
    ("self-field is not 5 T", {"field": "self-field"}, {"field": "5 T"}, False),
    ("frequencies", {"frequency": "1 kHz"}, {"frequency": "1 MHz"}, False),
    ("frequency as wavelength stays open", {"frequency": "1064 nm"}, {"frequency": "1064 nm"}, True),
    ("sample states", {"sample_state": "single crystal"}, {"sample_state": "ceramic"}, False),
    ("a film is no crystal", {"sample_state": "thin film"}, {"sample_state": "single crystals"}, False),
    ("monolayer and bilayer", {"sample_state": "monolayer"}, {"sample_state": "bilayer"}, False),
    ("poled and unpoled", {"sample_state": "poled ceramic"}, {"sample_state": "unpoled ceramic"}, False),
    ("grain sizes", {"sample_state": "grain size 5 μm"}, {"sample_state": "grain size 50 μm"}, False),
    ("polymorphs", {"sample_state": "tetragonal"}, {"sample_state": "orthorhombic film"}, False),
    ("rhombohedral is trigonal", {"sample_state": "rhombohedral"}, {"sample_state": "trigonal"}, True),
    ("a polymorph of either form", {"sample_state": "cubic"}, {"sample_state": "thin film"}, True),
    ("polytypes", {"sample_state": "2H"}, {"sample_state": "3R single crystal"}, False),
    ("isotopes", {"sample_state": "enriched in ¹⁰B"}, {"sample_state": "11B"}, False),
    ("a temperature is no potassium", {"sample_state": "quenched from 300K"}, {"sample_state": "quenched, 301K"}, True),
    ("gases", {"environment": "dry air"}, {"environment": "argon"}, False),
    ("heating and cooling", {"other_conditions": "on heating"}, {"other_conditions": "on cooling"}, False),
    ("loads", {"other_conditions": "load of 0.98 N"}, {"other_conditions": "load of 9.8 N"}, False),
    ("theory and experiment", {"method": "DFT calculation"}, {"method": "four-probe resistivity"}, False),
    ("functionals", {"method": "density functional theory (PBE)"}, {"method": "DFT with HSE06"}, False),
    ("a functional alone is theory", {"method": "HSE06"}, {"method": "density functional theory (HSE06)"}, True),
    ("a functional alone is no experiment", {"method": "HSE06"}, {"method": "optical absorption"}, False),
    ("techniques", {"method": "resistivity"}, {"method": "SQUID magnetometry"}, False),
    ("one technique", {"method": "four-probe resistivity"}, {"method": "electrical resistance"}, True),
    ("technique against silence", {"method": "resistivity"}, {}, True),
    ("contacts", {"method": "two-contact transistor"}, {"method": "four-contact transistor"}, False),
    ("doping", {"sample_state": "n-type crystal"}, {"other_conditions": "p-type"}, False),
    ("scan", {"other_conditions": "forward scan"}, {"other_conditions": "reverse scan"}, False),
    ("pH", {"environment": "pH 7"}, {"environment": "pH = 4.0"}, False),
    ("substrates", {"sample_state": "film on MgO"}, {"sample_state": "film on SrTiO3"}, False),
    ("facets", {"orientation": "(111) facet"}, {"orientation": "(100) facet"}, False),
    (
        "times of one treatment",
        {"sample_state": "sintered at 1200 °C for 2 h"},
        {"sample_state": "sintered at 1200 °C for 20 h"},
        False,
    ),
    ("cycles", {"other_conditions": "after 100 cycles"}, {"other_conditions": "100 cycles"}, True),
    ("field cooled", {"other_conditions": "zero-field-cooled"}, {"other_conditions": "field-cooled"}, False),
]


@pytest.mark.parametrize(("case", "one", "other", "same"), CASES, ids=[case[0] for case in CASES])
def test_pairs(
    record: Callable[..., Record], case: str, one: dict[str, Any], other: dict[str, Any], same: bool
) -> None:
    matcher = LexiconMatcher()
    a, b = record(**one), record(**other)
    assert matcher.decide(a, b).match is same, (case, matcher.decide(a, b))
    assert matcher.decide(b, a).match is same
    assert matcher.decide(a, a).match and matcher.decide(b, b).match


def test_a_verdict_says_why(record: Callable[..., Record]) -> None:
    verdict = LexiconMatcher().decide(record(pressure="10 GPa"), record(pressure="2 GPa"))
    assert "pressure" in verdict.reason and "10 GPa" in verdict.reason
    assert LexiconMatcher().decide(record("Tc"), record()).via == "abbreviation"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("H ∥ c", {"c"}), ("c-axis", {"c"}), ("along the c axis", {"c"}), ("out-of-plane", {"c"}), ("[001]", {"c"}),
        ("in the ab plane", {"ab"}), ("in-plane", {"ab"}), ("H ⊥ c", {"ab"}), ("current in the ab plane", {"ab"}),
        ("a axis", {"a"}), ("b direction", {"b"}), ("[110]", {"110"}), ("random", set()), ("", set()),
    ],
)  # fmt: skip
def test_directions(text: str, expected: set[str]) -> None:
    assert directions(text) == expected
