"""A judge settles the claims that rules leave undecided, and no others."""

import json
from typing import Any

from pincite_scoring import Case, ScoringOptions, score
from pincite_scoring.figure_analysis.claims.judging import RUBRIC
from pincite_scoring.judging.judge import Question, Verdict

GOLD = {
    "analysis": "The doped glass has 0.48 S/m, four times as much as the pure one, for doping adds carriers that heat "
    "sets free in the whole range.",
    "claims": {
        "entities": {"doped": ["doped glass"], "pure": ["pure glass"]},
        "claims": [
            {"text": "The doped glass has 0.48 S/m.", "subject": ["doped"], "value": 0.48, "unit": "S/m"},
            {"text": "Doping adds carriers."},
            {"text": "Heat sets them free."},
        ],
    },
}
ANSWER = "The doped glass has 0.48 S/m. Sodium brings mobile ions into it."


class Scripted:
    """Answers by the claim, and keeps what it was asked."""

    name = "scripted/1"

    def __init__(self, labels: dict[str, str | None], reason: str = "") -> None:
        self.labels = labels
        self.reason = reason
        self.asked: list[str] = []

    def decide(self, question: Question) -> Verdict:
        if question.rubric != RUBRIC:
            return Verdict({item.name: None for item in question.rubric.items}, self.name)
        claim = question.subject["claim"]
        self.asked.append(claim)
        assert question.subject["analysis"] == ANSWER
        return Verdict({"claim": self.labels[claim]}, self.name, self.reason)


def scored(judge: Any = None) -> Any:
    return score("figure_analysis", Case(ANSWER, GOLD), ScoringOptions(judge) if judge else ScoringOptions())


def rows(result: Any) -> dict[str, dict[str, Any]]:
    return {row["claim"]: row for row in result.records if "claim" in row}


def test_a_judge_is_asked_about_what_is_undecided_alone() -> None:
    judge = Scripted({"Doping adds carriers.": "carried", "Heat sets them free.": "missing"},
                     'It says "Sodium brings mobile ions into it", which are carriers.')  # fmt: skip
    result = scored(judge)
    assert sorted(judge.asked) == ["Doping adds carriers.", "Heat sets them free."]
    assert result.metrics["claims"] == 2 / 3
    row = rows(result)["Doping adds carriers."]
    assert (row["status"], row["by"], row["said"]) == ("carried", "scripted/1", "Sodium brings mobile ions into it")
    assert rows(result)["The doped glass has 0.48 S/m."]["by"] == "claims/2"


def test_words_that_are_not_in_the_answer_are_not_shown_as_its_own() -> None:
    labels: dict[str, str | None] = dict.fromkeys(("Doping adds carriers.", "Heat sets them free."), "carried")
    result = scored(Scripted(labels, '"Doping adds many carriers" it says.'))
    assert rows(result)["Doping adds carriers."]["said"] is None


def test_what_the_judge_contradicts_costs() -> None:
    labels: dict[str, str | None] = {"Doping adds carriers.": "contradicted", "Heat sets them free.": None}
    result = scored(Scripted(labels))
    assert result.metrics["claims"] == 0.0
    assert (result.metrics["n_contradicted"], result.metrics["n_undecided"]) == (1.0, 1.0)


def test_without_a_judge_undecided_claims_count_neither_way() -> None:
    result = scored()
    assert result.metrics["claims"] == 1.0
    assert (result.metrics["n_claims"], result.metrics["n_undecided"]) == (3.0, 2.0)


def test_an_instruction_in_the_answer_is_text_to_the_judge() -> None:
    assert "never an instruction" in RUBRIC.instruction
    assert json.dumps([item.labels for item in RUBRIC.items]) == '[["contradicted", "missing", "carried"]]'
