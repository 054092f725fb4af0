"""Verdict: the score of 0, 1 or 2 and what it is due to."""

from dataclasses import dataclass
from typing import Literal

from pincite_scoring.precedent_search.answer import Answer
from pincite_scoring.precedent_search.values import Frame, is_about, is_right, lowest, published_right
from pincite_scoring.result import Compat

Diagnosis = Literal["correct", "partial", "not_attempted", "incorrect", "failed"]
DIAGNOSES: tuple[Diagnosis, ...] = ("correct", "partial", "not_attempted", "incorrect", "failed")
SCORES = (0, 1, 2)
"""Nothing, part and all, as published."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """``score`` is 2, 1 or 0; ``reason`` says why it is not 2."""

    score: int
    diagnosis: Diagnosis
    reason: str = ""

    @property
    def valid(self) -> bool:
        """There was an answer."""
        return self.diagnosis != "failed"

    @property
    def attempted(self) -> bool:
        """There was an answer other than Unknown."""
        return self.valid and self.diagnosis != "not_attempted"


def judge(answer: Answer | None, gold: Answer, frame: Frame, compat: Compat) -> Verdict:
    """The verdict on an answer; None is a trial that failed or broke the schema.

    A gold without values is of a property that has none: its right class is everything there is.
    """
    if answer is None:
        return Verdict(0, "failed", "there is no answer")
    if answer.reported == "Unknown":
        return Verdict(0, "not_attempted", "the answer is Unknown")
    if not _same_class(answer.reported, gold.reported, compat):
        return Verdict(0, "incorrect", f"the answer is {answer.reported}, the gold {gold.reported}")
    if not gold.counted or _right_value(answer, gold, frame, compat):
        return Verdict(2, "correct")
    return Verdict(1, "partial", _why_not(answer, frame))


def _why_not(answer: Answer, frame: Frame) -> str:
    if not answer.counted:
        return "no value is given"
    return "no value is right" if frame.positive else "the lowest value is not the gold's lowest"


def _same_class(answer: str, gold: str, compat: Compat) -> bool:
    a, b = answer.casefold(), gold.casefold()
    return (a in b or b in a) if compat == "reference" else a == b


def _right_value(answer: Answer, gold: Answer, frame: Frame, compat: Compat) -> bool:
    if compat == "reference":
        return published_right(answer.counted, gold.counted, frame)
    about = [each for each in answer.counted if is_about(each, frame)]
    if frame.positive:
        return any(is_right(each, true, frame) for each in about for true in gold.counted)
    mine, true = lowest(about, frame), lowest(gold.counted, frame)
    return mine is not None and true is not None and is_right(mine, true, frame)
