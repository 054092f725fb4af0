"""A12: what each role of a crew takes, and what a component costs."""

from statistics import median

from pincite_harness.analyses.analysis import Analysis, Column, Row
from pincite_harness.analyses.stacks import stacks
from pincite_harness.analyses.trials import TrialData
from pincite_harness.reports.groups import Group
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.roles import NO_LABEL, role_sums


def tokens_by_role(group: Group, _data: TrialData) -> Analysis | None:
    """Calls and tokens of each role, its share, and in how many trials it was asked."""
    rows: list[Row] = []
    bars: list[tuple[str, dict[str, int]]] = []
    names = list(dict.fromkeys(role or NO_LABEL for one in group.measured for role in role_sums(one.run)))
    for measured in group.measured:
        sums = role_sums(measured.run)
        whole = sum(spent.tokens.input + spent.tokens.output for _, spent in sums.values())
        asked = sum(trial.record is not None and trial.record.model_calls > 0 for trial in measured.trials)
        totals: dict[str, int] = {}
        for role, (trials, spent) in sums.items():
            tokens = spent.tokens
            total = tokens.input + tokens.output
            totals[role or NO_LABEL] = total
            rows.append(
                {
                    "run": measured.run.name,
                    "role": role or NO_LABEL,
                    "fired": trials,
                    "of": asked,
                    "calls": spent.model_calls,
                    "input": tokens.input,
                    "cached": tokens.cached,
                    "output": tokens.output,
                    "share": total / whole if whole else None,
                    "cost_usd": spent.cost_usd,
                }
            )
        if whole:
            bars.append((measured.run.name, totals))
    if not rows:
        return None
    columns = (
        Column("run", "Run"),
        Column("role", "Role"),
        Column("fired", "Asked in trials"),
        Column("of", "Of"),
        Column("calls", "Calls"),
        Column("input", "Tokens in"),
        Column("cached", "Cached"),
        Column("output", "Tokens out"),
        Column("share", "Share of tokens", 3),
        Column("cost_usd", "US dollars", 4),
    )
    about = "model calls and tokens by the role that labels them, over all trials; share is of all tokens in and out"
    picture = stacks("Tokens by role", names, bars)
    return Analysis("roles", "Tokens by role", about, columns, tuple(rows), picture)


def premium(group: Group, _data: TrialData) -> Analysis | None:
    """What each run spends against the first: ratios of means and medians of total tokens a trial."""
    rows: list[Row] = []
    tokens = [(measured, _tokens(measured)) for measured in group.measured]
    known = [(measured, values) for measured, values in tokens if values]
    if len(known) < 2 or known[0][0] is not group.measured[0]:
        return None
    first = known[0][1]
    for measured, values in known:
        of_means = _ratio(sum(values) / len(values), sum(first) / len(first))
        found = {"n": len(values), "mean": sum(values) / len(values), "median": median(values)}
        rows.append(
            {
                "run": measured.run.name,
                **found,
                "of_means": of_means,
                "of_medians": _ratio(median(values), median(first)),
            }
        )
    columns = (
        Column("run", "Run"),
        Column("n", "Trials"),
        Column("mean", "Mean tokens"),
        Column("median", "Median tokens"),
        Column("of_means", "Ratio of means", 3),
        Column("of_medians", "Ratio of medians", 3),
    )
    about = "tokens in and out of a trial, and their ratio to those of the first run"
    return Analysis("premium", "Premium over the first run", about, columns, tuple(rows))


def _tokens(measured: Measured) -> list[float]:
    return [trial.tokens for trial in measured.trials if trial.finished and trial.tokens is not None]


def _ratio(a: float, b: float) -> float | None:
    return a / b if b else None
