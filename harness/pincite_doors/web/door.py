"""WebDoor: the way of one trial's agent to the hosts that its task allows, on a Unix socket, open to one token."""

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

import h11
import httpcore

from pincite_core.addresses import look_up
from pincite_core.errors import ForbiddenError, PinciteError, UnavailableError
from pincite_core.http.dialing import Dialer, Proxy
from pincite_core.http.urls import Origin
from pincite_core.settings import load_settings
from pincite_doors.redactor import Redactor
from pincite_doors.traffic import Traffic
from pincite_doors.web.allowed import AllowedHosts
from pincite_doors.web.client import WebClient, brings_token
from pincite_doors.web.failing import WebError
from pincite_doors.web.fetch import fetch
from pincite_doors.web.recorder import Outcome, WebRecorder
from pincite_doors.web.tunnel import tunnel

_MOST_CALLS = 64
"""Requests to the web at once in a trial. Set by judgement."""
_WAITING = 64
"""Connections that may wait to be accepted."""


class WebDoor:
    """A forward proxy: tunnels (CONNECT) to port 443 that begin with TLS for the same host, and plain http to port 80.

    Only ``hosts`` pass, and only to public addresses: a host is resolved here, once, and the checked address is
    connected to (``network`` opens the connections). Where the record cannot be written, nothing passes.
    BadInputError for a host that is none.
    """

    def __init__(
        self,
        socket: Path,
        token: str,
        hosts: Iterable[str],
        record: Path,
        redactor: Redactor,
        *,
        traffic: Traffic | None = None,
        network: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        self._socket = socket
        self._token = token
        self._allowed = AllowedHosts(hosts)
        self._traffic = traffic or Traffic()
        self._recorder = WebRecorder(record, redactor, traffic)
        self._network = network or _network()
        self._pool = httpcore.AsyncConnectionPool(network_backend=self._network, max_keepalive_connections=0)
        self._server: asyncio.Server | None = None
        self._calls: set[asyncio.Task[None]] = set()
        self._places = asyncio.Semaphore(_MOST_CALLS)

    async def open(self) -> None:
        """Listen on a socket that every user of the machine may connect to: the token is what opens the door.

        UnavailableError when it cannot."""
        try:
            self._server = await asyncio.start_unix_server(self._accept, self._socket, backlog=_WAITING)
            self._socket.chmod(0o666)
        except OSError as error:
            await self.close()
            raise UnavailableError("The web door did not open.", seen=str(error)) from error

    async def close(self) -> None:
        """Stop listening and cut every connection; safe to call twice."""
        if self._server is not None:
            self._server.close()
        calls = list(self._calls)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        await self._pool.aclose()
        self._recorder.close()

    async def __aenter__(self) -> "WebDoor":
        await self.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._traffic.connect():
            writer.transport.abort()
            return
        call = asyncio.get_running_loop().create_task(self._converse(reader, writer), name="web call")
        self._calls.add(call)
        call.add_done_callback(self._ended)

    def _ended(self, call: asyncio.Task[None]) -> None:
        self._calls.discard(call)
        self._traffic.disconnect()

    async def _converse(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        client = WebClient(reader, writer)
        try:
            async with self._places:
                await self._answer(client)
        except (OSError, TimeoutError, h11.RemoteProtocolError, h11.LocalProtocolError):
            writer.transport.abort()
        finally:
            with suppress(OSError):
                writer.close()

    async def _answer(self, client: WebClient) -> None:
        try:
            request = await client.request()
        except h11.RemoteProtocolError as error:
            return await client.say(400, f"This is not a request to a proxy: {error}")
        if request is None or not self._traffic.request():
            return None
        method, target = request.method.decode("ascii"), request.target.decode("latin-1")
        if not brings_token(request, self._token):
            return await self._refuse(client, 407, method, target, "A trial token is needed.")
        if reason := self._recorder.failure:
            return await client.say(503, f"The record cannot be written: {reason}")
        try:
            place = self._allowed.place("https" if method == "CONNECT" else "http", target)
        except PinciteError as error:
            status = 403 if isinstance(error, ForbiddenError) else 400
            return await self._refuse(client, status, method, target, str(error))
        sequence = self._recorder.request(method, str(place) if method == "CONNECT" else target)
        outcome = Outcome()
        try:
            await self._pass(client, request, place, outcome)
        finally:
            self._recorder.response(sequence, outcome)

    async def _pass(self, client: WebClient, request: h11.Request, place: Origin, outcome: Outcome) -> None:
        try:
            if request.method == b"CONNECT":
                await tunnel(client, place, self._network, outcome)
            else:
                await fetch(client, request, place, self._pool, outcome)
        except WebError as fault:
            outcome.cause, outcome.detail = fault.cause, fault.detail
            if client.answered:
                raise ConnectionAbortedError(fault.detail) from fault
            await client.say(fault.status, f"The web could not be reached: {fault.detail}")
        except (asyncio.CancelledError, OSError, TimeoutError, h11.ProtocolError) as error:
            outcome.cause, outcome.detail = "cancelled", str(error) or type(error).__name__
            raise

    async def _refuse(self, client: WebClient, status: int, method: str, target: str, reason: str) -> None:
        self._traffic.refuse()
        self._recorder.refused(status, method, target, reason)
        await client.say(status, reason)


def _network() -> httpcore.AsyncNetworkBackend:
    settings = load_settings()
    proxy = Proxy(settings.http_proxy) if settings.http_proxy else None
    return Dialer("public", lookup=look_up, allow_private=False, proxy=proxy)
