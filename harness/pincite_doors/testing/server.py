"""ScriptedModel: a local server that speaks the four model APIs and plays a script."""

import json
import socket
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit

from pincite_core.errors import UnavailableError
from pincite_doors.testing.apis.fake_api import mapping
from pincite_doors.testing.cast import Cast
from pincite_doors.testing.connection import ClientGoneError, Connection
from pincite_doors.testing.performance import Performance
from pincite_doors.testing.request import Request
from pincite_doors.testing.script import Script
from pincite_doors.testing.stage import Stages, When
from pincite_models.dialects.model import Usage


class ScriptedModel:
    """Serves ``script`` on a free port of 127.0.0.1 while it is entered (``with ScriptedModel([...]) as model``).

    ``others`` are scripts of conversations that a question about the request tells apart; ``cast`` plays the roles of
    requests with labels, each by a script or a function of the request; ``key`` is the API key that
    requests must bring (None: any); ``models`` are the names that it lists. Clients get the base address ``url``
    (OpenAI clients ``url + "/v1"``).
    """

    def __init__(
        self,
        script: Script = (),
        *,
        others: Sequence[tuple[When, Script]] = (),
        cast: Cast | None = None,
        key: str | None = None,
        models: Sequence[str] = ("scripted",),
        port: int = 0,
    ) -> None:
        self.requests: list[Request] = []
        """What was asked, in order of arrival."""
        self.troubles: list[str] = []
        """Why turns could not be played: tools that the client does not offer, roles that the cast does not have."""
        self._stages = Stages(script, others, cast)
        self._key = key
        self._models = tuple(models)
        self._port = port
        self._changed = threading.Condition()
        self._server: _Server | None = None
        self._thread: threading.Thread | None = None

    def __enter__(self) -> Self:
        self._server = _Server(("127.0.0.1", self._port), self._answer)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        server, thread = self._server, self._thread
        self._server = self._thread = None
        if server is not None and thread is not None:
            server.shutdown()
            server.server_close()
            thread.join()

    @property
    def url(self) -> str:
        """The base address, ``http://127.0.0.1:PORT``; UnavailableError while it is not entered."""
        if self._server is None:
            raise UnavailableError("The scripted model is not running.", next="Enter it: with ScriptedModel(...).")
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def turns(self) -> list[Request]:
        """The requests that played a turn of a script or met its faults."""
        return [request for request in self.requests if request.turn is not None]

    @property
    def left(self) -> int:
        """How many turns were not played yet."""
        return self._stages.left

    @property
    def usage(self) -> Usage:
        """The sum of the token counts of all answers that were told to their end."""
        told = [request.usage for request in self.requests if request.usage is not None]
        return Usage(
            sum(usage.input_tokens for usage in told),
            sum(usage.output_tokens for usage in told),
            sum(usage.cached_tokens for usage in told),
            sum(usage.cache_write_tokens for usage in told),
            sum(usage.reasoning_tokens for usage in told),
        )

    def wait_for(self, condition: Callable[[], bool], seconds: float | None = 10.0) -> bool:
        """Wait until ``condition`` holds, asked again whenever a request comes or ends; False after ``seconds``, which
        never come where they are None."""
        with self._changed:
            return self._changed.wait_for(condition, seconds)

    def _answer(self, handler: BaseHTTPRequestHandler, closing: socket.socket) -> None:
        address = urlsplit(handler.path)
        data = _read_body(handler)
        with self._changed:
            request = Request(
                number=len(self.requests) + 1,
                method=handler.command,
                path=address.path,
                query=parse_qs(address.query),
                headers={name.lower(): value for name, value in handler.headers.items()},
                body=_as_object(data),
            )
            self.requests.append(request)
            self._changed.notify_all()
        connection = Connection(handler, closing)
        try:
            Performance(request, connection, self._stages, self.troubles).play(self._key, self._models)
        except ClientGoneError:
            request.left = True
            handler.close_connection = True
        finally:
            request.done.set()
            with self._changed:
                self._changed.notify_all()


_Answer = Callable[[BaseHTTPRequestHandler, socket.socket], None]


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    request_queue_size = 128

    def __init__(self, address: tuple[str, int], answer: _Answer) -> None:
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._waker, self.closing = socket.socketpair()
        server = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def setup(self) -> None:
                super().setup()
                server.keep(self.connection)

            def finish(self) -> None:
                with suppress(OSError):  # the client may be gone
                    super().finish()
                server.forget(self.connection)

            def do_POST(self) -> None:
                answer(self, server.closing)

            def do_GET(self) -> None:
                answer(self, server.closing)

            def do_HEAD(self) -> None:
                answer(self, server.closing)

            def log_message(self, *_: Any, **__: Any) -> None:
                pass

        super().__init__(address, Handler)

    def keep(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.add(connection)

    def forget(self, connection: socket.socket) -> None:
        with self._lock:
            self._open.discard(connection)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that resets its connection is not an error of the server; others are shown as usual."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)

    def server_close(self) -> None:
        """End every connection, then wait for their threads."""
        self._waker.close()
        with self._lock:
            for connection in self._open:
                with suppress(OSError):  # it may be closed already
                    connection.shutdown(socket.SHUT_RDWR)
        super().server_close()
        self.closing.close()


def _read_body(handler: BaseHTTPRequestHandler) -> bytes:
    """The request's body, by its length or in chunks."""
    if handler.headers.get("transfer-encoding", "").lower() != "chunked":
        return handler.rfile.read(int(handler.headers.get("content-length") or 0))
    parts: list[bytes] = []
    while size := int(handler.rfile.readline().split(b";")[0], 16):
        parts.append(handler.rfile.read(size))
        handler.rfile.readline()
    while handler.rfile.readline().strip():
        pass
    return b"".join(parts)


def _as_object(data: bytes) -> dict[str, Any]:
    try:
        value = json.loads(data)
    except ValueError:
        return {}
    return mapping(value)
