"""Gold that is wrong is found before anybody is scored by it."""

from collections.abc import Mapping
from typing import Any

import pytest

from pincite_papers.model import Paper
from pincite_scoring import Case
from pincite_scoring.scorer import get_scorer
from pincite_tasks.family import Family

OPTIONS = ["(A) argon", "(B) nitrogen", "(C) Insufficient information to answer the question"]
PAPER = {"paper": "kelp_nitrate.pdf", "page": 1, "quote": "Phosphate was held at 2 μmol/L throughout"}
HERRING = {"doi": "10.5555/aio.2017.5.0201", "quote": "At night most larvae were caught at 12 m"}
TEXT = {"kind": "text", "answer": "phosphate"}
CHOICE = {"kind": "choice", "answer": "B"}


def problems(
    family: Family, papers: Mapping[str, Paper], gold: Any, fatal: bool = True, **parameters: Any
) -> list[str]:
    corpus = family.folder / "corpora" / "fjord"
    given = {"question": "What?", "options": OPTIONS, **parameters}
    case = Case(None, gold, papers, given, corpus=corpus)
    return [str(each) for each in get_scorer("literature_qa").check(case) if each.fatal is fatal]


FATAL: list[tuple[Any, dict[str, Any], str]] = [
    ({"kind": "text"}, {}, "answer"),
    ({"kind": "list", "answer": "a"}, {}, "of kind list is a list"),
    ({**CHOICE, "accept": ["x"]}, {}, "accept is not for the kind choice"),
    ({**TEXT, "tolerance": -1}, {}, "tolerance"),
    ({**TEXT, "more": 1}, {}, "more"),
    (TEXT, {"question": " "}, "asks nothing"),
    ({"kind": "choice", "answer": "D"}, {}, "'D' is not an option"),
    (CHOICE, {"options": OPTIONS[:2]}, "must be one of the options"),
    (CHOICE, {"options": [*OPTIONS, "(D) Nitrogen."]}, "two options read the same"),
    (CHOICE, {"options": ["argon", "nitrogen"]}, "not lettered"),
    ({"kind": "number", "answer": "some"}, {}, "no number with a unit that is known"),
    ({"kind": "number", "answer": "3 flurbs"}, {}, "no number with a unit that is known"),
    ({"kind": "number", "answer": "3", "unit": "flurb"}, {}, "nobody knows the unit 'flurb'"),
    ({"kind": "formula", "answer": "water, mostly"}, {}, "is no formula"),
    ({**TEXT, "source": {}}, {}, "neither paper, DOI nor title"),
    ({**TEXT, "source": {**PAPER, "paper": "other.pdf"}}, {}, "is no paper of the task"),
    ({**TEXT, "source": {**PAPER, "page": 2}}, {}, "stands on page 1, not 2"),
    ({**TEXT, "source": {**PAPER, "quote": "Phosphate was held at 3 μmol/L"}}, {}, "does not stand in the paper"),
    ({**TEXT, "source": {**PAPER, "quote": "x" * 20_000}}, {}, "too long"),
    ({**TEXT, "source": {"doi": "10.5555/none.1"}}, {}, "the corpus has no such work"),
    ({**TEXT, "source": {"doi": "10.5555/jie.2015.3.0015"}}, {}, "was retracted"),
    ({**TEXT, "source": {**HERRING, "quote": "most larvae were caught at 25 m"}}, {}, "does not stand in the work"),
]


@pytest.mark.parametrize(("gold", "parameters", "said"), FATAL)
def test_a_fault_is_fatal(
    questions: Family, question_papers: Mapping[str, Paper], gold: Any, parameters: dict[str, Any], said: str
) -> None:
    found = problems(questions, question_papers, gold, **parameters)
    assert any(said in each for each in found), found


@pytest.mark.parametrize(
    "gold", [CHOICE, {**TEXT, "source": PAPER}, {"kind": "number", "answer": "12 m", "source": HERRING}]
)
def test_sound_gold_has_none(questions: Family, question_papers: Mapping[str, Paper], gold: Any) -> None:
    assert problems(questions, question_papers, gold) == []
    assert problems(questions, question_papers, gold, fatal=False) == []


def test_what_may_be_meant_is_noted(questions: Family, question_papers: Mapping[str, Paper]) -> None:
    away = problems(questions, question_papers, TEXT, fatal=False, question="Was it phosphate?")
    assert away == ["gold, answer: 'phosphate' stands in the question"]
    choice = {"kind": "text", "answer": "Yes"}
    assert not problems(questions, question_papers, choice, fatal=False, question="Is it? Answer yes or no.")
    off = {"kind": "number", "answer": "3.2", "source": PAPER}
    assert problems(questions, question_papers, off, fatal=False) == ["gold, answer: '3.2' is not printed in its quote"]
