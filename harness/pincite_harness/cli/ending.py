"""Ending: what run and resume print last, the report they write and the exit code."""

from collections.abc import Mapping

import typer
from rich.console import Console

from pincite_harness.reports import write_reports
from pincite_harness.runs.execution import EXIT_INTERRUPTED
from pincite_harness.runs.run_folder import RunDocument, RunFolder
from pincite_tasks.failure import Status
from pincite_tasks.trial_record import TrialRecord

_EXIT_FAILED = 1
_GOOD = {Status.COMPLETED, Status.LIMIT_REACHED}


def console() -> Console:
    """Standard output: live on a terminal, plain lines elsewhere."""
    return Console()


def conclude(folder: RunFolder, document: RunDocument, records: Mapping[str, TrialRecord]) -> None:
    """Write the report, print the summary, and leave with 0 when every trial came to its end, 130 when the run was
    interrupted and 1 when a trial failed."""
    screen = console()
    write_reports([folder.path], screen)
    ended = [record for record in records.values() if record.finished]
    missing = len(document.trials) - len(ended)
    if missing:
        line = f"{missing} of {len(document.trials)} trials not finished; go on with: pincite resume {folder.path}"
        screen.print(line, markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(EXIT_INTERRUPTED)
    if any(record.status not in _GOOD for record in ended):
        raise typer.Exit(_EXIT_FAILED)
