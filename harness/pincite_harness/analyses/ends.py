"""A11: how trials end, and what that means for their score."""

from collections.abc import Sequence

from pincite_harness.analyses.analysis import Analysis, Column, Row
from pincite_harness.analyses.reliability import is_right
from pincite_harness.analyses.stacks import stacks
from pincite_harness.analyses.trials import TrialData
from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import TrialRow
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.outcome_words import in_words


def ends(group: Group, _data: TrialData) -> Analysis | None:
    """Trials by how they ended and whether they left an answer, with how many are right."""
    rows: list[Row] = []
    found: dict[str, dict[str, int]] = {}
    for measured in group.measured:
        by_end: dict[tuple[str, bool], list[TrialRow]] = {}
        for trial in measured.trials:
            answered = trial.record is not None and trial.record.answered
            by_end.setdefault((end_of(trial), answered), []).append(trial)
        for (end, answered), trials in sorted(by_end.items(), key=lambda item: (-len(item[1]), item[0])):
            rows.append(_row(measured, end, answered, trials))
            own = found.setdefault(measured.run.name, {})
            own[_named(end, answered)] = len(trials)
    if not rows:
        return None
    names = list(dict.fromkeys(name for own in found.values() for name in own))
    columns = (
        Column("run", "Run"),
        Column("end", "End"),
        Column("answered", "Answered"),
        Column("trials", "Trials"),
        Column("scored", "Scored"),
        Column("right", "Right"),
        Column("score", "First metric", 3),
    )
    about = (
        "trials by how they ended (completed, the cause of a failure, or the limit that was reached) and whether a"
        " valid answer was left; right are those with the best outcome, or with full marks in the first metric"
    )
    picture = stacks("Trials by how they ended", names, list(found.items()))
    return Analysis("ends", "Ends", about, columns, tuple(rows), picture)


def end_of(trial: TrialRow) -> str:
    """``completed``, ``limit: tokens``, or the cause of the failure in words."""
    if trial.status == "limit_reached":
        limit = (trial.record.detail or "").partition(":")[0] if trial.record is not None else ""
        return f"limit: {limit or 'unknown'}"
    return in_words(trial.cause or trial.status)


def _named(end: str, answered: bool) -> str:
    return end if answered else f"{end}, no answer"


def _row(measured: Measured, end: str, answered: bool, trials: Sequence[TrialRow]) -> Row:
    metric = measured.shown.headline[0].name if measured.shown.headline else ""
    scores = [value for trial in trials if (value := trial.metrics.get(metric)) is not None]
    return {
        "run": measured.run.name,
        "end": end,
        "answered": "yes" if answered else "no",
        "trials": len(trials),
        "scored": sum(trial.scored for trial in trials),
        "right": sum(is_right(measured, trial) is True for trial in trials),
        "score": sum(scores) / len(scores) if scores else None,
    }
