"""Which process a rate-limit permit belongs to, and whether that process still runs."""

import functools
import os
from pathlib import Path

_PROC = Path("/proc")


def this_process() -> str:
    """This process, told apart from a later one with the same number, and from those of other containers."""
    return _name(os.getpid())


def is_gone(owner: str) -> bool:
    """Whether the process certainly ended; False when it cannot be seen from here."""
    if owner == this_process():
        return False
    number, _, seen_from = owner.partition("@")
    pid, _, began = number.partition("-")
    if seen_from != _namespace() or not pid.isdigit() or int(pid) < 1:
        return False
    try:
        os.kill(int(pid), 0)
    except (ProcessLookupError, OverflowError):
        return True
    except OSError:
        return False
    return bool(began) and _began(int(pid)) != began


@functools.lru_cache(maxsize=1)
def _name(pid: int) -> str:
    return f"{pid}-{_began(pid)}@{_namespace()}"


def _began(pid: int) -> str:
    """When the process began, in the kernel's ticks; "" for one that ended or where there is no /proc."""
    try:
        # The name of the program, which may hold anything, ends with the last parenthesis.
        state, *fields = (_PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()
        return "" if state in (b"Z", b"X") else fields[18].decode("ascii")
    except (OSError, ValueError, IndexError):
        return ""


@functools.cache
def _namespace() -> str:
    try:
        return str((_PROC / "self" / "ns" / "pid").readlink())
    except OSError:
        return ""
