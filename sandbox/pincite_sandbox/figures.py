"""Figures: which limits are in force in a sandbox, and how often they have bitten."""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from .base import Limits

_MIB = 1 << 20
"""Bytes of a mebibyte."""
_ROUNDING = 1.02
"""How far above its setting a limit may stand: kernels round to pages. Set by judgement."""


@dataclass(frozen=True, slots=True)
class Figures:
    """What the kernel says: memory and scratch space in bytes, processes and CPUs allowed (None: unlimited, or nobody
    can tell), and counts since the start of kills for want of memory, refused processes, and full scratch space."""

    memory: float | None = None
    pids: float | None = None
    cpus: float | None = None
    scratch: float | None = None
    oom_kills: int = 0
    pid_refusals: int = 0
    full: int = 0

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> "Figures":
        """From a supervisor's report, which may hold other things too."""
        names = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in said.items() if name in names and value is not None})

    def unkept(self, limits: Limits, backend: str) -> tuple[str, ...]:
        """A warning for each limit that was asked for and that is not in force."""
        asked = {
            "the memory limit": (self.memory, limits.memory_mb * _MIB),
            "the limit of processes": (self.pids, limits.pids),
            "the limit of processors": (self.cpus, limits.cpus),
            "the limit of scratch space": (self.scratch, limits.scratch_mb * _MIB),
        }
        return tuple(
            f"{backend}: {name} is not in force on this machine"
            for name, (allowed, wanted) in asked.items()
            if allowed is None or allowed > wanted * _ROUNDING
        )

    def bitten(self, before: "Figures") -> dict[str, bool]:
        """The fields of an ExecResult that say which limits have bitten since ``before``."""
        return {
            "out_of_memory": self.oom_kills > before.oom_kills,
            "out_of_pids": self.pid_refusals > before.pid_refusals,
            "out_of_space": self.full > before.full,
        }
