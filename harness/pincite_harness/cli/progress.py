"""Progress: what a person at a terminal sees on stderr while many papers are read."""

import threading
import time
from collections.abc import Generator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from rich.progress import Progress


class Bar:
    """Counts papers and pages; with ``progress`` it draws them. Safe in several threads."""

    def __init__(self, total: int, progress: "Progress | None" = None) -> None:
        self.pages = 0
        self._progress = progress
        self._task = progress.add_task("reading", total=total, said="") if progress is not None else None
        self._lock = threading.Lock()
        self._started = time.monotonic()

    def read(self, pages: int) -> None:
        """A paper with so many pages was read."""
        with self._lock:
            self.pages += pages

    def advance(self) -> None:
        """One paper more is done."""
        if self._progress is not None and self._task is not None:
            seconds = max(time.monotonic() - self._started, 0.001)
            self._progress.update(self._task, advance=1, said=f"{self.pages / seconds:.0f} pages/s")

    def say(self, line: str) -> None:
        """Print a line on stderr, above the bar where there is one."""
        if self._progress is None:
            typer.echo(line, err=True)
        else:
            self._progress.console.print(line, markup=False, highlight=False, soft_wrap=True)


@contextmanager
def bar(total: int, *, shown: bool) -> Generator[Bar]:
    """A bar on stderr, or one that only counts."""
    if not shown:
        yield Bar(total)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(),
               TextColumn("{task.fields[said]}"))  # fmt: skip
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False) as progress:
        yield Bar(total, progress)
