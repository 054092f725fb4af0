"""WireRecorder: one JSON line for each thing that passes a door, written as it happens."""

import time
from pathlib import Path
from typing import Any

from pincite_doors.lines import JsonLines, stamped
from pincite_doors.redactor import Redactor
from pincite_doors.traffic import Traffic


class WireRecorder:
    """Appends records to a file and flushes each, so that a killed harness leaves all that passed before.

    A record has ``kind`` (request, response, progress, notification, refused) and ``at`` (UTC); the first three have
    the number ``seq`` of their request; a response says its ``seconds``; ``bytes`` is the size of params or result as
    JSON.
    """

    def __init__(self, path: Path, redactor: Redactor, traffic: Traffic | None = None) -> None:
        self._lines = JsonLines(path, redactor, traffic)
        self._sequence = 0
        self._started: dict[int, float] = {}

    def request(self, server: str, method: str, params: Any, *, size: int, protocol: str) -> int:
        """Record a request and return its number."""
        self._sequence += 1
        self._started[self._sequence] = time.monotonic()
        fields = {"server": server, "method": method, "protocol": protocol, "bytes": size, "params": params}
        self._write("request", seq=self._sequence, **fields)
        return self._sequence

    def response(self, sequence: int, outcome: dict[str, Any], *, size: int) -> None:
        """Record how a request ended: ``outcome`` holds ``result``, ``error`` or ``cancelled``."""
        seconds = time.monotonic() - self._started.pop(sequence)
        self._write("response", seq=sequence, seconds=round(seconds, 6), bytes=size, **outcome)

    def notification(self, server: str, method: str, params: Any, *, size: int) -> None:
        """Record a message that has no response."""
        self._write("notification", server=server, method=method, bytes=size, params=params)

    def progress(self, sequence: int, progress: float, total: float | None, message: str | None) -> None:
        """Record a progress notification of a running request."""
        self._write("progress", seq=sequence, progress=progress, total=total, message=message)

    def refused(self, status: int, path: str, reason: str) -> None:
        """Record a request that the door turned away before it reached a server."""
        self._write("refused", status=status, path=path, reason=reason)

    def close(self) -> None:
        """Close the file; safe to call twice."""
        self._lines.close()

    def _write(self, kind: str, **fields: Any) -> None:
        self._lines.write(stamped(kind, **fields))
