"""Where an agent's programs lie on this machine, for the sandboxes that have no image."""

import shutil
import sys
from pathlib import Path

from pincite_core.errors import UnavailableError
from pincite_harness.agents.agent import Agent

PYTHON = "python"
"""Stands in ``Agent.programs`` for the harness's own interpreter with its libraries."""


def program_folders(agent: Agent) -> tuple[Path, ...]:
    """The folders that ``agent.programs`` need to be seen in, outermost ones only; those not found are left out."""
    folders = list(agent.folders)
    for name in agent.programs:
        if name == PYTHON:
            folders += [Path(sys.prefix), Path(sys.base_prefix)]
        elif (found := shutil.which(name)) is not None:
            folders += [Path(found).parent, _installation(Path(found).resolve())]
    return tuple(dict.fromkeys(folders))


def search_path(agent: Agent) -> dict[str, str]:
    """PATH with the folders of the agent's programs first; UnavailableError when one is not installed."""
    folders: list[str] = []
    for name in agent.programs:
        if name == PYTHON:
            continue
        found = shutil.which(name)
        if found is None:
            raise UnavailableError(
                f"{agent.name} needs the command {name}, which is not on this machine's PATH.",
                next="Install it, or take --sandbox docker: its image has it (pincite sandbox build).",
            )
        folders.append(str(Path(found).parent))
    return {"PATH": ":".join([*dict.fromkeys(folders), "/usr/local/bin", "/usr/bin", "/bin"])} if folders else {}


def _installation(program: Path) -> Path:
    """The folder that holds a program with all it loads: above ``node_modules`` or ``bin``, else its own."""
    for parent in program.parents:
        if parent.name == "node_modules":
            return parent
    return program.parent.parent if program.parent.name == "bin" else program.parent
