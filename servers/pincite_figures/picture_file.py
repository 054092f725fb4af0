"""PictureFile: a picture that lies in a file of its own, beside the papers."""

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import anyio.to_thread

from pincite_core.settings import Settings

if TYPE_CHECKING:
    from mcp.server.mcpserver import Context

MOST_BYTES = 64 << 20
"""Bytes of a picture file, as of a picture in a paper's archive."""


class Pictured(Protocol):
    """What can be looked at: a paper, or a picture file."""

    @property
    def paper_id(self) -> str: ...


@dataclass(frozen=True, slots=True)
class PictureFile:
    """A picture file's name as it was given, its bytes, and ``sha256:`` of them as its id."""

    name: str
    data: bytes

    @property
    def paper_id(self) -> str:
        """The id by which workers keep it open and records name it."""
        return f"sha256:{hashlib.sha256(self.data).hexdigest()}"

    @property
    def target(self) -> dict[str, Any]:
        """What a job is told to draw."""
        return {"picture": self.name}


async def open_picture(file: str, settings: Settings, calling: "Context[Any, Any]") -> PictureFile:
    """The picture file within the folders that the call may read; errors of ``Roots.read``."""
    from pincite_core.client_roots import folders_of  # with it comes the protocol, which takes a second to load
    from pincite_papers.opening.roots import Roots

    roots = Roots(await folders_of(settings, calling), unset=not settings.roots)
    _, data = await anyio.to_thread.run_sync(roots.read, file, min(MOST_BYTES, settings.max_source_bytes))
    return PictureFile(file, data)
