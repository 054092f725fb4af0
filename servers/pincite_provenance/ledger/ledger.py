"""Ledger: rows are appended by any number of processes, and read; nothing is ever changed."""

import sqlite3
import uuid
from collections.abc import Callable, Generator, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any

from pincite_core.errors import ForbiddenError
from pincite_core.settings import Settings
from pincite_provenance.ledger.database import (
    create_tables,
    in_words,
    reading,
    schema_faults,
    transaction,
    writing,
)
from pincite_provenance.ledger.errors import tampered
from pincite_provenance.ledger.head import Head, head_path, read_head, write_head
from pincite_provenance.ledger.row import FORMAT, NO_ROW, Row, make_row, true_row

_COLUMNS = "SELECT seq, previous, hash, content, seal FROM entries"


class Past:
    """The rows that are there while another is appended: none is added meanwhile."""

    def __init__(self, connection: sqlite3.Connection) -> None:
        self._connection = connection

    def row(self, seq: int) -> Row | None:
        """The row with this number, None where there is none."""
        return _row(self._connection, seq)

    def after(self, seq: int) -> Iterator[Row]:
        """The rows after the one with this number, in order."""
        for values in self._connection.execute(f"{_COLUMNS} WHERE seq > ? ORDER BY seq", (seq,)):
            yield Row(*values)


@dataclass(frozen=True, slots=True)
class Appended:
    """A row that was recorded; ``warning`` says why the head does not hold it yet, "" where it does."""

    row: Row
    warning: str = ""


class Ledger:
    """The ledger at a path; made by the first row. Safe in several threads and processes."""

    def __init__(self, path: Path, *, key: bytes | None = None) -> None:
        self.path = path
        self.key = key

    @classmethod
    def of(cls, settings: Settings) -> "Ledger":
        """The ledger that the settings name."""
        key = settings.ledger_key
        return cls(settings.ledger, key=None if key is None else key.get_secret_value().encode())

    def append(self, make: Callable[[Past], Mapping[str, Any]]) -> Appended:
        """Record what ``make`` returns, with ``seq`` and ``time`` added; it may look at rows and raise to refuse.

        The row is on disk, and in the head, before this returns. Raises TamperedError where the end of the ledger is
        not what the head says, ForbiddenError where seals are wanted and cannot be made, UnavailableError,
        LimitReachedError and DamagedError as ``writing`` does.
        """
        with writing(self.path) as connection:
            with transaction(connection):
                last = self._last_checked(connection) or self._begin(connection)
                content = dict(make(Past(connection)))
                row = make_row(content | {"seq": last.seq + 1, "time": _now()}, last.hash, self.key)
                _insert(connection, row)
            try:
                self._catch_up(connection)
            except (OSError, sqlite3.DatabaseError) as error:
                name = head_path(self.path).name
                return Appended(row, f"{name} could not be written ({error}); the next claim will do it")
        return Appended(row)

    def rows(self) -> Generator[Row]:
        """All rows in order, from one state of the file; none where no ledger was begun. DamagedError."""
        if not self.path.exists():
            return
        try:
            with reading(self.path) as connection:
                faults = schema_faults(connection)
                if faults == ["empty"]:
                    return
                if faults:
                    raise tampered(self.path, "; ".join(faults))
                for values in connection.execute(f"{_COLUMNS} ORDER BY seq"):
                    yield Row(*values)
        except (sqlite3.DatabaseError, OSError) as error:
            raise in_words(self.path, error) from error

    def _begin(self, connection: sqlite3.Connection) -> Row:
        """Row 0. Its head comes first: a ledger that has rows and no head was never left so by us."""
        name = str(uuid.uuid4())
        content: dict[str, Any] = {
            "format": FORMAT,
            "kind": "genesis",
            "ledger": name,
            "sealed": self.key is not None,
            "seq": 0,
            "software": f"pincite {version('pincite')}",
            "time": _now(),
        }
        row = make_row(content, NO_ROW, self.key)
        write_head(self.path, Head.at(name, row, self.key))
        create_tables(connection)
        _insert(connection, row)
        return row

    def _last_checked(self, connection: sqlite3.Connection) -> Row | None:
        """The last row, None in a file that was never begun; TamperedError where the end is not as it was left."""
        head = self._head()
        faults = schema_faults(connection)
        if faults == ["empty"]:
            if head is not None and head.count > 1:
                raise tampered(self.path, f"it is empty; by its head it has {head.count} rows")
            return None
        if faults:
            raise tampered(self.path, "; ".join(faults))
        if head is None:
            raise tampered(self.path, f"{head_path(self.path).name}, which every ledger has, is gone")
        genesis, at = self._genesis(_row(connection, 0)), _row(connection, head.count - 1)
        if genesis["ledger"] != head.ledger:
            raise tampered(self.path, "it is another ledger than the one its head names")
        if at is None or at.hash != head.hash:
            raise tampered(self.path, f"its head says that row {head.count - 1} has the hash {head.hash[:16]}")
        self._check_seals(genesis, head)
        return self._walk(connection, at)

    def _walk(self, connection: sqlite3.Connection, at: Row) -> Row:
        """The last row, from the head's row on: each must be chained to the one before."""
        if at != true_row(at, self.key):
            raise tampered(self.path, f"row {at.seq} was changed")
        for row in Past(connection).after(at.seq):
            linked = row.seq == at.seq + 1 and row.previous == at.hash
            if not linked or row != true_row(row, self.key):
                raise tampered(self.path, f"row {row.seq} is not chained to row {at.seq}")
            at = row
        return at

    def _check_seals(self, genesis: Mapping[str, Any], head: Head) -> None:
        sealed = genesis.get("sealed") is True
        if sealed and self.key is None:
            raise ForbiddenError(
                f"The ledger {self.path} is sealed with a key that is not set.", next="Set PINCITE_LEDGER_KEY."
            )
        if self.key is None:
            return
        if not sealed:
            raise ForbiddenError(
                f"The ledger {self.path} was started without a key, so a seal on new rows would prove nothing.",
                next="Unset PINCITE_LEDGER_KEY, or set PINCITE_LEDGER to a new file.",
            )
        if not head.is_sealed_with(self.key):
            raise tampered(self.path, "the seal of its head is not that of PINCITE_LEDGER_KEY")

    def _head(self) -> Head | None:
        try:
            return read_head(self.path)
        except ValueError as error:
            raise tampered(self.path, f"{head_path(self.path).name} cannot be read: {error}") from error

    def _catch_up(self, connection: sqlite3.Connection) -> None:
        """Write the head of the last row, under the write lock: the heads of several writers follow each other."""
        with transaction(connection):
            last = self._last_checked(connection)
            if last is not None:
                ledger = self._genesis(_row(connection, 0))["ledger"]
                write_head(self.path, Head.at(ledger, last, self.key))

    def _genesis(self, row: Row | None) -> dict[str, Any]:
        content: dict[str, Any] = {}
        with suppress(ValueError):
            content = row.read() if row is not None else {}
        if content.get("kind") != "genesis":
            raise tampered(self.path, "row 0, which names the ledger, is gone or was changed")
        return content


def _row(connection: sqlite3.Connection, seq: int) -> Row | None:
    values = connection.execute(f"{_COLUMNS} WHERE seq = ?", (seq,)).fetchone()
    return None if values is None else Row(*values)


def _insert(connection: sqlite3.Connection, row: Row) -> None:
    connection.execute(
        "INSERT INTO entries (seq, previous, hash, content, seal) VALUES (?, ?, ?, ?, ?)",
        (row.seq, row.previous, row.hash, row.content, row.seal),
    )


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
