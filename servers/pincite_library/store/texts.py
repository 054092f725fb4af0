"""The canonical texts as plain files beside the store, for ripgrep and people: ``text/<digits of the paper>.txt``.

They are copies: the store's own text is in the database, so that a reader has it from the same state as the chunks, a
paper comes and goes with its text in one transaction, and a library is one file more to copy, not thousands. A file
is written after the commit; the database remembers which ones may lag behind until a later commit.
"""

import os
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from pincite_core import platform

_LOCK, _NEW = ".lock", ".new"


class TextFolder:
    """The files of a library's texts in ``folder``."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def path(self, paper_id: str) -> Path:
        """The file of a paper."""
        return self.folder / f"{paper_id.removeprefix('sha256:')}.txt"

    @contextmanager
    def alone(self) -> Generator[None]:
        """Nobody else writes files in the meantime: who reads the database inside writes its last state."""
        self.folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(self.folder / _LOCK, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            platform.lock(lock)
            yield
        finally:
            os.close(lock)

    def write(self, paper_id: str, text: str | None) -> None:
        """Put the text in place of what is there, or remove it when there is none; only while ``alone``."""
        path = self.path(paper_id)
        if text is None:
            path.unlink(missing_ok=True)
            return
        # One name for all: what a killed writer left is written over by the next.
        new = self.folder / _NEW
        new.write_bytes(text.encode())
        new.replace(path)

    def read(self, paper_id: str) -> bytes | None:
        """What stands in the file; None where it is missing."""
        try:
            return self.path(paper_id).read_bytes()
        except (FileNotFoundError, NotADirectoryError):
            return None

    def strangers(self, paper_ids: set[str]) -> list[Path]:
        """Files of none of these papers."""
        known = {self.path(paper_id).name for paper_id in paper_ids} | {_LOCK, _NEW}
        return sorted(path for path in self.folder.glob("*") if path.name not in known)
