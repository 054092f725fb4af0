"""Session: the tables of one LanceDB for several threads and processes, one writer at a time, errors in words.

Every look at a table of a local folder sees its last commit. Lance keeps the files of older versions for a while, so
that a reader goes on undisturbed; a handle whose files are gone all the same is opened again. A folder has one
writer at a time by a lock that the kernel lets go of when a process dies; on object storage Lance's own commits
decide, and who comes second tries again.
"""

import os
import time
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from threading import Lock, RLock
from typing import Any, TypeVar

from pincite_core.errors import DamagedError, PinciteError, UnavailableError, UnknownFormatError
from pincite_core.object_storage import endpoint
from pincite_core.platform import CLOEXEC, try_lock
from pincite_library.store.lance.modules import lancedb
from pincite_library.store.lance.rows import VERSION

INDEX_CACHE_BYTES = 512 * 1024 * 1024
"""Bytes of indexes in memory. Set by judgement."""
METADATA_CACHE_BYTES = 256 * 1024 * 1024
"""Bytes of metadata in memory. Set by judgement."""
_REMOTE_SECONDS = 2.0
"""How old what another process has written to object storage may be before it is seen."""
_TRIES = 8
"""Tries of a read that an upkeep overtook. Set by judgement."""
_TICK = 100_000_000
"""Two commits in so many ns may leave the same time on a folder."""
_CONFLICT = ("conflict", "concurrent", "retryable", "preempted")
_FAILURES = (RuntimeError, ValueError, OSError, TimeoutError)
"""What LanceDB raises; errors of its core are RuntimeError or OSError with its message."""

Answer = TypeVar("Answer")


class VacuumedError(UnavailableError):
    """The state of the library that was being read is gone, because a vacuum removed its files."""


class Session:
    """A connection to ``uri``: a local folder, or object storage (``s3://bucket/path``)."""

    def __init__(self, uri: str, *, wait: float = 30.0) -> None:
        self.uri = uri = uri.removeprefix("file://")
        self.wait = wait
        self.folder = None if "://" in uri else Path(uri)
        self._lock = Lock()
        self._writer = RLock()
        self._depth = 0
        self._tables: dict[str, Any] = {}
        self._versions: dict[str, tuple[int, int]] = {}
        self._closed = False
        with self.worded():
            self._connection = _connect(uri, self.folder)

    def names(self) -> list[str]:
        """The names of the tables."""
        with self.worded():
            return list(self._connection.list_tables().tables)

    def table(self, name: str) -> Any:
        """A table, opened once; UnknownFormatError when it is not a library's or of a newer version."""
        if self._closed:
            raise UnavailableError("The library was closed.", next="Open it again.")
        with self._lock:
            found = self._tables.get(name)
            if found is None:
                found = self._connection.open_table(name)
                _check_version(found, self.uri)
                self._tables[name] = found
            return found

    def version(self, name: str) -> int:
        """The number of a table's newest version."""
        # Asking LanceDB goes through its thread and back, several times in a search; a commit touches this folder.
        stamp = self._stamp(name)
        settled = stamp > 0 and time.time_ns() - stamp > _TICK
        with self._lock:
            known = self._versions.get(name)
        if known is not None and settled and known[0] == stamp:
            return known[1]
        version = self.reading(name, lambda table: int(table.version))
        if settled:
            with self._lock:
                self._versions[name] = (stamp, version)
        return version

    def _stamp(self, name: str) -> int:
        """When a version of a local table was last written, in ns; 0 where that cannot be told."""
        if self.folder is None:
            return 0
        try:
            return (self.folder / f"{name}.lance" / "_versions").stat().st_mtime_ns
        except OSError:
            return 0

    def newest(self, name: str) -> int:
        """The same, asking object storage again however short a time ago it was asked."""

        def ask(table: Any) -> int:
            table.checkout_latest()
            return int(table.version)

        return self.reading(name, ask)

    def create(self, name: str, schema: Any, prepare: Callable[[Any], None]) -> None:
        """Make a table with its indexes, unless another process was quicker."""
        with self.worded():
            table = self._connection.create_table(name, schema=schema, exist_ok=True)
            prepare(table)

    def drop(self, name: str) -> None:
        """Remove a table with its files."""
        self.forget(name)
        with self.worded():
            self._connection.drop_table(name, ignore_missing=True)

    def forget(self, name: str) -> None:
        """Open the table again when it is next asked for."""
        with self._lock:
            self._tables.pop(name, None)

    def reading(self, name: str, ask: Callable[[Any], Answer]) -> Answer:
        """What ``ask`` says of the table; again with a new handle where a vacuum has removed the old one's files."""
        with self.worded():
            for attempt in range(_TRIES):
                try:
                    return ask(self.table(name))
                except _FAILURES as error:
                    self.forget(name)
                    again = attempt == 0 or _is_gone(error)
                    if attempt == _TRIES - 1 or not again:
                        raise
        raise AssertionError

    def scan(self, name: str, where: str, columns: Sequence[str]) -> Any:
        """The rows of a table for which a condition holds, as an Arrow table."""
        wanted = list(columns)
        return self.reading(name, lambda table: table.search().where(where).select(wanted).limit(None).to_arrow())

    def pinned(self, name: str) -> Callable[[str, Sequence[str]], Any]:
        """``scan`` of a table as it is now, whatever is written after.

        A vacuum lets the table's files last a second. After that the scan raises VacuumedError.
        """
        with self.worded():
            self.table(name)
            table = self._connection.open_table(name)
            table.checkout(table.version)

        def scan(where: str, columns: Sequence[str]) -> Any:
            with self.worded():
                try:
                    return table.search().where(where).select(list(columns)).limit(None).to_arrow()
                except _FAILURES as error:
                    if _is_gone(error):
                        raise VacuumedError(
                            "The library was put in order while it was being read.", seen=self.uri, next="Try again."
                        ) from error
                    raise

        return scan

    def writing(self, name: str, change: Callable[[Any], Answer]) -> Answer:
        """Change the table by one commit, again with a new handle when another writer's came in between."""
        with self.worded():
            for attempt in range(_TRIES):
                try:
                    return change(self.table(name))
                except _FAILURES as error:
                    self.forget(name)
                    if attempt == _TRIES - 1 or not any(word in str(error).lower() for word in _CONFLICT):
                        raise
                time.sleep(0.05 * 2**attempt)
        raise AssertionError

    @contextmanager
    def alone(self) -> Generator[None]:
        """Be the only writer of a local folder to the end of the block; UnavailableError when another takes long."""
        with self._locked(self.wait) as free:
            if not free:
                raise UnavailableError(
                    "Another process has been writing to the library for too long.",
                    seen=self.uri,
                    next="Try again when it is done.",
                )
            yield

    @contextmanager
    def alone_if_free(self) -> Generator[bool]:
        """As ``alone``, without waiting: whether nobody else is writing."""
        with self._locked(0.0) as free:
            yield free

    @contextmanager
    def _locked(self, wait: float) -> Generator[bool]:
        if not self._writer.acquire(timeout=wait):
            yield False
            return
        descriptor = -1
        try:
            outermost = self.folder is not None and not self._depth
            if outermost and self.folder is not None:
                with self.worded():
                    descriptor = os.open(self.folder / "writer.lock", os.O_RDWR | os.O_CREAT | CLOEXEC, 0o644)
                if not _take(descriptor, wait):
                    yield False
                    return
            self._depth += 1
            try:
                yield True
            finally:
                self._depth -= 1
        finally:
            if descriptor >= 0:
                os.close(descriptor)
            self._writer.release()

    def close(self) -> None:
        """End the use of the tables."""
        with self._lock:
            self._closed = True
            self._tables.clear()

    @contextmanager
    def worded(self) -> Generator[None]:
        """Turn what LanceDB raises into UnavailableError or DamagedError."""
        try:
            yield
        except PinciteError:
            raise
        except _FAILURES as error:
            raise self._in_words(error) from error

    def _in_words(self, error: Exception) -> PinciteError:
        message = " ".join(str(error).split())[:400]
        seen = f"{self.uri}: {message}"
        low = message.lower()
        if any(word in low for word in _CONFLICT):
            return UnavailableError(
                "Other writers have changed the library at the same time.", seen=seen, next="Try again."
            )
        if self.folder is None:
            return UnavailableError(
                "The library on object storage could not be read or written.",
                seen=seen,
                next="Check the address, the credentials (AWS_* variables) and the service.",
            )
        if any(
            word in low
            for word in ("no space", "permission denied", "read-only", "too many open files", "is a directory")
        ):
            return UnavailableError(
                "The library's folder could not be used.", seen=seen, next="Check free space and permissions."
            )
        return DamagedError(
            "The library is damaged.",
            seen=seen,
            next="See what is wrong with: pincite library check. Make the library again from the papers.",
        )


def _is_gone(error: Exception) -> bool:
    """Whether an error of LanceDB says that a file is missing."""
    return "not found" in str(error).lower()


def _connect(uri: str, folder: Path | None) -> Any:
    lance = lancedb()
    if folder is not None:
        folder.mkdir(parents=True, exist_ok=True)
    # Without bounds of its own Lance would keep up to 6 GB of indexes in memory.
    caches = lance.Session(index_cache_size_bytes=INDEX_CACHE_BYTES, metadata_cache_size_bytes=METADATA_CACHE_BYTES)
    fresh = timedelta(seconds=_REMOTE_SECONDS if folder is None else 0)
    options = None if folder is not None else storage_options()
    return lance.connect(uri, read_consistency_interval=fresh, session=caches, storage_options=options)


def storage_options() -> dict[str, str]:
    """Options for object storage beyond those that Lance reads itself: plain http only where the endpoint says so."""
    url = endpoint()
    if not url:
        return {}
    return {"aws_endpoint": url, **({"allow_http": "true"} if url.startswith("http://") else {})}


def _take(descriptor: int, wait: float) -> bool:
    """Lock the file; whether it was free in time."""
    until = time.monotonic() + wait
    while True:
        if try_lock(descriptor):
            return True
        if time.monotonic() >= until:
            return False
        time.sleep(0.02)


def _check_version(table: Any, uri: str) -> None:
    metadata: dict[bytes, bytes] = table.schema.metadata or {}
    found = metadata.get(b"pincite-version", b"").decode()
    if not found.isdigit():
        raise UnknownFormatError("The LanceDB is not a library.", seen=uri, next="Name another folder for the library.")
    if int(found) > VERSION:
        raise UnknownFormatError(
            "The library was made by a newer version of pincite.",
            seen=f"version {found}, known are versions up to {VERSION}",
            next="Update pincite, or make a new library from the papers.",
        )
