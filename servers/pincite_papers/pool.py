"""Pools of worker processes: PDFium is not thread-safe and dies of hostile files, so it runs in none of ours."""

import logging
import signal
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from types import TracebackType
from typing import Any, Self

from pincite_core import errors
from pincite_papers.limits import MIB, ParseLimits
from pincite_papers.ocr.options import OcrOptions
from pincite_papers.process import ParsingProcess, ProcessLateError, ProcessLostError

log = logging.getLogger(__name__)

PARSE_SOURCE = "pincite_papers.source:parse_source"
_RESIDENT_FRACTION = 2

Request = tuple[dict[str, Any], bytes]
"""The header and body of a request to a worker process."""


class ProcessPool:
    """At most ``workers`` processes that answer requests within ``limits``; usable from several threads at once.

    A process is started when it is needed, used again while healthy, and replaced after many jobs or when it holds
    half of its memory. ``close`` leaves none behind.
    """

    program = "pincite_papers.worker"
    """The module that a process runs."""
    most_jobs = 100
    too_slow = "Parsing this file takes longer than it may."
    crashed = "The parser crashed on this file; the file is damaged or made to do harm."
    seconds_setting = "PINCITE_PARSE_SECONDS"

    def __init__(self, limits: ParseLimits, *, workers: int, entry: str) -> None:
        self._limits = limits
        self._entry = entry
        self._slots = threading.BoundedSemaphore(workers)
        self._lock = threading.Lock()
        self._idle: list[ParsingProcess] = []
        self._all: set[ParsingProcess] = set()
        self._starter = ThreadPoolExecutor(max_workers=1, thread_name_prefix="pincite-worker")
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def ask(self, make: Callable[[frozenset[str]], Request], *, held: str = "") -> Request:
        """The reply to a request, made for a process from what that holds; one that holds ``held`` is taken first.

        Raises what the worker raised, LimitReachedError when it took too long, HostileError when it crashed or grew
        past its memory, and UnavailableError when no process could be run.
        """
        with self._slots:
            process = self._take(held) or self._start()
            used = process.jobs > 0
            try:
                header, body = self._ask(process, make)
            except ProcessLostError as lost:
                if not used or self._closed:
                    raise self._verdict(lost.status) from None
                header, body = self._ask_fresh(make)
        if "error" in header:
            raise _raised(header)
        return header, body

    def close(self) -> None:
        """End every process; a parse that is going on fails with UnavailableError."""
        with self._lock:
            self._closed = True
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

    def _ask_fresh(self, make: Callable[[frozenset[str]], Request]) -> Request:
        """Ask a new process: one that had worked before may have died of something other than this file."""
        try:
            return self._ask(self._start(), make)
        except ProcessLostError as lost:
            raise self._verdict(lost.status) from None

    def _ask(self, process: ParsingProcess, make: Callable[[frozenset[str]], Request]) -> Request:
        try:
            request, data = make(process.holds)
        except BaseException:
            self._put_back(process)
            raise
        kept = False
        try:
            # What waits for OCR uses no CPU time: that limit alone ends a parse that does not.
            wall = self._limits.seconds + self._limits.ocr_seconds
            header, body = process.ask(request | {"seconds": self._limits.seconds}, data, seconds=wall)
            process.holds = frozenset(header.get("holds", ()))
            kept = self._keep(process, header)
        except ProcessLateError:
            raise self._late() from None
        finally:
            if not kept:
                self._drop(process)
        return header, body

    def _take(self, held: str) -> ParsingProcess | None:
        with self._lock:
            for process in self._idle:
                if held in process.holds:
                    self._idle.remove(process)
                    return process
            return self._idle.pop() if self._idle else None

    def _start(self) -> ParsingProcess:
        with self._lock:
            if self._closed:
                raise _closed()
            starting = self._starter.submit(ParsingProcess, self._entry, self._limits.memory_mb, self.program)
        process = starting.result()
        with self._lock:
            self._all.add(process)
            closed = self._closed
        if closed:
            self._drop(process)
            raise _closed()
        try:
            header = process.hello()
        except (ProcessLostError, ProcessLateError) as error:
            self._drop(process)
            raise errors.UnavailableError("A worker process could not be started.", seen=str(error)) from None
        if "error" in header:
            self._drop(process)
            raise _raised(header)
        return process

    def _keep(self, process: ParsingProcess, header: Mapping[str, Any]) -> bool:
        """Put a healthy process back; False when it must go."""
        heavy = header.get("resident", 0) > self._limits.memory_mb * MIB // _RESIDENT_FRACTION
        if heavy or header.get("spent") or process.jobs >= self.most_jobs:
            return False
        return self._put_back(process)

    def _put_back(self, process: ParsingProcess) -> bool:
        with self._lock:
            if not self._closed:
                self._idle.append(process)
            return not self._closed

    def _drop(self, process: ParsingProcess) -> None:
        process.end()
        with self._lock:
            self._all.discard(process)

    def _verdict(self, status: int) -> errors.PinciteError:
        """What it means that the process ended with ``status`` before it answered."""
        if self._closed:
            return _closed()
        if status == -signal.SIGXCPU:
            return self._late()
        if status >= 0:
            return errors.UnavailableError("The worker process ended without an answer.", seen=f"exit status {status}")
        return errors.HostileError(
            self.crashed,
            seen=f"the worker process was ended by {signal.Signals(-status).name}",
            next="Open another copy of the paper, for instance the publisher's own PDF.",
        )

    def _late(self) -> errors.LimitReachedError:
        return errors.LimitReachedError(
            self.too_slow,
            seen=f"the limit is {self._limits.seconds:g} s"
            + (f", and {self._limits.ocr_seconds:g} s for OCR" if self._limits.ocr_seconds else ""),
            next=f"If you trust the file, raise {self.seconds_setting}.",
        )


class ParsePool(ProcessPool):
    """A pool of processes that parse with ``entry``, pages without a text layer as ``ocr`` allows."""

    def __init__(
        self, limits: ParseLimits, *, workers: int, entry: str = PARSE_SOURCE, ocr: OcrOptions | None = None
    ) -> None:
        super().__init__(limits, workers=workers, entry=entry)
        self._ocr = ocr

    def parse(self, data: bytes) -> bytes:
        """The encoded Paper of ``data``; raises what ``ask`` raises."""
        header = self.header()
        return self.ask(lambda _: (header, data))[1]

    def header(self) -> dict[str, Any]:
        """The header of a request to parse."""
        header: dict[str, Any] = {"max_pages": self._limits.max_pages}
        if self._ocr is not None:
            header["ocr"] = self._ocr.sent()
        return header


def _closed() -> errors.UnavailableError:
    return errors.UnavailableError("The paper store was closed.", next="Restart the server.")


def _raised(header: Mapping[str, Any]) -> errors.PinciteError:
    """The error that a parsing process reported."""
    if header["trace"]:
        log.warning("a worker failed:\n%s", header["trace"])
    kind = getattr(errors, header["error"], None)
    if not (isinstance(kind, type) and issubclass(kind, errors.PinciteError)):
        kind = errors.UnreadableError
    return kind(header["what"], seen=header["seen"], next=header["next"])
