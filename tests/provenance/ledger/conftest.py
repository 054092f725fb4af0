"""A ledger with rows, and raw access to its file as someone with an editor for databases has it."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from pincite_provenance.ledger.ledger import Ledger

TRIGGERS = ("entries_are_not_changed", "entries_are_not_dropped", "entries_follow_each_other")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "claims.db"


@pytest.fixture
def fill() -> Callable[..., Ledger]:
    """Append ``count`` rows to the ledger at a path."""

    def fill(path: Path, count: int, key: bytes | None = None) -> Ledger:
        ledger = Ledger(path, key=key)
        for number in range(count):
            ledger.append(lambda _past, number=number: {"kind": "claim", "text": f"Tc ist {number} K — naïve"})
        return ledger

    return fill


@pytest.fixture
def raw() -> Callable[[Path], object]:
    """``with raw(path) as connection:`` the triggers are dropped while the body runs, and put back after it."""

    @contextmanager
    def opened(path: Path, *, restore: bool = True) -> Iterator[sqlite3.Connection]:
        with closing(sqlite3.connect(path)) as connection:
            kept = [sql for (sql,) in connection.execute("SELECT sql FROM sqlite_master WHERE type = 'trigger'")]
            for name in TRIGGERS:
                connection.execute(f"DROP TRIGGER IF EXISTS {name}")
            yield connection
            if restore:
                for sql in kept:
                    connection.execute(sql)
            connection.commit()

    return opened
