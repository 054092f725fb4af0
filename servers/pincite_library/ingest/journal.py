"""Journal: which sources a library was made from, as they were, and what became of each."""

import os
import sqlite3
import time
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from pincite_core.errors import UnavailableError, UnreadableError

FILE = "sources.db"
_FORM = 1
"""Version of the journal's tables."""
_BUSY_SECONDS = 30.0
"""Seconds to wait for another process's write. Set by judgement."""
_SETTLED_NS = 2_000_000_000
"""Nanoseconds after a change of a file from which its time stamp tells later changes apart: FAT counts in 2 s."""
_SCHEMA = """
CREATE TABLE IF NOT EXISTS sources(
    name TEXT PRIMARY KEY, standing TEXT NOT NULL, path TEXT NOT NULL, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
    digest TEXT NOT NULL, version TEXT NOT NULL, code TEXT NOT NULL, why TEXT NOT NULL, next TEXT NOT NULL,
    at TEXT NOT NULL) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS sources_of ON sources(digest);
CREATE TABLE IF NOT EXISTS leaving(digest TEXT PRIMARY KEY) WITHOUT ROWID;
"""


class Standing(StrEnum):
    """What came of a source when it was last looked at."""

    KEPT = "kept"
    """A paper, which is in the library."""
    FAILED = "failed"
    FOREIGN = "foreign"
    """It is not a paper."""
    REMOVED = "removed"
    """The user removed its paper: only by its own name does it come back."""


@dataclass(frozen=True, slots=True)
class Known:
    """A source as it was when it was last looked at. ``name`` is its path, address or identifier.

    ``path`` is the file that was read for an identifier, else "". ``size`` and ``mtime_ns`` are 0 for what is not a
    file, ``mtime_ns`` also where the file was so new that it may change within the same tick of its clock.
    """

    name: str
    standing: Standing
    path: str = ""
    size: int = 0
    mtime_ns: int = 0
    digest: str = ""
    """SHA-256 of the bytes that the library has a paper of, which is also its id; "" where it has none. A source that
    gives no paper any more keeps that of the paper it gave."""
    version: str = ""
    """Of parser, chunks and terms, when it was looked at."""
    code: str = ""
    why: str = ""
    next: str = ""
    at: str = ""
    """ISO 8601 in UTC."""

    @property
    def paper_id(self) -> str:
        return f"sha256:{self.digest}" if self.digest else ""


_COLUMNS = tuple(field.name for field in fields(Known))
_PUT = f"INSERT OR REPLACE INTO sources({', '.join(_COLUMNS)}) VALUES({', '.join('?' * len(_COLUMNS))})"
_SELECT = f"SELECT {', '.join(_COLUMNS)} FROM sources"  # noqa: S608 - names of ours


class Journal:
    """The file ``sources.db`` beside a library: it can be lost without losing a paper, only what is known of sources.

    What is written survives the death of the process. UnavailableError where the file cannot be used, UnreadableError
    where it is damaged. ``writable=False`` only reads, also what this user may not write to. For one thread at a time.
    """

    def __init__(self, folder: Path, *, writable: bool = True) -> None:
        self._path = folder / FILE
        with self._worded():
            self._connection = self._opened() if writable else self._opened_to_read()
            try:
                (form,) = self._connection.execute("PRAGMA user_version").fetchone()
            except sqlite3.DatabaseError:
                self._connection.close()
                raise
        if form > _FORM:
            self._connection.close()
            raise UnreadableError(
                f"{self._path} was written by a newer pincite.", seen=f"version {form}", next="Upgrade pincite."
            )

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        self._connection.close()

    def _opened(self) -> sqlite3.Connection:
        connection = _connected(str(self._path))
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.execute("PRAGMA synchronous=NORMAL")
            connection.executescript(_SCHEMA)
            if connection.execute("PRAGMA user_version").fetchone() == (0,):
                connection.execute(f"PRAGMA user_version={_FORM}")
        except sqlite3.DatabaseError:
            connection.close()
            raise
        return connection

    def _opened_to_read(self) -> sqlite3.Connection:
        """The file as it is; an empty journal where there is none."""
        if not self._path.exists():
            connection = _connected(":memory:")
            connection.executescript(_SCHEMA)
            return connection
        address = self._path.absolute().as_uri()
        # A log cannot be shared in a folder that cannot be written to: there the file is read without it.
        return _connected(f"{address}?{'mode=ro' if os.access(self._path.parent, os.W_OK) else 'immutable=1'}")

    def of(self, name: str) -> Known | None:
        """What is known of one source."""
        found = self._rows(f"{_SELECT} WHERE name = ?", (name,))
        return found[0] if found else None

    def under(self, folder: str) -> list[Known]:
        """The files that are known in a folder and its folders, by path."""
        start = folder.rstrip("/") + "/"
        return self._rows(f"{_SELECT} WHERE name >= ? AND name < ? ORDER BY name", (start, start[:-1] + "0"))

    def of_paper(self, digest: str) -> list[Known]:
        """The sources that give this paper, by name."""
        return self._rows(f"{_SELECT} WHERE digest = ? AND standing != 'removed' ORDER BY name", (digest,))

    def with_standing(self, standing: Standing) -> list[Known]:
        """The sources of this standing, by name."""
        return self._rows(f"{_SELECT} WHERE standing = ? ORDER BY name", (standing.value,))

    def counts(self) -> dict[str, int]:
        """How many sources there are of each standing."""
        with self._worded():
            return dict(self._connection.execute("SELECT standing, count(*) FROM sources GROUP BY 1 ORDER BY 1"))

    def check(self, papers: Collection[str]) -> list[str]:
        """What is wrong with the journal, in words, for a store with these papers."""
        with self._worded():
            problems = [
                f"{self._path}: {said}"
                for (said,) in self._connection.execute("PRAGMA integrity_check")
                if said != "ok"
            ]
        lost = [known for known in self.with_standing(Standing.KEPT) if known.paper_id not in papers]
        again = "`pincite library add` brings it back"
        return problems + [f"the paper of {known.name} is not in the library: {again}" for known in lost]

    def put(self, *sources: Known, leaving: str = "") -> None:
        """Write what is known now, all or none of it. ``leaving``: a paper (its digest) that is to go."""
        with self._writing() as connection:
            connection.executemany(_PUT, [tuple(getattr(known, name) for name in _COLUMNS) for known in sources])
            if leaving:
                connection.execute("INSERT OR IGNORE INTO leaving VALUES(?)", (leaving,))

    def forget(self, names: Sequence[str], *, leaving: str = "") -> None:
        """Forget sources, and note that the paper ``leaving`` is to go."""
        with self._writing() as connection:
            connection.executemany("DELETE FROM sources WHERE name = ?", [(name,) for name in names])
            if leaving:
                connection.execute("INSERT OR IGNORE INTO leaving VALUES(?)", (leaving,))

    def leaving(self) -> list[str]:
        """The digests of papers that are to go and that no source gives."""
        with self._worded():
            found = self._connection.execute(
                "SELECT digest FROM leaving"
                " WHERE digest NOT IN (SELECT digest FROM sources WHERE standing != 'removed')"
            )
            return [digest for (digest,) in found]

    def left(self) -> None:
        """All that was to go has gone."""
        with self._writing() as connection:
            connection.execute("DELETE FROM leaving")

    def _rows(self, query: str, values: Sequence[str]) -> list[Known]:
        with self._worded():
            return [_known(row) for row in self._connection.execute(query, values)]

    @contextmanager
    def _writing(self) -> Generator[sqlite3.Connection]:
        with self._worded():
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
            except BaseException:
                self._connection.execute("ROLLBACK")
                raise
            self._connection.execute("COMMIT")

    @contextmanager
    def _worded(self) -> Generator[None]:
        try:
            yield
        except sqlite3.OperationalError as error:
            raise UnavailableError(f"{self._path} cannot be used.", seen=str(error)) from error
        except sqlite3.DatabaseError as error:
            raise UnreadableError(
                f"{self._path} is damaged.",
                seen=str(error),
                next="Delete it: no paper is lost; the next `pincite library add` reads every file again.",
            ) from error


def settled(mtime_ns: int) -> int:
    """``mtime_ns``, or 0 where the file changed a moment ago and may change again without a new one."""
    return mtime_ns if time.time_ns() - mtime_ns > _SETTLED_NS else 0


def now() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def _connected(place: str) -> sqlite3.Connection:
    return sqlite3.connect(
        place, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False, uri=place.startswith("file:")
    )


def _known(row: Sequence[Any]) -> Known:
    values: dict[str, Any] = dict(zip(_COLUMNS, row, strict=True))
    values["standing"] = Standing(values["standing"])
    return Known(**values)
