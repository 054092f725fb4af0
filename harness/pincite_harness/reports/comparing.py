"""Two runs of a family compared task by task; the first run is what the others are compared with."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_harness.reports.comparable import differences
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.statistics import compare, show, show_range, signed, task_means
from pincite_harness.reports.tables import Table, tables_section
from pincite_scoring.scorer import Metric
from pincite_scoring.statistics import Paired

HEADER = ("Metric", "Tasks", "First", "Second", "Difference", "95 %: t", "95 %: bootstrap", "p: t", "p: permutation")
BRIEF = ("Metric", "Tasks", "First", "Second", "Difference", "95 %: t", "p: perm.")
"""What of it fits on a terminal."""
_ABOUT = (
    "differences by task of means over attempts, second less first (and as a share of the first), with 95 % intervals"
    " of Student's t and of the bootstrap; p of the paired t test and of the sign-flip permutation test, two-sided, not"
    " corrected for the number of metrics. Tasks that one run lacks are left out."
)
MOST_DIFFERING = 20
"""Tasks that are named as differing most."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """``pairs`` are the metrics that both runs have on some task; ``notes`` say what else is not the same of them, so
    that a difference may not be the agents'. ``apart`` are the tasks on which the leading metric differs, most first:
    the task, its mean in the first run and in the second."""

    first: Measured
    second: Measured
    pairs: tuple[tuple[Metric, Paired], ...]
    notes: tuple[str, ...]
    apart: tuple[tuple[str, float, float], ...]


def compare_measured(first: Measured, second: Measured) -> Comparison:
    """The comparison of a run with the first one."""
    headline = first.shown.headline
    found = [(metric, compare(first.run, second.run, metric.name)) for metric in headline]
    pairs = tuple((metric, pair) for metric, pair in found if pair is not None)
    apart = _apart(first, second, headline[0].name) if headline else ()
    return Comparison(first, second, pairs, tuple(differences(first, second)), apart)


def _apart(first: Measured, second: Measured, metric: str) -> tuple[tuple[str, float, float], ...]:
    mine, theirs = task_means(first.run, metric), task_means(second.run, metric)
    both = [(task, mine[task], theirs[task]) for task in mine if task in theirs and mine[task] != theirs[task]]
    return tuple(sorted(both, key=lambda each: -abs(each[2] - each[1])))


def row(metric: Metric, pair: Paired) -> tuple[str, ...]:
    """The cells of one metric."""
    difference = pair.difference
    clusters = f" in {difference.clusters} clusters" if difference.clusters is not None else ""
    left = pair.only_first + pair.only_second
    return (
        metric.title,
        f"{difference.n}{clusters}" + (f" ({left} left out)" if left else ""),
        show(pair.first),
        show(pair.second),
        _difference(pair),
        show_range(difference.interval),
        show_range(pair.bootstrap),
        "–" if pair.p_t is None else show_p(pair.p_t),
        show_p(pair.p_permutation),
    )


def brief_row(metric: Metric, pair: Paired) -> tuple[str, ...]:
    """The cells of one metric under ``BRIEF``."""
    difference = pair.difference
    numbers = (str(difference.n), show(pair.first), show(pair.second), signed(difference.mean or 0.0))
    return (metric.title, *numbers, show_range(difference.interval), show_p(pair.p_permutation))


def _difference(pair: Paired) -> str:
    relative = "" if pair.relative is None else f" ({pair.relative:+.1%})"
    return f"{signed(pair.difference.mean or 0.0)}{relative}"


def show_p(p: float) -> str:
    """``0.031``, or ``< 0.001``."""
    return "< 0.001" if p < 0.001 else f"{p:.3f}"


def comparison_section(comparisons: Sequence[Comparison], heading: str, *, named: bool) -> Markup:
    """A table for each run but the first, with what else differs; ``named``: and the tasks that differ most."""
    tables: list[Table] = []
    for comparison in comparisons:
        if not comparison.pairs:
            continue
        names = f"{comparison.first.run.name} (first) and {comparison.second.run.name} (second)"
        rows = [row(*pair) for pair in comparison.pairs]
        tables.append(Table(f"{names}: {_ABOUT}", HEADER, rows, "Not the same of both runs:", comparison.notes))
        if named and comparison.apart:
            tables.append(_differing(comparison, names))
    return tables_section("Paired comparison", heading, tables)


def _differing(comparison: Comparison, names: str) -> Table:
    title = comparison.first.shown.metrics[0].title
    rows = [(task, show(a), show(b), signed(b - a)) for task, a, b in comparison.apart[:MOST_DIFFERING]]
    about = f"{names}: {title} differs on {len(comparison.apart)} tasks; those where it differs most"
    return Table(about, ("Task", "First", "Second", "Difference"), rows)
