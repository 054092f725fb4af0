"""Ending a container's processes from outside it, where this process sees them and may: no process inside is needed
for it, so that one which has taken every process that there may be is ended as fast as any other."""

import contextlib
import os
import signal
from pathlib import Path

_ROUNDS = 20
"""Rounds of killing: each finds what forked during the one before. Set by judgement."""
_LAST = "-900"


def keep_to_the_last(pid: int) -> None:
    """Have the kernel kill any other process first when memory runs out, where this process may say so (as root)."""
    with contextlib.suppress(OSError):
        Path(f"/proc/{pid}/oom_score_adj").write_text(_LAST, encoding="ascii")


def kill_processes(container: str, first: int) -> bool:
    """Kill every process of the container with the id ``container`` but its process 1, which is ``first`` here; False
    when that cannot be done from here."""
    for _ in range(_ROUNDS):
        pids = _processes(container)
        if first not in pids:
            return False
        if pids == {first}:
            return True
        # Stopped first: what forks while it is being killed would otherwise win the race.
        for number in (signal.SIGSTOP, signal.SIGKILL):
            for pid in pids - {first}:
                try:
                    os.kill(pid, number)
                except ProcessLookupError:
                    continue
                except PermissionError:
                    return False
    return False


def _processes(container: str) -> set[int]:
    """Processes that run in the container's control group, as this process numbers them."""
    found: set[int] = set()
    # A pattern with the file's name would look whether it exists, and raise where a process ends just then.
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            groups = (folder / "cgroup").read_text(encoding="ascii", errors="replace")
            if container in groups and not _ended(folder):
                found.add(int(folder.name))
        except OSError:
            continue
    return found


def _ended(folder: Path) -> bool:
    state = (folder / "stat").read_bytes().rpartition(b")")[2].split()[0]
    return state in (b"Z", b"X")
