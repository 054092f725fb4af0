"""Backend: what improves or replaces our own reading of a PDF.

A backend that asks a server does so from the server's own process, which may use the network: its limits are time,
retries and bytes. What comes back is untrusted, as the paper is, and is parsed and mapped in a confined worker; so is
whatever touches the PDF. An outage raises UnavailableError: a paper is never silently read without the backend.
"""

from collections.abc import Callable
from typing import Any, Protocol

Work = Callable[[dict[str, Any], bytes], tuple[dict[str, Any], bytes]]
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
