"""The live web: one request with its deadline, retries, rate limit and redirects."""

import asyncio
import time
import weakref
from dataclasses import dataclass
from datetime import UTC, datetime

import anyio

from pincite_core.addresses import Lookup, look_up
from pincite_core.errors import BadInputError, LimitReachedError, NotFoundError, PinciteError, SourceError
from pincite_core.http.bodies import read_body
from pincite_core.http.circuit import Circuit
from pincite_core.http.exchange import Request, Response
from pincite_core.http.limiter import Lane, Limiter, Permit, PermitTooLateError
from pincite_core.http.outcomes import (
    OUTAGES,
    asks_to_wait,
    checked,
    failure,
    left_alone,
    queue_too_long,
    too_slow,
    transfer_failed,
)
from pincite_core.http.policy import Rate
from pincite_core.http.redaction import TextRedactor, own_secrets
from pincite_core.http.retries import asked_pause, pause_before_next
from pincite_core.http.route import REDIRECTS, Hop, Route
from pincite_core.http.transport import TransferError, Transport, WireResponse
from pincite_core.settings import Settings

_MOST_ERROR_BYTES = 64 << 10
"""Bytes of the body of an error response that are read for its message. Set by judgement."""
_MAY_ASK_TO_WAIT = frozenset((429, 503))
_NO_RATE = Rate(1 << 20, 0.001, at_once=1 << 20)
_LEAST_SECONDS = 1.0
"""What a permit leaves for the exchange itself, or a tenth of the lookup's time where that is less."""

_FAIR_SECONDS = 5.0
"""A request that waited for its server this long, or half its time, has had a fair try: its end is the server's."""
_HEALTHY = (NotFoundError, BadInputError, LimitReachedError)


@dataclass(slots=True)
class _Visit:
    """One lookup on its way; ``failed`` is how the last try ended, ``stage`` what it is doing."""

    request: Request
    route: Route
    lane: Lane
    deadline: float
    redactor: TextRedactor
    failed: SourceError | None = None
    stage: str = ""
    began: float = 0.0
    """When its first permit came; 0 before."""


class Live:
    """Asks sources over the network; every event loop has connections of its own.

    Circuits are shared by the users of one Live, rates by the processes that share ``settings.cache_dir``. ``lookup``
    finds the addresses of hosts.
    """

    def __init__(self, settings: Settings, *, lookup: Lookup = look_up) -> None:
        self._settings = settings
        self._lookup = lookup
        self._secrets = own_secrets(settings)
        self._limiter = Limiter(settings.cache_dir / "limits")
        self._circuits: dict[str, Circuit] = {}
        self._transports: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Transport] = weakref.WeakKeyDictionary()

    async def answer(self, request: Request) -> Response:
        """The answer of the source; raises what ``Web.get`` raises, with no secret in it."""
        redactor = TextRedactor(request.access, self._secrets)
        try:
            route = Route(request, self._settings)
            rate = request.policy.rate if self._settings.source_rates == "published" else _NO_RATE
            deadline = time.monotonic() + request.seconds
            visit = _Visit(request, route, Lane(route.lane, rate), deadline, redactor)
            return await self._by_circuit(visit)
        except PinciteError as error:
            redactor.error(error)
            raise

    async def aclose(self) -> None:
        """Close the connections of this event loop."""
        transport = self._transports.pop(asyncio.get_running_loop(), None)
        if transport is not None:
            await transport.aclose()

    async def _by_circuit(self, visit: _Visit) -> Response:
        circuit = self._circuits.setdefault(visit.lane.name, Circuit())
        remaining = circuit.remaining()
        if remaining:
            raise left_alone(visit.request, remaining, circuit.failures)
        circuit.begin()
        try:
            response = await self._in_time(visit)
        except SourceError as error:
            if error.cause == "rate_limited" or (error.cause == "slow" and not _had_its_time(visit)):
                circuit.leave()
            elif error.cause in OUTAGES:
                circuit.fail()
            else:
                circuit.succeed()
            raise
        except _HEALTHY:
            circuit.succeed()
            raise
        except BaseException:
            circuit.leave()
            raise
        circuit.succeed()
        return response

    async def _in_time(self, visit: _Visit) -> Response:
        with anyio.move_on_after(visit.deadline - time.monotonic()):
            return await self._by_tries(visit)
        raise visit.failed or too_slow(visit.request, visit.request.seconds, visit.stage)

    async def _by_tries(self, visit: _Visit) -> Response:
        tried = 0
        while True:
            tried += 1
            try:
                return await self._follow(visit)
            except PermitTooLateError as late:
                raise visit.failed or _too_late(visit.request, late) from late
            except SourceError as error:
                pause = pause_before_next(tried, error)
                least = max(pause or 0.0, error.retry_after or 0.0)
                if pause is None or time.monotonic() + least > visit.deadline:
                    raise
                visit.failed = error
            visit.stage = "waiting before the next try"
            await anyio.sleep(pause)

    async def _follow(self, visit: _Visit) -> Response:
        """The answer at the end of the redirects."""
        hop = visit.route.first()
        for _ in range(REDIRECTS + 1):
            came = await self._exchange(visit, hop)
            if isinstance(came, Response):
                return came
            hop = came
        seen = f"more than {REDIRECTS} redirects"
        title = visit.request.policy.title
        raise failure(visit.request, "server_error", f"{title} redirects too often.", seen)

    async def _exchange(self, visit: _Visit, hop: Hop) -> Response | Hop:
        """One hop, with a permit of its own: the answer, or the hop that it leads to."""
        visit.stage = "waiting for a turn"
        latest = visit.deadline - min(_LEAST_SECONDS, visit.request.seconds / 10)
        async with self._limiter.permit(visit.lane, latest) as permit:
            visit.began = visit.began or time.monotonic()
            visit.stage = "waiting for the answer"
            try:
                return await self._send(visit, hop, permit)
            except TransferError as error:
                if error.cause == "unreachable":
                    permit.unused()
                if error.cause == "slow":
                    silence = self._settings.http_read_seconds
                    raise too_slow(visit.request, silence, "that long it said nothing") from error
                raise transfer_failed(visit.request, error.cause, error.seen) from error

    async def _send(self, visit: _Visit, hop: Hop, permit: Permit) -> Response | Hop:
        sending = self._transport().send(hop.method, hop.url, hop.headers, hop.body, reach=hop.reach, sent=permit.sent)
        async with sending as reply:
            permit.answered()
            visit.stage = "reading the answer"
            following = visit.route.next(hop, reply)
            if following is not None:
                return following
            content = await _content(visit.request, reply)
        return await self._checked(visit, hop, reply, content)

    async def _checked(self, visit: _Visit, hop: Hop, reply: WireResponse, content: bytes) -> Response:
        request = visit.request
        response = Response(
            request=request,
            status=reply.status,
            url=visit.redactor.address(str(hop.url)),
            headers=visit.redactor.headers(reply.headers),
            content=content,
            retrieved=datetime.now(UTC).replace(microsecond=0),
            origin="live",
        )
        pause = asked_pause(reply.headers) if reply.status in _MAY_ASK_TO_WAIT else None
        asked_rest = request.policy.asked_rest
        rest = max(pause or 0.0, asked_rest(response.headers) if asked_rest is not None else 0.0)
        if rest:
            await self._limiter.rest(visit.lane, rest)
        return checked(response, visit.redactor, pause)

    def _transport(self) -> Transport:
        loop = asyncio.get_running_loop()
        if loop not in self._transports:
            self._transports[loop] = Transport(self._settings, lookup=self._lookup)
        return self._transports[loop]


def _had_its_time(visit: _Visit) -> bool:
    """Whether the source had 5 s, or half of the lookup's time where that is less; our own queue took the rest."""
    return visit.began > 0 and time.monotonic() - visit.began >= min(visit.request.seconds / 2, _FAIR_SECONDS)


async def _content(request: Request, reply: WireResponse) -> bytes:
    """The body; of an answer that becomes an error no more than can be shown."""
    if 200 <= reply.status < 300 or reply.status in request.expect:
        return await read_body(reply, request.most_bytes)
    try:
        return await read_body(reply, _MOST_ERROR_BYTES)
    except (TransferError, LimitReachedError):
        return b""


def _too_late(request: Request, late: PermitTooLateError) -> SourceError:
    if late.resting:
        return asks_to_wait(request, late.seconds, "it said so to an earlier lookup")
    return queue_too_long(request, late.seconds)
