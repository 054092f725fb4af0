"""One material in many spellings, and its near neighbours."""

import csv
from pathlib import Path

import pytest

from pincite_materials.identity import material_of, same_material

DATA = Path(__file__).resolve().parents[3] / "shared" / "data" / "supercon"


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("La1.85Sr0.15CuO4", "Sr0.15La1.85Cu1O4.0"),
        ("La1.85Sr0.15CuO4", "La3.7Sr0.3Cu2O8"),
        ("La1.85Sr0.15CuO4", "La₁.₈₅Sr₀.₁₅CuO₄ thin film"),
        ("La1.85Sr0.15CuO4", r"$\mathrm{La}_{1.85}\mathrm{Sr}_{0.15}\mathrm{CuO}_{4}$"),
        ("La1.85Sr0.15CuO4", "La<sub>1.85</sub>Sr<sub>0.15</sub>CuO<sub>4</sub>"),
        ("La1.85Sr0.15CuO4", "La2−xSrxCuO4 (x = 0.15)"),
        ("La1.85Sr0.15CuO4", "LSCO with x = 0.15"),
        ("La1.85Sr0.15CuO4", "(La0.925Sr0.075)2CuO4"),
        ("La1.85Sr0.15CuO4", "nominal La1.85Sr0.15CuO4."),
        ("YBa2Cu3O7", "YBa2Cu3O7 (YBCO)"),
        ("YBa2Cu3O7-δ", "Y1Ba2Cu3O7-z"),
        ("Lu3(Rh1-xIrx)4Sb7, x = 0.25", "Lu3Rh3IrSb7"),
        ("Ba1/3Sr2/3TiO3", "Ba0.333Sr0.667TiO3"),
        ("La2-xSrxCuO4", "La2-ySryCuO4"),
        ("2H-NbSe2", "NbSe2"),
        ("κ-(ET)2X", "κ-(ET)2X single crystal"),
        ("CrCoNi (equiatomic)", "CrCoNi"),
        ("equiatomic CoCrNi alloy", "CrCoNi"),
        ("Al-alloyed CrCoNi, (CrCoNi)97Al3 (3 at.% Al)", "(CrCoNi)97Al3"),
        ("Li-doped KNN, K0.48Na0.48Li0.04NbO3", "K0.48Na0.48Li0.04NbO3"),
        ("YBCO, YBa2Cu3O6.78", "YBa2Cu3O6.78"),
        ("Na-doped SnSe (Sn0.97Na0.03Se)", "Sn0.97Na0.03Se"),
    ],
)
def test_spellings_of_one_material_join(one: str, other: str) -> None:
    assert same_material(one, other)
    assert same_material(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("La1.85Sr0.15CuO4", "La1.849Sr0.151CuO4"),
        ("La1.85Sr0.15CuO4", "La1.85Ba0.15CuO4"),
        ("La1.85Sr0.15CuO4", "La0.15Sr1.85CuO4"),
        ("La1.85Sr0.15CuO4", "La2-xSrxCuO4"),
        ("La1.9Sr0.1Cu0.9925Zn0.0075O4", "La1.9Sr0.1CuO4"),
        ("YBa2Cu3O7-δ", "YBa2Cu3O7"),
        ("YBa2Cu3O7-δ", "YBa2Cu3O7+δ"),
        ("NbN0.33", "NbN0.3333"),
        ("Ge0.5", "Ge"),
        ("C60", "C70"),
        ("2H-NbSe2", "4H-NbSe2"),
        ("Mg11B2", "MgB2"),
        ("κ-(ET)2X", "κ-(ET)2Y"),
        ("Al-alloyed CrCoNi", "CrCoNi"),
        ("CrCoNi (Al-alloyed)", "CrCoNi"),
        ("Al-alloyed CrCoNi, (CrCoNi)97Al3 (6 at.% Al)", "(CrCoNi)97Al3"),
        ("Ta-doped KNN, K0.48Na0.48Li0.04NbO3", "K0.48Na0.48Li0.04NbO3"),
        ("Sn0.97Na0.03Se, Sn0.985Na0.015Se", "Sn0.97Na0.03Se"),
        ("MnBi nanocomposite", "MnBi"),
        ("hydrogenated MnBi", "MnBi"),
        ("", ""),
    ],
)
def test_near_materials_stay_apart(one: str, other: str) -> None:
    assert not same_material(one, other)


def test_rows_of_a_list_meet_by_look_up() -> None:
    listed = {material_of(text): text for text in ("Bi2Ca1Sr2Cu2O8", "Mg1B2", "La1.8Ba0.2Cu1O4-Y")}
    assert listed[material_of("Bi2Sr2CaCu2O8")] == "Bi2Ca1Sr2Cu2O8"
    assert listed[material_of("B2Mg")] == "Mg1B2"
    assert material_of("La1.8Ba0.2CuO4") not in listed


def test_rows_of_supercon_join_only_where_their_amounts_are_one_set() -> None:
    path = DATA / "SuperCon_Tc_Tcn_SHARED_minus_dev.csv"
    if not path.is_file():
        pytest.skip("needs ../shared/data/supercon")
    with path.open(encoding="utf-8-sig", newline="") as file:
        texts = [row["material"] for row in csv.DictReader(file)][::8]
    materials = [material_of(text) for text in texts]
    assert None not in materials
    assert 0.96 < len(set(materials)) / len(texts) < 1.0
