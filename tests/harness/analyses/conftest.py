"""Recorded runs that are small enough to count by hand."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from pincite_harness.analyses.analysis import Analyse, Analysis
from pincite_harness.analyses.trials import TrialData
from pincite_harness.reports.groups import group_runs
from pincite_harness.reports.loading import load_runs
from pincite_harness.reports.measured import measure
from pincite_harness.reports.task_keys import TaskKeys
from pincite_harness.runs.lock import Lock
from pincite_harness.runs.run_folder import RunDocument, RunFolder
from pincite_harness.runs.specification import RunSpecification
from pincite_tasks.failure import Cause, Status
from pincite_tasks.trial_record import RoleSpending, StageTime, TokenCount, TrialRecord

AT = "2026-01-01T00:00:00+00:00"


def call(name: str, *, server: str = "", text: str = "found", **more: Any) -> dict[str, Any]:
    """A call of a trajectory with its result: ``hosted``, ``arguments``, and what ``extra`` says of the result."""
    extra: dict[str, Any] = {"server": server, "tool": name} if server else {}
    if more.pop("hosted", False):
        extra["hosted"] = True
    return {"name": name, "arguments": more.pop("arguments", {}), "extra": extra, "text": text, "result": more}


def trajectory(calls: Sequence[Mapping[str, Any]], offered: Sequence[str] = ()) -> dict[str, Any]:
    """An ATIF trajectory with one step a call."""
    steps: list[dict[str, Any]] = [{"step_id": 1, "source": "user", "message": "Go."}]
    for number, one in enumerate(calls, start=2):
        result = {"source_call_id": f"c{number}", "content": one["text"], "extra": one["result"] or None}
        made = {"tool_call_id": f"c{number}", "function_name": one["name"], "arguments": one["arguments"]}
        told = [made | {"extra": one["extra"] or None}]
        step = {"step_id": number, "source": "agent", "message": "", "tool_calls": told}
        steps.append(step | {"observation": {"results": [result]}})
    tools = [{"type": "function", "function": {"name": name}} for name in offered]
    agent = {"name": "a", "version": "1", "tool_definitions": tools or None}
    return {"schema_version": "ATIF-v1.8", "agent": agent, "steps": steps}


@dataclass(frozen=True)
class Made:
    """A trial to record; ``outcome`` is the status of its one record of the class."""

    task: str
    attempt: int = 1
    metrics: Mapping[str, float] | None = None
    outcome: str = ""
    records: Sequence[Mapping[str, Any]] = ()
    seconds: float = 10.0
    tokens: tuple[int, int] | None = (80, 20)
    cost: float | None = None
    status: Status = Status.COMPLETED
    cause: Cause | None = None
    detail: str | None = None
    answered: bool = True
    calls: Sequence[Mapping[str, Any]] | None = ()
    offered: Sequence[str] = ()
    roles: Mapping[str, RoleSpending] = field(default_factory=dict[str, RoleSpending])
    files: Mapping[str, str] = field(default_factory=dict[str, str])
    """Further files of the trial by path."""


def record_run(
    path: Path,
    family: str,
    trials: Sequence[Made],
    *,
    folder: Path | None = None,
    less: Sequence[str] = (),
    scorer: str = "",
) -> Path:
    """A run's folder as the harness leaves it."""
    where = RunFolder(path)
    for made in trials:
        trial = where.trial(f"{made.task}__{made.attempt}")
        trial.mkdir(parents=True)
        (trial / "trial.json").write_text(_record(made, family).model_dump_json())
        if made.metrics is not None:
            (trial / "score.json").write_text(json.dumps(_score(made, scorer or family)))
        if made.calls is not None:
            (trial / "trajectory.json").write_text(json.dumps(trajectory(made.calls, made.offered)))
        for name, text in made.files.items():
            (trial / name).parent.mkdir(parents=True, exist_ok=True)
            (trial / name).write_text(text)
    where.create(
        RunDocument(
            name=path.name,
            created_at=AT,
            specification=RunSpecification(
                agent="nop", families={family: str(folder or path / "none")}, less=list(less)
            ),
            lock=Lock(digests={}, agent_version="1", versions={}, python="3.11", platform="Linux", git=None),
            trials=[f"{made.task}__{made.attempt}" for made in trials],
        )
    )
    return path


def _record(made: Made, family: str) -> TrialRecord:
    return TrialRecord(
        name=f"{made.task}__{made.attempt}",
        task_id=made.task,
        family=family,
        attempt=made.attempt,
        agent="a",
        agent_version="1",
        status=made.status,
        cause=made.cause,
        detail=made.detail,
        stages={"agent": StageTime(started_at=AT, finished_at=AT, seconds=made.seconds)},
        model_calls=1 if made.tokens else 0,
        tokens=TokenCount(input=made.tokens[0], output=made.tokens[1]) if made.tokens else None,
        cost_usd=made.cost,
        roles=dict(made.roles),
        answered=made.answered,
    )


def _score(made: Made, scorer: str) -> dict[str, Any]:
    told = [{"status": made.outcome, "kind": "class"}] if made.outcome else []
    score: dict[str, Any] = {"family": scorer, "scorer": scorer, "scorer_version": "1", "matcher": "m"}
    return score | {"status": "scored", "metrics": dict(made.metrics or {}), "records": [*told, *made.records]}


Run = Callable[..., Analysis]


@pytest.fixture
def analysed() -> Run:
    """What an analysis makes of runs, of one family."""

    def run(analyse: Analyse, *paths: Path, used: Sequence[str] = (), by: Sequence[str] = ()) -> Analysis:
        runs = load_runs(paths)
        keys = {one.path: TaskKeys.of(one) for one in runs}
        [group] = group_runs([measure(one, keys[one.path], by) for one in runs])
        found = analyse(group, TrialData(used, keys))
        assert found is not None
        return found

    return run


def wire(requests: Sequence[tuple[int, float]]) -> str:
    """A wire record: requests that begin so many seconds after the start and take so many."""
    lines: list[str] = []
    for number, (start, seconds) in enumerate(requests, start=1):
        lines.append(json.dumps({"kind": "request", "seq": number, "at": f"2026-01-01T00:00:{start:02}+00:00"}))
        lines.append(json.dumps({"kind": "response", "seq": number, "seconds": seconds}))
    return "\n".join(lines)


def spent(tokens_in: int, tokens_out: int) -> RoleSpending:
    """What a role took in one call."""
    return RoleSpending(model_calls=1, tokens=TokenCount(input=tokens_in, output=tokens_out))


def trajectory_text(calls: Sequence[Mapping[str, Any]]) -> str:
    """A trajectory as a file of it holds it."""
    return json.dumps(trajectory(calls))


@pytest.fixture
def make() -> SimpleNamespace:
    """Makers of runs, trials, calls and their files."""
    return SimpleNamespace(
        run=record_run,
        trial=Made,
        call=call,
        trajectory=trajectory_text,
        spent=spent,
        wire=wire,
    )
