"""Recording: what of a trajectory can be played again: its tool calls, what each brought, and the answer."""

import hashlib
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import orjson

from pincite_core.errors import BadInputError, NotFoundError
from pincite_tasks.answer import ANSWER_FILES, find_answer
from pincite_tasks.files import read_json
from pincite_tasks.trial_record import TRIAL_FILE, parse_record
from pincite_trajectory.atif import ObservationResult, Step, TextPart, ToolCall, Trajectory
from pincite_trajectory.validate import validate_trajectory

TRAJECTORY_FILE = "trajectory.json"
ANY_TASK = "*"
_TRIALS = "trials"
_NO_RESULTS = ("No result: the trial ended first.", "Cancelled.")
"""How trajectories word that a call brought nothing."""
_NAMES = "|".join(map(re.escape, ANSWER_FILES))
_HEREDOC = re.compile(
    rf"^(?=[^\n]*(?:{_NAMES}))[^\n]*<<-?[ ]*(['\"]?)(?P<end>\w+)\1[^\n]*\n(?P<body>.*?)\n(?P=end)[ ]*$",
    re.DOTALL | re.MULTILINE,
)
"""A shell's heredoc whose first line names the answer's file."""
_CONTENT_KEYS = ("content", "file_text", "text", "contents")
"""Under which clients' tools that write a file take what is written."""


def read_recordings(path: Path) -> dict[str, dict[str, Any]]:
    """Recordings by ``family/task``: those of a run's folder (each task's first attempt that has a trajectory), or the
    one of a trial's folder or a trajectory's file for any task (``*``).

    NotFoundError where there is none; BadInputError where one is not a valid trajectory.
    """
    if path.is_file():
        return {ANY_TASK: read_recording(path)}
    if (path / TRAJECTORY_FILE).is_file():
        return {ANY_TASK: read_recording(path / TRAJECTORY_FILE)}
    trials = sorted((path / _TRIALS).glob(f"*/{TRIAL_FILE}"))
    found: dict[str, tuple[int, Path]] = {}
    for trial in trials:
        record = parse_record(read_json(trial), str(trial))
        task = f"{record.family}/{record.task_id}"
        if (trial.parent / TRAJECTORY_FILE).is_file() and (task not in found or record.attempt < found[task][0]):
            found[task] = record.attempt, trial.parent / TRAJECTORY_FILE
    if not found:
        raise NotFoundError(
            f"{path} holds no trajectory.", next="Name a trajectory's file, a trial's folder or a run's folder."
        )
    return {task: read_recording(file) for task, (_, file) in found.items()}


def read_recording(path: Path) -> dict[str, Any]:
    """One trajectory as ``programs/replay.py`` plays it: ``source``, ``calls`` and ``answer``."""
    trajectory = validate_trajectory(path)
    steps = _in_time([step for step in _steps(trajectory) if step.tool_calls])
    calls = [_call(path.parent, step, call) for step in steps for call in step.tool_calls or []]
    if not calls:
        raise BadInputError(f"{path} has no tool call to play.", next="Name another trajectory.")
    source = {"agent": trajectory.agent.name, "model": trajectory.agent.model_name, "id": trajectory.trajectory_id}
    return {"source": source, "calls": calls, "answer": _answer(path.parent, trajectory)}


def _steps(trajectory: Trajectory) -> Iterator[Step]:
    """All steps but those that only repeat earlier context, embedded trajectories after the one that holds them."""
    yield from (step for step in trajectory.steps if not step.is_copied_context)
    for embedded in trajectory.subagent_trajectories or []:
        yield from _steps(embedded)


def _in_time(steps: list[Step]) -> list[Step]:
    """By their times where every step has one: sub-agents worked in between."""
    if any(step.timestamp is None for step in steps):
        return steps
    return sorted(steps, key=lambda step: str(step.timestamp))


def _call(folder: Path, step: Step, call: ToolCall) -> dict[str, Any]:
    results = step.observation.results if step.observation else []
    result = next((result for result in results if result.source_call_id == call.tool_call_id), None)
    extra = call.extra or {}
    return {
        "name": call.function_name,
        "arguments": call.arguments,
        "server": extra.get("server"),
        "tool": extra.get("tool"),
        "expected": _expected(folder, result) if result is not None else None,
    }


def _expected(folder: Path, result: ObservationResult) -> dict[str, Any] | None:
    """The result in the parts that are compared, the server's whole text where the client had cut it; None where the
    call brought nothing."""
    if result.content in _NO_RESULTS:
        return None
    parts = result.content if isinstance(result.content, list) else [TextPart(text=result.content or "")]
    extra = result.extra or {}
    text = "\n".join(part.text for part in parts if isinstance(part, TextPart))
    media = [part.source.path for part in parts if not isinstance(part, TextPart)]
    return {
        "text": str(extra.get("full_text", text)),
        "structured": extra.get("structured_content"),
        "images": [_digest(folder, name) for name in media],
        "failed": extra.get("is_error", False),
    }


def _digest(folder: Path, name: str) -> str:
    path = folder / name
    return hashlib.sha256(path.read_bytes()).hexdigest() if "://" not in name else name


def _answer(folder: Path, trajectory: Trajectory) -> str | None:
    """The answer that lies beside the trajectory, or that a step left as a file; None where neither."""
    beside = find_answer(folder)
    if beside is not None:
        return beside.read_text(encoding="utf-8", errors="replace")
    for step in reversed(trajectory.steps):
        if (step.extra or {}).get("file") in ANSWER_FILES and isinstance(step.message, str):
            return step.message
        for call in reversed(step.tool_calls or []):
            if (written := _written(call.arguments)) is not None:
                return written
    last = next((step for step in reversed(trajectory.steps) if step.source == "agent"), None)
    return last.message if last is not None and isinstance(last.message, str) and _is_object(last.message) else None


def _written(arguments: Mapping[str, Any]) -> str | None:
    """What a call wrote into the answer's file: by a tool that writes files, or by a shell's heredoc."""
    texts = [value for value in arguments.values() if isinstance(value, str)]
    if any(Path(text).name in ANSWER_FILES for text in texts if "\n" not in text):
        found = [arguments[key] for key in _CONTENT_KEYS if isinstance(arguments.get(key), str)]
    else:
        found = [match["body"] for text in texts for match in _HEREDOC.finditer(text)]
    return found[-1] if found else None


def _is_object(text: str) -> bool:
    try:
        return isinstance(orjson.loads(text), dict)
    except orjson.JSONDecodeError:
        return False
