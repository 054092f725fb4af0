"""Outcomes: what labels that hold say of records: corrections of gold, and records for an archive."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import orjson

from pincite_core.errors import BadInputError, NotFoundError
from pincite_core.json_fields import items, mapping
from pincite_scoring.judging.labelled import Line, read_lines
from pincite_tasks.files import write_atomic

_RIGHT = {"property": "right", "value": "right", "quote": "right"}
Action = Literal["add", "replace", "remove"]


@dataclass(frozen=True, slots=True)
class Correction:
    """A change of a task's gold: ``record`` is added, or put in place of the gold's ``old``; ``old`` is removed."""

    task: str
    action: Action
    record: Mapping[str, Any] | None
    old: Mapping[str, Any] | None
    place: str


def accepted(line: Line) -> bool:
    """Whether people accept the record of a line: by ``candidate`` the decision, by ``evidence`` all that is asked."""
    return line.labels.get("decision") == "accept" or line.labels == _RIGHT


def rejected(line: Line) -> bool:
    """Whether people reject it: by ``evidence`` where property or value is wrong."""
    wrong = "wrong" in (line.labels.get("property"), line.labels.get("value"))
    return line.labels.get("decision") == "reject" or wrong


def corrections_in(path: Path) -> list[Correction]:
    """What the labels of a file change of gold.

    An accepted record of an answer is added, or put in place of the gold record that it was matched with where the two
    differ; a rejected gold record is removed, or corrected where somebody wrote what is right. All else changes
    nothing. BadInputError where the file has no label of a record.
    """
    found: list[Correction] = []
    for place, line in _of_records(path):
        task, record = str(line.origin["task"]), mapping(line.origin["record"])
        gold = mapping(line.origin.get("gold")) or None
        if line.origin.get("side") == "gold":
            if rejected(line):
                right = _corrected(record, line.corrections)
                found.append(Correction(task, "replace" if right else "remove", right, record, place))
        elif accepted(line):
            if gold is None:
                found.append(Correction(task, "add", record, None, place))
            elif gold != record:
                found.append(Correction(task, "replace", record, gold, place))
    return found


def write_archive(path: Path, out: Path) -> tuple[int, int]:
    """Write the accepted records by task, as sudokufill's archive of earlier papers has them: without evidence. How
    many tasks and records; NotFoundError where nothing was accepted, BadInputError where ``out`` is there."""
    if out.exists():
        raise BadInputError(f"{out} already exists.", next="Name another file, or remove it.")
    tasks: dict[str, list[Mapping[str, Any]]] = {}
    for _, line in _of_records(path):
        if accepted(line):
            record = mapping(line.origin["record"])
            plain = {name: value for name, value in record.items() if name not in ("evidence", "location")}
            tasks.setdefault(str(line.origin["task"]), []).append(plain)
    if not tasks:
        raise NotFoundError("No record was accepted.", seen=str(path), next="Label by candidate or by evidence.")
    lines = [orjson.dumps({"task": task, "records": records}) + b"\n" for task, records in tasks.items()]
    write_atomic(out, b"".join(lines))
    return len(tasks), sum(map(len, tasks.values()))


def apply_to(gold: Any, corrections: Sequence[Correction]) -> tuple[Any, list[str]]:
    """The gold with its one list of records corrected, and what could not be: where the record that is replaced or
    removed is not there any more, or gold has no such list."""
    held = mapping(gold)
    if not held or not corrections:
        return gold, []
    lists = [name for name, value in held.items() if isinstance(value, list)]
    if len(lists) != 1:
        return gold, [f"{each.place}: the gold of {each.task} is not one list of records" for each in corrections]
    records = list(items(held[lists[0]]))
    missed: list[str] = []
    for each in corrections:
        at = records.index(each.old) if each.old in records else -1
        if each.action == "add":
            if each.record not in records:
                records.append(each.record)
        elif at < 0:
            missed.append(f"{each.place}: the gold of {each.task} does not have the record that it is about")
        elif each.action == "remove":
            del records[at]
        else:
            records[at] = each.record
    return {**held, lists[0]: records}, missed


def _corrected(record: Mapping[str, Any], corrections: Mapping[str, str]) -> Mapping[str, Any] | None:
    """The record with the values that somebody wrote; None where none was written for a field that it has."""
    changed = dict(record)
    for item, names in _FIELDS.items():
        text = corrections.get(item, "").strip()
        known = next((name for name in names if name in changed), None)
        if text and known is not None:
            changed[known] = text
    return changed if changed != record else None


_FIELDS = {"property": ("property_name", "property"), "value": ("value_string", "value")}
"""The fields of a record that the items of ``evidence`` are about."""


def _of_records(path: Path) -> Iterator[tuple[str, Line]]:
    found = False
    for place, line in read_lines(path):
        if mapping(line.origin.get("record")) and "task" in line.origin:
            found = True
            yield place, line
    if not found:
        raise BadInputError(
            f"{path} has no label of a record.",
            next="Give what pincite label compare --out wrote for a queue of records or quotes.",
        )
