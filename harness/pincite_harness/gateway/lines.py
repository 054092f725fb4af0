"""JsonLines: records of what passes a door, one JSON object a line, written as it happens."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

import orjson

from pincite_harness.gateway.redactor import Redactor


class JsonLines:
    """Appends lines to a file, without secrets, and flushes each, so that a killed harness leaves all that passed
    before."""

    def __init__(self, path: Path, redactor: Redactor) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file: BinaryIO = path.open("ab")
        self._redactor = redactor

    def write(self, record: dict[str, Any]) -> None:
        """Append one record; nothing after ``close``. OSError when the disk does not take it."""
        self.append(orjson.dumps(record, default=str))

    def append(self, line: bytes) -> None:
        """Append one record that is JSON already."""
        if not self._file.closed:
            self._file.write(self._redactor.clean(line) + b"\n")
            self._file.flush()

    def close(self) -> None:
        """Close the file; safe to call twice."""
        self._file.close()


def stamped(kind: str, **fields: Any) -> dict[str, Any]:
    """A record of this kind with the time (UTC)."""
    return {"kind": kind, "at": datetime.now(UTC).isoformat(), **fields}
