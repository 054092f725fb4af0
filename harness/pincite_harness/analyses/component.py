"""A5: what a component does on the tasks where it was used at all."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pincite_core.errors import BadInputError
from pincite_harness.analyses.analysis import Analysis, Column, Row
from pincite_harness.analyses.trials import TrialData
from pincite_harness.reports.debates import STATE
from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import RunReport, TrialRow
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.pictures import Axis, Dot, dots
from pincite_harness.reports.statistics import task_means
from pincite_scoring.statistics import Mean, compare_runs

_KINDS = ("tool", "event", "role")


def check_predicate(text: str) -> str:
    """``tool:NAME`` (a tool, ``server.tool`` or a server was called), ``event:KIND`` (an event of that kind stands in
    state.jsonl) or ``role:NAME`` (a model request had that label). BadInputError for anything else."""
    kind, _, name = text.partition(":")
    if kind not in _KINDS or not name:
        raise BadInputError(
            f"{text!r} does not say what was used.", next="--used tool:figures.inspect_figure, event:KIND or role:NAME"
        )
    return text


def component_effect(group: Group, data: TrialData) -> Analysis | None:
    """The first run against each other one, on all tasks and on those where the first used a component."""
    if len(group.measured) < 2 or not group.headline:
        return None
    full, metric = group.measured[0], group.headline[0]
    rows: list[Row] = []
    for other in group.measured[1:]:
        for used in data.used or _withheld(full.run, other.run):
            tasks = used_in(full.run, data, used)
            for what, chosen in (("all tasks", None), ("tasks where it was used", tasks)):
                row = _compared(full.run, other.run, metric.name, chosen)
                rows.append({"run": other.run.name, "component": used, "on": what, **row})
    if not rows:
        return None
    columns = (
        Column("run", "Run without"),
        Column("component", "Component"),
        Column("on", "On"),
        Column("n", "Tasks"),
        Column("full", "With", 3),
        Column("without", "Without", 3),
        Column("effect", "With less without", 3),
        Column("p_t", "p: t", 3),
    )
    return Analysis(
        "component",
        "Component effect",
        f"{metric.title}, paired by task, of the first run less each other one: on all tasks of both, and on those"
        " where some attempt of the first run used the component (the clean subset); components are those that the"
        " other run goes without, or that were named",
        columns,
        tuple(rows),
        _picture(rows, metric.title),
    )


def used_in(run: RunReport, data: TrialData, predicate: str) -> set[str]:
    """The tasks of which some attempt used the component."""
    return {trial.task for trial in run.trials if _uses(run, trial, data, predicate)}


def _uses(run: RunReport, trial: TrialRow, data: TrialData, predicate: str) -> bool:
    kind, _, name = predicate.partition(":")
    if kind == "role":
        return trial.record is not None and name in trial.record.roles
    if kind == "event":
        agent = data.folder(run, trial) / "agent"
        return any(name in event_kinds(path) for path in sorted(agent.rglob(STATE)))
    names = {(call.name, call.server, f"{call.server}.{call.name}") for call in data.calls(run, trial) or []}
    return any(name in each for each in names)


def event_kinds(path: Path) -> set[str]:
    """The kinds of events in a state file; lines that cannot be read are passed over: the file is the agent's."""
    found: set[str] = set()
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            event: Any = json.loads(line)
            found.add(str(event["kind"]))
        except (ValueError, KeyError, TypeError):
            continue
    return found


def _withheld(full: RunReport, other: RunReport) -> list[str]:
    """The servers and tools that the other run alone goes without."""
    less = other.document.specification.less
    return [f"tool:{name}" for name in less if name not in full.document.specification.less]


def _compared(full: RunReport, other: RunReport, metric: str, tasks: set[str] | None) -> dict[str, object]:
    mine, theirs = task_means(full, metric), task_means(other, metric)
    if tasks is not None:
        mine = {task: value for task, value in mine.items() if task in tasks}
        theirs = {task: value for task, value in theirs.items() if task in tasks}
    clusters = {trial.task: full.cluster(trial) for trial in full.trials}
    clusters = {trial.task: other.cluster(trial) for trial in other.trials} | clusters
    pair = compare_runs(theirs, mine, clusters)
    if pair is None:
        return {"n": 0, "full": None, "without": None, "effect": None, "p_t": None}
    return {
        "n": pair.difference.n,
        "full": pair.second,
        "without": pair.first,
        "effect": pair.difference,
        "p_t": pair.p_t,
    }


def _picture(rows: Sequence[Row], metric: str) -> Markup:
    points: list[Dot] = []
    for place, row in enumerate(rows):
        effect = row["effect"]
        if isinstance(effect, Mean) and effect.mean is not None:
            name = f"{row['component']}, {row['on']} (n = {row['n']})"
            points.append(
                Dot(name, effect.mean, float(len(rows) - place), effect.standard_error or 0.0, 0.0, place // 2)
            )
    if not points:
        return Markup("")
    reach = [0.0, *[point.x + sign * point.x_error for point in points for sign in (-1, 1)]]
    title = f"effect on {metric}, ± one standard error"
    return dots(title, points, Axis.around(title, reach), Axis("", 0.0, len(rows) + 1.0, bare=True))
