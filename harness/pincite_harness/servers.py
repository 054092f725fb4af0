"""Servers: how the MCP servers that a family names are started on the host's side of the tool door."""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from pincite_core.errors import BadInputError
from pincite_core.settings import load_settings
from pincite_harness.gateway.upstream import ServerLaunch
from pincite_sandbox.owner import owner_label
from pincite_sandbox.process import OWNER_VARIABLE

Commands = Mapping[str, Sequence[str]]

SERVERS: Commands = {
    name: (sys.executable, "-P", "-m", "pincite_harness", "serve", name) for name in ("documents", "figures")
}
"""Command of each server by name."""


def check_servers(family: str, names: Iterable[str], commands: Commands) -> None:
    """BadInputError when a family names a server that there is not."""
    unknown = sorted(set(names) - set(commands))
    if unknown:
        raise BadInputError(
            f"The family {family} names a server that there is not: {', '.join(unknown)}.",
            seen=", ".join(sorted(commands)),
            next="Mend servers in its family.toml.",
        )


def launch_server(name: str, papers: Path, commands: Commands) -> ServerLaunch:
    """A server that reads only the papers in the folder ``papers`` and fetches nothing; the parsed papers are cached
    with those of all other trials. The user's own ``PINCITE_*`` variables reach it, and the owner's label by which the
    reaper finds it."""
    own = {key: value for key, value in os.environ.items() if key.startswith("PINCITE_")}
    env = own | {
        OWNER_VARIABLE: owner_label(),
        "PINCITE_ROOTS": str(papers),
        "PINCITE_ALLOW_URLS": "false",
        "PINCITE_CACHE_DIR": str(load_settings().cache_dir.resolve()),
    }
    return ServerLaunch(name, commands[name], env)
