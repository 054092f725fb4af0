"""The bundled tasks: their gold is sound, the oracle scores 1.0 on everything, an empty answer 0."""

import copy
import json
from pathlib import Path
from typing import Any

import pytest

from pincite_materials.identity import same_material
from pincite_papers.pdf.parse import parse_pdf
from pincite_scoring import Case, ScoringOptions, score
from pincite_scoring.property_extraction.gold import validate_gold
from pincite_scoring.property_extraction.matcher import LexiconMatcher
from pincite_scoring.property_extraction.records import Problem, read_records

FAMILY = Path(__file__).resolve().parents[2] / "tasks" / "property_extraction"
TASKS: dict[str, dict[str, Any]] = {
    task["task_id"]: task for task in map(json.loads, (FAMILY / "records.jsonl").read_text("utf-8").splitlines())
}
METRICS = (
    "precision", "recall", "f1", "f1_0.1%", "f1_1%", "f1_10%", "match_precision", "match_recall", "match_f1",
    "evidence_verified", "value_in_quote",
)  # fmt: skip
CONFUSABLE = {("ws2_transistor", 1)}
"""Pairs of gold records that the matcher would accept for each other: a peak left unnamed."""


@pytest.mark.parametrize("name", sorted(TASKS))
def test_the_oracle_scores_one_and_nothing_scores_zero(name: str) -> None:
    task = TASKS[name]
    papers = {path: parse_pdf((FAMILY / path).read_bytes(), max_pages=20) for path in task["inputs"]["papers"]}
    assert [str(problem) for problem in validate_gold(task["gold"], papers) if problem.fatal] == []
    for compat in ("strict", "reference"):
        options = ScoringOptions(compat=compat)
        result = score("property_extraction", Case(copy.deepcopy(task["gold"]), task["gold"], papers), options)
        assert {metric: result.metrics[metric] for metric in METRICS} == dict.fromkeys(METRICS, 1.0), compat
        nothing = score("property_extraction", Case(None, task["gold"], papers), options)
        assert (nothing.status, nothing.metrics["f1"]) == ("scored", 0.0)


@pytest.mark.parametrize("name", sorted(TASKS))
def test_gold_records_are_not_taken_for_each_other(name: str) -> None:
    reading = read_records(TASKS[name]["gold"])
    assert not isinstance(reading, Problem)
    matcher = LexiconMatcher()
    confused = [
        (a.property_name, a.value_string, b.value_string)
        for i, a in reading.records.items()
        for j, b in reading.records.items()
        if i < j and same_material(a.material_or_system, b.material_or_system) and matcher.decide(a, b).match
    ]
    assert len(confused) == dict(CONFUSABLE).get(name, 0), confused
