"""The doors that a sandbox is probed with."""

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol


class Doors(Protocol):
    """Doors on Unix sockets, opened by ``token``."""

    token: str

    async def open(self, folder: Path) -> Mapping[str, Path]:
        """Listen in the folder; the socket of each door by its name."""
        ...

    async def close(self) -> None:
        """Stop listening, and leave the sockets' files; safe to call twice."""
        ...


class OneDoor:
    """A door that says one word to whoever comes."""

    def __init__(self) -> None:
        self.token = ""
        self._server: asyncio.Server | None = None

    async def open(self, folder: Path) -> Mapping[str, Path]:
        """Listen."""
        path = folder / "door.sock"
        self._server = await asyncio.start_unix_server(_answer, path)
        _admit(path)
        return {"door": path}

    async def close(self) -> None:
        """Stop listening."""
        server, self._server = self._server, None
        if server is not None:
            server.close()


async def _answer(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    writer.write(b"HTTP/1.1 404 Not Found\r\nContent-Length: 4\r\nConnection: close\r\n\r\ndoor")
    writer.close()


def _admit(path: Path) -> None:
    """Whoever passes through to the socket may connect."""
    path.chmod(0o666)
