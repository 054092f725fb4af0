"""Load what a run left on the disk: one row a trial, finished or not."""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, cast

from pincite_core.errors import BadInputError, PinciteError
from pincite_harness.runs.run_folder import RunDocument, RunFolder
from pincite_scoring.judging.notebook import RECORD_FILE
from pincite_scoring.result import INVALID_ANSWER, Score
from pincite_tasks.answer import ANSWER_FILES
from pincite_tasks.files import read_json
from pincite_tasks.spending import SPENT_FILE, read_spending
from pincite_tasks.trial_record import EarlierSpending, TrialRecord, earlier_spending, sum_spending

SCORE_FILE = "score.json"
_FILES = (
    *("trial.json", "score.json", RECORD_FILE, *ANSWER_FILES),
    *("trajectory.json", "agent.log", "faults.log", "spent.jsonl", "wire", "retries"),
)
_READ = frozenset({"paper", "file", "origin"})
"""Kinds of digests of what a task is about, the paper that it was made of among them."""


@dataclass(frozen=True, slots=True)
class TrialRow:
    """A trial: ``record`` is None while it is not finished; ``metrics`` is empty where nothing was measured."""

    name: str
    task: str
    attempt: int
    record: TrialRecord | None
    score: Score | None
    files: tuple[str, ...] = ()
    family: str = ""
    """Empty where nothing says it."""
    judging: Mapping[str, Any] | None = None
    """Who judged and what it took; None where no model did."""
    damage: str = ""
    """Why the trial's record or score cannot be read, where it cannot."""
    earlier: EarlierSpending | None = None
    """What attempts took that were killed, stopped or tried again; of a trial without a record, all of them."""

    @property
    def status(self) -> str:
        """The trial's status, ``not finished`` without a record."""
        return self.record.status.value if self.record else "not finished"

    @property
    def finished(self) -> bool:
        """Whether it ended by itself."""
        return self.record is not None and self.record.finished

    @property
    def cause(self) -> str | None:
        """The cause of its failure, if it failed."""
        return self.record.cause.value if self.record and self.record.cause else None

    @property
    def scored(self) -> bool:
        """Whether there is a score: a trial without one is not a zero."""
        return self.score is not None and self.score.status == "scored"

    @property
    def reason(self) -> str | None:
        """What the trial's record says of its end, else why there is no score."""
        if self.damage:
            return self.damage
        if self.record is None:
            return "The trial has not ended yet."
        return self.record.detail or (None if self.scored or self.score is None else self.score.reason)

    @property
    def unreadable(self) -> str:
        """Why the scorer could not read the answer, which then counts as none; empty where it could."""
        kind, _, why = ((self.score.reason if self.score is not None else None) or "").partition(": ")
        return why if kind == INVALID_ANSWER else ""

    @property
    def metrics(self) -> Mapping[str, float | None]:
        """The score's metrics; without gold only those of the evidence have values."""
        return self.score.metrics if self.score is not None else {}

    @property
    def also(self) -> Mapping[str, float | None]:
        """The same metrics by the other definitions, where they were computed."""
        return self.score.also if self.score is not None else {}

    @property
    def seconds(self) -> float | None:
        """Seconds of all stages together."""
        if self.record is None or not self.record.stages:
            return None
        return sum(stage.seconds for stage in self.record.stages.values())

    @property
    def agent_seconds(self) -> float | None:
        """Seconds that the agent ran, None where it never did."""
        stage = self.record.stages.get("agent") if self.record else None
        return stage.seconds if stage else None

    @property
    def tool_calls(self) -> int | None:
        """Tool calls of the agent."""
        return self.record.tool_calls if self.record else None

    @property
    def odd_calls(self) -> str:
        """How many calls failed, were refused, were of tools that there are not; empty for none."""
        if self.record is None:
            return ""
        counts = (
            (self.record.failed_tool_calls, "failed"),
            (self.record.refused_tool_calls, "refused"),
            (self.record.unknown_tool_calls, "unknown"),
        )
        return ", ".join(f"{count} {word}" for count, word in counts if count)

    @property
    def tokens(self) -> float | None:
        """Tokens of the model, in and out; None where there was no model."""
        tokens = self.record.tokens if self.record else None
        return float(tokens.input + tokens.output) if tokens is not None else None

    @property
    def cost_usd(self) -> float | None:
        """What the model cost; None where it is not known."""
        return self.record.cost_usd if self.record else None

    def judged(self, name: str) -> float | None:
        """A number of what the judge took; None where no model judged, or it is not known."""
        value = self.judging.get(name) if self.judging is not None else None
        return float(value) if value is not None else None


@dataclass(frozen=True, slots=True)
class RunReport:
    """A run with its trials in the order of its specification."""

    path: Path
    document: RunDocument
    trials: tuple[TrialRow, ...] = field(default=())
    papers: Mapping[tuple[str, str], str] = field(default_factory=dict[tuple[str, str], str])
    """By family and task: a name for the set of papers and files that it shares with other tasks."""
    label: str = ""
    """What it is called among others of its name."""
    only: str = ""
    """Which of its tasks are in, as ``language=en``; empty for all."""

    @property
    def name(self) -> str:
        """The run's name, or its label where others have that name too."""
        return self.label or self.document.name

    @property
    def agent(self) -> str:
        """The agent that ran, with its model where it has one."""
        specification = self.document.specification
        model = specification.model
        named = f"{specification.agent} with {model.provider}:{model.name}" if model else specification.agent
        others = [f"{role} {other.provider}:{other.name}" for role, other in specification.role_models.items()]
        return f"{named} ({', '.join(others)})" if others else named

    @property
    def earlier(self) -> EarlierSpending | None:
        """What attempts took in all that were killed, stopped or tried again; None where there were none."""
        found = [trial.earlier for trial in self.trials if trial.earlier is not None]
        return sum_spending(found) if found else None

    @property
    def sample(self) -> str:
        """Which of the tasks are in the report; empty where it is of all."""
        wanted = ", ".join(f"{key}={value}" for key, value in self.document.specification.where)
        run_of = f"Run of tasks with {wanted} alone" if wanted else ""
        only = f"Only tasks with {self.only}" if self.only else ""
        return ". ".join(part for part in (run_of, self._drawn, only) if part)

    @property
    def _drawn(self) -> str:
        specification = self.document.specification
        if specification.sample is None:
            return ""
        counts = self.document.task_counts.items()
        drawn = [f"{min(specification.sample, count)} of {count} tasks of {family}" for family, count in counts]
        shares = "equal shares" if specification.balanced else "the shares"
        strata = f", with {shares} of {', '.join(specification.strata)}" if specification.strata else ""
        return f"Sample: {', '.join(drawn) or f'{specification.sample} tasks'}, seed {specification.seed}{strata}"

    @property
    def finished(self) -> list[TrialRow]:
        """The trials that ended by themselves."""
        return [trial for trial in self.trials if trial.finished]

    def cluster(self, trial: TrialRow) -> str:
        """What the trial's value depends on together with others: its chain, its task's papers, else the task."""
        if trial.record is not None and trial.record.chain:
            return f"chain {trial.record.chain}"
        return self.papers.get((trial.family, trial.task), f"{trial.family}/{trial.task}")

    def of(self, family: str) -> "RunReport":
        """The same run with the trials of one family alone."""
        return replace(self, trials=tuple(trial for trial in self.trials if trial.family == family))


def load_runs(paths: Sequence[Path]) -> list[RunReport]:
    """Read several runs; those of one name are told apart by their folders. BadInputError for a folder named twice."""
    known: set[Path] = set()
    for path in (each.resolve() for each in paths):
        if path in known:
            raise BadInputError("A run is named twice.", seen=str(path), next="Name each run once.")
        known.add(path)
    runs = [load_run(path) for path in paths]
    names = Counter(run.name for run in runs)
    return [replace(run, label=_label(run, runs)) if names[run.name] > 1 else run for run in runs]


def _label(run: RunReport, runs: Sequence[RunReport]) -> str:
    """As many of the last names of its path as no other run of its name has."""
    path = run.path.resolve()
    others = [other.path.resolve() for other in runs if other.name == run.name and other is not run]
    for count in range(1, len(path.parts)):
        if all(other.parts[-count:] != path.parts[-count:] for other in others):
            return "/".join(path.parts[-count:])
    return str(path)


def load_run(path: Path) -> RunReport:
    """Read a run's folder; NotFoundError where it is none, BadInputError where a file in it is broken."""
    folder = RunFolder(path)
    document = folder.read()
    owners = families_of(document)
    trials = tuple(load_trial(folder, name, owners) for name in document.trials)
    return RunReport(path, document, trials, _shared(document.lock.digests))


def load_trial(folder: RunFolder, name: str, owners: Mapping[str, str]) -> TrialRow:
    """One trial of a run; ``owners`` are the families of its tasks (``families_of``)."""
    where = folder.trial(name)
    # One look at the folder instead of one a name: a run may have thousands of trials.
    present = frozenset(os.listdir(where)) if where.is_dir() else frozenset[str]()  # noqa: PTH208 - the quickest
    damage, record, scored, score = "", None, None, None
    try:
        record = folder.record(name)
        scored = _read_score(where / SCORE_FILE) if record is not None and SCORE_FILE in present else None
        score = _as_score(scored, where / SCORE_FILE) if scored is not None else None
    except PinciteError as error:
        # One bad folder is told of, and the others are reported.
        damage, scored = " ".join(str(error).split()), None
    task, _, attempt = name.rpartition("__")
    task = record.task_id if record else task or name
    return TrialRow(
        name=name,
        task=task,
        attempt=record.attempt if record else int(attempt) if attempt.isdecimal() else 1,
        record=record,
        score=score,
        files=tuple(file for file in _FILES if file in present),
        family=record.family if record else owners.get(task, owners.get("", "")),
        judging=_judging(scored),
        damage=damage,
        earlier=_earlier(record, where),
    )


def _as_score(scored: dict[str, Any], path: Path) -> Score:
    """BadInputError where a field has not the kind that it should have."""
    try:
        return Score.from_json(scored)
    except (AttributeError, TypeError, ValueError) as error:
        raise BadInputError(
            f"{path} is not a score.", seen=str(error), next="pincite score writes it again."
        ) from error


def _judging(scored: dict[str, Any] | None) -> Mapping[str, Any] | None:
    judging: Any = (scored or {}).get("judging")
    return cast("dict[str, Any]", judging) if isinstance(judging, dict) else None


def _earlier(record: TrialRecord | None, folder: Path) -> EarlierSpending | None:
    if record is not None:
        return record.earlier
    spent = read_spending(folder / SPENT_FILE)
    return earlier_spending(spent) if spent.model_calls else None


def _read_score(path: Path) -> dict[str, Any]:
    value: Any = read_json(path)
    if not isinstance(value, dict):
        raise BadInputError(f"{path} is not a score.", next="pincite score writes it again.")
    return cast("dict[str, Any]", value)


def families_of(document: RunDocument) -> dict[str, str]:
    """The family of each task as the lock names it; under an empty name the only family of the run."""
    parts = (name.split("/", 2) for name in document.lock.digests if name.startswith("task/"))
    owners = {part[2]: part[1] for part in parts if len(part) == 3}
    families = list(document.specification.families)
    return owners | ({"": families[0]} if len(families) == 1 else {})


def _shared(digests: Mapping[str, str]) -> dict[tuple[str, str], str]:
    """Tasks whose papers or files are the same, directly or by way of another task, get one name."""
    name_of: dict[tuple[str, str], str] = {}
    members: dict[str, Sequence[tuple[str, str]]] = {}
    by_file: dict[str, set[tuple[str, str]]] = {}
    for name, digest in digests.items():
        kind, _, rest = name.partition("/")
        parts = rest.split("/")
        if kind in _READ and len(parts) >= 3:
            by_file.setdefault(digest, set()).add((parts[0], parts[1]))
    for digest, tasks in sorted(by_file.items()):
        known = {name_of[task] for task in tasks if task in name_of}
        joined = sorted(tasks.union(*(members[name] for name in known)))
        members[digest] = joined
        name_of |= dict.fromkeys(joined, digest)
    return name_of
