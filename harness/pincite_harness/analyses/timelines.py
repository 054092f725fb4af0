"""A13: what trials spend their time with, and how debates go from round to round."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path

from pincite_harness.analyses.analysis import Analysis, Column, Row
from pincite_harness.analyses.stacks import stacks
from pincite_harness.analyses.trials import TrialData
from pincite_harness.reports.debates import debates_of
from pincite_harness.reports.groups import Group
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.pictures import Axis, lines
from pincite_scoring.statistics import Mean
from pincite_trajectory.build import MODEL_WIRE, TOOL_WIRE
from pincite_trajectory.wire import read_records

Interval = tuple[datetime, datetime]
_PARTS = ("model", "tools", "idle")


def time_spent(group: Group, data: TrialData) -> Analysis | None:
    """Seconds of the agent in which a model was asked, a tool ran and no model, and neither."""
    rows: list[Row] = []
    bars: list[tuple[str, dict[str, int]]] = []
    for measured in group.measured:
        found: list[tuple[float, float, float]] = []
        clusters: list[str] = []
        for trial in measured.trials:
            if trial.agent_seconds is not None and trial.record is not None and trial.record.model_calls:
                found.append(split_time(data.folder(measured.run, trial), trial.agent_seconds))
                clusters.append(measured.run.cluster(trial))
        if not found:
            continue
        means = [Mean.of([one[k] for one in found], clusters) for k in range(len(_PARTS))]
        whole = sum(mean.mean or 0.0 for mean in means)
        for name, mean in zip(_PARTS, means, strict=True):
            share = (mean.mean or 0.0) / whole if whole else None
            rows.append({"run": measured.run.name, "with": name, "n": len(found), "seconds": mean, "share": share})
        counts = {name: round(mean.mean or 0.0) for name, mean in zip(_PARTS, means, strict=True)}
        if any(counts.values()):
            bars.append((measured.run.name, counts))
    if not rows:
        return None
    columns = (
        Column("run", "Run"),
        Column("with", "Time with"),
        Column("n", "Trials"),
        Column("seconds", "Seconds a trial", 2),
        Column("share", "Share", 3),
    )
    about = (
        "agent seconds of a trial in which at least one model call was under way, a tool call and no model call, and"
        " neither (the program's own work, and waiting); calls that overlap count once"
    )
    picture = stacks("Mean seconds of a trial", _PARTS, bars) if bars else Markup("")
    return Analysis("time", "Time with model, tools and idle", about, columns, tuple(rows), picture)


def rounds(group: Group, _data: TrialData) -> Analysis | None:
    """Mean confidence of claims by round, and modes, of agents that debate."""
    rows: list[Row] = []
    series: list[tuple[str, list[tuple[float, float]]]] = []
    for measured in group.measured:
        debates = debates_of(measured.run)
        if debates is None:
            continue
        means = {number: Mean.of(held) for number, held in sorted(debates.confidence.items())}
        for number, mean in means.items():
            rows.append(
                {"run": measured.run.name, "what": f"confidence in round {number}", "n": mean.n, "value": mean.mean}
            )
        lengths = [count for each in debates.fields.values() for count in each.rounds]
        if lengths:
            rows.append(
                {
                    "run": measured.run.name,
                    "what": "rounds of a debate",
                    "n": len(lengths),
                    "value": sum(lengths) / len(lengths),
                }
            )
        modes: dict[str, int] = {}
        for each in debates.fields.values():
            for mode, count in each.modes.items():
                modes[mode] = modes.get(mode, 0) + count
        whole = sum(modes.values())
        for mode, count in sorted(modes.items()):
            rows.append(
                {"run": measured.run.name, "what": f"rounds that are {mode}", "n": whole, "value": count / whole}
            )
        series.append((measured.run.name, [(float(k), mean.mean or 0.0) for k, mean in means.items()]))
    if not rows:
        return None
    last = max((x for _, points in series for x, _ in points), default=1.0)
    about = (
        "mean confidence of page agents' claims by round (0 is before the debates), rounds a debate, shares of modes"
    )
    columns = (Column("run", "Run"), Column("what", "What"), Column("n", "n"), Column("value", "Value", 3))
    picture = lines(
        "Confidence by round", series, Axis("round", 0.0, last or 1.0), Axis("confidence", 0.0, 1.0), marked=True
    )
    return Analysis("rounds", "Rounds and confidence", about, columns, tuple(rows), picture)


def split_time(folder: Path, whole: float) -> tuple[float, float, float]:
    """Seconds with a model, with tools alone and with neither, of ``whole`` seconds of the agent."""
    model = union(intervals_of(folder / MODEL_WIRE))
    both = union([*model, *intervals_of(folder / TOOL_WIRE)])
    with_model, with_any = _length(model), _length(both)
    return with_model, with_any - with_model, max(whole - with_any, 0.0)


def intervals_of(path: Path) -> list[Interval]:
    """When each request of a wire record was under way; those without an end are left out."""
    began: dict[int, datetime] = {}
    found: list[Interval] = []
    for record in read_records(path):
        number = record.get("seq")
        if not isinstance(number, int):
            continue
        try:
            if record.get("kind") == "request":
                began[number] = datetime.fromisoformat(str(record.get("at")))
            elif record.get("kind") == "response" and number in began:
                seconds = float(record.get("seconds") or 0.0)
                found.append((began[number], began[number] + timedelta(seconds=seconds)))
        except (TypeError, ValueError):
            continue
    return found


def union(intervals: Sequence[Interval]) -> list[Interval]:
    """The same time as intervals that do not overlap."""
    merged: list[Interval] = []
    for start, end in sorted(intervals):
        if merged and start <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((start, end))
    return merged


def _length(intervals: Sequence[Interval]) -> float:
    return sum((end - start).total_seconds() for start, end in intervals)
