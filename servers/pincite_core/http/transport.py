"""One exchange with one server: a request is sent over a checked connection, the response is streamed."""

import logging
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Generator, Mapping
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Literal

import anyio
import anyio.to_thread
import httpcore
import httpx

from pincite_core.addresses import Lookup, look_up
from pincite_core.errors import BadInputError, UnavailableError
from pincite_core.http.dialing import Dialer, Proxy, Reach
from pincite_core.http.urls import check_port, origin
from pincite_core.settings import Settings

_MOST_CONNECTIONS = 64
"""Connections at once, over all sources; far above what published rates allow. Set by judgement."""
_MOST_IDLE = 16
"""Connections that are held open: about one a source. Set by judgement."""
_IDLE_SECONDS = 20.0
"""Seconds that a connection is held open; servers close theirs after 5 to 75 s. Set by judgement."""
_SENT = "http11.send_request_body.complete"


class TransferError(Exception):
    """An exchange that broke off: ``cause`` as in SourceError, ``seen`` says what happened and where."""

    def __init__(self, cause: Literal["slow", "unreachable", "truncated", "malformed"], seen: str) -> None:
        super().__init__(cause, seen)
        self.cause: Literal["slow", "unreachable", "truncated", "malformed"] = cause
        self.seen = seen


@dataclass(frozen=True, slots=True)
class WireResponse:
    """Status, headers (names in lower case) and the body as it comes over the wire."""

    status: int
    headers: Mapping[str, str]
    pieces: AsyncIterator[bytes]


class Transport:
    """The connections of one event loop. Every one goes through a Dialer; nothing else of pincite opens any."""

    def __init__(self, settings: Settings, *, lookup: Lookup = look_up) -> None:
        # At DEBUG it would log the headers of answers, and some sources repeat a key there.
        logging.getLogger("httpcore").setLevel(logging.WARNING)
        self._settings = settings
        self._lookup = lookup
        self._proxy = Proxy(settings.http_proxy) if settings.http_proxy else None
        self._pools: dict[tuple[str, Reach], httpcore.AsyncConnectionPool] = {}
        self._context: ssl.SSLContext | None = None

    @asynccontextmanager
    async def send(
        self,
        method: str,
        url: httpx.URL,
        headers: Mapping[str, str],
        body: bytes = b"",
        *,
        reach: Reach = "public",
        sent: Callable[[], Awaitable[None]] | None = None,
    ) -> AsyncGenerator[WireResponse]:
        """The reply to one request, body unread; the caller follows redirects. ``sent`` is called once it is out.

        Raises TransferError, here and while the body is read, and ForbiddenError for an address that may not be
        reached.
        """
        if reach != "any" and not self._settings.allow_private_addresses:
            check_port(origin(url))
        pool = await self._pool(url.scheme, reach)
        request = httpcore.Request(
            method,
            httpcore.URL(scheme=url.raw_scheme, host=url.raw_host, port=url.port, target=url.raw_path),
            headers=_encoded({"Host": url.netloc.decode("ascii"), **headers, **_sized(method, body)}),
            content=body,
            extensions={"timeout": self._limits(), **({"trace": _trace(sent)} if sent is not None else {})},
        )
        with _translated():
            response = await pool.handle_async_request(request)
        try:
            yield WireResponse(response.status, _plain(response.headers), _pieces(response))
        finally:
            with anyio.CancelScope(shield=True), suppress(httpcore.NetworkError, OSError):
                await response.aclose()

    async def aclose(self) -> None:
        """Close every connection."""
        pools, self._pools = list(self._pools.values()), {}
        for pool in pools:
            await pool.aclose()

    async def _pool(self, scheme: str, reach: Reach) -> httpcore.AsyncConnectionPool:
        if scheme == "https" and self._context is None:
            self._context = await anyio.to_thread.run_sync(_certificates)
        if (scheme, reach) not in self._pools:
            self._pools[scheme, reach] = httpcore.AsyncConnectionPool(
                ssl_context=self._context,
                max_connections=_MOST_CONNECTIONS,
                max_keepalive_connections=_MOST_IDLE,
                keepalive_expiry=_IDLE_SECONDS,
                network_backend=Dialer(
                    reach,
                    lookup=self._lookup,
                    allow_private=self._settings.allow_private_addresses,
                    proxy=self._proxy,
                ),
            )
        return self._pools[scheme, reach]

    def _limits(self) -> dict[str, float | None]:
        read = self._settings.http_read_seconds
        return {"connect": self._settings.http_connect_seconds, "read": read, "write": read, "pool": None}


def _certificates() -> ssl.SSLContext:
    """The certificates that are trusted: those of SSL_CERT_FILE or SSL_CERT_DIR, else certifi's."""
    try:
        return httpx.create_ssl_context()
    except OSError as error:
        raise BadInputError(
            "The trusted certificates cannot be read.",
            seen=str(error),
            next="Correct or unset SSL_CERT_FILE and SSL_CERT_DIR.",
        ) from error


def _sized(method: str, body: bytes) -> dict[str, str]:
    return {"Content-Length": str(len(body))} if body or method == "POST" else {}


def _trace(sent: Callable[[], Awaitable[None]]) -> Callable[[str, Mapping[str, Any]], Awaitable[None]]:
    async def note(event: str, _about: Mapping[str, Any]) -> None:
        if event == _SENT:
            await sent()

    return note


def _encoded(headers: Mapping[str, str]) -> list[tuple[bytes, bytes]]:
    try:
        made = [(name.encode("ascii"), value.strip().encode("latin-1")) for name, value in headers.items()]
    except UnicodeEncodeError:
        # Its text would quote the value, which may be a key.
        raise BadInputError("A header of the request has characters that cannot be sent.") from None
    if any(b"\r" in value or b"\n" in value or b"\0" in value for _, value in made):
        raise BadInputError("A header of the request has characters that cannot be sent.")
    return made


def _plain(headers: list[tuple[bytes, bytes]]) -> dict[str, str]:
    """Names in lower case; values of a name that comes again are joined by commas."""
    made: dict[str, str] = {}
    for raw_name, raw_value in headers:
        name, value = raw_name.decode("latin-1").lower(), raw_value.decode("latin-1")
        made[name] = f"{made[name]}, {value}" if name in made else value
    return made


async def _pieces(response: httpcore.Response) -> AsyncIterator[bytes]:
    with _translated():
        async for piece in response.aiter_stream():
            yield piece


@contextmanager
def _translated() -> Generator[None]:
    """Turns the pool's exceptions into TransferError; what a local rule forbids passes through."""
    try:
        yield
    except httpcore.LocalProtocolError:
        # Its text may quote a header, which may be a key.
        raise BadInputError("The request has a header or a length that cannot be sent.") from None
    except httpcore.RemoteProtocolError as error:
        broken = "disconnected" in str(error) or "closed connection" in str(error)
        raise TransferError("truncated" if broken else "malformed", _seen(error)) from error
    except (httpcore.ReadTimeout, httpcore.WriteTimeout, httpcore.PoolTimeout) as error:
        raise TransferError("slow", _seen(error)) from error
    except (httpcore.ReadError, httpcore.WriteError, OSError) as error:  # OSError: records of TLS that do not fit
        raise TransferError("truncated", _seen(error)) from error
    except (httpcore.ConnectError, httpcore.ConnectTimeout, httpcore.ProxyError) as error:
        raise TransferError("unreachable", _seen(error)) from error
    except UnavailableError as error:
        raise TransferError("unreachable", error.what) from error


def _seen(error: Exception) -> str:
    return f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
