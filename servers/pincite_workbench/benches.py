"""Benches: a bench for each client, so that what one leaves behind is never seen by another."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from mcp.server.mcpserver import Context

from pincite_core.settings import Settings
from pincite_core.state import ServerState
from pincite_workbench.bench import Bench

_MOST = 4
"""Sandboxes at once of one server, each with the memory of PINCITE_WORKBENCH_MEMORY_MB."""
_SESSION_HEADER = "mcp-session-id"


class Benches(ServerState):
    """The bench of the one client of a pipe; over HTTP one for each session, and for a call without a session one that
    ends with it. The one used longest ago is closed where there would be more than four."""

    def __init__(self, settings: Settings) -> None:
        super().__init__(settings)
        self._benches: OrderedDict[str, Bench] = OrderedDict()
        self._running = 0

    @asynccontextmanager
    async def lifespan(self, _server: object) -> AsyncGenerator[None]:
        """The lifespan of a server; when the last one ends, so do all sandboxes."""
        self._running += 1
        try:
            yield
        finally:
            self._running -= 1
            if not self._running:
                await asyncio.shield(self._close_all())

    @asynccontextmanager
    async def bench(self, calling: Context[Any, Any]) -> AsyncGenerator[Bench]:
        """The caller's bench, for one call: others of the same caller wait."""
        session = _session(calling)
        if session is None:
            bench = Bench(self.settings)
            try:
                async with bench.lock:
                    yield bench
            finally:
                await asyncio.shield(bench.close())
            return
        bench = self._benches.setdefault(session, Bench(self.settings))
        self._benches.move_to_end(session)
        if len(self._benches) > _MOST:
            _, oldest = self._benches.popitem(last=False)
            async with oldest.lock:
                await oldest.close()
        async with bench.lock:
            yield bench

    async def _close_all(self) -> None:
        while self._benches:
            _, bench = self._benches.popitem()
            await bench.close()


def _session(calling: Context[Any, Any]) -> str | None:
    """The session of a call: its HTTP header, "" for the one client of a pipe, None over HTTP without a session."""
    headers = calling.headers
    return "" if headers is None else headers.get(_SESSION_HEADER)
