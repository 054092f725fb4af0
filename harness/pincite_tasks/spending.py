"""Spending: what calls of a model took, appended to a file as it happens, which outlives the attempt that made them.

A killed or failed attempt at a trial is run again; what it spent is not undone by that.
"""

from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import orjson

from pincite_models.dialects.fields import count, mapping
from pincite_models.dialects.model import Usage

SPENT_FILE = "spent.jsonl"
"""In a trial's folder: the calls of all its attempts."""


@dataclass(frozen=True, slots=True)
class Spent:
    """What calls took together. ``unknown_calls`` brought no count, or were under way when their attempt was killed;
    ``cost_usd`` is of those whose price is known."""

    attempts: int = 0
    model_calls: int = 0
    unknown_calls: int = 0
    unpriced_calls: int = 0
    usage: Usage = field(default_factory=lambda: Usage(0, 0))
    cost_usd: float = 0.0

    def __add__(self, other: "Spent") -> "Spent":
        return Spent(
            self.attempts + other.attempts,
            self.model_calls + other.model_calls,
            self.unknown_calls + other.unknown_calls,
            self.unpriced_calls + other.unpriced_calls,
            self.usage + other.usage,
            self.cost_usd + other.cost_usd,
        )

    @property
    def tokens(self) -> int:
        """Input and output tokens together."""
        return self.usage.input_tokens + self.usage.output_tokens


class SpendingLog:
    """Appends to a spending file without a buffer: a killed harness leaves all that was counted before."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        cut = path.is_file() and not path.read_bytes().endswith(b"\n")
        self._file = path.open("ab", buffering=0)
        # A line that a kill cut short must not swallow the next one.
        self._write(b"\n" if cut else b"")
        self._append({"kind": "attempt"})

    def called(self, *, counted: bool = True) -> None:
        """A call goes out, ``counted`` among those of the model where it asks for an answer in words; OSError where
        that cannot be noted, and then it may not."""
        self._append({"kind": "call"} if counted else {"kind": "call", "counted": False})

    def ended(self, usage: Usage | None, cost_usd: float | None, *, billable: bool = True) -> None:
        """A call has ended; ``usage`` None where the provider did not say. One that is not ``billable`` never reached
        the model, or was refused by its provider."""
        counted = asdict(usage) if usage is not None else None
        # The call was noted: where the disk takes no more, it stays one of which nothing is known.
        with suppress(OSError):
            self._append({"kind": "end", "billable": billable, "usage": counted, "cost_usd": cost_usd})

    def close(self) -> None:
        """Close the file; nothing is written after that."""
        self._file.close()

    def _append(self, line: dict[str, Any]) -> None:
        self._write(orjson.dumps(line) + b"\n")

    def _write(self, data: bytes) -> None:
        if data and not self._file.closed:
            self._file.write(data)


def read_spending(path: Path) -> Spent:
    """What all attempts took that a spending file tells of; nothing without the file. Lines that cannot be read are
    passed over: their calls count among those that are not known."""
    spent = Spent()
    if not path.is_file():
        return spent
    open_calls = 0
    for line in path.read_bytes().splitlines():
        try:
            record = mapping(orjson.loads(line))
        except orjson.JSONDecodeError:
            continue
        kind = record.get("kind")
        if kind == "attempt":
            spent += Spent(attempts=1, unknown_calls=open_calls)
            open_calls = 0
        elif kind == "call":
            spent += Spent(model_calls=int(record.get("counted", True) is not False))
            open_calls += 1
        elif kind == "end":
            spent += _ended(record)
            open_calls = max(open_calls - 1, 0)
    return spent + Spent(unknown_calls=open_calls)


def _ended(record: dict[str, Any]) -> Spent:
    if not record.get("billable", True):
        return Spent()
    counted = record.get("usage")
    if not isinstance(counted, dict):
        return Spent(unknown_calls=1)
    known = mapping(counted)
    usage = Usage(
        count(known.get("input_tokens")),
        count(known.get("output_tokens")),
        count(known.get("cached_tokens")),
        count(known.get("cache_write_tokens")),
        count(known.get("reasoning_tokens")),
    )
    cost = record.get("cost_usd")
    if isinstance(cost, bool) or not isinstance(cost, int | float):
        return Spent(usage=usage, unpriced_calls=1)
    return Spent(usage=usage, cost_usd=float(cost))
