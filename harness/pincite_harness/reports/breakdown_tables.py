"""Breakdowns as tables of the page and of the terminal, and as numbers of report.json."""

from collections.abc import Sequence
from typing import Any

from pincite_harness.reports.breakdown import MACRO, MOST_METRICS, Breakdown
from pincite_harness.reports.groups import Group
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.mean_json import mean_json
from pincite_harness.reports.statistics import show_mean
from pincite_harness.reports.tables import Table, tables_section
from pincite_scoring.statistics import Mean

_ABOUT = (
    "means ± standard error over the trials whose task has the value, n where it is not the number of trials; the last"
    " row is the mean over the groups, each weighing the same"
)


def breakdown_section(group: Group, heading: str) -> Markup:
    """A table for each run and key; nothing where there is no key."""
    tables: list[Table] = []
    for measured in group.measured:
        for breakdown in measured.breakdowns:
            about = f"{measured.run.name} by {breakdown.key}: {_ABOUT}{_remarks(breakdown)}"
            tables.append(Table(about, header_of(breakdown), rows_of(breakdown)))
    return tables_section("By group", heading, tables)


def header_of(breakdown: Breakdown) -> tuple[str, ...]:
    """The key, the counts, and the metrics that are shown."""
    titles = [metric.title for metric in breakdown.metrics[:MOST_METRICS]]
    return (breakdown.key, "Tasks", "Trials", "Failed", *titles)


def rows_of(breakdown: Breakdown) -> list[tuple[str, ...]]:
    """A row a group, the macro mean last."""
    shown = breakdown.metrics[:MOST_METRICS]
    rows: list[tuple[str, ...]] = []
    for group in breakdown.groups:
        cells = [_cell(group.means.get(metric.name), group.trials) for metric in shown]
        rows.append((group.value, str(group.tasks), str(group.trials), str(group.failed), *cells))
    cells = [_cell(breakdown.macro.get(metric.name), len(breakdown.groups)) for metric in shown]
    rows.append((f"{MACRO} of {len(breakdown.groups)}", "", "", "", *cells))
    return rows


def breakdown_json(breakdown: Breakdown) -> dict[str, Any]:
    """The numbers of one breakdown, all metrics of the headline."""
    return {
        "groups": {
            group.value: {
                "tasks": group.tasks,
                "trials": group.trials,
                "failed": group.failed,
                "metrics": {name: mean_json(mean) for name, mean in group.means.items()},
            }
            for group in breakdown.groups
        },
        "macro": {name: mean_json(mean) for name, mean in breakdown.macro.items()},
        "without": breakdown.without,
        "overlapping": breakdown.overlapping,
    }


def _remarks(breakdown: Breakdown) -> str:
    remarks: Sequence[str] = [
        f"; {breakdown.without} trials of tasks without it are in no group" if breakdown.without else "",
        "; a task with several values is in several groups" if breakdown.overlapping else "",
    ]
    return "".join(remarks)


def _cell(mean: Mean | None, expected: int) -> str:
    shown = show_mean(mean)
    return shown if mean is None or mean.n == expected else f"{shown} (n = {mean.n})"
