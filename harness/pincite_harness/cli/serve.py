"""pincite serve: one MCP server, over stdio or streamable HTTP."""

import importlib
from dataclasses import dataclass
from datetime import datetime
from types import ModuleType
from typing import Annotated

import typer

from pincite_core.errors import BadInputError, MissingExtraError
from pincite_core.startup import importing


@dataclass(frozen=True, slots=True)
class ServerEntry:
    """Where a server is made (``create_server`` of ``module``) and which extra it needs, if any; ``dated`` when it
    knows a cutoff."""

    module: str
    extra: str | None = None
    dated: bool = False


SERVERS = {
    "documents": ServerEntry("pincite_documents.server"),
    "figures": ServerEntry("pincite_figures.server"),
    "literature": ServerEntry("pincite_literature.server", dated=True),
    "databases": ServerEntry("pincite_databases.server", dated=True),
    "library": ServerEntry("pincite_library.server", dated=True),
    "provenance": ServerEntry("pincite_provenance.server", dated=True),
    "materials": ServerEntry("pincite_materials.server"),
}
"""The servers by name."""


def command(
    name: Annotated[str, typer.Argument(metavar="NAME", help=f"One of: {', '.join(SERVERS)}.")],
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
    """Run one MCP server, over stdio or streamable HTTP.

    It reads papers under the folders of PINCITE_ROOTS (default: those that the client offers, else the current folder,
    but never the home folder or one above it). Over HTTP it answers this machine only, unless PINCITE_ALLOWED_HOSTS
    names other Host headers; an address that other machines reach needs PINCITE_HTTP_TOKEN.
    """
    entry = SERVERS.get(name)
    if entry is None:
        raise BadInputError(f"There is no server {name!r}.", next=f"Give one of: {', '.join(SERVERS)}.")
    if before is not None and not entry.dated:
        dated = ", ".join(known for known, other in SERVERS.items() if other.dated)
        raise BadInputError(f"The server {name!r} knows no --before.", next=f"Give it to: {dated}.")
    with importing():
        module = load_server(name, entry)
        from pincite_core.server import serve
        from pincite_core.settings import load_settings

        settings = load_settings()
        if before is not None:
            settings = settings.model_copy(update={"before": before.date()})
        server = module.create_server(settings)
    serve(server, http=http)


def load_server(name: str, entry: ServerEntry) -> ModuleType:
    """Import a server's module; MissingExtraError when what it needs is an extra that is not installed."""
    try:
        return importlib.import_module(entry.module)
    except ModuleNotFoundError as error:
        if entry.extra is None or (error.name or "").startswith("pincite"):
            raise
        raise MissingExtraError.of(entry.extra, needed_for=f"The server {name!r}") from error
