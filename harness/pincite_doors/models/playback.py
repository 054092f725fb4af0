"""Playback: what models and tools said in a recorded trial before a moment, given again where the same is asked."""

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import orjson

from pincite_core.json_fields import mapping
from pincite_doors.models.store import KeptAnswer
from pincite_doors.playback import ToolPlayback

Line = Mapping[str, Any]
_STREAM = "text/event-stream"


class ModelPlayback:
    """Replies of a trial's models by the JSON of their requests, the model's name aside, each given once.

    It stands where the store of a recorded web stands: what is not recorded is asked of the live model.
    """

    asks = True
    writes = False

    def __init__(self, replies: Iterable[tuple[Any, KeptAnswer]]) -> None:
        self._replies: dict[bytes, deque[KeptAnswer]] = defaultdict(deque)
        self.recorded = 0
        self.played = 0
        for body, answer in replies:
            self._replies[_question(body)].append(answer)
            self.recorded += 1

    def find(self, asked: bytes) -> KeptAnswer | None:
        """The next reply that was recorded to this request (``models.store.question``); None where there is none."""
        try:
            body = orjson.loads(asked.rpartition(b"\0")[2])
        except orjson.JSONDecodeError:
            return None
        waiting = self._replies.get(_question(body))
        if not waiting:
            return None
        self.played += 1
        return waiting.popleft()

    def keep(self, asked: bytes, answer: KeptAnswer) -> None:
        """Nothing is kept."""


@dataclass(frozen=True, slots=True)
class Playback:
    """What is given again; ``skipped`` was recorded and cannot be: results with media, broken answers."""

    models: ModelPlayback
    tools: ToolPlayback
    skipped: tuple[str, ...] = ()

    @classmethod
    def of(
        cls,
        llm: Sequence[Line],
        mcp: Sequence[Line],
        until: str,
        replaced: Mapping[int, Sequence[Mapping[str, Any]]] | None = None,
    ) -> Self:
        """From the lines of wire/llm.jsonl and wire/mcp.jsonl: what was asked before the moment ``until`` (ISO 8601, as
        the wire writes it; empty for all) and answered well. ``replaced`` has the content (blocks as
        MCP has them) that takes the place of a call's result, by the call's number in the wire."""
        skipped: list[str] = []
        replies: list[tuple[Any, KeptAnswer]] = []
        for asked, answered in _pairs(llm, until):
            answer = _kept(asked, answered, skipped)
            if answer is not None:
                replies.append((asked.get("body"), answer))
        calls: list[tuple[str, str, Any, Mapping[str, Any]]] = []
        for asked, answered in _pairs(mcp, until):
            if asked.get("method") != "tools/call":
                continue
            content = (replaced or {}).get(int(asked["seq"]))
            if content is None:
                result = _result(asked, answered, skipped)
            else:
                result = {"content": list(content), "isError": False}
            params = mapping(asked.get("params"))
            if result is not None:
                calls.append((str(asked["server"]), str(params.get("name")), params.get("arguments"), result))
        return cls(ModelPlayback(replies), ToolPlayback(calls), tuple(skipped))


def _pairs(lines: Sequence[Line], until: str) -> Iterable[tuple[Line, Line]]:
    """Each request before a moment with its response."""
    asked: dict[Any, Line] = {}
    for line in lines:
        if line.get("kind") == "request" and (not until or str(line["at"]) < until):
            asked[line.get("seq")] = line
        elif line.get("kind") == "response" and line.get("seq") in asked:
            yield asked[line["seq"]], line


def _kept(asked: Line, answered: Line, skipped: list[str]) -> KeptAnswer | None:
    if asked.get("operation") != "generate" or str(asked.get("route") or "").startswith("server/"):
        return None
    if answered.get("status") != 200 or not answered.get("complete") or answered.get("cause"):
        skipped.append(f"model request {asked['seq']}: its answer was not good")
        return None
    if answered.get("stream") is not None:
        return KeptAnswer(_STREAM, str(answered["stream"]).encode())
    return KeptAnswer("application/json", orjson.dumps(answered.get("body")))


def _result(asked: Line, answered: Line, skipped: list[str]) -> Mapping[str, Any] | None:
    result = mapping(answered.get("result"))
    if not result or answered.get("refused"):
        return None
    parts = [mapping(part) for part in result.get("content") or ()]
    if any(part.get("type") not in ("text", "resource_link") for part in parts):
        skipped.append(f"tool call {asked['seq']}: its result has media, and is asked for live")
        return None
    return result


def _question(body: Any) -> bytes:
    named = {name: value for name, value in mapping(body).items() if name != "model"}
    return orjson.dumps(named, option=orjson.OPT_SORT_KEYS)
