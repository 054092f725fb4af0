"""Removing what harnesses left behind that are dead now: containers, processes, control groups, temporary folders."""

import asyncio
import contextlib
import os
import signal
import tempfile
from pathlib import Path

from .cgroup import leftover_groups
from .guest.files import remove_tree
from .owner import is_alive
from .process import OWNER_VARIABLE, SCRATCH_PREFIX


async def reap() -> list[str]:
    """Remove everything whose owner is dead, and say what was removed; what lives on is never touched."""
    from .container import remove_containers_of_the_dead

    local = await asyncio.to_thread(lambda: [*_end_processes(), *_remove_groups(), *_remove_folders()])
    return [*await remove_containers_of_the_dead(), *local]


def _end_processes() -> list[str]:
    removed: list[str] = []
    marker = f"{OWNER_VARIABLE}=".encode()
    namespace = Path("/proc/self/ns/pid").readlink()
    for entry in (folder / "environ" for folder in Path("/proc").glob("[0-9]*")):
        try:
            # A label from a container names a process that is out of sight here, not a dead one.
            if (entry.parent / "ns/pid").readlink() != namespace:
                continue
            variables = entry.read_bytes().split(b"\0")
        except OSError:
            continue
        label = next(
            (item[len(marker) :].decode("ascii", "replace") for item in variables if item.startswith(marker)), ""
        )
        if label and not is_alive(label):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(int(entry.parent.name), signal.SIGKILL)
                removed.append(f"process {entry.parent.name}")
    return removed


def _remove_groups() -> list[str]:
    removed: list[str] = []
    for label, group in leftover_groups():
        if not is_alive(label):
            group.remove()
            removed.extend(f"control group {folder}" for folder in group.folders if not folder.exists())
    return removed


def _remove_folders() -> list[str]:
    removed: list[str] = []
    for folder in Path(tempfile.gettempdir()).glob(f"{SCRATCH_PREFIX}*"):
        pid, _, rest = folder.name.removeprefix(SCRATCH_PREFIX).partition("-")
        if is_alive(f"{pid}:{rest.partition('-')[0]}"):
            continue
        with contextlib.suppress(FileNotFoundError):
            # Anybody may make a folder of that name where everybody may write.
            if not folder.is_symlink() and os.geteuid() in (0, folder.stat().st_uid):
                remove_tree(str(folder))
                removed.append(f"folder {folder}")
    return removed
