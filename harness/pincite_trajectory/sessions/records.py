"""Session files as the records that they hold."""

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

from pincite_core.errors import NotFoundError
from pincite_doors.media import MediaStore
from pincite_models.dialects.fields import first, load, mappings

Record = dict[str, Any]
_HEAD_BYTES = 10_000_000
"""Bytes of the first line by which the kind of a session file is known. Set by judgement."""


@dataclass(frozen=True, slots=True)
class SessionFile:
    """One file: its records in order. Lines that cannot be read (the last one, cut by a kill) are left out."""

    path: Path
    records: tuple[Record, ...]
    media: MediaStore

    def kept(self) -> "SessionFile":
        """The same with images and other media kept as files, and named by ``media:`` and their path."""
        return replace(self, records=tuple(cast("Record", self.media.detach(record)) for record in self.records))

    def beside(self, path: Path) -> "SessionFile":
        """Another file whose media are kept in the same place."""
        return read_file(path, self.media)


def head_of(path: Path) -> Record:
    """The first record of a file, empty where it cannot be read."""
    with path.open("rb") as file:
        return first([load(file.readline(_HEAD_BYTES))])


def read_file(path: Path, media: MediaStore) -> SessionFile:
    """The records of JSON lines, or the one of a file that is JSON as a whole. NotFoundError where there is no file."""
    try:
        data = path.read_bytes()
    except (FileNotFoundError, IsADirectoryError):
        raise NotFoundError(f"There is no session file {path}.", next="Check the path.") from None
    records = [record for line in data.splitlines() if line.strip() for record in mappings(load(line))]
    return SessionFile(path, tuple(records or mappings(load(data))), media)
