"""The files of an exported task's ``environment/``: the recipe of its image, and how a server is started in it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import Literal

WORKDIR = "/work"
PUBLIC_BASE = "python:3.13-slim"
PYTHON = "/opt/pincite/bin/python"
SERVE = "/opt/pincite/serve"
CORPUS = "/opt/pincite/corpus"
INSTALL = "install"
"""Folder of the build context with the wheel, the pins, and other wheels where the build shall need no network."""

EXTRAS = ("materials", "scoring")
"""What scorers need beyond the base."""
_EXTRA_OF_SERVER = {"library": "library"}


Network = Literal["agent-sealed", "sealed", "public"]
"""When there is network: while an agent is installed and not while it works, never, or always (also for the verifier,
so that a provider that can keep no network out takes the task)."""


@dataclass(frozen=True, slots=True)
class ImageChoice:
    """What an exported task is built on. ``wheels`` is a folder of wheels that hold all that is installed; without it
    pip fetches the pinned versions from its index. ``servers`` add what they need."""

    base: str = PUBLIC_BASE
    wheels: Path | None = None
    servers: Sequence[str] = field(default=())
    network: Network = "agent-sealed"

    @property
    def extras(self) -> tuple[str, ...]:
        """The extras of pincite that are installed."""
        more = {_EXTRA_OF_SERVER[name] for name in self.servers if name in _EXTRA_OF_SERVER}
        return tuple(sorted({*EXTRAS, *more}))


def dockerfile(choice: ImageChoice, wheel: str, *, corpus: bool) -> str:
    """The recipe: pincite in an environment of its own at /opt/pincite, then the task's inputs in the working folder.

    The first layers are the same for all tasks of an export, so that only the first build takes long.
    """
    # A folder of wheels decides on versions itself: it was made for the image's Python, on some other day.
    source = "-c pins.txt" if choice.wheels is None else "--no-index --find-links wheels"
    brought = f"COPY corpus {CORPUS}\n" if corpus else ""
    target = f"'./{wheel}[{','.join(choice.extras)}]'"
    return f"""\
# Made by `pincite tasks export --format harbor`. BASE needs Python 3.11 or newer, and pip unless install/wheels has it.
FROM {choice.base}
USER root
COPY {INSTALL} /opt/pincite/{INSTALL}
RUN set -eu; cd /opt/pincite/{INSTALL}; python3 -m venv --without-pip /opt/pincite; \\
    pip="python3 -m pip"; for own in wheels/pip-*.whl; do if test -f "$own"; then pip="python3 $own/pip"; fi; done; \\
    $pip --python {PYTHON} install --no-cache-dir --disable-pip-version-check {source} {target}; \\
    cd /; rm -rf /opt/pincite/{INSTALL}
COPY serve {SERVE}
{brought}WORKDIR {WORKDIR}
COPY task {WORKDIR}
"""


def serve_script(before: date | None, *, corpus: bool) -> str:
    """The command of the task's servers: they read the task's papers and nothing else, whatever a client passes on."""
    variables = {
        "PINCITE_ROOTS": f"{WORKDIR}/papers",
        "PINCITE_ALLOW_URLS": "false",
        "PINCITE_BEFORE": before.isoformat() if before is not None else "",
        "PINCITE_LEDGER": "/logs/artifacts/claims.db",
    }
    program = f"pincite_harness.curation.exporting.with_corpus {CORPUS}" if corpus else "pincite_harness serve"
    exports = "\n".join(f"export {name}={value}" for name, value in variables.items())
    return f"""\
#!/bin/sh
# One of the task's MCP servers over stdio: {SERVE} NAME
{exports}
mkdir -p {WORKDIR}/papers /logs/artifacts 2>/dev/null
exec {PYTHON} -P -m {program} "$1"
"""
