"""The door's own HTTP to a provider: what stands between two answers, and where one ends."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import cast

import pytest

from pincite_core.settings import Settings
from pincite_doors.models.connection import UpstreamError
from pincite_doors.models.upstream import ModelUpstream

pytestmark = pytest.mark.anyio

OK = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"


class Script:
    """A provider that answers each request with the next of its texts, and counts its connections."""

    def __init__(self, *texts: bytes, ends: bool = False) -> None:
        self.connections = 0
        self.asked_enough = asyncio.Event()
        self._texts = list(texts)
        self._ends = ends

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        try:
            while await reader.readuntil(b"\r\n\r\n"):
                writer.write(self._texts.pop(0))
                await writer.drain()
                if self._ends:
                    break
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        writer.close()


class Deaf(Script):
    """A provider that reads nothing for as long as somebody writes to it."""

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        cast("asyncio.Transport", writer.transport).pause_reading()
        await self.asked_enough.wait()
        writer.transport.abort()


@asynccontextmanager
async def asking(script: Script, silence: float = 5.0) -> AsyncGenerator[ModelUpstream]:
    async with await asyncio.start_server(script.answer, "127.0.0.1", 0) as server:
        upstream = ModelUpstream(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}", Settings(), silence)
        await upstream.open()
        try:
            yield upstream
        finally:
            await upstream.close()
            script.asked_enough.set()
            await asyncio.sleep(0.01)


async def ask(upstream: ModelUpstream, target: str = "/v1", value: bytes = b"x") -> tuple[int, bytes]:
    async with upstream.ask("GET", target, [(b"host", value)], b"") as reply:
        return reply.status, b"".join([piece async for piece in reply.pieces])


async def test_a_connection_serves_again() -> None:
    script = Script(OK, OK)
    async with asking(script) as upstream:
        assert [await ask(upstream), await ask(upstream)] == [(200, b"ok")] * 2
    assert script.connections == 1


@pytest.mark.parametrize(
    ("text", "body"),
    [
        (OK + OK, b"ok"),
        (OK + b"rubbish", b"ok"),
        (OK.replace(b"OK\r\n", b"OK\r\nconnection: close\r\n"), b"ok"),
        (OK.replace(b"HTTP/1.1", b"HTTP/1.0"), b"ok"),
    ],
)
async def test_what_is_no_clean_end_serves_no_second_time(text: bytes, body: bytes) -> None:
    script = Script(text, OK)
    async with asking(script) as upstream:
        assert await ask(upstream) == (200, body)
        assert await ask(upstream) == (200, b"ok")
    assert script.connections == 2


async def test_word_that_an_answer_will_come_is_passed_over() -> None:
    script = Script(b"HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" + OK)
    async with asking(script) as upstream, upstream.ask("GET", "/v1", [(b"host", b"x")], b"") as reply:
        assert (reply.status, reply.headers) == (200, [(b"content-length", b"2")])


async def test_events_that_came_together_go_on_together_and_trailers_are_left_out() -> None:
    head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
    script = Script(head + b"1\r\na\r\n2\r\nbc\r\n0\r\nx-late: y\r\n\r\n")
    async with asking(script) as upstream, upstream.ask("GET", "/v1", [(b"host", b"x")], b"") as reply:
        assert [piece async for piece in reply.pieces] == [b"abc"]
        assert reply.headers == [(b"transfer-encoding", b"chunked")]


async def test_a_body_without_a_length_ends_with_the_connection() -> None:
    async with asking(Script(b"HTTP/1.1 200 OK\r\n\r\nall of it", ends=True)) as upstream:
        assert await ask(upstream) == (200, b"all of it")


async def test_what_stood_before_a_fault_is_passed_on() -> None:
    head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
    pieces: list[bytes] = []
    async with asking(Script(head + b"1\r\na\r\nnot a size\r\n")) as upstream:
        with pytest.raises(UpstreamError) as caught:
            async with upstream.ask("GET", "/v1", [(b"host", b"x")], b"") as reply:
                async for piece in reply.pieces:
                    pieces.append(piece)  # noqa: PERF401 - what came before the fault counts
    assert (pieces, caught.value.cause) == ([b"a"], "malformed")


@pytest.mark.parametrize(
    ("text", "cause"),
    [
        (b"HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n", "malformed"),
        (b"HTTP/1.1 200 OK\r\nx: " + b"y" * 200_000, "malformed"),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok", "malformed"),
        (b"HTTP/1.1 200 O", "connection"),
    ],
)
async def test_what_is_no_answer(text: bytes, cause: str) -> None:
    async with asking(Script(text, ends=True)) as upstream:
        with pytest.raises(UpstreamError) as caught:
            await ask(upstream)
    assert caught.value.cause == cause


@pytest.mark.parametrize(
    ("target", "value"), [("/v1", b"x\r\nx-more: y"), ("/v1", b"x\ny"), ("/v1", b"x\0"), ("/v1 HTTP/1.1", b"x")]
)
async def test_nothing_can_add_a_line_to_a_request(target: str, value: bytes) -> None:
    script = Script(OK)
    async with asking(script) as upstream:
        with pytest.raises(UpstreamError):
            await ask(upstream, target, value)


async def test_a_long_answer_waits_for_its_reader() -> None:
    size = 3 << 20
    script = Script(b"HTTP/1.1 200 OK\r\ncontent-length: %d\r\n\r\n" % size + b"z" * size)
    async with asking(script) as upstream, upstream.ask("GET", "/v1", [(b"host", b"x")], b"") as reply:
        await asyncio.sleep(0.2)
        assert sum([len(piece) async for piece in reply.pieces]) == size


async def test_a_provider_that_takes_nothing_is_given_up() -> None:
    async with asking(Deaf(), silence=0.2) as upstream:
        with pytest.raises(UpstreamError) as caught:
            async with upstream.ask("POST", "/v1", [(b"host", b"x")], b"x" * (32 << 20)):
                pass
    assert caught.value.cause == "timeout"
