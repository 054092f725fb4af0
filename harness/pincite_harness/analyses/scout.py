"""Transcripts as Inspect Scout keeps them: one row a trial, with the columns of its schema."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import orjson

from pincite_harness.analyses.query_tables import Row
from pincite_harness.reports.loading import RunReport, TrialRow, load_runs
from pincite_harness.reports.measured import measure
from pincite_harness.reports.trials.write import read_trajectory
from pincite_harness.runs.run_folder import RunFolder
from pincite_tasks.files import digest_json
from pincite_trajectory.exports.inspect_messages import Messages

COLUMNS: Mapping[str, str] = {
    **dict.fromkeys(
        ("transcript_id", "source_type", "source_id", "source_uri", "date", "task_set", "task_id"), "VARCHAR"
    ),
    "task_repeat": "BIGINT",
    **dict.fromkeys(("agent", "agent_args", "model", "model_options", "score", "score_explanation"), "VARCHAR"),
    "success": "BOOLEAN",
    "message_count": "BIGINT",
    "total_time": "DOUBLE",
    "total_tokens": "BIGINT",
    **dict.fromkeys(("error", "limit", "messages"), "VARCHAR"),
}
"""Names and DuckDB types after the transcript schema of inspect_scout 0.6; JSON stands as text."""


def transcripts_of(paths: Sequence[Path]) -> Iterator[Row]:
    """The trials that have a trajectory; the messages are those of its main conversation."""
    for run in load_runs(paths):
        leading = {one.family: one.shown.headline[0].name for one in measure(run) if one.shown.headline}
        for trial in run.trials:
            row = _row(run, trial, leading.get(trial.family, ""))
            if row is not None:
                yield row


def transcript_id(created_at: str, run: str, trial: str) -> str:
    """The id of a trial's transcript: the same for a run whatever stands beside it."""
    return digest_json([created_at, run, trial]).removeprefix("sha256:")[:22]


def _row(run: RunReport, trial: TrialRow, metric: str) -> Row | None:
    folder = RunFolder(run.path).trial(trial.name)
    trajectory = read_trajectory(folder / "trajectory.json")
    record = trial.record
    if trajectory is None or record is None:
        return None
    made = Messages(folder)
    messages = [message for step in trajectory.steps for message in made.of_step(step)]
    limited = trial.status == "limit_reached"
    score = trial.metrics.get(metric)
    return {
        "transcript_id": transcript_id(run.document.created_at, run.document.name, trial.name),
        "source_type": "pincite",
        "source_id": run.name,
        "source_uri": folder.resolve().as_uri(),
        "date": min((stage.started_at for stage in record.stages.values()), default=run.document.created_at),
        "task_set": trial.family,
        "task_id": trial.task,
        "task_repeat": trial.attempt,
        "agent": record.agent,
        "agent_args": _text(run.document.specification.agent_options),
        "model": record.model,
        "score": _text(score) if score is not None else None,
        "message_count": len(messages),
        "total_time": trial.seconds,
        "total_tokens": int(trial.tokens) if trial.tokens is not None else None,
        "error": record.detail if trial.status == "failed" else None,
        "limit": (record.detail or "").partition(":")[0] if limited else None,
        "messages": _text(messages),
    }


def _text(value: Any) -> str:
    return orjson.dumps(value).decode()
