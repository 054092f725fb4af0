"""SharedLibrary: an ingested library that every trial of a run reads and none changes."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from pincite_core.errors import BadInputError, NotFoundError, UnavailableError
from pincite_tasks.family import FamilySettings
from pincite_tasks.files import digest_folder

_STORES = {"library.db": "sqlite", "lance": "lance"}
"""The kind of a library by what lies in its folder."""
_PASSING = ("writer.lock", "-shm", "-wal")
"""Ends of the names of files that opening a library makes: they say nothing of what it holds."""
READERS = ("library", "search")
"""The servers that read a library."""


@dataclass(frozen=True, slots=True)
class SharedLibrary:
    """A library in ``folder``. BadInputError or NotFoundError where there is none."""

    folder: Path

    def __post_init__(self) -> None:
        if not self.folder.is_dir():
            raise NotFoundError(f"There is no folder {self.folder}.", next="Check --library.")
        self._store()

    def variables(self) -> Mapping[str, str]:
        """The settings by which a server reads this library and writes to none."""
        return {
            "PINCITE_LIBRARY_DIR": str(self.folder),
            "PINCITE_LIBRARY_STORE": self._store(),
            "PINCITE_LIBRARY_READ_ONLY": "true",
        }

    def digests(self) -> dict[str, str]:
        """What trials depend on: the library by the digest of its files; UnavailableError where a writer is at work
        in it, or was killed: what it wrote is not in the file yet."""
        logs = [path.name for path in self.folder.glob("*-wal") if path.stat().st_size]
        if logs:
            raise UnavailableError(
                f"The library in {self.folder} is being written to, or its writer was killed.",
                seen=", ".join(logs),
                next=f"Wait until it is done, or: pincite library check --library {self.folder}",
            )
        return {"library": digest_folder(self.folder, leave_out=_PASSING)}

    def check_readers(self, families: Mapping[str, FamilySettings]) -> None:
        """BadInputError where no family has a server that reads a library."""
        for settings in families.values():
            if any(name in READERS for name in settings.own_servers):
                return
        raise BadInputError(
            "No task has a server that reads a library.",
            seen=f"--library {self.folder}",
            next="Add --with library.",
        )

    def _store(self) -> str:
        for part, kind in _STORES.items():
            if (self.folder / part).exists():
                return kind
        raise BadInputError(
            f"There is no library in {self.folder}.",
            seen=", ".join(sorted(path.name for path in self.folder.iterdir())[:5]) or "an empty folder",
            next=f"Make one first: pincite library add PAPERS --library {self.folder}",
        )
