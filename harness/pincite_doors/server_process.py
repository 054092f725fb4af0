"""What surrounds the process of an MCP server that somebody else made: its log without secrets, its stragglers."""

import contextlib
import os
import signal
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from pincite_doors.redactor import Redactor

MARK_VARIABLE = "PINCITE_SERVER_MARK"
"""Set for a server's process and inherited by all that it starts, so that these are found when it has ended."""
_CHUNK = 65_536
"""Bytes that are read from a pipe at once."""
_DRAIN_SECONDS = 2.0
"""How long what is left in the pipe of a server that has ended may take to be written: a straggler may hold it open."""
_TAIL_LINES = 5
"""Last lines of a server's log that an error shows."""
_TAIL_CHARACTERS = 800
"""Characters of these lines."""


@contextmanager
def server_log(path: Path, secrets: tuple[str, ...]) -> Generator[TextIO]:
    """The file that a server's standard error goes to, opened for its process; ``secrets`` are taken out on the way."""
    path.parent.mkdir(parents=True, exist_ok=True)
    if not secrets:
        with path.open("a", encoding="utf-8") as log:
            yield log
        return
    reading, writing = os.pipe()
    thread = threading.Thread(target=_copy, args=(reading, path, Redactor((), secrets)), daemon=True)
    thread.start()
    try:
        with os.fdopen(writing, "w", encoding="utf-8") as log:
            yield log
    finally:
        thread.join(_DRAIN_SECONDS)


def _copy(reading: int, path: Path, redactor: Redactor) -> None:
    held = b""
    with os.fdopen(reading, "rb", buffering=0) as pipe, path.open("ab", buffering=0) as log:
        while chunk := pipe.read(_CHUNK):
            ready, held = redactor.feed(held, chunk)
            log.write(ready)
        log.write(held)


def last_lines(log: Path) -> list[str]:
    """The end of what a server said on standard error: at most one text, none where it said nothing."""
    lines = log.read_text(encoding="utf-8", errors="replace").strip().splitlines() if log.exists() else []
    tail = " / ".join(line.strip() for line in lines[-_TAIL_LINES:] if line.strip())
    return [tail[-_TAIL_CHARACTERS:]] if tail else []


def end_stragglers(mark: str) -> None:
    """Kill every process whose environment has this mark: what a server started and left behind."""
    wanted = f"{MARK_VARIABLE}={mark}".encode()
    for folder in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if wanted in (folder / "environ").read_bytes().split(b"\0"):
                os.kill(int(folder.name), signal.SIGKILL)
