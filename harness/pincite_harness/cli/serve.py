"""pincite serve: one MCP server, or several as one, over stdio or streamable HTTP."""

import importlib
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from types import ModuleType
from typing import TYPE_CHECKING, Annotated, Any

import typer

from pincite_core.errors import BadInputError, MissingExtraError
from pincite_core.servers import SERVERS, ServerEntry
from pincite_core.startup import importing

if TYPE_CHECKING:
    from mcp.server import MCPServer

    from pincite_core.settings import Settings


def command(
    names: Annotated[
        list[str],
        typer.Argument(
            metavar="NAME…",
            help=f"Servers ({', '.join(SERVERS)}) or presets (all, read, check), several as one.",
            show_default=False,
        ),
    ],
    tools: Annotated[
        str,
        typer.Option(
            metavar="NAMES",
            help="Only these tools: names with * for any letters, -NAME to leave out, parted by commas (default: "
            "PINCITE_TOOLS, else all).",
        ),
    ] = "",
    http: Annotated[
        str | None, typer.Option(metavar="HOST:PORT", help="Serve streamable HTTP there (default: stdio).")
    ] = None,
    before: Annotated[
        datetime | None,
        typer.Option(
            formats=["%Y-%m-%d"],
            metavar="YYYY-MM-DD",
            help="Works published on or after this day do not exist for it (default: PINCITE_BEFORE).",
        ),
    ] = None,
) -> None:
    """Run one MCP server, or several as one, over stdio or streamable HTTP.

    It reads papers under the folders of PINCITE_ROOTS (default: those that the client offers, else the current folder,
    but never the home folder or one above it). Over HTTP it answers this machine only, unless PINCITE_ALLOWED_HOSTS
    names other Host headers; an address that other machines reach needs PINCITE_HTTP_TOKEN.
    """
    with importing():
        from pincite_core.settings import load_settings

        settings = load_settings()
        if before is not None:
            settings = settings.model_copy(update={"before": before.date()})
        server = make_server(names, tools or settings.tools, settings, dated=before is not None)
        from pincite_core.server import serve
    serve(server, http=http)


def make_server(names: Sequence[str], tools: str, settings: "Settings", *, dated: bool = False) -> "MCPServer[Any]":
    """The server that ``names`` and ``tools`` mean: one as it is, or several, or parts of them, as one.

    BadInputError for names of nothing, and where a cutoff was asked for (``dated``) and no server knows one.
    """
    from pincite_harness.cli.serve_selection import load_definitions, select, told

    definitions = load_definitions()
    selection = select(names, tools, tuple(SERVERS), definitions)
    if dated and not any(SERVERS[name].dated for name in selection.tools):
        knowing = ", ".join(known for known, other in SERVERS.items() if other.dated)
        raise BadInputError(
            f"The server {', '.join(map(repr, selection.tools))} knows no --before.", next=f"Give it to: {knowing}."
        )
    if selection.whole is not None:
        return load_server(selection.whole, SERVERS[selection.whole]).create_server(settings)
    from pincite_core.merged import Part, merge

    parts = [
        Part(name, definitions[name], partial(_make, name, settings), served)
        for name, served in selection.tools.items()
    ]
    return merge(
        parts,
        title="pincite",
        description="Evidence from the scientific literature, each passage with its locator",
        instructions=told(selection, definitions, settings),
        settings=settings,
    )


def _make(name: str, settings: "Settings") -> "MCPServer[Any]":
    return load_server(name, SERVERS[name]).create_server(settings)


def load_server(name: str, entry: ServerEntry) -> ModuleType:
    """Import a server's module; MissingExtraError when what it needs is an extra that is not installed."""
    try:
        return importlib.import_module(entry.module)
    except ModuleNotFoundError as error:
        if entry.extra is None or (error.name or "").startswith("pincite"):
            raise
        raise MissingExtraError.of(entry.extra, needed_for=f"The server {name!r}") from error
