"""The table of means: each metric, details too, with its error and its intervals."""

from pincite_harness.reports.groups import Group
from pincite_harness.reports.markup import Markup, tag
from pincite_harness.reports.measured import Estimate, Measured
from pincite_harness.reports.statistics import show, show_interval
from pincite_harness.reports.tables import table

_HEADER = ("Metric", "n", "Clusters", "Mean", "Standard error", "95 %: t", "95 %: bootstrap")
_MICRO = "Counted over all"
_ABOUT = (
    "means over the trials that have the value, with 95 % intervals of Student's t and of the bootstrap by cluster, cut"
    " at the ends of the scale; none where all values are the same, since they do not say how others would differ"
)
_ABOUT_MICRO = "; counted over all: from the counts of all scored trials together, not as a mean of theirs (micro)"


def means_section(group: Group, heading: str) -> Markup:
    """A table for each run; nothing where nothing was measured."""
    tables = [_table(measured) for measured in group.measured if measured.estimates]
    return tag("section", tag(heading, "Means"), tables) if tables else Markup("")


def _table(measured: Measured) -> Markup:
    micro = any(estimate.micro is not None for estimate in measured.estimates.values())
    rows = [_row(estimate, micro=micro) for estimate in measured.estimates.values()]
    about = f"{measured.run.name}: {_ABOUT}{_ABOUT_MICRO if micro else ''}"
    return table(about, (*_HEADER, _MICRO) if micro else _HEADER, rows)


def _row(estimate: Estimate, *, micro: bool) -> tuple[str, ...]:
    metric, mean = estimate.metric, estimate.mean
    intervals = (show_interval(metric, mean.interval), show_interval(metric, estimate.bootstrap))
    numbers = (str(mean.n), "–" if mean.clusters is None else str(mean.clusters), show(mean.mean))
    last = (show(estimate.micro),) if micro else ()
    return (metric.title, *numbers, show(mean.standard_error), *intervals, *last)
