"""The bundled analyses by their claims: gold has full marks; swapped, altered, emptied or copied out it has none."""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_scoring import Case, ScoringOptions, score

FAMILY = Path(__file__).resolve().parents[4] / "tasks" / "figure_analysis"
TASKS = {task["task_id"]: task for task in map(json.loads, (FAMILY / "records.jsonl").read_text("utf-8").splitlines())}


@pytest.fixture(scope="module")
def changed_gold(module_at: Callable[[Path], ModuleType]) -> ModuleType:
    return module_at(Path(__file__).with_name("changed_gold.py"))


def claims_of(task_id: str, answer: str, gold: Mapping[str, Any] | None = None) -> float | None:
    task = TASKS[task_id]
    files = {Path(name).name: FAMILY / name for name in task["inputs"]["files"]}
    return score("figure_analysis", Case(answer, gold or task["gold"], files=files), ScoringOptions()).metrics["claims"]


def test_gold_carries_each_of_its_claims_that_rules_decide() -> None:
    assert {task_id: claims_of(task_id, task["gold"]["analysis"]) for task_id, task in TASKS.items()} == dict.fromkeys(
        TASKS, 1.0
    )


def test_gold_with_names_numbers_or_directions_changed_has_next_to_nothing(changed_gold: ModuleType) -> None:
    wrong: list[str] = []
    for task_id, task in TASKS.items():
        text = task["gold"]["analysis"]
        changes = [*changed_gold.swapped_names(task["gold"]), *changed_gold.altered_numbers(text)]
        changes += changed_gold.swapped_conditions(text)
        for what, answer in [*changes, ("antonyms", changed_gold.with_antonyms(text))]:
            assert answer != text, (task_id, what)
            value = claims_of(task_id, answer)
            if value is None or value >= 0.1:
                wrong.append(f"{task_id}, {what}: {value}")
    assert not wrong, "\n".join(wrong)


def test_the_query_and_the_table_copied_out_have_nothing() -> None:
    for task_id, task in TASKS.items():
        tables = [FAMILY / name for name in task["inputs"]["files"] if name.endswith(".csv")]
        rows = [", ".join(line.split(",")) for table in tables for line in table.read_text("utf-8").splitlines()]
        for answer in (task["inputs"]["parameters"]["query"], ". ".join(rows) + "."):
            assert (claims_of(task_id, answer) or 0.0) < 0.1, (task_id, answer)


def test_claims_are_derived_where_nobody_wrote_them(changed_gold: ModuleType) -> None:
    for task_id, task in TASKS.items():
        gold = {"analysis": task["gold"]["analysis"]}
        assert claims_of(task_id, gold["analysis"], gold) == 1.0, task_id
        _, answer = next(changed_gold.altered_numbers(gold["analysis"]))
        assert (claims_of(task_id, answer, gold) or 0.0) < 0.5, task_id
    without = {"analysis": "The curves are of three shapes, and each of them has been drawn with great care by us."}
    assert claims_of("fare_floor-figure-1", "The curves are drawn.", without) is None
