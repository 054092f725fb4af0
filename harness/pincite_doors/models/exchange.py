"""Exchange: one call on its way from the agent to the provider and back, while both are there."""

import asyncio
import os
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import orjson
from starlette.types import Receive, Send

from pincite_doors.headers import Headers
from pincite_doors.models.answer import AnswerReader
from pincite_doors.models.connection import UpstreamError
from pincite_doors.models.headers import client_headers, upstream_headers
from pincite_doors.models.store import KeptAnswer
from pincite_doors.models.upstream import ModelUpstream


@dataclass(frozen=True, slots=True)
class Call:
    """A request that may pass: ``target`` is its path with its query, ``body`` what goes to the provider."""

    method: str
    target: str
    headers: Headers
    body: bytes


class Exchange:
    """Passes every byte on as it comes. When the agent goes away, the provider's connection is cut."""

    def __init__(
        self,
        call: Call,
        answer: AnswerReader,
        upstream: ModelUpstream,
        *,
        key: str,
        any_beta: bool,
        labels: bool,
        ended: Callable[[], None],
    ) -> None:
        self._call = call
        self._answer = answer
        self._ended = ended
        self._upstream = upstream
        self._key = key
        self._any_beta = any_beta
        self._labels = labels
        self._begun = False

    async def run(self, receive: Receive, send: Send) -> None:
        """Return when the answer has ended, one way or another; the answer says which, and ``ended`` was called before
        the agent could know."""
        work = asyncio.create_task(self._relay(send), name="model call")
        gone = asyncio.create_task(_departure(receive), name="agent gone")
        try:
            await asyncio.wait({work, gone}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            if not work.done():
                self._answer.fail("cancelled", "The agent went away before the answer ended.")
            for task in (work, gone):
                task.cancel()
            try:
                await asyncio.wait({work, gone})
            finally:
                self._ended()
        with suppress(asyncio.CancelledError):
            await work

    async def _relay(self, send: Send) -> None:
        call, answer = self._call, self._answer
        credentials = self._answer.dialect.credentials(self._key) if self._key else {}
        size = len(call.body) if call.method == "POST" else None
        dialect, host = answer.dialect.name, self._upstream.host
        opened = {"any_beta": self._any_beta, "labels": self._labels}
        headers = upstream_headers(dialect, call.headers, host, credentials, size, **opened)
        try:
            async with self._upstream.ask(call.method, call.target, headers, call.body) as reply:
                answer.begin(reply.status, reply.headers)
                await self._begin(send, reply.status, reply.headers)
                async for piece in reply.pieces:
                    await self._pass(send, answer.take(piece))
                await self._pass(send, answer.mask.rest())
                answer.complete = True
            self._ended()
            await send({"type": "http.response.body", "body": b"", "more_body": False})
        except UpstreamError as error:
            answer.fail(error.cause, error.detail)
            self._ended()
            if not self._begun:
                await self._say(send, error)

    async def _begin(self, send: Send, status: int, headers: Headers) -> None:
        masked = [(name, self._answer.mask.clean(value)) for name, value in headers]
        passed = client_headers(masked, same_bytes=self._answer.same_bytes)
        self._begun = True
        await send({"type": "http.response.start", "status": status, "headers": passed})

    async def _pass(self, send: Send, data: bytes) -> None:
        if data:
            await send({"type": "http.response.body", "body": data, "more_body": True})
            if not self._answer.content:
                # The kernel queues the agent on this very core, as if the door went to sleep now; it reads on instead.
                os.sched_yield()
            self._answer.keep(data)

    async def _say(self, send: Send, error: UpstreamError) -> None:
        status = 504 if error.cause == "timeout" else 502
        message = f"The model's provider could not be reached, or its answer not read: {error.detail}"
        await send_json(send, status, self._answer.dialect.error_body(status, "unreachable", message))


async def send_kept(send: Send, answer: AnswerReader, kept: KeptAnswer, ended: Callable[[], None]) -> None:
    """Answer as the provider did when it was recorded."""
    headers: Headers = [(b"content-type", kept.content_type.encode())]
    answer.replayed = True
    answer.begin(200, headers)
    content = answer.take(kept.content) + answer.mask.rest()
    answer.keep(content)
    answer.complete = True
    ended()
    headers.append((b"content-length", str(len(content)).encode()))
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": content})


async def send_json(send: Send, status: int, body: dict[str, Any], *, final: bool = False) -> None:
    """Answer with a JSON body of the door's own; ``final`` tells clients that another try is of no use."""
    data = orjson.dumps(body)
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(data)).encode())]
    if final:
        headers.append((b"x-should-retry", b"false"))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": data})


async def _departure(receive: Receive) -> None:
    """Return when the agent has closed its connection."""
    while (await receive())["type"] != "http.disconnect":
        pass
