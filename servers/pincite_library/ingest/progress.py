"""Progress: what a person sees while papers are added: a live bar on a terminal, one line a change elsewhere."""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import PurePath
from typing import TYPE_CHECKING

from rich.console import Console, Group
from rich.live import Live
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
from rich.text import Text

from pincite_library.ingest.outcome import Outcome, State, Watcher

if TYPE_CHECKING:
    from rich.console import ConsoleOptions, RenderResult

_FRAMES = 4
"""Pictures of the progress a second."""
_NAMES = 4
"""Papers under work that are named."""
_TOLD = frozenset((State.ADDED, State.UPDATED, State.FAILED, State.GONE, State.REMOVED))
_COLOURS = {State.FAILED: "red", State.GONE: "yellow", State.REMOVED: "yellow"}


@contextmanager
def watching(console: Console) -> Generator[Watcher]:
    """A watcher that draws on ``console``: live where that is a terminal."""
    if not console.is_terminal:
        yield Lines(console)
        return
    shown = Bar(console)
    with Live(shown, console=console, transient=True, refresh_per_second=_FRAMES):
        yield shown


def describe(outcome: Outcome) -> str:
    """One line about a source."""
    words = [f"{outcome.state.value}: {outcome.name}"]
    if outcome.state in (State.ADDED, State.UPDATED):
        pages = f"{outcome.pages} pages, " if outcome.pages else ""
        words.append(f"({pages}{outcome.chunks} chunks)")
    line = " ".join(words)
    said = " ".join(filter(None, (outcome.why, outcome.next)))
    return f"{line}: {said}" if said else line


class Lines(Watcher):
    """A plain line for every source that changed something or failed."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._total = self._done = 0
        self._lock = threading.Lock()

    def waiting(self, holder: str) -> None:
        self._print(f"waiting for {holder}")

    def found(self, total: int) -> None:
        self._total = total

    def ended(self, outcome: Outcome) -> None:
        with self._lock:
            self._done += outcome.state is not State.GONE
        if outcome.state in _TOLD:
            self._print(f"[{self._done}/{self._total}] {describe(outcome)}")

    def _print(self, line: str) -> None:
        self._console.print(line, markup=False, highlight=False, soft_wrap=True)


class Bar(Watcher):
    """A bar of all sources, the pages a second, and the names of what is in work; failures stay above it."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._bar = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TextColumn("{task.fields[said]}"),
            TimeElapsedColumn(),
            console=console,
        )
        self._task = self._bar.add_task("sources", total=None, said="")
        self._lock = threading.Lock()
        self._work: dict[str, float] = {}
        self._pages = self._failed = 0
        self._started = time.monotonic()

    def __rich_console__(self, console: Console, options: "ConsoleOptions") -> "RenderResult":
        with self._lock:
            names = list(self._work)[:_NAMES]
        lines = [Text(f"  {PurePath(name).name}", style="dim", no_wrap=True, overflow="ellipsis") for name in names]
        yield Group(self._bar, *lines)

    def waiting(self, holder: str) -> None:
        self._console.print(Text(f"waiting for {holder}", style="yellow"))

    def found(self, total: int) -> None:
        self._started = time.monotonic()
        self._bar.update(self._task, total=total)

    def started(self, name: str) -> None:
        with self._lock:
            self._work[name] = time.monotonic()

    def ended(self, outcome: Outcome) -> None:
        with self._lock:
            self._work.pop(outcome.name, None)
            self._pages += outcome.pages
            self._failed += outcome.state is State.FAILED
            rate = self._pages / max(time.monotonic() - self._started, 0.001)
        failed = f", {self._failed} failed" if self._failed else ""
        advance = outcome.state not in (State.GONE, State.REMOVED)
        self._bar.update(self._task, advance=advance, said=f"{rate:.0f} pages/s{failed}")
        if outcome.state in _COLOURS:
            self._console.print(Text(describe(outcome), style=_COLOURS[outcome.state]))

    def embedding(self, done: int, total: int) -> None:
        self._bar.update(self._task, description="embedding", completed=done, total=total, said="")
