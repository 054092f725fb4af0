"""A server of one's own words: it answers each connection with exactly the bytes, pauses and ends that a test wants."""

import asyncio
import ssl
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


@dataclass
class RawServer:
    """Where it listens and what came: ``heads`` are the request heads, one list a connection; ``open`` counts those
    connections that neither side has closed.
    """

    port: int = 0
    heads: list[list[str]] = field(default_factory=list)
    open: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@asynccontextmanager
async def raw_server(
    *answers: bytes | Talk, context: ssl.SSLContext | None = None, host: str = "127.0.0.1"
) -> AsyncGenerator[RawServer]:
    """Answers the requests in turn, the last answer again and again; a Talk takes over the connection."""
    made = RawServer()
    left = list(answers)
    talking: list[tuple[asyncio.StreamWriter, asyncio.Task[None] | None]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talking.append((writer, asyncio.current_task()))
        made.open += 1
        made.heads.append(heads := [])
        try:
            while True:
                head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
                heads.append(head)
                answer = left.pop(0) if len(left) > 1 else left[0]
                if callable(answer):
                    await answer(reader, writer)
                    return
                writer.write(answer)
                await writer.drain()
        except (OSError, asyncio.IncompleteReadError):
            pass
        finally:
            made.open -= 1
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    server = await asyncio.start_server(serve, host, 0, ssl=context)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()
        for writer, _ in talking:
            writer.transport.abort()
        await asyncio.wait_for(asyncio.gather(*(task for _, task in talking if task is not None)), 5)


def reply(body: bytes = b"", status: str = "200 OK", **headers: str) -> bytes:
    """A whole answer with its length."""
    lines = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    return "\r\n".join(lines).encode("latin-1") + b"\r\n\r\n" + body


async def silence(reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
    """Say nothing until the client goes."""
    await reader.read()


async def hang_up(_reader: asyncio.StreamReader, _writer: asyncio.StreamWriter) -> None:
    """Close the connection without a word."""
