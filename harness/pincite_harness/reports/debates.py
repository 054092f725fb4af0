"""Debates: what agents that fill records field by field left of how they did it: orders, rounds, modes, sources."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations
from pathlib import Path
from typing import Any

from pincite_harness.reports.anchors import Anchors
from pincite_harness.reports.groups import Group
from pincite_harness.reports.loading import RunReport
from pincite_harness.reports.markup import Markup
from pincite_harness.reports.measured import Measured
from pincite_harness.reports.tables import Table, tables_section
from pincite_harness.runs.run_folder import RunFolder

STATE = "state.jsonl"
_MODES = ("regular", "anti_bias", "re_thinking")
_ABOUT = (
    "rounds and their modes by field, over trials; the share of debates that converged, and of cells with one source"
)


@dataclass
class FieldDebates:
    """The debates of one field over all trials of a run: one each, or several where objects are debated apart."""

    rounds: list[int] = field(default_factory=list[int])
    modes: Counter[str] = field(default_factory=Counter[str])
    converged: int = 0
    cells: int = 0
    single: int = 0
    """Cells that rest on one page."""


@dataclass
class Debates:
    """What the events of a run's trials say. ``orders`` are the orders of fields by task, one an attempt."""

    orders: dict[str, list[list[str]]] = field(default_factory=dict[str, list[list[str]]])
    fields: dict[str, FieldDebates] = field(default_factory=dict[str, FieldDebates])
    confidence: dict[int, list[float]] = field(default_factory=dict[int, list[float]])
    """Confidences (0 to 1) of page agents' claims by round; 0 is the matrix before all debates."""
    anchors: Anchors = field(default_factory=Anchors)

    @property
    def same_order(self) -> tuple[int, int]:
        """Tasks of several attempts whose orders are all the same, and how many such tasks there are."""
        several = [orders for orders in self.orders.values() if len(orders) > 1]
        return sum(all(order == orders[0] for order in orders) for orders in several), len(several)

    @property
    def kendall(self) -> float | None:
        """Mean Kendall tau (-1 to 1) of pairs of different orders of one task; None where there are none."""
        pairs = [pair for orders in self.orders.values() for pair in combinations(orders, 2) if pair[0] != pair[1]]
        taus = [kendall_tau(first, second) for first, second in pairs]
        return sum(taus) / len(taus) if taus else None


def debates_of(run: RunReport) -> Debates | None:
    """The debates of a run's trials; None where no trial has any. Lines that cannot be read are passed over: the file
    is the agent's."""
    found = Debates()
    for trial in run.trials:
        for path in sorted((RunFolder(run.path).trial(trial.name) / "agent").rglob(STATE)):
            events = list(_events(path))
            for event in events:
                _take(found, trial.task, event)
            if trial.score is not None and trial.scored:
                found.anchors.add(events, trial.score.records)
    return found if found.orders else None


def kendall_tau(first: Sequence[str], second: Sequence[str]) -> float:
    """Kendall's tau of two orders, over what stands in both: 1 for the same order, -1 for the reverse."""
    shared = [name for name in first if name in second]
    place = {name: number for number, name in enumerate(second)}
    pairs = list(combinations(shared, 2))
    if not pairs:
        return 1.0
    agreeing = sum(place[one] < place[other] for one, other in pairs)
    return 2 * agreeing / len(pairs) - 1


def debates_section(group: Group, heading: str) -> Markup:
    """Tables for each run whose trials debated; nothing where none did."""
    tables = [table for measured in group.measured for table in _tables(measured)]
    return tables_section("Debates", heading, tables)


def debates_json(run: RunReport) -> dict[str, Any] | None:
    """The numbers of the section for report.json; None where no trial debated."""
    debates = debates_of(run)
    if debates is None:
        return None
    same, several = debates.same_order
    return {
        "orders": {"tasks": several, "same": same, "kendall_tau": debates.kendall},
        "fields": {name: _field_json(each) for name, each in debates.fields.items()},
        "confidence_by_round": {str(number): _mean(held) for number, held in sorted(debates.confidence.items())},
        "anchors": {
            "shown": debates.anchors.shown,
            "wrong": debates.anchors.wrong,
            "lost": debates.anchors.lost,
            "fields": {name: asdict(each) for name, each in debates.anchors.fields.items()},
        },
    }


def _tables(measured: Measured) -> list[Table]:
    debates = debates_of(measured.run)
    if debates is None:
        return []
    name = measured.run.name
    header = ["Field", "Debates", "Rounds", *_MODES, "Converged", "Cells", "One source"]
    fields = [_row(word, each) for word, each in debates.fields.items()]
    by_round = sorted(debates.confidence.items())
    about = f"{name}: mean confidence of page agents' claims by round; 0 is before the debates"
    rows = [[str(number), f"{_mean(held):.2f}", str(len(held))] for number, held in by_round]
    return [
        Table(f"{name}: {_ABOUT}", header, fields, opening=_ordered(name, debates)),
        Table(about, ["Round", "Confidence", "Claims"], rows),
        *_anchor_tables(name, debates.anchors),
    ]


def _anchor_tables(name: str, anchors: Anchors) -> list[Table]:
    """What was settled wrong and shown to later fields; nothing where no trial has gold."""
    if not anchors.shown:
        return []
    about = f"{name}: values shown to later fields, wrong ones, and later values of their objects that were lost"
    opening = (
        f"{name}: {anchors.wrong} of {anchors.shown} values that later fields were shown are wrong; "
        f"{anchors.lost} values after them are wrong or missing and were right in the matrix alone."
    )
    rows = [[word, str(each.shown), str(each.wrong), str(each.lost)] for word, each in anchors.fields.items()]
    return [Table(about, ["Field", "Shown", "Wrong", "Lost after"], rows, opening=opening)]


def _ordered(name: str, debates: Debates) -> str:
    same, several = debates.same_order
    if not several:
        return f"{name}: every task was ordered once; several attempts tell how stable the order of fields is."
    tau = f"; mean Kendall tau of the others {debates.kendall:.2f}" if debates.kendall is not None else ""
    return f"{name}: the same order of fields in all attempts at {same} of {several} tasks{tau}."


def _row(name: str, of: FieldDebates) -> list[str]:
    modes = [str(of.modes[mode]) for mode in _MODES]
    single = f"{of.single / of.cells:.0%}" if of.cells else "–"
    debates = len(of.rounds)
    return [name, str(debates), f"{_mean(of.rounds):.1f}", *modes, str(of.converged), str(of.cells), single]


def _field_json(of: FieldDebates) -> dict[str, Any]:
    return {
        "debates": len(of.rounds),
        "mean_rounds": _mean(of.rounds),
        "modes": {mode: of.modes[mode] for mode in _MODES},
        "converged": of.converged,
        "cells": of.cells,
        "single_source": of.single,
    }


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0


def _take(found: Debates, task: str, event: dict[str, Any]) -> None:
    kind = event.get("kind")
    if kind == "Ranked":
        found.orders.setdefault(task, []).append([str(name) for name in event["order"]])
    elif kind == "Probed":
        found.confidence.setdefault(0, []).extend(float(claim["confidence"]) for claim in event["claims"])
    elif kind == "Positioned":
        held = found.confidence.setdefault(int(event["round"]), [])
        held.extend(float(claim["confidence"]) for claim in event["claims"])
    elif kind == "Written":
        written = found.fields.setdefault(str(event["field"]), FieldDebates())
        written.rounds.append(int(event["rounds"]))
        written.modes.update(str(mode) for mode in event["modes"])
        written.converged += event["why"] == "converged"
        written.cells += len(event["cells"])
        written.single += sum(len(cell["pages"]) <= 1 for cell in event["cells"])


def _events(path: Path) -> Iterator[dict[str, Any]]:
    """The events of a state file that are whole and of the kinds that are counted."""
    for line in path.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            event: Any = json.loads(line)
            _take(Debates(), "", event)
        except (ValueError, KeyError, TypeError, AttributeError):
            continue
        yield event
