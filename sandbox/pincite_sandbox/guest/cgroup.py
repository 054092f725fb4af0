"""What a control group allows and has refused, read from its files (version 1 or 2)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

_ROOT = "/sys/fs/cgroup"
_OWN = tuple(f"{_ROOT}/{name}".rstrip("/") for name in ("", "memory", "pids", "cpu", "cpu,cpuacct"))
"""Where a container sees its own group: the root (version 2), or one folder a hierarchy (version 1)."""
_UNLIMITED = 1 << 60
"""Bytes from which a limit means none: the kernel writes the highest number of pages."""


def read_cgroup(folders: Iterable[str] = _OWN) -> dict[str, float | None]:
    """Memory in bytes, processes, CPUs, kills for want of memory and refused processes so far, of the group that lies
    in ``folders``; None where unlimited or unknown."""
    places = [Path(folder) for folder in folders]
    return {
        "memory": _number(_first(places, "memory.max", "memory.limit_in_bytes")),
        "pids": _number(_first(places, "pids.max")),
        "cpus": _cpus(places),
        "oom_kills": _row(_first(places, "memory.events", "memory.oom_control"), "oom_kill"),
        "pid_refusals": _row(_first(places, "pids.events"), "max"),
    }


def _first(places: list[Path], *names: str) -> str:
    for place in places:
        for name in names:
            try:
                return (place / name).read_text(encoding="ascii")
            except OSError:
                continue
    return ""


def _number(text: str) -> int | None:
    value = text.strip()
    return int(value) if value.isdigit() and int(value) < _UNLIMITED else None


def _row(text: str, name: str) -> int | None:
    rows = [line.split() for line in text.splitlines()]
    return next((int(row[1]) for row in rows if len(row) == 2 and row[0] == name), None)


def _cpus(places: list[Path]) -> float | None:
    words = _first(places, "cpu.max").split()
    quota, period = words if len(words) == 2 else (_first(places, f"cpu.cfs_{word}_us") for word in ("quota", "period"))
    allowed, of = _number(quota), _number(period)
    return allowed / of if allowed and of else None
