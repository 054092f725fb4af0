"""The protocol of the four fake APIs, and what they share."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, cast

from pincite_doors.testing.offer import ResolvedCall
from pincite_doors.testing.request import OfferedTool
from pincite_doors.testing.script import Say, Stop, Think
from pincite_models.dialects.model import DialectName, Usage

CREATED = 1_790_000_000
"""Seconds since 1970 that answers claim as their time, so that they are the same in every run."""
_CHUNK = 16
"""Characters of one event of a stream, so that words are cut in the middle as real ones are."""

Part = Say | Think | ResolvedCall


@dataclass(frozen=True, slots=True)
class FakeReply:
    """An answer to word. ``number`` is unique in the server and makes the ids."""

    number: int
    model: str
    parts: tuple[Part, ...]
    stop: Stop
    usage: Usage

    @property
    def calls(self) -> bool:
        """Whether a tool is called."""
        return any(isinstance(part, ResolvedCall) for part in self.parts)


@dataclass(slots=True)
class Reading:
    """What a request's body says."""

    model: str = ""
    streamed: bool = False
    system: str = ""
    users: list[str] = field(default_factory=list[str])
    tools: list[OfferedTool] = field(default_factory=list[OfferedTool])
    results: list[str] = field(default_factory=list[str])
    images: int = 0
    schema: Mapping[str, Any] | None = None


class FakeApi(Protocol):
    """One API."""

    dialect: DialectName

    def read(self, body: Mapping[str, Any]) -> Reading:
        """What is asked."""
        ...

    def whole(self, reply: FakeReply, body: Mapping[str, Any]) -> dict[str, Any]:
        """The answer as one JSON object."""
        ...

    def events(self, reply: FakeReply, body: Mapping[str, Any]) -> Iterator[bytes]:
        """The answer as server-sent events, each whole with its empty line."""
        ...

    def error(self, status: int, message: str) -> dict[str, Any]:
        """The body of an error."""
        ...

    def overflow(self) -> dict[str, Any]:
        """The body of the error 400 of a request that is too long for the model."""
        ...

    def stumble(self, message: str) -> bytes:
        """The event that tells an error in the midst of a stream."""
        ...

    def count(self, tokens: int) -> dict[str, Any]:
        """The answer to a question for a token count."""
        ...


def chunks(text: str) -> Iterator[str]:
    """``text`` in small pieces, at least one."""
    yield from (text[start : start + _CHUNK] for start in range(0, max(len(text), 1), _CHUNK))


def event(data: Mapping[str, Any], name: str = "") -> bytes:
    """One server-sent event."""
    head = f"event: {name}\n" if name else ""
    return f"{head}data: {json.dumps(data, ensure_ascii=False)}\n\n".encode()


def items(value: Any) -> list[dict[str, Any]]:
    """The objects in a list of a body; a string stands for one text."""
    if isinstance(value, str):
        return [{"type": "text", "text": value}]
    if not isinstance(value, list):
        return []
    return [cast("dict[str, Any]", item) for item in cast("list[Any]", value) if isinstance(item, dict)]


def mapping(value: Any) -> dict[str, Any]:
    """``value`` where it is an object, else an empty one."""
    return cast("dict[str, Any]", value) if isinstance(value, dict) else {}


def joined(parts: list[dict[str, Any]]) -> str:
    """The texts of parts, joined by line feeds."""
    return "\n".join(str(part["text"]) for part in parts if isinstance(part.get("text"), str))
