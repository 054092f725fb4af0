"""Risk and coverage: how well the surest values of answers can be told from the others, and which may be accepted."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pincite_harness.analyses.analysis import Analysis, Column, Row
from pincite_harness.analyses.trials import TrialData
from pincite_harness.reports.groups import Group
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.pictures import Axis, lines
from pincite_harness.reports.value_signals import SIGNALS, ValueScore, labelled_values, value_scores
from pincite_scoring.statistics import (
    Acceptance,
    Mean,
    Scored,
    accept_threshold,
    aurc,
    best_aurc,
    risk_coverage,
)

_SHARES = (0.5, 0.8, 0.9)
"""Coverages at which the table says the risk."""


@dataclass(frozen=True, slots=True)
class Valued:
    """A run's trials of a family with the scores of their values; ``cluster`` is what each trial belongs to."""

    measured: Measured
    values: tuple[ValueScore, ...]
    cluster: dict[str, str]

    @property
    def labelled(self) -> list[Scored]:
        """Score and fault of each value with a label."""
        return labelled_values(self.values)

    def units(self) -> list[list[Scored]]:
        """The labelled values of each paper (or task) that has a scored trial, one without values too."""
        found: dict[str, list[Scored]] = {}
        for trial in self.measured.trials:
            if trial.scored:
                found.setdefault(self.cluster[trial.name], [])
        for value in self.values:
            if value.wrong is not None:
                found[self.cluster[value.trial]].append((value.score, value.wrong))
        return list(found.values())


def risk_and_coverage(group: Group, data: TrialData) -> Analysis | None:
    """The curve of each run, its AURC, and with ``--accept-risk`` the threshold that the first run's labels give."""
    there = [one for measured in group.measured if (one := valued(measured, data)).values]
    if not there or not any(one.labelled for one in there):
        return None
    accept = acceptance(there[0], data)
    rows: list[Row] = []
    curves: list[tuple[str, list[tuple[float, float]]]] = []
    for one in there:
        rows += _rows(one)
        rows += _accepted(one, accept, data.accept_risk) if accept is not None else []
        if one.labelled:
            points = risk_coverage(one.labelled)
            curves.append((one.measured.run.name, [(point.coverage, point.risk) for point in points]))
    columns = (Column("run", "Run"), Column("what", "What"), Column("n", "Of"), Column("value", "Value", 4))
    about = (
        "values of answers, from the surest to the least sure; the score of a value is the mean of what is known of it:"
        " the confidence that the agent states, the share of other attempts that state the same value, whether its"
        " quote stands and holds it, and the audit's verdict (--audit). Risk is the share of accepted values that the"
        " scorer does not count as right, AURC its mean over all coverages (Geifman et al. 2019)"
    )
    top = max(risk for _, points in curves for _, risk in points)
    picture = lines("Risk by coverage", curves, Axis("coverage", 0.0, 1.0), Axis("risk", 0.0, top or 1.0), marked=True)
    return Analysis("risk", "Risk and coverage", about, columns, tuple(rows), picture, _notes(accept, data.accept_risk))


def valued(measured: Measured, data: TrialData) -> Valued:
    """The values of a run's trials with their scores."""
    run = measured.run
    cluster = {trial.name: run.cluster(trial) for trial in run.trials}
    return Valued(measured, tuple(value_scores(run, data.audits)), cluster)


def acceptance(first: Valued, data: TrialData) -> Acceptance | None:
    """The threshold that the labels of the first run give; None where none was asked for."""
    return accept_threshold(first.units(), data.accept_risk) if data.accept_risk is not None else None


def accepted_json(group: Group, data: TrialData) -> dict[str, Any]:
    """accepted.json of a family: the threshold, and each value with its score and whether it is accepted."""
    there = [valued(measured, data) for measured in group.measured]
    accept = acceptance(there[0], data) if there else None
    if accept is None:
        return {}
    told = {
        "risk": data.accept_risk,
        "threshold": accept.threshold if accept.guaranteed else None,
        "bound": accept.bound,
        "labelled_units": accept.units,
        "needed_units": accept.needed,
    }
    return told | {"runs": {one.measured.run.name: [_value(each, accept) for each in one.values] for one in there}}


def _value(value: ValueScore, accept: Acceptance) -> dict[str, Any]:
    place = {"trial": value.trial, "name": value.name, "value": value.value, "signals": dict(value.signals)}
    return place | {"score": value.score, "accepted": value.score >= accept.threshold, "wrong": value.wrong}


def _rows(one: Valued) -> list[Row]:
    run, labelled = one.measured.run.name, one.labelled
    rows = [_row(run, f"known: {name}", len(one.values), _known(one.values, name)) for name in SIGNALS]
    if not labelled:
        return rows
    wrong = sum(bad for _, bad in labelled)
    rows.append(_row(run, "risk of all values", len(labelled), wrong / len(labelled)))
    points = risk_coverage(labelled)
    for share in _SHARES:
        point = next(point for point in points if point.coverage >= share - 1e-9)
        rows.append(_row(run, f"risk at coverage {point.coverage:.2f}", len(labelled), point.risk))
    rows.append(_row(run, "AURC", len(labelled), aurc(labelled)))
    rows.append(_row(run, "AURC of the best order", len(labelled), best_aurc(wrong, len(labelled))))
    return rows


def _accepted(one: Valued, accept: Acceptance, risk: float | None) -> list[Row]:
    run = one.measured.run.name
    chosen = [value for value in one.values if value.score >= accept.threshold]
    sure = [value for value in chosen if value.wrong is not None]
    bad = Mean.of([float(bool(value.wrong)) for value in sure], [one.cluster[value.trial] for value in sure])
    unlabelled = [value for value in one.values if value.wrong is None]
    taken = sum(value.score >= accept.threshold for value in unlabelled)
    rows = [
        _row(run, f"threshold for a risk of {risk}", accept.units, accept.threshold if accept.guaranteed else None),
        _row(run, "coverage: values accepted", len(one.values), len(chosen) / len(one.values)),
        _row(run, "wrong among the accepted", len(sure), bad if sure else None),
    ]
    if unlabelled:
        rows.append(_row(run, "coverage of values without labels", len(unlabelled), taken / len(unlabelled)))
    return rows


def _notes(accept: Acceptance | None, risk: float | None) -> tuple[str, ...]:
    if accept is None:
        return ()
    if not accept.guaranteed:
        none = (
            f"No value is accepted: with {accept.units} labelled papers or tasks no threshold keeps a risk of {risk}."
            f" {accept.needed} without an error would be the fewest that could."
        )
        return (none,)
    how = (
        f"The threshold is by conformal risk control (Angelopoulos et al. 2024) over {accept.units} labelled papers or"
        f" tasks of the first run: of a further one that is exchangeable with them, the expected share of its values"
        f" that are accepted and wrong is at most {math.ceil(accept.bound * 1e4) / 1e4:g}. The first run chose it, so"
        " its 'wrong among the accepted' is not a held-out figure; that of another run is."
    )
    return (how,)


def _known(values: Sequence[ValueScore], name: str) -> float:
    return sum(name in value.signals for value in values) / len(values)


def _row(run: str, what: str, n: int, value: float | Mean | None) -> Row:
    return {"run": run, "what": what, "n": n, "value": value}
