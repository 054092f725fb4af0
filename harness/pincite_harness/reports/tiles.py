"""Tiles: the leading numbers of each run of a family."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_harness.reports.groups import Group
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.measured import Estimate, Measured
from pincite_harness.reports.statistics import show, show_interval
from pincite_harness.reports.templating import render
from pincite_scoring.statistics import Mean
from pincite_tasks.trial_record import EarlierSpending

_MOST = 4
"""Metrics that have a tile; the table of means has them all."""
_SPENT = {
    "seconds": ("Seconds a trial", 1),
    "tool_calls": ("Tool calls a trial", 1),
    "tokens": ("Tokens a trial", 0),
    "cost_usd": ("US dollars a trial", 4),
    "judge_questions": ("Judge's questions a trial", 1),
    "judge_cost_usd": ("Judge's US dollars a trial", 4),
}
_SUMMED = frozenset(("tokens", "cost_usd", "judge_questions", "judge_cost_usd"))


@dataclass(frozen=True, slots=True)
class Tile:
    """A number with its title and what is said of it."""

    title: str
    value: str
    notes: Sequence[str]


def tiles(group: Group) -> Markup:
    """The means of the leading metrics, then what the trials came to and took."""
    several = len(group.measured) > 1
    runs: list[dict[str, object]] = []
    for measured in group.measured:
        shown = [_metric(estimate, measured.scored) for estimate in _leading(group, measured)[:_MOST]]
        name = measured.run.name if several else ""
        runs.append({"name": name, "tiles": [*shown, *_taken(measured)]})
    return render("tiles.html", {"runs": runs})


def _leading(group: Group, measured: Measured) -> list[Estimate]:
    """The metrics of the headline that were measured, of each curve the first."""
    firsts = {metric.curve or metric.name: metric.name for metric in reversed(group.headline)}.values()
    names = [metric.name for metric in group.headline if metric.name in firsts]
    return [measured.estimates[name] for name in names if name in measured.estimates]


def _taken(measured: Measured) -> list[Tile]:
    scored = f"{measured.scored} of {len(measured.trials)}"
    made = [_text_tile("Trials scored", scored, "a trial without a score is not a zero")]
    if measured.failure_rate is not None:
        made.append(_tile("Failure rate", measured.failure_rate, 2))
    made += [_spent(measured.spent[name], name) for name in _SPENT if name in measured.spent]
    return made + ([_earlier(measured.run.earlier)] if measured.run.earlier is not None else [])


def _earlier(spent: EarlierSpending) -> Tile:
    """What attempts took that are in no other number."""
    tokens = spent.tokens.input + spent.tokens.output
    notes = [f"tokens of {spent.model_calls} model calls, killed, stopped or tried again"]
    notes += [f"{spent.cost_usd:,.4f} US dollars"] if spent.cost_usd else []
    notes += [f"{spent.unknown_calls} calls of which nothing is known"] if spent.unknown_calls else []
    return _text_tile("Spent by earlier attempts", f"{tokens:,}", *notes)


def _spent(mean: Mean, name: str) -> Tile:
    """What a trial took, and all of them where that is counted or paid for."""
    title, digits = _SPENT[name]
    total = [f"{mean.n * (mean.mean or 0):,.{min(digits, 2)}f} in all"] if name in _SUMMED else []
    return _tile(title, mean, digits, *total)


def _metric(estimate: Estimate, scored: int) -> Tile:
    """A metric with its interval, and over how many of the scored trials it is where it is not defined for all."""
    metric, mean = estimate.metric, estimate.mean
    notes = [f"95 %: {show_interval(metric, mean.interval)}"] if mean.interval is not None else []
    notes += [f"{show(estimate.micro)} counted over all (micro)"] if estimate.micro is not None else []
    notes += [f"over {mean.n} of {scored} scored trials; undefined in the others"] if mean.n < scored else []
    return _tile(metric.title, mean, 3, *notes)


def _tile(title: str, mean: Mean, digits: int, *notes: str) -> Tile:
    error = [f"± {mean.standard_error:,.{digits}f} standard error"] if mean.standard_error is not None else []
    clusters = f" in {mean.clusters} clusters" if mean.clusters is not None else ""
    return _text_tile(title, f"{mean.mean or 0:,.{digits}f}", *error, f"n = {mean.n}{clusters}", *notes)


def _text_tile(title: str, value: str, *notes: str) -> Tile:
    return Tile(title, value, notes)
