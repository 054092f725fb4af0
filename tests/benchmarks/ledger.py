"""Tampering with a ledger: how much of it is found, and what keeping and checking a ledger costs.

Run: python tests/benchmarks/ledger.py [--attempts N] [--rows N]. Each attempt copies a ledger, changes random rows in
one of the ways of tests/provenance/ledger/tampering.py by raw SQL (triggers dropped and put back), and audits it. The
costs are those of a bare SQLite file with the same rows, each committed and flushed to disk. The exit status is 1 when
a change was not found (bar: all) or an untouched ledger was suspected.
"""

import argparse
import random
import shutil
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "provenance" / "ledger"))

import tampering

from pincite_provenance.ledger.audit import audit
from pincite_provenance.ledger.head import head_path
from pincite_provenance.ledger.ledger import Ledger

TEXT = "x" * 1200
"""About what the content of a claim with its checks holds."""


def fill(ledger: Ledger, rows: int) -> float:
    """Seconds a row."""
    started = time.perf_counter()
    for number in range(rows):
        ledger.append(lambda _past, number=number: {"kind": "claim", "text": f"{number} {TEXT}"})
    return (time.perf_counter() - started) / rows


def bare(path: Path, rows: int) -> float:
    """Seconds a row for SQLite alone, opened, committed and flushed for each."""
    started = time.perf_counter()
    for number in range(rows):
        with closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("CREATE TABLE IF NOT EXISTS entries (seq INTEGER PRIMARY KEY, content TEXT)")
            connection.execute("INSERT INTO entries VALUES (?, ?)", (number, TEXT))
            connection.commit()
    return (time.perf_counter() - started) / rows


def soak(folder: Path, attempts: int, seed: int) -> tuple[int, Counter[str], list[str]]:
    """How many ledgers were changed, what was found of them first, and which changes were missed."""
    chance = random.Random(seed)
    ledgers = [folder / "plain.db", folder / "sealed.db"]
    keys = [None, b"key"]
    for path, key in zip(ledgers, keys, strict=True):
        fill(Ledger(path, key=key), 20)
        assert audit(path, key=key).intact
    kinds: Counter[str] = Counter()
    missed: list[str] = []
    changed = 0
    for attempt in range(attempts):
        path, key = ledgers[attempt % 2], keys[attempt % 2]
        way = chance.choice(tampering.WAYS)
        copy = folder / "copy.db"
        for file in folder.glob("copy.db*"):
            file.unlink()
        shutil.copyfile(path, copy)
        shutil.copyfile(head_path(path), head_path(copy))
        if tampering.tamper(copy, way, chance):
            changed += 1
            found = audit(copy, key=key)
            if found.intact:
                missed.append(way.__name__)
            else:
                kinds[found.findings[0].kind] += 1
    return changed, kinds, missed


def main() -> int:
    """Print what was found and what it costs."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--attempts", type=int, default=3000)
    parser.add_argument("--rows", type=int, default=20_000, help="rows of the ledger that is audited for time")
    parser.add_argument("--seed", type=int, default=6)
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        changed, kinds, missed = soak(folder, chosen.attempts, chosen.seed)
        print(f"tampering: {changed - len(missed)} of {changed} changes found; first finding {dict(kinds)}")
        for way in missed:
            print(f"  missed: {way}")
        appended, floor = fill(Ledger(folder / "speed.db"), 200), bare(folder / "bare.db", 200)
        print(
            f"append: {appended * 1000:.2f} ms a claim, {appended / floor:.2f} of bare SQLite ({floor * 1000:.2f} ms)"
        )
        checked, plain = speed_of_audit(folder / "speed.db", chosen.rows)
        print(f"check: {chosen.rows / checked:,.0f} rows a second, {checked / plain:.2f} of reading and hashing alone")
    return 1 if missed else 0


def speed_of_audit(path: Path, rows: int) -> tuple[float, float]:
    """Seconds to audit ``rows`` rows, and to read and hash them without any question."""
    import hashlib

    ledger = Ledger(path)
    there = sum(1 for _ in ledger.rows())
    from pincite_provenance.ledger.database import transaction, writing
    from pincite_provenance.ledger.head import Head, write_head
    from pincite_provenance.ledger.row import make_row

    with writing(path) as connection, transaction(connection):
        *_, last = ledger.rows()
        for seq in range(there, rows):
            last = make_row({"kind": "claim", "seq": seq, "text": f"{seq} {TEXT}"}, last.hash, None)
            values = (last.seq, last.previous, last.hash, last.content, last.seal)
            connection.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?)", values)
    write_head(path, Head.at(next(iter(ledger.rows())).read()["ledger"], last, None))
    started = time.perf_counter()
    assert audit(path).intact
    checked = time.perf_counter() - started
    started = time.perf_counter()
    with closing(sqlite3.connect(path)) as connection:
        for previous, content in connection.execute("SELECT previous, content FROM entries ORDER BY seq"):
            hashlib.sha256(f"{previous}\n{content}".encode()).hexdigest()
    return checked, time.perf_counter() - started


if __name__ == "__main__":
    sys.exit(main())
