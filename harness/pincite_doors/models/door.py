"""ModelDoor: the way of one trial's agent to its model, on a Unix socket, open to one token."""

import asyncio
import functools
import logging
import re
import time
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Any, Literal
from urllib.parse import quote

from starlette.types import Receive, Scope, Send

from pincite_core.settings import load_settings
from pincite_doors.listening import listening
from pincite_doors.models.answer import REFUSED_STATUS, AnswerReader
from pincite_doors.models.exchange import Call, Exchange, send_json
from pincite_doors.models.headers import brings_token, passing_query
from pincite_doors.models.mask import Mask
from pincite_doors.models.meter import ModelMeter
from pincite_doors.models.policy import refused_operation, refused_request
from pincite_doors.models.prepared import Prepared, Preparing, RequestBody
from pincite_doors.models.recorder import ModelRecorder
from pincite_doors.models.upstream import SILENCE_SECONDS, ModelUpstream
from pincite_doors.redactor import is_secret
from pincite_doors.traffic import Traffic
from pincite_models.choice import ModelChoice
from pincite_models.dialects.dialect import Operation, Refusal
from pincite_models.dialects.model import DialectName
from pincite_models.dialects.table import DIALECTS
from pincite_models.label import label_fields
from pincite_models.trouble import ModelTrouble
from pincite_tasks.family import ModelPolicy

_LOG = logging.getLogger(__name__)
_IDLE_SECONDS = 3600
_PLAIN_PATH = re.compile(r"(/[\w.:@~+-]+)+/?\Z", re.ASCII)


class ModelDoor:
    """Passes calls of one API to the chosen model's address and records them.

    ``traffic`` meters what the agent sends. ``limited`` is set when a limit refused a call or was passed by an answer;
    ``trouble`` says how the last call for an answer ended where that was not good. ``silence_seconds`` is how long the
    provider may send nothing.
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
        traffic: Traffic | None = None,
        silence_seconds: float = SILENCE_SECONDS,
    ) -> None:
        self.meter = meter
        self.limited = asyncio.Event()
        self.trouble: ModelTrouble | None = None
        self._socket = socket
        self._token = token
        self._key = key
        self._dialect = DIALECTS[dialect]
        self._any_beta = bool(policy.hosted_tools or policy.open_fields)
        self._recorder = recorder
        self.traffic = traffic or Traffic()
        check = functools.partial(refused_request, policy, choice)
        self._preparing = Preparing(self._dialect, check, meter.limits, self.traffic.limits.model_body_marks)
        settings = load_settings()
        self._labels = settings.pass_labels
        self._upstream = ModelUpstream(choice.base_url, settings, silence_seconds)
        self._calls: set[asyncio.Task[Any]] = set()
        self._exit = AsyncExitStack()

    async def open(self) -> None:
        """Listen; UnavailableError when the socket does not come up."""
        self._exit.push_async_callback(self._finish_record)
        self._exit.push_async_callback(self._upstream.close)
        try:
            await self._upstream.open()
            served = listening(
                self._serve,
                self._socket,
                "model door",
                traffic=self.traffic,
                on_refused=self._record_refused,
                body_bytes=self.traffic.limits.model_body_bytes,
                lifespan=False,
                idle_seconds=_IDLE_SECONDS,
            )
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
        if self.traffic.exceeded is not None:
            return await self._say(send, REFUSED_STATUS, "limit", _passed(self.traffic.exceeded))
        if not brings_token(scope["headers"], scope["query_string"], self._token):
            return await self._turn_away(send, 401, "auth", path, "A trial token is needed.")
        operation = self._dialect.operation(method, path) if _PLAIN_PATH.match(path) and ".." not in path else None
        if operation is None:
            return await self._turn_away(send, 404, "policy", path, f"This trial's model API has no {method} {path}.")
        if reason := refused_operation(operation, method):
            return await self._turn_away(send, 404, "policy", path, reason)
        body = RequestBody(self.traffic)
        try:
            data = await body.read(receive, _declared(scope))
            if body.gone:
                return None
            if data is None:
                most = self.traffic.limits.model_body_bytes
                return await self._turn_away(send, 413, "malformed", path, f"A request may have {most} bytes.")
            prepared = await self._preparing.prepare(operation, method, data)
            if isinstance(prepared, str):
                return await self._turn_away(send, 400, "malformed", path, prepared)
            return await self._call(scope, operation, prepared, receive, send)
        finally:
            body.release()

    async def _call(self, scope: Scope, operation: Operation, prepared: Prepared, receive: Receive, send: Send) -> None:
        """Pass one request on where it may, and record it with its end."""
        if reason := self._recorder.failure:
            self.trouble = ModelTrouble("unrecorded", f"The record cannot be written: {reason}")
            return await self._say(send, REFUSED_STATUS, "unreachable", self.trouble.detail)
        asked = time.monotonic()
        query = passing_query(scope["query_string"])
        target = quote(scope["path"], safe="/:@~+") + (f"?{query}" if query else "")
        call = Call(scope["method"], target, scope["headers"], prepared.data)
        sequence = self._record_request(operation, call, scope["path"], query, prepared)
        mask = Mask(self._key if is_secret(self._key) else "")
        answer = AnswerReader(self._dialect, mask, generates=operation.kind == "generate", asked=asked)
        if refusal := self._refusal(operation, prepared):
            cause, message = refusal
            answer.refuse(cause, message)
            self._end(sequence, answer, "")
            return await self._say(send, REFUSED_STATUS, cause, message)
        ended = functools.partial(self._end, sequence, answer, prepared.model)
        opened = {"any_beta": self._any_beta, "labels": self._labels}
        exchange = Exchange(call, answer, self._upstream, key=self._key, **opened, ended=ended)
        return await exchange.run(receive, send)

    def _refusal(self, operation: Operation, prepared: Prepared) -> tuple[Literal["policy", "limit"], str] | None:
        """Why a call may not pass, which is counted as refused; one that may is counted as a call."""
        if prepared.refusal is not None:
            self.traffic.refuse()
            return "policy", prepared.refusal
        if operation.kind == "generate" and not self.meter.take():
            self.traffic.refuse()
            self.limited.set()
            return "limit", _passed(str(self.meter.exceeded))
        return None

    def _record_request(self, operation: Operation, call: Call, path: str, query: str, prepared: Prepared) -> int:
        retries = [value for name, value in call.headers if name == b"x-stainless-retry-count"]
        return self._recorder.request(
            call.body,
            dialect=operation.dialect,
            operation=operation.kind,
            method=call.method,
            path=path,
            query=query,
            model=prepared.model or operation.model,
            streamed=prepared.streamed,
            retry=int(retries[0]) if retries and retries[0].isdigit() else None,
            **label_fields(call.headers),
        )

    def _end(self, sequence: int, answer: AnswerReader, model: str) -> None:
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

    def _record_refused(self, status: int, path: str, reason: str) -> None:
        self.traffic.refuse()
        self._recorder.refused(status, path, reason)

    async def _turn_away(self, send: Send, status: int, refusal: Refusal, path: str, reason: str) -> None:
        self._record_refused(status, path, reason)
        await self._say(send, status, refusal, reason)

    async def _say(self, send: Send, status: int, refusal: Refusal, message: str) -> None:
        await send_json(send, status, self._dialect.error_body(status, refusal, message), final=True)


def _declared(scope: Scope) -> int:
    """The length that a request says its body has."""
    value = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(value) if value.isdigit() else 0


def _passed(limit: str) -> str:
    return f"The limit of this trial is reached ({limit}): no more calls of the model."
