"""ModelClient: asks one model over HTTP, with bounded tries in a bounded time.

httpx is loaded by the first call.
"""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar, cast

import anyio
import orjson

from pincite_core.http.retries import Backoff, asked_pause
from pincite_models.connection import Connection, find_dialect
from pincite_models.dialects.dialect import Dialect
from pincite_models.dialects.model import ModelResponse
from pincite_models.dialects.question import Question
from pincite_models.trouble import CallError, ModelCause, cause_of_status, cause_of_words

if TYPE_CHECKING:
    import httpx

Read = TypeVar("Read")

_PASSING: frozenset[ModelCause] = frozenset({"rate_limited", "overloaded", "server_error", "timeout", "connection"})
"""What may have passed by the next try."""
_PASSING_STATUSES = frozenset((409, 425))
"""These ask for another try too, whatever they are called: a conflict, and a request that came too early."""
_SEEN_BYTES = 4000
"""Of an answer that is told in an error."""
TOO_LATE = "did not answer in time"


def may_pass(failure: CallError) -> bool:
    """Whether another try may end better: rate limits, outages and dropped connections, not refused questions or
    answers that cannot be read."""
    return failure.cause in _PASSING or failure.status in _PASSING_STATUSES


@dataclass(frozen=True, slots=True)
class Bounds:
    """What one question may take: ``seconds`` in all, so many ``tries``, so many bytes of an answer; pauses between
    tries follow ``backoff`` and what the API asks for, and an API that asks for more than ``longest_pause`` seconds is
    given up. ``may_pass`` says after which failures another try is made."""

    seconds: float
    tries: int
    most_reply: int
    backoff: Backoff
    longest_pause: float = 30.0
    connect_seconds: float = 10.0
    may_pass: Callable[[CallError], bool] = may_pass


class ModelClient:
    """Asks the model of one connection. With ``keep`` its HTTP connections serve the next question too, for callers
    with one event loop for all of them, who close it; else each question has its own. Redirects are not followed."""

    def __init__(self, connection: Connection, bounds: Bounds, *, keep: bool = False) -> None:
        self.connection = connection
        self.bounds = bounds
        self._keep = keep
        self._kept: httpx.AsyncClient | None = None

    def write(self, question: Question) -> bytes:
        """The body of a question in the words of the model's API."""
        return orjson.dumps(self._dialect().write_question(self.connection.model, question))

    async def ask(self, question: Question | bytes) -> ModelResponse:
        """The model's answer to a question, or to one that was written before; CallError where there is none."""
        body = question if isinstance(question, bytes) else self.write(question)
        return await self._persist(body, self._read_response)

    async def post(self, body: Any) -> Any:
        """The decoded answer of an API of plain JSON; CallError where there is none."""
        return await self._persist(orjson.dumps(body), self._read_json)

    async def close(self) -> None:
        """Close the connections that were kept; a later question opens new ones."""
        http, self._kept = self._kept, None
        if http is not None:
            await http.aclose()

    async def _persist(self, body: bytes, read: Callable[[bytes], Read]) -> Read:
        """What is read of the first good answer; the last failure where the tries or the time are used up."""
        failure: CallError | None = None
        deadline = anyio.current_time() + self.bounds.seconds
        try:
            with anyio.fail_after(self.bounds.seconds):
                async with self._connected() as http:
                    for tried in range(1, self.bounds.tries + 1):
                        try:
                            return read(await self._send(http, body))
                        except CallError as error:
                            failure = error
                        pause = max(self.bounds.backoff.pause(tried), failure.pause)
                        if not self._again(failure, tried, pause) or anyio.current_time() + pause > deadline:
                            break
                        await anyio.sleep(pause)
        except TimeoutError:
            failure = failure or CallError("timeout", TOO_LATE, f"the limit is {self.bounds.seconds:g} s")
        assert failure is not None
        raise failure

    def _again(self, failure: CallError, tried: int, pause: float) -> bool:
        passing = self.bounds.may_pass(failure) and not failure.final
        return passing and tried < self.bounds.tries and pause <= self.bounds.longest_pause

    async def _send(self, http: "httpx.AsyncClient", body: bytes) -> bytes:
        """The content of a good answer."""
        import httpx

        content = bytearray()
        headers = self.connection.sent_headers()
        try:
            async with http.stream("POST", self.connection.url, content=body, headers=headers) as response:
                async for piece in response.aiter_bytes():
                    content += piece
                    if len(content) > self.bounds.most_reply:
                        most = f"more than {self.bounds.most_reply} bytes"
                        raise CallError("malformed", "sent too long an answer", most, final=True)
        except httpx.InvalidURL:
            raise CallError("bad_request", "could not be reached", "its address cannot be used", final=True) from None
        except httpx.HTTPError as error:
            # The text of an error may quote the request: its kind says enough.
            raise CallError("connection", "could not be reached", type(error).__name__) from None
        if response.status_code != 200:
            raise self._refused(response, bytes(content))
        return bytes(content)

    def _refused(self, response: "httpx.Response", content: bytes) -> CallError:
        status, text = response.status_code, self._seen(content)
        cause = cause_of_status(status, text) or "bad_request"
        pause = asked_pause(response.headers) or 0.0
        return CallError(cause, "answered with an error", text, status=status, pause=pause)

    def _read_response(self, content: bytes) -> ModelResponse:
        """An answer in the one shape; what its model did not bring to an end is an answer where it has any part."""
        body = self._read_json(content)
        if not isinstance(body, dict):
            raise self._unreadable(content)
        answer = self._dialect().read_response(cast("dict[str, Any]", body))
        if answer.stop == "error":
            words = self.connection.clean(answer.error) or self._seen(content)
            raise CallError(cause_of_words(words), "answered with an error", words)
        if not (answer.complete or answer.parts):
            raise self._unreadable(content)
        return answer

    def _read_json(self, content: bytes) -> Any:
        try:
            return orjson.loads(content)
        except ValueError:
            raise self._unreadable(content) from None

    def _unreadable(self, content: bytes) -> CallError:
        return CallError("malformed", "sent an answer that cannot be read", self._seen(content))

    def _seen(self, content: bytes) -> str:
        return self.connection.clean(content[:_SEEN_BYTES].decode(errors="replace"))

    def _dialect(self) -> Dialect:
        assert self.connection.dialect is not None, "an API of plain JSON is asked by post"
        return find_dialect(self.connection.dialect)

    @asynccontextmanager
    async def _connected(self) -> "AsyncGenerator[httpx.AsyncClient]":
        http = self._kept or self._open()
        if self._keep:
            self._kept = http
            yield http
            return
        async with http:
            yield http

    def _open(self) -> "httpx.AsyncClient":
        import httpx

        there = self.connection
        # The user's certificates count (reading them takes a tenth of a second, and a server on this machine mostly
        # needs none).
        secure = there.url.startswith("https:") or bool(there.proxy) or there.environment
        return httpx.AsyncClient(
            timeout=httpx.Timeout(None, connect=self.bounds.connect_seconds),
            verify=httpx.create_ssl_context() if secure else False,
            proxy=there.proxy or None,
            trust_env=there.environment,
        )
