"""What the tasks of a run are about, by key: their family, language, type and any dotted key of their metadata."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from pincite_core.errors import BadInputError, PinciteError
from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_tasks.family import Family, load_family
from pincite_tasks.metadata import keys_in, texts_at


@dataclass(frozen=True, slots=True)
class TaskKeys:
    """The metadata of a run's tasks as they are today, by family and task.

    ``defaults`` are the keys that each family breaks its reports down by. ``changed`` are the tasks that are not what
    they were when they were run, and ``faults`` say which families cannot be read.
    """

    metadata: Mapping[tuple[str, str], Mapping[str, Any]] = field(
        default_factory=dict[tuple[str, str], Mapping[str, Any]]
    )
    defaults: Mapping[str, Sequence[str]] = field(default_factory=dict[str, Sequence[str]])
    changed: frozenset[tuple[str, str]] = frozenset()
    faults: tuple[str, ...] = ()

    @classmethod
    def of(cls, run: RunReport) -> "TaskKeys":
        """The keys of a run's tasks; tasks of users' own papers and of Harbor have none."""
        digests = run.document.lock.digests
        metadata: dict[tuple[str, str], Mapping[str, Any]] = {}
        defaults: dict[str, Sequence[str]] = {}
        changed: set[tuple[str, str]] = set()
        faults: list[str] = []
        for name, folder in run.document.specification.family_folders().items():
            try:
                family = run.document.specification.varied(load_family(folder))
            except PinciteError as error:
                faults.append(f"{name} cannot be read: {' '.join(str(error).split())}")
                continue
            metadata |= _metadata(family)
            defaults[name] = family.settings.report.by
            for task in family.tasks:
                locked = digests.get(f"task/{name}/{task.task_id}")
                if locked is not None and locked != task.digest():
                    changed.add((name, task.task_id))
        return cls(metadata, defaults, frozenset(changed), tuple(faults))

    def values(self, trial: TrialRow, key: str) -> tuple[str, ...]:
        """The values of a trial's task under a key as texts: none where it lacks the key, several where a list stands
        there."""
        if key == "family":
            return (trial.family,)
        if key == "task":
            return (trial.task,)
        return texts_at(self.metadata.get((trial.family, trial.task), {}), key)

    def known(self, run: RunReport) -> list[str]:
        """Every key that some task of the run has a value of, the tasks' own first."""
        found = {key for trial in run.trials for key in keys_in(self.metadata.get((trial.family, trial.task), {}))}
        return ["family", "task", *sorted(found)]

    def check(self, run: RunReport, key: str) -> None:
        """BadInputError for a key that no task of the run has."""
        if any(self.values(trial, key) for trial in run.trials):
            return
        raise BadInputError(
            f"No task of {run.name} has a key {key!r}.",
            seen="; ".join([f"known keys: {', '.join(self.known(run))}", *self.faults]),
            next="Name one of these; keys inside others are joined by points: dimensions.type.",
        )


def only_where(run: RunReport, keys: TaskKeys, conditions: Sequence[tuple[str, str]]) -> RunReport:
    """The run with the trials alone whose tasks have all of these values; BadInputError where that leaves none."""
    trials = run.trials
    for key, value in conditions:
        keys.check(run, key)
        left = tuple(trial for trial in trials if value in keys.values(trial, key))
        if not left:
            there = sorted({found for trial in trials for found in keys.values(trial, key)})
            raise BadInputError(
                f"No trial of {run.name} is left with {key}={value}.",
                seen=f"values of {key}: {', '.join(there[:20]) or 'none'}",
                next="Name one of these.",
            )
        trials = left
    return replace(run, trials=trials, only=", ".join(f"{key}={value}" for key, value in conditions))


def _metadata(family: Family) -> dict[tuple[str, str], Mapping[str, Any]]:
    return {(family.name, task.task_id): {"set": task.set_name, **task.metadata} for task in family.tasks}
