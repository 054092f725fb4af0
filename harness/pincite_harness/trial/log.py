"""AgentLog: what the agent printed, without the trial's token."""

from pathlib import Path
from typing import BinaryIO

from pincite_doors.redactor import Redactor
from pincite_sandbox.base import Stream

MAX_BYTES = 20_000_000
"""Bytes of an agent's log; the rest is left out, and said to be. Set by judgement."""


class AgentLog:
    """Writes both streams to one file as they come, up to 20 MB."""

    def __init__(self, path: Path, redactor: Redactor) -> None:
        self._file: BinaryIO = path.open("ab")
        self._redactor = redactor
        self._held: dict[Stream, bytes] = {}
        self._written = 0

    def write(self, stream: Stream, chunk: bytes) -> None:
        """Take a chunk of one stream."""
        ready, self._held[stream] = self._redactor.feed(self._held.get(stream, b""), chunk)
        self._put(ready)

    def close(self) -> None:
        """Write what was held back; safe to call twice."""
        if self._file.closed:
            return
        for held in self._held.values():
            self._put(held)
        self._file.close()

    def _put(self, data: bytes) -> None:
        room = MAX_BYTES - self._written
        if not data or room <= 0:
            return
        self._file.write(data[:room])
        if len(data) >= room:
            self._file.write(b"\n[the log is cut here: it reached its 20 MB]\n")
        self._file.flush()
        self._written += len(data)
