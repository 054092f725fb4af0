"""report.json: every number of the page, for programs. docs/reports.md describes it."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from pincite_harness.reports.breakdown_tables import breakdown_json
from pincite_harness.reports.comparing import Comparison
from pincite_harness.reports.debates import debates_json
from pincite_harness.reports.groups import Group
from pincite_harness.reports.mean_json import mean_json
from pincite_harness.reports.measured import Attempts, Counted, Estimate, Measured
from pincite_harness.reports.risk import risk_json
from pincite_harness.reports.roles import model_sums, role_sums
from pincite_harness.reports.searches import searches_json
from pincite_harness.reports.statistics import failures
from pincite_scoring.statistics import Paired
from pincite_tasks.trial_record import RoleSpending

SCHEMA = "pincite-report/1"


def to_json(groups: Sequence[Group]) -> dict[str, Any]:
    """By family and run what was measured, and the comparison of each run with the first. Numbers are not rounded,
    intervals not cut at the ends of a scale; null is what cannot be said."""
    return {"schema_version": SCHEMA, "families": {group.family: _group(group) for group in groups}}


def _group(group: Group) -> dict[str, Any]:
    return {
        "runs": {measured.run.name: _run(measured) for measured in group.measured},
        "comparisons": [_comparison(comparison) for comparison in group.comparisons],
    }


def _run(measured: Measured) -> dict[str, Any]:
    run, rate = measured.run, measured.failure_rate
    reasons = Counter(trial.reason for trial in run.finished if not trial.scored)
    debates, searches, risk = debates_json(run), searches_json(run), risk_json(run)
    groups = {one.key: breakdown_json(one) for one in measured.breakdowns}
    return {
        "agent": run.agent,
        "sample": run.sample or None,
        "definitions": measured.compat,
        "trials": len(run.trials),
        "finished": len(run.finished),
        "scored": measured.scored,
        "unscored": {reason or "": count for reason, count in reasons.items()},
        "failures": dict(failures(run.finished)),
        "failure_rate": rate.mean if rate is not None else None,
        "outcomes": {one.outcomes.title: _counted(one) for one in measured.counted},
        "best_outcome": _attempts(measured.attempts) if measured.attempts is not None else None,
        "metrics": {name: _estimate(estimate) for name, estimate in measured.estimates.items()},
        "spent": {name: mean_json(mean) for name, mean in measured.spent.items()},
        "roles": {role: _role(*spent) for role, spent in role_sums(run).items()},
        "models": {model: _role(*spent) for model, spent in model_sums(run).items()},
        "spent_earlier": run.earlier.model_dump(mode="json") if run.earlier is not None else None,
        **({} if debates is None else {"debates": debates}),
        **({"by": groups} if groups else {}),
        **({} if searches is None else {"searches": searches}),
        **({} if risk is None else {"risk": risk}),
    }


def _role(trials: int, spent: RoleSpending) -> dict[str, Any]:
    return {"trials": trials, **spent.model_dump(mode="json")}


def _counted(counted: Counted) -> dict[str, Any]:
    unscored = {} if counted.unscored is None else {"unscored": counted.unscored}
    return {"n": counted.n, "counts": dict(counted.counts), **unscored}


def _estimate(estimate: Estimate) -> dict[str, Any]:
    told = {"title": estimate.metric.title, **mean_json(estimate.mean), "bootstrap": estimate.bootstrap}
    told |= {} if estimate.micro is None else {"micro": estimate.micro}
    told |= {} if estimate.other is None else {"other": mean_json(estimate.other)}
    told |= {} if estimate.padded is None else {"failed_as_zero": mean_json(estimate.padded)}
    return told | (_attempts(estimate.attempts) if estimate.attempts is not None else {})


def _attempts(attempts: Attempts) -> dict[str, Any]:
    told: dict[str, Any] = {}
    if attempts.rounds is not None:
        rounds = attempts.rounds
        told["attempts"] = {"means": rounds.means, "mean": rounds.mean, "deviation": rounds.deviation}
        if attempts.agreement is not None:
            told["attempts"] |= {"agreement": attempts.agreement[0], "pairs": attempts.agreement[1]}
    if attempts.passes:
        told["pass_at"] = {str(k): mean_json(mean) for k, mean in attempts.passes.items()}
    return told


def _comparison(comparison: Comparison) -> dict[str, Any]:
    return {
        "first": comparison.first.run.name,
        "second": comparison.second.run.name,
        "notes": list(comparison.notes),
        "metrics": {metric.name: _paired(pair) for metric, pair in comparison.pairs},
    }


def _paired(pair: Paired) -> dict[str, Any]:
    return {
        "first": pair.first,
        "second": pair.second,
        "difference": mean_json(pair.difference),
        "relative": pair.relative,
        "bootstrap": pair.bootstrap,
        "t": pair.t,
        "p_t": pair.p_t,
        "p_permutation": pair.p_permutation,
        "only_first": pair.only_first,
        "only_second": pair.only_second,
    }
