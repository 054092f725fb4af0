"""Is an open answer right? A rule for every kind, and the words by which a model decides instead."""

import re
from collections.abc import Callable, Mapping

from pincite_harness.judging.judge import Item, Labels, Question, Rubric, Verdict
from pincite_harness.scoring.literature_qa.answers import Reply
from pincite_harness.scoring.literature_qa.gold import TOLERANCE, Gold
from pincite_harness.scoring.literature_qa.kinds import kind_of, without_thousands
from pincite_harness.scoring.literature_qa.words import normal
from pincite_harness.scoring.result import Compat, ScoringOptions
from pincite_materials.comparing import Stated, compare_stated
from pincite_materials.values import find_numbers

OUTCOME = "outcome"
RULES = "rules/1"

RUBRIC = Rubric(
    "literature_qa/1",
    "You are shown a question about the scientific literature, the expected answer and the answer that was handed in. "
    "Decide whether what was handed in is right. The same fact in other words, in another notation or in another unit "
    "is right. A number is right within the tolerance that is stated; without one, a rounding that the question's "
    "precision allows is right. Every part that the question asks for must be there, and nothing may contradict the "
    "expected answer; remarks that do not bear on the question change nothing. Several answers to choose from are "
    "wrong.",
    (
        Item(
            OUTCOME,
            ("incorrect", "unsure", "correct"),
            "correct: it says what is expected. incorrect: it says something else, or only a part. unsure: it declines "
            "to answer, says that it could not find the answer, or commits to nothing.",
        ),
    ),
)

_SEPARATORS = re.compile(r"\s*[;\n]\s*")
_COMMAS = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+", re.IGNORECASE)


def decide(question: str, reply: Reply, gold: Gold, options: ScoringOptions) -> Verdict:
    """The verdict on an open answer; its label is None where only a model could tell and there is none."""

    def rule() -> Labels:
        return {OUTCOME: outcome_by_rule(reply, gold, options.compat)}

    certain = rule()
    if options.compat == "strict" and certain[OUTCOME] in ("correct", "unsure"):
        return Verdict(certain, RULES)
    subject = {"question": question, "expected answer": gold.words}
    if gold.kind == "number":
        subject["tolerance"] = f"relative difference at most {gold.tolerance:g}"
    if gold.accept:
        subject["also expected"] = "; ".join(gold.accept)
    return options.judge.decide(Question(RUBRIC, {**subject, "handed in": reply.words}, rule))


def answer_rule(subject: Mapping[str, str]) -> Labels:
    """What the rules say of a labelled answer, from the texts that a model is shown: a stated tolerance is that of a
    number, else the kind is told from the expected answer's words."""
    expected = subject["expected answer"]
    accept = [each for each in subject.get("also expected", "").split("; ") if each]
    stated = find_numbers(subject.get("tolerance", ""))
    kind = "number" if stated else "text" if accept else kind_of(expected)
    gold = Gold(
        kind=kind,
        answer=without_thousands(expected) if kind == "number" else expected,
        accept=accept,
        tolerance=stated[0] if stated else TOLERANCE,
    )
    return {OUTCOME: outcome_by_rule(Reply(subject["handed in"].strip() or None), gold, "strict")}


def outcome_by_rule(reply: Reply, gold: Gold, compat: Compat) -> str | None:
    """correct, incorrect or unsure; None for a free answer that does not read as the gold."""
    if reply.declined:
        return "unsure"
    if gold.kind == "free":
        return "correct" if normal(reply.words) == normal(gold.words) else None
    fits = _same_number if gold.kind == "number" and compat == "reference" else _RULES[gold.kind]
    return "correct" if fits(reply, gold) else "incorrect"


def _text(reply: Reply, gold: Gold) -> bool:
    return normal(reply.words) in map(normal, gold.spellings)


def _number(reply: Reply, gold: Gold) -> bool:
    stated = Stated(reply.words)
    value, unit = stated.quantity()
    if value is not None and not unit and gold.unit:
        stated = Stated(reply.words, gold.unit)
    golds = [Stated(spelling) for spelling in gold.spellings]
    return any(compare_stated("number", stated, true).within(gold.tolerance) for true in golds)


def _same_number(reply: Reply, gold: Gold) -> bool:
    """The published rule: one number against one, absolute or relative difference below 1e-6."""
    given, (true, *_) = find_numbers(reply.words), find_numbers(gold.words)
    return len(given) == 1 and (abs(given[0] - true) < TOLERANCE or abs(given[0] - true) < TOLERANCE * abs(true))


def _formula(reply: Reply, gold: Gold) -> bool:
    return any(compare_stated("formula", Stated(reply.words), Stated(true)).equal for true in gold.spellings)


def _list(reply: Reply, gold: Gold) -> bool:
    given = [normal(item) for item in items_of(reply)]
    wanted = [set(map(normal, spellings)) for spellings in gold.items]
    if len(given) != len(wanted):
        return False
    if gold.ordered:
        return all(item in spellings for item, spellings in zip(given, wanted, strict=True))
    left = list(wanted)
    for item in given:
        place = next((place for place, spellings in enumerate(left) if item in spellings), None)
        if place is None:
            return False
        del left[place]
    return True


def items_of(reply: Reply) -> list[str]:
    """The items of a list: as given, else parted at semicolons and line ends, else at commas and the word "and"."""
    if isinstance(reply.value, list):
        return reply.value
    parts = _SEPARATORS.split(reply.words)
    parts = parts if len(parts) > 1 else _COMMAS.split(reply.words)
    return [part for part in parts if part]


_RULES: dict[str, Callable[[Reply, Gold], bool]] = {
    "text": _text,
    "number": _number,
    "formula": _formula,
    "list": _list,
}
