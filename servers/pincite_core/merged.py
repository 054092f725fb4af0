"""Several servers as one: tools are listed from stored definitions, and a server is loaded by its first call."""

import logging
import re
import threading
from collections import Counter
from collections.abc import AsyncGenerator, Callable, Collection, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Any, cast

import anyio
import anyio.abc
import anyio.to_thread
from mcp.server import MCPServer
from mcp.server.context import ServerRequestContext
from mcp.shared.exceptions import MCPError
from mcp_types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    ClientCapabilities,
    CompleteRequestParams,
    CompleteResult,
    Completion,
    GetPromptRequestParams,
    ListPromptsResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    Prompt,
    PromptReference,
    ReadResourceRequestParams,
    ResourceTemplate,
    Tool,
)

from pincite_core.calling import note_call
from pincite_core.client_roots import ClientRoots, forget_changed
from pincite_core.definitions import Definition
from pincite_core.errors import BadInputError, PinciteError
from pincite_core.lazy import load
from pincite_core.server import add_health, log_to_stderr
from pincite_core.settings import Settings
from pincite_core.tool import error_result

logger = logging.getLogger(__name__)

Calling = ServerRequestContext[Any, Any]
_SHARED = 5
"""Tools with one argument of the same name and description, from which on only the first describes it: it parts the
paper, figure and work that many tools take from arguments of two or three. Set by judgement."""


@dataclass(slots=True)
class Part:
    """A server of a merged one: its definition, what makes it, and the tools of it that are served."""

    name: str
    definition: Definition
    make: Callable[[], MCPServer[Any]]
    tools: frozenset[str]
    _made: MCPServer[Any] | None = None
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def server(self) -> MCPServer[Any]:
        """The server, created by the first call; PinciteError when it cannot be created here."""
        with self._lock:
            if self._made is None:
                self._made = self.make()
            return self._made

    def holds(self, uri: str) -> bool:
        """Whether a URI fits one of the part's resource templates."""
        templates = (str(each["uriTemplate"]) for each in self.definition["resource_templates"])
        return any(_pattern(template).fullmatch(uri) for template in templates)

    def gives(self, prompt: str) -> bool:
        """Whether the part has this prompt."""
        return any(each["name"] == prompt for each in self.definition["prompts"])


class Running(ClientRoots):
    """What is known of a merged server's client, and the lifespans of the servers that its calls loaded.

    Each lifespan is entered and left by a task of its own: cancel scopes must not cross tasks.
    """

    def __init__(self, tasks: anyio.abc.TaskGroup) -> None:
        super().__init__()
        self._tasks = tasks
        self._entering = anyio.Lock()
        self._entered: set[str] = set()
        self._ended = anyio.Event()

    async def enter(self, part: Part) -> MCPServer[Any]:
        """The server of ``part``, running."""
        server = await anyio.to_thread.run_sync(part.server)
        async with self._entering:
            if part.name not in self._entered:
                await self._tasks.start(self._keep, server)
                self._entered.add(part.name)
        return server

    def end(self) -> None:
        """Exit the lifespans."""
        self._ended.set()

    async def _keep(self, server: MCPServer[Any], *, task_status: anyio.abc.TaskStatus[None]) -> None:
        lifespan = server.settings.lifespan
        if lifespan is None:
            task_status.started()
            return
        async with lifespan(server):
            task_status.started()
            await self._ended.wait()


def merge(
    parts: Sequence[Part], *, title: str, description: str, instructions: str, settings: Settings
) -> MCPServer[Any]:
    """One server, ``pincite``, that serves the named tools of all parts, and their prompts, resources and completions.

    Names of tools and prompts, and templates of URIs, must differ between the parts (ValueError).
    """
    _check_unique(parts)
    log_to_stderr(settings.log_level)
    server: MCPServer[Any] = MCPServer(
        "pincite",
        title=title,
        description=description,
        instructions=instructions,
        version=version("pincite"),
        lifespan=_lifespan,
        log_level="WARNING",
        middleware=[note_call, forget_changed],
        subscriptions=False,
    )
    merged = _Merged(tuple(parts), settings)
    merged.take_over(server)
    add_health(server)
    return server


@asynccontextmanager
async def _lifespan(_server: MCPServer[Any]) -> AsyncGenerator[Running]:
    async with anyio.create_task_group() as tasks:
        running = Running(tasks)
        try:
            yield running
        finally:
            running.end()


def _check_unique(parts: Sequence[Part]) -> None:
    names = [f"tool {name}" for part in parts for name in part.tools]
    names += [f"prompt {prompt['name']}" for part in parts for prompt in part.definition["prompts"]]
    names += [f"URI {each['uriTemplate']}" for part in parts for each in part.definition["resource_templates"]]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise ValueError(f"Servers cannot be merged: {', '.join(twice)} stands in two of them.")


def _described_once(tools: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """The tools with each argument that many of them share described in the first one alone: a model reads them all,
    and pays for each word."""
    uses = Counter(argument for tool in tools for argument in _arguments(tool))
    described: set[tuple[str, str]] = set()
    found: list[dict[str, Any]] = []
    for tool in tools:
        properties = dict(tool["inputSchema"].get("properties", {}))
        for name, text in _arguments(tool):
            if uses[name, text] >= _SHARED and (name, text) in described:
                properties[name] = {key: value for key, value in properties[name].items() if key != "description"}
            described.add((name, text))
        found.append({**tool, "inputSchema": {**tool["inputSchema"], "properties": properties}})
    return found


def _arguments(tool: dict[str, Any]) -> list[tuple[str, str]]:
    """Name and description of each argument of a tool that has one."""
    properties = tool["inputSchema"].get("properties", {})
    return [(name, schema["description"]) for name, schema in properties.items() if "description" in schema]


class _Merged:
    """The handlers of a merged server: lists come from the definitions, everything else goes to the part it is of."""

    def __init__(self, parts: tuple[Part, ...], settings: Settings) -> None:
        self._parts = parts
        self._settings = settings
        served = [tool for part in parts for tool in part.definition["tools"] if tool["name"] in part.tools]
        self._tools = {tool["name"]: Tool.model_validate(tool) for tool in _described_once(served)}
        self._offered = {
            name: where for part in parts for name, where in part.definition["offered"].items() if name in part.tools
        }
        self._prompts = [Prompt.model_validate(prompt) for part in parts for prompt in part.definition["prompts"]]
        self._templates = [
            ResourceTemplate.model_validate(each) for part in parts for each in part.definition["resource_templates"]
        ]

    def take_over(self, server: MCPServer[Any]) -> None:
        """Replace the handlers of ``server`` and what it announces."""
        lowlevel = server._lowlevel_server  # pyright: ignore[reportPrivateUsage]
        handlers: dict[str, Any] = {
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
            "prompts/list": self._list_prompts,
            "prompts/get": self._get_prompt,
            "resources/templates/list": self._list_templates,
            "resources/read": self._read_resource,
        }
        for method, handler in handlers.items():
            entry = lowlevel.get_request_handler(method)
            assert entry is not None
            lowlevel.add_request_handler(method, entry.params_type, handler)
        if any(part.definition["completes"] for part in self._parts):
            lowlevel.add_request_handler("completion/complete", CompleteRequestParams, self._complete)
        lowlevel.get_tool_input_schema = self._input_schema
        derived = lowlevel.get_capabilities

        def announced(*arguments: Any, **named: Any) -> Any:
            made = derived(*arguments, **named)
            if not self._prompts:
                made.prompts = None
            if not self._templates:
                made.resources = None
            return made

        lowlevel.get_capabilities = announced

    def _input_schema(self, name: str) -> dict[str, Any] | None:
        tool = self._tools.get(name)
        return None if tool is None else tool.input_schema

    async def _list_tools(self, ctx: Calling, _params: object) -> ListToolsResult:
        known = ctx.session.client_capabilities
        withheld = {name for name, where in self._offered.items() if not self._is_offered(where, known)}
        return ListToolsResult(tools=[tool for name, tool in self._tools.items() if name not in withheld])

    def _is_offered(self, where: str, known: ClientCapabilities | None) -> bool:
        return bool(load(where)(self._settings, known))

    async def _call_tool(self, ctx: Calling, params: CallToolRequestParams) -> Any:
        part = next((part for part in self._parts if params.name in part.tools), None)
        if part is None:
            return error_result(
                str(
                    BadInputError(
                        f"There is no tool {params.name!r} here.", next=f"Call one of: {', '.join(self._tools)}."
                    )
                )
            )
        try:
            return await _pass_on(part, "tools/call", ctx, params)
        except PinciteError as error:
            return error_result(str(error))

    async def _list_prompts(self, _ctx: Calling, _params: object) -> ListPromptsResult:
        return ListPromptsResult(prompts=self._prompts)

    async def _get_prompt(self, ctx: Calling, params: GetPromptRequestParams) -> Any:
        part = next((part for part in self._parts if part.gives(params.name)), None)
        if part is None:
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown prompt: {params.name}")
        return await _ask(part, "prompts/get", ctx, params)

    async def _list_templates(self, _ctx: Calling, _params: object) -> ListResourceTemplatesResult:
        return ListResourceTemplatesResult(resource_templates=self._templates)

    async def _read_resource(self, ctx: Calling, params: ReadResourceRequestParams) -> Any:
        uri = str(params.uri)
        part = next((part for part in self._parts if part.holds(uri)), None)
        if part is None:
            raise MCPError(code=INVALID_PARAMS, message=f"Unknown resource: {uri}", data={"uri": uri})
        return await _ask(part, "resources/read", ctx, params)

    async def _complete(self, ctx: Calling, params: CompleteRequestParams) -> Any:
        part = next((part for part in self._parts if self._is_about(part, params)), None)
        if part is None:
            return CompleteResult(completion=Completion(values=[], total=0, has_more=False))
        return await _ask(part, "completion/complete", ctx, params)

    def _is_about(self, part: Part, params: CompleteRequestParams) -> bool:
        if not part.definition["completes"]:
            return False
        if isinstance(params.ref, PromptReference):
            return part.gives(params.ref.name)
        return any(each["uriTemplate"] == str(params.ref.uri) for each in part.definition["resource_templates"])


async def _pass_on(part: Part, method: str, ctx: Calling, params: Any) -> Any:
    """The answer of the part's own server, which is loaded first where it is not."""
    server = await cast("Running", ctx.lifespan_context).enter(part)
    entry = server._lowlevel_server.get_request_handler(method)  # pyright: ignore[reportPrivateUsage]
    assert entry is not None
    return await entry.handler(ctx, params)


async def _ask(part: Part, method: str, ctx: Calling, params: Any) -> Any:
    """As ``_pass_on``, where a server that cannot be loaded is an error of the protocol."""
    try:
        return await _pass_on(part, method, ctx, params)
    except PinciteError as error:
        raise MCPError(code=INTERNAL_ERROR, message=str(error)) from error


def _pattern(template: str) -> re.Pattern[str]:
    """What a URI template with plain variables (``paper://{id}/page/{n}``) matches."""
    parts = re.split(r"\{\w+\}", template)
    return re.compile("[^/]+".join(re.escape(part) for part in parts))


def chosen(tools: Collection[str], patterns: Sequence[str]) -> frozenset[str]:
    """The names of ``tools`` that fit one of the patterns (``grep_*``), less those that one with a ``-`` before it
    fits; BadInputError for a pattern that fits none."""
    from fnmatch import fnmatchcase

    kept = set[str]() if any(not pattern.startswith("-") for pattern in patterns) else set(tools)
    for pattern in patterns:
        fitting = {name for name in tools if fnmatchcase(name, pattern.removeprefix("-"))}
        if not fitting:
            raise BadInputError(
                f"No tool is named {pattern.removeprefix('-')!r} among those that are served.",
                next=f"Choose from: {', '.join(sorted(tools))}. * stands for any letters; - before a name excludes it.",
            )
        kept = kept - fitting if pattern.startswith("-") else kept | fitting
    if not kept:
        raise BadInputError("No tool is left to serve.", next="Name at least one without a - before it.")
    return frozenset(kept)
