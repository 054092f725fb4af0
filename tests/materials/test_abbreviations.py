"""Short names of materials resolve both ways, by the text that gives them."""

import pytest

from pincite_materials.abbreviations import abbreviations_in, family_member


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Cathodes of La0.6Sr0.4Co0.2Fe0.8O3−δ (LSCF) were made", {"lscf": "La0.6Sr0.4Co0.2Fe0.8O3-δ"}),
        ("LSCF (La0.6Sr0.4Co0.2Fe0.8O3-δ) was made", {"lscf": "La0.6Sr0.4Co0.2Fe0.8O3-δ"}),
        ("Li6.4La3Zr1.4Ta0.6O12, hereafter LLZTO, is", {"llzto": "Li6.4La3Zr1.4Ta0.6O12"}),
        ("Bi2Sr2CaCu2O8+δ (called BSCCO) and others", {"bscco": "Bi2Sr2CaCu2O8+δ"}),
        ("MgB2 (XY) and Nb3Sn (XY)", {}),
        ("YBa2Cu3O7 (Fig. 2) was measured", {}),
        ("no formula (NF) at all", {}),
    ],
)
def test_a_text_gives_short_names(text: str, expected: dict[str, str]) -> None:
    assert abbreviations_in(text) == expected


def test_a_family_means_its_only_member() -> None:
    assert family_member("BSCCO", ["Bi2Sr2CaCu2O8+δ", "YBa2Cu3O7"]) == "Bi2Sr2CaCu2O8+δ"
    assert family_member("BSCCO", ["Bi2Sr2CaCu2O8+δ", "Bi2Sr2Ca2Cu3O10"]) is None
    assert family_member("LSCF", ["La0.6Sr0.4Co0.2Fe0.8O3-δ"]) is None
