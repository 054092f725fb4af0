"""The ablation table of a sweep: each setting against the full system."""

from collections.abc import Sequence
from typing import Any

from pincite_harness.reports.comparing import Comparison, show_p
from pincite_harness.reports.groups import Group
from pincite_harness.reports.markup import Markup, tag
from pincite_harness.reports.mean_json import mean_json
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.statistics import show_mean, show_range, signed
from pincite_harness.reports.tables import Table, one_table
from pincite_scoring.scorer import Metric
from pincite_scoring.statistics import Paired

HEADER = ("Setting", "Trials", "Mean", "Tasks", "Clusters", "Difference", "95 %: t", "p: t", "p: permutation")
_ABOUT = (
    "mean ± standard error over trials; the difference from the first setting, the full system, is by task over means"
    " of attempts, with Student's interval of 95 % and the paired tests, two-sided, not corrected for their number"
)


def ablation_section(groups: Sequence[Group]) -> Markup:
    """A table for each family and metric of the headline."""
    parts: list[Markup] = [tag("h2", "Ablation")]
    for group in groups:
        for metric in group.headline:
            rows = ablation_rows(group, metric)
            if rows:
                parts.append(one_table(Table(f"{group.family}, {metric.title}: {_ABOUT}", HEADER, rows)))
    return tag("section", parts, id="ablation")


def ablation_rows(group: Group, metric: Metric) -> list[tuple[str, ...]]:
    """A row a setting by ``HEADER``, the full system first; none where the metric was not measured."""
    if all(measured.mean(metric.name) is None for measured in group.measured):
        return []
    rows: list[tuple[str, ...]] = []
    for measured in group.measured:
        pair = _pair(group, measured, metric)
        rows.append((*_mean(measured, metric), *_difference(pair)))
    return rows


def ablation_json(groups: Sequence[Group]) -> dict[str, Any]:
    """By family, metric and setting: the mean, and the paired difference from the full system, not rounded."""
    families: dict[str, Any] = {}
    for group in groups:
        metrics: dict[str, Any] = {}
        for metric in group.headline:
            metrics[metric.name] = [_setting_json(group, measured, metric) for measured in group.measured]
        families[group.family] = metrics
    return {"schema_version": "pincite-ablation/1", "families": families}


def _pair(group: Group, measured: Measured, metric: Metric) -> Paired | None:
    """The comparison with the first run; None for the first itself, and where they share no task."""
    found: list[Comparison] = [one for one in group.comparisons if one.second is measured]
    for one in found:
        for name, pair in one.pairs:
            if name == metric:
                return pair
    return None


def _mean(measured: Measured, metric: Metric) -> tuple[str, ...]:
    mean = measured.mean(metric.name)
    return (measured.run.name, str(mean.n if mean is not None else 0), show_mean(mean))


def _difference(pair: Paired | None) -> tuple[str, ...]:
    if pair is None:
        return ("–",) * 6
    difference = pair.difference
    clusters = difference.clusters if difference.clusters is not None else difference.n
    p_t = "–" if pair.p_t is None else show_p(pair.p_t)
    value = "–" if difference.mean is None else signed(difference.mean)
    return (str(difference.n), str(clusters), value, show_range(difference.interval), p_t, show_p(pair.p_permutation))


def _setting_json(group: Group, measured: Measured, metric: Metric) -> dict[str, Any]:
    mean = measured.mean(metric.name)
    pair = _pair(group, measured, metric)
    told: dict[str, Any] = {"setting": measured.run.name, "mean": mean_json(mean) if mean is not None else None}
    if pair is None:
        return told | {"difference": None, "p_t": None, "p_permutation": None}
    return told | {"difference": mean_json(pair.difference), "p_t": pair.p_t, "p_permutation": pair.p_permutation}
