"""JsonLines: records of what passes a door, one JSON object a line, written as it happens."""

import errno
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson

from pincite_doors.redactor import Redactor
from pincite_doors.traffic import Traffic


class JsonLines:
    """Appends lines to a file, without secrets and without a buffer, so that a killed harness leaves all that passed
    before. What is more than ``traffic`` allows is left out: it ends the trial."""

    def __init__(self, path: Path, redactor: Redactor, traffic: Traffic | None = None) -> None:
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = path.open("ab", buffering=0)
        self._redactor = redactor
        self._traffic = traffic

    def write(self, record: dict[str, Any]) -> None:
        """Append one record; nothing after ``close``. OSError when the disk does not take it."""
        self.append(orjson.dumps(record, default=str))

    def append(self, line: bytes) -> None:
        """Append one record that is JSON already."""
        if self._file.closed:
            return
        data = self._redactor.clean(line) + b"\n"
        if self._traffic is not None and not self._traffic.record(len(data)):
            return
        if self._file.write(data) != len(data):
            raise OSError(errno.ENOSPC, "only a part of a record could be written")

    def close(self) -> None:
        """Close the file; safe to call twice."""
        self._file.close()


def stamped(kind: str, **fields: Any) -> dict[str, Any]:
    """A record of this kind with the time (UTC)."""
    return {"kind": kind, "at": datetime.now(UTC).isoformat(), **fields}
