"""Property names: normal form, synonyms, likeness."""

import csv
from pathlib import Path

import pytest

from pincite_materials.property_lexicon import SYNONYMS
from pincite_materials.property_names import (
    contrasts,
    normal_form,
    read_name,
    same_quantity,
    similarity,
)
from pincite_scoring.property_extraction.candidates import nearest_names

SUPERCON = Path(__file__).resolve().parents[3] / "shared" / "data" / "supercon"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("T_c", "tc"),
        ("T_c^{onset}", "tc onset"),
        ("Young’s moduli", "young moduli"),
        ("Poisson's ratio", "poisson ratio"),
        ("Néel temperature", "neel temperature"),
        ("μ0Hc2", "mu0hc2"),
        ("ΘD", "thetad"),
        ("E′ line", "e' line"),
        ("on/off-current ratios", "on off current ratio"),
    ],
)
def test_normal_form(text: str, expected: str) -> None:
    assert normal_form(text) == expected


def test_every_name_of_the_lexicon_is_in_normal_form() -> None:
    assert {name for name in SYNONYMS if normal_form(name) != name} == set()


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        ("Tc", "Critical Temperature", True),
        ("Tc", "superconducting transition temperature (Tc)", True),
        ("Jc", "critical current density", True),
        ("Jc", "Ic", False),
        ("critical current density", "critical current", False),
        ("lattice constant a", "lattice parameter a", True),
        ("lattice constant a", "lattice constant c", False),
        ("upper critical field Hc2", "μ0Hc2", True),
        ("upper critical field Hc2", "lower critical field Hc1", False),
        ("Curie temperature", "Néel temperature", False),
        ("resistivity at 300 K", "electrical resistivity", True),
        ("resistivity", "conductivity", False),
        ("thermal conductivity", "lattice thermal conductivity", False),
        ("thermal conductivity", "electrical conductivity", False),
        ("optical band gap", "quasiparticle band gap", False),
        ("optical band gap", "band gap", True),
        ("density", "relative density", False),
        ("fracture toughness KJIc", "fracture toughness", True),
        ("Raman shift of the A1′ line", "Raman shift of the E′ line", False),
        ("Vickers hardness", "hardness (HV)", True),
        ("bond angle Cu-O-Cu", "Cu-O-Cu bond angle", True),
        ("anisotropy constant K1", "anisotropy constant K2", False),
        ("", "", True),
        ("a property", "another property", False),
    ],
)
def test_the_same_quantity(a: str, b: str, same: bool) -> None:
    assert same_quantity(a, b)[0] is same
    assert same_quantity(b, a)[0] is same


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("Tc onset", (0, 0)),
        ("transition temperature (mid point)", (0, 1)),
        ("transition temperature (R = 0)", (0, 2)),
        ("Tc (zero resistance)", (0, 2)),
    ],
)
def test_the_point_of_a_transition(text: str, group: tuple[int, int]) -> None:
    assert contrasts(text) == {group}


def test_zero_field_is_no_point_of_a_transition() -> None:
    assert contrasts("critical temperature in zero field") == frozenset()


def test_likeness_is_symmetric_and_ordered() -> None:
    names = ["critical current", "critical current density", "Jc", "resistivity", "lattice constant a"]
    for a in names:
        assert similarity(a, a) == 1.0
        for b in names:
            assert similarity(a, b) == similarity(b, a)
            assert 0.0 <= similarity(a, b) <= 1.0
    assert nearest_names("critical current density", names) == ["critical current density", "Jc", "critical current"]
    assert nearest_names("critical current density", names[::-1]) == nearest_names("critical current density", names)


def test_three_distinct_names_are_kept() -> None:
    assert len(nearest_names("a", ["b", "b", "c", "d", "e"])) == 3
    assert nearest_names("a", []) == []


def test_the_published_property_names_are_known() -> None:
    """Each description of the SuperCon rubric that names one of these must find its concept."""
    path = SUPERCON / "rubric_5.csv"
    if not path.exists():
        pytest.skip("the SuperCon rubric is not beside the repository (../shared/data/supercon)")
    with path.open(encoding="utf-8") as file:
        names = {row["db_label"]: row["property_name"] for row in csv.DictReader(file)}
    expected = {
        "t1": "tc", "t2": "tc", "t3": "tc", "lata": "lattice_a", "latc": "lattice_c", "spaceg": "space_group",
        "gamma": "gamma", "debyet": "debye", "neelt": "neel", "curiet": "curie", "tcwidth": "tc_width",
        "name": "formula",
    }  # fmt: skip
    for label, concept in expected.items():
        assert concept in read_name(names[label]).concepts, names[label]
