"""A rate window on disk, changed by one process at a time; in memory when the disk cannot be used."""

import logging
import os
import random
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TypeVar

import anyio

from pincite_core.http.policy import Rate
from pincite_core.http.rate_window import RateWindow, read_window
from pincite_core.platform import BINARY, CLOEXEC, NO_FOLLOW, try_lock

log = logging.getLogger(__name__)
T = TypeVar("T")
_told: set[Path] = set()

_MOST_BYTES = 1 << 20
"""Bytes of a window's file: above 8,192 moments as text."""
_LOCK_PAUSE = 0.001
"""Seconds between tries for the lock, on average 1.25 times that, at random so that two do not keep step."""
_LOCK_SECONDS = 5.0
"""Seconds to wait for the lock, which is held for less than a millisecond; then the window is kept in memory."""
_BOOT_ID = Path("/proc/sys/kernel/random/boot_id")
_IDLE_SECONDS = 2 * 86_400.0
"""Seconds after which the file of a window is removed: above the longest window and rest, a day."""
_OPEN_FLAGS = os.O_RDWR | os.O_CREAT | CLOEXEC | NO_FOLLOW | BINARY


class RateWindowFile:
    """The window at ``path``.

    Each change locks the file (flock: the kernel lets go of it when a process dies), reads it, and writes it in one
    piece, an end of an older and longer one behind it being ignored. A disk that is full, read-only or without locks is
    logged once for a folder; from then on this process counts alone.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._boot = _boot()
        self._alone: RateWindow | None = None
        self._lock = threading.Lock()

    async def change(self, rate: Rate, act: Callable[[RateWindow, float], T]) -> T:
        """What ``act(window, now)`` returns, having changed the window; the wait for the lock blocks no event loop."""
        deadline = time.monotonic() + _LOCK_SECONDS
        while True:
            done = self._attempt(rate, act)
            if done is not None:
                return done[0]
            if time.monotonic() > deadline:
                self._give_up("another process does not let go of it")
            await anyio.sleep(_LOCK_PAUSE * random.uniform(0.5, 2.0))  # noqa: S311

    def _attempt(self, rate: Rate, act: Callable[[RateWindow, float], T]) -> tuple[T] | None:
        with self._lock:
            if self._alone is not None:
                now = time.monotonic()
                self._alone.tidy(rate, now)
                return (act(self._alone, now),)
            try:
                return self._on_disk(rate, act)
            except OSError as error:
                self._give_up(error.strerror or type(error).__name__)
        return None

    def _on_disk(self, rate: Rate, act: Callable[[RateWindow, float], T]) -> tuple[T] | None:
        """As ``_attempt``; None while another process holds the file."""
        handle = self._open()
        try:
            if not try_lock(handle):
                return None
            if os.fstat(handle).st_nlink == 0:
                return None  # the file was removed meanwhile: others lock a new one
            now = time.monotonic()
            window = self._read(handle, rate, now)
            window.tidy(rate, now)
            done = act(window, now)
            try:
                self._write(handle, window)
            except OSError as error:
                self._give_up(error.strerror or type(error).__name__, window)
            return (done,)
        finally:
            os.close(handle)

    def _open(self) -> int:
        try:
            return os.open(self._path, _OPEN_FLAGS, 0o600)
        except FileNotFoundError:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            return os.open(self._path, _OPEN_FLAGS, 0o600)

    def _read(self, handle: int, rate: Rate, now: float) -> RateWindow:
        os.lseek(handle, 0, os.SEEK_SET)
        stored = os.read(handle, _MOST_BYTES)
        boot, _, rest = stored.partition(b"\n")
        if stored and boot == self._boot:
            return read_window(rest, rate, now)
        # Another start of the machine is longer ago than any window; anything else is damage.
        return RateWindow() if not stored or _is_boot(boot) else read_window(b"damaged", rate, now)

    def _write(self, handle: int, window: RateWindow) -> None:
        content = self._boot + b"\n" + window.to_bytes()
        os.lseek(handle, 0, os.SEEK_SET)
        if os.write(handle, content) != len(content):
            raise OSError(0, "the disk took only a part of it")
        os.ftruncate(handle, len(content))

    def _give_up(self, why: str, window: RateWindow | None = None) -> None:
        if self._alone is not None:
            return
        self._alone = window or RateWindow()
        folder = self._path.parent
        if folder not in _told:
            _told.add(folder)
            log.warning("rate limits hold for this process alone: %s cannot be used: %s", folder, why)


def sweep(folder: Path) -> None:
    """Remove rate windows that were not used for two days; they no longer matter for any rate."""
    paths: list[Path] = []
    with suppress(OSError):
        paths = list(folder.iterdir())
    for path in paths:
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > _IDLE_SECONDS:
                _remove(path)


def _remove(path: Path) -> None:
    with path.open("rb") as handle:
        if try_lock(handle.fileno()):
            path.unlink()


def _boot() -> bytes:
    try:
        return b"boot " + _BOOT_ID.read_bytes().strip()
    except OSError:
        return b"boot -"


def _is_boot(line: bytes) -> bool:
    return line.startswith(b"boot ") and len(line) <= 64
