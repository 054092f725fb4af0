"""ToolDoor: the trial's MCP gateway on a Unix socket, open to one bearer token."""

import asyncio
import hmac
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from types import TracebackType

from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from mcp.server.transport_security import TransportSecuritySettings
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from pincite_core.errors import UnavailableError
from pincite_doors.listening import listening
from pincite_doors.media import MediaStore
from pincite_doors.meter import ToolMeter
from pincite_doors.playback import ToolPlayback
from pincite_doors.proxy import Proxy
from pincite_doors.recorder import WireRecorder
from pincite_doors.traffic import Traffic, too_many_marks
from pincite_doors.upstream import ServerLaunch, Upstream
from pincite_tasks.family import ToolFilter

START_SECONDS = 60.0
"""Seconds in which every server of a task must have started. Set by judgement."""
_SESSIONS = 64
"""Sessions of one server at the same time: each keeps its tasks and streams in memory."""
_LOCAL = TransportSecuritySettings(
    enable_dns_rebinding_protection=True,
    allowed_hosts=["127.0.0.1:*", "localhost:*", "[::1]:*", "127.0.0.1", "localhost"],
    allowed_origins=["http://127.0.0.1:*", "http://localhost:*", "http://[::1]:*"],
)


class ToolDoor:
    """Serves ``/mcp/<server>`` for each server of a task on the Unix socket ``socket``.

    ``failure`` is set (and the event ``failed``) when a server died; ``meter`` counts the calls.
    """

    def __init__(
        self,
        socket: Path,
        token: str,
        *,
        meter: ToolMeter,
        recorder: WireRecorder,
        media: MediaStore,
        traffic: Traffic | None = None,
        playback: ToolPlayback | None = None,
    ) -> None:
        self._playback = playback
        self.meter = meter
        self.failed = asyncio.Event()
        self._socket = socket
        self._token = token
        self._recorder = recorder
        self._media = media
        self.traffic = traffic or Traffic()
        self._upstreams: list[Upstream] = []
        self._exit = AsyncExitStack()

    @property
    def failure(self) -> str | None:
        """Which server died of what, or None."""
        dead = [f"{upstream.name}: {upstream.failure}" for upstream in self._upstreams if upstream.failure is not None]
        return "; ".join(dead) or None

    async def open(self, launches: list[ServerLaunch], filters: Mapping[str, ToolFilter], logs: Path) -> None:
        """Start every server, then listen; UnavailableError when a server or the socket does not come up."""
        try:
            self._upstreams = [Upstream(launch, logs / f"{launch.name}.stderr.log") for launch in launches]
            for upstream in self._upstreams:
                self._exit.push_async_callback(upstream.stop)
            await asyncio.gather(*(upstream.start(START_SECONDS) for upstream in self._upstreams))
            for upstream in self._upstreams:
                _check_filter(upstream, filters.get(upstream.name, ToolFilter()))
            watchers = [asyncio.create_task(self._watch(upstream)) for upstream in self._upstreams]
            self._exit.callback(lambda: [watcher.cancel() for watcher in watchers])
            served = listening(
                self._application(filters),
                self._socket,
                "tool door",
                traffic=self.traffic,
                on_refused=self._record_refused,
                body_bytes=self.traffic.limits.tool_body_bytes,
            )
            await self._exit.enter_async_context(served)
        except BaseException:
            await self.close()
            raise

    async def close(self) -> None:
        """Stop listening and end the servers; safe to call twice."""
        await self._exit.aclose()
        self._recorder.close()

    async def __aenter__(self) -> "ToolDoor":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def _watch(self, upstream: Upstream) -> None:
        await upstream.failed.wait()
        self.failed.set()

    def _application(self, filters: Mapping[str, ToolFilter]) -> ASGIApp:
        managers: list[StreamableHTTPSessionManager] = []
        routes: list[Route] = []
        for upstream in self._upstreams:
            proxy = Proxy(
                upstream,
                tools=filters.get(upstream.name, ToolFilter()),
                meter=self.meter,
                recorder=self._recorder,
                media=self._media,
                playback=self._playback,
            )
            manager = StreamableHTTPSessionManager(
                app=proxy.server(),
                security_settings=_LOCAL,
                max_request_body_size=self.traffic.limits.tool_body_bytes,
                max_sessions=_SESSIONS,
            )
            managers.append(manager)
            routes.append(Route(f"/mcp/{upstream.name}", endpoint=StreamableHTTPASGIApp(manager)))

        @asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncGenerator[None]:
            async with AsyncExitStack() as stack:
                for manager in managers:
                    await stack.enter_async_context(manager.run())
                yield

        return self._guard(Starlette(routes=routes, lifespan=lifespan))

    def _record_refused(self, status: int, path: str, reason: str) -> None:
        self.traffic.refuse()
        self._recorder.refused(status, path, reason)

    async def _refuse(self, status: int, reason: str, scope: Scope, receive: Receive, send: Send) -> None:
        self._record_refused(status, scope["path"], reason)
        headers = {"WWW-Authenticate": "Bearer"} if status == 401 else None
        await PlainTextResponse(reason, status, headers)(scope, receive, send)

    async def _message(self, receive: Receive) -> bytes | None:
        """The body of a request; None where its sender went away. One that is too large ends where it is."""
        pieces: list[bytes] = []
        size = 0
        while size <= self.traffic.limits.tool_body_bytes:
            message = await receive()
            if message["type"] != "http.request":
                return None
            pieces.append(message.get("body", b""))
            size += len(pieces[-1])
            if not message.get("more_body", False):
                break
        return b"".join(pieces)

    def _guard(self, application: ASGIApp) -> ASGIApp:
        """Answers 401 to whoever does not bring the trial's token, whatever the path, and refuses messages that are too
        large, or that would cost too much to read."""
        expected = f"Bearer {self._token}".encode()

        async def guarded(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "http":
                return await application(scope, receive, send)
            headers = dict(scope["headers"])
            if self.traffic.exceeded is not None:
                limit = f"The limit of this trial is reached ({self.traffic.exceeded})."
                return await PlainTextResponse(limit, 403)(scope, receive, send)
            if not hmac.compare_digest(headers.get(b"authorization", b""), expected):
                return await self._refuse(401, "A trial token is needed.", scope, receive, send)
            if scope["method"] != "POST":
                return await application(scope, receive, send)
            limits, declared = self.traffic.limits, headers.get(b"content-length", b"0")
            within = not declared.isdigit() or int(declared) <= limits.tool_body_bytes
            data = await self._message(receive) if within else b""
            if data is None:
                return None
            if not within or len(data) > limits.tool_body_bytes:
                reason = f"A message to a tool may have {limits.tool_body_bytes} bytes."
                return await self._refuse(413, reason, scope, receive, send)
            if too_many_marks(data, limits.tool_body_marks):
                reason = f"The message has more than {limits.tool_body_marks} commas, brackets and braces."
                return await self._refuse(413, reason, scope, receive, send)
            return await application(scope, _again(data, receive), send)

        return guarded


def _again(data: bytes, receive: Receive) -> Receive:
    """What gives a body that was read as it would have come, and then what comes after it."""
    waiting: list[Message] = [{"type": "http.request", "body": data, "more_body": False}]

    async def receive_again() -> Message:
        return waiting.pop() if waiting else await receive()

    return receive_again


def _check_filter(upstream: Upstream, tools: ToolFilter) -> None:
    """UnavailableError when the family allows or denies a tool that its server does not have: a misspelled name would
    hide what it asks for, or show what it forbids."""
    if missing := sorted({*(tools.allow or ()), *tools.deny} - set(upstream.tools)):
        raise UnavailableError(
            f"The server {upstream.name} has no tool {', '.join(missing)}, which the family allows or denies.",
            seen=", ".join(upstream.tools) or "no tools",
        )
