"""The calculator: right numbers with their units and digits, clear faults, and nothing that costs time or executes."""

import time
from collections.abc import AsyncGenerator, Callable
from typing import Any

import pytest

from pincite_core.settings import Settings
from pincite_materials.calculator.constants import CONSTANTS
from pincite_materials.calculator.showing import joined
from pincite_materials.server import create_server
from pincite_materials.unit_atoms import atom
from pincite_materials.units import parse_unit

Call = Callable[..., Any]


@pytest.fixture
async def call(checked_calls: Callable[..., Any]) -> AsyncGenerator[Call]:
    async with checked_calls(create_server(Settings())) as call:
        yield call


RIGHT = [
    # expression, value, unit, rounded
    ("k_B * 300 K to meV", 25.8519997864, "meV", None),
    ("k_B * 25.0 °C to meV", 25.6925791211, "meV", "25.69"),
    ("h*c/(500. nm) to eV", 2.47968396866, "eV", "2.48"),
    ("R * 298.15 K to kcal/mol", 0.59248495, "kcal/mol", "0.59248"),
    ("e^2 / (4 * pi * epsilon_0 * a_0) to eV", 27.2113862, "eV", None),
    ("mean(92.1, 93.4) K", 92.75, "K", "92.75"),
    ("mean(92.1 K, 93.4 K)", 92.75, "K", "92.75"),
    ("stdev(1.0, 2.0, 3.5) meV", 1.25830573921, "meV", "1.3"),
    ("median(3, 1, 2)", 2, "", None),
    ("5.2 g / (58.44 g/mol) to mmol", 88.9801505818, "mmol", "89"),
    ("5.20 kJ/mol K", 5.2, "kJ/(mol K)", "5.20"),
    ("6 J / 2 mol K", 3, "J/(mol K)", None),
    ("6 J / 2 * 3 m", 9, "kg m^3/s^2", None),
    ("exp(-50.0 kJ/mol / (R * 298.15 K))", 1.739318e-9, "", "2e-9"),
    ("log10(1.23e-4)", -3.91009488856, "", "-3.910"),
    ("10^-3.52", 3.0199517e-4, "", "0.00030"),
    ("log(8, 2)", 3, "", None),
    ("1.2e-3 mol/L * 2.0 L to mmol", 2.4, "mmol", "2.4"),
    ("10 km / 2 hour to m/s", 1.38888888889, "m/s", None),
    ("1.7 × 10^20 cm⁻³ to m^-3", 1.7e26, "m^-3", "1.7e26"),
    ("0.250 A * 1 hour to mAh", 250, "mAh", "250"),
    ("5 % * 200. g", 10, "g", "10.0"),
    ("1.00 m + 2.5 cm", 1.025, "m", "1.02"),
    ("101.2 - 100.1", 1.1, "", "1.1"),
    ("2 m * 3 cm", 0.06, "m^2", None),
    ("sqrt(2.0 m^2)", 1.41421356237, "m", "1.4"),
    ("abs(-3.2 V)", 3.2, "V", "3.2"),
    ("2^3^2", 512, "", None),
    ("-2^2", -4, "", None),
    ("2^-1", 0.5, "", None),
    ("-5 °C to K", 268.15, "K", None),
    ("30 °C - 20 °C", 10, "K", None),
    ("98.6 °F to °C", 37, "°C", "37.0"),
    ("66 kDa to g/mol", 66000, "g/mol", None),
    ("0.50 eV to kJ/mol", 48.2426660617, "kJ/mol", "48"),
    ("sin(30 deg)", 0.5, "", None),
    ("2 (3 + 4)", 14, "", None),
    ("max(1 cm, 5 mm)", 1, "cm", None),
]

REFUSED = [
    # expression, where (from 1), what is said
    ("5 kg + 3 m", 6, "a quantity in m cannot be added to a quantity in kg"),
    ("cm-3 * 4", 3, "a negative power is written cm^-3"),
    ("1,000 K", 2, "Write 1000 for 1,000"),
    ("mean(1,000, 2)", 8, "000 begins with a zero"),
    ("93(1) K", 3, "a bracket stands right behind a number"),
    ("5 J/frob", 5, "the unit 'frob' is not understood"),
    ("5 J to frob", 8, "the unit 'frob' is not understood"),
    ("5 K to T", 8, "cannot be converted to T"),
    ("10 km / 2 h to m/s", 16, "an hour is written hour"),
    ("5 min", 3, "a minute is written minute"),
    ("log(5)", 1, "Write ln(x), log10(x) or log(x, base)"),
    ("30 °C + 20 °C", 7, "cannot be added up"),
    ("2 * 25 °C", 3, "Write it in K"),
    ("30 °C - 20 °C to °C", 18, "a difference of temperatures has no place"),
    ("-300 °C", 2, "below absolute zero"),
    ("sin(3 m)", 5, "takes a bare number"),
    ("min(3 m, 2 s)", 10, "does not go with"),
    ("2^(3 m)", 2, "the exponent has"),
    ("(1 m)^1000", 6, "too high a power"),
    ("(-8)^(1/3)", 5, "no real power"),
    ("sqrt(-1)", 1, "no real root"),
    ("ln(0)", 1, "no real value"),
    ("1/0", 2, "divides by zero"),
    ("9**9**9**9", 5, "too large or too small"),
    ("1e300*1e300", 1, "beyond 1e+300"),
    ("k_B^100", 4, "too large or too small"),
    ("3 4", 3, "no sign stands before 4"),
    ("(3", 1, "never closed"),
    ("3)", 2, "never opened"),
    ("3 +", 4, "ends too early"),
    ("5 to", 3, "no unit stands behind it"),
    ("foo(3)", 1, "The functions are"),
    ("sqrt 3", 1, "Write sqrt(…)"),
    ("__import__('os')", 1, "means nothing here"),
    ("(1).__class__", 4, "means nothing here"),
    ("lambda: 1", 7, "means nothing here"),
]


async def test_numbers_units_and_digits(call: Call) -> None:
    wrong = []
    for expression, value, unit, rounded in RIGHT:
        made = await call("compute", expression=expression)
        seen = made if isinstance(made, str) else (made["value"], made["unit"], made.get("rounded"))
        if seen != (pytest.approx(value, rel=1e-6), unit, rounded):
            wrong.append((expression, seen))
    assert wrong == []


async def test_faults_say_where_what_and_what_to_write(call: Call) -> None:
    wrong = []
    for expression, at, said in REFUSED:
        made = await call("compute", expression=expression)
        told = isinstance(made, str) and f"At character {at}: " in made and said in made and "Next: " in made
        if not told:
            wrong.append((expression, made))
    assert wrong == []


async def test_what_may_be_meant_otherwise_is_told(call: Call) -> None:
    made = await call("compute", expression="5 J/mol K * 2 h")
    assert made["read_as"] == "((5 J) / (mol K)) * (2 h)"
    assert "an hour is written hour" in made["notes"][0]
    assert "ångström is Å" in (await call("compute", expression="2 A"))["notes"][0]
    assert "not the same one" in (await call("compute", expression="300 K to meV"))["notes"][0]
    assert "significant_digits" not in await call("compute", expression="2 * 3 K"), "whole numbers are exact"


async def test_no_expression_costs_time_or_stack(call: Call) -> None:
    costly = [
        "(" * 400 + "1" + ")" * 400,
        "-" * 900 + "1",
        "2" + "^2" * 400,
        "2" + "^-" * 300 + "2",
        "sqrt(" * 150 + "2" + ")" * 150,
        "+".join("1" * 400),
        "1 " + "m " * 490,
        "max(" + "1," * 450 + "1)",
        "9" * 1000,
        "1." + "0" * 990,
        "m" * 1000,
        "é" * 1000,
        "1 to " + "(" * 900,
        "1 to " + "K." * 400,
        "10^" * 300 + "10",
    ]
    await call("compute", expression="1 K")
    for expression in costly:
        begun = time.process_time()
        said = await call("compute", expression=expression)
        assert not (isinstance(said, str) and "bug in pincite" in said), expression[:40]
        assert time.process_time() - begun < 1.0, expression[:40]
    assert "At most" in await call("compute", expression=costly[0])


def test_every_constant_has_the_units_that_it_is_shown_in() -> None:
    wrong = []
    for name, constant in CONSTANTS.items():
        unit = parse_unit(joined(constant.units))[0]
        if (unit.dimensions, unit.factor) != (atom(constant.registry)[1], 1.0):
            wrong.append(name)
    assert wrong == []
    assert atom(CONSTANTS["a_0"].registry)[0] == pytest.approx(5.29177210544e-11, rel=1e-9)
    assert atom(CONSTANTS["hbar"].registry)[0] == pytest.approx(1.054571817e-34, rel=1e-9)
