"""Progress: whether a provider's answer moves, or only drips."""

import time
from collections import deque

_WINDOW_SECONDS = 10.0
"""Seconds over which the pace of an answer is measured. Set by judgement."""
_LEAST_BYTES = 128
"""Bytes in ten seconds below which an answer does not move. One event of a stream, with one token in it, has about two
hundred; what keeps a connection open (a comment or a ping each 15 seconds) has 15 to 40, and a byte a second ten."""


class Progress:
    """Counts what comes. ``stalled_seconds`` is how long the answer has not moved: the provider was silent, or sent
    fewer than 128 bytes in any ten seconds."""

    def __init__(self) -> None:
        self._moved = time.monotonic()
        self._recent: deque[tuple[float, int]] = deque()
        self._size = 0

    def note(self, size: int) -> None:
        """So many bytes came now."""
        now = time.monotonic()
        self._recent.append((now, size))
        self._size += size
        while self._recent[0][0] < now - _WINDOW_SECONDS:
            self._size -= self._recent.popleft()[1]
        if self._size >= _LEAST_BYTES:
            self._moved = now
            self._recent.clear()
            self._size = 0

    @property
    def stalled_seconds(self) -> float:
        """Seconds since the answer moved last."""
        return time.monotonic() - self._moved
