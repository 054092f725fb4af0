"""The materials server over MCP: the answers that scoring would give, and errors that say what to do."""

from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest

from pincite_core.settings import Settings
from pincite_materials.server import create_server
from pincite_scoring.property_extraction.compare import compare
from pincite_scoring.property_extraction.records import Record

Call = Callable[..., Any]


@pytest.fixture
async def call(checked_calls: Callable[..., Any]) -> AsyncGenerator[Call]:
    async with checked_calls(create_server(Settings())) as call:
        yield call


@pytest.mark.parametrize(
    ("material", "formula"),
    [
        ("YBa_2Cu_3O_{6.93}", "Ba2Cu3O6.93Y"),
        ("YBCO", "Ba2Cu3O7Y"),
        ("YBa₂Cu₃O₇₋δ thin film", "Ba2Cu3O7Y"),
        ("La2-xSrxCuO4 (x = 0.15)", "CuLa1.85O4Sr0.15"),
        ("La2-xSrxCuO4", "CuLa(2-x)O4Sr(x)"),
        ("(La,Sr)2CuO4", "CuLa(2-2x_Sr)O4Sr(2x_Sr)"),
        ("graphene", None),
    ],
)
async def test_a_formula_in_normal_form(call: Call, material: str, formula: str | None) -> None:
    assert (await call("normalise_formula", material=material))["formula"] == formula


async def test_what_a_formula_tells_beside_its_elements(call: Call) -> None:
    made = await call("normalise_formula", material="Zn-doped 2H-NbSe2")
    assert (made["dopants"], made["polytype"]) == (["Zn"], "2H")
    assert [(e["element"], e["amount"], round(e["fraction"], 3)) for e in made["elements"]] == [
        ("Nb", "1", 0.333),
        ("Se", "2", 0.667),
    ]
    assert (await call("normalise_formula", material="Mg^{11}B2"))["isotopes"] == ["11B"]
    unknown = await call("normalise_formula", material="La2-xSrxCuO4")
    assert unknown["unknowns"] == ["x"]
    assert "give them" in unknown["note"]
    assert "fraction" not in unknown["elements"][0]


async def test_a_common_name_is_said_to_be_read_as_what_it_stands_for(call: Call) -> None:
    cathode = await call("normalise_formula", material="NMC-811")
    assert cathode["formula"] == "Co0.1LiMn0.1Ni0.8O2"
    assert "read as lithium nickel manganese cobalt oxide, LiNi0.8Mn0.1Co0.1O2" in cathode["note"]
    polymer = await call("normalise_formula", material="PVC")
    assert polymer["formula"] is None
    assert polymer["note"] == "PVC is poly(vinyl chloride), without a formula: it compares by name only."


@pytest.mark.parametrize(
    ("a", "b", "same", "published", "why"),
    [
        ("YBCO", "YBa2Cu3O7", True, False, "Equal composition."),
        ("YBa2Cu3O7", "YBa2Cu3O6.93", False, True, "O 0.5385 against 0.5360"),
        ("NbSe2", "NbS2", False, False, "Se is only in a; S is only in b."),
        ("Zn-doped YBa2Cu3O7", "YBa2Cu3O7", False, False, "The dopants differ."),
        ("2H-NbSe2", "4H-NbSe2", False, False, "The polytypes differ."),
        ("La2-xSrxCuO4", "La2CuO4", False, False, "Sr is only in a."),
        ("graphene", "Graphene film", True, False, "Neither is a formula"),
        ("PZT", "PbTiO3", False, False, "'PZT' is not a formula"),
    ],
)
async def test_two_formulas(call: Call, a: str, b: str, same: bool, published: bool, why: str) -> None:
    made = await call("compare_formulas", a=a, b=b)
    assert (made["same"], made["same_published"]) == (same, published)
    assert why in made["why"]


@pytest.mark.parametrize(
    ("value", "to", "numbers", "rest"),
    [
        ("5 kOe", "T", [0.5], {}),
        ("25 °C", "K", [298.15], {}),
        ("1.2–1.5 GPa", "bar", [12000, 15000], {}),
        ("93(1) K", "mK", [93000], {"uncertainty": 1000}),
        ("20(2) °C", "K", [293.15], {"uncertainty": 2}),
        ("< 5 %", "", [0.05], {"bound": "<"}),
        ("~ 0.165 mΩ cm", "μΩ cm", [165], {"approximate": True}),
        ("1.7 × 10^20 cm^-3", "m^-3", [1.7e26], {}),
    ],
)
async def test_a_value_in_another_unit(
    call: Call, value: str, to: str, numbers: list[float], rest: dict[str, Any]
) -> None:
    made = await call("convert_units", value=value, to=to)
    assert made["numbers"] == pytest.approx(numbers, rel=1e-11)
    assert (
        {key: made[key] for key in rest} == pytest.approx(rest)
        if "uncertainty" in rest
        else rest.items() <= made.items()
    )
    assert made["how"] == "the same quantity in another unit"


async def test_an_equivalent_is_not_called_the_same_quantity(call: Call) -> None:
    made = await call("convert_units", value="100", unit="K", to="meV")
    assert made["numbers"] == pytest.approx([8.617333], rel=1e-6)
    assert made["how"].startswith("equivalent quantities, not the same one: E = k_B T")
    molar = await call("convert_units", value="66(2) kDa", to="g/mol")
    assert (molar["numbers"], molar["uncertainty"]) == ([66000], 2000)
    assert "1 Da for each particle" in molar["how"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ({"value": "93 K", "to": "T"}, "K cannot be converted to T."),
        ({"value": "93 K", "to": "frobs"}, "The unit 'frobs' is not understood."),
        ({"value": "93", "to": "K"}, "no unit cannot be converted to K."),
        ({"value": "orthorhombic", "to": "K"}, "'orthorhombic' is not a number with a unit."),
    ],
)
async def test_what_cannot_be_converted_is_said(call: Call, arguments: dict[str, str], said: str) -> None:
    assert said in await call("convert_units", **arguments)


@pytest.mark.parametrize(
    ("value", "unit", "reference", "reference_unit"),
    [
        ("93", "K", "93(1)", "K"),
        ("93.2", "K", "93", "K"),
        ("10", "kOe", "1", "T"),
        ("-5", "K", "5", "K"),
        ("93", "", "93", "K"),
        ("1.2", "GPa", "1.2–1.5", "GPa"),
        ("< 5", "K", "5", "K"),
        ("1.2e-3", "", "1.2 × 10^-3", ""),
        ("insulating", "", "Insulating", ""),
        ("metallic", "", "insulating", ""),
    ],
)
async def test_values_compare_as_they_are_scored(
    call: Call, value: str, unit: str, reference: str, reference_unit: str
) -> None:
    made = await call("compare_values", value=value, unit=unit, reference=reference, reference_unit=reference_unit)
    scored = compare(_record(value, unit), _record(reference, reference_unit))
    assert made["same"] == scored.within(1e-3)
    assert made["same"] or made["note"] == scored.note


async def test_near_misses_are_told(call: Call) -> None:
    made = await call("compare_values", value="92 K", reference="93 K")
    assert (made["same"], made["within"], made["relative_error"]) == (False, "10%", pytest.approx(1 / 93, rel=1e-5))
    assert (await call("compare_values", value="93 K", reference="93"))["same_published"], "units are ignored there"


@pytest.mark.parametrize(
    ("symbol", "number", "standard", "schoenflies", "system"),
    [
        ("Pbnm", 62, "Pnma", "D2h^16", "orthorhombic"),
        ("P2_1/n", 14, "P2_1/c", "C2h^5", "monoclinic"),
        ("P6₃/mmc", 194, "P6_3/mmc", "D6h^4", "hexagonal"),
        ("No. 225", 225, "Fm-3m", "Oh^5", "cubic"),
        ("R-3m", 166, "R-3m", "D3d^5", "trigonal"),
    ],
)
async def test_a_space_group(
    call: Call, symbol: str, number: int, standard: str, schoenflies: str, system: str
) -> None:
    made = await call("space_group", symbol=symbol)
    assert (made["number"], made["symbol"], made["schoenflies"]) == (number, standard, schoenflies)
    assert made["crystal_system"] == system
    assert standard not in made["settings"]


@pytest.mark.parametrize("symbol", ["Fm-3m (221)", "231", "cubic", "X"])
async def test_what_is_no_space_group(call: Call, symbol: str) -> None:
    assert f"{symbol!r} is not a space group." in await call("space_group", symbol=symbol)


async def test_an_empty_material(call: Call) -> None:
    assert "No material was given." in await call("normalise_formula", material="  ")


def _record(value: str, unit: str) -> Record:
    return Record.model_validate(
        {
            "material_or_system": "X",
            "property_name": "a property of no known kind",
            "value_string": value,
            "value_unit": unit,
            "location": {"page": 1, "evidence": ""},
        }
    )
