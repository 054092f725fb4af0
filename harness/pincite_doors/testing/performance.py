"""Performance: one request answered, by the script or beside it."""

import json
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from pincite_core.errors import NotFoundError
from pincite_doors.testing.apis.fake_api import FakeReply, Part
from pincite_doors.testing.connection import Connection
from pincite_doors.testing.faults import Cut, Drip, Drop, Fail, Fault, Garble, Hang, Overflow, Pace, Stumble
from pincite_doors.testing.offer import ResolvedCall, resolve
from pincite_doors.testing.paths import list_models, route
from pincite_doors.testing.request import Request
from pincite_doors.testing.sample import sample
from pincite_doors.testing.script import Call, Say, Shell, Think, Turn
from pincite_doors.testing.stage import Stages
from pincite_models.dialects.model import Usage
from pincite_models.label import HEADER, Label

_OVERLOADED = {"anthropic.messages": 529}
_BYTES_PER_TOKEN = 4
"""Bytes of JSON that the scripted model counts as one token, roughly as tokenizers do for English."""


class Performance:
    """Answers ``request`` on ``connection``; what was asked and answered is noted in the request."""

    def __init__(self, request: Request, connection: Connection, stages: Stages, troubles: list[str]) -> None:
        self._request = request
        self._connection = connection
        self._stages = stages
        self._troubles = troubles
        self._route = route(request.method, request.path, request.headers)
        self._api = self._route.api

    def play(self, key: str | None, models: Sequence[str]) -> None:
        """Answer; ClientGoneError where the client does not stay for it."""
        request = self._request
        request.kind = self._route.kind
        if request.kind != "other":
            request.dialect = self._api.dialect
        if key is not None and key not in _keys(request):
            request.kind = "refused"
            return self._send(401, self._api.error(401, "The API key is not valid."))
        if request.kind == "models":
            return self._send(200, list_models(self._route, tuple(models)))
        if request.kind == "other":
            return self._send(404, self._api.error(404, f"There is no {request.path}."))
        self._read()
        if request.kind == "count_tokens":
            return self._send(200, self._api.count(_tokens(request.body)))
        return self._generate()

    def _read(self) -> None:
        request, reading = self._request, self._api.read(self._request.body)
        request.model = self._route.model or reading.model
        request.streamed = self._route.streamed or reading.streamed
        request.system = reading.system
        request.users = tuple(reading.users)
        request.tools = tuple(reading.tools)
        request.results = tuple(reading.results)
        request.images = reading.images
        request.schema = reading.schema
        with suppress(ValueError):  # what the door records as malformed does not belong to a role
            request.label = Label.read(request.headers.get(HEADER.decode(), "").encode())

    def _generate(self) -> None:
        request = self._request
        try:
            cue = self._stages.cue(request)
        except NotFoundError as error:
            return self._give_up(error)
        request.turn = cue.index
        if cue.turn is None:
            request.kind = "side"
            words = json.dumps(sample(request.schema)) if request.schema else "scripted"
            return self._deliver(self._reply(Turn((Say(words),)), (Say(words),)), Pace())
        if cue.fault is not None:
            request.fault = type(cue.fault).__name__
        try:
            parts = tuple(self._part(piece) for piece in cue.turn.pieces)
        except NotFoundError as error:
            return self._give_up(error)
        self._connection.pause(cue.turn.pace.first)
        reply = self._reply(cue.turn, parts)
        if cue.fault is None:
            return self._deliver(reply, cue.turn.pace)
        return self._spoil(cue.fault, reply)

    def _give_up(self, error: NotFoundError) -> None:
        """Tell the client and the test why no turn can be played, with the one status that no client tries again."""
        self._troubles.append(str(error))
        self._send(400, self._api.error(400, str(error)))

    def _part(self, piece: Say | Think | Call | Shell) -> Part:
        return resolve(piece, self._request.tools) if isinstance(piece, Call | Shell) else piece

    def _reply(self, turn: Turn, parts: tuple[Part, ...]) -> FakeReply:
        usage = turn.usage or _counted(self._request.body, parts)
        return FakeReply(self._request.number, self._request.model, parts, turn.stop, usage)

    def _deliver(self, reply: FakeReply, pace: Pace) -> None:
        events = self._events(reply)
        if events is None:
            self._send(200, self._api.whole(reply, self._request.body))
        else:
            self._begin_stream()
            self._connection.stream(events, pace.between)
        self._request.usage = reply.usage

    def _events(self, reply: FakeReply) -> list[bytes] | None:
        """The events of a streamed answer; None where a whole one is asked for."""
        if not self._request.streamed:
            return None
        events = list(self._api.events(reply, self._request.body))
        if self._api.dialect == "google.generate" and "sse" not in self._request.query.get("alt", []):
            return _as_array(events)
        return events

    def _spoil(self, fault: Fault, reply: FakeReply) -> None:
        if isinstance(fault, Fail):
            return self._send(fault.status, self._api.error(fault.status, fault.message), fault.headers)
        if isinstance(fault, Overflow):
            return self._send(400, self._api.overflow())
        if isinstance(fault, Drop):
            return self._connection.drop()
        events = self._events(reply)
        if isinstance(fault, Stumble):
            return self._stumble(fault, events)
        body = [json.dumps(self._api.whole(reply, self._request.body)).encode()] if events is None else events
        if isinstance(fault, Garble):
            return self._garble(body)
        if isinstance(fault, Drip):
            return self._drip(fault, body)
        if isinstance(fault, Cut):
            size = sum(map(len, body))
            return self._break_off(body, size // 2 if fault.after is None else fault.after, seconds=0)
        if isinstance(fault, Hang):
            return self._break_off(body, fault.after, seconds=fault.seconds)
        raise TypeError(f"{type(fault).__name__} is not a fault that a scripted model knows.")

    def _stumble(self, fault: Stumble, events: list[bytes] | None) -> None:
        if events is None:
            status = _OVERLOADED.get(self._api.dialect, 503)
            return self._send(status, self._api.error(status, fault.message))
        self._begin_stream()
        self._connection.stream([*events[: len(events) // 2], self._api.stumble(fault.message)], 0)
        return None

    def _garble(self, body: list[bytes]) -> None:
        if not self._request.streamed:
            broken = body[0][: len(body[0]) // 2]
            self._request.status = 200
            self._connection.begin(200, {"content-type": "application/json", "content-length": str(len(broken))})
            return self._connection.write(broken)
        self._begin_stream()
        middle = len(body) // 2
        self._connection.stream([*body[:middle], body[middle][: len(body[middle]) // 2] + b"\n\n"], 0)
        return None

    def _break_off(self, body: list[bytes], after: int | None, *, seconds: float | None) -> None:
        """Send ``after`` bytes of the body (None: not even the headers), wait, and close."""
        data = b"".join(body)
        if after is not None and self._request.streamed:
            self._begin_stream()
            self._connection.write_chunk(data[:after])
        elif after is not None:
            self._request.status = 200
            self._connection.begin(200, {"content-type": "application/json", "content-length": str(len(data))})
            self._connection.write(data[: min(after, len(data) - 1)])
        self._connection.pause(seconds)
        self._connection.drop()

    def _drip(self, fault: Drip, body: list[bytes]) -> None:
        """Send all of the body but its last byte, each by itself, and then nothing until the client leaves."""
        data = b"".join(body)
        if self._request.streamed:
            self._begin_stream()
        else:
            self._request.status = 200
            self._connection.begin(200, {"content-type": "application/json", "content-length": str(len(data))})
        send = self._connection.write_chunk if self._request.streamed else self._connection.write
        for place in range(len(data) - 1):
            send(data[place : place + 1])
            self._connection.pause(fault.every)
        self._connection.pause(None)
        self._connection.drop()

    def _begin_stream(self) -> None:
        self._request.status = 200
        array = self._api.dialect == "google.generate" and "sse" not in self._request.query.get("alt", [])
        kind = "application/json" if array else "text/event-stream; charset=utf-8"
        self._connection.begin(200, {"content-type": kind, "cache-control": "no-cache", **self._names()})

    def _send(self, status: int, body: dict[str, Any], headers: Any = None) -> None:
        self._request.status = status
        self._connection.send_json(status, body, self._names() | dict(headers or {}))

    def _names(self) -> dict[str, str]:
        name = "request-id" if self._api.dialect == "anthropic.messages" else "x-request-id"
        return {name: f"req_scripted{self._request.number:06d}"}


def _keys(request: Request) -> list[str]:
    bearer = request.headers.get("authorization", "").removeprefix("Bearer ")
    return [
        bearer,
        *(request.headers.get(name, "") for name in ("x-api-key", "x-goog-api-key")),
        *request.query.get("key", []),
    ]


def _tokens(value: Any) -> int:
    return max(1, len(json.dumps(value)) // _BYTES_PER_TOKEN)


def _counted(body: Any, parts: Sequence[Part]) -> Usage:
    thoughts = [part.text for part in parts if isinstance(part, Think)]
    words = [part.text for part in parts if isinstance(part, Say)]
    calls = [[part.name, part.arguments] for part in parts if isinstance(part, ResolvedCall)]
    reasoning = _tokens(thoughts) if thoughts else 0
    return Usage(_tokens(body), reasoning + _tokens([words, calls]), reasoning_tokens=reasoning)


def _as_array(events: list[bytes]) -> list[bytes]:
    """The same responses as the pieces of one JSON array: what Gemini streams without ``alt=sse``."""
    objects = [data.removeprefix(b"data: ").rstrip() for data in events]
    return [(b"[" if number == 0 else b",\r\n") + data for number, data in enumerate(objects)] + [b"]"]
