"""Writes docs/command-reference.md from the command line itself: python scripts/build_commands_page.py."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pincite_harness.cli.main import COMMANDS, load_command

PAGE = Path(__file__).parents[1] / "docs/command-reference.md"
_BRACKETS = re.compile(r"\{|\}(?:\.\.\.)?|(?<=…\])\.\.\.")
"""Around what must be given, and after what may be repeated, which the name says by an ellipsis."""
INTRODUCTION = """# Commands

Every command with its arguments and options, as `pincite COMMAND --help` prints them. Commands on papers with examples:
[Command line](commands.md); trials and runs: [Getting started](getting-started.md). This page is written from the
command line by `python scripts/build_commands_page.py`.
"""


def page() -> str:
    """The whole page."""
    parts = [INTRODUCTION]
    for name in COMMANDS:
        parts.extend(_section(load_command(name), f"pincite {name}", "##"))
    return "\n".join(parts) + "\n"


def _section(command: Any, called: str, level: str) -> Iterator[str]:
    """Usage, help and options of a command; of a group, each of its commands."""
    context = command.make_context(called, [], resilient_parsing=True)
    usage = " ".join([called, *command.collect_usage_pieces(context)])
    yield f"{level} {called}\n"
    yield f"    {_BRACKETS.sub('', usage)}\n"
    if command.help:
        yield f"{_escaped(command.help.strip())}\n"
    rows = [row for param in command.params if (row := _row(param, context))]
    if rows:
        yield "\n".join(["| argument or option | what it does |", "|---|---|", *rows]) + "\n"
    for name, one in getattr(command, "commands", {}).items():
        yield from _section(one, f"{called} {name}", level + "#")


def _row(param: Any, context: Any) -> str | None:
    """A line of the table, None for a hidden option and for ``--help``."""
    record = param.get_help_record(context)
    if record is None or "--help" in param.opts:
        return None
    names, about = record
    return f"| `{names.replace('|', ', ')}` | {_escaped(about)} |"


def _escaped(text: str) -> str:
    """Text as Markdown shows it unchanged; paragraphs stay."""
    paragraphs = [" ".join(paragraph.split()) for paragraph in text.split("\n\n")]
    joined = "\n\n".join(paragraphs)
    for sign in "\\|<>*[]":
        joined = joined.replace(sign, f"\\{sign}")
    return joined


if __name__ == "__main__":
    PAGE.write_text(page())
    print(f"wrote {PAGE}")
