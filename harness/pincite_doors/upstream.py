"""Upstream: one MCP server of a trial, a stdio process on the host or an HTTP address."""

import asyncio
import secrets
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO, TypeVar, cast

import httpx2
import mcp_types as types
from mcp import Client
from mcp.client.session import ClientSession
from mcp.client.stdio import StdioServerParameters, stdio_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.dispatcher import ProgressFnT
from mcp.shared.exceptions import MCPError
from pydantic import BaseModel, ValidationError

from pincite_core.errors import UnavailableError
from pincite_doors.server_process import MARK_VARIABLE, end_stragglers, last_lines, server_log
from pincite_doors.template import ServerTemplate, forked_client

ResultT = TypeVar("ResultT", bound=BaseModel)
_CONNECT_SECONDS = 30.0
"""Seconds to reach a server at an address. Set by judgement."""
_SESSION_ENDED = "Session terminated"
"""How the SDK words that an HTTP server no longer knows its session."""


@dataclass(frozen=True, slots=True)
class ServerLaunch:
    """How a server is started: its name in the task, its command, its variables beside the few safe ones inherited.

    One that pincite does not bring may run in ``cwd``, or be an address with ``headers`` instead; it has seconds of its
    own to start and for each call, and ``secrets`` that its log must not hold."""

    name: str
    argv: Sequence[str]
    env: Mapping[str, str] = field(default_factory=dict[str, str])
    cwd: str | None = None
    url: str = ""
    headers: Mapping[str, str] = field(default_factory=dict[str, str])
    start_seconds: float | None = None
    call_seconds: float | None = None
    secrets: tuple[str, ...] = ()
    labelled: bool = False
    """Whether it is one of pincite's, which names the tool call that it works on to the models that it asks."""
    template: ServerTemplate | None = None
    """What forks it where it can, with the words of ``forked``; it is started by ``argv`` where it cannot."""
    forked: Sequence[str] = ()


class Upstream:
    """Holds the client of one server in a task of its own, because the SDK's scopes belong to one task."""

    def __init__(self, launch: ServerLaunch, log: Path) -> None:
        self.name = launch.name
        self.failure: str | None = None
        self.tools: dict[str, types.Tool] = {}
        """The server's tools by name, as it listed them when it started."""
        self.failed = asyncio.Event()
        self._launch = launch
        self._log = log
        self._client: Client | None = None
        self._ready = asyncio.Event()
        self._stopping = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def start(self, seconds: float) -> None:
        """Start the server, shake hands and list its tools; UnavailableError when that takes more than ``seconds``, or
        than its own ``start_seconds``."""
        seconds = self._launch.start_seconds or seconds
        self._task = asyncio.create_task(self._hold(), name=f"server {self.name}")
        ready = asyncio.create_task(self._ready.wait())
        try:
            await asyncio.wait({self._task, ready}, timeout=seconds, return_when=asyncio.FIRST_COMPLETED)
        finally:
            ready.cancel()
        if not self._ready.is_set():
            said = "; ".join([f"no answer within {seconds:g} s", *last_lines(self._log)])
            seen = self.failure or said
            await self.stop()
            hint = f"See wire/{self._log.name}."
            raise UnavailableError(f"The server {self.name} did not start.", seen=seen, next=hint)

    async def stop(self) -> None:
        """End the server; its process is gone when this returns. Safe to call twice."""
        self._stopping.set()
        if self._task is not None:
            if not self._ready.is_set():
                self._task.cancel()
            with suppress(asyncio.CancelledError):
                await asyncio.shield(self._task)

    @property
    def labelled(self) -> bool:
        """Whether its calls are told by which label its model requests go (``pincite_core.calling``)."""
        return self._launch.labelled

    @property
    def session(self) -> ClientSession:
        """The live session; UnavailableError before start and after the server's death."""
        if self._client is None or self.failure is not None:
            raise UnavailableError(f"The server {self.name} is gone.", seen=self.failure or "not started")
        return self._client.session

    @property
    def capabilities(self) -> types.ServerCapabilities:
        """What the server said it can do."""
        return self.session.server_capabilities or types.ServerCapabilities()

    @property
    def instructions(self) -> str | None:
        """What the server tells a model about itself."""
        return self.session.instructions

    @property
    def version(self) -> str:
        """The server's version, empty where it does not say."""
        info = self.session.server_info
        return info.version if info is not None else ""

    async def send(
        self, request: types.Request[Any, Any], result_type: type[ResultT], on_progress: ProgressFnT | None = None
    ) -> ResultT:
        """Forward one request; MCPError is the server's own answer, UnavailableError its death."""
        session = self.session
        try:
            async with asyncio.timeout(self._launch.call_seconds):
                return await session.send_request(request, result_type, progress_callback=on_progress)
        except TimeoutError as error:
            seen = f"no answer to {request.method} within {self._launch.call_seconds:g} s"
            raise UnavailableError(f"The server {self.name} did not answer.", seen=seen) from error
        except MCPError as error:
            if error.code != types.CONNECTION_CLOSED and error.message != _SESSION_ENDED:
                raise
            raise self._die("; ".join(["it closed the connection", *last_lines(self._log)])) from error
        except ValidationError as error:
            raise self._die(
                f"its answer to {request.method} breaks the protocol: {error.error_count()} faults"
            ) from error

    def _die(self, seen: str) -> UnavailableError:
        self.failure = self.failure or seen
        self.failed.set()
        return UnavailableError(f"The server {self.name} is gone.", seen=self.failure)

    async def _hold(self) -> None:
        try:
            async with self._connected() as client:
                self._client = client
                self.tools = await _list_tools(client)
                self._ready.set()
                await self._stopping.wait()
        except (OSError, MCPError, ExceptionGroup, httpx2.HTTPError) as error:
            self._die("; ".join([*map(str, _leaves(error)), *last_lines(self._log)]))

    @asynccontextmanager
    async def _connected(self) -> AsyncGenerator[Client]:
        launch = self._launch
        if launch.url:
            timeout = httpx2.Timeout(_CONNECT_SECONDS, read=launch.call_seconds)
            async with httpx2.AsyncClient(headers=dict(launch.headers), timeout=timeout) as http:
                # A picture may be larger than the SDK takes in one event by default.
                transport = streamable_http_client(launch.url, http_client=http, max_sse_event_size=None)
                async with Client(transport, cache=None) as client:
                    yield client
            return
        mark = secrets.token_hex(16)
        env = {**launch.env, MARK_VARIABLE: mark}
        with server_log(self._log, launch.secrets) as log:
            try:
                async with Client(await self._transport(env, log), cache=None) as client:
                    yield client
            finally:
                # The SDK ends a server's group only where the server itself does not end.
                end_stragglers(mark)

    async def _transport(self, env: Mapping[str, str], log: TextIO) -> Any:
        """The server's process: forked from the template where there is one that can, else started afresh."""
        launch = self._launch
        if launch.template is not None:
            server = await launch.template.start(launch.forked, env, log.fileno())
            if server is not None:
                return forked_client(server)
        parameters = StdioServerParameters(
            command=launch.argv[0], args=list(launch.argv[1:]), env=dict(env), cwd=launch.cwd
        )
        return stdio_client(parameters, errlog=log)


async def _list_tools(client: Client) -> dict[str, types.Tool]:
    tools: dict[str, types.Tool] = {}
    cursor: str | None = None
    while client.server_capabilities.tools is not None:
        page = await client.list_tools(cursor=cursor)
        tools |= {tool.name: tool for tool in page.tools}
        cursor = page.next_cursor
        if cursor is None:
            break
    return tools


def _leaves(error: BaseException) -> list[BaseException]:
    """The errors inside a group, however deep."""
    if isinstance(error, BaseExceptionGroup):
        group = cast("BaseExceptionGroup[BaseException]", error)
        return [leaf for part in group.exceptions for leaf in _leaves(part)]
    return [error]
