"""What a server offers beside tools: prompts, resources, links and completions, announced where there are any."""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar
from urllib.parse import quote

import anyio
from mcp.server import MCPServer
from mcp.server.context import ServerRequestContext
from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ResourceError, ResourceNotFoundError
from mcp.server.mcpserver.prompts import Prompt
from mcp_types import (
    CompleteRequestParams,
    CompleteResult,
    Completion,
    InputRequiredResult,
    PromptReference,
    ResourceLink,
    ServerCapabilities,
)

from pincite_core.client_roots import InputNeededError
from pincite_core.errors import BadInputError, NotFoundError, PinciteError

Content = TypeVar("Content", str, bytes)

Completer = Callable[[str, str, dict[str, str], Context[Any, Any]], Awaitable[Sequence[str]]]
"""``(name of the prompt or URI template, name of the argument, the other arguments, call)`` -> all values there are."""

_COMPLETION_SECONDS = 5.0
"""How long values are looked for: who types waits no longer, and none is a good answer."""
_MOST_VALUES = 100
"""The protocol's bound for one answer."""


def announce_what_there_is(server: MCPServer[Any]) -> None:
    """Leave prompts and resources out of the announced capabilities while the server has none."""
    lowlevel = server._lowlevel_server  # pyright: ignore[reportPrivateUsage]
    resources = server._resource_manager  # pyright: ignore[reportPrivateUsage]
    prompts = server._prompt_manager  # pyright: ignore[reportPrivateUsage]
    derived = lowlevel.get_capabilities

    def announced(*arguments: Any, **named: Any) -> ServerCapabilities:
        made = derived(*arguments, **named)
        if not prompts.list_prompts():
            made.prompts = None
        if not resources.list_resources() and not resources.list_templates():
            made.resources = None
        return made

    lowlevel.get_capabilities = announced


def add_prompt(server: MCPServer[Any], function: Callable[..., str], *, title: str, description: str) -> None:
    """A prompt named like ``function``, which makes its text out of the arguments."""
    server.add_prompt(Prompt.from_function(function, title=title, description=description))


async def read_resource(reading: Awaitable[Content]) -> Content | InputRequiredResult:
    """A resource's content; a PinciteError becomes an error of the protocol, a question to the client is passed on."""
    try:
        return await reading
    except InputNeededError as needed:
        return needed.result
    except (BadInputError, NotFoundError) as error:
        raise ResourceNotFoundError(str(error)) from error
    except PinciteError as error:
        raise ResourceError(str(error)) from error


def link(uri: str, name: str, *, mime_type: str, description: str = "", size: int | None = None) -> ResourceLink:
    """A link in a tool's result to what ``resources/read`` gives."""
    return ResourceLink(uri=uri, name=name, mime_type=mime_type, description=description or None, size=size)


def escaped(part: str) -> str:
    """A part of a URI: what a template's variable matches."""
    return quote(part, safe="")


def add_completions(server: MCPServer[Any], complete: Completer) -> None:
    """Answer ``completion/complete`` with the values of ``complete`` that hold what was typed, those that start with
    it first; an argument whose values cannot be found has none."""

    async def handle(context: ServerRequestContext[Any, Any], params: CompleteRequestParams) -> CompleteResult:
        calling: Context[Any, Any] = Context(request_context=context, mcp_server=server)
        ref = params.ref
        about = ref.name if isinstance(ref, PromptReference) else str(ref.uri)
        given = dict((params.context.arguments if params.context is not None else None) or {})
        values: Sequence[str] = ()
        with anyio.move_on_after(_COMPLETION_SECONDS):
            try:
                values = await complete(about, params.argument.name, given, calling)
            except (PinciteError, InputNeededError):
                values = ()
        fitting = _fitting(values, params.argument.value)
        shown = fitting[:_MOST_VALUES]
        return CompleteResult(
            completion=Completion(values=shown, total=len(fitting), has_more=len(fitting) > len(shown))
        )

    lowlevel = server._lowlevel_server  # pyright: ignore[reportPrivateUsage]
    lowlevel.add_request_handler("completion/complete", CompleteRequestParams, handle)


def _fitting(values: Sequence[str], typed: str) -> list[str]:
    wanted = typed.casefold().strip()
    starting = [value for value in values if value.casefold().startswith(wanted)]
    holding = [value for value in values if wanted in value.casefold() and value not in starting]
    return list(dict.fromkeys(starting + holding))
