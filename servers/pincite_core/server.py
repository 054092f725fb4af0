"""The scaffold of every pincite server: what it says of itself, and how it is served."""

import logging
import signal
import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from importlib.metadata import version
from typing import Any, cast

from mcp.server import MCPServer
from mcp.server.context import CallNext, HandlerResult, ServerMiddleware, ServerRequestContext
from starlette.requests import Request
from starlette.responses import JSONResponse

from pincite_core.calling import note_call
from pincite_core.client_roots import ClientRoots, forget_changed
from pincite_core.offers import announce_what_there_is
from pincite_core.tool import PinciteTool

Lifespan = Callable[[MCPServer[Any]], AbstractAsyncContextManager[Any]]


def create(
    name: str,
    *,
    title: str,
    description: str,
    instructions: str,
    tools: Sequence[PinciteTool],
    lifespan: Lifespan | None = None,
    log_level: str = "WARNING",
) -> MCPServer[Any]:
    """A server with these tools and a ``/health`` route; nothing is logged to stdout. A client is shown the tools that
    can work for it."""
    log_to_stderr(log_level)
    server: MCPServer[Any] = MCPServer(
        name,
        title=title,
        description=description,
        instructions=instructions,
        version=version("pincite"),
        tools=list(tools),
        lifespan=_for_each_client(lifespan),
        log_level="WARNING",
        middleware=[note_call, forget_changed, _only_offered(tools)],
        subscriptions=False,
    )
    announce_what_there_is(server)
    add_health(server)
    return server


def log_to_stderr(level: str) -> None:
    """Log from ``level`` on, never to stdout, which belongs to the protocol."""
    logging.basicConfig(stream=sys.stderr, level=level, format="%(asctime)s %(levelname)s %(name)s: %(message)s")


def add_health(server: MCPServer[Any]) -> None:
    """The route ``/health`` of a server over HTTP."""

    @server.custom_route("/health", methods=["GET"])
    async def health(_request: Request) -> JSONResponse:  # pyright: ignore[reportUnusedFunction]
        return JSONResponse({"status": "ok", "server": server.name, "version": server.version})


def _for_each_client(lifespan: Lifespan | None) -> Lifespan:
    """The lifespan with what is known of the client in its context: over a pipe it is entered for each."""

    @asynccontextmanager
    async def entered(server: MCPServer[Any]) -> AsyncGenerator[ClientRoots]:
        if lifespan is None:
            yield ClientRoots()
            return
        async with lifespan(server):
            yield ClientRoots()

    return entered


def _only_offered(tools: Sequence[PinciteTool]) -> ServerMiddleware[Any]:
    """Leaves out of ``tools/list`` what cannot work for the client that asks."""
    conditions = {tool.name: tool.offered for tool in tools if tool.offered is not None}

    async def listing(ctx: ServerRequestContext[Any, Any], call_next: CallNext) -> HandlerResult:
        result = await call_next(ctx)
        if ctx.method != "tools/list" or not isinstance(result, dict):
            return result
        known = ctx.session.client_capabilities
        withheld = {name for name, condition in conditions.items() if not condition(known)}
        listed = cast("list[dict[str, Any]]", result.get("tools") or [])
        return {**result, "tools": [tool for tool in listed if tool["name"] not in withheld]}

    return listing


def serve(server: MCPServer[Any], *, http: str | None = None) -> None:
    """Serve over stdio, or over streamable HTTP at ``http`` (``HOST:PORT``, port 0 for a free one), until stopped."""
    if http is None:
        # The SDK reads stdin in a thread that no KeyboardInterrupt ends: let the signal end the process.
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        server.run("stdio")
        return
    from pincite_core.serving import serve_http

    serve_http(server, http)
