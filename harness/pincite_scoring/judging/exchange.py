"""Exchange: one question to a model judge with everything that was said, as it is recorded and kept."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from pincite_models.dialects.model import Usage
from pincite_scoring.judging.judge import Labels, Verdict

NOTHING = Usage(0, 0)


@dataclass(frozen=True, slots=True)
class JudgeReply:
    """One answer of the model: what it said, the labels in it (None: it could not be taken, for ``fault``), by which
    model."""

    text: str
    labels: Labels | None
    fault: str
    model: str


@dataclass(frozen=True, slots=True)
class Exchange:
    """``digest`` names the question to this judge. ``usage`` and ``cost_usd`` are what it took when it was asked;
    ``kept``: that was in the past, and the verdict was read from the disk. ``subject`` are the texts in ``message``,
    ``pictures`` say what was shown beside it (see ``Shown.to_json``)."""

    digest: str
    rubric: str
    prompt: str
    system: str
    message: str
    subject: Mapping[str, str]
    pictures: tuple[Mapping[str, Any], ...]
    replies: tuple[JudgeReply, ...]
    verdict: Verdict
    usage: Usage
    cost_usd: float | None
    kept: bool = False

    @property
    def whole(self) -> bool:
        """Whether every item was decided: only then is it kept."""
        return all(label is not None for label in self.verdict.labels.values())

    def to_json(self) -> dict[str, Any]:
        """As a line of judging.jsonl, and as it is kept."""
        return {
            "digest": self.digest,
            "rubric": self.rubric,
            "prompt": self.prompt,
            "system": self.system,
            "message": self.message,
            "subject": dict(self.subject),
            "pictures": [dict(picture) for picture in self.pictures],
            "replies": [
                {"text": reply.text, "labels": reply.labels, "fault": reply.fault, "model": reply.model}
                for reply in self.replies
            ],
            "verdict": self.verdict.to_json(),
            "tokens": {"input": self.usage.input_tokens, "output": self.usage.output_tokens},
            "cost_usd": self.cost_usd,
            "kept": self.kept,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any], files: Mapping[str, Path]) -> "Exchange":
        """A kept exchange, its pictures as they lie in ``files`` now; KeyError or TypeError where it is none."""
        verdict, tokens = data["verdict"], data["tokens"]
        return cls(
            digest=data["digest"],
            rubric=data["rubric"],
            prompt=data["prompt"],
            system=data["system"],
            message=data["message"],
            subject=data["subject"],
            pictures=tuple(picture | {"path": str(files[picture["name"]].resolve())} for picture in data["pictures"]),
            replies=tuple(JudgeReply(**reply) for reply in data["replies"]),
            verdict=Verdict(verdict["labels"], verdict["judge"], verdict["reason"], tuple(verdict["votes"])),
            usage=Usage(tokens["input"], tokens["output"]),
            cost_usd=data["cost_usd"],
            kept=True,
        )


@dataclass(slots=True)
class Tally:
    """What a set of questions took: ``questions`` of which ``kept`` were known already; ``calls``, ``usage`` and
    ``cost_usd`` (None as soon as one cost is not known) are of the others."""

    questions: int = 0
    kept: int = 0
    calls: int = 0
    usage: Usage = field(default_factory=lambda: replace(NOTHING))
    cost_usd: float | None = 0.0

    def add(self, exchange: Exchange) -> None:
        """Count one more."""
        self.questions += 1
        if exchange.kept:
            self.kept += 1
            return
        self.calls += len(exchange.replies)
        self.usage += exchange.usage
        known = self.cost_usd is not None and exchange.cost_usd is not None
        self.cost_usd = (self.cost_usd or 0.0) + (exchange.cost_usd or 0.0) if known else None

    def to_json(self) -> dict[str, Any]:
        """As it stands in score.json."""
        return {
            "questions": self.questions,
            "kept": self.kept,
            "calls": self.calls,
            "input_tokens": self.usage.input_tokens,
            "output_tokens": self.usage.output_tokens,
            "cost_usd": self.cost_usd,
        }
