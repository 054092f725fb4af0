"""Every mean, of headline and details, with its error and its intervals, as a table and as JSON."""

from collections.abc import Sequence
from typing import Any

from pincite_harness.reports.comparing import compared
from pincite_harness.reports.groups import Group, group_runs
from pincite_harness.reports.loading import RunReport
from pincite_harness.reports.markup import Markup, tag
from pincite_harness.reports.statistics import (
    failure_rate,
    failures,
    passes,
    rounds,
    run_bootstrap,
    run_mean,
    show,
    show_range,
)
from pincite_harness.reports.tables import table
from pincite_harness.scoring.scorer import Metric
from pincite_harness.scoring.statistics import Mean, Paired

_HEADER = ("Metric", "n", "Clusters", "Mean", "Standard error", "95 %: t", "95 %: bootstrap")
_ABOUT = "means over the trials that have the value, with 95 % intervals of Student's t and of the bootstrap by cluster"


def means_section(group: Group, heading: str) -> Markup:
    """A table for each run; nothing where nothing was measured."""
    tables = [
        table(f"{run.name}: {_ABOUT}", _HEADER, rows)
        for run in group.runs
        if (rows := [row for metric in group.metrics if (row := _row(run, metric)) is not None])
    ]
    return tag("section", tag(heading, "Means"), tables) if tables else Markup("")


def _row(run: RunReport, metric: Metric) -> tuple[str, ...] | None:
    mean = run_mean(run, metric.name)
    if mean is None:
        return None
    bootstrap = show_range(run_bootstrap(run, metric.name))
    clusters = "–" if mean.clusters is None else str(mean.clusters)
    numbers = (show(mean.mean), show(mean.standard_error), show_range(mean.interval))
    return (metric.title, str(mean.n), clusters, *numbers, bootstrap)


def to_json(runs: Sequence[RunReport]) -> dict[str, Any]:
    """report.json: by family and run what was measured, and the comparison of each run with the first."""
    return {"families": {group.family: _group(group) for group in group_runs(runs)}}


def _group(group: Group) -> dict[str, Any]:
    first, *others = group.runs
    return {
        "runs": {run.name: _run(run, group.metrics) for run in group.runs},
        "comparisons": [
            {
                "first": first.name,
                "second": run.name,
                "metrics": {metric.name: _paired(pair) for metric, pair in compared(first, run, group.metrics)},
            }
            for run in others
        ],
    }


def _run(run: RunReport, metrics: Sequence[Metric]) -> dict[str, Any]:
    rate = failure_rate(run)
    means = {metric.name: (metric.name, mean) for metric in metrics if (mean := run_mean(run, metric.name))}
    return {
        "agent": run.agent,
        "trials": len(run.trials),
        "scored": sum(trial.scored for trial in run.trials),
        "failures": dict(failures(run.finished)),
        "failure_rate": rate.mean if rate is not None else None,
        "metrics": {name: _metric(run, *found) for name, found in means.items()},
    }


def _metric(run: RunReport, name: str, mean: Mean) -> dict[str, Any]:
    told = _mean(mean) | {"bootstrap": run_bootstrap(run, name)}
    if right := passes(run, name):
        told["pass_at"] = {str(k): _mean(estimate) for k, estimate in right.items()}
    moved = rounds(run, name)
    if moved is not None:
        told["attempts"] = {"means": moved[0].means, "mean": moved[0].mean, "deviation": moved[0].deviation}
        told["attempts"] |= {"agreement": moved[1][0], "pairs": moved[1][1]} if moved[1] is not None else {}
    return told


def _mean(mean: Mean) -> dict[str, Any]:
    return {
        "n": mean.n,
        "clusters": mean.clusters,
        "mean": mean.mean,
        "standard_error": mean.standard_error,
        "interval": mean.interval,
    }


def _paired(pair: Paired) -> dict[str, Any]:
    return {
        "first": pair.first,
        "second": pair.second,
        "difference": _mean(pair.difference),
        "relative": pair.relative,
        "bootstrap": pair.bootstrap,
        "t": pair.t,
        "p_t": pair.p_t,
        "p_permutation": pair.p_permutation,
        "only_first": pair.only_first,
        "only_second": pair.only_second,
    }
