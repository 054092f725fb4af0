"""Limits that a parsing process puts on itself, and on what one parse may cost."""

import ctypes
import os
import signal
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pincite_core.platform import optional_module

if TYPE_CHECKING:
    from pincite_core.settings import Settings

MIB = 1024 * 1024
"""Bytes of a mebibyte."""
_PR_SET_PDEATHSIG = 1
"""Option of prctl(2): the signal when the parent dies."""
_CPU_SLACK_SECONDS = 2
"""Seconds beyond the limit, so that the parent's own clock ends the work first and says why."""


@dataclass(frozen=True, slots=True)
class ParseLimits:
    """What one parse may cost: address space in MiB, wall clock and CPU time in seconds, pages.

    OCR, where a paper needs it, has ``ocr_seconds`` more.
    """

    memory_mb: int
    seconds: float
    max_pages: int
    ocr_seconds: float = 0.0

    @classmethod
    def of(cls, settings: "Settings") -> "ParseLimits":
        """The limits that the settings state."""
        ocr_seconds = 0.0 if settings.ocr == "off" else settings.ocr_seconds
        return cls(settings.parse_memory_mb, settings.parse_seconds, settings.max_pages, ocr_seconds)


def confine(memory_mb: int) -> None:
    """Bound this process's address space and forbid it to dump core; nothing where Python has no ``resource``."""
    resource = optional_module("resource")
    if resource is not None:
        _lower(resource, resource.RLIMIT_AS, memory_mb * MIB)
        _lower(resource, resource.RLIMIT_CORE, 0)


def allow_cpu(seconds: float) -> None:
    """Let this process use ``seconds`` more of CPU time; SIGXCPU ends it after that.

    Nothing where Python has no ``resource``: the wall clock of ``ParsingProcess`` ends it there.
    """
    resource = optional_module("resource")
    if resource is None:
        return
    _, hard = resource.getrlimit(resource.RLIMIT_CPU)
    wanted = int(time.process_time() + seconds) + _CPU_SLACK_SECONDS
    resource.setrlimit(resource.RLIMIT_CPU, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def die_with(parent: int) -> None:
    """End this process when ``parent`` ends.

    Linux sends the signal when the *thread* that started the process ends, so start it from one that lives as long.
    Elsewhere a parsing process ends when it next reads from its closed pipe.
    """
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
    if os.getppid() != parent:
        sys.exit(0)


def resident_bytes() -> int:
    """Memory that this process holds now (on Linux; elsewhere the most it ever held; 0 where neither is known)."""
    statm = Path("/proc/self/statm")
    resource = optional_module("resource")
    if resource is None:
        return 0
    if statm.exists():
        return int(statm.read_text().split()[1]) * resource.getpagesize()
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def _lower(resource: Any, kind: int, wanted: int) -> None:
    """Set a limit, but never above what this process was started with."""
    _, hard = resource.getrlimit(kind)
    bound = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    resource.setrlimit(kind, (bound, bound))
