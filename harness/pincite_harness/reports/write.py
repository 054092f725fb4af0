"""Write reports beside the runs that they are about."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from pincite_harness.reports.console import print_comparison, print_run
from pincite_harness.reports.data import to_json
from pincite_harness.reports.groups import Group, group_runs
from pincite_harness.reports.loading import RunReport, load_runs
from pincite_harness.reports.measured import Measured, measure
from pincite_harness.reports.page import to_html
from pincite_harness.reports.sheet import to_csv
from pincite_harness.reports.task_keys import TaskKeys, only_where
from pincite_harness.reports.trials import write_trial_pages
from pincite_tasks.files import write_atomic, write_json
from pincite_tasks.plural import plural

PAGE_FILE = "report.html"
SHEET_FILE = "report.csv"
NUMBERS_FILE = "report.json"


@dataclass(frozen=True, slots=True)
class Selection:
    """Keys of tasks that a report is broken down ``by``, and the values that tasks must have to be in it."""

    by: tuple[str, ...] = ()
    where: tuple[tuple[str, str], ...] = ()


def write_reports(
    paths: Sequence[Path], screen: Console, together: Path | None = None, selection: Selection | None = None
) -> None:
    """Print each run and write report.html with a page for each trial, report.csv and report.json into its folder;
    print them side by side, too, and write one report of them all into the folder ``together``, where one is given.

    A report of some tasks alone is written into ``together``, and never into the folders of the runs.
    """
    chosen = selection or Selection()
    runs = load_runs(paths)
    keys = [TaskKeys.of(run) for run in runs]
    for run, of_run in zip(runs, keys, strict=True):
        for key in chosen.by:
            of_run.check(run, key)
    runs = [only_where(run, of_run, chosen.where) for run, of_run in zip(runs, keys, strict=True)]
    measured = [measure(run, of_run, chosen.by) for run, of_run in zip(runs, keys, strict=True)]
    for path, run, parts, of_run in zip(paths, runs, measured, keys, strict=True):
        print_run(run, parts, screen)
        _warn(run, parts, of_run, screen)
        if not chosen.where:
            write_trial_pages(run, parts)
            _write([run], group_runs([parts]), path, screen)
    if together is not None:
        groups = group_runs(measured)
        print_comparison(groups, screen)
        _write(runs, groups, together, screen)


def _warn(run: RunReport, parts: Sequence[Measured], keys: TaskKeys, screen: Console) -> None:
    """Say where groups are those of tasks that have changed since the run."""
    changed = {(trial.family, trial.task) for trial in run.trials} & keys.changed
    if changed and any(part.breakdowns for part in parts):
        line = f"Groups are by today's metadata; {plural(len(changed), 'task')} changed since the run"
        screen.print(line, markup=False, highlight=False, soft_wrap=True)


def _write(runs: Sequence[RunReport], groups: Sequence[Group], folder: Path, screen: Console) -> None:
    write_atomic(folder / PAGE_FILE, to_html(runs, groups, folder).encode())
    write_atomic(folder / SHEET_FILE, to_csv(runs, groups).encode())
    write_json(folder / NUMBERS_FILE, to_json(groups))
    screen.print(f"Report: {folder / PAGE_FILE}", markup=False, highlight=False, soft_wrap=True)
