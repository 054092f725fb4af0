"""Exemplars: examples of other papers that a role is shown before its task."""

import json
import random
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

FOLDER = Path(__file__).with_name("exemplars")
FIELDS = {"planner": "plan", "expert": "steps", "solver": "answer", "critic": "feedback"}
"""What a role's example shows of its work."""
_INTRODUCTION = "Examples of other papers: how it is done, and nothing about your task.\n\n"


def read(role: str, folder: Path = FOLDER) -> list[dict[str, str]]:
    """The examples of a role; ValueError with the line of one that lacks a field."""
    path = folder / f"{role}.jsonl"
    found: list[dict[str, str]] = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        example: dict[str, Any] = json.loads(line)
        wanted = {"paper", "data_type", "task", "data", "context", FIELDS[role]}
        if missing := sorted(wanted - set(example)):
            raise ValueError(f"{path.name}:{number} has no {', '.join(missing)}")
        found.append({name: str(value) for name, value in example.items()})
    return found


def choose(
    examples: Sequence[Mapping[str, str]], count: int, *, data_type: str, papers: Iterable[str], seed: int
) -> list[Mapping[str, str]]:
    """At most ``count`` of them: those of the data type first, then the others, each at random by the seed, and none of
    a paper of the task."""
    taken = {_stem(paper) for paper in papers}
    free = [example for example in examples if _stem(example["paper"]) not in taken]
    order = random.Random(seed)  # noqa: S311 - a choice that can be made again, not a secret
    order.shuffle(free)
    free.sort(key=lambda example: example["data_type"] != data_type)
    return free[:count]


def shown(role: str, examples: Sequence[Mapping[str, str]]) -> str:
    """The examples as a role reads them; nothing where there are none."""
    if not examples:
        return ""
    blocks = [_block(role, number, example) for number, example in enumerate(examples, start=1)]
    return _INTRODUCTION + "\n\n".join(blocks)


def _block(role: str, number: int, example: Mapping[str, str]) -> str:
    field = FIELDS[role]
    parts = [
        f"Example {number}. {example['task']}",
        f"Data:\n{example['data']}",
        f"Context:\n{example['context']}",
        f"The {field}:\n{example[field]}",
    ]
    return "\n\n".join(parts)


def _stem(paper: str) -> str:
    """The name of a paper without folder and ending, in lower case."""
    return PurePosixPath(paper).stem.casefold()
