"""Trials as training reads them: the task, what each role was asked and said, the program's events and the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from pincite_harness.reports.loading import RunReport, TrialRow, load_runs
from pincite_harness.training.example import Origin
from pincite_tasks.answer import ANSWER_FILES
from pincite_tasks.family import Family
from pincite_tasks.files import digest_json
from pincite_tasks.task import Task
from pincite_trajectory.build import MODEL_WIRE, TOOL_WIRE
from pincite_trajectory.model_wire import ModelExchange, read_model_record
from pincite_trajectory.wire import Exchange, read_exchanges, read_records

CANARY = "canary"
MAIN_ROLE = ""
"""Of calls without a label: an agent of one role."""


@dataclass(frozen=True)
class Trial:
    """A scored trial; ``family`` and ``task`` are as they were in the run."""

    run: RunReport
    row: TrialRow
    family: Family
    task: Task

    @property
    def folder(self) -> Path:
        """The trial's folder."""
        return self.run.path / "trials" / self.row.name

    @cached_property
    def exchanges(self) -> list[ModelExchange]:
        """Calls of a model that ended with a whole answer, in order."""
        return [one for one in read_model_record(self.folder / MODEL_WIRE).exchanges if one.cause is None]

    @cached_property
    def tool_calls(self) -> list[Exchange]:
        """Tool calls as they passed the door."""
        return [one for one in read_exchanges(self.folder / TOOL_WIRE) if one.method == "tools/call"]

    @cached_property
    def events(self) -> list[dict[str, Any]]:
        """What a program on the kernel left of its work; none for other agents."""
        found = sorted((self.folder / "agent").rglob("state.jsonl")) if (self.folder / "agent").is_dir() else []
        return [event for path in found for event in read_records(path)]

    @cached_property
    def answer(self) -> str:
        """The answer as it was written; empty without one."""
        for name in ANSWER_FILES:
            path = self.folder / name
            if path.is_file():
                return path.read_text(encoding="utf-8")
        return ""

    @property
    def origin(self) -> Origin:
        """Where examples of it come from."""
        scores = {name: value for name, value in self.row.metrics.items() if value is not None}
        canary = str(self.task.metadata.get(CANARY) or "")
        return Origin(
            run=self.run.name,
            trial=self.row.name,
            family=self.task.family,
            task=self.task.task_id,
            metadata=self.task.metadata,
            scores=scores,
            canary=canary,
        )

    def asked(self, role: str) -> list[ModelExchange]:
        """The calls in the name of a role; those without a label for ``MAIN_ROLE``."""
        return [one for one in self.exchanges if (one.label.role if one.label else MAIN_ROLE) == role]

    def of(self, kind: str) -> list[dict[str, Any]]:
        """The program's events of a kind."""
        return [event for event in self.events if event.get("kind") == kind]


@dataclass(frozen=True, slots=True)
class Found:
    """The trials that can teach something, and why others cannot, with how many."""

    trials: Sequence[Trial]
    left_out: Mapping[str, int]


def read_trials(paths: Sequence[Path]) -> Found:
    """The scored trials of runs whose tasks are what they were. A run whose families cannot be read raises the family's
    own error; NotFoundError and BadInputError as ``load_runs``."""
    trials: list[Trial] = []
    left: dict[str, int] = {}
    for run in load_runs(paths):
        tasks = _tasks(run)
        for row in run.trials:
            why = _unfit(run, row, tasks)
            if why:
                left[why] = left.get(why, 0) + 1
            else:
                trials.append(Trial(run, row, *tasks[row.family, row.task]))
    return Found(trials, left)


def _tasks(run: RunReport) -> dict[tuple[str, str], tuple[Family, Task]]:
    specification = run.document.specification
    if specification.harbor is not None:
        return {}
    plans = specification.plan(specification.load_families())
    return {(plan.family.name, plan.task.task_id): (plan.family, plan.task) for plan in plans}


def _unfit(run: RunReport, row: TrialRow, tasks: Mapping[tuple[str, str], tuple[Family, Task]]) -> str:
    """Why a trial teaches nothing; empty where it may."""
    if not row.finished or not row.scored:
        return "not finished or not scored"
    if (row.family, row.task) not in tasks:
        return "the task is not there any more"
    _, task = tasks[row.family, row.task]
    known = run.document.lock.digests.get(f"task/{row.family}/{row.task}")
    return "the task has changed since the run" if known not in (None, task.digest()) else ""


def digest_of(messages: Any) -> str:
    """What tells two conversations apart."""
    return digest_json(messages)
