"""Template: a process that has imported pincite's servers, and becomes each one that a trial starts by a fork.

Every server is a process of its own, as one that is started afresh: with its own session, variables, pipes and log. The
template itself gets no variables but the few safe ones, and never reads what a server is started with.
"""

import asyncio
import os
import signal
import socket
import struct
import subprocess
import sys
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from typing import Any

import anyio
import mcp_types as types
import orjson
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.client.stdio import get_default_environment
from mcp.shared.message import SessionMessage

Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]
PID = struct.Struct("!I")
LENGTH = struct.Struct("!I")
FORK = b"f"
_CHUNK = 65_536
"""Bytes read from a server at once."""
_END_SECONDS = 2.0
"""Seconds for a server to end after its input has, and again after SIGTERM; as the SDK has them."""


def can_fork() -> bool:
    """Whether servers can be forked here: elsewhere they are started afresh."""
    return sys.platform == "linux" and hasattr(os, "pidfd_open")


class ForkedServer:
    """A server that the template became: its process and the socket that is its standard input and output."""

    def __init__(self, pid: int, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.pid = pid
        self.reader = reader
        self.writer = writer
        self._handle = os.pidfd_open(pid)
        self._ended = asyncio.Event()
        asyncio.get_running_loop().add_reader(self._handle, self._ended.set)

    async def end(self) -> None:
        """End the input, wait, then end the process and its group; it is gone when this returns."""
        with suppress(OSError, RuntimeError):
            self.writer.write_eof()
        for number in (signal.SIGTERM, signal.SIGKILL):
            if await self._wait():
                break
            with suppress(ProcessLookupError):
                os.killpg(self.pid, number)
        else:
            await self._wait()
        asyncio.get_running_loop().remove_reader(self._handle)
        os.close(self._handle)
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()

    async def _wait(self) -> bool:
        with suppress(TimeoutError):
            await asyncio.wait_for(self._ended.wait(), _END_SECONDS)
        return self._ended.is_set()


class ServerTemplate:
    """Starts its process with the first server that is wanted; close it after use.

    ``argv`` is the program that forks; it gets the number of its end of a socket and ``names``, the servers to import.
    ``env`` are variables beside the few safe ones; none of them may be a secret.
    """

    def __init__(self, argv: Sequence[str], names: Sequence[str], env: Mapping[str, str]) -> None:
        self._argv = argv
        self._names = names
        self._env = env
        self._control: socket.socket | None = None
        self._process: subprocess.Popen[bytes] | None = None

    async def start(self, words: Sequence[str], env: Mapping[str, str], log: int) -> ForkedServer | None:
        """Become the server that ``pincite WORDS`` is, with these variables beside the few safe ones, and ``log`` as
        the descriptor of its standard error. None where the template cannot: it died, or may not fork."""
        ours, theirs = socket.socketpair()
        try:
            with theirs:
                if self._process is None:
                    self._open()
                assert self._control is not None
                socket.send_fds(self._control, [FORK], [theirs.fileno(), log])
            reader, writer = await asyncio.open_unix_connection(sock=ours)
        except OSError:
            ours.close()
            return None
        order = orjson.dumps({"words": list(words), "env": {**get_default_environment(), **env}})
        try:
            writer.write(LENGTH.pack(len(order)) + order)
            (pid,) = PID.unpack(await reader.readexactly(PID.size))
            return ForkedServer(pid, reader, writer)
        except (OSError, asyncio.IncompleteReadError):
            writer.close()
            return None
        except BaseException:
            # A server that is already forked ends with its input.
            writer.close()
            raise

    def _open(self) -> None:
        mine, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        mine.setblocking(False)
        with theirs:
            self._process = subprocess.Popen(
                [*self._argv, str(theirs.fileno()), *self._names],
                env={**get_default_environment(), **self._env},
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                start_new_session=True,
            )
        self._control = mine

    def close(self) -> None:
        """End the template; servers that it became go on."""
        if self._control is not None:
            self._control.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()


@asynccontextmanager
async def forked_client(server: ForkedServer) -> AsyncGenerator[Streams]:
    """The transport of a forked server: a message a line, as over stdio. The server is gone when this is left."""
    arriving, received = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    sent, leaving = anyio.create_memory_object_stream[SessionMessage](0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(_receive, server.reader, arriving)
        tasks.start_soon(_send, server.writer, leaving, arriving)
        try:
            yield received, sent
        finally:
            with anyio.CancelScope(shield=True):
                received.close()
                sent.close()
                await server.end()
            tasks.cancel_scope.cancel()
            for stream in (arriving, leaving):
                stream.close()


async def _receive(reader: asyncio.StreamReader, arriving: MemoryObjectSendStream[Any]) -> None:
    held = bytearray()
    with suppress(ConnectionError, anyio.BrokenResourceError, anyio.ClosedResourceError):
        async with arriving:
            while chunk := await reader.read(_CHUNK):
                held += chunk
                if b"\n" not in chunk:
                    continue
                *lines, held = held.split(b"\n")
                for line in lines:
                    await arriving.send(_parsed(line))
    # What is left is read, so that a server that still writes can end.
    with suppress(OSError):
        while await reader.read(_CHUNK):
            pass


async def _send(
    writer: asyncio.StreamWriter,
    leaving: MemoryObjectReceiveStream[SessionMessage],
    arriving: MemoryObjectSendStream[Any],
) -> None:
    try:
        async with leaving:
            async for message in leaving:
                text = message.message.model_dump_json(by_alias=True, exclude_unset=True)
                writer.write(text.encode() + b"\n")
                await writer.drain()
    except OSError:
        # The session sees the end of the connection rather than wait for an answer.
        await arriving.aclose()


def _parsed(line: bytearray) -> SessionMessage | Exception:
    try:
        return SessionMessage(types.jsonrpc_message_adapter.validate_json(line, by_name=False))
    except ValueError as error:
        return error
