"""A small schema, its gold, and the bundled tasks."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite_papers.model import Paper
from pincite_papers.pdf.parse import parse_pdf
from pincite_scoring import Case, Score, ScoringOptions
from pincite_scoring.record_filling.scorer import SCORER

FAMILY = Path(__file__).resolve().parents[3] / "tasks" / "record_filling"

SCHEMA = """
name = "samples"
object = "One sample."
identity = ["name"]
placeholders = ["n/a", "not reported"]
[[fields]]
name = "name"
definition = "Its name."
[fields.synonyms]
"A1" = ["first sample"]
[[fields]]
name = "dose"
definition = "Its mass."
kind = "number"
unit = "µg"
[[fields]]
name = "host"
definition = "Who got it."
kind = "label"
labels = ["mouse", "rat"]
[fields.synonyms]
"mouse" = ["mice"]
[[fields]]
name = "routes"
definition = "How they got it."
many = true
[[fields]]
name = "remark"
definition = "What happened."
judged = true
[[dependencies]]
when = { host = "rat" }
empties = ["routes"]
"""

NONE: dict[str, Paper] = {}
Scoring = Callable[..., Score]


@pytest.fixture(scope="session")
def schema() -> str:
    return SCHEMA


@pytest.fixture(scope="session")
def gold() -> dict[str, Any]:
    """Two objects with 5 and 3 values: 8 values, 2 rows."""
    first = {"name": "A1", "dose": "50 µg", "host": "mouse", "routes": ["s.c.", "i.m."]}
    return {"objects": [first, {"name": "B2", "dose": "25 µg", "host": "rat"}]}


@pytest.fixture(scope="session")
def scored(schema: str) -> Scoring:
    def run(
        answer: Any, gold: Any, text: str = schema, papers: dict[str, Paper] | None = None, **options: Any
    ) -> Score:
        return SCORER.score(Case(answer, gold, papers or {}, {"schema": text}), ScoringOptions(**options))

    return run


@pytest.fixture(scope="session")
def records() -> list[dict[str, Any]]:
    lines = (FAMILY / "records.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="session")
def bundled() -> Callable[[str], dict[str, Paper]]:
    """The paper of a bundled task, as scorers get it."""
    return lambda name: {f"{name}.pdf": parse_pdf((FAMILY / "papers" / f"{name}.pdf").read_bytes(), max_pages=20)}
