"""The agent on bundled tasks with a cast of rules in place of models: a regression of all of it, without a model."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

SCORES = {
    ("kelp-spore-sites", "accuracy"): 1,
    ("kelp-crossing-figure", "accuracy"): 0,  # rules cannot see
    ("perovskite-aged-diffraction", "accuracy"): 1,
    ("find-capelin-salinity", "accuracy"): 0,  # rules take the retracted work's value
    ("lu3rh4sb7", "accuracy_loose"): 1,
    ("eu3rh4sb7", "accuracy_loose"): 1,
    ("ca3pt4sb7", "accuracy_loose"): 0,  # the one report of it was retracted
}


@pytest.fixture
def ruled(
    running: ModuleType,
    rules: ModuleType,
    program: Callable[[str], ModuleType],
    literatures: Any,
    tmp_path: Path,
) -> Callable[[str], Any]:
    def run(task: str) -> Any:
        _, record = running.record_of(task)
        return running.answer(program, literatures, tmp_path, task, rules.cast(record), {})

    return run


def test_rules_in_place_of_models_score_as_they_did(running: ModuleType, ruled: Callable[[str], Any]) -> None:
    wrong: list[str] = []
    for (task, metric), expected in SCORES.items():
        ran = ruled(task)
        assert (ran.code, ran.troubles) == (0, []), task
        got = running.score(task, ran.answer)[metric]
        if got != expected:
            wrong.append(f"{task}: {got} {ran.answer}")
        kinds = [event["kind"] for event in ran.events]
        if ("Held" in kinds) != (task == "kelp-crossing-figure"):
            wrong.append(f"{task}: {kinds}")
        named = "Retracted, cited" in str(ran.answer.get("note") or ran.answer.get("reasoning"))
        if named != (task in ("find-capelin-salinity", "ca3pt4sb7")):
            wrong.append(f"{task}: {ran.answer}")
    assert not wrong, "\n".join(wrong)
