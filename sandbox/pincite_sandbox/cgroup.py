"""Control groups for sandboxes without a daemon: total memory and processes, where the harness may make groups."""

import itertools
import os
import shlex
import time
from dataclasses import dataclass
from pathlib import Path

from .base import Limits
from .guest.cgroup import read_cgroup

_ROOT = Path("/sys/fs/cgroup")
_PREFIX = "pincite-"
_MIB = 1 << 20
"""Bytes of a mebibyte."""
_EMPTY_SECONDS = 2.0
"""Seconds until a group whose processes were killed is empty. Set by judgement."""
_counter = itertools.count()


@dataclass(frozen=True, slots=True)
class ControlGroup:
    """One group in every hierarchy that limits something (version 1), or one group (version 2)."""

    folders: tuple[Path, ...]

    @classmethod
    def make(cls, owner: str, limits: Limits) -> "ControlGroup | None":
        """A group with the limits, or None where this process may not make one."""
        if os.geteuid() != 0:
            return None
        name = f"{_PREFIX}{owner.replace(':', '-')}-{next(_counter)}"
        made: list[Path] = []
        try:
            for parent, settings in _hierarchies(limits):
                folder = parent / name
                folder.mkdir()
                made.append(folder)
                for file, value, required in settings:
                    _write(folder / file, value, required=required)
        except OSError:
            cls(tuple(made)).remove()
            return None
        return cls(tuple(made)) if made else None

    def joining(self) -> list[str]:
        """The command line that joins the group and becomes the command appended to it."""
        joins = "".join(f"echo $$ > {shlex.quote(f'{folder}/cgroup.procs')} && " for folder in self.folders)
        return ["/bin/sh", "-c", f'{joins}exec "$@"', "sh"]

    def figures(self) -> dict[str, float | None]:
        """What the group allows and has refused, as the kernel has it."""
        return read_cgroup([str(folder) for folder in self.folders])

    def remove(self) -> None:
        """Remove the group once its processes are gone."""
        deadline = time.monotonic() + _EMPTY_SECONDS
        for folder in self.folders:
            while folder.exists():
                try:
                    folder.rmdir()
                except OSError:
                    if time.monotonic() > deadline:
                        break
                    time.sleep(0.01)


def _hierarchies(limits: Limits) -> list[tuple[Path, list[tuple[str, int | str, bool]]]]:
    """Where groups are made, and per file its value and whether it must be there."""
    memory, cpu = limits.memory_mb * _MIB, int(limits.cpus * 100_000)
    if (_ROOT / "cgroup.controllers").exists():
        allowed = (_ROOT / "cgroup.subtree_control").read_text(encoding="ascii").split()
        if not {"memory", "pids"} <= set(allowed):
            _write(_ROOT / "cgroup.subtree_control", "+memory +pids", required=True)
        settings: list[tuple[str, int | str, bool]] = [
            ("memory.max", memory, True),
            ("memory.swap.max", 0, False),
            ("pids.max", limits.pids, True),
            ("cpu.max", f"{cpu} 100000", False),
        ]
        return [(_ROOT, settings)]
    return [
        (_ROOT / "memory", [("memory.limit_in_bytes", memory, True), ("memory.memsw.limit_in_bytes", memory, False)]),
        (_ROOT / "pids", [("pids.max", limits.pids, True)]),
        (_ROOT / "cpu", [("cpu.cfs_period_us", 100_000, True), ("cpu.cfs_quota_us", cpu, True)]),
    ]


def _write(path: Path, value: int | str, *, required: bool) -> None:
    try:
        path.write_text(str(value), encoding="ascii")
    except OSError:
        if required:
            raise


def leftover_groups() -> list[tuple[str, ControlGroup]]:
    """Owner label and group of every group of ours on the machine."""
    folders = [*_ROOT.glob(f"{_PREFIX}*"), *_ROOT.glob(f"*/{_PREFIX}*")]
    found: list[tuple[str, ControlGroup]] = []
    for folder in folders:
        pid, _, rest = folder.name.removeprefix(_PREFIX).partition("-")
        found.append((f"{pid}:{rest.partition('-')[0]}", ControlGroup((folder,))))
    return found
