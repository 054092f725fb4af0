"""Ending: what run and resume print last, the report they write and the exit code."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import typer
from rich.console import Console

from pincite_harness.reports import Selection, write_reports
from pincite_harness.runs.execution import EXIT_INTERRUPTED
from pincite_harness.runs.run_folder import RunDocument, RunFolder
from pincite_tasks.failure import Status
from pincite_tasks.trial_record import TrialRecord

_EXIT_FAILED = 1
"""Exit code of a run in which trials failed."""
_GOOD = {Status.COMPLETED, Status.LIMIT_REACHED}


def console() -> Console:
    """Standard output: live on a terminal, plain lines elsewhere."""
    return Console()


def write_pages(
    paths: Sequence[Path], screen: Console, together: Path | None = None, selection: Selection | None = None
) -> None:
    """Write the reports of runs, each with its section "Analysis" where the run was analysed before."""
    from pincite_harness.analyses.write import analyse_again

    chosen = selection or Selection()
    write_reports(paths, screen, together, chosen)
    if not chosen.where:
        for path in paths:
            analyse_again([path], path, chosen)
    if together is not None:
        analyse_again(paths, together, chosen)


def conclude(folder: RunFolder, document: RunDocument, records: Mapping[str, TrialRecord]) -> None:
    """Write the report, print the summary, and leave with 0 when every trial came to its end, 130 when the run was
    interrupted and 1 when a trial failed."""
    screen = console()
    write_pages([folder.path], screen)
    folder.publish_rest()
    ended = [record for record in records.values() if record.finished]
    missing = len(document.trials) - len(ended)
    if missing:
        line = f"{missing} of {len(document.trials)} trials not finished; go on with: pincite resume {folder.address}"
        screen.print(line, markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(EXIT_INTERRUPTED)
    if any(record.status not in _GOOD for record in ended):
        raise typer.Exit(_EXIT_FAILED)
