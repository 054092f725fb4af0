"""Record: what was looked at, what was found wrong, round by round; kept in a folder or for the session."""

import hashlib
import os
from collections import deque
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import orjson

from pincite_core.errors import UnavailableError

if TYPE_CHECKING:
    from pincite_figures.picture_file import Pictured

_REMEMBERED = 10_000
"""Looks that a session remembers, the latest ones."""


class Record:
    """An append-only record: ``figures.jsonl`` in ``folder``, an entry a line, and the pictures shown in ``crops``.

    Without a folder the last 10,000 entries are kept in memory, pictures by their digest alone.
    """

    def __init__(self, folder: Path | None) -> None:
        self._folder = folder
        self._entries: deque[dict[str, Any]] = deque(maxlen=_REMEMBERED)

    @property
    def entries(self) -> list[dict[str, Any]]:
        """The entries that this process added, the oldest first."""
        return list(self._entries)

    def add(
        self,
        event: str,
        paper: "Pictured",
        figure: str,
        *,
        image: bytes = b"",
        mime_type: str = "image/png",
        **details: Any,
    ) -> dict[str, Any]:
        """Add an entry (``event``: view, zoom, flag, inspect …) with JSON-able details, and the picture shown, if any.

        Raises UnavailableError when the folder cannot be written: a record with holes would be taken for a whole one.
        """
        entry: dict[str, Any] = {
            "at": datetime.now(UTC).isoformat(timespec="milliseconds"),
            "event": event,
            "paper": paper.paper_id,
            "figure": figure,
            **details,
        }
        if image:
            digest = hashlib.sha256(image).hexdigest()
            entry["image"] = f"crops/{digest[:32]}.{mime_type.partition('/')[2]}"
            entry["image_sha256"] = digest
        if self._folder is not None:
            try:
                self._write(self._folder, entry, image)
            except OSError as error:
                raise UnavailableError(
                    "The record of looked-at figures could not be written.",
                    seen=str(error),
                    next="Let the user repair or unset PINCITE_RECORD_DIR.",
                ) from error
        self._entries.append(entry)
        return entry

    def _write(self, folder: Path, entry: dict[str, Any], image: bytes) -> None:
        """The picture first, whole or not at all; then the line, in one write."""
        folder.mkdir(parents=True, exist_ok=True)
        if image:
            path = folder / entry["image"]
            path.parent.mkdir(exist_ok=True)
            if not path.exists():
                temporary = path.with_name(f".{os.getpid()}-{path.name}")
                temporary.write_bytes(image)
                temporary.replace(path)
        with (folder / "figures.jsonl").open("ab", buffering=0) as file:
            file.write(orjson.dumps(entry) + b"\n")
