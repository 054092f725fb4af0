"""What differs between systems: locks of files, limits of a process, flags of ``open``; imported by every server.

Nothing here imports ``fcntl`` or ``resource`` before it is used, so that servers start where Python lacks
them (Windows).
"""

import errno
import importlib
import os
import sys
import time
from typing import Any

NO_FOLLOW: int = getattr(os, "O_NOFOLLOW", 0)
NONBLOCK: int = getattr(os, "O_NONBLOCK", 0)
CLOEXEC: int = getattr(os, "O_CLOEXEC", 0)
BINARY: int = getattr(os, "O_BINARY", 0)
"""Flags of ``os.open``; 0 where the system lacks them."""

_LOCK_OFFSET = 1 << 40
"""Byte that Windows locks: far behind any content, since its locks also bar others from reading."""

_PAUSE_SECONDS = 0.02
"""Between two tries of a lock that another process holds; set by judgement."""


def optional_module(name: str) -> Any:
    """A module of the standard library that some systems lack; None there."""
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


def try_lock(descriptor: int) -> bool:
    """Take the exclusive lock of an open file; False while another holds it, OSError where files cannot be locked.

    The system frees it when the file is closed or its process dies.
    """
    fcntl = optional_module("fcntl")
    if fcntl is not None:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True
    msvcrt = optional_module("msvcrt")
    if msvcrt is None:
        raise OSError(errno.ENOTSUP, "this system has no locks of files")
    at = os.lseek(descriptor, 0, os.SEEK_CUR)
    try:
        os.lseek(descriptor, _LOCK_OFFSET, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    except PermissionError:
        return False
    finally:
        os.lseek(descriptor, at, os.SEEK_SET)
    return True


def lock(descriptor: int) -> None:
    """Take the exclusive lock of an open file and wait for it; OSError where files cannot be locked."""
    while not try_lock(descriptor):
        time.sleep(_PAUSE_SECONDS)


def unenforced() -> list[str]:
    """What this system cannot enforce, each in one sentence; empty on Linux."""
    missing: list[str] = []
    if optional_module("resource") is None:
        missing.append(
            "Parsing processes have no limit of memory or CPU time of their own; the wall clock still ends them."
        )
    if optional_module("fcntl") is None and optional_module("msvcrt") is None:
        missing.append("Files cannot be locked: let only one process write to a library.")
    if sys.platform != "linux":
        missing.append("A parsing process whose server was killed ends when it next reads, not at once.")
    if not NO_FOLLOW:
        missing.append("A symbolic link that replaces a file while it is opened is followed.")
    return missing
