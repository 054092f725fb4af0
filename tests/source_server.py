"""Sources of the web as real HTTP servers on the loopback, which can fail in every way that real ones do.

``SourceServer(answer)`` serves ``answer(asked) -> Given`` and keeps what it was asked.
``server.fault = FAULTS["slow"]`` makes it fail instead.
A connection that is refused is a server that was closed: ``closed_port()``.
"""

import functools
import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Asked:
    """A request as the server saw it; ``at`` is its time by ``time.monotonic``."""

    method: str
    path: str
    params: dict[str, str]
    headers: dict[str, str]
    body: bytes
    at: float

    def json(self) -> Any:
        return json.loads(self.body)


@dataclass(frozen=True)
class Given:
    """What the server answers: ``body`` is bytes, text, or anything else as JSON."""

    body: Any = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    after: float = 0.0
    """Seconds to wait before the first byte."""
    cut: bool = False
    """Whether the connection is closed in the middle of the body."""

    def encoded(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        return (self.body if isinstance(self.body, str) else json.dumps(self.body)).encode()


@dataclass(frozen=True)
class Fault:
    """A way to fail and the words by which the agent's text tells it from the others."""

    given: Given | None
    says: str


FAULTS = {
    "malformed": Fault(
        Given("<<< not what was promised {", headers={"Content-Type": "application/json"}), "cannot be read"
    ),
    "429": Fault(Given("slow down", status=429, headers={"Retry-After": "120"}), "asks to wait 120 s"),
    "500": Fault(Given("oops", status=500), "answered with an error"),
    "slow": Fault(Given("{}", after=6.0), "did not answer in"),
    "truncated": Fault(Given('{"a": ' + "1" * 2000 + "}", cut=True), "broke off its answer"),
    "refused": Fault(None, "could not be reached"),
}
"""Every fault by name. ``given`` None stands for a server that is not there: use ``closed_port``."""


def patience(*faults: str | None) -> float:
    """PINCITE_SOURCE_SECONDS where sources have these faults: shorter than the silence of one that is slow on purpose,
    longer than a busy machine takes for the others."""
    return 2.0 if "slow" in faults else 20.0


class SourceServer:
    """A source that answers as ``answer`` says, on a free port, in threads of its own; a context manager."""

    def __init__(self, answer: Callable[[Asked], Given]) -> None:
        self.answer = answer
        self.fault: Fault | None = None
        self.asked: list[Asked] = []
        self._lock = threading.Lock()
        self._server = _Server(("127.0.0.1", 0), _handler(self))
        self.port = int(self._server.server_address[1])
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Stop listening; what is being answered ends on its own."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def take(self, asked: Asked) -> Given:
        with self._lock:
            self.asked.append(asked)
        if self.fault is not None and self.fault.given is not None:
            return self.fault.given
        return self.answer(asked)


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is not news."""


def _handler(source: SourceServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            parts = urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            headers = {name.lower(): value for name, value in self.headers.items()}
            params = dict(parse_qsl(parts.query, keep_blank_values=True))
            given = source.take(Asked(self.command, parts.path, params, headers, body, time.monotonic()))
            if given.after:
                time.sleep(given.after)
            content = given.encoded()
            self.send_response(given.status)
            for name, value in given.headers.items():
                self.send_header(name, value)
            if given.status != 304:
                self.send_header("Content-Length", str(len(content)))
            self.end_headers()
            self.wfile.write(content[: len(content) // 2] if given.cut else content)
            if given.cut:
                self.wfile.flush()
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True

        do_POST = do_GET  # noqa: N815

        def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
            pass

    return Handler


@contextmanager
def serving(
    answers: Mapping[str, Callable[[Asked], Given]], faults: Mapping[str, str]
) -> Iterator[tuple[dict[str, "SourceServer"], dict[str, str]]]:
    """Sources by name that answer so, and their addresses; those in ``faults`` (of FAULTS, by source) fail."""
    servers = {name: SourceServer(answer) for name, answer in answers.items()}
    urls = {name: server.url for name, server in servers.items()}
    for name, fault in faults.items():
        servers[name].fault = FAULTS[fault]
        if fault == "refused":
            urls[name] = f"http://127.0.0.1:{closed_port()}"
    try:
        yield servers, urls
    finally:
        for server in servers.values():
            server.close()


@functools.cache
def closed_port() -> int:
    """A port of the loopback on which nothing listens, held until the tests end lest another server takes it."""
    held = socket.socket()
    held.bind(("127.0.0.1", 0))
    port = int(held.getsockname()[1])
    held.detach()
    return port
