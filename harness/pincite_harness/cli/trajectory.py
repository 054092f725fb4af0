"""pincite trajectory: check, read and convert what an agent did."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

app = typer.Typer(
    help="Check, read and convert trajectories.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
SourcePath = Annotated[
    Path,
    typer.Argument(metavar="SOURCE", help="A trial's folder, an ATIF file, or a session file of a CLI agent."),
]


class Form(StrEnum):
    """What a trajectory can be converted to."""

    ATIF = "atif"
    OTEL = "otel"
    INSPECT = "inspect"


_SUFFIXES = {Form.ATIF: ".atif.json", Form.OTEL: ".otlp.json", Form.INSPECT: ".eval"}


@app.command()
def validate(
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="ATIF files, or folders of trials.")],
) -> None:
    """Check files against ATIF 1.8, and that the media they name are there."""
    from pincite_core.errors import PinciteError
    from pincite_trajectory.sources import TRAJECTORY_FILE
    from pincite_trajectory.validate import validate_trajectory

    wrong = 0
    for path in files:
        file = path / TRAJECTORY_FILE if path.is_dir() else path
        try:
            trajectory = validate_trajectory(file)
        except PinciteError as error:
            wrong += 1
            typer.echo(f"{file}: {error}")
        else:
            embedded = len(trajectory.subagent_trajectories or [])
            others = f", {embedded} embedded" if embedded else ""
            typer.echo(f"{file}: {trajectory.schema_version}, {len(trajectory.steps)} steps{others}")
    if wrong:
        raise typer.Exit(1)


@app.command()
def show(
    source: SourcePath,
    step: Annotated[int | None, typer.Option(metavar="NUMBER", help="Only this step, in full.")] = None,
    full: Annotated[bool, typer.Option("--full", help="Every text in full.")] = False,
) -> None:
    """Read a trajectory step by step: what the agent was told, said, called and was given."""
    import tempfile

    from rich.console import Console

    from pincite_trajectory.show import show_trajectory
    from pincite_trajectory.sources import open_source

    with tempfile.TemporaryDirectory(prefix="pincite-session-") as folder:
        show_trajectory(open_source(source, Path(folder)).trajectory, Console(), step=step, full=full)


@app.command()
def convert(
    source: SourcePath,
    to: Annotated[Form, typer.Option(help="atif, otel (spans in OTLP JSON), inspect (an .eval log).")] = Form.ATIF,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="The file to write (default: beside the source).")
    ] = None,
) -> None:
    """Write a trajectory in another form. Images of a session file are kept below the new file's folder."""
    from pincite_core.errors import BadInputError
    from pincite_trajectory.convert import write_converted

    file = out or source.with_name(source.resolve().name.removesuffix(".jsonl").removesuffix(".json") + _SUFFIXES[to])
    if file.exists():
        raise BadInputError(f"{file} is there already.", next="Name another file with --out.")
    write_converted(source, to.value, file)
    typer.echo(str(file))
