"""Relay: a socket that is there before its door is, for a container must be told of its sockets when it starts."""

import asyncio
from contextlib import suppress
from pathlib import Path

_PIECE = 1 << 16
"""Bytes that are passed on at once."""


class Relay:
    """Listens on ``outside`` and passes every connection on to ``inside``; one that comes before that listens ends."""

    def __init__(self, outside: Path, inside: Path) -> None:
        self.outside = outside
        self._inside = inside
        self._server: asyncio.Server | None = None
        self._calls: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Listen on a socket that every user of the machine may connect to: a token is what opens a door."""
        self._server = await asyncio.start_unix_server(self._accept, self.outside)
        self.outside.chmod(0o666)

    async def close(self) -> None:
        """Stop listening and end what is passed on."""
        if self._server is not None:
            self._server.close()
        for call in self._calls:
            call.cancel()
        await asyncio.gather(*self._calls, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        call = asyncio.create_task(self._pass_on(reader, writer))
        self._calls.add(call)
        call.add_done_callback(self._calls.discard)

    async def _pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            with suppress(OSError):
                there, back = await asyncio.open_unix_connection(self._inside)
                try:
                    await asyncio.gather(_copy(reader, back), _copy(there, writer))
                finally:
                    back.close()
        finally:
            writer.close()


async def _copy(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Copy to the end of one direction, and end it for the other side too."""
    with suppress(ConnectionError):
        while data := await reader.read(_PIECE):
            writer.write(data)
            await writer.drain()
        if writer.can_write_eof():
            writer.write_eof()
