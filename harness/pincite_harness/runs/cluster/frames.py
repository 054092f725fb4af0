"""Frames: what a worker sends back of a trial: Began, any number of Spent, then Ended, the files in chunks and Done; or
Never, or Fault."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

CHUNK_BYTES = 4 << 20
"""Bytes of one message: a few of them at a time fit into any object store; set by judgement."""
MOST_BYTES = 4 << 30
"""Bytes of a trial's folder that are brought back: the doors bound what a trial records far below it; set
by judgement."""


@dataclass(frozen=True, slots=True)
class Began:
    """The trial runs."""

    node: str


@dataclass(frozen=True, slots=True)
class Spent:
    """Lines that the trial appended to its file of spending."""

    data: bytes


@dataclass(frozen=True, slots=True)
class Ended:
    """The trial ended with this record, as JSON; its files follow."""

    record: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Chunk:
    """The next bytes of a file below the trial's folder; an empty folder has its path and None."""

    path: str
    data: bytes | None


@dataclass(frozen=True, slots=True)
class Done:
    """All files were sent: how many, and their bytes together."""

    files: int
    size: int


@dataclass(frozen=True, slots=True)
class Never:
    """The trial was to stop before it began."""


@dataclass(frozen=True, slots=True)
class Fault:
    """The node could not run the trial, or not bring it back: why, without secrets."""

    detail: str


Frame = Began | Spent | Ended | Chunk | Done | Never | Fault


def chunks_of(folder: Path, without: str) -> Iterator[Frame]:
    """The files of a trial's folder but for ``without``, then Done; a Fault where they exceed the bound. Links and
    devices are passed over."""
    files, size = 0, 0
    for path in sorted(folder.rglob("*")):
        relative = path.relative_to(folder).as_posix()
        if path.is_symlink() or relative == without:
            continue
        if path.is_dir():
            yield Chunk(relative, None)
        elif path.is_file():
            files += 1
            size += path.stat().st_size
            if size > MOST_BYTES:
                yield Fault(f"the trial's folder exceeds {MOST_BYTES:,} bytes")
                return
            yield from _read(path, relative)
    yield Done(files, size)


def _read(path: Path, relative: str) -> Iterator[Frame]:
    with path.open("rb") as file:
        data = file.read(CHUNK_BYTES)
        yield Chunk(relative, data)
        while data := file.read(CHUNK_BYTES):
            yield Chunk(relative, data)
