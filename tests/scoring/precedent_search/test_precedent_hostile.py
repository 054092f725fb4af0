"""Answers made to break the scorer: whatever the schema lets pass is scored, and score.json stays JSON."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, cast

import pytest
from jsonschema import Draft202012Validator

from pincite_scoring import Case, ScoringOptions, score
from pincite_tasks.family import load_family

FAMILY = load_family(Path(__file__).resolve().parents[3] / "tasks" / "precedent_search")
NASTY: list[Any] = [
    "(", "(" * 900, "x = " * 200, "1e999", "-1e308", "∞", "NaN", "1,2,3,4", "(1,2)", "½", "１２.３", "\x00", "\u202e",
    "a" * 1000, "10.5555/" + "a" * 900, "https://doi.org/", "doi:doi:doi:10.1/1", "10.5555/%zz", "La" + "1" * 300,
    "La1e5", "((((((La2)))))", "La-x", "δ", "{{{", "$" * 100, "La0", "La0Sr0", "La1/0", "0/0", "±", "1±±2", "10^400",
    "5 to 3", "<<<3", ">3<", "38 K K K", "C" * 500, "H" + "(H" * 300, "9" * 999, "." * 999, "<sup>" * 150,
    "\\mathrm{" * 100, "Ti(=1)" * 40, "La 0.1 " * 140, 0, -1, 1e308, 10**30, None, 3.5,
]  # fmt: skip


@pytest.mark.parametrize("seed", range(4))
def test_whatever_passes_the_schema_is_scored(seed: int) -> None:
    rng = random.Random(seed)
    validator: Any = Draft202012Validator(FAMILY.schema)
    valid = 0
    for _ in range(80):
        task = rng.choice(FAMILY.tasks)
        answer = json.loads(json.dumps(task.gold))
        for _ in range(rng.randint(1, 3)):
            *path, last = rng.choice(list(_leaves(answer)))
            holder = answer
            for key in path:
                holder = holder[key]
            holder[last] = rng.choice(NASTY)
        if not validator.is_valid(answer):
            continue
        valid += 1
        for compat in ("strict", "reference"):
            case = Case(answer, task.gold, parameters=task.parameters, corpus=task.corpus)
            result = score("precedent_search", case, ScoringOptions(compat=compat))
            assert result.status == "scored"
            assert result.metrics["score"] in {0.0, 1.0, 2.0}
            json.dumps(result.to_json(), allow_nan=False)
    assert valid > 20


def _leaves(value: object, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    if isinstance(value, dict):
        for key, inner in cast("dict[str, object]", value).items():
            yield from _leaves(inner, (*path, key))
    elif isinstance(value, list):
        for index, inner in enumerate(cast("list[object]", value)):
            yield from _leaves(inner, (*path, index))
    else:
        yield path
