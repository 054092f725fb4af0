"""FigureJobs: work on the source of a paper, done in worker processes that keep the sources in use open."""

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Protocol, cast

import anyio.to_thread

from pincite_core.errors import PinciteError
from pincite_core.locator import digest_of
from pincite_core.settings import Settings
from pincite_figures.picture_file import Pictured, PictureFile

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context

    from pincite_figures.pool import FigurePool
    from pincite_papers.model import Paper
    from pincite_papers.opening.pool import Request

_MOST_WORKERS = 2
"""Worker processes, each of which holds sources open in memory. Set by judgement."""
DRAW = "pincite_figures.drawing:draw_job"
"""The job that draws a figure or a page."""
TEXTS = "pincite_figures.texts:texts_job"
"""The job that reads the text inside a figure."""


class Sources(Protocol):
    """What has the bytes of the papers that were opened: a PaperStore, or what stands for several."""

    def source_bytes(self, paper: "Paper") -> bytes: ...


class FigureJobs:
    """Runs functions on the source of a paper, away from the server: PDFium and picture decoders run nowhere else.

    A worker keeps the sources it used last open, so that the bytes travel once.
    """

    def __init__(self, settings: Settings, store: "Callable[[], Sources]") -> None:
        self._settings = settings
        self._store = store
        self._pool: FigurePool | None = None
        self._lock = threading.Lock()

    async def run(
        self, job: str, paper: Pictured, arguments: dict[str, Any], calling: "Context[Any, Any] | None" = None
    ) -> tuple[dict[str, Any], bytes]:
        """What the function ``job`` ("module:function") returns in a worker for the paper's source.

        It is called as ``function(source: OpenSource, arguments)`` and returns a JSON-able dict and bytes, or raises
        a PinciteError, which is raised here too. Progress is reported to ``calling``.
        """
        from pincite_papers.opening.opener import reporting  # with it comes the protocol, which takes a second to load

        async with reporting(calling, "drawing"):
            outcome = await anyio.to_thread.run_sync(self._outcome, job, paper, arguments, abandon_on_cancel=True)
        if isinstance(outcome, PinciteError):
            raise outcome
        return outcome

    def run_blocking(self, job: str, paper: Pictured, arguments: dict[str, Any]) -> tuple[dict[str, Any], bytes]:
        """``run`` for a caller without an event loop."""
        outcome = self._outcome(job, paper, arguments)
        if isinstance(outcome, PinciteError):
            raise outcome
        return outcome

    def close(self) -> None:
        """End the workers; a later job starts new ones."""
        with self._lock:
            pool, self._pool = self._pool, None
        if pool is not None:
            pool.close()

    def _outcome(
        self, job: str, paper: Pictured, arguments: dict[str, Any]
    ) -> "tuple[dict[str, Any], bytes] | PinciteError":
        """The result or why there is none: returned, since a task group would wrap what is raised."""
        digest = digest_of(paper.paper_id)

        def make(holds: frozenset[str]) -> "Request":
            header = {"job": job, "digest": digest, "arguments": arguments}
            return header, b"" if digest in holds else self._bytes_of(paper)

        try:
            header, body = self._opened().ask(make, held=digest)
        except PinciteError as error:
            return error
        return header["reply"], body

    def _bytes_of(self, paper: Pictured) -> bytes:
        """A picture file brings its bytes along; a paper's are read again from where it was found."""
        return paper.data if isinstance(paper, PictureFile) else self._store().source_bytes(cast("Paper", paper))

    def _opened(self) -> "FigurePool":
        from pincite_figures.pool import FigurePool
        from pincite_papers.limits import ParseLimits

        settings = self._settings
        with self._lock:
            if self._pool is None:
                limits = ParseLimits(settings.parse_memory_mb, settings.figure_seconds, settings.max_pages)
                self._pool = FigurePool(limits, workers=min(settings.parse_workers, _MOST_WORKERS), entry="")
            return self._pool
