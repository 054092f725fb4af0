"""Calibration: how well a judge agrees with labelled answers, item by item."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pincite_core.errors import BadInputError
from pincite_scoring.judging.judge import Judge, Labels, Question, Verdict, decide_all
from pincite_scoring.judging.labelled import Labelled
from pincite_scoring.judging.rubrics import KnownRubric, Rule
from pincite_scoring.statistics.kappa import Agreement, agree


@dataclass(frozen=True, slots=True)
class ItemCalibration:
    """One item: its agreement over the answers that both sides decided; ``undecided`` by the judge are apart, and so
    are ``unlabelled`` ones."""

    item: str
    agreement: Agreement
    undecided: int
    unlabelled: int


@dataclass(frozen=True, slots=True)
class Calibration:
    """What the judge said of each answer, and the agreement of each item."""

    verdicts: tuple[Verdict, ...]
    items: tuple[ItemCalibration, ...]


def calibrate(known: KnownRubric, answers: Sequence[Labelled], judge: Judge) -> Calibration:
    """Ask the judge about every answer and compare; the errors of an outage are the judge's."""
    verdicts = decide_all(judge, [_question(known, answer) for answer in answers])
    items: list[ItemCalibration] = []
    for item in known.rubric.items:
        labelled = [
            (true, verdict.labels.get(item.name))
            for answer, verdict in zip(answers, verdicts, strict=True)
            if (true := answer.labels.get(item.name)) is not None
        ]
        both = [(true, said) for true, said in labelled if said is not None]
        agreement = agree(item.labels, [true for true, _ in both], [said for _, said in both])
        items.append(ItemCalibration(item.name, agreement, len(labelled) - len(both), len(answers) - len(labelled)))
    return Calibration(tuple(verdicts), tuple(items))


def _question(known: KnownRubric, answer: Labelled) -> Question:
    return Question(known.rubric, answer.subject, _rule(known.rule, answer), answer.pictures)


def _rule(rule: Rule | None, answer: Labelled) -> Callable[[], Labels] | None:
    """The rubric's rule for an answer, which somebody wrote by hand."""
    if rule is None:
        return None

    def decide() -> Labels:
        try:
            return rule(answer.subject)
        except (KeyError, ValueError) as error:
            raise BadInputError(f"{answer.place}: the rules cannot read the subject.", seen=str(error)) from error

    return decide
