"""Database: the SQLite file of a ledger, opened for one piece of work and closed after it."""

import errno
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Generator
from contextlib import closing, contextmanager
from pathlib import Path

from pincite_core.errors import DamagedError, LimitReachedError, PinciteError, UnavailableError

_BUSY_SECONDS = 30.0

_TABLE = """
CREATE TABLE entries (
    seq INTEGER PRIMARY KEY NOT NULL,
    previous TEXT NOT NULL,
    hash TEXT NOT NULL,
    content TEXT NOT NULL,
    seal TEXT NOT NULL
)"""
_NO_UPDATE = """
CREATE TRIGGER entries_are_not_changed BEFORE UPDATE ON entries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"""
_NO_DELETE = """
CREATE TRIGGER entries_are_not_dropped BEFORE DELETE ON entries
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"""
_ONLY_AT_THE_END = """
CREATE TRIGGER entries_follow_each_other BEFORE INSERT ON entries
WHEN NEW.seq IS NOT (SELECT coalesce(max(seq) + 1, 0) FROM entries)
BEGIN SELECT RAISE(ABORT, 'the ledger is append-only'); END"""
_STATEMENTS = (_TABLE, _NO_UPDATE, _NO_DELETE, _ONLY_AT_THE_END)
_EXPECTED = {" ".join(statement.split()) for statement in _STATEMENTS}


@contextmanager
def writing(path: Path) -> Generator[sqlite3.Connection]:
    """A connection that writes, in ``transaction``s; the file and its folder are made where they are not there.

    UnavailableError where the file cannot be written (read-only, locked for 30 s), LimitReachedError on a full disk,
    DamagedError where it is not a database.
    """
    with _told(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        with closing(sqlite3.connect(path, timeout=_BUSY_SECONDS, isolation_level=None)) as connection:
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            yield connection


@contextmanager
def transaction(connection: sqlite3.Connection) -> Generator[None]:
    """Take the write lock; keep what the body wrote when it ends without an error."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def reading(path: Path) -> Generator[sqlite3.Connection]:
    """A connection that reads one state of the file, which must be there; sqlite3.DatabaseError as it comes.

    On a disk that cannot be written, where SQLite cannot open what a writer left open, a copy is read.
    """
    try:
        connection = _open_to_read(path)
    except sqlite3.OperationalError:
        with tempfile.TemporaryDirectory(prefix="pincite-ledger-") as folder:
            copy = Path(folder) / path.name
            for suffix in ("", "-wal"):
                beside = path.with_name(path.name + suffix)
                if beside.exists():
                    shutil.copyfile(beside, copy.with_name(copy.name + suffix))
            with closing(_open_to_read(copy)) as connection:
                yield connection
        return
    with closing(connection):
        yield connection


def create_tables(connection: sqlite3.Connection) -> None:
    """The table of the entries, and the triggers that refuse to change or drop them."""
    for statement in _STATEMENTS:
        connection.execute(statement)


def schema_faults(connection: sqlite3.Connection) -> list[str]:
    """How the tables and triggers differ from those of a ledger; ["empty"] for a file without any."""
    rows = connection.execute("SELECT type, name, sql FROM sqlite_master WHERE sql IS NOT NULL").fetchall()
    if not rows:
        return ["empty"]
    found = {" ".join(str(sql).split()): f"the {kind} {name}" for kind, name, sql in rows}
    foreign = [f"{name} is not a ledger's" for sql, name in found.items() if sql not in _EXPECTED]
    gone = [f"the {_named(sql)} is missing or was changed" for sql in sorted(_EXPECTED - set(found))]
    return gone + foreign


def _named(statement: str) -> str:
    kind, name = re.findall(r"\w+", statement)[1:3]
    return f"{kind.lower()} {name}"


def _open_to_read(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(
        f"{path.absolute().as_uri()}?mode=ro", uri=True, timeout=_BUSY_SECONDS, isolation_level=None
    )
    try:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("BEGIN")
        connection.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        connection.close()
        raise
    return connection


@contextmanager
def _told(path: Path) -> Generator[None]:
    """Faults of the disk and of SQLite in our words."""
    try:
        yield
    except (sqlite3.DatabaseError, OSError) as error:
        raise in_words(path, error) from error


def in_words(path: Path, error: sqlite3.DatabaseError | OSError) -> PinciteError:
    """What an error of SQLite or of the disk means for a caller."""
    text = str(error)
    if "is full" in text or (isinstance(error, OSError) and error.errno == errno.ENOSPC):
        return LimitReachedError(
            f"The disk of the ledger {path} is full: nothing was recorded.", seen=text, next="Make room and try again."
        )
    if isinstance(error, OSError | sqlite3.OperationalError) and "decode" not in text:
        return UnavailableError(
            f"The ledger {path} could not be used: nothing was recorded.",
            seen=text,
            next="Give write access to it and its folder, or set PINCITE_LEDGER to another file.",
        )
    return DamagedError(
        f"The ledger {path} is damaged.",
        seen=text,
        next="Run `pincite provenance check`, keep the file as evidence and put back a copy.",
    )
