"""``pincite sandbox``: build the Docker image, and try every sandbox of this machine for real."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from pincite_core.errors import BadInputError
from pincite_sandbox.choose import SandboxKind
from pincite_sandbox.images import AGENTS_IMAGE, DEFAULT_IMAGE
from pincite_sandbox.images.agents import build_agents_image
from pincite_sandbox.images.build import BuiltImage, Source, build_image

app = typer.Typer(no_args_is_help=True, add_completion=False, help="Build and check the sandbox.")

Part = Literal["base", "agents"]

_MIB = 1 << 20
"""Bytes of a mebibyte."""
_ISOLATING: tuple[SandboxKind, ...] = ("docker", "bubblewrap")


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
    sandbox: Annotated[
        SandboxKind | None, typer.Option(help="Only this one; by default every kind that isolates.")
    ] = None,
    image: Annotated[str, typer.Option(help="The Docker image to try.")] = DEFAULT_IMAGE,
    runtime: Annotated[str, typer.Option(help="Another runtime of the Docker daemon, such as runsc (gVisor).")] = "",
    only: Annotated[
        list[str] | None, typer.Option(metavar="GROUP", help="Only the probes of this group; repeatable.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="List every probe, not only those that got out.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print every probe as JSON.")] = False,
) -> None:
    """Probe the sandboxes of this machine for real: ways out, limits under bombs, misconfigurations; say what holds."""
    from pincite_harness.cli.sandbox_check import check_sandboxes

    kinds = (sandbox,) if sandbox else _ISOLATING
    check_sandboxes(kinds, image, runtime, only or [], everything=everything, as_json=as_json)


@app.command()
def lint(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE…", help="JSON of docker inspect, or of docker compose config.")
    ],
) -> None:
    """Say what is not sealed about containers of your own, without starting any."""
    from pincite_sandbox.described import read_containers
    from pincite_sandbox.linter import lint_container

    sealed = True
    for file in files:
        for name, config in read_containers(file):
            found = lint_container(config)
            sealed = sealed and not found
            typer.echo(f"{name}: {'sealed' if not found else 'not sealed'}")
            for finding in found:
                typer.echo(f"  {finding.rule}: {finding.seen}\n    -> {finding.change}")
    if not sealed:
        raise typer.Exit(1)
