"""Ways to tamper with the rows of a ledger by raw SQL, as someone with an editor for databases can."""

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from pincite_provenance.ledger.row import make_row

COLUMNS = ("previous", "hash", "content", "seal")
INSERT = "INSERT INTO entries VALUES (?, ?, ?, ?, ?)"


@contextmanager
def unguarded(path: Path, *, restore: bool = True) -> Iterator[sqlite3.Connection]:
    """A connection for which the triggers are gone; they are put back at the end, as if they had never been."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA synchronous = OFF")
        kept = connection.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'").fetchall()
        for name, _ in kept:
            connection.execute(f"DROP TRIGGER {name}")
        yield connection
        if restore:
            for _, sql in kept:
                connection.execute(sql)
        connection.commit()


def tamper(path: Path, way, chance) -> bool:
    """Do it to the ledger at a path, and say whether its rows are other ones now."""
    with unguarded(path) as connection:
        before = rows_of(connection)
        way(connection, before, chance)
        return rows_of(connection) != before


def rows_of(connection):
    return connection.execute("SELECT * FROM entries ORDER BY seq").fetchall()


def change_character(connection, rows, chance):
    """One character of one column of one row, or one more."""
    row = chance.choice(rows)
    column = chance.choice(COLUMNS)
    text = row[1 + COLUMNS.index(column)]
    at = chance.randrange(len(text) + 1)
    new = chance.choice("0123456789abcdef, é\0")
    changed = text[:at] + new + text[at + chance.randrange(2) :]
    connection.execute(f"UPDATE entries SET {column} = ? WHERE seq = ?", (changed, row[0]))


def change_type(connection, rows, chance):
    """The same bytes as another type, or an empty value."""
    column, seq = chance.choice(COLUMNS), chance.choice(rows)[0]
    value = f"CAST({column} AS BLOB)" if chance.random() < 0.5 else "''"
    connection.execute(f"UPDATE entries SET {column} = {value} WHERE seq = ?", (seq,))


def change_number(connection, rows, chance):
    seq = chance.choice(rows)[0]
    connection.execute("UPDATE entries SET seq = ? WHERE seq = ?", (chance.choice([-1, 50, 2**40]), seq))


def drop_rows(connection, rows, chance):
    """One row or several, the first and the last too."""
    first = chance.randrange(len(rows))
    last = min(first + chance.choice([0, 0, 1, 3]), len(rows) - 1)
    connection.execute("DELETE FROM entries WHERE seq BETWEEN ? AND ?", (first, last))


def drop_and_renumber(connection, rows, chance):
    """A row is dropped and those after it move up."""
    gone = chance.randrange(len(rows))
    connection.execute("DELETE FROM entries WHERE seq = ?", (gone,))
    for seq in range(gone + 1, len(rows)):
        connection.execute("UPDATE entries SET seq = ? WHERE seq = ?", (seq - 1, seq))


def swap_rows(connection, rows, chance):
    one, two = chance.sample(range(len(rows)), 2)
    for seq, other in ((-7, one), (one, two), (two, -7)):
        connection.execute("UPDATE entries SET seq = ? WHERE seq = ?", (seq, other))


def swap_contents(connection, rows, chance):
    one, two = chance.sample(rows, 2)
    connection.execute("UPDATE entries SET content = ? WHERE seq = ?", (two[3], one[0]))
    connection.execute("UPDATE entries SET content = ? WHERE seq = ?", (one[3], two[0]))


def duplicate_at_the_end(connection, rows, chance):
    connection.execute(INSERT, (len(rows), *chance.choice(rows)[1:]))


def insert_between(connection, rows, chance):
    """A copy goes between two rows, and those after it move down."""
    at = chance.randrange(len(rows))
    for seq in range(len(rows) - 1, at - 1, -1):
        connection.execute("UPDATE entries SET seq = ? WHERE seq = ?", (seq + 1, seq))
    connection.execute(INSERT, (at, *chance.choice(rows)[1:]))


def reverse_rows(connection, rows, chance):
    connection.execute("DELETE FROM entries")
    for seq, row in enumerate(reversed(rows)):
        connection.execute(INSERT, (seq, *row[1:]))


def rewrite_content_and_its_hash(connection, rows, chance):
    """A row that is sound in itself takes the place of one: the row after it, or the head, does not fit."""
    seq, previous, *_ = chance.choice(rows)
    row = make_row({"kind": "claim", "seq": seq, "text": "Tc is 300 K"}, previous, None)
    connection.execute("UPDATE entries SET content = ?, hash = ? WHERE seq = ?", (row.content, row.hash, seq))


def rewrite_all_that_follows(connection, rows, chance):
    """A row is changed and the whole chain after it computed again: only the head shows it."""
    start = chance.randrange(1, len(rows))
    previous = rows[start - 1][2]
    for seq, *_, content, _seal in rows[start:]:
        made = json.loads(content) | ({"text": "another"} if seq == start else {})
        row = make_row(made, previous, None)
        connection.execute(
            "UPDATE entries SET content = ?, hash = ?, previous = ? WHERE seq = ?",
            (row.content, row.hash, previous, seq),
        )
        previous = row.hash


def empty(connection, rows, chance):
    connection.execute("DELETE FROM entries")


WAYS = [
    change_character, change_type, change_number, drop_rows, drop_and_renumber, swap_rows, swap_contents,
    duplicate_at_the_end, insert_between, reverse_rows, rewrite_content_and_its_hash, rewrite_all_that_follows, empty,
]  # fmt: skip
