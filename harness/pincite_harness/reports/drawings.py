"""The charts of a family: metrics by task or by value, curves through their steps, seconds and tool calls."""

from collections.abc import Callable, Sequence

from pincite_harness.reports.charts import Series, bars, curve, legend
from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_harness.reports.markup import Markup, tag
from pincite_harness.reports.spread import spread
from pincite_harness.reports.statistics import mean_of, task_names, tool_calls
from pincite_scoring.scorer import Metric
from pincite_scoring.statistics import Mean

MOST_BARS = 40
"""Tasks that are drawn one by one; of more the spread of their values is drawn."""
Value = Callable[[TrialRow], float | None]


def charts(group: Group, heading: str, about: str) -> Markup:
    """The section of charts; ``about`` stands behind each title, where several families are on the page. The first
    metric, seconds and calls are open, the other metrics folded away; what is 0 or 1 of each trial is not drawn."""
    tasks = task_names(group.runs)

    def drawn(title: str, value: Value, top: float | None, digits: int) -> Markup:
        values = [(run.name, _by_task(run, value)) for run in group.runs]
        if len(tasks) > MOST_BARS:
            return spread(f"{title}: tasks by value{about}", tasks, values, top=top, digits=digits)
        series = [Series(name, [means.get(task) for task in tasks]) for name, means in values]
        return bars(f"{title} by task{about}", tasks, series, top=top, digits=digits)

    there = [metric for metric in group.headline if any(metric.name in one.estimates for one in group.measured)]
    first: list[Markup] = []
    more: list[Markup] = []
    for place, (metric, steps) in enumerate(_lines(there)):
        parts = more if place else first
        if not place or not _is_yes_or_no(group, metric):
            parts.append(drawn(metric.title, _of(metric), metric.top, 3))
        if steps:
            series = [Series(one.run.name, [one.mean(step.name) for step in steps]) for one in group.measured]
            parts.append(curve(f"{metric.curve}{about}", [step.step for step in steps], series))
    first.append(drawn("Seconds", lambda trial: trial.seconds, None, 1))
    first.append(drawn("Tool calls", tool_calls, None, 0))
    names = legend([run.name for run in group.runs]) if len(group.runs) > 1 else Markup("")
    return tag("section", tag(heading, "Charts"), names, tag("div", first, class_="charts"), _folded(more))


def _folded(parts: Sequence[Markup]) -> Markup:
    if not parts:
        return Markup("")
    return tag("details", tag("summary", "The other metrics"), tag("div", parts, class_="charts"), class_="more")


def _by_task(run: RunReport, value: Value) -> dict[str, Mean]:
    """The mean over its attempts of each task that has a value."""
    found: dict[str, list[float]] = {}
    for trial in run.trials:
        if (one := value(trial)) is not None:
            found.setdefault(trial.task, []).append(one)
    means = {task: mean_of(values) for task, values in found.items()}
    return {task: mean for task, mean in means.items() if mean is not None}


def _is_yes_or_no(group: Group, metric: Metric) -> bool:
    return all(t.metrics.get(metric.name) in (None, 0.0, 1.0) for run in group.runs for t in run.trials)


def _lines(headline: Sequence[Metric]) -> list[tuple[Metric, list[Metric]]]:
    """The metrics that are drawn by task: the first of each curve, with all of its steps, and those of no curve."""
    found: list[tuple[Metric, list[Metric]]] = []
    seen: set[str] = set()
    for metric in headline:
        if not metric.curve:
            found.append((metric, []))
        elif metric.curve not in seen:
            seen.add(metric.curve)
            found.append((metric, [step for step in headline if step.curve == metric.curve]))
    return found


def _of(metric: Metric) -> Value:
    return lambda trial: trial.metrics.get(metric.name)
