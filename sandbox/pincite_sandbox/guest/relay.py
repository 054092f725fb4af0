"""A relay on loopback: what connects to 127.0.0.1:PORT speaks to a Unix socket, the only way out of a sandbox."""

from __future__ import annotations

import asyncio
import contextlib

_CHUNK = 1 << 16
"""Bytes that are passed on at once."""
_BACKLOG = 512
"""Connections that wait to be accepted. Set by judgement."""


class Relay:
    """Forwards every TCP connection on ``port`` (0: any free one) of 127.0.0.1 to the Unix socket ``path``."""

    def __init__(self, path: str, port: int = 0) -> None:
        self.path = path
        self.port = port
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def start(self) -> int:
        """Listen, and return the port."""
        self._server = await asyncio.start_server(self._accept, "127.0.0.1", self.port, backlog=_BACKLOG)
        self.port = self._server.sockets[0].getsockname()[1]
        return self.port

    async def close(self) -> None:
        """Stop listening and cut the open connections."""
        if self._server is not None:
            self._server.close()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.get_running_loop().create_task(self._forward(reader, writer))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _forward(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            door_reader, door_writer = await asyncio.open_unix_connection(self.path)
        except OSError:
            writer.transport.abort()
            return
        try:
            await asyncio.gather(_pump(reader, door_writer), _pump(door_reader, writer))
        except OSError:
            writer.transport.abort()
            door_writer.transport.abort()
        finally:
            for end in (writer, door_writer):
                with contextlib.suppress(OSError):
                    end.close()


async def _pump(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    """Copy until the source's end, then close only this direction: the answer may still be on its way."""
    while True:
        chunk = await source.read(_CHUNK)
        if not chunk:
            break
        sink.write(chunk)
        await sink.drain()
    if sink.can_write_eof() and not sink.is_closing():
        sink.write_eof()
