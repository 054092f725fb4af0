"""Run: candidates read ahead in threads, written by one, each with its outcome."""

import logging
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextvars import copy_context
from dataclasses import dataclass

from pincite_core.errors import UnreadableError
from pincite_library.ingest.finding import Candidate
from pincite_library.ingest.outcome import Options, Outcome, Report, Watcher
from pincite_library.ingest.reading import Read, Reader, Settled
from pincite_library.ingest.writing import Writer

log = logging.getLogger(__name__)

_WAITING = 2
"""Papers in work or waiting to be written, for each thread: what bounds the memory."""
_LOOK_SECONDS = 0.2
"""Seconds between looks whether the work was interrupted."""


@dataclass(slots=True)
class Run:
    """One call of ``Ingest.add``: its options, who watches it, what came of it, and whether it is to stop."""

    options: Options
    watcher: Watcher
    report: Report
    stopping: threading.Event

    def go(
        self, candidates: Iterable[Candidate], reader: Reader, writer: Writer, *, threads: int, end: Callable[[], None]
    ) -> None:
        """Read the candidates in threads and write them in this one. ``end`` makes the reads that are going on fail.

        When it is to stop, or is interrupted, what is not written yet is dropped.
        """
        pending: set[Future[Read | Settled]] = set()
        executor = ThreadPoolExecutor(threads, thread_name_prefix="pincite-ingest")
        whole = False
        try:
            for candidate in candidates:
                if self.stopping.is_set():
                    return
                known = writer.known_outcome(candidate, retry=self.options.retry)
                if known is not None:
                    self.ended(known)
                    continue
                pending.add(executor.submit(copy_context().run, self._read, reader, candidate))
                while len(pending) >= threads * _WAITING and not self.stopping.is_set():
                    pending = self._write(pending, writer)
            while pending and not self.stopping.is_set():
                pending = self._write(pending, writer)
            whole = not pending
        finally:
            if not whole:
                self.stopping.set()
                end()
            executor.shutdown(wait=True, cancel_futures=True)

    def ended(self, outcome: Outcome) -> None:
        """A source came to its end."""
        self.report.outcomes.append(outcome)
        self.watcher.ended(outcome)

    def _read(self, reader: Reader, candidate: Candidate) -> Read | Settled:
        self.watcher.started(candidate.name)
        try:
            return reader.read(candidate)
        except Exception as error:  # A fault of ours with one paper must not keep the others out.
            log.exception("Reading %s failed", candidate.name)
            fault = UnreadableError(
                "Reading this source failed because of a bug in pincite.",
                seen=f"{type(error).__name__}: {error}",
                next="Report it with what was logged.",
            )
            return reader.failed(candidate, fault)

    def _write(self, pending: "set[Future[Read | Settled]]", writer: Writer) -> "set[Future[Read | Settled]]":
        """Write what has been read by now; what is still pending."""
        done, rest = wait(pending, timeout=_LOOK_SECONDS, return_when=FIRST_COMPLETED)
        for future in done:
            if self.stopping.is_set():
                break
            read = future.result()
            self.ended(writer.write(read) if isinstance(read, Read) else writer.settle(read))
        return rest
