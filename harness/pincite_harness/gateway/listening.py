"""Serving an ASGI application on a Unix socket inside the harness's own event loop."""

import asyncio
import logging
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import uvicorn
from starlette.types import ASGIApp

from pincite_core.errors import UnavailableError


class _Listener(uvicorn.Server):
    """A server that leaves signals to the harness."""

    @contextmanager
    def capture_signals(self) -> Generator[None]:
        yield


@asynccontextmanager
async def listening(
    application: ASGIApp, socket: Path, name: str, *, lifespan: bool = True, idle_seconds: int = 5
) -> AsyncGenerator[None]:
    """Serve on a Unix socket that every user of the machine may connect to: the token is what opens the door.

    ``idle_seconds`` is how long a connection without a request is kept; UnavailableError when it cannot listen.
    """
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    config = uvicorn.Config(
        application,
        uds=str(socket),
        interface="asgi3",
        http="h11",
        ws="none",
        proxy_headers=False,
        log_config=None,
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=idle_seconds,
        lifespan="on" if lifespan else "off",
    )
    listener = _Listener(config)
    task = asyncio.create_task(listener.serve(), name=name)
    try:
        while not listener.started:
            if task.done():
                raise UnavailableError(f"The {name} did not open.", seen=str(task.exception()))
            await asyncio.sleep(0.005)
        yield
    finally:
        listener.should_exit = True
        await task
