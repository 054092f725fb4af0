"""Write reports beside the runs that they are about."""

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console

from pincite_harness.reports.console import print_comparison, print_run
from pincite_harness.reports.data import to_json
from pincite_harness.reports.groups import Group, group_runs
from pincite_harness.reports.loading import RunReport, load_runs
from pincite_harness.reports.measured import measure
from pincite_harness.reports.page import to_html
from pincite_harness.reports.sheet import to_csv
from pincite_harness.reports.trials import write_trial_pages
from pincite_tasks.files import write_atomic, write_json

PAGE_FILE = "report.html"
SHEET_FILE = "report.csv"
NUMBERS_FILE = "report.json"


def write_reports(paths: Sequence[Path], screen: Console, together: Path | None = None) -> None:
    """Print each run and write report.html with a page for each trial, report.csv and report.json into its folder;
    print them side by side, too, and write one report of them all into the folder ``together``, where one is given."""
    runs = load_runs(paths)
    measured = [measure(run) for run in runs]
    for path, run, parts in zip(paths, runs, measured, strict=True):
        print_run(run, parts, screen)
        write_trial_pages(run, parts)
        _write([run], group_runs([parts]), path, screen)
    if together is not None:
        groups = group_runs(measured)
        print_comparison(groups, screen)
        _write(runs, groups, together, screen)


def _write(runs: Sequence[RunReport], groups: Sequence[Group], folder: Path, screen: Console) -> None:
    write_atomic(folder / PAGE_FILE, to_html(runs, groups, folder).encode())
    write_atomic(folder / SHEET_FILE, to_csv(runs, groups).encode())
    write_json(folder / NUMBERS_FILE, to_json(groups))
    screen.print(f"Report: {folder / PAGE_FILE}", markup=False, highlight=False, soft_wrap=True)
