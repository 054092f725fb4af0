"""The score of one answer, as it stands in score.json."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, cast

from pincite_core.errors import BadInputError
from pincite_scoring.judging.judge import Judge, RuleJudge

Compat = Literal["strict", "reference"]
Status = Literal["scored", "unscored"]
INVALID_ANSWER = "invalid_answer"
"""Begins the reason of a scorer that cannot read an answer."""
OTHER: Mapping[Compat, Compat] = {"strict": "reference", "reference": "strict"}


@dataclass(frozen=True, slots=True)
class ScoringOptions:
    """How to score: ``judge`` decides what no rule of a scorer computes, ``compat`` names the definitions.

    ``strict`` holds to the published words where the published code is looser; ``reference`` repeats that code.
    """

    judge: Judge = field(default_factory=RuleJudge)
    compat: Compat = "strict"


@dataclass(frozen=True, slots=True)
class Score:
    """A score, or its absence with the reason. A metric is a number or None (undefined), never a stand-in zero."""

    family: str
    scorer: str
    scorer_version: str
    matcher: str
    status: Status
    reason: str | None = None
    metrics: dict[str, float | None] = field(default_factory=dict[str, float | None])
    records: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    compat: Compat = "strict"
    also: dict[str, float | None] = field(default_factory=dict[str, float | None])
    """The metrics by the other definitions; empty where they were not computed."""

    @property
    def other(self) -> Compat:
        """The other definitions."""
        return OTHER[self.compat]

    def to_json(self) -> dict[str, Any]:
        """The content of score.json."""
        return {
            "family": self.family,
            "scorer": self.scorer,
            "scorer_version": self.scorer_version,
            "matcher": self.matcher,
            "compat": self.compat,
            "status": self.status,
            "reason": self.reason,
            "metrics": dict(self.metrics),
            "also": {self.other: dict(self.also)} if self.also else {},
            "records": list(self.records),
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Score":
        """Read score.json back; absent names are empty, a status of neither kind is a BadInputError."""
        status = data.get("status")
        if status not in {"scored", "unscored"}:
            raise BadInputError(f"{status!r} is not a status of a score.", next="Score the trial again.")
        compat = cast("Compat", data.get("compat") or "strict")
        also = cast("Mapping[str, Mapping[str, float | None]]", data.get("also") or {})
        return cls(
            family=str(data.get("family") or ""),
            scorer=str(data.get("scorer") or ""),
            scorer_version=str(data.get("scorer_version") or ""),
            matcher=str(data.get("matcher") or ""),
            status=cast("Status", status),
            reason=data.get("reason"),
            metrics=dict(data.get("metrics") or {}),
            records=list(data.get("records") or []),
            compat=compat,
            also=dict(also.get(OTHER[compat]) or {}),
        )
