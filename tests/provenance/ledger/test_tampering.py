"""Whatever is done to the rows of a ledger behind its back is found: by raw SQL with the triggers dropped, and put back
afterwards, and by changed bytes of the file."""

import random
import shutil
import sqlite3
from contextlib import closing

import pytest

from pincite_provenance.ledger.audit import audit
from pincite_provenance.ledger.head import head_path

ROWS = 12


def test_every_way_of_tampering_with_random_rows_is_found(path, fill, tampering, tmp_path):
    fill(path, ROWS - 1)
    assert audit(path).intact
    chance = random.Random(6)
    missed, done = [], 0
    for attempt in range(12 * len(tampering.WAYS)):
        way = tampering.WAYS[attempt % len(tampering.WAYS)]
        copy = tmp_path / f"{attempt}.db"
        shutil.copyfile(path, copy)
        shutil.copyfile(head_path(path), head_path(copy))
        changed = tampering.tamper(copy, way, chance)
        found = audit(copy)
        if changed and found.intact:
            missed.append((way.__name__, attempt))
        assert changed or found.intact, "nothing is found where nothing was changed"
        assert "guards" not in {finding.kind for finding in found.findings}, "the triggers are back"
        done += changed
    assert missed == []
    assert done > 9 * len(tampering.WAYS)


@pytest.mark.parametrize(
    ("statement", "kind", "seq", "words"),
    [
        (
            "UPDATE entries SET content = replace(content, 'naïve', 'naive') WHERE seq = 3",
            "changed",
            3,
            "its content is",
        ),
        ("UPDATE entries SET hash = replace(hash, substr(hash, 1, 1), 'x') WHERE seq = 3", "changed", 3, "its hash is"),
        ("UPDATE entries SET hash = 'x' WHERE seq = 5", "changed", 5, "its hash is"),
        ("UPDATE entries SET previous = 'x' WHERE seq = 3", "changed", 3, "of the row before"),
        ("UPDATE entries SET content = 'Tc' WHERE seq = 5", "changed", 5, "its content is"),
        ("UPDATE entries SET content = CAST(content AS BLOB) WHERE seq = 2", "changed", 2, "other values than texts"),
        ("DELETE FROM entries WHERE seq = 0", "dropped", 0, "row 0 is missing"),
        ("DELETE FROM entries WHERE seq IN (2, 3)", "dropped", 2, "rows 2 to 3 are missing"),
        ("DELETE FROM entries WHERE seq = 5", "dropped", 5, "row 5 is missing at the end"),
        ("DELETE FROM entries WHERE seq > 2", "dropped", 3, "rows 3 to 5 are missing at the end"),
        ("INSERT INTO entries SELECT 6, previous, hash, content, seal FROM entries WHERE seq = 2", "moved", 6, "row 2"),
    ],
)
def test_a_finding_names_the_row_and_what_was_done_to_it(path, fill, raw, statement, kind, seq, words):
    fill(path, 5)
    with raw(path) as connection:
        connection.execute(statement)
    found = audit(path).findings
    assert [(finding.kind, finding.seq) for finding in found] == [(kind, seq)]
    assert words in found[0].what


def test_a_swapped_file_is_found(path, fill, tmp_path):
    fill(path, 4)
    other = tmp_path / "other.db"
    fill(other, 4)
    shutil.copyfile(other, path)
    assert {finding.kind for finding in audit(path).findings} == {"swapped", "rewritten"}


def test_an_older_copy_is_found(path, fill, tmp_path):
    ledger = fill(path, 2)
    older = tmp_path / "older.db"
    shutil.copyfile(path, older)
    ledger.append(lambda _past: {"kind": "claim"})
    shutil.copyfile(older, path)
    assert [finding.what for finding in audit(path).findings] == [
        "row 3 is missing at the end: by its head the ledger has 4 rows"
    ]


@pytest.mark.parametrize("left", ["nothing", "half", "a changed bit"])
def test_rows_that_are_still_in_the_log_of_sqlite_are_missed_too(path, fill, tmp_path, left):
    """A reader keeps SQLite from moving rows out of its write-ahead log: a copy without that is found to lack them."""
    ledger = fill(path, 3)
    log = path.with_name("claims.db-wal")
    with closing(sqlite3.connect(path)) as reader:
        reader.execute("BEGIN")
        assert reader.execute("SELECT count(*) FROM entries").fetchone() == (4,)
        for _ in range(3):
            ledger.append(lambda _past: {"kind": "claim", "text": "x" * 3000})
        data = log.read_bytes()
        copy = tmp_path / "copy.db"
        shutil.copyfile(path, copy)
        shutil.copyfile(head_path(path), head_path(copy))
    assert len(data) > 4000
    kept = {"nothing": b"", "half": data[: len(data) // 2], "a changed bit": data[:-2000] + b"~" + data[-1999:]}[left]
    copy.with_name("copy.db-wal").write_bytes(kept)
    assert "at the end" in audit(copy).findings[0].what
    copy.with_name("copy.db-wal").write_bytes(data)
    assert audit(copy).intact


def test_a_ledger_that_is_gone_is_found(path, fill):
    fill(path, 2)
    path.unlink()
    assert [finding.kind for finding in audit(path).findings] == ["dropped"]


@pytest.mark.parametrize(
    "statements",
    [
        ["DROP TRIGGER entries_are_not_changed"],
        ["CREATE TRIGGER mine AFTER INSERT ON entries BEGIN SELECT 1; END"],
        ["ALTER TABLE entries RENAME TO kept", "CREATE VIEW entries AS SELECT * FROM kept WHERE seq < 3"],
        ["ALTER TABLE entries ADD COLUMN more TEXT"],
        [
            "DROP TRIGGER entries_are_not_dropped",
            "CREATE TRIGGER entries_are_not_dropped BEFORE DELETE ON entries BEGIN SELECT 1; END",
        ],
    ],
)
def test_changed_tables_and_triggers_are_found_and_get_no_rows(path, fill, statements):
    ledger = fill(path, 3)
    with closing(sqlite3.connect(path)) as connection:
        for statement in statements:
            connection.execute(statement)
        connection.commit()
    assert "guards" in {finding.kind for finding in audit(path).findings}
    with pytest.raises(Exception, match="tampered"):
        ledger.append(lambda _past: {"kind": "claim"})


def test_changed_bytes_of_the_file_never_change_a_row_unseen(path, fill, tmp_path):
    """A byte anywhere in the file: either the rows are read as before, or the change is found."""
    before = list(fill(path, ROWS).rows())
    data = path.read_bytes()
    chance = random.Random("bytes")
    found = 0
    for attempt in range(100):
        at = chance.randrange(len(data))
        copy = tmp_path / f"{attempt}.db"
        copy.write_bytes(data[:at] + bytes([data[at] ^ (1 << chance.randrange(8))]) + data[at + 1 :])
        shutil.copyfile(head_path(path), head_path(copy))
        rows = []
        intact = audit(copy, visit=rows.append).intact
        assert rows == before or not intact, f"byte {at}"
        found += not intact
    assert found > 30
