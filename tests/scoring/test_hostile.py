"""Answers come from machines: nothing in them may crash the scorer or hold it up."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from pincite_papers.model import Paper
from pincite_scoring import Case, ScoringOptions, score
from pincite_scoring.property_extraction.records import Conditions
from pincite_tasks.family import FamilyLimits

PIECES = [
    "1e999",
    "-1e-999",
    "9" * 400,
    "10^9999",
    "1" * 50 + "." + "9" * 50,
    "1,000,000",
    "()",
    "((((",
    "))))",
    "[[",
    "{",
    "^",
    "_",
    "**",
    "//",
    "0/0",
    "1/0",
    "K/0",
    "K^0",
    "K^-0",
    "K^99",
    "10^99 K",
    "(K)^0.5",
    "0 K",
    "-5 K",
    "nan",
    "inf",
    "NaN",
    "±",
    "≤",
    "~~",
    "\x00",
    "\ud800",
    "é",
    "日本語",
    "\u0305",
    "YBa2Cu3O7-",
    "O-1",
    "Cu-2",
    "La2-xSrxCuO4",
    "(La,Sr)",
    "(x)",
    "P6_3/mmc",
    "194",
    "0",
    "°C",
    "%",
    "onset",
    "∥ c",
    "1-2-3",
    "5 to",
    "to 5",
    "e",
    "E+",
    "×10",
    "x10^",
    "10^",
    "\t",
    "\n",
    " ",
    "a" * 300,
    "A" * 300,
    "K" * 300,
    "(" * 300,
]


def monster(dice: random.Random) -> str:
    text = "".join(dice.choice(PIECES) + dice.choice(["", " ", "/"]) for _ in range(dice.randint(1, 4)))
    return text if text.strip() else "x"


@pytest.mark.parametrize("compat", ["strict", "reference"])
@pytest.mark.parametrize("seed", range(8))
def test_random_answers_are_scored(
    raw: Callable[..., dict[str, Any]], paper: Callable[..., Paper], seed: int, compat: Any
) -> None:
    dice = random.Random(seed)

    def record() -> dict[str, Any]:
        made = raw(monster(dice), monster(dice), monster(dice), monster(dice), 1, monster(dice))
        made["conditions"] = {key: monster(dice) for key in Conditions.model_fields}
        return made | {"method": monster(dice), "qualifier": monster(dice), "value_detail": monster(dice)}

    gold = [record() for _ in range(12)]
    answer = [record() for _ in range(8)] + gold[:4]
    papers = {"p.pdf": paper("Tc is 93 K. ", monster(dice))}
    result = score(
        "property_extraction",
        Case({"properties": answer}, {"properties": gold}, papers),
        ScoringOptions(compat=compat),
    )
    assert result.status == "scored"
    for name, value in result.metrics.items():
        assert value is None or name.startswith("n_") or 0.0 <= value <= 1.0, (name, value)


def test_as_many_records_as_a_family_allows_are_scored(raw: Callable[..., dict[str, Any]]) -> None:
    """How many records an answer may have is said once, by the family (``answer_records``)."""
    many = [raw()] * FamilyLimits().answer_records
    result = score("property_extraction", Case({"properties": many}, {"properties": []}), ScoringOptions())
    assert (result.status, result.metrics["precision"]) == ("scored", 0.0)
