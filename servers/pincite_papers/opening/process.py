"""The parent's side of one parsing process."""

import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

import orjson

from pincite_papers.limits import MIB
from pincite_papers.opening import frames

_START_SECONDS = 120.0
"""Seconds in which a parsing process must have started, on a busy machine too. Set by judgement."""
_CHUNK = 1 << 20
"""Bytes that are moved at once."""
_KEPT_ENVIRONMENT = frozenset(
    (
        "HOME",
        "LANG",
        "LD_LIBRARY_PATH",
        "DYLD_LIBRARY_PATH",
        "PATH",
        "PYTHONHOME",
        "PYTHONPATH",
        "TESSDATA_PREFIX",
        "TMPDIR",
        "VIRTUAL_ENV",
    )
)
_OWN_ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "PYTHONUTF8": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MALLOC_ARENA_MAX": "2",
}


class ProcessLostError(Exception):
    """The parsing process ended before it answered; ``status`` is its exit status, negative for a signal."""

    def __init__(self, status: int) -> None:
        super().__init__(f"exit status {status}")
        self.status = status


class ProcessLateError(Exception):
    """The parsing process was killed because it did not answer in time."""

    def __init__(self) -> None:
        super().__init__("no answer in time")


class ParsingProcess:
    """A fresh Python process that runs the module ``program`` (see ``worker``) with ``entry`` ("module:function").

    It gets no secret from the environment (nothing but ``settings`` beside what a Python needs) and has its own
    session, so that killing its group ends all of it. Start it from a thread that outlives it: the kernel ends it
    together with that thread.
    """

    def __init__(
        self,
        entry: str,
        memory_mb: int,
        program: str = "pincite_papers.opening.worker",
        settings: Mapping[str, str] | None = None,
    ) -> None:
        kept = {name: value for name, value in os.environ.items() if name in _KEPT_ENVIRONMENT}
        self._most = memory_mb * MIB
        self._child = subprocess.Popen(
            [sys.executable, "-P", "-m", program, entry, str(memory_mb), str(os.getpid())],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            env=kept | dict(settings or {}) | _OWN_ENVIRONMENT,
            start_new_session=True,
        )
        assert self._child.stdin is not None
        assert self._child.stdout is not None
        self._requests = self._child.stdin.fileno()
        self._replies = self._child.stdout.fileno()
        os.set_blocking(self._requests, False)
        os.set_blocking(self._replies, False)
        self.jobs = 0
        self.holds: frozenset[str] = frozenset()
        """What it said that it keeps for the next request."""

    @property
    def pid(self) -> int:
        """Its process id, which is also its group's."""
        return self._child.pid

    def hello(self) -> dict[str, Any]:
        """The process's first frame: that it is ready, or why the parser could not be loaded."""
        return self._read(time.monotonic() + _START_SECONDS)[0]

    def ask(self, header: dict[str, Any], body: bytes, *, seconds: float) -> tuple[dict[str, Any], bytes]:
        """The answer to one request. After ProcessLostError or ProcessLateError the process is gone."""
        deadline = time.monotonic() + seconds
        for piece in frames.pack(header, body):
            self._write(piece, deadline)
        answer = self._read(deadline)
        self.jobs += 1
        return answer

    def kill(self) -> int:
        """Kill the process group and wait for it; safe from any thread. Returns its exit status."""
        if self._child.poll() is None:
            with suppress(ProcessLookupError):
                if hasattr(os, "killpg"):
                    os.killpg(self._child.pid, signal.SIGKILL)
                else:
                    self._child.kill()
        return self._child.wait()

    def end(self) -> int:
        """Kill the process and close its pipes, only from the thread that asks it. Returns the exit status."""
        status = self.kill()
        for pipe in (self._child.stdin, self._child.stdout):
            if pipe is not None:
                pipe.close()
        return status

    def _write(self, piece: bytes, deadline: float) -> None:
        rest = memoryview(piece)
        while rest:
            self._wait(self._requests, select.POLLOUT, deadline)
            try:
                rest = rest[os.write(self._requests, rest[:_CHUNK]) :]
            except BlockingIOError:
                continue
            except BrokenPipeError:
                raise self._lost() from None

    def _read(self, deadline: float) -> tuple[dict[str, Any], bytes]:
        head, body = frames.LENGTHS.unpack(self._exactly(frames.LENGTHS.size, deadline))
        if head + body > self._most:
            raise self._lost()
        return orjson.loads(self._exactly(head, deadline)), self._exactly(body, deadline)

    def _exactly(self, count: int, deadline: float) -> bytes:
        received = bytearray()
        while len(received) < count:
            self._wait(self._replies, select.POLLIN, deadline)
            try:
                piece = os.read(self._replies, min(count - len(received), _CHUNK))
            except BlockingIOError:
                continue
            if not piece:
                raise self._lost()
            received += piece
        return bytes(received)

    def _wait(self, descriptor: int, event: int, deadline: float) -> None:
        poll = select.poll()
        poll.register(descriptor, event)
        left = deadline - time.monotonic()
        if left <= 0 or not poll.poll(left * 1000):
            self.end()
            raise ProcessLateError

    def _lost(self) -> ProcessLostError:
        """The error for pipes that closed; gives the process a moment to end by itself, for its exit status."""
        with suppress(subprocess.TimeoutExpired):
            self._child.wait(timeout=2.0)
        return ProcessLostError(self.end())
