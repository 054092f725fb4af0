"""WebClient: one connection of an agent to the web door, read as HTTP until it becomes a tunnel."""

import asyncio
import base64
import binascii
import hmac
from collections.abc import AsyncIterator

import h11

from pincite_doors.headers import Headers

_PIECE = 1 << 16
"""Bytes that are read from the agent at once."""
_HEAD_BYTES = 1 << 16
"""Bytes of the head of a request; a longer one is refused. Set by judgement."""
HEAD_SECONDS = 30.0
"""Seconds in which the head of a request must have come. Set by judgement."""


class WebClient:
    """Reads one request and answers it; the connection ends with the answer. Errors of HTTP are h11's."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=_HEAD_BYTES)
        self.answered = False

    async def request(self) -> h11.Request | None:
        """The request's head; None when the agent went away without one."""
        async with asyncio.timeout(HEAD_SECONDS):
            event = await self._event()
        return event if isinstance(event, h11.Request) else None

    async def body(self) -> AsyncIterator[bytes]:
        """The request's body by pieces."""
        if self._http.they_are_waiting_for_100_continue:
            await self._send(h11.InformationalResponse(status_code=100, headers=[]))
        while isinstance(event := await self._event(), h11.Data):
            yield bytes(event.data)

    async def begin(self, status: int, headers: Headers) -> None:
        """Send the head of an answer."""
        self.answered = True
        await self._send(h11.Response(status_code=status, headers=[*headers, (b"connection", b"close")]))

    async def send(self, data: bytes) -> None:
        """Send a piece of an answer's body."""
        await self._send(h11.Data(data=data))

    async def end(self) -> None:
        """Send the end of an answer."""
        await self._send(h11.EndOfMessage())

    async def say(self, status: int, text: str) -> None:
        """Answer with a line of the door's own, unless an answer has begun."""
        if self.answered:
            return
        data = f"{text}\n".encode()
        headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"content-length", str(len(data)).encode())]
        if status == 407:
            headers.append((b"proxy-authenticate", b'Basic realm="pincite"'))
        await self.begin(status, headers)
        await self.send(data)
        await self.end()

    async def open_tunnel(self) -> bytes:
        """Say that the tunnel is open, and return what the agent has sent into it already."""
        self.answered = True
        self._writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        await self._writer.drain()
        return self._http.trailing_data[0]

    async def read(self) -> bytes:
        """The next bytes in the tunnel, none at its end."""
        return await self._reader.read(_PIECE)

    async def write(self, data: bytes) -> None:
        """Send bytes through the tunnel."""
        self._writer.write(data)
        await self._writer.drain()

    async def _event(self) -> object:
        while (event := self._http.next_event()) is h11.NEED_DATA:
            self._http.receive_data(await self.read())
        return event

    async def _send(self, event: h11.Event) -> None:
        if data := self._http.send(event):
            await self.write(data)


def brings_token(request: h11.Request, token: str) -> bool:
    """Whether the request carries the trial's token: as a proxy's password or as a bearer token."""
    given = dict(request.headers).get(b"proxy-authorization", b"")
    scheme, _, value = given.partition(b" ")
    if scheme.lower() == b"basic":
        try:
            value = base64.b64decode(value.strip(), validate=True).partition(b":")[2]
        except binascii.Error:
            return False
    elif scheme.lower() != b"bearer":
        return False
    return hmac.compare_digest(value.strip(), token.encode())
