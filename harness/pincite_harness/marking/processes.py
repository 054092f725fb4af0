"""The marking processes of a run: started when needed, used again while healthy, killed at their limits."""

import os
import signal
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from pincite_core.errors import UnavailableError
from pincite_harness.marking.errors import ScorerFailedError, unpack_error
from pincite_papers.limits import MIB
from pincite_papers.opening.process import ParsingProcess, ProcessLateError, ProcessLostError
from pincite_papers.opening.workers import Crew

PROGRAM = "pincite_harness.marking.worker"
_MOST_JOBS = 200
"""Jobs of one process: what a library gathers meanwhile goes with it."""
_LARGEST_REPLY_MB = 1024
"""Megabytes of one marked trial. Set by judgement."""
_SETTINGS = ("PINCITE_", "NLTK_DATA")
"""Variables that scorers read their settings from."""

Frame = tuple[dict[str, Any], bytes]
Serve = Callable[[dict[str, Any]], Frame]
"""Answers what a process needs in the midst of a job."""


@dataclass(frozen=True, slots=True)
class JobLimits:
    """What one job may take: wall clock and CPU time in seconds, without the time in which it waits for its parent, and
    address space in MiB."""

    seconds: float
    memory_mb: int


class Lease:
    """One trial's hold on the process that works for it, so that another thread can end that."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._process: ParsingProcess | None = None
        self.ended = False

    def end(self) -> None:
        """Kill the process, and take no other; who waits for it gets an UnavailableError."""
        with self._lock:
            self.ended = True
            process = self._process
        if process is not None:
            process.kill()

    def hold(self, process: ParsingProcess | None) -> None:
        """Work with this process from now on, or (None) with none; UnavailableError once the lease has ended."""
        with self._lock:
            self._process = process
            if process is not None and self.ended:
                raise _ended()


class MarkingProcesses:
    """At most ``workers`` processes; may be used from several threads. ``close`` leaves none behind."""

    def __init__(self, workers: int) -> None:
        self._crew = Crew(workers, _start_process, most_jobs=_MOST_JOBS, closed=_ended)

    def ask(self, request: Mapping[str, Any], body: bytes, limits: JobLimits, serve: Serve, lease: Lease) -> Frame:
        """The reply to one job. Raises what the job raised, ScorerFailedError when it was stopped at a limit or died,
        and UnavailableError when no process could be run or the lease has ended."""
        with self._crew.place():
            process = self._crew.take() or self._crew.start()[0]
            used = process.jobs > 0
            try:
                return self._work(process, request, body, limits, serve, lease)
            except ProcessLostError as lost:
                if not used or lease.ended or self._crew.closed:
                    raise self._verdict(lost.status, limits, lease) from None
            # One that had worked before may have died of something other than this answer.
            try:
                return self._work(self._crew.start()[0], request, body, limits, serve, lease)
            except ProcessLostError as lost:
                raise self._verdict(lost.status, limits, lease) from None

    def close(self) -> None:
        """End every process; jobs that are going on fail with UnavailableError. Safe to call twice."""
        self._crew.close()

    def pids(self) -> list[int]:
        """The process ids that are alive."""
        return self._crew.pids()

    def _work(
        self,
        process: ParsingProcess,
        request: Mapping[str, Any],
        body: bytes,
        limits: JobLimits,
        serve: Serve,
        lease: Lease,
    ) -> Frame:
        kept = False
        try:
            lease.hold(process)
            header, reply = _converse(process, request, body, limits, serve)
            kept = self._crew.keep(process, header, limits.memory_mb * MIB)
        except ProcessLateError:
            raise _late(limits) from None
        finally:
            lease.hold(None)
            if not kept:
                self._crew.drop(process)
        if header.get("spent"):
            raise _grown(limits)
        if "error" in header:
            raise unpack_error(header)
        return header, reply

    def _verdict(self, status: int, limits: JobLimits, lease: Lease) -> Exception:
        """What it means that the process ended with ``status`` in the midst of a job."""
        if lease.ended or self._crew.closed:
            return _ended()
        if status == -signal.SIGXCPU:
            return _late(limits)
        how = f"exit status {status}" if status >= 0 else f"ended by {signal.Signals(-status).name}"
        return ScorerFailedError("The process that scored this answer died.", seen=how)


def _start_process() -> ParsingProcess:
    settings = {name: value for name, value in os.environ.items() if name.startswith(_SETTINGS)}
    return ParsingProcess("-", _LARGEST_REPLY_MB, PROGRAM, settings)


def _converse(
    process: ParsingProcess, request: Mapping[str, Any], body: bytes, limits: JobLimits, serve: Serve
) -> Frame:
    """Send a job, bring what it needs on the way, and return its reply."""
    left = limits.seconds
    header = {**request, "seconds": limits.seconds, "memory_mb": limits.memory_mb}
    while True:
        began = time.monotonic()
        header, body = process.ask(header, body, seconds=left)
        left -= time.monotonic() - began
        if "need" not in header:
            return header, body
        header, body = serve(header)


def _late(limits: JobLimits) -> ScorerFailedError:
    return ScorerFailedError(
        "Checking and scoring this answer takes longer than is allowed.",
        seen=f"the limit is {limits.seconds:g} s",
        next="If it should take so long, raise scoring_seconds in [limits] of family.toml.",
    )


def _grown(limits: JobLimits) -> ScorerFailedError:
    return ScorerFailedError(
        "Checking and scoring this answer needs more memory than is allowed.",
        seen=f"the limit is {limits.memory_mb} MiB",
        next="If it should need so much, raise scoring_memory_mb in [limits] of family.toml.",
    )


def _ended() -> UnavailableError:
    return UnavailableError("Scoring was broken off.", seen="the run ends")
