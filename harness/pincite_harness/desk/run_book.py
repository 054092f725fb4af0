"""RunBook: a run's trials as its folder has them now, also while another process writes it."""

import os
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from pincite_core.errors import BadInputError, PinciteError
from pincite_harness.reports.loading import SCORE_FILE, RunReport, TrialRow, families_of, load_trial
from pincite_harness.reports.measured import Shown, shown_of
from pincite_harness.runs.run_folder import RunFolder
from pincite_scoring.scorer import Metric
from pincite_tasks.spending import SPENT_FILE, Spent, read_spending
from pincite_tasks.trial_record import TRIAL_FILE

_LEAST_SECONDS = 0.5
"""Between two looks at the folder: the pages of several windows share one look."""
_LOCK_FILE = ".lock"

Stamp = tuple[tuple[int, int], ...]
"""Time and size of a trial's files; zeros for one that is not there."""


@dataclass(frozen=True, slots=True)
class ListedTrial:
    """A trial in the list of its run; ``stage`` is how far one got that has no record yet, "" for the others."""

    number: int
    trial: TrialRow
    stage: str
    tokens: float | None
    cost_usd: float | None
    shown: Shown

    @property
    def state(self) -> str:
        """What filters ask for: waiting, running or stopped; failed, limit reached, unscored or done."""
        if self.stage:
            return self.stage if self.stage in ("waiting", "stopped") else "running"
        if self.trial.damage:
            return "damaged"
        if self.trial.status in ("failed", "cancelled", "limit_reached"):
            return self.trial.status.replace("_", " ")
        return "done" if self.trial.scored else "unscored"

    @property
    def metric(self) -> Metric | None:
        """The metric of its scorer's that tells most."""
        return next(iter(self.shown.headline), None)

    @property
    def score(self) -> float | None:
        """The value of that metric."""
        return self.trial.metrics.get(self.metric.name) if self.metric is not None else None


class RunBook:
    """Safe in several threads. NotFoundError or BadInputError where the folder is not a run."""

    def __init__(self, path: Path) -> None:
        self.folder = RunFolder(path)
        self.document = self.folder.read()
        _check_names(self.document.trials, path)
        self.version = 0
        """Grows with each change that was seen."""
        self._numbers = {name: number for number, name in enumerate(self.document.trials)}
        self._owners = families_of(self.document)
        self._shown: dict[str, Shown] = {}
        self._stamps: dict[str, Stamp] = {}
        self._listed: dict[str, ListedTrial] = {}
        self._looked = 0.0
        self._alive = self._is_written()
        self._lock = threading.Lock()

    @property
    def path(self) -> Path:
        """The run's folder."""
        return self.folder.path

    @property
    def report(self) -> RunReport:
        """The run without its trials, as reports name it."""
        return RunReport(self.path, self.document)

    def has(self, name: str) -> bool:
        """Whether this is the name of one of its trials."""
        return name in self._numbers

    @property
    def is_read(self) -> bool:
        """Whether all trials have been read once."""
        return self._looked > 0

    @property
    def families(self) -> list[str]:
        """The families of its specification."""
        return list(self.document.specification.families)

    def first_trials(self, count: int) -> list[ListedTrial]:
        """The first trials of the run as they are now, without waiting for the others to be read."""
        return [self._current(name) for name in self.document.trials[:count]]

    def trials(self) -> list[ListedTrial]:
        """All trials in the order of the run, as they are now."""
        with self._lock:
            if time.monotonic() - self._looked >= _LEAST_SECONDS:
                self._look()
                self._looked = time.monotonic()
            return [self._listed[name] for name in self.document.trials]

    def trial(self, name: str) -> ListedTrial:
        """One trial as it is now, with the records of its score."""
        return self._list(name, _stamp(self.folder.trial(name)), alive=self._is_written())

    def _current(self, name: str) -> ListedTrial:
        if name not in self._listed:
            stamp = _stamp(self.folder.trial(name))
            self._listed[name] = _without_records(self._list(name, stamp, alive=self._alive))
            self._stamps[name] = stamp
        return self._listed[name]

    def _look(self) -> None:
        alive = self._is_written()
        changed = alive != self._alive
        self._alive = alive
        for name in self.document.trials:
            stamp = _stamp(self.folder.trial(name))
            unfinished = not stamp[0][1]
            if self._stamps.get(name) != stamp or (changed and unfinished):
                self._stamps[name] = stamp
                self._listed[name] = _without_records(self._list(name, stamp, alive=alive))
                changed = True
        self.version += changed

    def _list(self, name: str, stamp: Stamp, *, alive: bool) -> ListedTrial:
        trial = load_trial(self.folder, name, self._owners)
        stage = "" if trial.record is not None or trial.damage else _stage(stamp, alive=alive)
        tokens, cost = trial.tokens, trial.cost_usd
        if stage:
            spent = _spent(self.folder.trial(name))
            tokens = float(spent.tokens) if spent.model_calls else None
            cost = spent.cost_usd if spent.model_calls and not spent.unpriced_calls else None
        return ListedTrial(self._numbers[name], trial, stage, tokens, cost, self._shown_of(trial))

    def _shown_of(self, trial: TrialRow) -> Shown:
        key = trial.score.scorer if trial.score is not None else ""
        names = [name for name in (key, trial.family) if name]
        if (key or trial.family) not in self._shown:
            self._shown[key or trial.family] = shown_of(names, [trial])[1]
        return self._shown[key or trial.family]

    def _is_written(self) -> bool:
        """Whether the process that last held the run is there still."""
        try:
            written = (self.path / _LOCK_FILE).read_text()
            return (Path("/proc") / str(int(written))).exists() if Path("/proc").is_dir() else _lives(int(written))
        except (OSError, ValueError):
            return False


def _stage(stamp: Stamp, *, alive: bool) -> str:
    """How far a trial without a record got, by what lies in its folder."""
    _, score, _, log, folder = stamp
    if not folder[0]:
        return "waiting"
    if not alive:
        return "stopped"
    if score[1]:
        return "write"
    return "agent" if log[0] else "start"


def _without_records(listed: ListedTrial) -> ListedTrial:
    """A list has no use for them, and those of thousands of trials would fill the memory."""
    score = listed.trial.score
    if score is None:
        return listed
    return replace(listed, trial=replace(listed.trial, score=replace(score, records=[])))


def _check_names(names: Sequence[str], path: Path) -> None:
    """BadInputError where a trial's name leads out of the run's folder: a run may come from anyone."""
    for name in names:
        if not name or name in (".", "..") or not set(name).isdisjoint("/\\\0"):
            raise BadInputError(f"A trial of {path} has a name that is no folder's.", seen=repr(name[:80]))


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except PermissionError:
        return True
    except OSError:
        return False
    return True


def _stamp(folder: Path) -> Stamp:
    """Of trial.json, score.json, spent.jsonl, agent.log and the folder itself."""
    names = (TRIAL_FILE, SCORE_FILE, SPENT_FILE, "agent.log", "")
    found = [_stat(os.path.join(folder, name)) for name in names]  # noqa: PTH118 - five times a trial, each second
    # A log and a folder change all the time; that they are there is what counts.
    return (*found[:3], *((min(at, 1), 0) for at, _ in found[3:]))


def _stat(path: str) -> tuple[int, int]:
    try:
        found = os.stat(path)  # noqa: PTH116 - see above
    except OSError:
        return 0, 0
    return found.st_mtime_ns, max(found.st_size, 1)


def _spent(folder: Path) -> Spent:
    try:
        return read_spending(folder / SPENT_FILE)
    except (OSError, PinciteError):
        return Spent()
