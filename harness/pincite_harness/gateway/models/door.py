"""ModelDoor: the way of one trial's agent to its model, on a Unix socket, open to one token."""

import asyncio
import functools
import logging
import re
import time
from collections.abc import Mapping
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, cast
from urllib.parse import quote

from starlette.types import Receive, Scope, Send

from pincite_core.settings import load_settings
from pincite_harness.dialects.dialect import Operation, Refusal
from pincite_harness.dialects.model import DialectName
from pincite_harness.dialects.table import DIALECTS
from pincite_harness.family import ModelPolicy
from pincite_harness.gateway.listening import listening
from pincite_harness.gateway.models.answer import REFUSED_STATUS, Answer
from pincite_harness.gateway.models.exchange import Call, Exchange, send_json
from pincite_harness.gateway.models.headers import brings_token, query_without_key
from pincite_harness.gateway.models.json_text import nested_deeper, read_json, write_json
from pincite_harness.gateway.models.mask import Mask
from pincite_harness.gateway.models.meter import ModelMeter
from pincite_harness.gateway.models.policy import refused_operation, refused_request
from pincite_harness.gateway.models.recorder import ModelRecorder
from pincite_harness.gateway.models.trouble import ModelTrouble
from pincite_harness.gateway.models.upstream import SILENCE_SECONDS, ModelUpstream
from pincite_harness.gateway.redactor import is_secret
from pincite_harness.model_choice import ModelChoice

_LOG = logging.getLogger(__name__)
MAX_BODY = 64 << 20
"""Bytes of a request: twice what the largest API takes."""
MOST_LEVELS = 128
"""How deep a request may be nested: what reads it goes down level by level."""
_IDLE_SECONDS = 3600
_PLAIN_PATH = re.compile(r"(/[\w.:@~+-]+)+/?\Z", re.ASCII)


class ModelDoor:
    """Passes calls of one API to the chosen model's address and records them.

    ``limited`` is set when a limit refused a call or was passed by an answer; ``trouble`` says how the last call for an
    answer ended where that was not good. ``silence_seconds`` is how long the provider may send nothing.
    """

    def __init__(
        self,
        socket: Path,
        token: str,
        *,
        choice: ModelChoice,
        key: str,
        dialect: DialectName,
        policy: ModelPolicy,
        meter: ModelMeter,
        recorder: ModelRecorder,
        silence_seconds: float = SILENCE_SECONDS,
    ) -> None:
        self.meter = meter
        self.limited = asyncio.Event()
        self.trouble: ModelTrouble | None = None
        self._socket = socket
        self._token = token
        self._choice = choice
        self._key = key
        self._dialect = DIALECTS[dialect]
        self._policy = policy
        self._recorder = recorder
        self._upstream = ModelUpstream(choice.base_url, load_settings(), silence_seconds)
        self._calls: set[asyncio.Task[Any]] = set()
        self._exit = AsyncExitStack()

    async def open(self) -> None:
        """Listen; UnavailableError when the socket does not come up."""
        self._exit.push_async_callback(self._finish_record)
        self._exit.push_async_callback(self._upstream.close)
        try:
            await self._upstream.open()
            served = listening(self._serve, self._socket, "model door", lifespan=False, idle_seconds=_IDLE_SECONDS)
            await self._exit.enter_async_context(served)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Cut the calls that are under way, stop listening and finish the record; safe to call twice."""
        for call in list(self._calls):
            call.cancel()
        await self._exit.aclose()

    async def __aenter__(self) -> "ModelDoor":
        await self.open()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _finish_record(self) -> None:
        self._recorder.catch_up()
        await asyncio.to_thread(self._recorder.close)

    async def _serve(self, scope: Scope, receive: Receive, send: Send) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._calls.add(task)
        try:
            await self._answer(scope, receive, send)
        except asyncio.CancelledError:
            # The door closes: the server hangs up on an answer that has not ended.
            task.uncancel()
        except Exception as error:
            self.trouble = ModelTrouble("door", f"{type(error).__name__}: {error}")
            _LOG.exception("The model door failed on %s", scope["path"])
            raise
        finally:
            self._calls.discard(task)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:
        method, path = scope["method"], scope["path"]
        if not brings_token(scope["headers"], scope["query_string"], self._token):
            return await self._turn_away(send, 401, "auth", path, "A trial token is needed.")
        operation = self._dialect.operation(method, path) if _PLAIN_PATH.match(path) and ".." not in path else None
        if operation is None:
            return await self._turn_away(send, 404, "policy", path, f"This trial's model API has no {method} {path}.")
        if reason := refused_operation(operation, method):
            return await self._turn_away(send, 404, "policy", path, reason)
        data = await _read(receive) if _declared(scope) <= MAX_BODY else None
        if data is None:
            return await self._turn_away(send, 413, "malformed", path, f"A request may have {MAX_BODY} bytes.")
        body = _object(data) if method == "POST" else {}
        if body is None:
            return await self._turn_away(
                send, 400, "malformed", path, "The request is no JSON object, or one nested too deeply."
            )
        return await self._call(scope, operation, body, receive, send)

    async def _call(
        self, scope: Scope, operation: Operation, body: dict[str, Any], receive: Receive, send: Send
    ) -> None:
        """Check one request, pass it on, and record it with its end."""
        if reason := self._recorder.failure:
            self.trouble = ModelTrouble("unrecorded", f"The record cannot be written: {reason}")
            return await self._say(send, REFUSED_STATUS, "unreachable", self.trouble.detail)
        asked = time.monotonic()
        query = query_without_key(scope["query_string"])
        target = quote(scope["path"], safe="/:@~+") + (f"?{query}" if query else "")
        data = write_json(self._counting(operation, body)) if scope["method"] == "POST" else b""
        call = Call(scope["method"], target, scope["headers"], data)
        sequence = self._record_request(operation, call, scope["path"], query, body)
        mask = Mask(self._key if is_secret(self._key) else "")
        answer = Answer(self._dialect, mask, generates=operation.kind == "generate", asked=asked)
        if refusal := self._refusal(operation, body):
            cause, message = refusal
            answer.refuse(cause, message)
            self._end(sequence, answer, "")
            return await self._say(send, REFUSED_STATUS, cause, message)
        ended = functools.partial(self._end, sequence, answer, self._dialect.model_of(operation, body))
        return await Exchange(call, answer, self._upstream, key=self._key, ended=ended).run(receive, send)

    def _refusal(self, operation: Operation, body: Mapping[str, Any]) -> tuple[Literal["policy", "limit"], str] | None:
        """Why a call may not pass; one that may is counted."""
        if operation.kind == "models":
            return None
        if reason := refused_request(self._policy, self._choice, self._dialect, operation, body):
            return "policy", reason
        if operation.kind == "generate" and not self.meter.take():
            self.limited.set()
            return "limit", f"The limit of this trial is reached ({self.meter.exceeded}): no more calls of the model."
        return None

    def _counting(self, operation: Operation, body: dict[str, Any]) -> dict[str, Any]:
        """The request as it goes out. Streams of Chat Completions tell their usage only when asked, which limits of
        tokens and cost need."""
        limits = self.meter.limits
        needed = limits.tokens is not None or limits.cost_usd is not None
        if not needed or operation.dialect != "openai.chat" or not self._dialect.streamed(operation, body):
            return body
        options = body.get("stream_options")
        asked = cast("dict[str, Any]", options) if isinstance(options, dict) else {}
        return {**body, "stream_options": {**asked, "include_usage": True}}

    def _record_request(self, operation: Operation, call: Call, path: str, query: str, body: Mapping[str, Any]) -> int:
        retries = [value for name, value in call.headers if name == b"x-stainless-retry-count"]
        return self._recorder.request(
            call.body,
            dialect=operation.dialect,
            operation=operation.kind,
            method=call.method,
            path=path,
            query=query,
            model=self._dialect.model_of(operation, body),
            streamed=self._dialect.streamed(operation, body),
            retry=int(retries[0]) if retries and retries[0].isdigit() else None,
        )

    def _end(self, sequence: int, answer: Answer, model: str) -> None:
        """Count, judge and record an answer that has ended, once."""
        if not answer.settle():
            return
        cost = None
        if answer.generates:
            self.trouble = answer.trouble
            if answer.billable:
                named = answer.response.model if answer.response is not None else ""
                cost = self.meter.add(named or model, answer.usage)
            elif answer.cause not in ("limit", "policy"):
                self.meter.drop()
            if answer.cause == "limit" or self.meter.exceeded is not None:
                self.limited.set()
        self._recorder.response(
            sequence,
            answer.content,
            streamed=answer.streamed,
            seconds=round(time.monotonic() - answer.asked, 6),
            first_byte_seconds=answer.first_byte_seconds,
            status=answer.status,
            complete=answer.complete,
            cause=answer.cause,
            detail=answer.detail,
            usage=answer.usage,
            cost_usd=cost,
            request_id=answer.request_id,
        )

    async def _turn_away(self, send: Send, status: int, refusal: Refusal, path: str, reason: str) -> None:
        self._recorder.refused(status, path, reason)
        await self._say(send, status, refusal, reason)

    async def _say(self, send: Send, status: int, refusal: Refusal, message: str) -> None:
        await send_json(send, status, self._dialect.error_body(status, refusal, message), final=True)


def _declared(scope: Scope) -> int:
    """The length that a request says its body has."""
    value = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(value) if value.isdigit() else 0


async def _read(receive: Receive) -> bytes | None:
    """The body of a request; None for one that is too large, or whose sender went away."""
    pieces: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        piece = message.get("body", b"")
        size += len(piece)
        if message["type"] != "http.request" or size > MAX_BODY:
            return None
        pieces.append(piece)
        if not message.get("more_body", False):
            return b"".join(pieces)


def _object(data: bytes) -> dict[str, Any] | None:
    try:
        value = read_json(data)
    except ValueError:
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) and not nested_deeper(value, MOST_LEVELS) else None
