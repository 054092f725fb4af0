"""Groups: one family in one run or in several, with the comparison of each run with the first."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_harness.reports.comparing import Comparison, compare_measured
from pincite_harness.reports.loading import RunReport
from pincite_harness.reports.measured import Measured
from pincite_scoring.scorer import Column, Metric


@dataclass(frozen=True, slots=True)
class Group:
    """``measured`` are the parts of the runs that have trials of the family."""

    family: str
    measured: tuple[Measured, ...]
    comparisons: tuple[Comparison, ...]

    @property
    def runs(self) -> tuple[RunReport, ...]:
        """The runs, with the family's trials alone."""
        return tuple(measured.run for measured in self.measured)

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """The metrics of the headline, then the details."""
        return tuple(dict.fromkeys(metric for measured in self.measured for metric in measured.shown.metrics))

    @property
    def headline(self) -> tuple[Metric, ...]:
        """The metrics that are shown everywhere."""
        return tuple(metric for metric in self.metrics if not metric.detail)

    @property
    def columns(self) -> tuple[Column, ...]:
        """The columns of the tables of records."""
        return tuple(dict.fromkeys(column for measured in self.measured for column in measured.shown.columns))

    @property
    def anchor(self) -> str:
        """The id of its section in the page."""
        return f"family-{self.family or 'none'}"


def group_runs(runs: Sequence[Sequence[Measured]]) -> list[Group]:
    """A group for each family of the measured runs, in the order in which they first appear."""
    found: dict[str, list[Measured]] = {}
    for measured in (measured for run in runs for measured in run):
        found.setdefault(measured.family, []).append(measured)
    return [_group(family, parts) for family, parts in found.items()]


def _group(family: str, measured: Sequence[Measured]) -> Group:
    first, *others = measured
    return Group(family, tuple(measured), tuple(compare_measured(first, second) for second in others))
