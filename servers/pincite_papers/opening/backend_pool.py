"""Worker processes for backends: they parse a backend's response, and do all work on the PDF."""

from typing import Any

from pincite_core.settings import Settings
from pincite_papers.limits import ParseLimits
from pincite_papers.opening.pool import ProcessPool, Request


class BackendPool(ProcessPool):
    """Processes that run the jobs of backends (see ``opening.backend_worker``)."""

    program = "pincite_papers.opening.backend_worker"
    too_slow = "Reading the paper with the backend took longer than is allowed."
    crashed = "The backend crashed on this file."
    seconds_setting = "PINCITE_BACKEND_SECONDS"

    def work(self, header: dict[str, Any], body: bytes) -> Request:
        """The reply to one job; raises what ``ask`` raises."""
        return self.ask(lambda _: (header, body))


def backend_pool(settings: Settings) -> BackendPool:
    """The processes for the chosen backend: docling's models need more memory and time than a parser."""
    memory_mb = settings.backend_memory_mb if settings.backend == "docling" else settings.parse_memory_mb
    seconds = settings.backend_seconds if settings.backend == "docling" else settings.parse_seconds
    return BackendPool(ParseLimits(memory_mb, seconds, settings.max_pages), workers=1, entry="")
