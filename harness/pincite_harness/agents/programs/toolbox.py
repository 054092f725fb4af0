"""The task's MCP servers as tools of a pydantic-ai agent, their pictures included."""

import asyncio
import base64
import json
from collections.abc import Awaitable, Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from functools import partial
from typing import Any, cast

from door import Door, RequestError, SlowError, ToolError
from pydantic_ai.exceptions import ToolFailed
from pydantic_ai.messages import BinaryContent
from pydantic_ai.tools import Tool
from pydantic_core import SchemaValidator, core_schema

SECONDS = 600.0
"""How long a tool may take."""
AT_ONCE = 8
"""Calls of one turn that run side by side; more wait. Enough for a handful of papers, and few enough that the servers
of a trial, which parse each paper in a process of its own, do not crowd out each other's memory."""
_SHOWN = 200
"""Characters of a call in the agent's log."""
_Content = str | BinaryContent


class Toolbox:
    """Opens every server of task.json while it is entered. Tools are called ``mcp__SERVER__TOOL``; the calls of one
    turn run side by side, ``AT_ONCE`` at most, and the model gets their results in the order of its calls."""

    def __init__(self, servers: Mapping[str, Mapping[str, Any]]) -> None:
        self._servers = servers
        self._exit = ExitStack()
        self.tools: list[Tool[object]] = []
        self.instructions: list[str] = []
        """What each server says about itself, under its name."""
        self._doors: dict[str, Door] = {}
        """The door of the first server that has a tool of the name."""

    def __enter__(self) -> "Toolbox":
        threads = self._exit.enter_context(ThreadPoolExecutor(AT_ONCE, thread_name_prefix="tool"))
        for name, server in self._servers.items():
            door = self._exit.enter_context(Door(server["url"], server["headers"], timeout=SECONDS))
            definitions = door.definitions()
            self.tools += [_tool(name, door, definition, threads) for definition in definitions]
            self._doors = {str(definition["name"]): door for definition in definitions} | self._doors
            if door.instructions:
                self.instructions.append(f"# The server {name}\n\n{door.instructions}")
        return self

    def data(self, tool: str) -> Callable[..., Mapping[str, Any]] | None:
        """Calls a data tool of any server: ``call(tool, **arguments)``; None where no server has it."""
        door = self._doors.get(tool)
        return door.data if door is not None else None

    def __exit__(self, *_: object) -> None:
        self._exit.close()


def make_tool(
    call: Callable[..., Awaitable[Any]], name: str, about: str, schema: Mapping[str, Any], *, whole: str = ""
) -> Tool[object]:
    """A tool that is called with an object: JSON within a string is read, and other arguments than an object stand for
    the argument ``whole``, else the model is told to send one."""

    def as_object(given: Any) -> Any:
        read = _read(given)
        if isinstance(read, dict):
            return cast("dict[str, Any]", read)
        return {whole: given} if whole else given

    tool = Tool[object].from_schema(call, name, about, dict(schema))
    objects = core_schema.dict_schema(core_schema.str_schema())
    tool.function_schema.validator = SchemaValidator(core_schema.no_info_before_validator_function(as_object, objects))
    return tool


def _read(given: Any) -> Any:
    if not isinstance(given, str):
        return given
    try:
        return json.loads(given)
    except ValueError:
        return given


def _tool(server: str, door: Door, definition: Mapping[str, Any], threads: ThreadPoolExecutor) -> Tool[object]:
    name, about = str(definition["name"]), str(definition.get("description", ""))
    return make_tool(_caller(door, name, threads), f"mcp__{server}__{name}", about, definition["inputSchema"])


def _caller(door: Door, name: str, threads: ThreadPoolExecutor) -> Callable[..., Awaitable[Any]]:
    async def call(**arguments: Any) -> Any:
        """A tool that fails or is too slow tells the model so; a door that cannot be reached ends the agent."""
        print(f"{name} {json.dumps(arguments, ensure_ascii=False)}"[:_SHOWN], flush=True)
        try:
            calling = partial(door.call, name, **arguments)
            result = await asyncio.get_running_loop().run_in_executor(threads, calling)
        except (ToolError, RequestError, SlowError) as error:
            raise ToolFailed(str(error)) from error
        return _shown(result)

    return call


def _shown(result: Mapping[str, Any]) -> str | list[_Content]:
    """What the model gets to see: texts and pictures in their order, or the structured content as JSON."""
    parts = list(_parts(result))
    if not parts:
        return json.dumps(result.get("structuredContent"), ensure_ascii=False)
    if len(parts) == 1 and isinstance(parts[0], str):
        return parts[0]
    return parts


def _parts(result: Mapping[str, Any]) -> Iterator[_Content]:
    for part in result.get("content", []):
        kind = part.get("type")
        if kind == "text":
            yield str(part["text"])
        elif kind in ("image", "audio"):
            yield BinaryContent(base64.b64decode(part["data"]), media_type=str(part["mimeType"]))
        elif kind == "resource" and "text" in part["resource"]:
            yield str(part["resource"]["text"])
        else:
            yield json.dumps(part, ensure_ascii=False)
