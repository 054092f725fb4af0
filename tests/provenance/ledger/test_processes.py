"""Real processes write, are killed, and write on disks that are full or cannot be written."""

import random
import shutil
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from pincite_core.errors import UnavailableError
from pincite_provenance.ledger.audit import audit
from pincite_provenance.ledger.head import head_path
from pincite_provenance.ledger.ledger import Ledger

WRITER = Path(__file__).with_name("writer.py")


def start(path, count, before=()):
    command = [*before, sys.executable, str(WRITER), str(path), str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_several_processes_write_one_chain(path):
    writers = [start(path, 10) for _ in range(3)]
    said = [line.strip() for writer in writers for line in writer.communicate(timeout=60)[0].splitlines()]
    assert len(said) == len(set(said)) == 30
    done = audit(path, noted=said)
    assert done.intact
    assert done.notes == []
    assert done.rows == 31


def test_a_killed_writer_loses_nothing_that_it_was_told_is_recorded(path):
    """Killed at any moment, in the first row too: the chain is sound, and the next writer goes on."""
    chance = random.Random(5)
    told = []
    for _ in range(4):
        writer = start(path, 10_000)
        assert writer.stdout is not None
        first = writer.stdout.readline()
        time.sleep(chance.uniform(0, 0.08))
        writer.kill()
        rest = writer.communicate()[0]
        told += [line.strip() for line in f"{first}{rest}".splitlines() if line.endswith(" ")]
        assert audit(path, noted=told).findings == []
    Ledger(path).append(lambda _past: {"kind": "claim"})
    done = audit(path, noted=told)
    assert done.intact
    assert done.notes == []


def test_a_writer_that_is_killed_while_it_begins_the_ledger_stops_no_other(tmp_path):
    chance = random.Random(7)
    for attempt in range(4):
        path = tmp_path / f"{attempt}.db"
        writer = start(path, 3)
        for _ in range(4000):
            if path.exists():
                break
            time.sleep(0.0005)
        time.sleep(chance.uniform(0, 0.01))
        writer.kill()
        writer.communicate()
        assert audit(path).findings == []
        Ledger(path).append(lambda _past: {"kind": "claim"})
        assert audit(path).intact


def test_readers_beside_a_writer_see_whole_rows(path):
    writer = start(path, 30)
    seen = 0
    while writer.poll() is None:
        done = audit(path)
        assert done.findings == []
        assert done.rows >= seen
        seen = done.rows
    writer.communicate()
    assert audit(path).rows == 31


@pytest.fixture
def bubblewrap(missing, bubblewrap_ready):
    return [shutil.which("bwrap"), "--dev-bind", "/", "/"]


AUDIT = """
import sys
from pathlib import Path
from pincite_core.errors import PinciteError
from pincite_provenance.ledger.audit import audit
from pincite_provenance.ledger.ledger import Ledger
path = Path(sys.argv[1])
print(audit(path).intact, len(list(Ledger(path).rows())))
try:
    Ledger(path).append(lambda past: {"kind": "claim"})
except PinciteError as error:
    print(type(error).__name__, error.what, error.seen)
"""


@pytest.mark.parametrize("left_open", [False, True])
def test_a_disk_that_cannot_be_written_is_read_and_says_so(path, fill, bubblewrap, left_open):
    fill(path, 3)
    with closing(sqlite3.connect(path)) as open_reader:
        if left_open:  # what another process has not moved into the file yet stays beside it
            open_reader.execute("BEGIN")
            open_reader.execute("SELECT count(*) FROM entries").fetchone()
            Ledger(path).append(lambda _past: {"kind": "claim"})
            assert path.with_name("claims.db-wal").stat().st_size
            path.with_name("claims.db-shm").unlink()
        folder = str(path.parent)
        done = subprocess.run(
            [*bubblewrap, "--ro-bind", folder, folder, sys.executable, "-c", AUDIT, str(path)],
            capture_output=True,
            text=True,
            timeout=60,
        )
    assert done.stdout.splitlines()[0] == f"True {5 if left_open else 4}", done.stderr
    assert done.stdout.splitlines()[1].startswith("UnavailableError ")


def test_a_full_disk_loses_nothing_and_says_so(path, bubblewrap, tmp_path):
    """Rows are written on a disk of 400 kB until it is full; then the files are looked at outside of it."""
    inside = tmp_path / "small"
    inside.mkdir()
    script = tmp_path / "full.sh"
    out = tmp_path / "out"
    out.mkdir()
    script.write_text(
        f'"{sys.executable}" "{WRITER}" "{inside}/claims.db" 500 > "{out}/said" 2> "{out}/error"\n'
        f'cp "{inside}"/* "{out}"\n'
    )
    command = [*bubblewrap, "--size", "400000", "--tmpfs", str(inside), "sh", str(script)]
    subprocess.run(command, check=True, timeout=60)
    told = [line for line in (out / "said").read_text().splitlines() if line.endswith(" ")]
    assert 10 < len(told) < 500
    assert "is full" in (out / "error").read_text()
    done = audit(out / "claims.db", noted=[line.strip() for line in told])
    assert done.findings == []
    Ledger(out / "claims.db").append(lambda _past: {"kind": "claim"})
    assert audit(out / "claims.db").notes == []


def test_a_folder_in_the_way_is_an_outage_in_words(tmp_path):
    path = tmp_path / "claims.db"
    path.mkdir()
    with pytest.raises(UnavailableError):
        Ledger(path).append(lambda _past: {"kind": "claim"})
    assert {finding.kind for finding in audit(path).findings} == {"damaged"}
    assert not head_path(path).exists()
