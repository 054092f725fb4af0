"""The definitions of literature_qa, each as a case that can be checked by hand."""

import math
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_scoring import Case, Score, ScoringOptions, score
from pincite_scoring.judging.judge import Question, RuleJudge, Verdict
from pincite_scoring.judging.labelled import read_labelled
from pincite_scoring.judging.rubrics import find_rubric
from pincite_scoring.literature_qa.choices import UNSURE, arrange, read_options
from pincite_scoring.literature_qa.deciding import answer_rule
from pincite_scoring.result import Compat
from pincite_scoring.statistics.rounds import agreement, rounds_of

LABELLED = Path(__file__).parents[3] / "tasks" / "literature_qa" / "answers.jsonl"
OPTIONS = ["(A) argon", "(B) nitrogen", f"(C) {UNSURE}", "(D) -5", "(E) 5"]
CHOICE = {"kind": "choice", "answer": "B"}
TEXT = {"kind": "text", "answer": "Sugar kelp", "accept": ["Saccharina latissima"]}
DEPTH = {"kind": "number", "answer": "12 m", "tolerance": 0.01, "unit": "m"}
GAP = {"kind": "number", "answer": "1.65 eV"}
BOUND = {"kind": "number", "answer": "< 3 K", "tolerance": 0.01}
FORMULA = {"kind": "formula", "answer": "La1.85Sr0.15CuO4"}
SITES = {"kind": "list", "answer": ["Hella", ["Skarvnes", "Skarvneset"]]}
STEPS = {"kind": "list", "answer": ["wash", "dry"], "ordered": True}
FREE = {"kind": "free", "answer": "Take the aqueous phase on day 3."}
RIGHT, WRONG, UNSURE_, OPEN = "correct", "incorrect", "unsure", "undecided"

# what is asked, what is answered, the outcome
STRICT: list[tuple[dict[str, Any], Any, str]] = [
    (CHOICE, "B", RIGHT),
    (CHOICE, " (b) ", RIGHT),
    (CHOICE, "B.", RIGHT),
    (CHOICE, "(B) Nitrogen.", RIGHT),
    (CHOICE, "nitrogen", RIGHT),
    (CHOICE, "A", WRONG),
    (CHOICE, "(B) argon", WRONG),  # the letter says one thing, the words another
    (CHOICE, "A or B", WRONG),
    (CHOICE, "F", WRONG),  # there is no such option
    (CHOICE, "C", UNSURE_),
    (CHOICE, UNSURE.upper(), UNSURE_),
    (CHOICE, None, UNSURE_),
    ({"kind": "choice", "answer": "D"}, "5", WRONG),  # -5 is another option than 5
    ({"kind": "choice", "answer": "D"}, "−5", RIGHT),  # a minus sign is a minus sign
    (TEXT, "the sugar-kelp.", RIGHT),
    (TEXT, "saccharina  latissima", RIGHT),
    (TEXT, "winged kelp", WRONG),
    (TEXT, "sugar kelp or winged kelp", WRONG),
    (TEXT, "I don't know.", UNSURE_),
    (TEXT, "", UNSURE_),
    (DEPTH, "12.12 m", RIGHT),  # |12.12 - 12| / 12 = 0.0100, the tolerance itself
    (DEPTH, "12.13 m", WRONG),  # 0.0108
    (DEPTH, "1188 cm", RIGHT),  # 11.88 m: 0.0100
    (DEPTH, 12, RIGHT),  # the question names the unit
    (DEPTH, "12 K", WRONG),
    (DEPTH, "12 m or 25 m", WRONG),
    (DEPTH, "12-25 m", WRONG),  # a range is two numbers
    (GAP, "1650 meV", RIGHT),  # 1.650 eV, difference 0
    (GAP, "1.65", OPEN),  # no unit, and the question names none: 1.65 eV or 1.65 of something else
    (GAP, "1.66", WRONG),
    (GAP, "1.6500017 eV", OPEN),  # 1.03e-6 above 1e-6, and 1.65 once rounded: no tolerance is stated
    (GAP, "1.656 eV", WRONG),  # rounded 1.66
    (GAP, "1.6500016 eV", RIGHT),  # 0.97e-6
    (BOUND, "below 3 K", RIGHT),
    (BOUND, "3 K", WRONG),
    (FORMULA, "Sr0.15La1.85CuO4", RIGHT),
    (FORMULA, "La2CuO4", WRONG),
    (SITES, ["skarvneset", "Hella"], RIGHT),
    (SITES, "Hella and Skarvnes", RIGHT),
    (SITES, "Hella; Skarvnes", RIGHT),
    (SITES, "Hella", WRONG),
    (SITES, "Hella, Skarvnes, Innerodd", WRONG),
    (SITES, ["Skarvnes", "Skarvneset"], WRONG),  # one item twice is not the other
    (STEPS, ["wash", "dry"], RIGHT),
    (STEPS, ["dry", "wash"], WRONG),
    (FREE, "take the aqueous phase on day 3", RIGHT),
    (FREE, "Use the upper layer.", OPEN),  # only a model can tell
    (FREE, None, UNSURE_),
]
REFERENCE: list[tuple[dict[str, Any], Any, str]] = [
    (CHOICE, "B", RIGHT),
    (CHOICE, "nitrogen", WRONG),  # the letter alone counts
    (CHOICE, "C", UNSURE_),
    (GAP, "1.65", RIGHT),  # units are not looked at
    (GAP, "1.6500009 J", RIGHT),  # absolute difference 9e-7
    (GAP, "1.650003 eV", WRONG),  # 3e-6 absolute, 1.8e-6 relative
    (DEPTH, "12.12 m", WRONG),  # published tolerance: 1e-6
    (TEXT, "sugar kelp", RIGHT),
]


def graded(gold: Any, answer: Any, compat: Compat = "strict", **more: Any) -> Score:
    given = {"answer": answer, **more} if answer is not None or more else None
    case = Case(given, gold, parameters={"question": "What?", "options": OPTIONS})
    return score("literature_qa", case, ScoringOptions(compat=compat))


def check(result: Score, outcome: str) -> None:
    """A trial has one question: 1 of 1 or 0 of 1, and precision only where there was an answer."""
    right = 1.0 if outcome == RIGHT else None if outcome == OPEN else 0.0
    answered = outcome != UNSURE_
    assert result.records[0]["status"] == outcome
    assert result.metrics["accuracy"] == right
    assert result.metrics["precision"] == (right if answered else None)
    assert result.metrics["coverage"] == (1.0 if answered else 0.0)


@pytest.mark.parametrize(("gold", "answer", "outcome"), STRICT)
def test_strict(gold: Any, answer: Any, outcome: str) -> None:
    check(graded(gold, answer), outcome)


@pytest.mark.parametrize(("gold", "answer", "outcome"), REFERENCE)
def test_reference(gold: Any, answer: Any, outcome: str) -> None:
    check(graded(gold, answer, "reference"), outcome)


def test_no_gold_and_no_object_are_unscored() -> None:
    unknown = graded(None, "B")
    assert (unknown.status, unknown.reason, unknown.metrics["accuracy"]) == ("unscored", "no gold answer", None)
    broken = score("literature_qa", Case(["B"], CHOICE, parameters={"options": OPTIONS}), ScoringOptions())
    assert (broken.reason or "").startswith("invalid_answer: ")
    with pytest.raises(BadInputError, match="broken"):
        graded({"kind": "number", "answer": ["1"]}, "1")
    with pytest.raises(BadInputError, match="is no option"):
        graded({"kind": "choice", "answer": "Z"}, "A")


class Model:
    """A judge that says ``label`` and keeps what it was shown."""

    def __init__(self, label: str | None) -> None:
        self.label = label
        self.asked: list[Question] = []

    @property
    def name(self) -> str:
        return "model"

    def decide(self, question: Question) -> Verdict:
        self.asked.append(question)
        return Verdict({"outcome": self.label}, self.name, "so it is")


def judged(label: str | None, gold: Any, answer: Any, compat: Compat = "strict") -> tuple[Score, Model]:
    model = Model(label)
    case = Case({"answer": answer}, gold, parameters={"question": "What?", "options": OPTIONS})
    return score("literature_qa", case, ScoringOptions(model, compat)), model


def test_a_model_is_asked_only_where_the_rule_does_not_settle_it() -> None:
    for gold, answer in ((TEXT, "sugar kelp"), (TEXT, "unknown"), (CHOICE, "A"), (FREE, FREE["answer"])):
        assert not judged("correct", gold, answer)[1].asked
    result, model = judged("correct", TEXT, "Saccharina latissima of the family Laminariaceae")
    check(result, RIGHT)
    (question,) = model.asked
    assert list(question.subject) == ["question", "expected answer", "also expected", "handed in"]
    assert result.records[0]["verdict"] == {
        "labels": {"outcome": "correct"}, "judge": "model", "reason": "so it is", "votes": [],
    }  # fmt: skip
    assert "0.01" in judged("correct", DEPTH, "a dozen metres")[1].asked[0].subject["tolerance"]
    assert judged("correct", TEXT, "sugar kelp", "reference")[1].asked, "the published code asks for every open answer"


@pytest.mark.parametrize(("label", "outcome"), [("incorrect", WRONG), ("unsure", UNSURE_), (None, OPEN)])
def test_what_a_model_may_say(label: str | None, outcome: str) -> None:
    check(judged(label, FREE, "Use the upper layer.")[0], outcome)


def test_the_rule_judge_names_itself() -> None:
    assert graded(TEXT, "x").matcher == RuleJudge.name


def test_options_have_an_order_that_follows_from_the_task() -> None:
    words = ["one", "two", "three", "four"]
    shown, letter = arrange("task-1", "two", ["one", "three", "four"])
    assert shown == arrange("task-1", "two", ["four", "one", "three"])[0], "the order given in shows nothing"
    assert read_options(shown)[letter] == "two"
    assert sorted(read_options(shown).values()) == sorted([*words, UNSURE])
    orders = {tuple(arrange(f"task-{n}", "two", ["one", "three"])[0]) for n in range(200)}
    assert len(orders) == math.factorial(4), "every order comes about"
    letters = [arrange(f"task-{n}", "two", ["one", "three", "four"])[1] for n in range(1000)]
    assert all(150 <= letters.count(each) <= 250 for each in "ABCDE"), "each place about 200 times of 1000"
    with pytest.raises(BadInputError, match="cannot be told apart"):
        arrange("t", "one", ["One."])
    with pytest.raises(BadInputError, match="Too many"):
        arrange("t", "one", [str(n) for n in range(26)])
    with pytest.raises(BadInputError, match="lettered"):
        read_options(["(A) x", "(C) y"])


RUNS = ({"a": "B", "b": "B", "c": "A", "d": "C"}, {"a": "B", "b": "A", "c": "A", "d": "C"}, dict.fromkeys("abc", "B"))
"""Three attempts at four questions, each of which has the right answer B and the declining option C."""


def values(metric: str) -> dict[str, dict[int, float]]:
    """The metric by question and attempt, where it is defined."""
    found: dict[str, dict[int, float]] = {}
    for number, run in enumerate(RUNS, start=1):
        for question in "abcd":
            value = graded(CHOICE, run.get(question)).metrics[metric]
            if value is not None:
                found.setdefault(question, {})[number] = value
    return found


def test_means_over_questions_and_attempts_are_the_published_shares() -> None:
    """Right 2, 1 and 3 of 4: accuracies 1/2, 1/4, 3/4, mean 1/2, population deviation √((0 + 1/16 + 1/16) / 3).
    Answered 3 of 4 in each: coverage 3/4 ± 0, precisions 2/3, 1/3 and 3/3, mean 2/3, deviation √(2/9 / 3)."""
    accuracy, precision, coverage = (rounds_of(values(name)) for name in ("accuracy", "precision", "coverage"))
    assert accuracy is not None
    assert precision is not None
    assert coverage is not None
    assert (list(accuracy.means), accuracy.mean) == ([2 / 4, 1 / 4, 3 / 4], 0.5)
    assert accuracy.deviation == pytest.approx(math.sqrt(2 / 48))
    assert list(precision.means) == pytest.approx([2 / 3, 1 / 3, 3 / 3])
    assert precision.deviation == pytest.approx(math.sqrt(2 / 27))
    assert (coverage.mean, coverage.deviation) == (0.75, 0.0)


def test_attempts_agree_on_outcomes() -> None:
    """Of three pairs of attempts, all agree on a and d, one on b (first and last), one on c (first and second)."""
    outcomes = {
        question: {n: graded(CHOICE, run.get(question)).records[0]["status"] for n, run in enumerate(RUNS, start=1)}
        for question in "abcd"
    }
    assert agreement(outcomes) == (pytest.approx((3 + 1 + 1 + 3) / 12), 12)


def test_the_rule_takes_no_labelled_answer_for_right_that_is_not() -> None:
    answers = read_labelled(LABELLED, find_rubric("literature_qa"))
    judged = [(answer.labels["outcome"], answer_rule(answer.subject)["outcome"]) for answer in answers]
    assert len(judged) >= 40
    assert {label for label, said in judged if said == "correct"} == {"correct"}
    assert {label for label, said in judged if said == "unsure"} == {"unsure"}
    assert any(said is None for _, said in judged), "what only a model can tell is left to it"
