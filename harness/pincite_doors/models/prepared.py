"""Requests to the model door: read within limits, checked, and made ready to go out."""

import asyncio
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from starlette.types import Receive

from pincite_doors.models.json_text import nested_deeper, read_json, write_json
from pincite_doors.traffic import Traffic, too_many_marks
from pincite_models.dialects.dialect import Dialect, Operation
from pincite_tasks.family import FamilyLimits

MOST_LEVELS = 128
"""How deep a request may be nested: what reads it goes down level by level."""
_LARGE = 256 << 10
"""Bytes of a request that takes longer to read (a few milliseconds) than to hand to a thread."""
Check = Callable[[Dialect, Operation, Mapping[str, Any]], str | None]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A request that was read: ``data`` is what goes to the provider, ``refusal`` why it may not."""

    data: bytes = b""
    model: str = ""
    streamed: bool = False
    refusal: str | None = None


class Preparing:
    """Reads and checks the requests of one door. A large one is read in a thread, one at a time: neighbours wait no
    longer than its parser holds the interpreter (see ``tests/benchmarks/door_flood.py``)."""

    def __init__(self, dialect: Dialect, check: Check, limits: FamilyLimits, most_marks: int) -> None:
        self._dialect = dialect
        self._check = check
        self._needs_usage = limits.tokens is not None or limits.cost_usd is not None
        self._most_marks = most_marks
        self._one = asyncio.Lock()

    async def prepare(self, operation: Operation, method: str, data: bytes) -> Prepared | str:
        """The request, or why it cannot be read."""
        if method != "POST":
            return Prepared()
        if len(data) < _LARGE:
            return self._prepared(operation, data)
        async with self._one:
            return await asyncio.to_thread(self._prepared, operation, data)

    def _prepared(self, operation: Operation, data: bytes) -> Prepared | str:
        if too_many_marks(data, self._most_marks):
            return f"The request has more than {self._most_marks} commas, brackets and braces."
        body = _object(data)
        if body is None:
            return "The request is not a JSON object, or is one nested too deeply."
        refusal = self._check(self._dialect, operation, body)
        model, streamed = self._dialect.model_of(operation, body), self._dialect.streamed(operation, body)
        return Prepared(write_json(self._counting(operation, body)), model, streamed, refusal)

    def _counting(self, operation: Operation, body: dict[str, Any]) -> dict[str, Any]:
        """The request as it goes out. Streams of Chat Completions tell their usage only when asked, which limits of
        tokens and cost need."""
        chat = operation.dialect == "openai.chat"
        if not self._needs_usage or not chat or not self._dialect.streamed(operation, body):
            return body
        options = body.get("stream_options")
        asked = cast("dict[str, Any]", options) if isinstance(options, dict) else {}
        return {**body, "stream_options": {**asked, "include_usage": True}}


class RequestBody:
    """The body of one request, whose bytes are counted while they are in memory."""

    def __init__(self, traffic: Traffic) -> None:
        self.gone = False
        """The sender went away before its end."""
        self._traffic = traffic
        self._size = 0

    async def read(self, receive: Receive, declared: int) -> bytes | None:
        """All of it; None for one that is too large, or whose sender went away."""
        most = self._traffic.limits.model_body_bytes
        if declared > most:
            return None
        pieces: list[bytes] = []
        while True:
            message = await receive()
            if message["type"] != "http.request":
                self.gone = True
                return None
            piece = message.get("body", b"")
            self._size += len(piece)
            if not self._traffic.hold(len(piece)) or self._size > most:
                return None
            pieces.append(piece)
            if not message.get("more_body", False):
                return b"".join(pieces)

    def release(self) -> None:
        """The request has been answered; what of it is still to be recorded is counted by the recorder."""
        self._traffic.release(self._size)


def _object(data: bytes) -> dict[str, Any] | None:
    try:
        value = read_json(data)
    except ValueError:
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) and not nested_deeper(value, MOST_LEVELS) else None
