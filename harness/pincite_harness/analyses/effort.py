"""A3: how much effort right and wrong trials took."""

from collections.abc import Mapping, Sequence

from pincite_harness.analyses.analysis import Analysis, Column, Row
from pincite_harness.analyses.spending import count_calls, quantile
from pincite_harness.analyses.trials import ALL, TrialData, outcome_of, outcome_order
from pincite_harness.reports.groups import Group
from pincite_harness.reports.markup import Markup, join
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.outcome_words import in_words
from pincite_harness.reports.pictures import Axis, lines, steps
from pincite_scoring.statistics import Mean

PUBLISHED: Mapping[str, str] = {
    "correct": "published: correct",
    "partial": "published: partial",
    "not_attempted": "published: incorrect",
    "incorrect": "published: incorrect",
    "failed": "published: incorrect",
}
"""The three classes of the published analysis of precedents, by ours: what was not attempted counts as incorrect."""
Values = list[tuple[float, str]]
"""Values of trials, each with its cluster."""


def effort_by_outcome(group: Group, data: TrialData) -> Analysis | None:
    """Calls, seconds and tokens of trials by their outcome."""
    rows: list[Row] = []
    pictures: list[Markup] = []
    for measured in group.measured:
        outcomes = outcome_order(measured)
        if not measured.outcome or outcomes == [ALL]:
            continue
        by_outcome = {outcome: _values(measured, data, [outcome]) for outcome in outcomes}
        rows += _rows(measured, by_outcome)
        if measured.shown.outcomes and set(PUBLISHED) == set(measured.shown.outcomes[0].order):
            rows += _rows(measured, _published(measured, data, outcomes))
        pictures.append(_picture(measured, by_outcome))
    if not rows:
        return None
    columns = (
        Column("run", "Run"),
        Column("outcome", "Outcome"),
        Column("what", "What"),
        Column("n", "Trials"),
        Column("mean", "Mean ± std. error", 1),
        Column("median", "Median", 1),
        Column("lower", "25 %", 1),
        Column("upper", "75 %", 1),
    )
    return Analysis(
        "effort",
        "Effort by outcome",
        "calls (of all kinds), agent seconds and tokens of the trials of each outcome; the picture is the share of an"
        " outcome's trials with at most so many calls. The published classes count what was not attempted as incorrect",
        columns,
        tuple(rows),
        join(pictures),
    )


def _published(measured: Measured, data: TrialData, outcomes: Sequence[str]) -> dict[str, dict[str, Values]]:
    found: dict[str, dict[str, Values]] = {}
    for name in dict.fromkeys(PUBLISHED.values()):
        own = [outcome for outcome in outcomes if PUBLISHED.get(outcome) == name]
        if own:
            found[name] = _values(measured, data, own)
    return found


def _values(measured: Measured, data: TrialData, outcomes: Sequence[str]) -> dict[str, Values]:
    """What the trials of these outcomes took, by what it is."""
    found: dict[str, Values] = {"calls": [], "agent seconds": [], "tokens": []}
    for trial in measured.trials:
        if outcome_of(measured, trial) not in outcomes:
            continue
        taken = (count_calls(measured.run, trial, data), trial.agent_seconds, trial.tokens)
        for name, value in zip(found, taken, strict=True):
            if value is not None:
                found[name].append((value, measured.run.cluster(trial)))
    return found


def _rows(measured: Measured, by_outcome: Mapping[str, Mapping[str, Values]]) -> list[Row]:
    rows: list[Row] = []
    for outcome, taken in by_outcome.items():
        for name, pairs in taken.items():
            values = [value for value, _ in pairs]
            if not values:
                continue
            rows.append(
                {
                    "run": measured.run.name,
                    "outcome": in_words(outcome),
                    "what": name,
                    "n": len(values),
                    "mean": Mean.of(values, [cluster for _, cluster in pairs]),
                    "median": quantile(values, 0.5),
                    "lower": quantile(values, 0.25),
                    "upper": quantile(values, 0.75),
                }
            )
    return rows


def _picture(measured: Measured, by_outcome: Mapping[str, Mapping[str, Values]]) -> Markup:
    series: list[tuple[str, list[tuple[float, float]]]] = []
    most = 0.0
    for outcome, taken in by_outcome.items():
        calls = [value for value, _ in taken["calls"]]
        if calls:
            most = max(most, *calls)
            series.append((f"{in_words(outcome)} (n = {len(calls)})", steps(calls)))
    if not series:
        return Markup("")
    ended = [(name, [*points, (most, 1.0)]) for name, points in series]
    x = Axis("calls of a trial", 0.0, most * 1.05 or 1.0)
    return lines(f"{measured.run.name}: share of trials with at most so many calls", ended, x, Axis("share", 0.0, 1.0))
