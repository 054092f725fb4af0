"""pincite connect: the servers in a client's own configuration."""

import sys
from pathlib import Path
from typing import Annotated

import typer

from pincite_core.errors import BadInputError
from pincite_core.servers import SERVERS
from pincite_core.settings import Settings, is_too_wide, load_settings
from pincite_harness.cli.serve_selection import PRESETS, load_definitions, select
from pincite_harness.connecting.change import Change, connected, disconnected, snippet
from pincite_harness.connecting.clients import CLIENTS, client_named, file_of, launch_of


def command(
    client: Annotated[str, typer.Argument(metavar="CLIENT", help=f"One of: {', '.join(CLIENTS)}.")],
    serve: Annotated[
        str,
        typer.Option(
            "--serve",
            "--preset",
            metavar="NAMES",
            help=f"Servers or presets: all, {', '.join(PRESETS)}, {', '.join(SERVERS)}.",
        ),
    ] = "read",
    tools: Annotated[str, typer.Option(metavar="NAMES", help="Only these tools, as for pincite serve.")] = "",
    root: Annotated[
        list[Path] | None,
        typer.Option(metavar="FOLDER", help="Papers may be read from here (default: PINCITE_ROOTS, else this folder)."),
    ] = None,
    env: Annotated[
        list[str] | None, typer.Option(metavar="SETTING=VALUE", help="A setting of the servers, to be kept there.")
    ] = None,
    name: Annotated[str, typer.Option(help="What the client calls it.")] = "pincite",
    project: Annotated[bool, typer.Option("--project", help="In this folder's configuration, not the user's.")] = False,
    remove: Annotated[bool, typer.Option("--remove", help="Take it out again.")] = False,
    print_: Annotated[bool, typer.Option("--print", help="Print what would be entered, and change nothing.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before writing.")] = False,
) -> None:
    """Enter pincite into a client's own configuration.

    The difference is shown first, the rest of the file stays as it is, and a backup is kept beside it.
    """
    found = client_named(client)
    _check_name(name)
    if remove:
        _apply(disconnected(found, file_of(found, project=project), name), yes, f"{found.title} has no {name!r}.", "")
        return
    select([serve], tools, tuple(SERVERS), load_definitions())
    folders = _folders(root, load_settings())
    entry = found.entry(launch_of(serve.replace(",", " ").split(), tools, folders, _variables(env or [])))
    if print_:
        typer.echo(snippet(found, name, entry), nl=False)
        return
    change = connected(found, file_of(found, project=project), name, entry)
    _apply(change, yes, f"{found.title} has it already: nothing to change.", found.then)


def _apply(change: Change, yes: bool, if_none: str, then: str) -> None:
    if not change.is_needed:
        typer.echo(if_none)
        return
    typer.echo(change.difference(), nl=False)
    if not yes:
        if not sys.stdin.isatty():
            raise BadInputError("Nothing was written: nobody can be asked here.", next="Add --yes to write it.")
        typer.confirm("Write this?", default=True, abort=True)
    backup = change.write()
    kept = f"; the file as it was: {backup}" if backup is not None else ""
    typer.echo(f"Wrote {change.file}{kept}. {then}".rstrip())


def _check_name(name: str) -> None:
    if not name.replace("-", "").replace("_", "").isalnum() or not name.isascii():
        raise BadInputError(f"{name!r} is not a name for a server.", next="Use letters, digits, - and _.")


def _folders(given: list[Path] | None, settings: Settings) -> list[Path]:
    """The absolute folders; BadInputError where one is not there, or where none is given and this one is too wide."""
    folders = [folder.expanduser().resolve() for folder in given or settings.roots]
    for folder in folders:
        if not folder.is_dir():
            raise BadInputError(f"There is no folder {folder}.", next="Give --root a folder that is there.")
    if not folders or (not given and not settings.roots_are_set and is_too_wide(folders[0])):
        raise BadInputError(
            "Which folders may papers be read from?",
            seen=f"this folder ({Path.cwd()}) is the home folder, or holds it",
            next="Give --root FOLDER, or run this in the folder of your papers.",
        )
    return folders


def _variables(given: list[str]) -> dict[str, str]:
    known = {f"PINCITE_{field.upper()}" for field in Settings.model_fields}
    made: dict[str, str] = {}
    for pair in given:
        name, equals, value = pair.partition("=")
        if not equals or name not in known:
            raise BadInputError(f"{pair!r} is not a setting.", next="Give SETTING=VALUE; docs/settings.md has all.")
        made[name] = value
    return made
