"""What a server offers, in JSON: enough to list its tools, prompts and resources without importing it."""

from functools import partial
from typing import Any, cast

from mcp.server import MCPServer
from typing_extensions import TypedDict

from pincite_core.tool import PinciteTool


class Definition(TypedDict):
    """A server's offers as they go over the wire; ``offered`` names, for a tool that is not listed to every client,
    the function (``module:name``) that is asked with the settings and the client's capabilities."""

    instructions: str
    tools: list[dict[str, Any]]
    offered: dict[str, str]
    resource_templates: list[dict[str, Any]]
    prompts: list[dict[str, Any]]
    completes: bool


async def define(server: MCPServer[Any]) -> Definition:
    """The definition of a server that was made by ``pincite_core.server.create``."""
    lowlevel = server._lowlevel_server  # pyright: ignore[reportPrivateUsage]
    tools = server._tool_manager.list_tools()  # pyright: ignore[reportPrivateUsage]
    return Definition(
        instructions=server.instructions or "",
        tools=[_wire(tool) for tool in await server.list_tools()],
        offered=_conditions([tool for tool in tools if isinstance(tool, PinciteTool)]),
        resource_templates=[_wire(template) for template in await server.list_resource_templates()],
        prompts=[_wire(prompt) for prompt in await server.list_prompts()],
        completes=lowlevel.get_request_handler("completion/complete") is not None,
    )


def _wire(offer: Any) -> dict[str, Any]:
    return offer.model_dump(by_alias=True, exclude_none=True, mode="json")


def _conditions(tools: list[PinciteTool]) -> dict[str, str]:
    """By tool: ``module:name`` of the function of its condition, which is bound to the settings alone."""
    found: dict[str, str] = {}
    for tool in tools:
        if tool.offered is not None:
            function = cast("partial[bool]", tool.offered).func
            found[tool.name] = f"{function.__module__}:{function.__name__}"
    return found
