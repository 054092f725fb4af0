"""Places: the first metric of runs in chains against the place in the chain: whether what is carried on helps."""

from pincite_harness.reports.charts import Series, curve, legend
from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import RunReport
from pincite_harness.reports.markup import Markup, tag
from pincite_harness.reports.statistics import mean_of
from pincite_scoring.scorer import Metric
from pincite_scoring.statistics import Mean

MOST_DRAWN = 20
"""Places that are drawn; of more every second, third … is."""


def by_place(run: RunReport, metric: Metric) -> dict[int, Mean]:
    """The mean of the metric over the trials at each place of a chain; empty for a run without chains."""
    found: dict[int, list[float]] = {}
    for trial in run.trials:
        value = trial.metrics.get(metric.name)
        place = trial.record.place if trial.record is not None else None
        if place is not None and value is not None:
            found.setdefault(place, []).append(value)
    means = {place: mean_of(values) for place, values in sorted(found.items())}
    return {place: mean for place, mean in means.items() if mean is not None}


def places_section(group: Group, heading: str) -> Markup:
    """A curve for each run in chains; nothing where there is none, or where the first metric has no end of 1."""
    metric = next(iter(group.headline), None)
    if metric is None or metric.top != 1:
        return Markup("")
    runs = {run.name: means for run in group.runs if (means := by_place(run, metric))}
    if not runs:
        return Markup("")
    places = sorted({place for means in runs.values() for place in means})
    step = max(1, -(-len(places) // MOST_DRAWN))
    drawn = places[::step]
    series = [Series(name, [means.get(place) for place in drawn]) for name, means in runs.items()]
    title = f"{metric.title} by place in the chain"
    about = "A chain is one cluster: its trials are not independent, since each began with what the one before left."
    names = legend(list(runs)) if len(runs) > 1 else Markup("")
    chart = curve(title, [str(place) for place in drawn], series)
    return tag("section", tag(heading, "Chains"), tag("p", about), names, tag("div", chart, class_="charts"))
