"""ModelCalls: single calls of models on their way through the door, checked, metered, passed on and recorded."""

import asyncio
import functools
import time
from collections import Counter
from collections.abc import Mapping
from typing import Any, Literal
from urllib.parse import quote

from starlette.types import Receive, Scope, Send

from pincite_doors.models.answer import REFUSED_STATUS, AnswerReader
from pincite_doors.models.exchange import Call, Exchange, send_json, send_kept
from pincite_doors.models.headers import passing_query
from pincite_doors.models.mask import Mask
from pincite_doors.models.meter import ModelMeter
from pincite_doors.models.prepared import Prepared, RequestBody
from pincite_doors.models.recorder import ModelRecorder
from pincite_doors.models.route import OpenRoute
from pincite_doors.models.store import KeptAnswer, question
from pincite_doors.redactor import is_secret
from pincite_doors.traffic import Traffic
from pincite_models.dialects.dialect import COUNTED, Dialect, Operation, Refusal
from pincite_models.label import Label, label_fields
from pincite_models.trouble import ModelTrouble


class ModelCalls:
    """``limited`` is set when a limit refused a call or was passed by an answer; ``trouble`` says how the agent's last
    call for an answer ended where that was not good: what a server's model fails of, its tool tells."""

    def __init__(self, meter: ModelMeter, recorder: ModelRecorder, traffic: Traffic, *, pass_labels: bool) -> None:
        self.limited = asyncio.Event()
        self.trouble: ModelTrouble | None = None
        self._meter = meter
        self._recorder = recorder
        self._traffic = traffic
        self._pass_labels = pass_labels
        self._asked_by: Counter[tuple[str, str, str]] = Counter()
        """How many requests each tool call has caused, by its role, id and what the model is for."""

    async def answer(
        self, route: OpenRoute, operation: Operation, path: str, scope: Scope, receive: Receive, send: Send
    ) -> None:
        """Answer a request for ``operation``; ``path`` is its own, without the route's."""
        method, dialect = scope["method"], route.dialect
        body = RequestBody(self._traffic)
        try:
            data = await body.read(receive, _declared(scope))
            if body.gone:
                return None
            if data is None:
                most = self._traffic.limits.model_body_bytes
                reason = f"A request may have {most} bytes."
                return await self.turn_away(send, dialect, 413, "malformed", path, reason)
            prepared = await route.preparing.prepare(operation, method, data)
            if isinstance(prepared, str):
                return await self.turn_away(send, dialect, 400, "malformed", path, prepared)
            return await self._call(route, operation, path, scope, prepared, receive, send)
        finally:
            body.release()

    async def turn_away(
        self, send: Send, dialect: Dialect, status: int, refusal: Refusal, path: str, reason: str
    ) -> None:
        """Refuse a request before it asked for anything that a model does."""
        self.record_refused(status, path, reason)
        await say(send, dialect, status, refusal, reason)

    def record_refused(self, status: int, path: str, reason: str) -> None:
        """Count and record a request that was turned away."""
        self._traffic.refuse()
        self._recorder.refused(status, path, reason)

    async def _call(
        self,
        route: OpenRoute,
        operation: Operation,
        path: str,
        scope: Scope,
        prepared: Prepared,
        receive: Receive,
        send: Send,
    ) -> None:
        """Pass one request on where it may, and record it with its end."""
        if reason := self._recorder.failure:
            self.trouble = ModelTrouble("unrecorded", f"The record cannot be written: {reason}")
            return await say(send, route.dialect, REFUSED_STATUS, "unreachable", self.trouble.detail)
        asked = time.monotonic()
        query = passing_query(scope["query_string"])
        target = quote(path, safe="/:@~+") + (f"?{query}" if query else "")
        call = Call(scope["method"], target, scope["headers"], prepared.data)
        sequence = self._record_request(route, operation, call, path, query, prepared)
        key = route.route.key
        counted = operation.kind in COUNTED
        mask = Mask(key if is_secret(key) else "")
        answer = AnswerReader(route.dialect, mask, operation.kind == "generate", counted, asked)
        if refusal := self._refusal(operation, prepared):
            cause, message = refusal
            answer.refuse(cause, message)
            self._end(route, sequence, answer, "")
            return await say(send, route.dialect, REFUSED_STATUS, cause, message)
        ended = functools.partial(self._end, route, sequence, answer, prepared.model)
        store = route.route.store
        if store is not None and operation.kind != "models":
            kept = await asyncio.to_thread(store.find, self._question(route, call))
            if kept is not None:
                return await send_kept(send, answer, kept, ended)
            if not store.asks:
                return await self._not_recorded(route, send, answer, ended)
        opened = {"any_beta": route.any_beta, "labels": self._pass_labels}
        exchange = Exchange(call, answer, route.upstream, key=key, **opened, ended=ended)
        await exchange.run(receive, send)
        if store is not None and store.writes and answer.status == 200 and answer.complete and answer.cause is None:
            kept = KeptAnswer(answer.content_type, answer.content)
            await asyncio.to_thread(store.keep, self._question(route, call), kept)
        return None

    @staticmethod
    def _question(route: OpenRoute, call: Call) -> bytes:
        return question(route.route.choice.provider, call.target, call.body)

    async def _not_recorded(self, route: OpenRoute, send: Send, answer: AnswerReader, ended: Any) -> None:
        use = route.route.use
        message = f"The recorded web has no answer of the {use} model to this request. Next: --web record."
        answer.refuse("policy", message)
        ended()
        await say(send, route.dialect, REFUSED_STATUS, "policy", message)

    def _refusal(self, operation: Operation, prepared: Prepared) -> tuple[Literal["policy", "limit"], str] | None:
        """Why a call may not pass, which is counted as refused; one that may is counted as a call."""
        if prepared.refusal is not None:
            self._traffic.refuse()
            return "policy", prepared.refusal
        counted = operation.kind in COUNTED
        if (operation.kind == "generate" or counted) and not self._meter.take(counted=not counted):
            self._traffic.refuse()
            self.limited.set()
            return "limit", passed(str(self._meter.exceeded))
        return None

    def _record_request(
        self, route: OpenRoute, operation: Operation, call: Call, path: str, query: str, prepared: Prepared
    ) -> int:
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
            **route.route.fields(),
            **self._label(route, call),
        )

    def _label(self, route: OpenRoute, call: Call) -> Mapping[Any, Any]:
        """The label of an agent's request as it stands; a server's names its tool call and counts its requests."""
        server, use = route.route.server, route.route.use
        if not server:
            return label_fields(call.headers)
        label = Label.of_server(server, call.headers)
        asked = (label.role, label.id, use)
        self._asked_by[asked] += 1
        return {"label": {**label.to_json(), "step": f"{use} {self._asked_by[asked]}"}}

    def _end(self, route: OpenRoute, sequence: int, answer: AnswerReader, model: str) -> None:
        """Count, judge and record an answer that has ended, once."""
        if not answer.settle():
            return
        cost = None
        if answer.generates and not route.route.server:
            self.trouble = answer.trouble
        if answer.generates or answer.counted:
            if answer.billable:
                named = answer.response.model if answer.response is not None else ""
                cost = self._meter.add(named or model, answer.usage, route.route.price)
            elif answer.cause not in ("limit", "policy"):
                self._meter.drop()
            if answer.cause == "limit" or self._meter.exceeded is not None:
                self.limited.set()
        self._recorder.response(
            sequence,
            answer.recorded,
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
            **({"replayed": True} if answer.replayed else {}),
        )


async def say(send: Send, dialect: Dialect, status: int, refusal: Refusal, message: str) -> None:
    """Answer with an error of the door's own, as the API words one."""
    await send_json(send, status, dialect.error_body(status, refusal, message), final=True)


def passed(limit: str) -> str:
    """What is said of a limit that is reached."""
    return f"The limit of this trial is reached ({limit}): no more calls of the model."


def _declared(scope: Scope) -> int:
    """The length that a request says its body has."""
    value = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    return int(value) if value.isdigit() else 0
