"""Wire: a connection to a provider straight on asyncio's transports.

A general backend goes around the event loop after each write, and has the kernel told before each read: a first byte
waits for both. What resolves, dials and speaks to a proxy on the way is the same as everywhere (``Dialer``).
"""

import asyncio
import ssl
from collections import deque
from collections.abc import Iterable
from typing import Any, cast

import httpcore

from pincite_core.addresses import look_up
from pincite_core.http.dialing import Dialer, Proxy

_MOST_UNREAD = 1 << 18
"""Bytes that wait for their reader before the other end is made to wait too."""
_SocketOption = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]


def wire_dialer(proxy: Proxy | None) -> Dialer:
    """A Dialer to the address that the user chose, which may be private; its connections are Wires."""
    return Dialer("any", lookup=look_up, allow_private=True, proxy=proxy, backend=_Wires())


class _Wires(httpcore.AsyncNetworkBackend):
    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[_SocketOption] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        try:
            async with asyncio.timeout(timeout):
                _, wire = await asyncio.get_running_loop().create_connection(Wire, host, port)
        except TimeoutError as error:
            raise httpcore.ConnectTimeout(f"no connection to {host} in {timeout:g} s") from error
        except OSError as error:
            raise httpcore.ConnectError(str(error)) from error
        return wire


class Wire(httpcore.AsyncNetworkStream, asyncio.Protocol):
    """One end of a connection, which one task at a time reads or writes."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._unread: deque[bytes] = deque()
        self._size = 0
        self._ended = False
        self._full = False
        self._lost: Exception | None = None
        self._waiter: asyncio.Future[None] | None = None

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109
        """What has come, at most so much; empty at the end."""
        if not self._unread and not self._ended:
            try:
                await self._changed(timeout)
            except TimeoutError as error:
                raise httpcore.ReadTimeout(f"nothing came for {timeout:g} s") from error
        if self._unread:
            return self._next(max_bytes)
        if self._lost is not None:
            raise httpcore.ReadError(str(self._lost)) from self._lost
        return b""

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109
        """Send, and return when there is room for more."""
        if self._transport.is_closing():
            raise httpcore.WriteError("the connection is closed") from self._lost
        self._transport.write(buffer)
        while self._full and not self._transport.is_closing():
            try:
                await self._changed(timeout)
            except TimeoutError as error:
                raise httpcore.WriteTimeout(f"nothing was taken for {timeout:g} s") from error
        if self._lost is not None:
            raise httpcore.WriteError(str(self._lost)) from self._lost

    async def aclose(self) -> None:
        """Cut the connection."""
        self._transport.abort()

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> httpcore.AsyncNetworkStream:
        """This connection, from now on behind TLS."""
        if self._unread:
            raise httpcore.ConnectError("the other end spoke before TLS began")
        secured = Wire()
        try:
            async with asyncio.timeout(timeout):
                transport = await self._loop.start_tls(
                    self._transport, secured, ssl_context, server_hostname=server_hostname
                )
        except TimeoutError as error:
            raise httpcore.ConnectTimeout(f"no TLS with {server_hostname} in {timeout:g} s") from error
        except (ssl.SSLError, OSError) as error:
            raise httpcore.ConnectError(str(error)) from error
        assert transport is not None
        secured.connection_made(transport)
        return secured

    def get_extra_info(self, info: str) -> Any:
        """``is_readable``: whether something has come, be it the end; else what the transport knows."""
        if info == "is_readable":
            return bool(self._unread) or self._ended or self._transport.is_closing()
        return self._transport.get_extra_info(info)

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See asyncio.Protocol."""
        self._transport = cast("asyncio.Transport", transport)

    def data_received(self, data: bytes) -> None:
        """See asyncio.Protocol."""
        self._unread.append(data)
        self._size += len(data)
        if self._size > _MOST_UNREAD:
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> None:
        """See asyncio.Protocol."""
        self._ended = True
        self._wake()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio.Protocol."""
        self._ended = True
        self._lost = exc
        self._wake()

    def pause_writing(self) -> None:
        """See asyncio.Protocol."""
        self._full = True

    def resume_writing(self) -> None:
        """See asyncio.Protocol."""
        self._full = False
        self._wake()

    async def _changed(self, seconds: float | None) -> None:
        self._waiter = self._loop.create_future()
        try:
            async with asyncio.timeout(seconds):
                await self._waiter
        finally:
            self._waiter = None

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def _next(self, most: int) -> bytes:
        data = self._unread.popleft()
        if len(data) > most:
            self._unread.appendleft(data[most:])
            data = data[:most]
        before, self._size = self._size, self._size - len(data)
        if before > _MOST_UNREAD >= self._size:
            self._transport.resume_reading()
        return data
