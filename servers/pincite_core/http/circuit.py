"""Circuit breaker: a source that keeps failing is not asked for a while."""

import time
from collections.abc import Callable
from dataclasses import dataclass, field

FAILURES = 5
"""Failures in a row after which a source rests: more than one request's retries. Set by judgement."""
_FIRST_SECONDS, _LONGEST_SECONDS = 15.0, 300.0
"""Seconds of the first rest, doubled each time up to the longest. Set by judgement."""


@dataclass(slots=True)
class Circuit:
    """Closed until 5 lookups in a row failed, then open for 15 s, twice as long after each probe that fails (at most
    5 min). While it is open one lookup at a time is let through once the time is over: the probe.

    ``clock`` gives seconds. Not for several threads at once beyond what single assignments bear.
    """

    clock: Callable[[], float] = field(default=time.monotonic)
    failures: int = 0
    _pause: float = 0.0
    _until: float = 0.0
    _probing: bool = False

    def remaining(self) -> float:
        """Seconds until the next lookup may be made; 0 when it may be made now."""
        if not self._pause:
            return 0.0
        left = self._until - self.clock()
        return max(left, 1.0 if self._probing else 0.0)

    def begin(self) -> None:
        """Record that a lookup starts; call it only after ``remaining`` was 0."""
        self._probing = bool(self._pause)

    def succeed(self) -> None:
        """The source answered."""
        self.failures, self._pause, self._until, self._probing = 0, 0.0, 0.0, False

    def fail(self) -> None:
        """The source failed."""
        self.failures += 1
        if self.failures < FAILURES:
            return
        if self._probing or not self._pause:
            self._pause = min(self._pause * 2, _LONGEST_SECONDS) or _FIRST_SECONDS
            self._until = self.clock() + self._pause
        self._probing = False

    def leave(self) -> None:
        """Record a lookup that says nothing about the source: it was cancelled, or failed on our side."""
        self._probing = False
