"""``pincite sandbox``: build the Docker image, and try every sandbox of this machine for real."""

import asyncio
import time
from typing import Annotated, Literal

import typer

from pincite_core.errors import BadInputError, PinciteError, UnavailableError
from pincite_sandbox.base import Limits, Sandbox, SandboxSpec
from pincite_sandbox.choose import SandboxKind, open_sandbox
from pincite_sandbox.images import AGENTS_IMAGE, DEFAULT_IMAGE
from pincite_sandbox.images.agents import build_agents_image
from pincite_sandbox.images.build import BuiltImage, Source, build_image
from pincite_sandbox.owner import owner_label

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Build and check the sandbox.")

Part = Literal["base", "agents"]

_MIB = 1 << 20
_ALL: tuple[SandboxKind, ...] = ("docker", "bubblewrap", "process")
_TRIAL_LIMITS = Limits(memory_mb=256, scratch_mb=16, pids=64, cpus=1.0)
_COMMAND = ("python3", "-c", "print('ready')")


@app.command()
def build(
    only: Annotated[Part | None, typer.Option(help="The base (Python alone), or the agents' image on it.")] = None,
    image: Annotated[str, typer.Option(help="Name and tag of the image; only with --only.")] = "",
    base: Annotated[str, typer.Option(help="Put the agents on this image, instead of on a base built now.")] = "",
    source: Annotated[
        Source, typer.Option("--from", help="The base from a public image, or from this machine's Debian packages.")
    ] = "auto",
) -> None:
    """Build the images that Docker sandboxes start from: the base, and on it the one with the CLI agents."""
    if image and only is None:
        raise BadInputError("--image names one image.", next="Say which: --only base or --only agents.")
    if base and only == "base":
        raise BadInputError("--base is an image for the agents.", next="Leave out one of --base and --only base.")
    if only != "agents" and not base:
        _say_built(build_image(image or DEFAULT_IMAGE, source, _say))
    if only != "base":
        named = image if only == "agents" else ""
        _say_built(build_agents_image(named or AGENTS_IMAGE, base or DEFAULT_IMAGE, _say))


def _say(line: str) -> None:
    typer.echo(line, err=True)


def _say_built(built: BuiltImage) -> None:
    typer.echo(f"{built.name} built from {built.source} in {built.seconds:.0f} s, {built.size / _MIB:.0f} MiB")


@app.command()
def check(
    sandbox: Annotated[SandboxKind | None, typer.Option(help="Only this one; every kind by default.")] = None,
    image: Annotated[str, typer.Option(help="The Docker image to try.")] = DEFAULT_IMAGE,
) -> None:
    """Start a sandbox, run a command, pass a file through it and stop it; for each kind say how that went."""
    works: list[bool] = []
    for kind in (sandbox,) if sandbox else _ALL:
        try:
            typer.echo(asyncio.run(_try(kind, image)))
            works.append(True)
        except PinciteError as error:
            typer.echo(f"{kind}: does not work. {error}")
            works.append(False)
    if not any(works):
        raise typer.Exit(1)


async def _try(kind: SandboxKind, image: str) -> str:
    began = time.monotonic()
    opened = await open_sandbox(kind, SandboxSpec("check", owner_label(), limits=_TRIAL_LIMITS, image=image))
    started = time.monotonic() - began
    try:
        await _use(opened)
    finally:
        await opened.stop()
    lines = [f"{opened.backend}: works, started in {started * 1000:.0f} ms"]
    return "\n  ".join([*lines, *opened.warnings])


async def _use(sandbox: Sandbox) -> None:
    result = await sandbox.exec(_COMMAND, timeout=30)
    if result.exit_code != 0 or result.stdout != b"ready\n":
        seen = (result.stderr or result.stdout).decode("utf-8", "replace")
        raise UnavailableError("Python does not run in the sandbox.", seen=f"exit {result.exit_code}: {seen}")
    await sandbox.put("check", b"\0" * _MIB)
    if await sandbox.get("check") != b"\0" * _MIB:
        raise UnavailableError("A file came back from the sandbox changed.")
