"""The lock of a library: one writer at a time, and who it is."""

import json
import os
import threading
import time
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO, cast

from pincite_core.errors import UnavailableError
from pincite_core.platform import try_lock

LOCK = "writer.lock"
_LOOK_SECONDS = 0.2
"""Seconds between looks whether the lock is free."""


@contextmanager
def hold_library(
    folder: Path,
    doing: str,
    *,
    told: Callable[[str], None] | None = None,
    stop: threading.Event | None = None,
    most_seconds: float | None = None,
) -> Generator[None]:
    """Be the one that writes to the library in ``folder``, which is made; another waits for its turn.

    ``told`` hears once who is waited for. UnavailableError where the folder cannot be written, where the other is not
    done in ``most_seconds`` (by default it is waited for), or when ``stop`` is set. The kernel frees the lock of a
    process that was killed.
    """
    file = _opened(folder)
    with file:
        _wait_for(file, told, stop, most_seconds)
        file.seek(0)
        file.truncate()
        note = {"pid": os.getpid(), "doing": doing, "since": datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")}
        file.write(json.dumps(note))
        file.flush()
        try:
            yield
        finally:
            file.seek(0)
            file.truncate()


def _opened(folder: Path) -> TextIO:
    try:
        folder.mkdir(mode=0o755, parents=True, exist_ok=True)
        return (folder / LOCK).open("a+", encoding="utf-8")
    except OSError as error:
        raise UnavailableError(
            f"The library in {folder} cannot be written.",
            seen=f"{type(error).__name__}: {error.strerror}",
            next="Make the folder writable, or set PINCITE_LIBRARY_DIR to one that is.",
        ) from error


def _wait_for(
    file: TextIO, told: Callable[[str], None] | None, stop: threading.Event | None, most_seconds: float | None
) -> None:
    started, said = time.monotonic(), False
    while not _taken(file):
        holder = _holder(file)
        if most_seconds is not None and time.monotonic() - started >= most_seconds:
            raise UnavailableError(
                "Another process writes to this library.", seen=holder, next="Try again when it is done."
            )
        if told is not None and not said:
            told(holder)
            said = True
        if stop is None:
            time.sleep(_LOOK_SECONDS)
        elif stop.wait(_LOOK_SECONDS):
            raise UnavailableError("Stopped while another process wrote to this library.", seen=holder)


def _taken(file: TextIO) -> bool:
    try:
        return try_lock(file.fileno())
    except OSError as error:
        raise UnavailableError("The library cannot be locked.", seen=f"{file.name}: {error.strerror}") from error


def _holder(file: TextIO) -> str:
    """Who holds the lock, as it noted itself."""
    file.seek(0)
    note: Any = {}
    with suppress(ValueError):
        note = json.loads(file.read() or "{}")
    if not isinstance(note, dict) or not note:
        return "a process that has just begun"
    said = {"doing": "writing", "since": "just now"} | cast("dict[str, Any]", note)
    return f"process {said.get('pid', '?')}, {said['doing']} since {said['since']}"
