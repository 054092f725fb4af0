"""Questions to a judge and its verdicts, as they go between a marking process and the run."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from pincite_scoring.judging.judge import Item, Question, Rubric, Verdict


class Answering(Protocol):
    """What brings questions to the run's judge."""

    def verdicts(self, questions: Sequence[Question]) -> list[Verdict]:
        """The verdicts in the order of the questions; raises what the judge raises."""
        ...


@dataclass(frozen=True, slots=True)
class DistantJudge:
    """The run's judge, as a scorer in a marking process sees it: questions go to where it is, several at once."""

    name: str
    answering: Answering

    def decide(self, question: Question) -> Verdict:
        """See Judge."""
        return self.decide_several([question])[0]

    def decide_several(self, questions: Sequence[Question]) -> list[Verdict]:
        """See Several."""
        return self.answering.verdicts(questions)


def pack_question(question: Question) -> dict[str, Any]:
    """A question without its rule, which is for judges that are rules."""
    rubric = question.rubric
    return {
        "rubric": rubric.name,
        "instruction": rubric.instruction,
        "items": [[item.name, list(item.labels), item.meaning] for item in rubric.items],
        "subject": dict(question.subject),
        "pictures": {name: str(path) for name, path in question.pictures.items()},
    }


def unpack_question(data: Mapping[str, Any]) -> Question:
    """The question that ``pack_question`` packed."""
    items = tuple(Item(name, tuple(labels), meaning) for name, labels, meaning in data["items"])
    pictures = {name: Path(path) for name, path in data["pictures"].items()}
    return Question(Rubric(data["rubric"], data["instruction"], items), data["subject"], pictures=pictures)


def unpack_verdict(data: Mapping[str, Any]) -> Verdict:
    """The verdict whose ``to_json`` this is."""
    return Verdict(data["labels"], data["judge"], data["reason"], tuple(data["votes"]))
