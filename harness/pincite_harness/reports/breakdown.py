"""Breakdown: the means of a run by what its tasks are about, and the mean over these groups."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass

from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_harness.reports.task_keys import TaskKeys
from pincite_scoring.scorer import Metric
from pincite_scoring.statistics import Mean

MACRO = "macro mean"
MOST_METRICS = 5
"""Metrics of the headline that a table of groups shows; report.json has all."""


@dataclass(frozen=True, slots=True)
class GroupMeans:
    """The trials whose tasks have one value of a key, and their means by metric."""

    value: str
    trials: int
    tasks: int
    failed: int
    means: Mapping[str, Mean]


@dataclass(frozen=True, slots=True)
class Breakdown:
    """A run by one key. ``macro`` has the mean over the groups' means of each metric, ``n`` being the number of groups;
    ``without`` counts the trials whose tasks lack the key, ``overlapping`` says whether a task is in several groups."""

    key: str
    metrics: tuple[Metric, ...]
    groups: tuple[GroupMeans, ...]
    macro: Mapping[str, Mean]
    without: int
    overlapping: bool


def break_down(run: RunReport, keys: TaskKeys, key: str, metrics: Sequence[Metric]) -> Breakdown | None:
    """The run's trials by the values of ``key``; None where no task has it."""
    by_value: dict[str, list[TrialRow]] = {}
    without = 0
    overlapping = False
    for trial in run.trials:
        values = keys.values(trial, key)
        without += not values
        overlapping |= len(values) > 1
        for value in values:
            by_value.setdefault(value, []).append(trial)
    if not by_value:
        return None
    groups = tuple(_group(run, value, trials, metrics) for value, trials in sorted(by_value.items()))
    macro: dict[str, Mean] = {}
    for metric in metrics:
        found = macro_mean([_observed(run, trials, metric.name) for trials in by_value.values()])
        if found is not None:
            macro[metric.name] = found
    shown = tuple(metric for metric in metrics if metric.name in macro)
    return Breakdown(key, shown, groups, macro, without, overlapping)


def macro_mean(groups: Sequence[Sequence[tuple[float, Hashable]]]) -> Mean | None:
    """The mean over the means of groups of (value, cluster); groups without a value do not count, and ``n`` is the
    number of those that do. None where none has any.

    A value of a group of m weighs 1/(groups · m). The standard error is √(C/(C-1) · Σ_c (Σ_{i in c} w_i (x_i -
    mean of its group))²) over the C clusters, None below two, and where a group has a single cluster, since one cluster
    does not say how far others would lie from it.
    """
    there = [group for group in groups if group]
    if not there:
        return None
    means = [math.fsum(value for value, _ in group) / len(group) for group in there]
    sums: dict[Hashable, float] = {}
    for group, mean in zip(there, means, strict=True):
        for value, cluster in group:
            sums[cluster] = sums.get(cluster, 0.0) + (value - mean) / (len(group) * len(there))
    error = None
    if len(sums) > 1 and all(len({cluster for _, cluster in group}) > 1 for group in there):
        error = math.sqrt(math.fsum(total**2 for total in sums.values()) * len(sums) / (len(sums) - 1))
    return Mean(len(there), math.fsum(means) / len(there), error, len(sums))


def _group(run: RunReport, value: str, trials: Sequence[TrialRow], metrics: Sequence[Metric]) -> GroupMeans:
    means: dict[str, Mean] = {}
    for metric in metrics:
        observed = _observed(run, trials, metric.name)
        if observed:
            means[metric.name] = Mean.of([one for one, _ in observed], [cluster for _, cluster in observed])
    tasks = {(trial.family, trial.task) for trial in trials}
    failed = sum(trial.status == "failed" for trial in trials)
    return GroupMeans(value, len(trials), len(tasks), failed, means)


def _observed(run: RunReport, trials: Sequence[TrialRow], metric: str) -> list[tuple[float, Hashable]]:
    """The values of a metric that are there, each with its cluster."""
    found: list[tuple[float, Hashable]] = []
    for trial in trials:
        value = trial.metrics.get(metric)
        if value is not None:
            found.append((value, run.cluster(trial)))
    return found
