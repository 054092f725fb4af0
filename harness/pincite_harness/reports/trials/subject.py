"""What a trial was about, read again from its family: its gold and its papers, where they are still what they were."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite_core.errors import PinciteError
from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_tasks.files import digest_file
from pincite_tasks.task import Task


@dataclass(frozen=True, slots=True)
class Subject:
    """``gold`` is None where there is none or it must not be shown beside the answer; ``note`` then says why."""

    gold: Any = None
    papers: Mapping[str, Path] = field(default_factory=dict[str, Path])
    """By file name: those that are byte for byte what the agent read."""
    note: str = ""
    task: Task | None = None
    """The task as its family has it now, changed or not."""


class Subjects:
    """The subjects of a run's trials; a family that cannot be read any more is a note, not a failure."""

    def __init__(self, run: RunReport) -> None:
        self._digests = run.document.lock.digests
        self._tasks: dict[tuple[str, str], Task] = {}
        self._note = ""
        specification = run.document.specification
        if specification.harbor is not None:
            self._note = "Harbor tasks keep their gold in their own tests."
            return
        try:
            plans = specification.plan(specification.load_families())
        except (PinciteError, OSError) as error:
            self._note = f"The task's family cannot be read: {str(error).splitlines()[0]}"
            return
        self._tasks = {(plan.family.name, plan.task.task_id): plan.task for plan in plans}

    def of(self, trial: TrialRow) -> Subject:
        """What one trial was about."""
        task = self._tasks.get((trial.family, trial.task))
        if task is None:
            return Subject(note=self._note or "The task is no longer in its family.")
        named = f"task/{trial.family}/{trial.task}"
        papers = self._papers(trial, task)
        if named in self._digests and self._digests[named] != task.digest():
            return Subject(
                papers=papers, note="The task has changed since the run, so its gold is not shown.", task=task
            )
        note = "" if task.gold is not None else "The task has no gold."
        return Subject(task.gold, papers, note, task)

    def _papers(self, trial: TrialRow, task: Task) -> dict[str, Path]:
        found: dict[str, Path] = {}
        for path in task.papers:
            known = self._digests.get(f"paper/{trial.family}/{trial.task}/{path.name}")
            if path.is_file() and known in (None, digest_file(path)):
                found[path.name] = path
        return found
