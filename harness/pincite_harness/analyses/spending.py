"""A1 and A2: accuracy against spending with the Pareto front, and what a trial takes."""

from collections.abc import Callable, Sequence

from pincite_harness.analyses.analysis import Analysis, Column, Row
from pincite_harness.analyses.calls import KINDS, Kind
from pincite_harness.analyses.trials import TrialData
from pincite_harness.reports.charts import Series, bars
from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_harness.reports.markup import Markup, join
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.pictures import Axis, Dot, dots
from pincite_scoring.statistics import Mean, rounds_of

_SPENDING = {"cost_usd": "US dollars a trial", "tokens": "tokens a trial"}


def accuracy_against_spending(group: Group, _data: TrialData) -> Analysis | None:
    """A point a run: mean spending a trial against the mean of the family's first metric."""
    if not group.headline:
        return None
    metric = group.headline[0]
    rows: list[Row] = []
    notes: list[str] = []
    for measured in group.measured:
        score = measured.mean(metric.name)
        row: dict[str, object] = {"run": measured.run.name, "score": score}
        for name, words in _SPENDING.items():
            unknown = sum(trial.finished and _spent(trial, name) is None for trial in measured.trials)
            known = not unknown and name in measured.spent
            row[name] = measured.spent[name] if known else None
            row[f"unknown_{name}"] = unknown
            if unknown:
                notes.append(f"{measured.run.name}: {words} not known of {unknown} trials, so it has no such point.")
        rows.append(row)
    for name in _SPENDING:
        front = pareto_front([(_mean(row[name]), _mean(row["score"])) for row in rows])
        rows = [{**row, f"front_{name}": _yes(k in front)} for k, row in enumerate(rows)]
    if not any(row["tokens"] or row["cost_usd"] for row in rows):
        return None
    columns = (
        Column("run", "Run"),
        Column("score", metric.title, 3),
        Column("cost_usd", "US dollars a trial", 4),
        Column("front_cost_usd", "On the front"),
        Column("tokens", "Tokens a trial"),
        Column("front_tokens", "On the front"),
    )
    return Analysis(
        "spending",
        "Accuracy against spending",
        f"mean of {metric.title} and mean spending a trial, ± one standard error by cluster; on the front are the runs"
        " that no other run beats in one without losing in the other",
        columns,
        tuple(rows),
        join(_picture(name, metric.title, rows) for name in _SPENDING),
        tuple(notes),
    )


def pareto_front(points: Sequence[tuple[float | None, float | None]]) -> list[int]:
    """The places of the points (spending, score) that no other dominates, by spending: another dominates that spends no
    more and scores no less, and is better in one of them. Points with a None are left out."""
    there = [(k, x, y) for k, (x, y) in enumerate(points) if x is not None and y is not None]
    front: list[tuple[float, float, int]] = []
    for k, x, y in there:
        beaten = any(a <= x and b >= y and (a < x or b > y) for _, a, b in there)
        if not beaten:
            front.append((x, y, k))
    return [k for _, _, k in sorted(front)]


def efficiency(group: Group, data: TrialData) -> Analysis | None:
    """What a trial takes: calls by kind, agent seconds, tokens and cost."""
    rows: list[Row] = []
    notes: list[str] = []
    for measured in group.measured:
        run = measured.run
        missing = sum(trial.finished and data.calls(run, trial) is None for trial in measured.trials)
        if missing:
            notes.append(f"{run.name}: {missing} trials have no trajectory and no counts of calls.")
        for name, value in _quantities(run, data).items():
            row = _row(measured, name, value)
            if row is not None:
                rows.append(row)
    if not rows:
        return None
    columns = (
        Column("run", "Run"),
        Column("what", "What"),
        Column("n", "Trials"),
        Column("mean", "Mean ± std. error", 2),
        Column("median", "Median", 2),
        Column("p90", "90 %", 2),
        Column("max", "Most", 2),
        Column("attempts", "Mean of attempts ± std. error", 2),
    )
    shown = [name for name in ("all calls", "agent seconds", "tokens") if any(row["what"] == name for row in rows)]
    return Analysis(
        "efficiency",
        "Efficiency",
        "a trial's calls of all conversations by who ran them (mcp: through the tool door, those that it turned away"
        " not counted; shell: the client's own terminal; hosted: at the model's provider; own: other tools of the"
        " client; unknown: tools that nobody offered), its agent's seconds, tokens in and out, and cost; the last"
        " column is the mean over the means of the attempts, n being the attempts",
        columns,
        tuple(rows),
        join(_bars(name, rows, group) for name in shown),
        tuple(notes),
    )


def quantile(values: Sequence[float], share: float) -> float:
    """The quantile of at least one value, linear between neighbours (type 7 of Hyndman and Fan 1996)."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = int(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


def count_calls(run: RunReport, trial: TrialRow, data: TrialData, kind: Kind | None = None) -> float | None:
    """The trial's calls of one kind, or all but unknown ones; None without a trajectory."""
    calls = data.calls(run, trial)
    if calls is None:
        return None
    if kind is None:
        return float(sum(call.counted and call.kind != "unknown" for call in calls))
    return float(sum(call.counted and call.kind == kind for call in calls))


def _quantities(run: RunReport, data: TrialData) -> dict[str, Callable[[TrialRow], float | None]]:
    def of_kind(kind: Kind | None) -> Callable[[TrialRow], float | None]:
        return lambda trial: count_calls(run, trial, data, kind)

    found = {"all calls": of_kind(None)}
    found |= {f"{kind} calls": of_kind(kind) for kind in KINDS}
    found["agent seconds"] = lambda trial: trial.agent_seconds
    found["tokens"] = lambda trial: trial.tokens
    found["US dollars"] = lambda trial: trial.cost_usd
    return found


def _row(measured: Measured, name: str, value: Callable[[TrialRow], float | None]) -> Row | None:
    run = measured.run
    found: list[float] = []
    clusters: list[str] = []
    by_attempt: dict[str, dict[int, float]] = {}
    for trial in measured.trials:
        one = value(trial) if trial.finished else None
        if one is not None:
            found.append(one)
            clusters.append(run.cluster(trial))
            by_attempt.setdefault(trial.task, {})[trial.attempt] = one
    if not found or (name.endswith(" calls") and name != "all calls" and not any(found)):
        return None
    rounds = rounds_of(by_attempt)
    return {
        "run": run.name,
        "what": name,
        "n": len(found),
        "mean": Mean.of(found, clusters),
        "median": quantile(found, 0.5),
        "p90": quantile(found, 0.9),
        "max": max(found),
        "attempts": Mean.of(rounds.means) if rounds is not None else None,
    }


def _spent(trial: TrialRow, name: str) -> float | None:
    return trial.cost_usd if name == "cost_usd" else trial.tokens


def _mean(value: object) -> float | None:
    return value.mean if isinstance(value, Mean) else None


def _yes(value: bool) -> str:
    return "yes" if value else "no"


def _picture(name: str, metric: str, rows: Sequence[Row]) -> Markup:
    points: list[Dot] = []
    for hue, row in enumerate(rows):
        x, y = row[name], row["score"]
        if isinstance(x, Mean) and isinstance(y, Mean) and x.mean and y.mean is not None:
            errors = (x.standard_error or 0.0, y.standard_error or 0.0)
            points.append(Dot(str(row["run"]), x.mean, y.mean, *errors, hue))
    if not points:
        return Markup("")
    front = [points[k] for k in pareto_front([(point.x, point.y) for point in points])]
    reach = [point.x + sign * point.x_error for point in points for sign in (-1, 0, 1)]
    high = max(1.0, *[point.y + point.y_error for point in points])
    x_axis = Axis.around(_SPENDING[name], reach, log=True)
    return dots(f"{metric} against {_SPENDING[name]}", points, x_axis, Axis(metric, 0.0, high * 1.02), joined=front)


def _bars(name: str, rows: Sequence[Row], group: Group) -> Markup:
    names = [run.name for run in group.runs]
    by_run = {str(row["run"]): row["mean"] for row in rows if row["what"] == name}
    series = Series(name, [by_run.get(run) for run in names])
    return bars(f"{name} a trial", names, [series], top=None, digits=0 if name == "tokens" else 1)
