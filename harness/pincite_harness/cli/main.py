"""The pincite command: one module a subcommand, imported only when that subcommand is called.

A module ``pincite_harness.cli.<name>``, or the one that ``OF_SERVERS`` names, holds either ``command``, a function that
becomes the subcommand, or ``app``, a ``typer.Typer`` that becomes a group.
"""

import importlib
import sys
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from pincite_core.errors import BadInputError, PinciteError

COMMANDS = {
    "serve": "Run one MCP server, or several as one, over stdio or streamable HTTP.",
    "connect": "Enter the servers into a client's own configuration.",
    "read": "Read papers as markdown, text, JSON or HTML, on the terminal or into files.",
    "tables": "Show the tables of papers, or write them as CSV or a workbook.",
    "figures": "List the figures of papers, or draw them as PNG files.",
    "plot": "Read the data series of a plot as numbers, with their likely errors.",
    "grep": "Find every place in papers where a text stands, with its locator.",
    "cite": "Say whether a quote stands in a paper, and give its locator.",
    "audit": "Check every quotation, value and reference of a report against its sources.",
    "check": "Say whether a paper bears a claim out: holds, unsure or fails, and why.",
    "run": "Run an agent on a task family and score its answers.",
    "sweep": "Run an agent in several settings, each compared with the full system.",
    "lab": "Say whether an MCP server helps an agent, by trials with it and without it.",
    "fork": "Play a recorded trial up to a step, change one thing, and let the rest run live.",
    "resume": "Go on with a run that was interrupted.",
    "score": "Score finished trials again.",
    "report": "Show the scores of runs as a table, HTML and CSV.",
    "analyse": "Say what runs cost, where they fail and why: pictures, tables and numbers.",
    "view": "Show runs, trials and papers in the browser, with the cited words marked.",
    "bundle": "Write a run as one file that a stranger can check.",
    "verify": "Check a bundle of a run, and say what cannot be checked.",
    "trajectory": "Check, read and convert what an agent did.",
    "train": "Make training data from what agents did.",
    "agents": "List the agents that can be run.",
    "tasks": "List, show, validate and import tasks.",
    "label": "Let people label what agents left, and compare two people's labels.",
    "judge": "List rubrics, and measure how well a judge agrees with labelled answers.",
    "library": "Keep a library of papers: add, search, list, remove, check.",
    "zotero": "Search a Zotero library, check quotes in it, write highlights and tags back.",
    "provenance": "List, check and export the claims that were recorded.",
    "sandbox": "Build and check the sandbox.",
    "doctor": "Say what works on this machine and what is missing.",
}
"""Name and one line of help of every subcommand, in the order of the help page."""

OF_SERVERS = {
    "library": "pincite_library.cli",
    "zotero": "pincite_zotero.cli",
    "provenance": "pincite_provenance.cli",
}
"""The subcommands that belong to a server: their modules, loaded by name as the servers are."""

HARNESS_MODULES = {"docker", "genai_prices", "httptools", "jinja2", "jsonschema", "publicsuffixlist"}
"""Modules that the extra ``harness`` installs; servers and the commands on papers work without them."""

_UNIX_MODULES = {"fcntl", "pwd", "resource"}

_EXIT_FAILED = 1
"""Exit code of a command that could not do its work."""
_EXIT_BAD_INPUT = 2
"""Exit code for input that cannot be used, as command lines commonly have it."""


class LazyGroup(TyperGroup):
    """A group that knows its subcommands' names and help, and imports the one that is called."""

    def __init__(self, **attributes: Any) -> None:
        super().__init__(**attributes)
        self.commands.update({name: TyperCommand(name, help=line) for name, line in COMMANDS.items()})

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[Any, Any, list[str]]:
        name, command, rest = super().resolve_command(ctx, args)
        if name in COMMANDS:
            command = load_command(name)
        return name, command, rest


def load_command(name: str) -> Any:
    """Import the module of the subcommand ``name`` and return its command."""
    module = importlib.import_module(OF_SERVERS.get(name, f"pincite_harness.cli.{name}"))
    group = getattr(module, "app", None)
    if group is None:
        group = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
        group.command(name)(module.command)
    command = typer.main.get_command(group)
    command.name = name
    return command


app = typer.Typer(
    cls=LazyGroup,
    name="pincite",
    help="Evidence from the scientific literature that a machine can find and a person can trust.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"pincite {version('pincite')}")
        raise typer.Exit


@app.callback()
def pincite(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    """Evidence from the scientific literature that a machine can find and a person can trust."""


def main() -> None:
    """Entry point of the console script: a PinciteError is printed on stderr, without a traceback."""
    try:
        app()
    except ModuleNotFoundError as error:
        missing = (error.name or "").partition(".")[0]
        if missing in HARNESS_MODULES:
            told = f"This command needs the package {missing}. Install it: pip install 'pincite[harness]'."
        elif missing in _UNIX_MODULES:
            told = f"This command needs Linux or macOS: Python has no {missing} here. The servers work."
        else:
            raise
        typer.echo(told, err=True)
        sys.exit(_EXIT_FAILED)
    except PinciteError as error:
        typer.echo(str(error), err=True)
        sys.exit(_EXIT_BAD_INPUT if isinstance(error, BadInputError) else _EXIT_FAILED)
