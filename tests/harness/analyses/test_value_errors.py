"""Wrong values by class: one example of each, and near misses that are of another."""

from pathlib import Path
from typing import Any

import pytest

from pincite_harness.analyses.value_classes import WrongValue, classify
from pincite_harness.analyses.value_errors import value_errors
from pincite_materials.comparing import Stated
from pincite_scoring.shown import text_paper

PAPER = text_paper("Samples A and B melt at 1340 K and 1295 K. The gap is 1.523 eV, the strain 0.25 %.")
CASES = [
    (("1.5", "eV"), ("1.523", "eV"), "rounded"),
    (("1.6", "eV"), ("1.523", "eV"), "not in the paper"),
    (("~1.6", "eV"), ("1.523", "eV"), "rounded"),
    (("1300", "K"), ("1295", "K"), "rounded"),
    (("1.34", "K"), ("1340", "K"), "unit"),
    (("1340", "°C"), ("1340", "K"), "unit"),
    (("1066.85", "K"), ("1340", "K"), "unit"),
    (("1523", "eV"), ("1.523", "eV"), "unit"),
    (("1295", "K"), ("1340", "K"), "neighbour"),
    (("7.5", "%"), ("0.31", "%"), "neighbour"),
    (("-1.523", "eV"), ("1.523", "eV"), "sign or exponent"),
    (("2.4 × 10^18", "cm^-3"), ("2.4 × 10^19", "cm^-3"), "sign or exponent"),
    (("< 1.523", "eV"), ("1.523", "eV"), "bound"),
    (("1.9", "eV"), ("1.523", "eV"), "not in the paper"),
    (("tetragonal", ""), ("1.523", "eV"), "other"),
    (("1-2", "eV"), ("1.523", "eV"), "other"),
]


def test_an_example_of_each_class() -> None:
    others = [Stated("7.5", "%")]
    wrong: list[str] = []
    for answer, gold, name in CASES:
        found = classify(WrongValue(Stated(*answer), Stated(*gold), others, [PAPER]))
        if found != name:
            wrong.append(f"{answer} for {gold} is {found}, not {name}")
    assert not wrong, "\n".join(wrong)


def test_without_its_paper_nothing_is_said_to_be_missing_there() -> None:
    assert classify(WrongValue(Stated("1.9", "eV"), Stated("1.523", "eV"))) == "other"
    assert classify(WrongValue(Stated("1.9", "eV"), Stated("1.523", "eV"), theory=True)) == "theory for experiment"


@pytest.fixture
def run(tmp_path: Path, make: Any) -> Path:
    records: list[dict[str, Any]] = [
        {"status": "wrong_value", "answer": 0, "gold": 0, "value": "1.5", "unit": "eV", "gold_value": "1.523"},
        {"status": "wrong_value", "answer": 1, "gold": 1, "value": "7", "unit": "K", "gold_value": "9"},
        {"status": "correct", "answer": 2, "gold": 2, "value": "7", "unit": "K", "gold_value": "7"},
        {"status": "missed", "answer": None, "gold": 3, "gold_value": "8"},
        {"status": "unmatched", "answer": 3, "gold": None, "compared_with": 0, "value": "3", "gold_value": "1.523"},
    ]
    for record, unit, quoted in zip(records, ("eV", "K", "K", "K", "eV"), (True, False, True, None, True), strict=True):
        record |= {"gold_unit": unit, "value_in_quote": quoted}
    return make.run(
        tmp_path / "one", "property_extraction", [make.trial("a", metrics={"f1_0.1%": 0.2}, records=records)]
    )


def test_the_wrong_values_of_a_run(run: Path, analysed: Any) -> None:
    rows = {row["class"]: row for row in analysed(value_errors, run).rows}
    counts = {name: row["count"] for name, row in rows.items() if row["count"]}
    assert counts == {"rounded": 1, "neighbour": 1}
    assert (rows["rounded"]["value in quote"], rows["neighbour"]["value not in quote"]) == (1, 1)
    assert rows["rounded"]["share"] == 0.5
