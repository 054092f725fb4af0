"""A10: how steady attempts at a task are."""

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from math import comb

from pincite_harness.analyses.analysis import Analysis, Column, Row
from pincite_harness.analyses.stacks import stacks
from pincite_harness.analyses.trials import ALL, TrialData, outcome_of
from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import TrialRow
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.outcome_words import in_words
from pincite_scoring.statistics import Mean, agreement, mean_pass

_FULL = 1 - 1e-9
"""A share that is full marks, but for rounding."""


def reliability(group: Group, _data: TrialData) -> Analysis | None:
    """Tasks right in none to all of their attempts, pass@k and pass^k, and why stable losses are lost."""
    rows: list[Row] = []
    bars: list[tuple[str, dict[str, int]]] = []
    names: list[str] = []
    for measured in group.measured:
        right = right_by_task(measured)
        most = max(map(len, right.values()), default=0)
        if most < 2:
            continue
        whole = {task: attempts for task, attempts in right.items() if len(attempts) == most}
        counts = Counter(sum(attempts.values()) for attempts in whole.values())
        names = [f"{k} right" for k in range(max(most, len(names) - 1) + 1)]
        bars.append((measured.run.name, {f"{k} right": counts[k] for k in range(most + 1)}))
        rows += _rows(measured, right, whole, most)
    if not rows:
        return None
    columns = (Column("run", "Run"), Column("what", "What"), Column("n", "Of"), Column("value", "Value", 3))
    about = (
        "right is the best outcome of a trial, and full marks in the first metric where there are no outcomes; tasks"
        " with all attempts scored are right in 0 to k of them. pass@k: some of k attempts is right; pass^k: all of k"
        " are, both unbiased, over tasks with k scored attempts. The variance of what is right is split between tasks"
        " and within them; causes are those of the attempts at stable losses"
    )
    picture = stacks("Tasks by how many of their attempts are right", names, bars)
    return Analysis("reliability", "Reliability over attempts", about, columns, tuple(rows), picture)


def pass_all(attempts: int, right: int, k: int) -> float | None:
    """pass^k: the chance that all of k attempts are right, C(c, k) / C(n, k) of ``right`` = c among ``attempts`` = n;
    None where there are fewer attempts than k."""
    if not 1 <= k <= attempts:
        return None
    return comb(right, k) / comb(attempts, k)


def variances(right: Mapping[str, Sequence[bool]]) -> tuple[float, float]:
    """The variance of 0 and 1 between tasks and within them; their sum is the variance of all attempts."""
    values = [float(one) for attempts in right.values() for one in attempts]
    mean = math.fsum(values) / len(values)
    between = within = 0.0
    for attempts in right.values():
        own = sum(attempts) / len(attempts)
        between += len(attempts) * (own - mean) ** 2
        within += math.fsum((float(one) - own) ** 2 for one in attempts)
    return between / len(values), within / len(values)


def right_by_task(measured: Measured) -> dict[str, dict[int, bool]]:
    """By task and attempt whether a scored trial is right."""
    found: dict[str, dict[int, bool]] = {}
    for trial in measured.trials:
        value = is_right(measured, trial)
        if value is not None:
            found.setdefault(trial.task, {})[trial.attempt] = value
    return found


def is_right(measured: Measured, trial: TrialRow) -> bool | None:
    """Whether a trial has the best outcome, or full marks where there are no outcomes; None where it is unscored."""
    outcome = outcome_of(measured, trial)
    if outcome is None:
        return None
    if outcome != ALL:
        return outcome == measured.shown.outcomes[0].order[0]
    if not measured.shown.headline:
        return None
    metric = measured.shown.headline[0]
    value = trial.metrics.get(metric.name)
    return None if value is None else value >= (metric.top or 1.0) * _FULL


def _rows(
    measured: Measured, right: Mapping[str, Mapping[int, bool]], whole: Mapping[str, Mapping[int, bool]], most: int
) -> list[Row]:
    run = measured.run.name
    counts = {task: sum(attempts.values()) for task, attempts in whole.items()}
    tasks = len(whole)
    wins = sum(count == most for count in counts.values())
    losses = [task for task, count in counts.items() if count == 0]
    rows: list[Row] = [_row(run, f"right in {k} of {most}", tasks, _times(counts, k)) for k in range(most + 1)]
    rows.append(_row(run, "stable wins", tasks, wins))
    rows.append(_row(run, "flips", tasks, tasks - wins - len(losses)))
    rows.append(_row(run, "stable losses", tasks, len(losses)))
    for cause, count in _causes(measured, losses).most_common():
        rows.append(_row(run, f"stable losses: {cause}", len(losses) * most, count))
    if (agreed := agreement(right)) is not None:
        rows.append(_row(run, "agreement of pairs of attempts", agreed[1], agreed[0]))
    lists = {task: list(attempts.values()) for task, attempts in right.items()}
    clusters = {trial.task: measured.run.cluster(trial) for trial in measured.trials}
    for k in range(1, most + 1):
        rows.append(_row(run, f"pass@{k}", None, mean_pass(lists, k, clusters)))
        rows.append(_row(run, f"pass^{k}", None, _mean_all(lists, k, clusters)))
    between, within = variances(lists)
    rows.append(_row(run, "variance between tasks", len(lists), between))
    rows.append(_row(run, "variance within tasks", len(lists), within))
    return rows


def _times(counts: Mapping[str, int], k: int) -> int:
    return sum(count == k for count in counts.values())


def _mean_all(right: Mapping[str, Sequence[bool]], k: int, clusters: Mapping[str, str]) -> Mean:
    estimates = {task: pass_all(len(attempts), sum(attempts), k) for task, attempts in right.items()}
    there = {task: estimate for task, estimate in estimates.items() if estimate is not None}
    return Mean.of(list(there.values()), [clusters.get(task, task) for task in there])


def _row(run: str, what: str, n: int | None, value: float | Mean) -> Row:
    return {"run": run, "what": what, "n": value.n if isinstance(value, Mean) else n, "value": value}


def _causes(measured: Measured, tasks: Sequence[str]) -> Counter[str]:
    """What the attempts at these tasks ended in: the cause of a failure, else the outcome."""
    found: Counter[str] = Counter()
    for trial in measured.trials:
        if trial.task in tasks:
            outcome = outcome_of(measured, trial) or trial.status
            words = "scored below full marks" if outcome == ALL else in_words(outcome)
            found[in_words(trial.cause) if trial.cause is not None else words] += 1
    return found
