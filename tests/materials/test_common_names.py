"""Common names: those with a composition are read as it, the others are names and never misread as formulas."""

from pincite_materials.common_names import common_name
from pincite_materials.formulas import parse_formula
from pincite_materials.identity import same_material

SAME = [
    ("LFP", "LiFePO4"),
    ("LFP powder", "LiFePO4"),
    ("NMC811", "LiNi0.8Mn0.1Co0.1O2"),
    ("NCM 811", "LiNi0.8Co0.1Mn0.1O2"),
    ("NMC532", "NCM523"),
    ("NMC111", "LiNi1/3Mn1/3Co1/3O2"),
    ("NMC-333", "NMC111"),
    ("LLZO", "Li7La3Zr2O12"),
    ("MAPbI3", "CH3NH3PbI3"),
    ("MAPI", "MAPbI3"),
    ("FAPbI3", "HC(NH2)2PbI3"),
    ("FA0.83Cs0.17Pb(I0.6Br0.4)3", "Cs0.17(CH5N2)0.83PbI1.8Br1.2"),
    ("(FAPbI3)0.5(MAPbI3)0.5", "FA0.5MA0.5PbI3"),
    ("PEA2PbI4", "(C8H12N)2PbI4"),
    ("BFO", "BiFeO3"),
    ("GST-225", "Ge2Sb2Te5"),
    ("PEDOT:PSS", "PEDOT-PSS film"),
    ("spiro-OMeTAD", "Spiro-OMeTAD"),
]
OTHER = [
    ("LFP", "LMFP"),
    ("NMC811", "NMC622"),
    ("NMC811", "NMC"),
    ("MAPbI3", "FAPbI3"),
    ("MAPbI3", "MAPbBr3"),
    ("PEDOT:PSS", "PEDOT"),
    ("PVP", "P2V"),
    ("PS", "SP"),
    ("CIS", "CuInS2"),
    ("NMC523", "NMC532"),
    ("LCO", "LiCoO2"),
]
NAMES = """PEDOT:PSS PVC PVP PS PI PC PU PBI PHB POSS SBS HPC CNF BSCF YSZ KNN CIS Y6 PZT ITO NCA LCO LMO NMC NMC523
CIGS MACl MA FA BSA"""
"""Some of which are letters of elements alone."""

FORMULAS = "BN VN PbS InSb CsPbBr3 FeSe GaP SiC NbN YB6 PrFeAsO LaFeAsO0.9F0.1 Na0.7CoO2"


def test_names_of_one_material_meet_and_of_two_stay_apart() -> None:
    assert [pair for pair in SAME if not same_material(*pair)] == []
    assert [pair for pair in OTHER if same_material(*pair)] == []


def test_a_name_without_a_composition_is_not_read_as_a_formula() -> None:
    assert [name for name in NAMES.split() if parse_formula(name) is not None] == []


def test_formulas_that_look_like_names_stay_formulas() -> None:
    assert [text for text in FORMULAS.split() if parse_formula(text) is None or common_name(text)] == []
