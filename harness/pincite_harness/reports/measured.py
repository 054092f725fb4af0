"""Measured: everything that a report says of one run's trials of one family, computed once for all its forms."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pincite_core.errors import MissingExtraError, NotFoundError
from pincite_harness.reports.breakdown import Breakdown, break_down
from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_harness.reports.statistics import (
    attempts_of,
    is_binary,
    tool_calls,
    values_by_attempt,
)
from pincite_harness.reports.task_keys import TaskKeys
from pincite_scoring.outcomes import Outcomes
from pincite_scoring.result import Compat
from pincite_scoring.scorer import Column, Detailed, Metric, get_scorer, micro_metrics
from pincite_scoring.statistics import Mean, Rounds, agreement, bootstrap_interval, mean_pass, rounds_of

_MOST = 6
"""Metrics that are shown of a scorer nobody knows."""
_MOST_K = 5
"""Attempts up to which pass@k is given for each k, besides all of them."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the scorer of a family says that reports show; ``metrics`` are those of the headline, then the details."""

    metrics: tuple[Metric, ...]
    columns: tuple[Column, ...]
    outcomes: tuple[Outcomes, ...] = ()

    @property
    def headline(self) -> tuple[Metric, ...]:
        """The metrics that are not details."""
        return tuple(metric for metric in self.metrics if not metric.detail)


@dataclass(frozen=True, slots=True)
class Attempts:
    """Attempts as repeated runs. ``agreement`` is the share of pairs of attempts at one task with the same value, and
    their number; ``passes`` is pass@k by k. Both are of what is 0 or 1, and None and empty for anything else."""

    rounds: Rounds | None
    agreement: tuple[float, int] | None
    passes: Mapping[int, Mean]


@dataclass(frozen=True, slots=True)
class Estimate:
    """What a metric comes to: its mean by cluster, the bootstrap interval of that, ``micro`` where the scorer counts it
    over all tasks together, ``other``, its mean by the other definitions, where they were computed, ``padded``, that
    with each failed trial as 0, where one failed (as the published means count), and ``attempts`` where there are
    several."""

    metric: Metric
    mean: Mean
    bootstrap: tuple[float, float] | None
    micro: float | None
    other: Mean | None
    padded: Mean | None
    attempts: Attempts | None


@dataclass(frozen=True, slots=True)
class Counted:
    """How often each value of ``outcomes`` stands in the records of all trials, in the order in which it is shown.
    ``unscored`` trials have none; it is None where a trial may have any number of records."""

    outcomes: Outcomes
    counts: Mapping[str, int]
    unscored: int | None

    @property
    def n(self) -> int:
        """All that was counted, unscored trials aside."""
        return sum(self.counts.values())


@dataclass(frozen=True, slots=True)
class Measured:
    """A run's trials of one family with what they come to. ``estimates`` has the metrics that any trial has a value
    of; ``outcome`` says the outcome of trials (by name) where there is exactly one, and ``attempts`` what several
    attempts make of the best one."""

    family: str
    run: RunReport
    shown: Shown
    estimates: Mapping[str, Estimate]
    counted: tuple[Counted, ...]
    outcome: Mapping[str, str]
    attempts: Attempts | None
    failure_rate: Mean | None
    """The share of finished trials that failed; one that reached a limit did not."""
    spent: Mapping[str, Mean]
    """Means by trial of ``seconds``, ``tool_calls``, ``tokens``, ``cost_usd``, ``judge_questions`` and
    ``judge_cost_usd``, as far as they are known."""
    breakdowns: tuple[Breakdown, ...] = ()
    """By each key that was asked for, else that the family names."""

    @property
    def trials(self) -> Sequence[TrialRow]:
        """The trials, in the order of the specification."""
        return self.run.trials

    @property
    def scored(self) -> int:
        """Trials that have a score."""
        return sum(trial.scored for trial in self.run.trials)

    @property
    def compat(self) -> Compat:
        """The definitions that the trials are scored by."""
        for trial in self.run.trials:
            if trial.score is not None and trial.scored:
                return trial.score.compat
        return "strict"

    def mean(self, metric: str) -> Mean | None:
        """The mean of a metric, None where no trial has it."""
        found = self.estimates.get(metric)
        return found.mean if found is not None else None


def measure(run: RunReport, keys: TaskKeys | None = None, by: Sequence[str] = ()) -> list[Measured]:
    """The parts of a run, by family in the order in which they appear, each broken down by the keys ``by`` of its
    tasks, else by the family's own."""
    families = dict.fromkeys(trial.family for trial in run.trials)
    return [_measured(family, run.of(family), keys or TaskKeys(), by) for family in families]


def _measured(family: str, run: RunReport, keys: TaskKeys, by: Sequence[str]) -> Measured:
    scores = [trial.score for trial in run.trials if trial.score is not None]
    names = list(dict.fromkeys([*(score.scorer for score in scores if score.scorer), family]))
    scorer, shown = shown_of(names, run.trials)
    micro = micro_metrics(scorer, scores) if scorer is not None else dict[str, float]()
    several = attempts_of(run) > 1
    estimates = {
        metric.name: found
        for metric in shown.metrics
        if (found := _estimate(run, metric, micro.get(metric.name), several=several)) is not None
    }
    outcome = _outcomes(run, shown)
    return Measured(
        family=family,
        run=run,
        shown=shown,
        estimates=estimates,
        counted=tuple(_counted(run, one) for one in shown.outcomes),
        outcome=outcome,
        attempts=_best(run, shown.outcomes[0].order[0], outcome) if several and outcome else None,
        failure_rate=_mean(run, [float(t.status == "failed") if t.finished else None for t in run.trials]),
        spent=_spent(run),
        breakdowns=_breakdowns(run, keys, by or keys.defaults.get(family, ()), shown.headline),
    )


def _breakdowns(run: RunReport, keys: TaskKeys, by: Sequence[str], metrics: Sequence[Metric]) -> tuple[Breakdown, ...]:
    found = [break_down(run, keys, key, metrics) for key in by]
    return tuple(breakdown for breakdown in found if breakdown is not None)


def shown_of(names: Sequence[str], trials: Sequence[TrialRow]) -> tuple[str | None, Shown]:
    """The scorer among ``names`` that is known, with what it shows; else what the scores themselves hold."""
    for name in names:
        try:
            scorer = get_scorer(name)
        except (NotFoundError, MissingExtraError):
            continue
        more = scorer.details(_metric_names(trials)) if isinstance(scorer, Detailed) else ()
        return name, Shown((*scorer.headline, *more), scorer.columns, scorer.outcomes)
    scores = [trial.score for trial in trials if trial.score is not None]
    found = _metric_names(trials)
    keys = dict.fromkeys(key for score in scores for record in score.records[:1] for key in record if key != "status")
    metrics = tuple(Metric(name, name, name[:8], top=None) for name in found[:_MOST])
    return None, Shown(metrics, tuple(Column(key, key.replace("_", " ")) for key in list(keys)[:_MOST]))


def _metric_names(trials: Sequence[TrialRow]) -> list[str]:
    scores = [trial.score for trial in trials if trial.score is not None]
    return list(dict.fromkeys(name for score in scores for name in score.metrics))


def _estimate(run: RunReport, metric: Metric, micro: float | None, *, several: bool) -> Estimate | None:
    values, clusters = _clustered(run, [trial.metrics.get(metric.name) for trial in run.trials])
    if not values:
        return None
    return Estimate(
        metric=metric,
        mean=Mean.of(values, clusters),
        bootstrap=bootstrap_interval(values, clusters),
        micro=micro,
        other=_mean(run, [trial.also.get(metric.name) for trial in run.trials]),
        padded=_padded(run, metric),
        attempts=_attempts(run, values_by_attempt(run, metric.name)) if several else None,
    )


def _padded(run: RunReport, metric: Metric) -> Mean | None:
    """The mean with 0 for each trial that failed without a score; None where none did, and for a metric that has no
    scale or is a detail."""
    failed = [trial.finished and trial.status == "failed" and not trial.scored for trial in run.trials]
    if metric.top is None or metric.detail or not any(failed):
        return None
    values = [trial.metrics.get(metric.name) for trial in run.trials]
    return _mean(run, [0.0 if lost else value for value, lost in zip(values, failed, strict=True)])


def _clustered(run: RunReport, values: Sequence[float | None]) -> tuple[list[float], list[str]]:
    """The values of trials that are there, each with its cluster."""
    there = [(value, run.cluster(trial)) for trial, value in zip(run.trials, values, strict=True) if value is not None]
    return [value for value, _ in there], [cluster for _, cluster in there]


def _mean(run: RunReport, values: Sequence[float | None]) -> Mean | None:
    """The mean of the trials' values that are there, by cluster."""
    there, clusters = _clustered(run, values)
    return Mean.of(there, clusters) if there else None


def _attempts(run: RunReport, values: Mapping[str, Mapping[int, float]]) -> Attempts | None:
    rounds = rounds_of(values)
    if rounds is None:
        return None
    if not is_binary(values):
        return Attempts(rounds, None, {})
    return Attempts(rounds, agreement(values), _passes(run, values))


def _passes(run: RunReport, values: Mapping[str, Mapping[int, float]]) -> dict[int, Mean]:
    """pass@k for k from 1 to 5 and the number of attempts; tasks that share a paper are one cluster."""
    most = max(map(len, values.values()), default=0)
    right = {task: [value == 1 for value in attempts.values()] for task, attempts in values.items()}
    clusters = {trial.task: run.cluster(trial) for trial in run.trials}
    return {k: mean_pass(right, k, clusters) for k in sorted({*range(1, min(most, _MOST_K) + 1), most})}


def _best(run: RunReport, best: str, outcome: Mapping[str, str]) -> Attempts:
    """Of the best outcome: how often attempts have the same outcome, whichever, and pass@k."""
    by_task: dict[str, dict[int, str]] = {}
    for trial in run.trials:
        if trial.name in outcome:
            by_task.setdefault(trial.task, {})[trial.attempt] = outcome[trial.name]
    right = {task: {k: float(value == best) for k, value in each.items()} for task, each in by_task.items()}
    return Attempts(rounds_of(right), agreement(by_task), _passes(run, right))


def _outcomes(run: RunReport, shown: Shown) -> dict[str, str]:
    if not shown.outcomes or not shown.outcomes[0].single:
        return {}
    found = {t.name: shown.outcomes[0].of(t.score.records) for t in run.trials if t.score is not None and t.scored}
    return {name: values[0] for name, values in found.items() if len(values) == 1}


def _counted(run: RunReport, outcomes: Outcomes) -> Counted:
    scored = [trial.score for trial in run.trials if trial.score is not None and trial.scored]
    counts = Counter(value for score in scored for value in outcomes.of(score.records))
    order = list(dict.fromkeys([*outcomes.order, *counts]))
    unscored = len(run.trials) - len(scored) if outcomes.single else None
    return Counted(outcomes, {value: counts[value] for value in order}, unscored)


def _spent(run: RunReport) -> dict[str, Mean]:
    values: dict[str, list[float | None]] = {
        "seconds": [trial.seconds for trial in run.trials],
        "tool_calls": [tool_calls(trial) for trial in run.trials],
        "tokens": [trial.tokens for trial in run.trials],
        "cost_usd": [trial.cost_usd for trial in run.trials],
        "judge_questions": [trial.judged("questions") for trial in run.trials],
        "judge_cost_usd": [trial.judged("cost_usd") for trial in run.trials],
    }
    means = {name: _mean(run, there) for name, there in values.items()}
    return {name: mean for name, mean in means.items() if mean is not None}
