"""pincite report: the scores of runs as a table, HTML, CSV and JSON."""

from pathlib import Path
from typing import Annotated

import typer


def command(
    runs: Annotated[list[Path], typer.Argument(metavar="RUN…", help="Folders of runs.")],
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Where the report of several runs goes (default: beside the first run)."),
    ] = None,
) -> None:
    """Print the trials and means of each run and write report.html, report.csv and report.json into its folder.

    Several runs are also set side by side, in one report of them all, and each is compared with the first by a paired
    test over the tasks that both have.
    """
    from rich.console import Console

    from pincite_harness.reports import write_reports

    several = len(runs) > 1 or out is not None
    write_reports(runs, Console(), (out or runs[0].resolve().parent) if several else None)
