"""Rows are appended and read; SQLite itself refuses to change them; the end is checked before each row."""

import hashlib
import json
import shutil
import sqlite3
from contextlib import closing

import pytest

from pincite_core.errors import BadInputError, DamagedError, ForbiddenError, TamperedError
from pincite_provenance.ledger.audit import audit
from pincite_provenance.ledger.head import Head, head_path, read_head, write_head
from pincite_provenance.ledger.ledger import Ledger
from pincite_provenance.ledger.row import canonical, read_id


def test_rows_come_back_in_order_with_number_time_and_hash(path, fill):
    ledger = fill(path, 3)
    rows = list(ledger.rows())
    assert [row.seq for row in rows] == [0, 1, 2, 3]
    assert [row.read()["kind"] for row in rows] == ["genesis", "claim", "claim", "claim"]
    assert [row.read()["seq"] for row in rows] == [0, 1, 2, 3]
    assert rows[2].read()["text"] == "Tc ist 1 K — naïve"
    assert read_id(rows[3].id) == (3, rows[3].hash[:8])
    assert audit(path).intact


def test_the_chain_can_be_verified_by_what_the_format_says_alone(path, fill):
    fill(path, 4)
    previous = "0" * 64
    with closing(sqlite3.connect(path)) as connection:
        rows = connection.execute("SELECT seq, previous, hash, content FROM entries ORDER BY seq").fetchall()
    for number, (seq, before, digest, content) in enumerate(rows):
        assert seq == number == json.loads(content)["seq"]
        assert before == previous
        assert digest == hashlib.sha256(b"pincite-ledger-1\n" + before.encode() + b"\n" + content.encode()).hexdigest()
        previous = digest
    head = json.loads((path.parent / "claims.db.head").read_text())
    assert head == {
        "count": 5,
        "format": "pincite-ledger-1",
        "hash": previous,
        "ledger": json.loads(rows[0][3])["ledger"],
        "seal": "",
    }


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE entries SET content = '{}' WHERE seq = 1",
        "DELETE FROM entries WHERE seq = 2",
        "INSERT OR REPLACE INTO entries VALUES (1, 'x', 'x', '{}', '')",
        "INSERT INTO entries VALUES (7, 'x', 'x', '{}', '')",
        "UPDATE OR REPLACE entries SET seq = 1 WHERE seq = 2",
    ],
)
def test_sqlite_refuses_to_change_rows(path, fill, statement):
    fill(path, 3)
    with closing(sqlite3.connect(path)) as connection, pytest.raises(sqlite3.IntegrityError, match="append-only"):
        connection.execute(statement)
    assert audit(path).intact


def test_nothing_is_made_by_reading(path):
    assert list(Ledger(path).rows()) == []
    done = audit(path)
    assert done.intact
    assert done.rows == 0
    assert not list(path.parent.iterdir())


def test_a_row_that_is_refused_leaves_nothing(path, fill):
    ledger = fill(path, 1)

    def refuse(_past):
        raise BadInputError("No.")

    with pytest.raises(BadInputError):
        ledger.append(refuse)
    assert len(list(ledger.rows())) == 2
    assert ledger.append(lambda past: {"kind": "claim", "after": past.row(1).id}).row.seq == 2


def test_a_first_row_that_is_refused_begins_no_ledger_and_stops_none(path):
    ledger = Ledger(path)

    def refuse(_past):
        raise BadInputError("No.")

    with pytest.raises(BadInputError):
        ledger.append(refuse)
    assert audit(path).intact
    assert ledger.append(lambda _past: {"kind": "claim"}).row.seq == 1
    assert audit(path).intact


def test_half_characters_are_refused(path):
    with pytest.raises(BadInputError, match="surrogate"):
        Ledger(path).append(lambda _past: {"kind": "claim", "text": "\ud800"})


def test_canonical_json_is_that_of_rfc_8785():
    content = {"b": [1, None, True, "€ \u2028 / \x7f"], "a": {"ü": '\u0001\n"\\'}}
    expected = '{"a":{"ü":"\\u0001\\n\\"\\\\"},"b":[1,null,true,"€ \u2028 / \x7f"]}'
    assert canonical(content) == expected


@pytest.mark.parametrize("damage", ["tail", "emptied", "head gone", "head of another", "changed last", "triggers"])
def test_nothing_is_appended_where_the_end_is_not_as_it_was_left(path, fill, raw, damage, tmp_path):
    ledger = fill(path, 3)
    if damage == "tail":
        with raw(path) as connection:
            connection.execute("DELETE FROM entries WHERE seq = 3")
    elif damage == "emptied":
        path.unlink()
        sqlite3.connect(path).close()
    elif damage == "head gone":
        head_path(path).unlink()
    elif damage == "head of another":
        other = tmp_path / "other.db"
        fill(other, 3)
        shutil.copyfile(head_path(other), head_path(path))
    elif damage == "changed last":
        with raw(path) as connection:
            connection.execute("UPDATE entries SET content = replace(content, 'Tc', 'TC') WHERE seq = 3")
    else:
        with raw(path, restore=False):
            pass
    with pytest.raises(TamperedError):
        ledger.append(lambda _past: {"kind": "claim"})
    assert not audit(path).intact


def test_a_file_that_is_no_database_is_said_to_be_damaged(path, fill):
    ledger = fill(path, 1)
    path.write_bytes(b"not a database, though it is long enough for one" * 30)
    with pytest.raises(DamagedError):
        ledger.append(lambda _past: {"kind": "claim"})
    with pytest.raises(DamagedError):
        list(ledger.rows())
    assert {finding.kind for finding in audit(path).findings} == {"damaged"}


def test_a_writer_that_was_killed_before_the_head_is_caught_up_with(path, fill):
    ledger = fill(path, 2)
    old = read_head(path)
    ledger.append(lambda _past: {"kind": "claim"})
    write_head(path, old)
    behind = audit(path)
    assert behind.intact
    assert any("1 behind" in note for note in behind.notes)
    ledger.append(lambda _past: {"kind": "claim"})
    assert read_head(path).count == 5
    assert audit(path).notes == []


def test_catching_up_does_not_bless_a_row_that_is_not_chained(path, fill, raw):
    ledger = fill(path, 2)
    with raw(path) as connection:
        connection.execute("INSERT INTO entries VALUES (3, 'x', 'y', '{}', '')")
    with pytest.raises(TamperedError, match="row 3"):
        ledger.append(lambda _past: {"kind": "claim"})


def test_seals_keep_out_who_has_no_key(path, fill):
    sealed = fill(path, 3, b"secret")
    assert audit(path, key=b"secret").intact
    unkeyed = audit(path)
    assert unkeyed.intact
    assert any("seals were not checked" in note for note in unkeyed.notes)
    with pytest.raises(ForbiddenError, match="key"):
        Ledger(path).append(lambda _past: {"kind": "claim"})
    with pytest.raises(TamperedError, match="seal"):
        Ledger(path, key=b"guess").append(lambda _past: {"kind": "claim"})
    assert {finding.kind for finding in audit(path, key=b"guess").findings} == {"seal"}
    sealed.append(lambda _past: {"kind": "claim"})
    assert audit(path, key=b"secret").intact


def test_a_forged_chain_and_head_are_found_by_the_key_and_by_a_noted_hash(path, fill, raw, tmp_path):
    """Whoever can write both files can make a new chain; they cannot seal it, nor give it the hash that was noted."""
    noted = list(fill(path, 3, b"secret").rows())[2]
    forged = tmp_path / "forged.db"
    genesis = json.loads(next(iter(Ledger(path).rows())).content)
    fill(forged, 3)
    shutil.copyfile(forged, path)
    shutil.copyfile(head_path(forged), head_path(path))
    assert genesis["sealed"] is True
    assert audit(path).intact, "nothing in the files shows it"
    assert {finding.kind for finding in audit(path, key=b"secret").findings} == {"seal"}
    assert [finding.kind for finding in audit(path, noted=[noted.hash]).findings] == ["noted"]
    assert [finding.kind for finding in audit(path, noted=[noted.id]).findings] == ["noted"]


def test_a_ledger_begun_without_a_key_is_not_sealed_later(path, fill):
    fill(path, 1)
    with pytest.raises(ForbiddenError, match="started without a key"):
        Ledger(path, key=b"secret").append(lambda _past: {"kind": "claim"})


def test_noted_hashes_and_ids_are_found_where_they_are(path, fill):
    rows = list(fill(path, 4).rows())
    noted = [rows[1].hash, rows[2].id, rows[4].hash.upper(), f" {rows[0].hash} "]
    assert audit(path, noted=noted).intact


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"{}",
        b"[]",
        b"null",
        b"\xff",
        b'{"count": 2, "hash": 1, "ledger": "x"}',
        b'{"count": true, "hash": "", "ledger": ""}',
    ],
)
def test_a_head_that_cannot_be_read_is_found(path, fill, content):
    ledger = fill(path, 1)
    head_path(path).write_bytes(content)
    assert [finding.kind for finding in audit(path).findings] == ["head"]
    with pytest.raises(TamperedError):
        ledger.append(lambda _past: {"kind": "claim"})


def test_a_head_without_rows_is_no_head(path, fill):
    ledger = fill(path, 1)
    old = read_head(path)
    write_head(path, Head(old.ledger, 0, old.hash))
    assert not audit(path).intact
    with pytest.raises(TamperedError):
        ledger.append(lambda _past: {"kind": "claim"})
