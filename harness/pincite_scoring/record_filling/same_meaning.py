"""Same meaning: a judge decides where no rule joins two texts of a field."""

from collections.abc import Sequence
from dataclasses import replace

from pincite_scoring.judging.judge import Item, Judge, Question, Rubric, Verdict, decide_all
from pincite_scoring.record_filling.matching import Match
from pincite_scoring.record_filling.objects import Filled
from pincite_scoring.record_filling.schema import Schema

RUBRIC = Rubric(
    "record_filling/same_value/1",
    "Two people filled the same field of the same record of a scientific paper. Decide whether they state the same "
    "fact. Wording, order of words, spelling, abbreviations and units do not matter. Another substance, organism, "
    "number, direction or degree, and a fact that only one of them states, do.",
    (Item("same", ("no", "yes"), "Whether both texts state the same fact: yes or no."),),
)


def judge_values(
    matches: Sequence[Match], answers: Sequence[Filled], golds: Sequence[Filled], schema: Schema, judge: Judge
) -> tuple[list[Match], dict[tuple[int, str], Verdict]]:
    """Matched objects once more, with the texts of judged fields that a judge finds the same; and the verdicts.

    Asked about is each field with one text on either side that the rule finds different; the rule's answer is no.
    """
    asked: dict[tuple[int, str], Question] = {}
    for number, match in enumerate(matches):
        for field in schema.fields:
            mine = answers[match.answer].values.get(field.name, ())
            true = golds[match.gold].values.get(field.name, ())
            if not field.judged or field.name in match.right or not len(mine) == len(true) == 1:
                continue
            subject = {"field": field.name, "definition": field.definition, "first": true[0], "second": mine[0]}
            asked[number, field.name] = Question(RUBRIC, subject, lambda: {"same": "no"})
    verdicts = dict(zip(asked, decide_all(judge, list(asked.values())), strict=True))
    done = list(matches)
    for (number, name), verdict in verdicts.items():
        if verdict.labels.get("same") == "yes":
            done[number] = replace(done[number], right={**done[number].right, name: [(0, 0)]})
    return done, {(matches[number].answer, name): verdict for (number, name), verdict in verdicts.items()}
