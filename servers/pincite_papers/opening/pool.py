"""Pools of worker processes: PDFium is not thread-safe and may crash on hostile files, so it runs in none of ours."""

import logging
import signal
from collections.abc import Callable, Mapping
from types import TracebackType
from typing import Any, Self

from pincite_core import errors
from pincite_papers.limits import MIB, ParseLimits
from pincite_papers.opening.process import ParsingProcess, ProcessLateError, ProcessLostError
from pincite_papers.opening.workers import Crew
from pincite_papers.pdf.ocr.options import OcrOptions

log = logging.getLogger(__name__)

PARSE_SOURCE = "pincite_papers.opening.source:parse_source"

Request = tuple[dict[str, Any], bytes]
"""The header and body of a request to a worker process."""


class ProcessPool:
    """At most ``workers`` processes that answer requests within ``limits``; usable from several threads at once.

    A process is started when it is needed, used again while healthy, and replaced after many jobs or when it holds
    half of its memory. ``close`` leaves none behind.
    """

    program = "pincite_papers.opening.worker"
    """The module that a process runs."""
    most_jobs = 100
    too_slow = "Parsing this file took longer than is allowed."
    crashed = "The parser crashed on this file; the file is damaged or made to do harm."
    seconds_setting = "PINCITE_PARSE_SECONDS"

    def __init__(self, limits: ParseLimits, *, workers: int, entry: str) -> None:
        self._limits = limits
        self._entry = entry
        self._crew = Crew(workers, self._make, most_jobs=self.most_jobs, closed=_closed)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def ask(self, make: Callable[[frozenset[str]], Request], *, held: str = "") -> Request:
        """The reply to a request, made for a process from what that holds; one that holds ``held`` is taken first.

        Raises what the worker raised, LimitReachedError when it took too long, HostileError when it crashed or grew
        past its memory, and UnavailableError when no process could be run.
        """
        with self._crew.place():
            process = self._crew.take(held) or self._start()
            used = process.jobs > 0
            try:
                header, body = self._ask(process, make)
            except ProcessLostError as lost:
                if not used or self._crew.closed:
                    raise self._verdict(lost.status) from None
                header, body = self._ask_fresh(make)
        if "error" in header:
            raise _raised(header)
        return header, body

    def close(self) -> None:
        """End every process; a parse that is going on fails with UnavailableError."""
        self._crew.close()

    def pids(self) -> list[int]:
        """The process ids that are alive."""
        return self._crew.pids()

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
            self._crew.put_back(process)
            raise
        kept = False
        try:
            # What waits for OCR uses no CPU time: that limit alone ends a parse that does not.
            wall = self._limits.seconds + self._limits.ocr_seconds
            header, body = process.ask(request | {"seconds": self._limits.seconds}, data, seconds=wall)
            process.holds = frozenset(header.get("holds", ()))
            kept = self._crew.keep(process, header, self._limits.memory_mb * MIB)
        except ProcessLateError:
            raise self._late() from None
        finally:
            if not kept:
                self._crew.drop(process)
        return header, body

    def _make(self) -> ParsingProcess:
        return ParsingProcess(self._entry, self._limits.memory_mb, self.program)

    def _start(self) -> ParsingProcess:
        process, header = self._crew.start()
        if "error" in header:
            self._crew.drop(process)
            raise _raised(header)
        return process

    def _verdict(self, status: int) -> errors.PinciteError:
        """What it means that the process ended with ``status`` before it answered."""
        if self._crew.closed:
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
