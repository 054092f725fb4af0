"""Audit: every row of a ledger against its hash, its neighbours and the head; what is wrong, where, in words."""

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

from pincite_provenance.ledger.database import reading, schema_faults
from pincite_provenance.ledger.head import Head, head_path, read_head
from pincite_provenance.ledger.row import NO_ROW, Row, chain, read_canonical, read_id, seal_row

FindingKind = Literal[
    "changed", "dropped", "moved", "unlinked", "rewritten", "swapped", "seal", "head", "noted", "guards", "damaged"
]

_BYTES = "SELECT seq, {}, typeof(previous) || typeof(hash) || typeof(content) || typeof(seal) FROM entries ORDER BY seq"
_COLUMNS = "previous", "hash", "content", "seal"
_HEX_DIGITS = 64


@dataclass(frozen=True, slots=True)
class Finding:
    """Something that is not as it was recorded: of row ``seq``, or of the whole ledger where that is None."""

    kind: FindingKind
    what: str
    seq: int | None = None


@dataclass(slots=True)
class Audit:
    """What an audit found: ``rows`` that are there, the ``head`` hash of the last; intact without findings."""

    path: Path
    rows: int = 0
    head: str = ""
    ledger: str = ""
    sealed: bool = False
    findings: list[Finding] = field(default_factory=list[Finding])
    notes: list[str] = field(default_factory=list[str])

    @property
    def intact(self) -> bool:
        """Whether nothing was found."""
        return not self.findings

    def add(self, kind: FindingKind, what: str, seq: int | None = None) -> None:
        """One more finding."""
        self.findings.append(Finding(kind, what, seq))


def audit(
    path: Path,
    *,
    key: bytes | None = None,
    noted: Sequence[str] = (),
    thorough: bool = True,
    visit: Callable[[Row], None] | None = None,
) -> Audit:
    """Read the whole ledger at ``path`` and compare; linear in its rows, with some 100 bytes of memory for each.

    ``noted`` are hashes (or ids of claims) that were noted earlier: each must still be the hash of a row. ``thorough``
    also lets SQLite check its file. ``visit`` is called with each row whose content is what its hash says.
    """
    done = Audit(path)
    head = _read_head(done)  # Before the rows: a row that is appended meanwhile is beyond the head, never missing.
    if not path.exists():
        if head is not None and head.count > 1:
            done.add("dropped", f"the ledger's file is gone; by its head it has {head.count} rows")
        elif head_path(path).exists() or noted:
            done.notes.append("no claim was recorded yet")
        _check_noted(done, noted, {})
        return done
    try:
        with reading(path) as connection:
            if head is None and not done.findings and (head := _read_head(done)) is not None:
                # The ledger was begun in between: its head may be ahead of the state that is read here.
                return audit(path, key=key, noted=noted, thorough=thorough, visit=visit)
            hashes: dict[str, int] = {}
            if _check_schema(done, connection, head):
                hashes = _check_rows(done, _reads(connection, head), key, head, visit or (lambda _row: None))
                _check_end(done, head, hashes)
            _check_noted(done, noted, hashes)
            if thorough:
                _check_file(done, connection)
    except (sqlite3.DatabaseError, OSError) as error:
        done.add("damaged", f"the file cannot be read beyond row {done.rows - 1}: {error}")
    return done


@dataclass(frozen=True, slots=True)
class _Read:
    """A row as it lies in the file; ``whole`` where its values are texts in UTF-8, ``after`` what the next row, or the
    head, says is its hash, "" where neither does; ``digest`` is the hash that the content has."""

    row: Row
    whole: bool
    digest: str
    after: str = ""


def _reads(connection: sqlite3.Connection, head: Head | None) -> Iterator[_Read]:
    """The rows in order, whatever types their values have."""
    last: _Read | None = None
    casts = ", ".join(f"CAST({column} AS BLOB)" for column in _COLUMNS)
    for seq, *values, types in connection.execute(_BYTES.format(casts)):
        texts = [bytes(value or b"").decode("utf-8", "backslashreplace") for value in values]
        whole = types == "text" * len(texts) and [text.encode() for text in texts] == values
        row = Row(seq, *texts)
        if last is not None:
            yield replace(last, after=row.previous if row.seq == last.row.seq + 1 else "")
        last = _Read(row, whole, chain(row.previous, row.content))
    if last is not None:
        yield replace(last, after=head.hash if head is not None and head.count == last.row.seq + 1 else "")


def _check_rows(
    done: Audit,
    reads: Iterable[_Read],
    key: bytes | None,
    head: Head | None,
    visit: Callable[[Row], None],
) -> dict[str, int]:
    """The numbers of the sound rows by their hashes."""
    seq, expected, hashes = -1, NO_ROW, dict[str, int]()
    for read in reads:
        row = read.row
        good = _check_row(done, read, seq, expected)
        if row.seq == 0 and good:
            _check_genesis(done, row.read(), head, key)
        if done.ledger:
            _check_seal(done, row, key)
        if good:
            hashes[row.hash] = row.seq
            visit(row)
        done.rows, done.head = row.seq + 1, row.hash
        # A hash that alone was changed must not be said of the next row too.
        seq, expected = row.seq, read.digest if read.digest == read.after else row.hash
    return hashes


def _check_seal(done: Audit, row: Row, key: bytes | None) -> None:
    if not done.sealed and row.seal:
        done.add("changed", f"row {row.seq} was changed: it has a seal in a ledger without seals", row.seq)
    if done.sealed and key is not None and row.seal != seal_row(row.hash, key):
        done.add("seal", f"row {row.seq} has no seal of this key", row.seq)


def _check_row(done: Audit, read: _Read, before: int, expected: str) -> bool:
    """Whether the row is what was recorded in its place, behind row ``before`` with the hash ``expected``."""
    row = read.row
    if row.seq != before + 1:
        gone = f"row {before + 1} is" if row.seq == before + 2 else f"rows {before + 1} to {row.seq - 1} are"
        done.add("dropped", f"{gone} missing", before + 1)
    if not read.whole or read.digest != row.hash:
        done.add("changed", f"row {row.seq} was changed: {_changed(read, expected)}", row.seq)
        return False
    content = read_canonical(row.content)
    recorded = None if content is None else content.get("seq")
    if recorded != row.seq or type(recorded) is not int:
        was = f"as row {recorded}" if type(recorded) is int else "without a number"
        done.add("moved", f"row {row.seq} holds what was recorded {was}", row.seq)
        return False
    if row.previous != expected and row.seq == before + 1:
        what = f"row {row.seq} does not follow row {before}: one of them was replaced, inserted or changed"
        done.add("unlinked", what, row.seq)
    return True


def _changed(read: _Read, expected: str) -> str:
    row = read.row
    if not read.whole:
        return "it holds other values than texts"
    if read.digest == read.after:
        return "its hash is not the one that was recorded, its content is"
    if chain(expected, row.content) == row.hash:
        return "the hash that it names of the row before is not the one that was recorded"
    if row.hash == read.after:
        return "its content is not the one that was recorded"
    return "its content does not have its hash"


def _check_genesis(done: Audit, genesis: dict[str, Any], head: Head | None, key: bytes | None) -> None:
    done.ledger, done.sealed = str(genesis.get("ledger", "")), genesis.get("sealed") is True
    if genesis.get("kind") != "genesis":
        done.add("changed", "row 0 does not name the ledger", 0)
    if head is not None and head.ledger != done.ledger:
        done.add("swapped", "this is another ledger than the one its head names")
    if key is None and done.sealed:
        done.notes.append("the ledger is sealed; without PINCITE_LEDGER_KEY its seals were not checked")
    if key is not None and not done.sealed:
        done.add("seal", "the ledger was begun without a key, but PINCITE_LEDGER_KEY is set")
    if key is not None and head is not None and not head.is_sealed_with(key):
        done.add("seal", "the head has no seal of this key")


def _check_end(done: Audit, head: Head | None, hashes: dict[str, int]) -> None:
    if head is None:
        return
    if done.rows < head.count:
        gone = f"row {done.rows} is" if head.count == done.rows + 1 else f"rows {done.rows} to {head.count - 1} are"
        done.add("dropped", f"{gone} missing at the end: by its head the ledger has {head.count} rows", done.rows)
    elif hashes.get(head.hash) != head.count - 1:
        last = head.count - 1
        if all(finding.seq != last for finding in done.findings):
            done.add("rewritten", f"row {last} is not the one that the head names, with the hash {head.hash}", last)
    elif done.rows > head.count:
        done.notes.append(
            f"the head is {done.rows - head.count} behind: a writer is at work or was killed; the next claim catches up"
        )


def _check_noted(done: Audit, noted: Sequence[str], hashes: dict[str, int]) -> None:
    for text in noted:
        wanted = text.strip().lower()
        if len(wanted) == _HEX_DIGITS:
            there = wanted in hashes
        else:
            seq, digits = read_id(wanted)
            there = any(at == seq and digest.startswith(digits) for digest, at in hashes.items())
        if not there:
            done.add("noted", f"no row has the noted {'hash' if len(wanted) == _HEX_DIGITS else 'id'} {wanted}")


def _read_head(done: Audit) -> Head | None:
    try:
        return read_head(done.path)
    except (ValueError, OSError) as error:
        done.add("head", f"{head_path(done.path).name} cannot be read: {error}")
        return None


def _check_schema(done: Audit, connection: sqlite3.Connection, head: Head | None) -> bool:
    """Whether the rows can be read: the table is ours."""
    faults = schema_faults(connection)
    if faults == ["empty"]:
        if head is not None and head.count > 1:
            done.add("dropped", f"the file is empty; by its head the ledger has {head.count} rows")
        return False
    if head is None and not done.findings:
        name = head_path(done.path).name
        done.add("head", f"{name}, which every ledger has, is gone: rows dropped at the end could not be seen")
    done.findings.extend(Finding("guards", fault) for fault in faults)
    return not any(fault.startswith("the table entries ") for fault in faults)


def _check_file(done: Audit, connection: sqlite3.Connection) -> None:
    for (said,) in connection.execute("PRAGMA integrity_check(5)"):
        if said != "ok":
            done.add("damaged", f"SQLite says of its file: {said}")
