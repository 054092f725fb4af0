"""StageClock: when each stage of a trial began and ended."""

import time
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

STAGES = ("prepare", "start", "agent", "collect", "stop", "validate", "score", "write")
"""In the order in which a record names them; ``stop`` goes on beside ``validate`` and ``score``."""


def now() -> str:
    """The time in UTC, ISO 8601."""
    return datetime.now(UTC).isoformat()


class StageClock:
    """Times stages by name; one that was left by an error is timed too."""

    def __init__(self) -> None:
        self.stages: dict[str, dict[str, Any]] = {}
        self.current = STAGES[0]
        """The stage that was entered last."""

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        """Time the block under ``name``."""
        started_at, started = now(), time.monotonic()
        self.current = name
        try:
            yield
        finally:
            seconds = round(time.monotonic() - started, 6)
            self.stages[name] = {"started_at": started_at, "finished_at": now(), "seconds": seconds}
