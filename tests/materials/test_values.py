"""Values: numbers, uncertainties, bounds, ranges and units out of printed strings."""

import pytest

from pincite_materials.values import Value, find_numbers, parse_bound, parse_value

NUMBERS: list[tuple[str, Value]] = [
    ("93", Value((93.0,))),
    ("93.", Value((93.0,))),
    (".5", Value((0.5,))),
    ("+6.2", Value((6.2,))),
    ("−31.4", Value((-31.4,))),
    ("- 5", Value((-5.0,))),
    ("93(1)", Value((93.0,), uncertainty=1.0)),
    ("7.441(5) Å", Value((7.441,), uncertainty=0.005, unit="Å")),
    ("8.0(5)×10^-4", Value((8e-4,), uncertainty=5e-5)),
    ("12(0.5)", Value((12.0,), uncertainty=0.5)),
    ("1.5 ± 0.2 meV", Value((1.5,), uncertainty=0.2, unit="meV")),
    ("1.5+/-0.2", Value((1.5,), uncertainty=0.2)),
    ("1.2 × 10^-3", Value((1.2e-3,))),
    ("1.2x10^{-3}", Value((1.2e-3,))),
    ("1.2·10⁻³", Value((1.2e-3,))),
    (r"1.2 \times 10^{-3} cm^2", Value((1.2e-3,), unit="cm^2")),
    ("$2.5 \\times 10^{20}$ cm$^{-3}$", Value((2.5e20,), unit="cm ^-3")),
    ("1.2e-3", Value((1.2e-3,))),
    ("1.2E+21 /cm3", Value((1.2e21,), unit="/cm3")),
    ("1.2×103 K", Value((1200.0,), unit="K")),
    ("10^20 cm^-3", Value((1e20,), unit="cm^-3")),
    ("10⁻³ Ω cm", Value((1e-3,), unit="Ω cm")),
    ("10-4 ohm cm", Value((1e-4,), unit="ohm cm")),
    ("12,345.6", Value((12345.6,))),
    ("12 345 K", Value((12345.0,), unit="K")),
    ("12\u2009345", Value((12345.0,))),
    ("0,5", Value((0.5,))),
    ("3/7", Value((3 / 7,))),
    ("5 %", Value((5.0,), unit="%")),
    ("5 J/(mol K2)", Value((5.0,), unit="J/(mol K2)")),
    ("93 K (onset)", Value((93.0,), unit="K")),
    ("Tc = 93 K", Value((93.0,), unit="K")),
    ("2Δ/kTc = 4.2", Value((4.2,))),
    ("~ 93 K", Value((93.0,), approximate=True, unit="K")),
    ("≈93 K", Value((93.0,), approximate=True, unit="K")),
    ("about 40 K", Value((40.0,), approximate=True, unit="K")),
    ("< 1.8 K", Value((1.8,), bound="<", unit="K")),
    ("≤5", Value((5.0,), bound="≤")),
    (">= 5", Value((5.0,), bound="≥")),
    ("less than 3", Value((3.0,), bound="<")),
    ("upper limit of 3 T", Value((3.0,), bound="<", unit="T")),
    ("up to 9", Value((9.0,), bound="≤")),
    ("more than 3 K", Value((3.0,), bound=">", unit="K")),
    ("1.8 < T", Value((1.8,), bound=">")),
    ("1.2–1.5 GPa", Value((1.2, 1.5), "range", unit="GPa")),
    ("1 K to 5 K", Value((1.0, 5.0), "range", unit="K")),
    ("between 1 and 5 K", Value((1.0, 5.0), "range", unit="K")),
    ("-3 - -1", Value((-3.0, -1.0), "range")),
    ("12 K to 9 K", Value((9.0, 12.0), "range", unit="K")),
    ("from ∼ 15K to ∼ 30K", Value((15.0, 30.0), "range", approximate=True, unit="K")),
    ("39.21, 39.15 and 39.08(5) K", Value((39.21, 39.15, 39.08), "tuple", unit="K")),
    ("4.4 × 10^-4.", Value((0.00044,), unit=".")),
    ("54.6-K", Value((54.6,), unit="K")),
    ("13 K)", Value((13.0,), unit="K")),
    ("as high as 38 K", Value((38.0,), bound="≤", unit="K")),
    ("near 4 K", Value((4.0,), approximate=True, unit="K")),
    ("(0, 0, 3/7)", Value((0.0, 0.0, 3 / 7), "tuple")),
    ("(1/3 0 0)", Value((1 / 3, 0.0, 0.0), "tuple")),
    ("92, 93 K", Value((92.0, 93.0), "tuple", unit="K")),
]


@pytest.mark.parametrize(("text", "expected"), NUMBERS)
def test_numbers_as_printed(text: str, expected: Value) -> None:
    found = parse_value(text)
    assert found is not None
    assert found.numbers == pytest.approx(expected.numbers)
    assert found.uncertainty == (expected.uncertainty and pytest.approx(expected.uncertainty))
    assert (found.shape, found.bound, found.approximate, found.unit) == (
        expected.shape, expected.bound, expected.approximate, expected.unit,
    )  # fmt: skip


@pytest.mark.parametrize("text", ["", "-", "–", "n/a", "type-II", "Fm-3m", "metallic", "fully gapped", "()", "K", "x"])
def test_words_are_no_number(text: str) -> None:
    assert parse_value(text) is None


@pytest.mark.parametrize(
    ("text", "bound"), [("<", "<"), ("upper limit", "<"), ("at least", "≥"), ("maximum", ""), ("about", ""), ("", "")]
)
def test_bounds_in_qualifiers(text: str, bound: str) -> None:
    assert parse_bound(text)[0] == bound


def test_numbers_in_running_text() -> None:
    text = "Tc of YBa2Cu3O6.93 is 93(1) K at 1.2-1.5 GPa, 1.2 × 10^-3, x=−0.5 and T_c2 = 3; 10,300 and (0.5). 2.5×10²⁰"
    assert find_numbers(text) == pytest.approx([93, 1.2, 1.5, 1.2e-3, -0.5, 3, 10300, 0.5, 2.5e20])


def test_a_dash_in_one_cell_is_no_sign_of_the_next() -> None:
    assert find_numbers("0.95\t3.8587(4)\t–\t11.8215(10)\t–\t0.62") == pytest.approx([0.95, 3.8587, 11.8215, 0.62])


def test_long_and_hostile_text_is_quick() -> None:
    assert parse_value("1" * 900 + "x") is not None
    assert parse_value("1" * 5000) is None, "prose, not a value"
    assert parse_value("(" * 5000) is None
    assert len(find_numbers("1 - " * 2000)) == 2000
