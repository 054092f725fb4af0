"""Bundled tasks of table_construction, and small gold tables."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite_scoring import Case, Score, ScoringOptions
from pincite_scoring.judging.judge import Question, Verdict
from pincite_scoring.table_construction.scorer import SCORER

FAMILY = Path(__file__).resolve().parents[3] / "tasks" / "table_construction"


class FixedJudge:
    """Gives fixed labels by item, and keeps what it was asked."""

    name = "fixed/1"

    def __init__(self, labels: dict[str, str]) -> None:
        self.labels = labels
        self.asked: list[Question] = []

    def decide(self, question: Question) -> Verdict:
        self.asked.append(question)
        return Verdict({item.name: self.labels.get(item.name) for item in question.rubric.items}, self.name)


@pytest.fixture(scope="session")
def records() -> dict[str, dict[str, Any]]:
    lines = (FAMILY / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return {record["task_id"]: record for record in map(json.loads, lines)}


@pytest.fixture
def fixed_judge() -> Callable[..., FixedJudge]:
    def made(**labels: str) -> FixedJudge:
        return FixedJudge({name.replace("_", " "): label for name, label in labels.items()})

    return made


@pytest.fixture
def mark() -> Callable[..., Score]:
    """Score an answer; without a judge by the rules."""

    def scored(gold: Any, answer: Any, judge: Any = None, compat: Any = "strict", **parameters: Any) -> Score:
        options = ScoringOptions(compat=compat) if judge is None else ScoringOptions(judge, compat)
        return SCORER.score(Case(answer, gold, parameters=parameters), options)

    return scored


@pytest.fixture
def table() -> Callable[..., dict[str, Any]]:
    """A gold table of rows given as lists; ``k`` is the key unless others are named."""

    def made(columns: str, *rows: list[Any], keys: str = "k", **more: Any) -> dict[str, Any]:
        names = columns.split("|")
        cells = [dict(zip(names, row, strict=True)) for row in rows]
        return {"columns": names, "keys": keys.split("|"), "rows": cells, **more}

    return made
