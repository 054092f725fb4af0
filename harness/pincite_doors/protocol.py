"""DoorProtocol: HTTP as a door speaks it with an agent that may send too much, too slowly, or nonsense."""

import asyncio
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol

from pincite_doors.traffic import Traffic

OnRefused = Callable[[int, str, str], None]
"""Takes status, path (empty where it is not known) and reason of a request that never reached the application."""
_LINGER_SECONDS = 1.0
"""How long a refused connection goes on being read: were it closed at once, its agent could lose the answer to what it
is still sending."""
_FRAMING_BYTES = 1 << 20
"""What the marks of chunks and the trailer of a body may take beside it."""


class DoorProtocol(HttpToolsProtocol):
    """uvicorn's protocol with the limits of ``traffic``: connections, requests, size and time of headers and bodies."""

    def __init__(self, *args: Any, traffic: Traffic, on_refused: OnRefused, body_bytes: int, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._traffic = traffic
        self._on_refused = on_refused
        self._most_body = body_bytes + _FRAMING_BYTES
        self._admitted = False
        self._refused = False
        """Whether the connection only waits for the agent to have read its refusal."""
        self._in_head = True
        self._received = 0
        """Bytes of the present head or body."""
        self._deadline: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Take the connection, or cut it where it is one too many."""
        self._admitted = self._traffic.connect()
        if not self._admitted:
            transport.abort()
            return
        super().connection_made(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio.Protocol."""
        if self._admitted:
            self._end_deadline()
            self._traffic.disconnect()
            super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Parse what came, and refuse what does not end."""
        if not self._admitted or self._refused or self.transport.is_closing():
            return
        if self._in_head and self._deadline is None:
            self._expect_within(self._traffic.limits.header_seconds)
        self._received += len(data)
        super().data_received(data)
        if self._in_head and self._received > self._traffic.limits.header_bytes:
            self._refuse(431, f"The headers of a request may have {self._traffic.limits.header_bytes} bytes.")
        elif not self._in_head and self._received > self._most_body:
            self._refuse(413, "The body of the request is too large.")

    def on_headers_complete(self) -> None:
        """Count the request and let the application answer it."""
        if self._over:
            return
        limits = self._traffic.limits
        size = len(self.url) + sum(len(name) + len(value) + len(b": \r\n") for name, value in self.headers)
        if not self._traffic.request():
            self.transport.abort()
            return
        self._in_head, self._received = False, 0
        self._expect_within(limits.body_seconds)
        if size > limits.header_bytes:
            self._refuse(431, f"The headers of a request may have {limits.header_bytes} bytes.")
        else:
            super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        """A piece of a body; none of a request that was refused."""
        if not self._over:
            super().on_body(body)

    def on_message_complete(self) -> None:
        """The request is whole; the next may begin."""
        if self._over:
            return
        self._end_deadline()
        self._in_head, self._received = True, 0
        super().on_message_complete()

    def send_400_response(self, msg: str) -> None:
        """What came is not HTTP."""
        self._refuse(400, msg)

    @property
    def _over(self) -> bool:
        """Whether what still comes is passed over."""
        return self._refused or self.transport.is_closing()

    def _expect_within(self, seconds: float) -> None:
        self._end_deadline()
        self._deadline = self.loop.call_later(seconds, self._late, seconds)

    def _end_deadline(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _late(self, seconds: float) -> None:
        self._deadline = None
        if self.flow.read_paused:  # the door itself does not read
            self._expect_within(seconds)
            return
        what = "headers" if self._in_head else "body"
        self._refuse(408, f"The {what} of a request must come within {seconds:g} s.")

    def _refuse(self, status: int, reason: str) -> None:
        """Answer where this request has no answer yet, and close."""
        self._end_deadline()
        if self._refused or self.transport.is_closing():
            return
        if not self._in_head and getattr(self.cycle, "scope", None) is self.scope:
            if self.cycle.response_started:  # the application refused it, and more of the body came than is passed over
                self.transport.abort()
                return
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        path = "" if self._in_head else str(self.scope.get("path", ""))
        self._on_refused(status, path, reason)
        body = reason.encode()
        head = b"content-type: text/plain\r\nconnection: close\r\ncontent-length: %d\r\n\r\n" % len(body)
        self._refused = True
        self.transport.write(STATUS_LINE[status] + head + body)
        self.transport.write_eof()
        self._deadline = self.loop.call_later(_LINGER_SECONDS, self.transport.abort)
