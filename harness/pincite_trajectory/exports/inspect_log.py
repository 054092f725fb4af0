"""A trajectory as an Inspect log (``.eval``): a zip of JSON files, one sample with its messages, events and scores.

The format is that of Inspect's own recorder, version 2; events refer to the pool of messages by ranges, so that a long
conversation does not repeat itself.
"""

import io
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

import orjson

from pincite_trajectory.atif import Step, Trajectory
from pincite_trajectory.content import text_in
from pincite_trajectory.exports import clock
from pincite_trajectory.exports.inspect_events import Events
from pincite_trajectory.exports.inspect_messages import Messages, output_of, summed, usage_of

VERSION = 2
"""Version of Inspect's log format."""
_EPOCH = 1
"""Inspect counts attempts from 1; a trial is one attempt."""


@dataclass(frozen=True, slots=True)
class Marked:
    """What a trial adds to its trajectory: the task, metrics of the score, and how it failed."""

    family: str = "trajectory"
    task_id: str = ""
    metrics: Mapping[str, float | None] = field(default_factory=dict[str, float | None])
    error: str | None = None
    limit: tuple[str, float, str] | None = None
    """Kind by Inspect's names, value and reason of the limit that ended the trial."""


def to_inspect(trajectory: Trajectory, media: Path | None = None, marked: Marked | None = None) -> bytes:
    """The bytes of an ``.eval`` file. ``media`` is the folder that paths of images start from; they are put in."""
    marked = marked or Marked()
    sample = _sample(trajectory, media, marked)
    files = _files(trajectory, sample, marked)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, value in files.items():
            # A fixed time: the same trajectory gives the same bytes.
            archive.writestr(zipfile.ZipInfo(name), orjson.dumps(value), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()


def _sample(trajectory: Trajectory, media: Path | None, marked: Marked) -> dict[str, Any]:
    messages = Messages(media)
    events = Events(messages)
    events.add(trajectory)
    steps = trajectory.steps
    conversation = events.conversations[0]
    sample: dict[str, Any] = {
        "id": marked.task_id or trajectory.trajectory_id or "trajectory",
        "epoch": _EPOCH,
        "input": next((_prompt(step) for step in steps if step.source == "user"), ""),
        "target": "",
        "messages": conversation,
        "output": _output(steps, conversation),
        "scores": _scores(marked),
        "metadata": {"atif": _metadata(trajectory)},
        "events": events.events,
        "events_data": {"messages": events.pool, "calls": []},
        "model_usage": _usage(trajectory),
        "started_at": clock.begun(steps, 0).isoformat(),
        "completed_at": clock.ended(steps).isoformat(),
        "total_time": (clock.ended(steps) - clock.begun(steps, 0)).total_seconds(),
        "uuid": trajectory.trajectory_id,
        "attachments": {},
    }
    if marked.error is not None:
        sample["error"] = {"message": marked.error, "traceback": "", "traceback_ansi": ""}
    if marked.limit is not None:
        kind, value, reason = marked.limit
        sample["limit"] = {"type": kind, "limit": value, "reason": reason}
    return {name: value for name, value in sample.items() if value is not None}


def _files(trajectory: Trajectory, sample: dict[str, Any], marked: Marked) -> dict[str, Any]:
    spec = _spec(trajectory, sample, marked)
    plan: dict[str, Any] = {"name": "plan", "steps": [{"solver": trajectory.agent.name, "params": {}}], "config": {}}
    summary = {name: sample[name] for name in ("id", "epoch", "input", "target", "model_usage", "started_at")}
    summary |= {"completed_at": sample["completed_at"], "total_time": sample["total_time"], "completed": True}
    summary |= {name: sample[name] for name in ("scores", "uuid") if name in sample}
    summary |= {"error": marked.error} if marked.error is not None else {}
    header: dict[str, Any] = {
        "version": VERSION,
        "status": "error" if marked.error is not None else "success",
        "eval": spec,
        "plan": plan,
        "results": _results(marked),
        "stats": {
            "started_at": sample["started_at"],
            "completed_at": sample["completed_at"],
            "model_usage": sample["model_usage"],
        },
    }
    if marked.error is not None:
        header["error"] = sample["error"]
    return {
        "_journal/start.json": {"version": VERSION, "eval": spec, "plan": plan},
        f"samples/{_safe(str(sample['id']))}_epoch_{_EPOCH}.json": sample,
        "_journal/summaries/1.json": [summary],
        "summaries.json": [summary],
        "header.json": header,
    }


def _spec(trajectory: Trajectory, sample: dict[str, Any], marked: Marked) -> dict[str, Any]:
    name = trajectory.trajectory_id or marked.family
    return {
        "eval_id": name,
        "run_id": trajectory.session_id or name,
        "created": sample["started_at"],
        "task": marked.family,
        "task_id": name,
        "task_version": 0,
        "dataset": {"name": marked.family, "samples": 1, "sample_ids": [sample["id"]]},
        "model": trajectory.agent.model_name or "none/none",
        "config": {"epochs": _EPOCH},
        "packages": {"pincite": version("pincite")},
        "metadata": {"agent": trajectory.agent.name, "agent_version": trajectory.agent.version},
        "scorers": [{"name": marked.family, "metrics": []}] if marked.metrics else None,
    }


def _scores(marked: Marked) -> dict[str, Any] | None:
    found = {name: {"value": value} for name, value in marked.metrics.items() if value is not None}
    return found or None


def _results(marked: Marked) -> dict[str, Any]:
    known = {name: value for name, value in marked.metrics.items() if value is not None}
    scores = [
        {
            "name": name,
            "scorer": marked.family,
            "scored_samples": 1,
            "metrics": {"mean": {"name": "mean", "value": value}},
        }
        for name, value in known.items()
    ]
    return {"total_samples": 1, "completed_samples": 1, "scores": scores}


def _prompt(step: Step) -> str:
    """The user's own words: clients put their remarks before them, as parts of their own."""
    texts = [step.message] if isinstance(step.message, str) else [text_in([part]) for part in step.message]
    return next((text for text in reversed(texts) if text), "")


def _output(steps: list[Step], conversation: list[dict[str, Any]]) -> dict[str, Any]:
    last = next((step for step in reversed(steps) if step.source == "agent"), None)
    message = next((message for message in reversed(conversation) if message["role"] == "assistant"), None)
    return output_of(last, message) if last is not None and message is not None else {}


def _usage(trajectory: Trajectory) -> dict[str, Any]:
    """Usage by model over all conversations."""
    found: dict[str, list[dict[str, Any]]] = {}
    for one in [trajectory, *(trajectory.subagent_trajectories or [])]:
        for step in one.steps:
            if step.metrics is not None:
                found.setdefault(step.model_name or one.agent.model_name or "unknown", []).append(
                    usage_of(step.metrics)
                )
    return {model: summed(usages) for model, usages in found.items()}


def _metadata(trajectory: Trajectory) -> dict[str, Any]:
    metrics = trajectory.final_metrics
    return {
        "schema_version": trajectory.schema_version,
        "trajectory_id": trajectory.trajectory_id,
        "final_metrics": metrics.model_dump(mode="json", exclude_none=True) if metrics is not None else None,
    }


def _safe(name: str) -> str:
    return "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in name)
