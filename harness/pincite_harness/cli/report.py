"""pincite report: the scores of runs as a table, HTML, CSV and JSON."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from pincite_core.errors import BadInputError
from pincite_core.object_storage import is_address

if TYPE_CHECKING:
    from pincite_harness.reports import Selection


def command(
    named: Annotated[list[str], typer.Argument(metavar="RUN…", help="Folders of runs, or their s3:// addresses.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the report of several runs goes (default: beside the first run)."),
    ] = None,
    by: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY",
            help="Also the means by this key of the tasks' metadata, such as language or dimensions.type; repeatable.",
        ),
    ] = None,
    where: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="Only tasks whose metadata has this value; repeatable."),
    ] = None,
) -> None:
    """Print the trials and means of each run and write report.html, report.csv and report.json into its folder.

    Several runs are also set side by side, in one report of them all, and each is compared with the first by a paired
    test over the tasks that both have. A report of some tasks (--where) goes to --out, or into the folder report-of
    of the first run. Reports of runs on object storage are written there.
    """
    from rich.console import Console

    from pincite_harness.cli.ending import write_pages
    from pincite_harness.reports import Selection
    from pincite_harness.runs.remote.folder import local_paths, open_run
    from pincite_tasks.metadata import parse_where

    selection = Selection(tuple(by or ()), tuple(parse_where(where or [])))
    remote = [name for name in named if is_address(name)]
    if remote and len(named) > 1 and out is None:
        raise BadInputError("A report of several runs, some on object storage, needs a folder.", next="Add --out DIR.")
    runs = local_paths(named)
    write_pages(runs, Console(), folder_of(runs, out, selection), selection)
    for name in remote:
        open_run(name).publish_rest()


def folder_of(runs: list[Path], out: Path | None, selection: "Selection") -> Path | None:
    """Where the report goes that is not of one whole run; None for that."""
    if out is not None:
        return out
    if selection.where:
        return runs[0] / "report-of"
    return runs[0].resolve().parent if len(runs) > 1 else None
