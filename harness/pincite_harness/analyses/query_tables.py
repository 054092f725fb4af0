"""Runs as tables for SQL: trials, steps, calls and scores, each a list of rows."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import orjson

from pincite_harness.analyses.calls import read_calls, steps_of
from pincite_harness.reports.loading import RunReport, TrialRow, load_runs
from pincite_harness.reports.task_keys import TaskKeys
from pincite_harness.reports.trials.write import read_trajectory
from pincite_harness.runs.run_folder import RunFolder
from pincite_trajectory.content import text_in

Row = dict[str, Any]
_KEY = {"run": "VARCHAR", "trial": "VARCHAR"}
COLUMNS: Mapping[str, Mapping[str, str]] = {
    "trials": {
        **_KEY,
        **dict.fromkeys(("agent", "model", "family", "task"), "VARCHAR"),
        "attempt": "BIGINT",
        **dict.fromkeys(("status", "cause", "detail"), "VARCHAR"),
        **dict.fromkeys(("answered", "scored"), "BOOLEAN"),
        **dict.fromkeys(("seconds", "agent_seconds"), "DOUBLE"),
        **dict.fromkeys(("model_calls", "tool_calls", "input_tokens", "cached_tokens", "output_tokens"), "BIGINT"),
        "cost_usd": "DOUBLE",
        "started_at": "VARCHAR",
        "metadata": "JSON",
    },
    "steps": {
        **_KEY,
        "trajectory": "VARCHAR",
        "step": "BIGINT",
        "source": "VARCHAR",
        "at": "VARCHAR",
        "model": "VARCHAR",
        "message": "VARCHAR",
        "reasoning": "VARCHAR",
        "calls": "BIGINT",
        **dict.fromkeys(("input_tokens", "cached_tokens", "output_tokens"), "BIGINT"),
        "cost_usd": "DOUBLE",
    },
    "calls": {
        **_KEY,
        "number": "BIGINT",
        "kind": "VARCHAR",
        "server": "VARCHAR",
        "tool": "VARCHAR",
        "command": "VARCHAR",
        "result": "VARCHAR",
        "is_error": "BOOLEAN",
        "refused": "VARCHAR",
        "seconds": "DOUBLE",
    },
    "scores": {**_KEY, "metric": "VARCHAR", "value": "DOUBLE"},
}
"""Names and DuckDB types of the columns. ``calls`` are those of all conversations; ``steps`` those of the agent."""


@dataclass
class QueryTables:
    """The rows by table; ``trials`` has one for each trial, finished or not."""

    rows: dict[str, list[Row]] = field(default_factory=lambda: {name: [] for name in COLUMNS})

    @classmethod
    def of(cls, paths: Sequence[Path]) -> "QueryTables":
        """The tables of several runs; those of one name are told apart as in reports."""
        tables = cls()
        for run in load_runs(paths):
            keys = TaskKeys.of(run)
            for trial in run.trials:
                tables._add(run, trial, keys)
        return tables

    def _add(self, run: RunReport, trial: TrialRow, keys: TaskKeys) -> None:
        key = {"run": run.name, "trial": trial.name}
        folder = RunFolder(run.path).trial(trial.name)
        about = keys.metadata.get((trial.family, trial.task), {})
        self.rows["trials"].append(key | _trial(run, trial) | {"metadata": orjson.dumps(about).decode()})
        self.rows["steps"] += [key | step for step in _steps(folder)]
        for number, call in enumerate(read_calls(folder) or [], start=1):
            told = {"kind": call.kind, "server": call.server, "tool": call.name, "command": call.arguments}
            told |= {"result": call.text, "is_error": call.is_error, "refused": call.refused, "seconds": call.seconds}
            self.rows["calls"].append(key | {"number": number} | told)
        for metric, value in trial.metrics.items():
            self.rows["scores"].append(key | {"metric": metric, "value": value})


def _trial(run: RunReport, trial: TrialRow) -> Row:
    record = trial.record
    row: Row = {"agent": run.document.specification.agent, "family": trial.family, "task": trial.task}
    row |= {"attempt": trial.attempt, "status": trial.status, "cause": trial.cause, "scored": trial.scored}
    row |= {"seconds": trial.seconds, "agent_seconds": trial.agent_seconds}
    if record is None:
        return row
    row |= {"model": record.model, "detail": record.detail, "answered": record.answered, "cost_usd": record.cost_usd}
    row |= {"model_calls": record.model_calls, "tool_calls": record.tool_calls}
    row["started_at"] = min((stage.started_at for stage in record.stages.values()), default=None)
    if record.tokens is not None:
        tokens = record.tokens
        row |= {"input_tokens": tokens.input, "cached_tokens": tokens.cached, "output_tokens": tokens.output}
    return row


def _steps(folder: Path) -> Iterator[Row]:
    trajectory = read_trajectory(folder / "trajectory.json")
    if trajectory is None:
        return
    for owner, step in steps_of(trajectory):
        metrics = step.metrics
        yield {
            "trajectory": owner,
            "step": step.step_id,
            "source": step.source,
            "at": step.timestamp,
            "model": step.model_name,
            "message": text_in(step.message),
            "reasoning": step.reasoning_content,
            "calls": len(step.tool_calls or []),
            "input_tokens": metrics.prompt_tokens if metrics is not None else None,
            "cached_tokens": metrics.cached_tokens if metrics is not None else None,
            "output_tokens": metrics.completion_tokens if metrics is not None else None,
            "cost_usd": metrics.cost_usd if metrics is not None else None,
        }
