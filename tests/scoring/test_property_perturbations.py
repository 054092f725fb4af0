"""Bundled gold answers of property_extraction changed in one place: the scores move as the definitions say.

What is expected is written down with each change, by counting; every record meets one kind of change, and every paper
all of them.
"""

import copy
import json
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from pincite_papers.pdf.parse import parse_pdf
from pincite_scoring import Case, ScoringOptions, score

FAMILY = Path(__file__).parents[2] / "tasks" / "property_extraction"
TASKS = [json.loads(line) for line in (FAMILY / "records.jsonl").read_text(encoding="utf-8").splitlines()]

Record = dict[str, Any]
Expected = Mapping[str, Fraction | int]
RATES = ("f1_0.1%", "f1_1%", "f1_10%")


def outside(record: Record) -> str:
    """A value that is neither the gold's nor within 10 % of it, as printed."""
    return "98765.4321" if any(sign.isdigit() for sign in record["value_string"]) else "no such label"


def alter(field: str, value: Callable[[Record], Any], wrong: tuple[str, ...]) -> Callable[..., Expected]:
    """Change one field of one of n records; ``wrong`` are the shares that lose this record."""

    def change(records: list[Record], index: int) -> Expected:
        place = records[index]
        *outer, inner = field.split(".")
        for step in outer:
            place = place[step]
        place[inner] = value(records[index])
        return dict.fromkeys(wrong, Fraction(len(records) - 1, len(records)))

    return change


UNMATCHED = ("precision", "recall", "match_precision", "match_recall", "match_f1", *RATES)


def rename_and_move(records: list[Record], index: int) -> Expected:
    """A name that nobody knows, and a quote at another place: neither name nor evidence tells which record it is."""
    records[index]["property_name"] = "frobnicity"
    records[index]["location"]["evidence"] = "This sentence stands nowhere in the paper."
    return dict.fromkeys((*UNMATCHED, "evidence_verified"), Fraction(len(records) - 1, len(records)))


def leave_out(records: list[Record], index: int) -> Expected:
    recall = Fraction(len(records) - 1, len(records))
    del records[index]
    return shares(Fraction(1), recall)


def make_up(records: list[Record], index: int) -> Expected:
    n = len(records)
    records.append({**copy.deepcopy(records[index]), "property_name": "frobnicity"})
    return shares(Fraction(n, n + 1), Fraction(1))


def shares(precision: Fraction, recall: Fraction) -> Expected:
    """All rates where every answered record that has a match is right."""
    rate = 2 * precision * recall / (precision + recall)
    sides = {"precision": precision, "match_precision": precision, "recall": recall, "match_recall": recall}
    return {**sides, "match_f1": rate, **dict.fromkeys(RATES, rate)}


CHANGES: tuple[Callable[..., Expected], ...] = (
    alter("value_string", outside, ("precision", "recall", *RATES)),
    alter("property_name", lambda _: "frobnicity", ()),
    rename_and_move,
    alter("material_or_system", lambda _: "sample 17 of another paper", UNMATCHED),
    alter("location.evidence", lambda _: "This sentence stands nowhere in the paper.", ("evidence_verified",)),
    alter("location.page", lambda record: record["location"]["page"] + 40, ("evidence_verified",)),
    leave_out,
    make_up,
)
WHOLE = ("precision", "recall", "match_precision", "match_recall", "match_f1", "evidence_verified", *RATES)


@pytest.mark.parametrize("task", TASKS, ids=lambda task: str(task["task_id"]))
def test_each_change_moves_the_scores_by_its_share(task: dict[str, Any]) -> None:
    papers = {name: parse_pdf((FAMILY / name).read_bytes(), max_pages=20) for name in task["inputs"]["papers"]}
    gold = task["gold"]["properties"]
    assert len(gold) >= 2 * len(CHANGES)
    for index in range(len(gold)):
        answer = copy.deepcopy(gold)
        moved = CHANGES[index % len(CHANGES)](answer, index)
        result = score("property_extraction", Case({"properties": answer}, task["gold"], papers), ScoringOptions())
        for name in WHOLE:
            assert result.metrics[name] == pytest.approx(float(moved.get(name, 1)), abs=1e-12), (index, name)
