"""Records of property_extraction matched by a judge: which pairs are asked, what is hidden, and what a doubt does."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from pincite_core.errors import UnavailableError
from pincite_materials.identity import same_material
from pincite_scoring import Case, ScoringOptions, score
from pincite_scoring.judging.judge import Labels, Question, Verdict
from pincite_scoring.property_extraction.judged import JudgeMatcher, lexicon_rule, make_question
from pincite_scoring.property_extraction.matcher import LexiconMatcher
from pincite_scoring.property_extraction.records import Record


class Decided:
    """A judge that says what a function says, and remembers what it was asked."""

    name = "decided/1"

    def __init__(self, rule: Callable[[Question], str | None]) -> None:
        self.asked: list[Question] = []
        self._rule = rule

    def decide(self, question: Question) -> Verdict:
        self.asked.append(question)
        labels: Labels = {"match": self._rule(question)}
        return Verdict(labels, self.name, "because")


def scored(answer: list[Any], gold: list[Any], judge: Decided, compat: Any = "strict") -> Any:
    case = Case({"properties": answer}, {"properties": gold})
    return score("property_extraction", case, ScoringOptions(judge, compat))


@pytest.mark.parametrize("compat", ["strict", "reference"])
def test_the_judges_word_counts_and_is_in_the_record(raw: Callable[..., Any], compat: Any) -> None:
    answer, gold = [raw("resistive anomaly")], [raw("critical temperature", evidence="elsewhere it is told")]
    yes, no = Decided(lambda _: "yes"), Decided(lambda _: "no")
    assert scored(answer, gold, yes, compat).metrics["f1"] == 1
    refused = scored(answer, gold, no, compat)
    assert refused.metrics["match_f1"] == 0
    rules = "lexicon/2, " if compat == "strict" else ""
    assert refused.matcher == f"{rules}property_extraction/same_measurement/1, decided/1"
    if compat == "strict":
        (row,) = scored(answer, gold, yes).records
        assert (row["via"], row["verdict"]["judge"], row["status"]) == ("judge", "decided/1", "correct")


def test_only_pairs_of_one_material_are_asked_and_each_once(raw: Callable[..., Any]) -> None:
    judge = Decided(lambda _: "yes")
    answer = [raw("resistive anomaly", value) for value in ("93", "92", "91")]
    answer.append(raw("resistive anomaly", "39", material="MgB2"))
    gold = [raw(evidence="elsewhere it is told"), raw(material="Nb3Sn", value="18")]
    result = scored(answer, gold, judge)
    assert len(judge.asked) == 1, "rows of one kind are one question; other materials can never match"
    assert result.metrics["recall"] == 0.5
    assert any("the material differs" in row["reason"] for row in result.records)


def test_a_judge_sees_neither_value_nor_material_nor_place(raw: Callable[..., Any]) -> None:
    judge = Decided(lambda _: "yes")
    answer = raw("resistive anomaly", temperature="77 K", method="SQUID")
    scored([answer], [raw(evidence="elsewhere it is told")], judge)
    (question,) = judge.asked
    shown = json.loads(question.subject["second record"])
    assert shown["conditions"] == {"temperature": "77 K"}
    assert shown["value_unit"] == "K"
    words = " ".join(question.subject.values())
    assert not [word for word in ("93", "YBa2Cu3O7", "the value is") if word in words]


def test_a_judge_in_doubt_gives_no_score(raw: Callable[..., Any]) -> None:
    with pytest.raises(UnavailableError, match="did not decide"):
        scored([raw("resistive anomaly")], [raw(value="5")], Decided(lambda _: None))


def test_what_rules_and_evidence_decide_is_not_asked(raw: Callable[..., Any]) -> None:
    """Same names, names known to differ, conditions in conflict, and one value at one place under two names."""
    judge = Decided(lambda _: "no")
    there = {"value": "12", "evidence": "at 12 K"}
    gold = [raw("critical temperature"), raw("Debye temperature", "400"), raw("resistive anomaly", **there)]
    answer = [raw("Tc"), raw("Debye temperature", "400", pressure="10 GPa"), raw("drop of the curve", **there)]
    rows = scored(answer, gold, judge).records
    assert judge.asked == []
    assert [(row["status"], row.get("via")) for row in rows if row["answer"] is not None] == [
        ("correct", "abbreviation"), ("unmatched", None), ("correct", "evidence"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({}, {"property_name": "Tc"}),
        ({"pressure": "10 GPa"}, {"pressure": "2 GPa"}),
        ({"method": "resistivity"}, {"method": "SQUID magnetometry"}),
        ({"property_name": "band gap"}, {"property_name": "density"}),
    ],
)
def test_the_rule_of_the_question_is_the_lexicon(
    record: Callable[..., Record], one: dict[str, Any], other: dict[str, Any]
) -> None:
    a, b = record(**one), record(**other)
    question = make_question(a, b)
    expected = {"match": "yes" if LexiconMatcher().decide(a, b).match else "no"}
    assert lexicon_rule(question.subject) == expected
    assert question.rule is not None
    assert question.rule() == expected


def test_a_matcher_alone_asks_as_well(record: Callable[..., Record]) -> None:
    judge = Decided(lambda _: "yes")
    matcher = JudgeMatcher(judge, same_material)
    assert matcher.decide(record(), record("Tc")).match
    assert matcher.decide(record(), record("Tc", value="2")).match
    assert len(judge.asked) == 1
