"""Progress: what a person sees while a run goes on: live bars on a terminal, one line a trial elsewhere."""

from collections.abc import Generator
from contextlib import contextmanager

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TaskID, TextColumn, TimeElapsedColumn

from pincite_harness.runs.job import JobEvents
from pincite_harness.trial.plan import TrialPlan
from pincite_tasks.failure import Status
from pincite_tasks.plural import plural
from pincite_tasks.trial_record import TrialRecord

_COLOURS = {
    Status.COMPLETED: "green",
    Status.LIMIT_REACHED: "yellow",
    Status.CANCELLED: "yellow",
    Status.FAILED: "red",
}

_FRAMES = 4
"""Redraws a second: a run shares its machine with the trials."""


@contextmanager
def watch(console: Console, *, total: int, finished: int) -> Generator[JobEvents]:
    """Events that draw on ``console``; ``finished`` trials were there before."""
    if not console.is_terminal:
        yield _Lines(console, total, finished).events()
        return
    whole = Progress(TextColumn("trials"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), console=console)
    each = Progress(SpinnerColumn(), TextColumn("{task.description}"), TimeElapsedColumn(), console=console)
    with Live(Group(each, whole), console=console, transient=True, refresh_per_second=_FRAMES):
        yield _Live(whole, each, total, finished).events()


def describe(record: TrialRecord) -> str:
    """One line about a trial's end."""
    seconds = sum(stage.seconds for stage in record.stages.values())
    words = [record.name, record.status.value]
    if record.cause is not None and record.cause.value != record.status.value:
        words.append(f"({record.cause.value})")
    words.append(f"{seconds:.1f} s, {plural(record.tool_calls, 'tool call')}")
    line = " ".join(words)
    return f"{line}: {record.detail.splitlines()[0]}" if record.detail else line


class _Lines:
    def __init__(self, console: Console, total: int, finished: int) -> None:
        self._console = console
        self._total = total
        self._done = finished

    def events(self) -> JobEvents:
        return JobEvents(lambda _: None, self._retried, self._ended)

    def _retried(self, plan: TrialPlan, record: TrialRecord) -> None:
        self._print(f"again: {describe(record)}")

    def _ended(self, plan: TrialPlan, record: TrialRecord) -> None:
        self._done += record.finished
        self._print(f"[{self._done}/{self._total}] {describe(record)}")

    def _print(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)


class _Live:
    """A line with a spinner for each running trial over one bar for the run."""

    def __init__(self, whole: Progress, each: Progress, total: int, finished: int) -> None:
        self._whole = whole
        self._each = each
        self._run = whole.add_task("trials", total=total, completed=finished)
        self._running: dict[str, TaskID] = {}

    def events(self) -> JobEvents:
        return JobEvents(self._started, self._retried, self._ended)

    def _started(self, plan: TrialPlan) -> None:
        self._running[plan.name] = self._each.add_task(escape(plan.name), total=None)

    def _retried(self, plan: TrialPlan, record: TrialRecord) -> None:
        self._whole.console.print(f"[yellow]again[/] {escape(describe(record))}", highlight=False)

    def _ended(self, plan: TrialPlan, record: TrialRecord) -> None:
        self._each.remove_task(self._running.pop(plan.name))
        self._whole.advance(self._run, record.finished)
        colour = _COLOURS[record.status]
        self._whole.console.print(f"[{colour}]●[/] {escape(describe(record))}", highlight=False)
