"""Bench: the task's tools, called by the program itself, as data or as a model is shown them."""

import asyncio
import json
from collections.abc import Awaitable, Mapping, Sequence
from typing import Any, cast

from pydantic_ai.messages import BinaryContent
from pydantic_ai.tools import Tool
from toolbox import Toolbox

PREFIX = "mcp__"


class Bench:
    """The tools of a toolbox by their own names; of two servers with one of a name, the first is meant."""

    def __init__(self, toolbox: Toolbox) -> None:
        self._toolbox = toolbox
        self.tools: Sequence[Tool[object]] = toolbox.tools
        self._named: dict[str, Tool[object]] = {}
        for tool in toolbox.tools:
            self._named.setdefault(plain_name(tool.name), tool)

    def has(self, tool: str) -> bool:
        """Whether some server has that tool."""
        return tool in self._named

    async def data(self, tool: str, **arguments: Any) -> Mapping[str, Any]:
        """The structured result of a data tool; ToolError where it fails, LookupError where no server has it."""
        call = self._toolbox.data(tool)
        if call is None:
            raise LookupError(f"no server of the task has the tool {tool}")
        return await asyncio.to_thread(call, tool, **arguments)

    async def shown(self, tool: str, **arguments: Any) -> list[str | BinaryContent]:
        """Texts and pictures of a result; ToolFailed where the tool fails, LookupError where no server has it."""
        if tool not in self._named:
            raise LookupError(f"no server of the task has the tool {tool}")
        calling: Awaitable[Any] = self._named[tool].function_schema.function(**arguments)
        result = await calling
        return cast("list[str | BinaryContent]", result if isinstance(result, list) else [result])


def plain_name(name: str) -> str:
    """A tool's own name: ``search_papers`` of ``mcp__literature__search_papers``."""
    return name.removeprefix(PREFIX).partition("__")[2] or name


def server_of(name: str) -> str:
    """The server of a tool's full name."""
    return name.removeprefix(PREFIX).partition("__")[0]


def as_json(value: object) -> str:
    """A result as a model is shown it."""
    return json.dumps(value, ensure_ascii=False)
