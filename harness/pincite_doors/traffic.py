"""Traffic: what one trial's agent does at its doors, metered against limits that no honest agent meets."""

import asyncio
import threading
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TrafficLimits:
    """What the doors of one trial take together. A request over a size or a time is refused; passing a count or a sum
    ends the trial as ``limit_reached``. The tests' trials of the four command lines need less than a tenth of each."""

    connections: int = 256
    """Connections open at the same time."""
    header_bytes: int = 64 << 10
    """Bytes of a request's line and headers."""
    header_seconds: float = 20.0
    """Seconds from a request's first byte to the end of its headers."""
    body_seconds: float = 120.0
    """Seconds from the end of a request's headers to the end of its body."""
    model_body_bytes: int = 64 << 20
    """Bytes of a request to the model: twice what the largest API takes."""
    tool_body_bytes: int = 4 << 20
    """Bytes of a message to a tool."""
    model_body_marks: int = 500_000
    """Commas, brackets and braces of a request to the model: what parsing it costs. A million tokens of prose have
    fewer than 100,000, of tables of numbers about as many as this."""
    tool_body_marks: int = 200_000
    """The same for a message to a tool."""
    requests: int = 20_000
    """Requests in all, whatever became of them."""
    refused: int = 1_000
    """Requests that the doors refused."""
    recorded_bytes: int = 1 << 30
    """Bytes of records and media on the disk."""
    media_files: int = 2_000
    """Pictures and other media that are kept as files."""
    held_bytes: int = 256 << 20
    """Bytes of requests and answers in memory: being read, under way or not yet recorded."""


class Traffic:
    """Counts what passes the doors of one trial. ``exceeded`` names the first limit that was passed, and ``reached`` is
    set with it: the doors close then.

    Made in the event loop of its doors; recorders call ``record``, ``media`` and ``release`` from threads of their own.
    """

    def __init__(self, limits: TrafficLimits | None = None) -> None:
        self.limits = limits or TrafficLimits()
        self.exceeded: str | None = None
        """Such as ``refused requests: 1000``."""
        self.reached = asyncio.Event()
        self.connections = 0
        self.requests = 0
        self.refused = 0
        self.recorded_bytes = 0
        self.media_files = 0
        self.held_bytes = 0
        self._loop = asyncio.get_running_loop()
        self._lock = threading.Lock()

    def connect(self) -> bool:
        """Whether one more connection may be open; it is counted, and ``disconnect`` takes it back."""
        if self.exceeded is not None:
            return False
        if self.connections >= self.limits.connections:
            self._exceed(f"connections at the doors: {self.limits.connections}")
            return False
        self.connections += 1
        return True

    def disconnect(self) -> None:
        """One connection less."""
        self.connections -= 1

    def request(self) -> bool:
        """Count a request whose headers came; False when it is one too many."""
        self.requests += 1
        if self.requests > self.limits.requests:
            self._exceed(f"requests at the doors: {self.limits.requests}")
        return self.exceeded is None

    def refuse(self) -> None:
        """Count a request that a door refused."""
        self.refused += 1
        if self.refused > self.limits.refused:
            self._exceed(f"refused requests: {self.limits.refused}")

    def record(self, size: int) -> bool:
        """Whether a record of so many bytes may be written; it is counted."""
        with self._lock:
            if self.recorded_bytes + size > self.limits.recorded_bytes:
                self._exceed(f"recorded bytes: {self.limits.recorded_bytes}")
                return False
            self.recorded_bytes += size
            return True

    def media(self, size: int) -> bool:
        """Whether one more file of so many bytes may be kept; it is counted."""
        with self._lock:
            self.media_files += 1
            if self.media_files > self.limits.media_files:
                self._exceed(f"media files: {self.limits.media_files}")
                return False
        return self.record(size)

    def hold(self, size: int) -> bool:
        """Whether so many bytes more may be in memory; they are counted until ``release``."""
        with self._lock:
            self.held_bytes += size
            if self.held_bytes > self.limits.held_bytes:
                self._exceed(f"bytes of requests in memory: {self.limits.held_bytes}")
                return False
            return True

    def release(self, size: int) -> None:
        """So many bytes are no longer in memory."""
        with self._lock:
            self.held_bytes -= size

    def _exceed(self, limit: str) -> None:
        if self.exceeded is None:
            self.exceeded = limit
            if not self._loop.is_closed():
                self._loop.call_soon_threadsafe(self.reached.set)


def too_many_marks(data: bytes, most: int) -> bool:
    """Whether a JSON text has more commas, brackets and braces than ``most``: each may stand for a value that a parser
    has to make, a hundred times as large as its text."""
    if len(data) <= most:
        return False
    return data.count(b",") + data.count(b"[") + data.count(b"{") > most
