"""The one count of a trial's tool calls: trial.json, trajectory.json, ``trajectory show`` and reports say these."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pincite_trajectory.atif import Step
from pincite_trajectory.wire import Exchange

COUNTED = ("tools/call", "resources/read")
"""A resource that is read gives the agent as much as a call."""

_TURNED_AWAY = ("limit", "not_offered")


@dataclass(frozen=True, slots=True)
class CallCounts:
    """Calls of an agent, each in one place: ``calls`` reached a server (``failed`` of them brought no good result),
    ``refused`` were turned away at the door, ``unknown`` are of tools that there are not, ``own`` are of the client's
    own tools, ``hosted`` ran at the model's provider."""

    calls: int = 0
    failed: int = 0
    refused: int = 0
    unknown: int = 0
    own: int = 0
    hosted: int = 0

    @classmethod
    def of(cls, exchanges: Iterable[Exchange], unknown: int = 0, own: int = 0, hosted: int = 0) -> "CallCounts":
        """From what passed the tool door, and what the model called that never came there."""
        asked = [exchange for exchange in exchanges if exchange.method in COUNTED]
        reached = [exchange for exchange in asked if not exchange.refused]
        return cls(
            calls=len(reached),
            failed=sum(exchange.failed for exchange in reached),
            refused=sum(exchange.refused in _TURNED_AWAY for exchange in asked),
            unknown=unknown + sum(exchange.refused == "unknown" for exchange in asked),
            own=own,
            hosted=hosted,
        )

    @classmethod
    def read(cls, extra: Mapping[str, Any], steps: Sequence[Step]) -> "CallCounts":
        """From a trajectory's totals; of one that has none (another program's) the calls in its steps."""
        if "refused_tool_calls" in extra:
            return cls(**{name: int(extra.get(key, 0)) for name, key in _KEYS.items()})
        return cls(calls=sum(len(step.tool_calls or []) for step in steps if not step.is_copied_context))

    def to_json(self) -> dict[str, int]:
        """By the names that trial.json and a trajectory's totals have."""
        return {key: getattr(self, name) for name, key in _KEYS.items()}

    def __str__(self) -> str:
        named = {
            f"{self.calls} of tools": True,
            f"{self.failed} failed": self.failed,
            f"{self.refused} refused": self.refused,
            f"{self.unknown} of unknown tools": self.unknown,
            f"{self.own} of the client's own tools": self.own,
            f"{self.hosted} hosted": self.hosted,
        }
        first, *others = [words for words, told in named.items() if told]
        return f"{first} ({', '.join(others)})" if others else first


_KEYS = {
    "calls": "tool_calls",
    "failed": "failed_tool_calls",
    "refused": "refused_tool_calls",
    "unknown": "unknown_tool_calls",
    "own": "own_tool_calls",
    "hosted": "hosted_tool_calls",
}
