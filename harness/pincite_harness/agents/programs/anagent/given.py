"""Given: plans and feedback from a file of the user's, so that two of them can be compared with all else the same."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from thinking import ThinkingError


@dataclass(frozen=True, slots=True)
class Refinement:
    """A first analysis, and the feedback on it."""

    answer: str
    feedback: str


def plan_of(path: Path, task_id: str) -> str:
    """The plan for a task; ThinkingError where the file has none."""
    return str(_line(path, task_id, ("plan",))["plan"])


def refinement_of(path: Path, task_id: str) -> Refinement:
    """The first analysis and the feedback for a task; ThinkingError where the file has none."""
    line = _line(path, task_id, ("answer", "feedback"))
    return Refinement(str(line["answer"]), str(line["feedback"]))


def _line(path: Path, task_id: str, fields: tuple[str, ...]) -> dict[str, Any]:
    for number, text in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        if not text.strip():
            continue
        try:
            line = json.loads(text)
        except json.JSONDecodeError as error:
            raise ThinkingError(f"line {number} of the file {path.name} is not JSON: {error}") from error
        if not isinstance(line, dict) or cast("dict[str, Any]", line).get("task_id") != task_id:
            continue
        given = cast("dict[str, Any]", line)
        missing = [field for field in fields if not str(given.get(field) or "").strip()]
        if missing:
            raise ThinkingError(f"line {number} of the file {path.name} has no {' and no '.join(missing)}")
        return given
    raise ThinkingError(f"the file {path.name} has no line for the task {task_id}")
