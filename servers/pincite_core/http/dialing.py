"""Opening connections: a host is resolved once, every address is checked, and only checked addresses are used."""

import base64
import functools
import ipaddress
import ssl
from collections.abc import Iterable
from typing import Any, Literal, cast
from urllib.parse import unquote

import anyio
import anyio.to_thread
import httpcore
import httpx

from pincite_core.addresses import Lookup, is_public, resolve
from pincite_core.errors import BadInputError, UnavailableError

Reach = Literal["public", "own", "any"]
"""What a connection may reach: public addresses; those of a source that pincite itself names; any that the user set."""

_STAGGER_SECONDS = 0.25
"""Seconds before the next address is tried beside the last: the Connection Attempt Delay of RFC 8305, 5."""
_MOST_ADDRESSES = 8
"""Addresses of one host that are tried. Set by judgement."""
_MOST_PROXY_HEAD = 16_384
"""Bytes of a proxy's answer to CONNECT: 16 KiB, as much as HTTP servers commonly allow."""
_SocketOption = tuple[int, int, int] | tuple[int, int, bytes | bytearray] | tuple[int, int, None, int]


class Proxy:
    """An http or https proxy, of which tunnels are asked (CONNECT); the password stands in no repr."""

    def __init__(self, address: str) -> None:
        try:
            url = httpx.URL(address)
        except (httpx.InvalidURL, ValueError):
            url = httpx.URL("")
        if url.scheme not in ("http", "https") or not url.host:
            raise BadInputError(
                "PINCITE_HTTP_PROXY is not the address of a proxy.",
                next="Give it as http://host:port or https://host:port.",
            )
        self.scheme = url.scheme
        self.host = url.host
        self.port = url.port or (443 if url.scheme == "https" else 8080)
        self._user = unquote(url.userinfo.decode("ascii"))

    def request(self, target: str) -> bytes:
        """The bytes that ask for a tunnel to ``target`` (``host:port``)."""
        lines = [f"CONNECT {target} HTTP/1.1", f"Host: {target}"]
        if self._user:
            user = self._user if ":" in self._user else f"{self._user}:"
            lines.append(f"Proxy-Authorization: Basic {base64.b64encode(user.encode()).decode()}")
        return ("\r\n".join(lines) + "\r\n\r\n").encode()


class Dialer(httpcore.AsyncNetworkBackend):
    """Opens the connections of one pool, to the places that ``reach`` lets through.

    Addresses of a host (at most 8) are tried in the resolver's order, a new one every 250 ms (RFC 8305) or as soon as
    one fails. Behind a proxy the tunnel goes to a checked address; for the sources that pincite or the user names it
    goes to their host name, so that proxies which know only names work, and private places that the user named are
    connected to directly. ``backend`` opens the connection to a checked address.
    """

    def __init__(
        self,
        reach: Reach,
        *,
        lookup: Lookup,
        allow_private: bool,
        proxy: Proxy | None,
        backend: httpcore.AsyncNetworkBackend | None = None,
    ) -> None:
        self._reach: Reach = reach
        self._lookup = lookup
        self._allow_private = allow_private or reach == "any"
        self._proxy = proxy
        self._system = backend or cast("httpcore.AsyncNetworkBackend", httpcore.AnyIOBackend())
        self._threads: anyio.CapacityLimiter | None = None

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109
        local_address: str | None = None,
        socket_options: Iterable[_SocketOption] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        """A connection to ``host``; ForbiddenError when it has an address that may not be reached."""
        try:
            with anyio.fail_after(timeout):
                return await self._connect(host, port)
        except TimeoutError as error:
            raise httpcore.ConnectTimeout(f"no connection to {host} in {timeout:g} s") from error

    async def sleep(self, seconds: float) -> None:
        """As the pool wants it."""
        await anyio.sleep(seconds)

    async def _connect(self, host: str, port: int) -> httpcore.AsyncNetworkStream:
        if self._proxy is None:
            return await self._race(await self._resolve(host, port), port)
        if self._reach == "public":
            addresses = await self._resolve(host, port)
            address = next((each for each in addresses if ":" not in each), addresses[0])
            return await self._tunnel(self._proxy, address, port)
        if self._reach == "any":
            try:
                addresses = await self._resolve(host, port)
            except UnavailableError:
                addresses = []
            if addresses and not any(is_public(ipaddress.ip_address(address)) for address in addresses):
                return await self._race(addresses, port)
        return await self._tunnel(self._proxy, host, port)

    async def _resolve(self, host: str, port: int) -> list[str]:
        if self._threads is None:
            self._threads = anyio.CapacityLimiter(16)
        look = functools.partial(resolve, host, port, allow_private=self._allow_private, lookup=self._lookup)
        return await anyio.to_thread.run_sync(look, abandon_on_cancel=True, limiter=self._threads)

    async def _race(self, addresses: list[str], port: int) -> httpcore.AsyncNetworkStream:
        """The first connection that opens; the others are given up."""
        won: list[httpcore.AsyncNetworkStream] = []
        failed: list[httpcore.ConnectError] = []

        async def attempt(address: str, ended: anyio.Event) -> None:
            try:
                stream = await self._system.connect_tcp(address, port)
            except httpcore.ConnectError as error:
                failed.append(error)
                ended.set()
                return
            if won:
                await stream.aclose()
                return
            won.append(stream)
            group.cancel_scope.cancel()

        try:
            async with anyio.create_task_group() as group:
                for address in addresses[:_MOST_ADDRESSES]:
                    ended = anyio.Event()
                    group.start_soon(attempt, address, ended)
                    with anyio.move_on_after(_STAGGER_SECONDS):
                        await ended.wait()
        except BaseException:
            for stream in won:
                with anyio.CancelScope(shield=True):
                    await stream.aclose()
            raise
        if not won:
            raise failed[-1]
        return won[0]

    async def _tunnel(self, proxy: Proxy, host: str, port: int) -> httpcore.AsyncNetworkStream:
        try:
            stream = await self._system.connect_tcp(proxy.host, proxy.port)
        except httpcore.ConnectError as error:
            raise httpcore.ProxyError(f"the proxy {proxy.host}:{proxy.port} could not be reached") from error
        try:
            if proxy.scheme == "https":
                stream = await stream.start_tls(_proxy_context(), server_hostname=proxy.host)
            target = f"[{host}]:{port}" if ":" in host else f"{host}:{port}"
            await stream.write(proxy.request(target))
            _check_tunnel(proxy, await _head(stream))
        except BaseException:
            with anyio.CancelScope(shield=True):
                await stream.aclose()
            raise
        return stream


@functools.cache
def _proxy_context() -> ssl.SSLContext:
    return httpx.create_ssl_context()


async def _head(stream: httpcore.AsyncNetworkStream) -> bytes:
    head = b""
    while b"\r\n\r\n" not in head and len(head) < _MOST_PROXY_HEAD:
        piece = await stream.read(_MOST_PROXY_HEAD)
        if not piece:
            break
        head += piece
    return head


def _check_tunnel(proxy: Proxy, head: bytes) -> None:
    """ProxyError unless the proxy opened the tunnel, and said nothing beyond that."""
    words: list[Any] = head.partition(b"\r\n")[0].split(maxsplit=2)
    opened = len(words) > 1 and words[0].startswith(b"HTTP/1.") and words[1][:1] == b"2" and len(words[1]) == 3
    if not opened or not head.endswith(b"\r\n\r\n"):
        said = b" ".join(words[:2]).decode("latin-1")[:20] or "nothing"
        raise httpcore.ProxyError(f"the proxy {proxy.host}:{proxy.port} refused to open a tunnel and said {said!r}")
