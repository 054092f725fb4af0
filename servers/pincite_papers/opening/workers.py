"""A crew of worker processes: bounded in number, started when needed, reused while healthy, all ended on close."""

import threading
from collections.abc import Callable, Generator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

from pincite_core.errors import PinciteError, UnavailableError
from pincite_papers.opening.process import ParsingProcess, ProcessLateError, ProcessLostError

_RESIDENT_SHARE = 0.5
"""Of a process's memory: one that holds more when it is idle is replaced."""


class Crew:
    """At most ``workers`` processes that ``start`` makes; usable from several threads at once.

    ``most_jobs`` is how many one process does: what a library gathers meanwhile goes with it. ``closed`` makes the
    error of who asks once the crew is closed.
    """

    def __init__(
        self, workers: int, start: Callable[[], ParsingProcess], *, most_jobs: int, closed: Callable[[], PinciteError]
    ) -> None:
        self._make = start
        self._most_jobs = most_jobs
        self._closed_error = closed
        self._slots = threading.BoundedSemaphore(workers)
        self._lock = threading.Lock()
        self._idle: list[ParsingProcess] = []
        self._all: set[ParsingProcess] = set()
        # The kernel ends a process together with the thread that started it: this one lives as long as the crew.
        self._starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pincite-worker")
        self.closed = False

    @contextmanager
    def place(self) -> Generator[None]:
        """Wait until fewer than ``workers`` jobs run, and take a place among them."""
        with self._slots:
            yield

    def take(self, held: str = "") -> ParsingProcess | None:
        """An idle process, one that holds ``held`` before others; None when there is none."""
        with self._lock:
            for process in self._idle:
                if held in process.holds:
                    self._idle.remove(process)
                    return process
            return self._idle.pop() if self._idle else None

    def start(self) -> tuple[ParsingProcess, dict[str, Any]]:
        """A new process and what it said first; UnavailableError when none could be run."""
        with self._lock:
            if self.closed:
                raise self._closed_error()
            starting = self._starter.submit(self._make)
        process = starting.result()
        with self._lock:
            self._all.add(process)
            closed = self.closed
        if closed:
            self.drop(process)
            raise self._closed_error()
        try:
            return process, process.hello()
        except (ProcessLostError, ProcessLateError) as error:
            self.drop(process)
            raise UnavailableError("A worker process could not be started.", seen=str(error)) from None

    def keep(self, process: ParsingProcess, header: Mapping[str, Any], memory: int) -> bool:
        """Put back a process that replied ``header`` and may hold ``memory`` bytes; False when it must go."""
        heavy = header.get("resident", 0) > memory * _RESIDENT_SHARE
        if heavy or header.get("spent") or process.jobs >= self._most_jobs:
            return False
        return self.put_back(process)

    def put_back(self, process: ParsingProcess) -> bool:
        """Return a healthy process to the crew; False when the crew is closed and the process must end."""
        with self._lock:
            if not self.closed:
                self._idle.append(process)
            return not self.closed

    def drop(self, process: ParsingProcess) -> None:
        """End a process that is no longer needed."""
        process.end()
        with self._lock:
            self._all.discard(process)

    def close(self) -> None:
        """End every process at once, busy ones included. Safe to call twice."""
        with self._lock:
            self.closed = True
            idle, busy = self._idle, self._all - set(self._idle)
            self._idle, self._all = [], set()
        for process in idle:
            process.end()
        for process in busy:
            process.kill()
        self._starter.shutdown()

    def pids(self) -> list[int]:
        """The process ids that are alive."""
        with self._lock:
            return sorted(process.pid for process in self._all)
