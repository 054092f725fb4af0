"""Gold is checked before it is scored against."""

from collections.abc import Callable
from typing import Any

from pincite_papers.model import Paper
from pincite_scoring.property_extraction.gold import validate_gold


def test_sound_gold_has_no_problem(raw: Callable[..., Any], paper: Callable[..., Paper]) -> None:
    gold = {"properties": [raw(evidence="Tc is 93 K.")]}
    assert validate_gold(gold, {"p": paper("Tc is 93 K.")}) == []
    assert validate_gold(gold) == []


def test_each_fault_is_named(raw: Callable[..., Any], paper: Callable[..., Paper]) -> None:
    nameless = raw()
    del nameless["property_name"]
    gold = {
        "properties": [
            raw(unit="frobs", evidence="Tc is 93 K."),
            raw(evidence="Tc is 94 K."),
            raw(evidence="Tc is 93 K.", page=2),
            raw(evidence="Tc is 93 K.", material="sample A"),
            raw(evidence="Tc is 93 K.", value="95"),
            nameless,
        ]
    }
    problems = validate_gold(gold, {"p": paper("Tc is 93 K. ", "Page two.")})
    assert [(p.index, p.field, p.fatal) for p in problems] == [
        (5, "", True),
        (0, "value_unit", True),
        (1, "location.evidence", False),
        (1, "location.evidence", True),
        (2, "location.evidence", True),
        (3, "material_or_system", False),
        (4, "location.evidence", False),
    ]
    assert str(problems[1]) == "record 0, value_unit: nobody knows the unit 'frobs'"
    assert "page 2" in str(problems[4])


def test_what_is_no_gold_is_told() -> None:
    assert validate_gold([])[-1].index is None
    assert validate_gold(None)[0].fatal
