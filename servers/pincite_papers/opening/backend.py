"""Backend: what improves or replaces our own reading of a PDF, and the processes in which its answers are parsed.

A backend that asks a server does so from the server's own process, which may use the network: its limits are time,
retries and bytes. What comes back is untrusted, as the paper is, and is parsed and mapped in a confined worker; so is
whatever touches the PDF. An outage raises UnavailableError: a paper is never silently read without the backend.
"""

from collections.abc import Callable
from typing import Any, Protocol

from pincite_core.errors import BadInputError
from pincite_core.settings import Settings
from pincite_papers.limits import ParseLimits
from pincite_papers.opening.pool import ProcessPool, Request

Work = Callable[[dict[str, Any], bytes], Request]
"""Runs a job in a worker: header with "job" ("module:function") and its arguments, body; gives header and body."""


class Backend(Protocol):
    """One optional reader of PDFs."""

    @property
    def described(self) -> str:
        """Name, version and place: part of the key of cached papers, and of warnings."""
        ...

    def read(self, source: bytes, parse: Callable[[], bytes], work: Work) -> bytes:
        """The encoded paper of a PDF; ``parse`` gives our own encoded reading of it, or raises why there is none."""
        ...


class BackendPool(ProcessPool):
    """Processes that run the jobs of backends (see ``backends.worker``)."""

    program = "pincite_papers.backends.worker"
    too_slow = "Reading the paper with the backend takes longer than it may."
    crashed = "The backend crashed on this file."
    seconds_setting = "PINCITE_BACKEND_SECONDS"

    def work(self, header: dict[str, Any], body: bytes) -> Request:
        """The reply to one job; raises what ``ask`` raises."""
        return self.ask(lambda _: (header, body))


def choose_backend(settings: Settings) -> Backend | None:
    """The backend of the settings, None for our own parser alone; BadInputError where it is half set."""
    if settings.backend == "grobid":
        from pincite_papers.backends.grobid import Grobid

        if not settings.grobid_url:
            raise BadInputError("The backend grobid needs a server.", next="Set PINCITE_GROBID_URL.")
        return Grobid(settings.grobid_url, settings.backend_seconds)
    if settings.backend == "vision":
        from pincite_models.endpoint import ModelEndpoint
        from pincite_papers.backends.vision import Vision

        endpoint = ModelEndpoint.of(settings)
        if endpoint is None:
            raise BadInputError(
                "The backend vision needs a model.", next="Set PINCITE_VISION_URL and PINCITE_VISION_MODEL."
            )
        return Vision(endpoint, settings.backend_seconds)
    if settings.backend == "docling":
        from pincite_papers.backends.docling import Docling

        return Docling()
    return None


def backend_pool(settings: Settings) -> BackendPool:
    """The processes for the chosen backend: docling's models need more memory and time than a parser."""
    memory_mb = settings.backend_memory_mb if settings.backend == "docling" else settings.parse_memory_mb
    seconds = settings.backend_seconds if settings.backend == "docling" else settings.parse_seconds
    return BackendPool(ParseLimits(memory_mb, seconds, settings.max_pages), workers=1, entry="")
