"""Means and counts over trials, and how numbers are written."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_scoring.scorer import Metric
from pincite_scoring.statistics import Mean, Paired, compare_runs

_BINARY = {0.0, 1.0}


def mean_of(values: Iterable[float | None]) -> Mean | None:
    """The mean of the values that are there; None where none is."""
    there = [value for value in values if value is not None]
    return Mean.of(there) if there else None


def values_by_attempt(run: RunReport, metric: str) -> dict[str, dict[int, float]]:
    """The values of a metric by task and attempt, where there are any: an unscored trial is left out, never a zero."""
    found: dict[str, dict[int, float]] = {}
    for trial in run.trials:
        value = trial.metrics.get(metric)
        if value is not None:
            found.setdefault(trial.task, {})[trial.attempt] = value
    return found


def task_means(run: RunReport, metric: str) -> dict[str, float]:
    """Each task's mean over its attempts."""
    return {task: sum(each.values()) / len(each) for task, each in values_by_attempt(run, metric).items()}


def compare(first: RunReport, second: RunReport, metric: str) -> Paired | None:
    """Two runs of one family by task, each task with the mean of its attempts; None where they share no task."""
    clusters = {trial.task: run.cluster(trial) for run in (second, first) for trial in run.trials}
    return compare_runs(task_means(first, metric), task_means(second, metric), clusters)


def attempts_of(run: RunReport) -> int:
    """The greatest number of scored attempts that a task has."""
    return max(Counter(trial.task for trial in run.trials if trial.scored).values(), default=0)


def is_binary(values: Mapping[str, Mapping[int, float]]) -> bool:
    """Whether every value is 0 or 1, and each is there: a share that is 1 everywhere is not a yes or no."""
    return {value for attempts in values.values() for value in attempts.values()} == _BINARY


def failures(trials: Iterable[TrialRow]) -> Counter[str]:
    """How many trials failed of which cause."""
    return Counter(trial.cause for trial in trials if trial.cause is not None)


def task_names(runs: Sequence[RunReport]) -> list[str]:
    """The tasks of all runs, in the order in which they first appear."""
    return list(dict.fromkeys(trial.task for run in runs for trial in run.trials))


def metric_names(runs: Sequence[RunReport], first: Iterable[Metric]) -> list[str]:
    """The names of all metrics that were measured: those of ``first``, then the others by name."""
    found = {name for run in runs for trial in run.trials for name in trial.metrics}
    known = dict.fromkeys(metric.name for metric in first if metric.name in found)
    return list(known) + sorted(found - known.keys())


def tool_calls(trial: TrialRow) -> float | None:
    """Tool calls of the agent as a number to average."""
    return None if trial.tool_calls is None else float(trial.tool_calls)


def show_mean(mean: Mean | None) -> str:
    """``0.812 ± 0.021`` with the standard error, or a dash where there is nothing to show."""
    if mean is None or mean.mean is None:
        return "–"
    error = mean.standard_error
    return f"{mean.mean:.3f} ± {error:.3f}" if error is not None else f"{mean.mean:.3f}"


def show(value: float | None, digits: int = 3) -> str:
    """A number with fixed digits, or a dash where there is none."""
    return "–" if value is None else f"{value:.{digits}f}"


def show_range(interval: tuple[float, float] | None, digits: int = 3) -> str:
    """``0.702 to 0.911``, or a dash."""
    return "–" if interval is None else f"{interval[0]:.{digits}f} to {interval[1]:.{digits}f}"


def show_interval(metric: Metric, interval: tuple[float, float] | None) -> str:
    """The interval of a metric's mean, cut at the ends of its scale."""
    if interval is None or metric.top is None:
        return show_range(interval)
    return show_range((max(interval[0], 0.0), min(interval[1], metric.top)))


def signed(value: float) -> str:
    """``+0.120``."""
    return f"{value:+.3f}"
