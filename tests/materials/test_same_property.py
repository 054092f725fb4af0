"""Property names by meaning: same, different, or unknown; each row was decided by hand."""

from pincite_materials.name_parts import take_apart
from pincite_materials.same_property import akin, relate, told_apart

SAME = [
    ("lithium self-diffusion coefficient", "self-diffusion coefficient of Li"),
    ("self-diffusion coefficient of 7Li", "self-diffusion coefficient of Li"),
    ("Li self-diffusivity at 60 °C", "self-diffusion coefficient of Li"),
    ("critical current density", "Jc at T = 77 K, H = 0 T"),
    ("J_c (77 K, self-field)", "critical current density"),
    ("CCD", "critical current density"),
    ("zero-field critical temperature", "Tc"),
    ("critical temperature of superconductivity", "Tc"),
    ("temperature of the antiferromagnetic transition", "Néel temperature"),
    ("Sommerfeld coefficient of the specific heat, γ", "Sommerfeld coefficient"),
    ("Debye temperature from specific heat (θD)", "Debye temperature"),
    ("c-axis unit-cell length", "lattice constant c"),
    ("cubic cell parameter", "lattice constant a"),
    ("σ_total at 253 K", "total ionic conductivity"),
    ("bulk lithium-ion conductivity", "bulk ionic conductivity"),
    ("activation energy for total ionic conductivity", "activation energy of the total conductivity"),
    ("activation energy of the ASR", "activation energy of the area-specific resistance"),
    ("sub-threshold swing", "subthreshold swing"),
    ("highest power density of the cell", "peak power density"),
    ("saturation magnetization at 300 K", "saturation magnetisation"),
    ("Pearson symbol", "Pearson symbol"),
]
DIFFERENT = [
    ("sodium self-diffusion coefficient", "self-diffusion coefficient of Li"),
    ("magnetic moment of Bi", "magnetic moment of Mn"),
    ("lattice constant b", "lattice constant c"),
    ("thermal conductivity", "lattice thermal conductivity"),
    ("electronic conductivity", "total ionic conductivity"),
    ("critical current", "critical current density"),
    ("density of states", "density"),
    ("piezoelectric coefficient d31", "piezoelectric coefficient d33"),
    ("second-order anisotropy constant K2", "first-order anisotropy constant K1"),
    ("activation energy of the electronic conductivity", "activation energy of the area-specific resistance"),
]
UNKNOWN_AND_AKIN = [
    ("A coefficient (T² resistivity)", "coefficient A of the quadratic term of the resistivity"),
    ("GW quasiparticle gap", "quasiparticle band gap"),
    ("KS gap", "Kohn-Sham band gap"),
    ("ρ", "density"),
    ("drop of the curve", "Curie temperature"),
]
UNKNOWN_AND_NOT = [
    ("shear strength", "tensile yield strength"),
    ("uniform elongation", "elongation to fracture"),
    ("impact toughness", "fracture toughness KJIc"),
    ("anisotropy field", "first-order anisotropy constant K1"),
    ("thermal diffusivity", "thermal conductivity"),
    ("power density at 0.7 V", "peak power density"),
]


def test_names_are_compared_by_meaning() -> None:
    wrong: list[object] = []
    for wanted, pairs in (("same", SAME), ("different", DIFFERENT), ("unknown", UNKNOWN_AND_AKIN + UNKNOWN_AND_NOT)):
        for one, other in pairs:
            found = [relate(one, other), relate(other, one)]
            wrong += [(wanted, one, other, each) for each in found if each.answer != wanted]
    assert wrong == []


def test_what_may_be_another_name_and_what_names_another_kind() -> None:
    assert [pair for pair in UNKNOWN_AND_AKIN if not akin(*pair)] == []
    assert [pair for pair in UNKNOWN_AND_NOT if akin(*pair)] == []


def test_the_parts_of_a_name() -> None:
    parts = take_apart("Jc of the film at T = 77 K, H = 0 T (SQUID)")
    assert (parts.quantity, parts.of, parts.asides) == ("Jc", "film", ("SQUID",))
    assert parts.conditions == ("at T = 77 K, H = 0 T",)
    assert take_apart("in-plane resistivity measured by four contacts").method == "measured by four contacts"
    assert take_apart("TEC between 30 and 500 °C").conditions == ("between 30 and 500 °C",)


def test_a_name_told_of_something_is_not_what_another_detail_says() -> None:
    assert told_apart("activation energy of local jumps", "long-range diffusion")
    assert not told_apart("activation energy of local jumps", "describes local jumps")
    assert not told_apart("activation energy", "long-range diffusion")
    assert not told_apart("activation energy of local jumps", "")
