"""Values: tolerance edges, the zero rule, units that do not compare, categories, symmetries, formulas."""

from collections.abc import Callable
from typing import Any

import pytest

from pincite_materials.comparing import TOLERANCES, Comparison
from pincite_materials.published_values import published_numbers
from pincite_scoring.property_extraction.compare import compare, kind_of
from pincite_scoring.property_extraction.records import Record
from pincite_scoring.property_extraction.reference import published_value_score


def verdict(comparison: Comparison) -> str:
    """The tightest tolerance that the value meets, or ``wrong``."""
    return next((name for name, tolerance in TOLERANCES.items() if comparison.within(tolerance)), "wrong")


NUMBERS: list[tuple[str, str, str, str, str]] = [
    # answer, its unit, gold, its unit, tightest tolerance
    ("93", "K", "93", "K", "0.1%"),
    ("93.0", "K", "93(1)", "K", "0.1%"),
    ("93 K", "", "93", "K", "0.1%"),
    ("100.1", "K", "100", "K", "0.1%"),
    ("99.9", "K", "100", "K", "0.1%"),
    ("100.11", "K", "100", "K", "1%"),
    ("101", "K", "100", "K", "1%"),
    ("101.1", "K", "100", "K", "10%"),
    ("110", "K", "100", "K", "10%"),
    ("110.1", "K", "100", "K", "wrong"),
    ("90", "K", "100", "K", "10%"),
    ("0.3003", "nm", "0.3", "nm", "0.1%"),
    ("−5", "K", "5", "K", "wrong"),
    ("−31.4", "K", "-31.4", "K", "0.1%"),
    ("3.82", "Å", "0.382", "nm", "0.1%"),
    ("3.82", "A", "0.382", "nm", "0.1%"),
    ("0.165", "mΩ cm", "165", "μΩ cm", "0.1%"),
    ("1.2e-3", "", "1.2 × 10^-3", "", "0.1%"),
    ("1.7", "10^20 cm^-3", "1.7 × 10^26", "m^-3", "0.1%"),
    ("10", "kOe", "1", "T", "0.1%"),
    ("25", "°C", "298.15", "K", "0.1%"),
    ("25", "°C", "25", "K", "wrong"),
    ("1", "meV", "1.602e-22", "J", "0.1%"),
    ("1", "meV", "1.60e-22", "J", "1%"),
    ("11.6045", "K", "1", "meV", "0.1%"),
    ("5", "%", "0.05", "", "0.1%"),
    ("0", "K", "0", "K", "0.1%"),
    ("0.0", "K", "0", "mK", "0.1%"),
    ("1e-9", "K", "0", "K", "wrong"),
    ("0", "K", "1", "K", "wrong"),
    ("0", "°C", "0", "°C", "0.1%"),
    ("0.2", "°C", "0", "°C", "0.1%"),
    ("273.15", "K", "0", "°C", "0.1%"),
    ("0", "K", "0", "°C", "wrong"),
    ("93", "frobs", "93", "frobs", "0.1%"),
    ("93", "frobs", "93", "K", "wrong"),
    ("93", "K", "93", "frobs", "wrong"),
    ("93", "", "93", "K", "wrong"),
    ("93", "K", "93", "T", "wrong"),
    ("1.2–1.5", "GPa", "1.2 to 1.5", "GPa", "0.1%"),
    ("−3 to −5", "K", "-5 to -3", "K", "0.1%"),
    ("between −3 and −5 K", "", "−3…−5", "K", "0.1%"),
    ("−3 to −5", "K", "3 to 5", "K", "wrong"),
    ("2/3", "", "0.6667", "", "0.1%"),
    ("2/3 μ_B", "", "0.6667", "μ_B", "0.1%"),
    ("2/3", "", "3/2", "", "wrong"),
    ("(2.4 ± 0.1) × 10^4", "A/cm^2", "24000", "A/cm^2", "0.1%"),
    ("2.51", "μ_B", "2.51", "μ_B per Ce", "0.1%"),
    ("2.51", "μ_B per Mn", "2.51", "μ_B per Ce", "wrong"),
    ("360", "electronvolt", "360", "eV", "0.1%"),
    ("1.2", "GPa", "1.2–1.5", "GPa", "wrong"),
    ("1.2–1.6", "GPa", "1.2–1.5", "GPa", "10%"),
    ("(0, 0, 0.5)", "", "(0, 0, 1/2)", "", "0.1%"),
    ("< 2.0", "K", "2.0", "K", "wrong"),
    ("< 2.0", "K", "≤ 2", "K", "0.1%"),
    ("> 2.0", "K", "< 2.0", "K", "wrong"),
    ("~93", "K", "93", "K", "0.1%"),
    ("superconducting", "", "93", "K", "wrong"),
]


@pytest.mark.parametrize(("value", "unit", "gold", "gold_unit", "expected"), NUMBERS)
def test_numbers(
    record: Callable[..., Record], value: str, unit: str, gold: str, gold_unit: str, expected: str
) -> None:
    comparison = compare(record("quantity", value, unit), record("quantity", gold, gold_unit))
    assert comparison.kind == "number"
    assert verdict(comparison) == expected, comparison


def test_a_bound_may_stand_in_the_qualifier(record: Callable[..., Record]) -> None:
    gold = record(value="2.0", qualifier="<")
    assert compare(record(value="< 2.0"), gold).within(1e-3)
    assert not compare(record(value="2.0"), gold).within(0.1)
    assert compare(record(value="2.0", qualifier="about"), record(value="2.0")).within(1e-3)
    assert compare(record(value="2.0", qualifier="maximum"), record(value="2.0")).within(1e-3)


@pytest.mark.parametrize(
    ("unit", "gold_unit", "words"),
    [("frobs", "K", "the unit 'frobs' is not understood"), ("T", "K", "T against K"), ("", "K", "no unit against K")],
)
def test_what_is_not_comparable_says_so(record: Callable[..., Record], unit: str, gold_unit: str, words: str) -> None:
    note = compare(record(value="93", unit=unit), record(value="93", unit=gold_unit)).note
    assert note.startswith("not comparable") and words in note


WORDS: list[tuple[str, str, str, str, bool]] = [
    ("space group", "space_group", "P6_3/mmc", "194", True),
    ("space group", "space_group", "Pbnm", "Pnma", True),
    ("space group", "space_group", "Fm-3m", "Pm-3m", False),
    ("space group", "space_group", "cubic", "Pm-3m", False),
    ("space group", "category", "R-3x", "R -3 x", True),
    ("crystal system", "crystal_system", "Tetragonal", "tetragonal structure", True),
    ("crystal system", "crystal_system", "rhombohedral", "trigonal", True),
    ("crystal system", "crystal_system", "cubic", "hexagonal", False),
    ("chemical formula", "formula", "YBa2Cu3O7-δ", "Ba2YCu3O7-x", True),
    ("chemical formula", "formula", "YBa2Cu3O7-δ", "Ba2YCu3O7", False),
    ("chemical formula", "formula", "YBa2Cu3O6.5", "YBa2Cu3O7", False),
    ("structure type", "category", "ThCr2Si2-type", "ThCr2Si2 type", True),
    ("structure type", "category", "ThCr2Si2", "ThCr2Si2-type tetragonal structure", False),
    ("superconductor type", "category", "Type-II", "type II", True),
    ("point group", "category", "4/mmm", "4/mmm", True),
    ("point group", "category", "6/mmm", "4/mmm", False),
    ("order of transition", "category", "second order", "Second-order", True),
    ("order of transition", "category", "first order", "second order", False),
]


@pytest.mark.parametrize(("name", "kind", "value", "gold", "equal"), WORDS)
def test_words(record: Callable[..., Record], name: str, kind: str, value: str, gold: str, equal: bool) -> None:
    truth = record(name, gold, "")
    assert kind_of(truth) == kind
    comparison = compare(record(name, value, ""), truth)
    assert comparison.equal is equal
    assert {comparison.within(t) for t in TOLERANCES.values()} == {equal}, "a word is right or wrong, at no tolerance"


PUBLISHED: list[tuple[str, str, str, str, bool, str]] = [
    ("93", "K", "93", "K", True, "equal"),
    ("100.1", "K", "100", "K", True, "the edge"),
    ("93", "frobs", "93", "K", True, "an unknown unit is compared as a bare number"),
    ("93", "", "93", "K", True, "and so is a missing one"),
    ("93", "T", "93", "K", True, "known factors, of different dimensions: 93 and 93 after conversion"),
    ("3.82", "A", "0.382", "nm", True, "converted"),
    ("1", "meV", "1.60e-22", "J", False, "J is not in the table: bare numbers"),
    ("5", "K", "41, 5", "K", False, "only the first gold number counts"),
    ("41, 5", "K", "5", "K", True, "any number of the answer counts"),
    ("0", "K", "0", "T", True, "zero is zero"),
    ("25", "°C", "298.15", "K", False, "no Celsius"),
    ("< 2", "K", "2", "K", True, "bounds are not read"),
]


@pytest.mark.parametrize(("value", "unit", "gold", "gold_unit", "right", "why"), PUBLISHED)
def test_the_published_numbers(
    record: Callable[..., Record], value: str, unit: str, gold: str, gold_unit: str, right: bool, why: str
) -> None:
    answer, truth = record("quantity", value, unit), record("quantity", gold, gold_unit)
    assert published_value_score(answer, truth, 1e-3) is right, why


@pytest.mark.parametrize(
    ("name", "value", "gold", "right"),
    [
        ("space group", "P63/mmc", "P6_3/mmc", True),
        ("space group", "P21/c", "P 21/c", False),
        ("space group", "P21/c", "P21/c", True),
        ("space group", "62", "Pnma", False),
        ("structure type", "ThCr2Si2", "ThCr2Si2-type tetragonal structure", True),
        ("superconductor type", "type-I", "type-II", True),
        ("chemical formula", "YBa2Cu3O7", "YBa2Cu3O6.5", True),
    ],
)
def test_the_published_words(record: Callable[..., Record], name: str, value: str, gold: str, right: bool) -> None:
    """Substrings, 10 % of a composition and unknown symbols: as published, right or wrong."""
    assert published_value_score(record(name, value, ""), record(name, gold, ""), 1e-3) is right


def test_published_numbers_put_powers_of_ten_first() -> None:
    numbers = published_numbers("about 5 or 1.2 × 10^3 K")
    assert numbers[:2] == ((1200.0, "K"), (5.0, "or"))
    assert (1.2, "") in numbers, "and the digits of the power again, as numbers of their own"
    assert published_numbers("7.441(5) nm") == ((7.441, "nm"),)
    assert published_numbers("none") == ()


def test_a_missing_extra_is_named(record: Callable[..., Record], monkeypatch: Any) -> None:
    """Units and formulas need none; the published comparison of formulas needs pymatgen."""
    import sys

    from pincite_core.errors import MissingExtraError

    monkeypatch.setitem(sys.modules, "pymatgen.core", None)
    assert compare(record("quantity", "12.345", "kOe"), record("quantity", "1.2345", "T")).within(1e-3)
    assert compare(record("chemical formula", "Mg2B4", ""), record("chemical formula", "MgB2", "")).equal
    with pytest.raises(MissingExtraError, match="materials"):
        published_value_score(record("chemical formula", "Mg3B6", ""), record("chemical formula", "MgB2", ""), 1e-3)
