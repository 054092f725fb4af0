"""Connections: the SQLite file of a library for several threads and processes, its failures in pincite's words."""

import os
import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from pincite_core.errors import DamagedError, NotFoundError, PinciteError, UnavailableError

_PRAGMAS = (
    # A commit is in the log's file when put_paper returns: no kill loses it. After a power cut the library is whole,
    # but may miss the last papers, which the next ingest sees and adds; waiting for the disk at each took longer than
    # all else about a paper (20 ms and more). Checkpoints and files of vectors do wait for it.
    "PRAGMA synchronous = NORMAL",
    "PRAGMA wal_autocheckpoint = 4000",
    "PRAGMA cache_size = -32768",
    "PRAGMA secure_delete = OFF",
    "PRAGMA temp_store = MEMORY",
    # Else the log keeps the size of the largest transaction that ever was.
    "PRAGMA journal_size_limit = 67108864",
)
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {
    sqlite3.SQLITE_CORRUPT,
    sqlite3.SQLITE_NOTADB,
    sqlite3.SQLITE_FORMAT,
    sqlite3.SQLITE_MISMATCH,
    sqlite3.SQLITE_CONSTRAINT,
}
_NO_LOG = {sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_READONLY}
_ROOM = {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}


class Connections:
    """Connections to one file, lent to one thread at a time; made when needed and kept for the next.

    ``wait`` is how many seconds a writer waits for another. Where the file or its folder cannot be written, or
    ``read_only`` says so, ``writable`` is False.
    """

    def __init__(self, path: Path, *, read_only: bool = False, wait: float = 30.0) -> None:
        self.path = path
        self.wait = wait
        self._idle: list[sqlite3.Connection] = []
        self._lock = Lock()
        self._writer = Lock()
        self._closed = False
        self._mode = "ro" if read_only or not _may_write(path) else "rwc"
        if not self.writable and not path.is_file():
            raise NotFoundError(
                "There is no library.", seen=str(path), next="Make one with: pincite library add PAPERS"
            )

    @property
    def writable(self) -> bool:
        """Whether this process may write to the library."""
        return self._mode == "rwc"

    @contextmanager
    def lent(self) -> Generator[sqlite3.Connection]:
        """A connection for the caller alone, outside of any transaction; SQLite's errors come out as pincite's."""
        with self._lock:
            if self._closed:
                raise UnavailableError("The library was closed.", next="Open it again.")
            connection = self._idle.pop() if self._idle else None
        with worded(self.path):
            connection = connection or self._open()
            try:
                yield connection
            finally:
                self._give_back(connection)

    @contextmanager
    def reading(self) -> Generator[sqlite3.Connection]:
        """A connection that sees one state of the library to the end of the block."""
        with self.lent() as connection:
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def writing(self) -> Generator[sqlite3.Connection]:
        """A connection that alone may write: all is kept at the end of the block, nothing when it fails."""
        if not self.writable:
            raise UnavailableError(
                "The library can only be read here.", seen=str(self.path), next="Give this user write permission."
            )
        # Threads of this process wait in line; SQLite's own waiting looks again only every tenth of a second.
        if not self._writer.acquire(timeout=self.wait):
            raise _locked(f"{self.path}: another thread")
        try:
            with self.lent() as connection:
                connection.execute("BEGIN IMMEDIATE")
                yield connection
                connection.execute("COMMIT")
        finally:
            self._writer.release()

    def close(self) -> None:
        """Close what is idle, and what is lent when it comes back."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _give_back(self, connection: sqlite3.Connection) -> None:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        with self._lock:
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def _open(self) -> sqlite3.Connection:
        connection = self._connect()
        try:
            for pragma in _PRAGMAS:
                connection.execute(pragma)
            connection.execute("SELECT count(*) FROM sqlite_master")
        except sqlite3.OperationalError as error:
            connection.close()
            if self._mode != "ro" or error.sqlite_errorcode & 0xFF not in _NO_LOG:
                raise
            # A log needs files beside it: in a folder that nobody can write to, nothing changes either.
            self._mode = "ro&immutable=1"
            return self._open()
        except BaseException:
            connection.close()
            raise
        return connection

    def _connect(self) -> sqlite3.Connection:
        uri = f"{self.path.absolute().as_uri()}?mode={self._mode}"
        # No transactions of Python's own; a connection goes from thread to thread, but only one has it at a time.
        return sqlite3.connect(uri, uri=True, timeout=self.wait, isolation_level=None, check_same_thread=False)


def _may_write(path: Path) -> bool:
    """Whether this user may write the file and make others beside it."""
    return os.access(path.parent, os.W_OK) and (not path.exists() or os.access(path, os.W_OK))


@contextmanager
def worded(path: Path) -> Generator[None]:
    """Turn what SQLite raises into UnavailableError (locked, full, forbidden) or DamagedError, with what to do."""
    try:
        yield
    except sqlite3.Error as error:
        raise _in_words(error, path) from error
    except OSError as error:
        if isinstance(error, FileNotFoundError):
            raise
        raise UnavailableError(
            "The library's files could not be read or written. What was there is kept.",
            seen=str(error),
            next="Free space or fix the folder's permissions, then try again.",
        ) from error


def _locked(seen: str) -> UnavailableError:
    return UnavailableError(
        "Another writer has been at work in the library for too long.", seen=seen, next="Try again when it is done."
    )


def _in_words(error: sqlite3.Error, path: Path) -> PinciteError:
    code = getattr(error, "sqlite_errorcode", None)
    primary = None if code is None else code & 0xFF
    seen = f"{path}: {error}"
    if primary in _BUSY:
        return _locked(seen)
    if primary in _ROOM:
        return UnavailableError(
            "The library could not be read or written: the disk is full or fails. What was there is kept.",
            seen=seen,
            next="Make room, then try again.",
        )
    if primary in _DAMAGED or (primary == sqlite3.SQLITE_ERROR and "no such" in str(error)):
        return DamagedError(
            "The library's file is damaged.",
            seen=seen,
            next="See what is wrong with: pincite library check. Make the library again from the papers.",
        )
    return UnavailableError("The library cannot be opened or used.", seen=seen, next="Check the folder's permissions.")
