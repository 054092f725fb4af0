"""FiguresState: what the tools of a figures server share: jobs, the record, the flags of each session."""

from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from mcp.server.mcpserver import Context

from pincite_core.settings import Settings
from pincite_figures.jobs import FigureJobs
from pincite_figures.record import Record
from pincite_papers.opening.opener import PaperOpener

if TYPE_CHECKING:
    from pincite_papers.model import Paper

_REMEMBERED = 10_000
"""Flags of wrong figures that a server remembers, the latest ones."""
_SESSION_HEADER = "mcp-session-id"


class FiguresState:
    """Tool functions take it behind the paper: ``function(paper, state, …)``."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.opener = PaperOpener(settings)
        self.jobs = FigureJobs(settings, lambda: self.opener.store)
        self.record = Record(settings.record_dir)
        self._flags: OrderedDict[tuple[str, str, int], str] = OrderedDict()
        self._running = 0

    @asynccontextmanager
    async def lifespan(self, server: object) -> AsyncGenerator[None]:
        """The lifespan of a server; when the last one ends, the worker processes are stopped."""
        self._running += 1
        try:
            async with self.opener.lifespan(server):
                yield
        finally:
            self._running -= 1
            if not self._running:
                self.jobs.close()

    def flag(self, calling: Context[Any, Any], paper: "Paper", index: int, reason: str) -> None:
        """Flag a figure as the wrong one for this session; an empty reason removes the flag."""
        session = _session(calling)
        if session is None:
            return
        key = (session, paper.paper_id, index)
        self._flags.pop(key, None)
        if reason:
            self._flags[key] = reason
        while len(self._flags) > _REMEMBERED:
            self._flags.popitem(last=False)

    def flagged(self, calling: Context[Any, Any], paper: "Paper", index: int) -> str:
        """Why the figure was flagged in this session, "" where it was not."""
        session = _session(calling)
        return "" if session is None else self._flags.get((session, paper.paper_id, index), "")


def _session(calling: Context[Any, Any]) -> str | None:
    """The session of a call: its HTTP header, "" for the one client of a pipe, None over HTTP without a session."""
    headers = calling.headers
    return "" if headers is None else headers.get(_SESSION_HEADER)
