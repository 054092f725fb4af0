"""Write reports beside the runs that they are about."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console

from pincite_harness.reports.console import print_comparison, print_run
from pincite_harness.reports.data import to_json
from pincite_harness.reports.groups import Group, group_runs
from pincite_harness.reports.loading import RunReport, load_runs
from pincite_harness.reports.markup import Markup
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
    selected = read_selected(paths, selection or Selection())
    for path, (run, of_run, parts) in zip(paths, selected, strict=True):
        print_run(run, parts, screen)
        _warn(run, parts, of_run, screen)
        if not run.only:
            write_trial_pages(run, parts)
            _write([run], group_runs([parts]), path, screen)
    if together is not None:
        groups = group_runs([parts for _, _, parts in selected])
        print_comparison(groups, screen)
        _write([run for run, _, _ in selected], groups, together, screen)


def read_selected(paths: Sequence[Path], selection: Selection) -> list[tuple[RunReport, TaskKeys, list[Measured]]]:
    """Each run with the selected tasks, what they are about, and its parts by family."""
    found: list[tuple[RunReport, TaskKeys, list[Measured]]] = []
    for run in load_runs(paths):
        keys = TaskKeys.of(run)
        for key in selection.by:
            keys.check(run, key)
        chosen = only_where(run, keys, selection.where)
        found.append((chosen, keys, measure(chosen, keys, selection.by)))
    return found


def _warn(run: RunReport, parts: Sequence[Measured], keys: TaskKeys, screen: Console) -> None:
    """Say where groups are those of tasks that have changed since the run."""
    changed = {(trial.family, trial.task) for trial in run.trials} & keys.changed
    if changed and any(part.breakdowns for part in parts):
        line = f"Groups are by today's metadata; {plural(len(changed), 'task')} changed since the run"
        screen.print(line, markup=False, highlight=False, soft_wrap=True)


def write_page(
    runs: Sequence[RunReport], groups: Sequence[Group], folder: Path, screen: Console, more: Markup | None = None
) -> None:
    """Write report.html into a folder, with one more section at its end."""
    write_atomic(folder / PAGE_FILE, to_html(runs, groups, folder, more or Markup("")).encode())
    screen.print(f"Report: {folder / PAGE_FILE}", markup=False, highlight=False, soft_wrap=True)


def _write(runs: Sequence[RunReport], groups: Sequence[Group], folder: Path, screen: Console) -> None:
    write_atomic(folder / SHEET_FILE, to_csv(runs, groups).encode())
    write_json(folder / NUMBERS_FILE, to_json(groups))
    write_page(runs, groups, folder, screen)
