"""Searches: what agents that search the literature in free order left of how they did it, and of how they ended."""

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import RunReport
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.tables import Table, tables_section
from pincite_harness.runs.run_folder import RunFolder

STATE = "state.jsonl"
_AGENT = "literature"
_ENDS = "how trials of the agent ended: by the role that did, and what the answer rests on"
_LOOKS = "looks at figures by outcome, their rounds, and ends that were held up by a figure that must be looked at"
_CHECKS = "faults that the checks of an answer found, those left after its mending, and what was taken out"


@dataclass
class Searches:
    """What the events of a run's trials say."""

    trials: int = 0
    outcomes: Counter[str] = field(default_factory=Counter[str])
    ends: Counter[str] = field(default_factory=Counter[str])
    """Who ended the search: the orchestrator, a limit, or a fault."""
    bases: Counter[str] = field(default_factory=Counter[str])
    gates: Counter[str] = field(default_factory=Counter[str])
    looks: Counter[str] = field(default_factory=Counter[str])
    rounds: list[int] = field(default_factory=list[int])
    held: int = 0
    unseen: int = 0
    """Figures that should have been looked at and were not."""
    faults: int = 0
    faults_left: int = 0
    removed: int = 0
    retracted: int = 0
    """Retracted works that an answer cites."""


def searches_of(run: RunReport) -> Searches | None:
    """The searches of a run's trials; None where no trial has any. Lines that cannot be read are passed over: the file
    is the agent's."""
    found = Searches()
    for trial in run.trials:
        for path in sorted((RunFolder(run.path).trial(trial.name) / "agent").rglob(STATE)):
            events = list(_events(path))
            if events and events[0].get("agent") == _AGENT:
                found.trials += 1
                for event in events:
                    _take(found, event)
    return found if found.trials else None


def searches_section(group: Group, heading: str) -> Markup:
    """Tables for each run whose trials searched; nothing where none did."""
    tables = [table for measured in group.measured for table in _tables(measured)]
    return tables_section("Searches", heading, tables)


def searches_json(run: RunReport) -> dict[str, Any] | None:
    """The numbers of the section for report.json; None where no trial searched."""
    found = searches_of(run)
    if found is None:
        return None
    return {
        "trials": found.trials,
        "outcomes": dict(found.outcomes),
        "ended_by": dict(found.ends),
        "bases": dict(found.bases),
        "gate": dict(found.gates),
        "inspections": {"outcomes": dict(found.looks), "mean_rounds": _mean(found.rounds)},
        "held": found.held,
        "unseen_figures": found.unseen,
        "checks": {"faults": found.faults, "left": found.faults_left, "removed": found.removed},
        "retracted_cited": found.retracted,
    }


def _take(found: Searches, event: Mapping[str, Any]) -> None:
    match event.get("kind"):
        case "Gated":
            found.gates[str(event.get("decision"))] += 1
        case "Inspected":
            found.looks[str(event.get("outcome"))] += 1
            found.rounds.append(len(_list(event.get("rounds"))))
        case "Held":
            found.held += 1
        case "Stopped":
            found.ends[str(event.get("by"))] += 1
            found.bases[str(event.get("basis"))] += 1
            found.unseen += len(_list(event.get("unseen")))
        case "Checked":
            faults = len(_list(event.get("faults")))
            if event.get("stage") == "first":
                found.faults += faults
            else:
                found.faults_left += faults
        case "Removed":
            found.removed += 1
        case "Stood":
            found.retracted += event.get("retracted") == "yes"
        case "Delivered":
            found.outcomes[str(event.get("outcome"))] += 1
        case _:
            return


def _tables(measured: Measured) -> list[Table]:
    found = searches_of(measured.run)
    if found is None:
        return []
    name = measured.run.name
    ends = [
        ["Trials", str(found.trials)],
        ["Outcome", _told(found.outcomes)],
        ["Ended by", _told(found.ends)],
        ["Basis", _told(found.bases)],
        ["Gate", _told(found.gates)],
        ["Retracted works cited", str(found.retracted)],
    ]
    looks = [
        ["Inspections", _told(found.looks)],
        ["Rounds, mean", f"{_mean(found.rounds):.2f}"],
        ["Ends held up", str(found.held)],
        ["Figures left out", str(found.unseen)],
    ]
    checks = [
        ["Faults", str(found.faults)],
        ["Left after mending", str(found.faults_left)],
        ["Taken out", str(found.removed)],
    ]
    tables = {_ENDS: ends, _LOOKS: looks, _CHECKS: checks}
    return [Table(f"{name}: {about}", ["", "Count"], rows) for about, rows in tables.items()]


def _told(counts: Counter[str]) -> str:
    return ", ".join(f"{word} {count}" for word, count in counts.most_common()) or "–"


def _mean(numbers: list[int]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


def _list(value: object) -> list[object]:
    return cast("list[object]", value) if isinstance(value, list) else []


def _events(path: Path) -> Iterator[dict[str, Any]]:
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            event: object = json.loads(line)
        except ValueError:
            continue
        if isinstance(event, dict):
            yield cast("dict[str, Any]", event)
