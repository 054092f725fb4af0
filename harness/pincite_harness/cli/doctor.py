"""``pincite doctor``: what of pincite works on this machine, and the line that installs what is missing."""

import asyncio
import importlib.metadata
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import typer

from pincite_core.platform import unenforced

_NEWEST_WITHOUT_TEST = (3, 11)
"""The oldest version of Python that pincite is tested with."""
_VERSION_SECONDS = 20
"""Seconds until a program has said its version. Set by judgement."""
_PROGRAMS = {
    "node": ("Node.js", "agents that are Node.js programs", "apt-get install nodejs npm"),
    "chromium": ("Chromium", "looking at reports as a reader does (tests)", "apt-get install chromium"),
    "tmux": ("tmux", "the agent terminus outside Docker", "apt-get install tmux"),
    "tesseract": ("Tesseract", "text in figures and scans", "apt-get install tesseract-ocr"),
    "mmdebstrap": ("mmdebstrap", "pincite sandbox build without an image registry", "apt-get install mmdebstrap"),
}
"""Optional programs: title, what they are for, how to get them."""


@dataclass(frozen=True, slots=True)
class Part:
    """One thing that pincite can use: ``trouble`` is empty when it is there, ``base`` when nothing works without it."""

    title: str
    detail: str
    trouble: str = ""
    remedy: str = ""
    base: bool = False


def command(
    online: Annotated[
        bool, typer.Option("--online", help="Also ask every source on the web one question, past cache and record.")
    ] = False,
    source: Annotated[
        list[str] | None, typer.Option(metavar="NAME", help="Ask only this source, and check nothing else; repeatable.")
    ] = None,
) -> None:
    """Say what works on this machine and what is missing."""
    from pincite_harness.cli.sources_check import check_sources

    if source:
        check_sources(source)
        return
    broken = _check_machine()
    if online:
        check_sources([])
    if broken:
        raise typer.Exit(1)


def _check_machine() -> bool:
    """Say what of this machine's parts works; whether the base path is broken."""
    broken = False
    for part in _parts():
        mark = "ok     " if not part.trouble else "broken " if part.base else "missing"
        typer.echo(f"{mark}  {part.title}: {part.trouble or part.detail}")
        if part.trouble and part.remedy:
            typer.echo(f"         -> {part.remedy}")
        broken = broken or bool(part.base and part.trouble)
    typer.echo("The base path is broken." if broken else "The base path works; what is missing is optional.")
    return broken


def _parts() -> Iterator[Part]:
    yield _python()
    yield from packages(importlib.metadata.requires("pincite") or [])
    yield _limits()
    yield from _sandboxes()
    for program, (title, purpose, remedy) in _PROGRAMS.items():
        yield _program(program, title, purpose, remedy)


def _sandboxes() -> Iterator[Part]:
    try:
        from pincite_harness.cli import doctor_sandboxes

        found = [asyncio.run(check()) for check in doctor_sandboxes.CHECKS]
    except ModuleNotFoundError as error:
        trouble = f"{error.name} not installed: agents cannot be run"
        yield Part("sandboxes", "", trouble, "pip install 'pincite[harness]' (Linux or macOS)")
        return
    for each in found:
        yield Part(*each)


def _limits() -> Part:
    return Part("limits", "all are enforced", " ".join(unenforced()))


def _python() -> Part:
    version = ".".join(map(str, sys.version_info[:3]))
    old = sys.version_info[:2] < _NEWEST_WITHOUT_TEST
    return Part("Python", version, f"{version} is too old" if old else "", "install Python 3.11 or newer", base=True)


def packages(requirements: Sequence[str]) -> Iterator[Part]:
    """The base dependencies and each extra that has any, by the requirements of the distribution."""
    needed: dict[str, list[str]] = {"": []}
    for line in requirements:
        name, _, marker = line.partition(";")
        extra = re.search(r"extra == ['\"]([\w-]+)['\"]", marker)
        package = re.match(r"[\w.-]+", name)
        if package is not None:
            needed.setdefault(extra[1] if extra else "", []).append(package[0])
    for extra, names in needed.items():
        if extra == "all":
            continue
        missing = [name for name in names if not _installed(name)]
        title = f"extra {extra}" if extra else "base packages"
        remedy = f"pip install 'pincite[{extra}]'" if extra else "pip install --force-reinstall pincite"
        trouble = f"{', '.join(missing)} not installed" if missing else ""
        yield Part(title, f"{len(names)} installed", trouble, remedy, base=not extra)


def _installed(package: str) -> bool:
    try:
        importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return False
    return True


def _program(program: str, title: str, purpose: str, remedy: str) -> Part:
    path = shutil.which(program)
    if path is None:
        return Part(title, "", f"not found; only for {purpose}", remedy)
    try:
        said = subprocess.run(
            [path, "-V" if program == "tmux" else "--version"],
            capture_output=True,
            text=True,
            timeout=_VERSION_SECONDS,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        return Part(title, "", f"{path} does not run: {error}", remedy)
    lines = (said.stdout or said.stderr).strip().splitlines()
    return Part(title, f"{lines[0] if lines else path}; for {purpose}")
