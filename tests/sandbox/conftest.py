"""Sandboxes of every kind that this machine has; a kind that is missing skips its tests, but fails them in CI."""

import asyncio
import os
import threading
import uuid
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from socketserver import ThreadingMixIn, UnixStreamServer

import pytest

from pincite_sandbox.base import Limits, Sandbox, SandboxSpec
from pincite_sandbox.choose import SandboxKind, open_sandbox
from pincite_sandbox.owner import owner_label

Opener = Callable[..., Awaitable[Sandbox]]

SMALL = Limits(memory_mb=192, scratch_mb=32, pids=48, cpus=1.0)


@pytest.fixture(params=[pytest.param("docker", marks=pytest.mark.docker), "bubblewrap", "process"])
def kind(request: pytest.FixtureRequest) -> SandboxKind:
    if request.param != "process":
        request.getfixturevalue(f"{request.param}_ready")
    return request.param


@pytest.fixture(params=[pytest.param("docker", marks=pytest.mark.docker), "bubblewrap"])
def isolating_kind(request: pytest.FixtureRequest) -> SandboxKind:
    """A kind that promises isolation, which a plain process does not."""
    request.getfixturevalue(f"{request.param}_ready")
    return request.param


@pytest.fixture
async def opener() -> AsyncIterator[Opener]:
    """Opens sandboxes and stops them after the test."""
    opened: list[Sandbox] = []

    async def open_one(kind: SandboxKind, *, unsafe: bool = False, **fields: object) -> Sandbox:
        spec = SandboxSpec(**({"name": "test", "owner": owner_label(), "limits": SMALL} | fields))
        opened.append(await open_sandbox(kind, spec, unsafe=unsafe))
        return opened[-1]

    yield open_one
    for sandbox in opened:
        await sandbox.stop()


@pytest.fixture
async def sandbox(kind: SandboxKind, opener: Opener) -> Sandbox:
    return await opener(kind)


@pytest.fixture
async def isolated(isolating_kind: SandboxKind, opener: Opener) -> Sandbox:
    return await opener(isolating_kind)


@pytest.fixture
def marker() -> str:
    """A word for a command line, by which its process is found from outside."""
    return f"marker-{uuid.uuid4().hex}"


@pytest.fixture
def running() -> Callable[[str], list[int]]:
    """Process ids on this machine, those inside sandboxes too, whose command line holds a word."""

    def find(word: str) -> list[int]:
        found: list[int] = []
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                words = (folder / "cmdline").read_bytes().split(b"\0")
            except OSError:
                continue
            if any(word.encode() in part for part in words) and int(folder.name) != os.getpid():
                found.append(int(folder.name))
        return found

    return find


@pytest.fixture
def until() -> Callable[[Callable[[], bool]], Awaitable[None]]:
    """Waits for a condition, long enough for any machine."""

    async def wait(condition: Callable[[], bool]) -> None:
        async with asyncio.timeout(60):
            while not condition():
                await asyncio.sleep(0.02)

    return wait


class Echo(BaseHTTPRequestHandler):
    """Answers GET with its path and POST with its body."""

    protocol_version = "HTTP/1.1"

    def do_GET(self) -> None:
        self.answer(self.path.encode())

    def do_POST(self) -> None:
        self.answer(self.rfile.read(int(self.headers["Content-Length"])))

    def answer(self, body: bytes) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def address_string(self) -> str:
        return "door"

    def log_message(self, *_words: object) -> None:
        return


class Door(ThreadingMixIn, UnixStreamServer):
    """An HTTP server on a Unix socket."""

    daemon_threads = True
    request_queue_size = 256


@pytest.fixture
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    path = tmp_path_factory.mktemp("door") / "tools.sock"
    with Door(str(path), Echo) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02})
        thread.start()
        yield path
        server.shutdown()
        thread.join()
