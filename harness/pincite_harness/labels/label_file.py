"""LabelFile: one person's labels, on the disk before anyone is told that they are kept."""

import fcntl
import os
import re
import threading
from collections.abc import Generator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import orjson
from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pincite_core.errors import BadInputError, UnavailableError
from pincite_harness.labels.queue import LABELS, LabelQueue
from pincite_scoring.judging.labelled import Line, read_lines
from pincite_tasks.files import write_atomic
from pincite_tasks.task import describe_validation

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,39}")
_MOST_TEXT = 4000
"""Characters of a note, or of what would be right: a page of text."""


class Given(BaseModel):
    """What a person says of an item; nothing at all takes it back."""

    model_config = ConfigDict(extra="forbid")

    id: str = Field(max_length=80)
    labels: dict[str, str] = {}
    flagged: bool = False
    note: str = Field("", max_length=_MOST_TEXT)
    corrections: dict[str, str] = {}

    @property
    def empty(self) -> bool:
        """Whether nothing is said."""
        return not (self.labels or self.flagged or self.note.strip() or self.corrections)


class LabelFile:
    """``labels/NAME.jsonl`` of a queue's folder, in the form that ``judge calibrate`` reads; safe in several threads.

    Each change writes the whole file again beside the old one and renames it: a kill at any moment loses nothing that
    was answered.
    """

    def __init__(self, folder: Path, queue: LabelQueue, by: str) -> None:
        if not _NAME.fullmatch(by):
            raise BadInputError(
                f"{by!r} cannot name who labels.", next="Give letters, digits, dots, dashes: --by anna."
            )
        self.path = folder / LABELS / f"{by}.jsonl"
        self.by = by
        self._queue = queue
        self._items = {item.id: item for item in queue.items}
        self._rubric = {item.name: item.labels for item in queue.rubric_items}
        self._lines: dict[str, Line] = {}
        self._lock = threading.Lock()
        if self.path.is_file():
            self._lines = {line.id: line for _, line in read_lines(self.path)}

    @contextmanager
    def held(self) -> Generator[None]:
        """Hold the file against a second page of the same person; UnavailableError while one has it."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        handle = os.open(self.path.with_suffix(".lock"), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(handle)
            raise UnavailableError(
                f"{self.path} is being labelled by another process.", next="Use that page, or end it first."
            ) from None
        try:
            yield
        finally:
            os.close(handle)

    def given(self) -> dict[str, dict[str, Any]]:
        """What was said so far, by item."""
        with self._lock:
            return {name: _shown(line) for name, line in self._lines.items()}

    @property
    def done(self) -> int:
        """How many items have every label of the rubric."""
        with self._lock:
            return sum(len(line.labels) == len(self._rubric) for line in self._lines.values())

    def put(self, given: Given) -> None:
        """Keep what was said; on the disk when this returns. BadInputError for an item or a label that there is not."""
        item = self._items.get(given.id)
        if item is None:
            raise BadInputError("The queue has no such item.", seen=given.id)
        for name, label in given.labels.items():
            if label not in self._rubric.get(name, ()):
                raise BadInputError("The rubric has no such label.", seen=f"{name}: {label}"[:200])
        if wrong := [name for name in given.corrections if name not in self._rubric]:
            raise BadInputError("The rubric has no such item.", seen=", ".join(wrong)[:200])
        if any(len(text) > _MOST_TEXT for text in given.corrections.values()):
            raise BadInputError(f"A correction has {_MOST_TEXT} characters at most.")
        with self._lock:
            lines = dict(self._lines)
            if given.empty:
                lines.pop(given.id, None)
            else:
                lines[given.id] = Line(
                    id=item.id,
                    by=self.by,
                    at=datetime.now(UTC).isoformat(timespec="seconds"),
                    subject=item.subject,
                    pictures=[f"../{name}" for name in item.pictures],
                    labels=dict(given.labels),
                    flagged=given.flagged,
                    note=given.note.strip() or ("corrected" if given.corrections and not given.labels else ""),
                    corrections={name: text for name, text in given.corrections.items() if text.strip()},
                    origin=item.origin,
                )
            write_lines(self.path, [lines[item.id] for item in self._queue.items if item.id in lines])
            self._lines = lines


def write_lines(path: Path, lines: list[Line]) -> None:
    """Write labelled answers as a whole file; what is empty is left out."""
    write_atomic(path, b"".join(orjson.dumps(line.model_dump(exclude_defaults=True)) + b"\n" for line in lines))


def parse_given(data: bytes) -> Given:
    """What a page sends; BadInputError for anything else."""
    try:
        return Given.model_validate(orjson.loads(data))
    except orjson.JSONDecodeError as error:
        raise BadInputError("This is not JSON.", seen=str(error)) from error
    except ValidationError as error:
        raise BadInputError("This is not a label.", seen=describe_validation(error)) from error


def _shown(line: Line) -> dict[str, Any]:
    return {
        "labels": line.labels,
        "flagged": line.flagged,
        "note": line.note,
        "corrections": line.corrections,
    }
