"""Serving an ASGI application on a Unix socket inside the harness's own event loop."""

import asyncio
import functools
import logging
import socket
import time
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, cast

import uvicorn
from starlette.types import ASGIApp

from pincite_core.errors import UnavailableError
from pincite_doors.protocol import DoorProtocol, OnRefused
from pincite_doors.traffic import Traffic

_GRACEFUL_SECONDS = 1
"""Seconds that requests under way have to end when a door closes. Set by judgement."""
_LOOK_AGAIN_SECONDS = 0.005
"""Seconds between looks whether they have ended."""
_LAST_ANSWER_SECONDS = 0.2
"""How long an agent that passed a limit may take to read the answer that says so."""
_WAITING = 64
"""Connections that may wait to be accepted: as many are accepted at once, before any can be turned away."""


class _Listener(uvicorn.Server):
    """A server that leaves signals to the harness, and that ends at once: uvicorn's own looks ten times a second
    whether it shall, and waits a tenth of one for what there may not be, which every trial would pay for each door."""

    def __init__(self, config: uvicorn.Config, traffic: Traffic) -> None:
        super().__init__(config)
        self.told_to_end = asyncio.Event()
        self._traffic = traffic

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield

    async def main_loop(self) -> None:
        closing = asyncio.create_task(self._close_at_limit())
        await self.told_to_end.wait()
        closing.cancel()

    async def _close_at_limit(self) -> None:
        """Stop listening, then cut every connection: what the agent still sends costs its neighbours nothing."""
        await self._traffic.reached.wait()
        await self._stop_listening()
        await asyncio.sleep(_LAST_ANSWER_SECONDS)
        for connection in list(self.server_state.connections):
            cast("DoorProtocol", connection).transport.abort()

    async def _stop_listening(self) -> None:
        """Accept no more, and close once what was accepted has its transport: Python 3.11 loses a connection between
        the two without closing it, and its agent would wait for an answer for ever."""
        loop = asyncio.get_running_loop()
        for server in self.servers:
            for listening_socket in server.sockets:
                loop.remove_reader(listening_socket.fileno())
        await asyncio.sleep(0)
        for server in self.servers:
            server.close()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self._stop_listening()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        deadline = time.monotonic() + _GRACEFUL_SECONDS
        while (self.server_state.connections or self.server_state.tasks) and time.monotonic() < deadline:  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_AGAIN_SECONDS)
        for task in self.server_state.tasks:
            task.cancel()
        await self.lifespan.shutdown()


@asynccontextmanager
async def listening(
    application: ASGIApp,
    path: Path,
    name: str,
    *,
    traffic: Traffic,
    on_refused: OnRefused,
    body_bytes: int,
    lifespan: bool = True,
    idle_seconds: int = 5,
) -> AsyncGenerator[None]:
    """Serve on a Unix socket that every user of the machine may connect to: the token is what opens the door. See
    ``_serving``."""
    options: dict[str, Any] = {"lifespan": lifespan, "idle_seconds": idle_seconds, "uds": str(path)}
    limits = {"traffic": traffic, "on_refused": on_refused, "body_bytes": body_bytes}
    async with _serving(application, name, **limits, **options):
        yield


@asynccontextmanager
async def listening_on_loopback(
    application: ASGIApp,
    name: str,
    *,
    traffic: Traffic,
    on_refused: OnRefused,
    body_bytes: int,
    lifespan: bool = True,
    idle_seconds: int = 5,
) -> AsyncGenerator[int]:
    """Serve on a free port of 127.0.0.1, which is given, for processes of this machine that have the token. See
    ``_serving``."""
    options: dict[str, Any] = {"lifespan": lifespan, "idle_seconds": idle_seconds, "host": "127.0.0.1", "port": 0}
    limits = {"traffic": traffic, "on_refused": on_refused, "body_bytes": body_bytes}
    async with _serving(application, name, **limits, **options) as listener:
        yield int(listener.servers[0].sockets[0].getsockname()[1])


@asynccontextmanager
async def _serving(
    application: ASGIApp,
    name: str,
    *,
    traffic: Traffic,
    on_refused: OnRefused,
    body_bytes: int,
    lifespan: bool,
    idle_seconds: int,
    **place: Any,
) -> AsyncGenerator[_Listener]:
    """Serve at a ``place`` in uvicorn's words.

    ``idle_seconds`` is how long a connection without a request is kept, ``body_bytes`` how long a body may be. When a
    limit of ``traffic`` is passed the door closes; ``on_refused`` is called for requests that do not reach the
    application. UnavailableError when it cannot listen.
    """
    protocol = functools.partial(DoorProtocol, traffic=traffic, on_refused=on_refused, body_bytes=body_bytes)
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    config = uvicorn.Config(
        application,
        interface="asgi3",
        http=cast("Any", protocol),
        backlog=_WAITING,
        ws="none",
        proxy_headers=False,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=idle_seconds,
        lifespan="on" if lifespan else "off",
        **place,
    )
    listener = _Listener(config, traffic)
    task = asyncio.create_task(listener.serve(), name=name)
    try:
        while not listener.started:
            if task.done():
                raise UnavailableError(f"The {name} did not open.", seen=str(task.exception()))
            await asyncio.sleep(0.005)
        yield listener
    finally:
        listener.told_to_end.set()
        await task
