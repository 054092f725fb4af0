"""Judge: one protocol for whoever decides what cannot be computed: a rule that the scorer states, or a model."""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Item:
    """One decision: a label of ``labels``, from worst to best."""

    name: str
    labels: tuple[str, ...]
    meaning: str
    """What the item asks, and what each label stands for, in words that a judge is shown."""


@dataclass(frozen=True, slots=True)
class Rubric:
    """What is judged and how: ``name`` changes (``/2``) with any of its words, for verdicts are kept by it."""

    name: str
    instruction: str
    items: tuple[Item, ...]


Labels = Mapping[str, str | None]
"""A label for each item by its name; None where it was not decided."""


@dataclass(frozen=True, slots=True)
class Question:
    """One subject under a rubric: its named texts in the order in which a judge reads them.

    ``rule`` decides without a model, from the same texts; None where only a model can. ``pictures`` are files by
    name, which a model is shown beside the texts.
    """

    rubric: Rubric
    subject: Mapping[str, str]
    rule: Callable[[], Labels] | None = None
    pictures: Mapping[str, Path] = field(default_factory=dict[str, Path])


@dataclass(frozen=True, slots=True)
class Verdict:
    """What was decided, by whom, and why; an item nobody could decide is None, with the reason."""

    labels: Labels
    judge: str
    reason: str = ""
    votes: tuple[Labels, ...] = ()
    """Every single vote of a model that was asked several times."""

    def to_json(self) -> dict[str, Any]:
        """As it stands in a record of score.json."""
        return {
            "labels": dict(self.labels),
            "judge": self.judge,
            "reason": self.reason,
            "votes": [dict(vote) for vote in self.votes],
        }


class Judge(Protocol):
    """Decides questions. Its methods block; one judge may be asked from several threads."""

    @property
    def name(self) -> str:
        """Stands in score.json: ``rules/1``, or model, temperature and votes."""
        ...

    def decide(self, question: Question) -> Verdict:
        """The verdict; UnavailableError when a model cannot be reached, never a made-up label."""
        ...


@runtime_checkable
class Wide(Protocol):
    """A judge that is best asked ``width`` questions at once: most of its time it waits."""

    width: int


@runtime_checkable
class Several(Protocol):
    """A judge that takes several questions at once by itself."""

    def decide_several(self, questions: Sequence[Question]) -> list[Verdict]:
        """The verdicts in the order of the questions; the first error is raised."""
        ...


def decide_all(judge: Judge, questions: Sequence[Question]) -> list[Verdict]:
    """The verdicts in the order of the questions, several asked at once where that is faster; the first error is
    raised, and questions not asked by then never are."""
    if isinstance(judge, Several):
        return judge.decide_several(questions) if questions else []
    width = min(judge.width if isinstance(judge, Wide) else 1, len(questions))
    if width <= 1:
        return [judge.decide(question) for question in questions]
    pool = ThreadPoolExecutor(width, thread_name_prefix="judge")
    asked = [pool.submit(judge.decide, question) for question in questions]
    try:
        verdicts = [future.result() for future in asked]
    except BaseException as error:
        # Who interrupts does not wait for calls on their way; an outage does, so that all of them are recorded.
        pool.shutdown(wait=isinstance(error, Exception), cancel_futures=True)
        raise
    pool.shutdown()
    return verdicts


class RuleJudge:
    """Decides by the rules that the questions bring; the default, which needs no model."""

    name = "rules/1"

    def decide(self, question: Question) -> Verdict:
        """The rule's labels; None for every item where there is no rule."""
        if question.rule is None:
            undecided = {item.name: None for item in question.rubric.items}
            return Verdict(undecided, self.name, "only a model can decide this")
        return Verdict(question.rule(), self.name)
