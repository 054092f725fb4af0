"""Evidence by hand: pieces that stand, passages to the character, any overlap; and texts that a judge joins."""

from collections.abc import Callable
from typing import Any

import pytest

from pincite_papers.model import Paper
from pincite_scoring import Case, Score
from pincite_scoring.judging.judge import Question, Verdict
from pincite_scoring.record_filling.scorer import SCORER

PAGES = ("Sample A1 was given to mice at 50 µg. ", "It went in s.c. and i.m. to all mice. Ni helps.")
#        0         1         2         3              38 is the first offset of the second page


def piece(field: str, quote: str = "", **more: Any) -> dict[str, Any]:
    return {"field": field, "quote": quote, **more}


@pytest.fixture
def papers(paper: Callable[..., Paper]) -> dict[str, Paper]:
    return {"p.pdf": paper(*PAGES)}


@pytest.fixture
def one() -> dict[str, Any]:
    return {"name": "A1", "dose": "50 µg", "host": "mouse"}


@pytest.fixture
def gold(one: dict[str, Any]) -> dict[str, Any]:
    evidence = [piece("name", "Sample A1", page=1), piece("dose", "at 50 µg", page=1), piece("host", "to mice", page=1)]
    return {"objects": [{**one, "evidence": evidence}]}


SPANS: dict[str, tuple[list[dict[str, Any]], float, float, float]] = {
    # evidence, share verified, exact F1 and overlap F1 against the gold's three passages
    "the same": ([piece("name", "Sample A1"), piece("dose", "at 50 µg"), piece("host", "to mice")], 1, 1, 1),
    "one longer": ([piece("name", "Sample A1"), piece("dose", "mice at 50 µg.")], 1, 2 * 1 / (2 + 3), 2 * 2 / (2 + 3)),
    "one for another field": ([piece("host", "at 50 µg")], 1, 0, 0),
    "one elsewhere": ([piece("host", "to all mice"), piece("name", "Sample A1")], 1, 2 * 1 / (2 + 3), 2 * 1 / (2 + 3)),
    "one that does not stand": ([piece("name", "Sample A1"), piece("dose", "at 60 µg")], 1 / 2, 2 / 5, 2 / 5),
    "a wrong page": ([piece("dose", "at 50 µg", page=2)], 0, 2 * 1 / (1 + 3), 2 * 1 / (1 + 3)),
    "twice": ([piece("dose", "at 50 µg"), piece("dose", "at 50 µg")], 1, 2 * 1 / (1 + 3), 2 * 1 / (1 + 3)),
    "two that overlap one": ([piece("dose", "at 50"), piece("dose", "50 µg")], 1, 0, 2 * 1 / (2 + 3)),
    "by offsets": ([piece("name", start=0, end=9), piece("dose", "50", start=31, end=33)], 1, 2 / 5, 4 / 5),
    "offsets of other words": ([piece("dose", "at 50 µg", start=0, end=8)], 1, 2 / 4, 2 / 4),
    "offsets beyond the paper": ([piece("dose", start=0, end=9999)], 0, 0, 0),
    "neither": ([piece("dose")], 0, 0, 0),
    "nulls": ([piece("dose", "at 50 µg", paper=None, page=None, start=None, end=None)], 1, 2 / 4, 2 / 4),
    "numbers as texts": ([piece("dose", "at 50 µg", page="1", start="28", end="36")], 1, 2 / 4, 2 / 4),
    "of a paper by another name": ([piece("dose", "at 50 µg", paper="Some title")], 1, 2 / 4, 2 / 4),
    "of a paper by its path": ([piece("dose", "at 50 µg", paper="papers/p.pdf")], 1, 2 / 4, 2 / 4),
    "an element, by offsets": ([piece("dose", "Ni", start=76, end=78)], 1, 0, 0),
}


@pytest.mark.parametrize("name", SPANS)
def test_evidence_by_hand(
    name: str, one: dict[str, Any], gold: Any, papers: dict[str, Paper], scored: Callable[..., Score]
) -> None:
    evidence, verified, exact, touching = SPANS[name]
    metrics = scored({"objects": [{**one, "evidence": evidence}]}, gold, papers=papers).metrics
    assert metrics["evidence_verified"] == pytest.approx(verified)
    assert metrics["span_f1"] == pytest.approx(exact)
    assert metrics["span_overlap_f1"] == pytest.approx(touching)
    assert metrics["evidence_given"] == pytest.approx(len({each["field"] for each in evidence}) / 3)
    assert metrics["overall"] == 1


def test_without_evidence_there_is_nothing_to_say(
    one: Any, gold: Any, papers: Any, scored: Callable[..., Score]
) -> None:
    metrics = scored({"objects": [one]}, gold, papers=papers).metrics
    assert metrics["evidence_verified"] is None
    assert metrics["span_f1"] == 0
    assert "span_f1" not in scored(gold, {"objects": [one]}, papers=papers).metrics


def test_a_value_s_row_tells_of_its_worst_piece(one: Any, papers: Any, scored: Callable[..., Score]) -> None:
    pieces = [piece("dose", "at 60 µg"), piece("dose", "at 50 µg"), piece("name", "Sample A1")]
    score = scored({"objects": [{**one, "evidence": pieces}]}, {"objects": [one]}, papers=papers)
    told = {row["field"]: row["evidence"] for row in score.records}
    assert told == {"dose": "absent", "name": "verified", "host": "no_evidence"}


def test_check_wants_evidence_where_it_says(one: Any, gold: Any, papers: Any, schema: str) -> None:
    def fatal(evidence: list[dict[str, Any]]) -> list[str]:
        case = Case(None, {"objects": [{**one, "evidence": evidence}]}, papers, {"schema": schema})
        return [problem.message for problem in SCORER.check(case) if problem.fatal]

    assert fatal(gold["objects"][0]["evidence"]) == []
    assert fatal([piece("dose", "at 50 µg", paper="q.pdf")]) == ["the task has no paper 'q.pdf'"]
    assert fatal([piece("dose", "at 60 µg")]) == ["the quote does not stand in the paper: 'at 60 µg'"]
    assert fatal([piece("dose", "at 50 µg", page=2)]) == ["the quote does not stand on page 2: 'at 50 µg'"]
    assert fatal([piece("dose", "at 50 µg", start=3, end=11)]) == ["the offsets do not hold the quote 'at 50 µg'"]


class YesJudge:
    """Finds everything the same, and keeps what it was asked."""

    name = "yes/1"

    def __init__(self) -> None:
        self.asked: list[Question] = []

    def decide(self, question: Question) -> Verdict:
        self.asked.append(question)
        return Verdict({"same": "yes"}, self.name)


def test_a_judge_joins_texts_of_judged_fields_only(one: Any, scored: Callable[..., Score]) -> None:
    gold = {"objects": [{**one, "remark": "it died"}]}
    answer = {"objects": [{**one, "dose": "60 µg", "remark": "death of the animal"}]}
    judge = YesJudge()
    by_judge, by_rule = scored(answer, gold, judge=judge), scored(answer, gold)
    assert by_rule.metrics["entity_f1"] == pytest.approx(2 / 4)
    assert by_judge.metrics["entity_f1"] == pytest.approx(3 / 4)
    assert [question.subject["second"] for question in judge.asked] == ["death of the animal"]
    row = next(row for row in by_judge.records if row["field"] == "remark")
    assert (row["status"], row["verdict"]["judge"]) == ("correct", "yes/1")
    assert by_judge.matcher == "yes/1"


def test_a_judge_can_make_a_row_right(one: Any, scored: Callable[..., Score]) -> None:
    gold, answer = {"objects": [{**one, "remark": "it died"}]}, {"objects": [{**one, "remark": "death"}]}
    assert scored(answer, gold, judge=YesJudge()).metrics["row_f1"] == 1
    assert scored(answer, gold).metrics["row_f1"] == 0


def test_without_gold_evidence_and_consistency_stand_all_the_same(
    one: Any, papers: Any, scored: Callable[..., Score]
) -> None:
    score = scored({"objects": [{**one, "evidence": [piece("dose", "at 50 µg")]}]}, None, papers=papers)
    assert (score.status, score.reason) == ("unscored", "no gold records")
    assert score.metrics["evidence_verified"] == 1
    assert {row["status"] for row in score.records} == {"unscored"}
