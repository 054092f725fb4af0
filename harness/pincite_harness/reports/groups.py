"""Groups: the trials of one family, of one run or of several, with what its scorer says that reports show."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_core.errors import MissingExtraError, NotFoundError
from pincite_harness.reports.loading import RunReport
from pincite_harness.scoring.scorer import Column, Metric, get_scorer

_MOST = 6
"""Metrics that are shown of a scorer nobody knows."""


@dataclass(frozen=True, slots=True)
class Group:
    """``runs`` hold the family's trials alone; those without any are left out. ``metrics`` are those of the headline,
    then the details."""

    family: str
    metrics: tuple[Metric, ...]
    columns: tuple[Column, ...]
    runs: tuple[RunReport, ...]

    @property
    def headline(self) -> tuple[Metric, ...]:
        """The metrics that are shown everywhere."""
        return tuple(metric for metric in self.metrics if not metric.detail)

    @property
    def anchor(self) -> str:
        """The id of its section in the page."""
        return f"family-{self.family or 'none'}"


def group_runs(runs: Sequence[RunReport]) -> list[Group]:
    """A group for each family, in the order in which they first appear."""
    families = dict.fromkeys(trial.family for run in runs for trial in run.trials)
    return [_group(family, [run.of(family) for run in runs]) for family in families]


def _group(family: str, runs: Sequence[RunReport]) -> Group:
    shown = tuple(run for run in runs if run.trials)
    scores = [trial.score for run in shown for trial in run.trials if trial.score is not None]
    for name in dict.fromkeys([*(score.scorer for score in scores), family]):
        try:
            scorer = get_scorer(name)
        except (NotFoundError, MissingExtraError):
            continue
        return Group(family, scorer.headline, scorer.columns, shown)
    names = dict.fromkeys(name for score in scores for name in score.metrics)
    metrics = tuple(Metric(name, name, name[:8], top=None) for name in list(names)[:_MOST])
    keys = dict.fromkeys(key for score in scores for record in score.records[:1] for key in record if key != "status")
    return Group(family, metrics, tuple(Column(key, key.replace("_", " ")) for key in list(keys)[:_MOST]), shown)
