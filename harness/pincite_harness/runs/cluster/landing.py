"""Landing: a trial's files come into the run's folder, complete only once its record is there."""

import os
import shutil
from pathlib import Path, PurePosixPath

from pincite_core.durable import sync_folder
from pincite_core.errors import UnavailableError
from pincite_harness.runs.cluster.frames import Chunk, Done
from pincite_tasks.trial_record import TRIAL_FILE

_ARRIVING = ".arriving"


class Landing:
    """Takes the chunks of one trial into ``folder``: beside its other files first, moved among them when all have
    come, the record last. What a killed driver leaves is not a complete trial, and the next attempt discards it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._arriving = folder / _ARRIVING
        self._files: set[str] = set()
        self._size = 0
        shutil.rmtree(self._arriving, ignore_errors=True)
        self._arriving.mkdir(parents=True)

    def take(self, chunk: Chunk) -> None:
        """Append to the file of a chunk; UnavailableError for a path that leads out of the folder."""
        relative = PurePosixPath(chunk.path)
        if relative.is_absolute() or ".." in relative.parts:
            raise UnavailableError("A node sent a file outside its trial's folder.", seen=chunk.path)
        path = self._arriving / relative
        if chunk.data is None:
            path.mkdir(parents=True, exist_ok=True)
            return
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("ab") as file:
            file.write(chunk.data)
            file.flush()
            os.fsync(file.fileno())
        self._files.add(chunk.path)
        self._size += len(chunk.data)

    def finish(self, done: Done) -> None:
        """Move the files into the trial's folder; UnavailableError where some are missing."""
        if (len(self._files), self._size) != (done.files, done.size):
            raise UnavailableError(
                "A trial did not come back whole.",
                seen=f"{len(self._files)} of {done.files} files, {self._size} of {done.size} bytes",
            )
        for folder in (self._arriving, *(path for path in self._arriving.rglob("*") if path.is_dir())):
            sync_folder(folder)
        for path in sorted(self._arriving.iterdir(), key=lambda path: path.name == TRIAL_FILE):
            if path.name == TRIAL_FILE:
                sync_folder(self._folder)
            path.rename(self._folder / path.name)
        self._arriving.rmdir()
        sync_folder(self._folder)

    def abandon(self) -> None:
        """Remove what has come so far."""
        shutil.rmtree(self._arriving, ignore_errors=True)
