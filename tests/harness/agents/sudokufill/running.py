"""Runs SudokuFill in a working folder of its own, before real servers and a scripted model that plays a cast."""

import contextlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from pincite_doors.testing import Request, ScriptedModel
from pincite_scoring.case import Case
from pincite_scoring.record_filling.compiling import compile_schema
from pincite_scoring.record_filling.schema import Schema, read_schema
from pincite_scoring.result import ScoringOptions
from pincite_scoring.scorer import get_scorer

MANY = 20_000
"""Requests of a run at most."""


def schema_of(task: Mapping[str, Any]) -> Schema:
    """The schema of a task as the scorer reads it."""
    return read_schema(task["inputs"]["parameters"]["schema"])


def fill(
    program: Callable[[str], ModuleType],
    addresses: Mapping[str, str],
    folder: Path,
    task: Mapping[str, Any],
    cast: Callable[[Request], Any],
    limits: Mapping[str, float],
    options: Mapping[str, str],
) -> tuple[int, Any, list[Any], list[Request]]:
    """The exit code, the answer (None without one), the events, and the model's requests."""
    crew, pipeline = program("crew"), program("sudokufill.pipeline")
    defaults = program("sudokufill.options").DEFAULTS
    path = folder / "answer.json"
    with ScriptedModel([cast] * MANY) as model, contextlib.chdir(folder):
        description = {
            "papers": [Path(paper).name for paper in task["inputs"]["papers"]],
            "parameters": task["inputs"]["parameters"],
            "answer": path.name,
            "tools": {name: {"url": url, "headers": {}} for name, url in addresses.items()},
            "limits": dict(limits),
            "model": {"url": model.url, "name": "m", "dialect": "openai.chat", "api_key": "token"},
        }
        (folder / "task.json").write_text(json.dumps(description))
        form = task.get("answer_schema") or compile_schema(schema_of(task))
        (folder / "schema.json").write_text(json.dumps(form))
        (folder / "options.json").write_text(json.dumps(options))
        path.unlink(missing_ok=True)
        code = crew.run(pipeline.work, name="sudokufill", defaults=defaults, options=folder / "options.json")
        events = crew.State.replay(folder / ".agent" / "state.jsonl")
    answer = json.loads(path.read_text()) if path.exists() else None
    return code, answer, events, model.requests


def score(task: Mapping[str, Any], answer: Any) -> Mapping[str, float]:
    """The metrics of an answer to a task, as in a trial, but for what needs the paper."""
    case = Case(answer, task["gold"], parameters=task["inputs"]["parameters"])
    return get_scorer("record_filling").score(case, ScoringOptions()).metrics
