"""Sources: pages, sections, tables and figures through the tool door, with their locators, each read once a trial."""

import asyncio
import base64
import json
import re
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any

from door import Door, DoorError, text_of
from pydantic_ai.messages import BinaryContent

from .role import Data

SECONDS = 600.0
"""How long a tool may take, as in ``toolbox``."""
MAX_CHARS = 40_000
"""Characters of one answer of a reading tool; longer ones come in several, all of which are read."""
_CURSOR = re.compile(r'cursor="([^"]+)"\.$')


class Sources:
    """The task's papers behind its tool servers. Use as a context manager; ToolError where a tool fails, DoorError
    where a server is missing or cannot be reached."""

    def __init__(self, task: Mapping[str, Any]) -> None:
        self._servers: Mapping[str, Mapping[str, Any]] = task["tools"]
        self._exit = ExitStack()
        self._doors: dict[str, Door] = {}
        self._kept: dict[str, asyncio.Task[dict[str, Any]]] = {}

    def __enter__(self) -> "Sources":
        for name, server in self._servers.items():
            door = Door(server["url"], server["headers"], timeout=SECONDS)
            self._doors[name] = self._exit.enter_context(door)
        return self

    def __exit__(self, *_: object) -> None:
        self._exit.close()

    async def call(self, server: str, tool: str, **arguments: Any) -> dict[str, Any]:
        """A tool's result as it came; the same call is made once, a failed one again when it is asked for again."""
        if server not in self._doors:
            raise DoorError(f"the task has no server {server}; it has {', '.join(self._doors) or 'none'}")
        key = json.dumps([server, tool, arguments], sort_keys=True)
        if key not in self._kept:
            calling = asyncio.to_thread(self._doors[server].call, tool, **arguments)
            self._kept[key] = asyncio.create_task(calling)
        task = self._kept[key]
        try:
            return await asyncio.shield(task)
        except BaseException:
            if task.done():
                self._kept.pop(key, None)
            raise

    async def pages(self, paper: str) -> int:
        """How many pages a paper has; 0 for one that is not divided into pages."""
        found = await self.call("documents", "open_paper", paper=paper)
        return int(found["structuredContent"]["pages"] or 0)

    async def page(self, paper: str, number: int) -> Data:
        """The text of one page with its tables, each block behind its locator."""
        text = await self._text("read_pages", paper=paper, pages=str(number))
        return Data(text, f"paper {paper}, page {number}")

    async def whole(self, paper: str) -> Data:
        """The text of a whole paper, each block behind its locator: for a paper that has no pages."""
        return Data(await self._text("read_pages", paper=paper), f"paper {paper}")

    async def section(self, paper: str, title: str) -> Data:
        """The text of the section of that title, each block behind its locator."""
        return Data(await self._text("read_section", paper=paper, section=title), f"paper {paper}, section {title}")

    async def table(self, paper: str, table: str) -> Data:
        """The cells of one table, as ``read_table`` gives them."""
        found = await self.call("documents", "read_table", paper=paper, table=table)
        text = text_of(found) or json.dumps(found.get("structuredContent"), ensure_ascii=False)
        return Data(text, f"paper {paper}, table {table}")

    async def picture(self, paper: str, number: int, dpi: int = 110) -> BinaryContent:
        """A picture of one page."""
        return _image(await self.call("figures", "view_page", paper=paper, page=number, dpi=dpi), "view_page")

    async def figure(self, paper: str, figure: str) -> tuple[BinaryContent, Data]:
        """A picture of one figure, by its label, and what is said of it: its caption with the locator."""
        found = await self.call("figures", "view_figure", paper=paper, figure=figure)
        return _image(found, "view_figure"), Data(text_of(found), f"paper {paper}, {figure}")

    async def _text(self, tool: str, **arguments: Any) -> str:
        pieces: list[str] = []
        cursor = ""
        while True:
            found = await self.call("documents", tool, **arguments, cursor=cursor, max_chars=MAX_CHARS)
            text = text_of(found)
            more = _CURSOR.search(text)
            if more is None:
                return "\n".join([*pieces, text])
            pieces.append(text[: text.rindex("\n", 0, more.start())])
            cursor = more[1]


def _image(found: Mapping[str, Any], tool: str) -> BinaryContent:
    """The first picture of a tool's result."""
    for part in found.get("content", []):
        if part.get("type") == "image":
            return BinaryContent(base64.b64decode(part["data"]), media_type=str(part["mimeType"]))
    raise DoorError(f"{tool} returned no picture")
