"""A task's papers for a model that has no tools: all of their text, or pictures of their pages."""

import base64
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from door import Door, DoorError

_CURSOR = re.compile(r'cursor="([^"]+)"\.$')
_MAX_CHARS = 40_000
"""Characters of one call's result, the most that the server gives."""
PDFS = Path(".papers")
"""Where a task's papers themselves lie, for an agent that is given them as files."""


class Papers:
    """Reads papers through the servers of task.json; DoorError where the task has not the server that is needed."""

    def __init__(self, servers: Mapping[str, Mapping[str, Any]]) -> None:
        self._servers = servers

    def text(self, name: str) -> str:
        """The paper from its first page to its last, each block behind its locator."""
        with self._open("documents", "the text of a paper") as door:
            return "\n".join(_pieces(door, name))

    def pages(self, name: str) -> int:
        """How many pages a paper has; 0 for one that is not divided into pages."""
        with self._open("documents", "the number of pages") as door:
            return int(door.data("open_paper", paper=name)["pages"] or 0)

    def pictures(self, name: str, dpi: int) -> list[tuple[bytes, str]]:
        """A picture of each page with its media type."""
        with self._open("documents", "the number of pages") as door:
            pages = int(door.data("open_paper", paper=name)["pages"])
        with self._open("figures", "pictures of pages") as door:
            return [_picture(door.call("view_page", paper=name, page=page, dpi=dpi)) for page in range(1, pages + 1)]

    def _open(self, server: str, purpose: str) -> Door:
        given = self._servers.get(server)
        if given is None:
            offered = ", ".join(self._servers) or "no server"
            raise DoorError(f"the task has no server {server}, which gives {purpose}; it has {offered}")
        return Door(given["url"], given["headers"])


def _pieces(door: Door, name: str) -> Iterator[str]:
    cursor = ""
    while True:
        text = door.text("read_pages", paper=name, cursor=cursor, max_chars=_MAX_CHARS)
        more = _CURSOR.search(text)
        yield text[: text.rindex("\n", 0, more.start())] if more is not None else text
        if more is None:
            return
        cursor = more[1]


def _picture(result: Mapping[str, Any]) -> tuple[bytes, str]:
    for part in result.get("content", []):
        if part.get("type") == "image":
            return base64.b64decode(part["data"]), str(part["mimeType"])
    raise DoorError("view_page returned no picture")
