"""Output of a container or of a command in one: the daemon's hijacked connection, read without a thread.

The SDK's own streams ignore timeouts, and its raw socket loses what came along with the response's head.
"""

import asyncio
import json
import struct
from collections.abc import Callable, Mapping

from pincite_core.errors import UnavailableError

from .base import Stream

_HEAD_LIMIT = 1 << 16
"""Bytes of the daemon's head before the output begins."""
_CHUNK = 1 << 16
"""Bytes that are read at once."""
_FRAME = struct.Struct(">BxxxI")
_STREAMS: dict[int, Stream] = {1: "stdout", 2: "stderr"}


class Hijacked:
    """A connection on which the daemon streams output; what is sent goes to stdin."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def exec(cls, socket_path: str, version: str, exec_id: str) -> "Hijacked":
        """Start an exec of the daemon at ``socket_path``."""
        return await cls._open(socket_path, f"/v{version}/exec/{exec_id}/start", {"Detach": False, "Tty": False})

    @classmethod
    async def attach(cls, socket_path: str, version: str, container: str) -> "Hijacked":
        """Follow what a container's process 1 says from now on."""
        return await cls._open(
            socket_path, f"/v{version}/containers/{container}/attach?stream=1&stdout=1&stderr=1", None
        )

    @classmethod
    async def _open(cls, socket_path: str, target: str, body: Mapping[str, bool] | None) -> "Hijacked":
        """UnavailableError when the daemon refuses or does not speak the protocol."""
        content = b"" if body is None else json.dumps(body).encode()
        head = (
            f"POST {target} HTTP/1.1\r\nHost: docker\r\nContent-Type: application/json\r\n"
            f"Content-Length: {len(content)}\r\nConnection: Upgrade\r\nUpgrade: tcp\r\n\r\n"
        )
        try:
            reader, writer = await asyncio.open_unix_connection(socket_path, limit=_HEAD_LIMIT)
        except OSError as error:
            raise UnavailableError("The Docker daemon does not answer.", seen=str(error)) from error
        try:
            writer.write(head.encode() + content)
            await writer.drain()
            answer = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
            status = int(answer.split(" ", 2)[1])
            if status not in (101, 200):
                said = (await reader.read(_HEAD_LIMIT)).decode("utf-8", "replace").strip()
                raise UnavailableError("Docker did not run the command.", seen=f"HTTP {status}: {said}")
        except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError, ValueError, IndexError) as error:
            writer.close()
            raise UnavailableError("The Docker daemon broke off the command.", seen=repr(error)) from error
        except BaseException:
            writer.close()
            raise
        return cls(reader, writer)

    async def send(self, data: bytes) -> None:
        """Write all of ``data`` to the command's stdin."""
        self._writer.write(data)
        await self._writer.drain()

    async def read(self, feed: Callable[[Stream, bytes], None]) -> None:
        """Pass on what comes, until the daemon ends the stream."""
        while True:
            try:
                kind, length = _FRAME.unpack(await self._reader.readexactly(_FRAME.size))
                while length:
                    chunk = await self._reader.read(min(length, _CHUNK))
                    if not chunk:
                        return
                    length -= len(chunk)
                    feed(_STREAMS.get(kind, "stdout"), chunk)
            except (asyncio.IncompleteReadError, ConnectionError):
                return

    def close(self) -> None:
        """Let go of the connection; the command goes on."""
        self._writer.close()
