"""TrialData: what analyses read of trials beyond their records and scores, each file once."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from pincite_core.errors import PinciteError
from pincite_core.settings import load_settings
from pincite_harness.analyses.calls import ToolUse, read_calls
from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.task_keys import TaskKeys
from pincite_harness.reports.trials.subject import Subject, Subjects
from pincite_harness.reports.value_signals import Audits
from pincite_harness.runs.run_folder import RunFolder
from pincite_papers.model import Paper
from pincite_papers.opening.store import PaperStore

ALL = "all"
"""The outcome of trials of a family whose scorer gives them none."""


class TrialData:
    """Calls, tasks and outcomes of the trials of several runs."""

    def __init__(
        self,
        used: Sequence[str] = (),
        keys: Mapping[Path, TaskKeys] | None = None,
        *,
        accept_risk: float | None = None,
        audit: Path | None = None,
    ) -> None:
        self.used = tuple(used)
        """What components are looked at; see ``component.check_predicate``."""
        self.keys = dict(keys or {})
        """What the tasks of each run are about, by the run's folder."""
        self.accept_risk = accept_risk
        """The share of values that may be accepted and wrong; None where nothing is to be accepted."""
        self.audits = Audits.read(audit)
        self._calls: dict[Path, list[ToolUse] | None] = {}
        self._subjects: dict[Path, Subjects] = {}
        self._papers: dict[Path, Paper | None] = {}

    def folder(self, run: RunReport, trial: TrialRow) -> Path:
        """The trial's folder."""
        return RunFolder(run.path).trial(trial.name)

    def calls(self, run: RunReport, trial: TrialRow) -> list[ToolUse] | None:
        """The trial's calls; None where its trajectory is missing."""
        folder = self.folder(run, trial)
        if folder not in self._calls:
            self._calls[folder] = read_calls(folder)
        return self._calls[folder]

    def subject(self, run: RunReport, trial: TrialRow) -> Subject:
        """The gold and the papers of the trial's task, where they are still what they were."""
        if run.path not in self._subjects:
            self._subjects[run.path] = Subjects(run)
        return self._subjects[run.path].of(trial)

    def paper(self, path: Path) -> Paper | None:
        """The paper in a file; None where it cannot be read."""
        if path not in self._papers:
            settings = load_settings().model_copy(update={"roots": (path.resolve().parent,)})
            with PaperStore(settings) as store:
                try:
                    self._papers[path] = store.open(path)
                except PinciteError:
                    self._papers[path] = None
        return self._papers[path]


def outcome_of(measured: Measured, trial: TrialRow) -> str | None:
    """The trial's outcome where its scorer gives each exactly one, else ``all``; None where it is unscored."""
    if measured.outcome:
        return measured.outcome.get(trial.name)
    return ALL if trial.scored else None


def outcome_order(measured: Measured) -> list[str]:
    """The outcomes of a run's trials as they are shown, the best first."""
    there = set(filter(None, (outcome_of(measured, trial) for trial in measured.trials)))
    known = list(measured.shown.outcomes[0].order) if measured.shown.outcomes else []
    return [one for one in known if one in there] + sorted(there - set(known))
