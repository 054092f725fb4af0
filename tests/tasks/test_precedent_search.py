"""The bundled questions of precedent_search: what an agent is told, and that nothing of the gold stands in it."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from pincite_tasks.family import load_family

FAMILY = load_family(Path(__file__).resolve().parents[2] / "tasks" / "precedent_search")
TASKS = {task.task_id: task for task in FAMILY.sets["standard"]}


@pytest.mark.parametrize("name", sorted(TASKS))
def test_a_prompt_asks_for_its_own_property_and_material(name: str) -> None:
    task = TASKS[name]
    prompt = FAMILY.fill_prompt(task)
    assert str(task.parameters["material"]) in prompt
    assert str(task.parameters["property"]) in prompt
    if task.parameters["property"] != FAMILY.settings.parameters["property"]:
        assert "superconduct" not in prompt.lower()
    assert "{{" not in prompt


@pytest.mark.parametrize("name", sorted(TASKS))
def test_no_gold_value_or_source_stands_in_a_prompt(name: str) -> None:
    task = TASKS[name]
    prompt = FAMILY.fill_prompt(task)
    gold = task.gold
    for measurement in (*gold["measurements"], *gold["negative_measurements"]):
        assert f" {measurement['value']} " not in prompt
    sources = [
        *gold["sources"],
        *(s for kind in ("measurements", "negative_measurements") for m in gold[kind] for s in m["sources"]),
    ]
    assert sources
    for source in sources:
        assert source["doi"] not in prompt
        assert source["title"] not in prompt


def test_there_are_questions_of_both_answers_and_of_three_properties() -> None:
    assert len(TASKS) >= 8
    assert {task.gold["reported"] for task in TASKS.values()} == {"Yes", "No"}
    assert len({str(task.parameters["property"]) for task in TASKS.values()}) == 3
    assert len({task.corpus for task in TASKS.values()}) == 3
    assert FAMILY.settings.limits.wall_clock_seconds == 20 * 60


def test_one_material_has_two_answers_in_time() -> None:
    now, then = TASKS["lu3rh2ir2sb7"], TASKS["lu3rh2ir2sb7-before-2020"]
    assert (now.before, then.before is not None) == (None, True)
    assert (now.gold["reported"], then.gold["reported"]) == ("Yes", "No")


def test_the_schema_takes_nothing_and_refuses_what_cannot_be_read() -> None:
    validator: Any = Draft202012Validator(FAMILY.schema)
    nothing = json.loads(FAMILY.settings.nothing or "null")
    assert validator.is_valid(nothing)
    for broken in (
        nothing | {"reported": "Maybe"},
        nothing | {"measurements": [{"material": " ", "value": "3", "sources": []}]},
        nothing | {"measurements": [{"material": "Nb", "value": " ", "sources": []}]},
        nothing | {"sources": [{"doi": "10.5555/a"}]},
        nothing | {"sources": ["10.5555/a"]},
        nothing | {"certainty": 1},
        {"reported": "Yes"},
    ):
        assert not validator.is_valid(broken), broken
