"""ProviderConnection: HTTP/1.1 with one provider, with no more between the socket and the door than httptools.

A general client's pool, locks and hooks cost a call as much again as all the rest of the door.
"""

import re
import time
from collections.abc import AsyncIterator, Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import httpcore
import httptools

from pincite_core.errors import PinciteError
from pincite_doors.headers import Headers
from pincite_doors.models.progress import Progress
from pincite_models.trouble import ModelCause

_PIECE = 1 << 16
"""Bytes that are read from the provider at once."""
_HEAD_BYTES = 1 << 17
"""Bytes of the head of an answer; a longer one is refused. Servers send a few KiB."""
_TARGET = re.compile(rb"[!-~]+")
_IDLE_SECONDS = 4.0
"""Shorter than the five seconds after which common servers close an idle connection, perhaps as it is used again."""


class UpstreamError(Exception):
    """A call that the provider did not end: its cause, and what was seen."""

    def __init__(self, cause: ModelCause, detail: str) -> None:
        super().__init__(cause, detail)
        self.cause: ModelCause = cause
        self.detail = detail


@dataclass(frozen=True, slots=True)
class UpstreamReply:
    """Status, headers and the body as its bytes come; reading them raises UpstreamError."""

    status: int
    headers: Headers
    pieces: AsyncIterator[bytes]


class ProviderConnection:
    """One request at a time; ``silence_seconds`` is how long the provider may send, or take, nothing."""

    def __init__(self, stream: httpcore.AsyncNetworkStream, silence_seconds: float) -> None:
        self._stream = stream
        self._silence = silence_seconds
        self._reading = _Reading()
        self._progress = Progress()
        self._idle_since = time.monotonic()
        self._resting = True

    @property
    def usable(self) -> bool:
        """Whether another request can be sent: nothing is under way, and the provider has not closed it."""
        if not self._resting or time.monotonic() - self._idle_since > _IDLE_SECONDS:
            return False
        return not self._stream.get_extra_info("is_readable")

    async def ask(self, method: str, target: bytes, headers: Headers, body: bytes) -> UpstreamReply:
        """Send one request and return its reply, whose body is not yet read."""
        data = _request(method, target, headers, body)
        reading = self._reading = _Reading()
        self._resting = False
        with self._translated():
            # One that takes no more may have answered already: that the request is too large, say.
            with suppress(httpcore.WriteError):
                await self._stream.write(data, timeout=self._silence)
                reading.sent = True
            self._progress = Progress()
            while not reading.begun:
                await self._read()
        return UpstreamReply(reading.status, reading.headers, self._pieces())

    def rest(self) -> None:
        """Make ready for another request where this one has ended well."""
        if self._reading.reusable:
            self._resting = True
            self._idle_since = time.monotonic()

    async def close(self) -> None:
        """Cut the connection."""
        await self._stream.aclose()

    async def _pieces(self) -> AsyncIterator[bytes]:
        """The body: what came together goes on together."""
        reading = self._reading
        with self._translated():
            while True:
                if piece := reading.take():
                    yield piece
                elif reading.ended:
                    return
                else:
                    await self._read()

    async def _read(self) -> None:
        self._reading.check()
        data = await self._stream.read(_PIECE, timeout=self._silence)
        self._progress.note(len(data))
        if data and self._progress.stalled_seconds > self._silence:
            raise UpstreamError("timeout", f"the provider sent next to nothing for {self._silence:g} s")
        self._reading.feed(data)

    @contextmanager
    def _translated(self) -> Generator[None]:
        try:
            yield
        except httpcore.TimeoutException as error:
            said = f"the provider was silent for {self._silence:g} s ({type(error).__name__})"
            raise UpstreamError("timeout", said) from error
        except (httpcore.NetworkError, OSError) as error:
            raise UpstreamError(self._reading.broken, f"{type(error).__name__}: {error}") from error


class _Reading:
    """One answer on its way through the parser, which calls what begins with ``on_``."""

    def __init__(self) -> None:
        self.status = 0
        self.headers: Headers = []
        self.begun = False
        self.ended = False
        self.sent = False
        """Whether the provider took the whole request."""
        self._parser = httptools.HttpResponseParser(self)
        self._head_bytes = 0
        self._body: list[bytes] = []
        self._keeps = False
        self._more = False
        self._fault: str | None = None

    @property
    def broken(self) -> ModelCause:
        """What it is when the connection breaks now."""
        return "cut_stream" if self.begun else "connection"

    @property
    def reusable(self) -> bool:
        """Whether the connection can carry another request: both sides are done, and neither said it would close."""
        return self.ended and self.sent and self._keeps and not self._more and self._fault is None

    def feed(self, data: bytes) -> None:
        """Take what came, nothing being the end; UpstreamError where the answer had not ended."""
        if not data:
            return self._close()
        try:
            self._parser.feed_data(data)
        except (httptools.HttpParserError, httptools.HttpParserUpgrade) as error:
            self._fault = str(error) or type(error).__name__
        if not self.begun:
            self._head_bytes += len(data)
            if self._head_bytes > _HEAD_BYTES:
                self._fault = "the headers do not end"
        return None

    def check(self) -> None:
        """UpstreamError where no more can be read: what stood before a fault is passed on first."""
        if self._fault is not None:
            raise UpstreamError("malformed", self._fault)

    def take(self) -> bytes:
        """What has come of the body since."""
        piece = self._body[0] if len(self._body) == 1 else b"".join(self._body)
        self._body.clear()
        return piece

    def on_message_begin(self) -> None:
        """An answer begins: this one, word that it will come (1xx), or one that nobody asked for."""
        self._more = self.ended
        if not self.begun:
            self.headers = []

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header; what follows a body is left out."""
        if not self.begun:
            self.headers.append((name.lower(), value))

    def on_headers_complete(self) -> None:
        """The head is whole."""
        if not self.begun and (status := self._parser.get_status_code()) >= 200:
            self.begun, self.status = True, status
            self._keeps = self._parser.should_keep_alive()

    def on_body(self, body: bytes) -> None:
        """A part of the body, without the marks of its chunks."""
        if not self.ended:
            self._body.append(body)

    def on_message_complete(self) -> None:
        """The answer is whole."""
        self.ended = self.begun

    def _close(self) -> None:
        """The provider closed: the end of a body whose length it did not say."""
        framed = any(name in (b"content-length", b"transfer-encoding") for name, _ in self.headers)
        if not self.begun or framed:
            raise UpstreamError(self.broken, "the provider closed the connection before its answer ended")
        self.ended, self._keeps = True, False


def _request(method: str, target: bytes, headers: Headers, body: bytes) -> bytes:
    """The bytes of a request; UpstreamError where a line would be another than was meant."""
    fields = b"".join(b"%s: %s\r\n" % header for header in headers)
    breaks = len(headers)
    if fields.count(b"\n") != breaks or fields.count(b"\r") != breaks or b"\0" in fields:
        raise UpstreamError("connection", "a header of the request has a line break in it")
    if not _TARGET.fullmatch(target):
        raise UpstreamError("connection", "the address of the request has a character that none may have")
    return b"%s %s HTTP/1.1\r\n%s\r\n%s" % (method.encode("ascii"), target, fields, body)


@contextmanager
def connecting() -> Generator[None]:
    """Raises what goes wrong while a connection is opened as an UpstreamError."""
    try:
        yield
    except PinciteError as error:
        raise UpstreamError("connection", error.seen or error.what) from error
    except (httpcore.TimeoutException, httpcore.NetworkError, httpcore.ProxyError, OSError) as error:
        raise UpstreamError("connection", f"{type(error).__name__}: {error}") from error
