"""ModelUpstream: the connections to the provider of one trial's model."""

import logging
from collections.abc import AsyncGenerator, AsyncIterator, Generator
from contextlib import asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass

import anyio
import anyio.to_thread
import httpcore
import httpx

from pincite_core.addresses import look_up
from pincite_core.errors import PinciteError
from pincite_core.http.dialing import Dialer, Proxy
from pincite_core.settings import Settings
from pincite_harness.gateway.headers import Headers
from pincite_harness.gateway.models.trouble import ModelCause

CONNECT_SECONDS = 15.0
SILENCE_SECONDS = 600.0
"""How long a provider may send nothing: models think for minutes before a whole answer."""
_MOST_CONNECTIONS = 256
_IDLE_SECONDS = 4.0
"""Shorter than the five seconds after which common servers close an idle connection, perhaps as it is used again."""


class UpstreamError(Exception):
    """A call that the provider did not end: its cause, and what was seen."""

    def __init__(self, cause: ModelCause, detail: str) -> None:
        super().__init__(cause, detail)
        self.cause: ModelCause = cause
        self.detail = detail


@dataclass(frozen=True, slots=True)
class Reply:
    """Status, headers and the body as its bytes come; reading them raises UpstreamError."""

    status: int
    headers: Headers
    pieces: AsyncIterator[bytes]


class ModelUpstream:
    """Sends requests to one address, which is the user's own choice and may be private."""

    def __init__(self, base_url: str, settings: Settings, silence_seconds: float = SILENCE_SECONDS) -> None:
        # At DEBUG it would log the headers, which carry the key.
        logging.getLogger("httpcore").setLevel(logging.WARNING)
        self._url = httpx.URL(base_url)
        self._proxy = Proxy(settings.http_proxy) if settings.http_proxy else None
        self._limits = {"connect": CONNECT_SECONDS, "read": silence_seconds, "write": silence_seconds, "pool": None}
        self._pool: httpcore.AsyncConnectionPool | None = None

    @property
    def host(self) -> str:
        """Host and port as the Host header says them."""
        return self._url.netloc.decode("ascii")

    async def open(self) -> None:
        """Load the certificates; no connection is made yet."""
        context = await anyio.to_thread.run_sync(httpx.create_ssl_context) if self._url.scheme == "https" else None
        self._pool = httpcore.AsyncConnectionPool(
            ssl_context=context,
            max_connections=_MOST_CONNECTIONS,
            keepalive_expiry=_IDLE_SECONDS,
            network_backend=Dialer("any", lookup=look_up, allow_private=True, proxy=self._proxy),
        )

    async def close(self) -> None:
        """Close every connection; safe to call twice."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await pool.aclose()

    @asynccontextmanager
    async def ask(self, method: str, target: str, headers: Headers, body: bytes) -> AsyncGenerator[Reply]:
        """The reply to one request, its body not yet read. Leaving the context before its end cuts the connection, so
        that the provider stops. Redirects are not followed."""
        if self._pool is None:
            raise UpstreamError("connection", "the door is closed")
        path = self._url.raw_path.rstrip(b"/") + target.encode("ascii")
        url = httpcore.URL(scheme=self._url.raw_scheme, host=self._url.raw_host, port=self._url.port, target=path)
        request = httpcore.Request(method, url, headers=headers, content=body, extensions={"timeout": self._limits})
        with _translated(begun=False):
            response = await self._pool.handle_async_request(request)
        try:
            yield Reply(response.status, response.headers, _pieces(response))
        finally:
            with anyio.CancelScope(shield=True), suppress(httpcore.NetworkError, OSError):
                await response.aclose()


async def _pieces(response: httpcore.Response) -> AsyncIterator[bytes]:
    with _translated(begun=True):
        async for piece in response.aiter_stream():
            yield piece


@contextmanager
def _translated(*, begun: bool) -> Generator[None]:
    broken: ModelCause = "cut_stream" if begun else "connection"
    try:
        yield
    except httpcore.TimeoutException as error:
        raise UpstreamError("timeout", f"the provider was silent for too long ({type(error).__name__})") from error
    except httpcore.RemoteProtocolError as error:
        gone = "disconnected" in str(error) or "peer closed" in str(error)
        raise UpstreamError(broken if gone else "malformed", str(error)) from error
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.ProxyError, OSError) as error:
        raise UpstreamError(broken, f"{type(error).__name__}: {error}") from error
    except PinciteError as error:
        raise UpstreamError("connection", error.seen or error.what) from error
