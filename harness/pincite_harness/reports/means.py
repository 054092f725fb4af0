"""The table of means: each metric, details too, with its error and its intervals."""

from pincite_harness.reports.groups import Group
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.measured import Estimate, Measured
from pincite_harness.reports.statistics import show, show_interval
from pincite_harness.reports.tables import Table, tables_section
from pincite_scoring.result import OTHER
from pincite_scoring.statistics import Mean

_HEADER = ("Metric", "n", "Clusters", "Mean", "Standard error", "95 %: t", "95 %: bootstrap")
_ABOUT = (
    "means over the trials that have the value, with 95 % intervals of Student's t and of the bootstrap by cluster, cut"
    " at the ends of the scale; none where all values are the same, since they do not say how others would differ"
)
PADDED = "Failed as 0"
_MICRO = "; micro: from the counts of all scored trials together, not as a mean of theirs"


def means_section(group: Group, heading: str) -> Markup:
    """A table for each run, with what was not measured; nothing where nothing was."""
    tables = [_table(measured) for measured in group.measured if measured.estimates]
    return tables_section("Means", heading, tables)


def further(measured: Measured) -> dict[str, dict[str, str]]:
    """Columns that only some runs have: under their titles a cell for each metric that has one. The n of a mean by the
    other definitions is told where it is another one."""
    found = measured.estimates.values()
    counted = {e.metric.name: show(e.micro) for e in found if e.micro is not None}
    other = {e.metric.name: _other(e.other, e.mean) for e in found if e.other is not None}
    padded = {e.metric.name: _other(e.padded, e.mean) for e in found if e.padded is not None}
    columns = {"Micro": counted, OTHER[measured.compat].capitalize(): other, PADDED: padded}
    return {title: cells for title, cells in columns.items() if cells}


def _other(other: Mean, mean: Mean) -> str:
    return show(other.mean) + (f" (n = {other.n})" if other.n != mean.n else "")


def _table(measured: Measured) -> Table:
    more = further(measured)
    other = OTHER[measured.compat].capitalize()
    about = _ABOUT + (_MICRO if "Micro" in more else "")
    about += f"; {other.lower()}: the mean by the other definitions" if other in more else ""
    about += (
        "; failed as 0: the mean with each failed trial as 0, as the published means count" if PADDED in more else ""
    )
    rows = [
        (*_row(estimate), *[cells.get(name, "–") for cells in more.values()])
        for name, estimate in measured.estimates.items()
    ]
    caption = f"{measured.run.name}, by {measured.compat} definitions: {about}"
    return Table(caption, (*_HEADER, *more), rows, note=_absent(measured))


def _row(estimate: Estimate) -> tuple[str, ...]:
    metric, mean = estimate.metric, estimate.mean
    intervals = (show_interval(metric, mean.interval), show_interval(metric, estimate.bootstrap))
    clusters = "–" if mean.clusters is None else str(mean.clusters)
    return (metric.title, str(mean.n), clusters, show(mean.mean), show(mean.standard_error), *intervals)


def _absent(measured: Measured) -> str:
    """The metrics of the headline that no trial has."""
    titles = [m.title for m in measured.shown.headline if m.name not in measured.estimates]
    return f"Not measured in any trial: {'; '.join(titles)}." if titles else ""
