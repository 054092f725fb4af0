"""pincite trajectory: check, read and convert what an agent did."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

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


class Rows(StrEnum):
    """How the rows of a query are printed."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"


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


@app.command()
def query(
    sql: Annotated[str, typer.Argument(metavar="SQL", help="A statement over trials, steps, calls and scores.")],
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs.")],
    form: Annotated[Rows, typer.Option("--format", help="How the rows are printed.")] = Rows.TABLE,
    parquet: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Also write the tables as Parquet, and transcripts for Inspect Scout."),
    ] = None,
) -> None:
    """Ask runs by SQL (DuckDB, extra query): what was called, what it took, what it scored."""
    from pincite_harness.analyses.querying import ask, open_tables, write_parquet
    from pincite_harness.analyses.scout import transcripts_of

    with open_tables(runs) as database:
        names, rows = ask(database, sql)
        _print_rows(names, rows, form)
        if parquet is not None:
            for path in write_parquet(database, list(transcripts_of(runs)), parquet):
                typer.echo(str(path), err=True)


def _print_rows(names: list[str], rows: list[tuple[Any, ...]], form: Rows) -> None:
    """Rows on standard output: a table, CSV, or a JSON object a line."""
    import csv
    import json
    import sys

    from rich.console import Console

    from pincite_harness.reports.console import print_table

    if form is Rows.CSV:
        writer = csv.writer(sys.stdout, lineterminator="\n")
        writer.writerow(names)
        writer.writerows(rows)
    elif form is Rows.JSON:
        for row in rows:
            typer.echo(json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False, default=str))
    else:
        cells = [["–" if value is None else str(value) for value in row] for row in rows]
        print_table("", names, cells, Console())
