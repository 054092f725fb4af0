"""ModelUpstream: the connections to the provider of one trial's model."""

import ssl
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress

import anyio
import anyio.to_thread
import httpcore
import httpx

from pincite_core.http.dialing import Proxy
from pincite_core.settings import Settings
from pincite_doors.headers import Headers
from pincite_doors.models.connection import ProviderConnection, UpstreamError, UpstreamReply, connecting
from pincite_doors.models.wire import wire_dialer

CONNECT_SECONDS = 15.0
"""Seconds to reach the provider, and again for TLS. Set by judgement."""
SILENCE_SECONDS = 600.0
"""How long a provider may send nothing: models think for minutes before a whole answer."""
_PORTS = {"http": 80, "https": 443}


class ModelUpstream:
    """Sends requests to one address, which is the user's own choice and may be private."""

    def __init__(self, base_url: str, settings: Settings, silence_seconds: float = SILENCE_SECONDS) -> None:
        self._url = httpx.URL(base_url)
        self._prefix = self._url.raw_path.rstrip(b"/")
        self._silence = silence_seconds
        proxy = Proxy(settings.http_proxy) if settings.http_proxy else None
        self._dialer = wire_dialer(proxy)
        self._context: ssl.SSLContext | None = None
        self._idle: list[ProviderConnection] = []
        self._open = False

    @property
    def host(self) -> str:
        """Host and port as the Host header says them."""
        return self._url.netloc.decode("ascii")

    async def open(self) -> None:
        """Load the certificates; no connection is made yet."""
        if self._url.scheme == "https":
            self._context = await anyio.to_thread.run_sync(httpx.create_ssl_context)
            self._context.set_alpn_protocols(["http/1.1"])
        self._open = True

    async def close(self) -> None:
        """Close every connection that is idle, and leave none idle from now on; safe to call twice."""
        self._open = False
        while self._idle:
            await _cut(self._idle.pop())

    @asynccontextmanager
    async def ask(self, method: str, target: str, headers: Headers, body: bytes) -> AsyncGenerator[UpstreamReply]:
        """The reply to one request, its body not yet read. Leaving the context before its end cuts the connection, so
        that the provider stops. Redirects are not followed."""
        if not self._open:
            raise UpstreamError("connection", "the door is closed")
        connection = await self._take()
        try:
            yield await connection.ask(method, self._prefix + target.encode("ascii"), headers, body)
            connection.rest()
        finally:
            if self._open and connection.usable:
                self._idle.append(connection)
            else:
                await _cut(connection)

    async def _take(self) -> ProviderConnection:
        while self._idle:
            connection = self._idle.pop()
            if connection.usable:
                return connection
            await _cut(connection)
        host, port = self._url.raw_host.decode("ascii"), self._url.port or _PORTS[self._url.scheme]
        with connecting():
            stream = await self._dialer.connect_tcp(host.strip("[]"), port, timeout=CONNECT_SECONDS)
            if self._context is not None:
                stream = await self._secured(stream, host)
        return ProviderConnection(stream, self._silence)

    async def _secured(self, stream: httpcore.AsyncNetworkStream, host: str) -> httpcore.AsyncNetworkStream:
        assert self._context is not None
        try:
            return await stream.start_tls(self._context, server_hostname=host, timeout=CONNECT_SECONDS)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await stream.aclose()
            raise


async def _cut(connection: ProviderConnection) -> None:
    with anyio.CancelScope(shield=True), suppress(httpcore.NetworkError, OSError):
        await connection.close()
