"""ProviderConnection: HTTP/1.1 with one provider, with no more between the socket and the door than h11.

A general client's pool, locks and hooks cost a call as much again as all the rest of the door.
"""

import time
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import h11
import httpcore

from pincite_core.errors import PinciteError
from pincite_harness.gateway.headers import Headers
from pincite_harness.gateway.models.trouble import ModelCause

_PIECE = 1 << 16
_HEAD_BYTES = 1 << 17
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


class ProviderConnection:
    """One request at a time; ``silence_seconds`` is how long the provider may send, or take, nothing."""

    def __init__(self, stream: httpcore.AsyncNetworkStream, silence_seconds: float) -> None:
        self._stream = stream
        self._silence = silence_seconds
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_HEAD_BYTES)
        self._idle_since = time.monotonic()
        self._ended = False
        self._sound = True

    @property
    def usable(self) -> bool:
        """Whether another request can be sent: nothing is under way, and the provider has not closed it."""
        if (
            not self._sound
            or self._http.our_state is not h11.IDLE
            or time.monotonic() - self._idle_since > _IDLE_SECONDS
        ):
            return False
        return not self._stream.get_extra_info("is_readable")

    async def ask(self, method: str, target: bytes, headers: Headers, body: bytes) -> Reply:
        """Send one request and return its reply, whose body is not yet read."""
        request = h11.Request(method=method, target=target, headers=headers)
        with self._translated(begun=False):
            events = (request, h11.Data(data=body), h11.EndOfMessage()) if body else (request, h11.EndOfMessage())
            data = b"".join(self._http.send(event) or b"" for event in events)
            self._sound = False
            # One that takes no more may have answered already: that the request is too large, say.
            with suppress(httpcore.WriteError):
                await self._stream.write(data, timeout=self._silence)
                self._sound = True
            while isinstance(event := await self._event(), h11.InformationalResponse):
                pass
        if not isinstance(event, h11.Response):
            raise UpstreamError("malformed", "the provider did not begin with a status")
        return Reply(event.status_code, [(bytes(name), bytes(value)) for name, value in event.headers], self._pieces())

    def rest(self) -> None:
        """Make ready for another request where this one has ended well."""
        if self._http.our_state is h11.DONE and self._http.their_state is h11.DONE:
            self._http.start_next_cycle()
            self._idle_since = time.monotonic()

    async def close(self) -> None:
        """Cut the connection."""
        await self._stream.aclose()

    async def _pieces(self) -> AsyncIterator[bytes]:
        with self._translated(begun=True):
            while isinstance(event := await self._event(), h11.Data):
                yield bytes(event.data)

    async def _event(self) -> object:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            data = await self._stream.read(_PIECE, timeout=self._silence)
            self._ended = not data
            self._http.receive_data(data)
        return event

    @contextmanager
    def _translated(self, *, begun: bool) -> Generator[None]:
        broken: ModelCause = "cut_stream" if begun else "connection"
        try:
            yield
        except h11.RemoteProtocolError as error:
            raise UpstreamError(broken if self._ended else "malformed", str(error)) from error
        except httpcore.TimeoutException as error:
            said = f"the provider was silent for {self._silence:g} s ({type(error).__name__})"
            raise UpstreamError("timeout", said) from error
        except (h11.LocalProtocolError, httpcore.NetworkError, OSError) as error:
            raise UpstreamError(broken, f"{type(error).__name__}: {error}") from error


@contextmanager
def connecting() -> Generator[None]:
    """Raises what goes wrong while a connection is opened as an UpstreamError."""
    try:
        yield
    except PinciteError as error:
        raise UpstreamError("connection", error.seen or error.what) from error
    except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProxyError, OSError) as error:
        raise UpstreamError("connection", f"{type(error).__name__}: {error}") from error
