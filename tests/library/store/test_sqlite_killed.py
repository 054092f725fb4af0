"""What a kill, a full disk, a second writer and other readers do to a library in SQLite: nothing that was finished."""

import contextlib
import os
import random
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from pincite_core.errors import NotFoundError, PinciteError, UnavailableError
from pincite_library.model import ChunkKind, Filters, Vectors
from pincite_library.store.sqlite.store import SqliteStore

ALL = Filters(kinds=frozenset(ChunkKind))
_WRITER = Path(__file__).with_name("killed_writer.py")


def killed(folder: Path, seed: int, after: float) -> list[str]:
    """What a writer said before it was killed, ``after`` seconds after it had opened the library."""
    writer = subprocess.Popen([sys.executable, str(_WRITER), str(folder), str(seed)], stdout=subprocess.PIPE, text=True)
    assert writer.stdout is not None
    assert writer.stdout.readline() == "open\n"
    time.sleep(after)
    writer.send_signal(signal.SIGKILL)
    said, _ = writer.communicate()
    assert writer.returncode == -signal.SIGKILL
    return said.splitlines()


def test_a_killed_writer_loses_nothing_acknowledged(tmp_path: Path, made: ModuleType) -> None:
    chance = random.Random(11)
    known: dict[int, str | None] = {}
    for seed in range(4):
        doubtful: set[int] = set()
        for line in killed(tmp_path / "library", seed, 0.15 + chance.random() * 0.6):
            deed, number, *words = line.split()
            doubtful = {int(number)} if deed in ("putting", "removing") else set()
            if deed in ("put", "removed"):
                known[int(number)] = " ".join(words) or None
        store = SqliteStore(tmp_path / "library")
        assert store.check() == []
        entries = {entry.paper_id: entry for entry in store.papers()}
        assert len(entries) > 0
        for number, title in known.items():
            entry = entries.get(made.paper_id(number))
            if number not in doubtful:
                assert (entry.title if entry else None) == title
        for paper_id, entry in entries.items():
            stored = store.chunks_of(paper_id)
            assert len(stored) == 20
            assert all(entry.title in one.chunk.text for one in stored)
            assert len(store.rank_terms(entry.title.split()[1:], 500, Filters(papers=frozenset({paper_id})))) == 20
        # Vectors of whole papers at most: those of one chunk alone do not occur.
        assert store.counts()["vectors"] % 20 == 0
        known = {number: entry.title for number in range(40) if (entry := entries.get(made.paper_id(number)))}
        store.close()


def test_a_text_that_a_killed_writer_left_half_written_is_no_damage(tmp_path: Path, made: ModuleType) -> None:
    with contextlib.closing(SqliteStore(tmp_path)) as store:
        store.put_paper(*made.paper(1, ["one", "two"]))
        (tmp_path / "text" / ".new").write_text("half of a te")
        assert store.check() == []
        store.put_paper(*made.paper(2, ["three"]))
        assert store.check() == []
        assert sorted(path.suffix for path in (tmp_path / "text").glob("[!.]*")) == [".txt", ".txt"]


def test_readers_beside_a_writer_see_whole_papers(tmp_path: Path, made: ModuleType) -> None:
    store = SqliteStore(tmp_path)
    store.put_paper(*made.paper(0, [f"word a c{place}" for place in range(30)]))
    others = [store, SqliteStore(tmp_path), SqliteStore(tmp_path, read_only=True)]

    def read(reader: SqliteStore) -> str:
        found = reader.rank_terms(["word"], 100_000, ALL)
        texts = [one.chunk.text for one in reader.fetch([one.key for one in found])]
        nearest = reader.rank_vector(made.unit_vectors(1)[0], 50, ALL)
        segments = list(reader.segments((("word",),), frozenset()))
        # What was found may be replaced before it is fetched: then all of a paper is gone.
        if len(found) % 30 or len(texts) % 30 or len(nearest) % 30 not in (0, 20) or not segments:
            return f"{len(found)} found, {len(texts)} fetched, {len(nearest)} near, {len(segments)} segments"
        return ""

    wrong = made.write_beside(store, others, read, versions=25, papers=7, vacuum=lambda version: version in (10, 20))
    assert wrong == []
    assert store.check() == []
    for reader in others:
        reader.close()


def test_a_second_writer_waits_and_then_says_so(tmp_path: Path, made: ModuleType) -> None:
    store = SqliteStore(tmp_path, wait=0.3)
    store.put_paper(*made.paper(1, ["word"]))
    other = sqlite3.connect(tmp_path / "library.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(UnavailableError, match="Another writer"):
        store.put_paper(*made.paper(2, ["word"]))
    assert len(store.rank_terms(["word"], 5, ALL)) == 1
    patient = SqliteStore(tmp_path, wait=30)
    thread = threading.Thread(target=lambda: patient.put_paper(*made.paper(3, ["word"])))
    thread.start()
    time.sleep(0.1)
    assert thread.is_alive()
    other.execute("ROLLBACK")
    thread.join()
    store.put_paper(*made.paper(2, ["word"]))
    assert len(store.rank_terms(["word"], 5, ALL)) == 3


def test_writers_in_many_threads_take_turns(tmp_path: Path, made: ModuleType) -> None:
    stores = [SqliteStore(tmp_path), SqliteStore(tmp_path)]

    def write(number: int) -> None:
        for version in range(4):
            stores[number % 2].put_paper(*made.paper(number, [f"word v{version}"]))

    assert made.in_threads(write, 8) == []
    assert len(stores[0].rank_terms(["v3"], 50, ALL)) == 8
    assert stores[1].check() == []


def test_two_processes_may_make_the_same_library(tmp_path: Path, made: ModuleType) -> None:
    code = "import pathlib, sys, pincite_library.store.sqlite.store as s; s.SqliteStore(pathlib.Path(sys.argv[1]))"
    makers = [subprocess.Popen([sys.executable, "-c", code, str(tmp_path)]) for _ in range(3)]
    assert [maker.wait() for maker in makers] == [0, 0, 0]
    store = SqliteStore(tmp_path)
    store.put_paper(*made.paper(1, ["word"]))
    assert store.check() == []


def _in_child(work: Callable[[], str], *, user: int | None = None, file_size: int | None = None) -> str:
    """What ``work`` says in a forked process of another user or with a limit for files."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if file_size is not None:
                signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
                resource.setrlimit(resource.RLIMIT_FSIZE, (file_size, file_size))
            if user is not None:
                os.setgroups([])
                os.setuid(user)
            said = work()
        except BaseException as error:  # noqa: BLE001 - told to the test
            said = f"{type(error).__name__}: {error}"
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        said = pipe.read()
    os.waitpid(child, 0)
    return said


def test_a_full_disk_is_told_and_harms_nothing(tmp_path: Path, made: ModuleType) -> None:
    before = SqliteStore(tmp_path)
    before.put_paper(*made.paper(0, ["first word"]))
    before.close()

    def fill() -> str:
        store = SqliteStore(tmp_path)
        for number in range(1, 1000):
            try:
                store.put_paper(*made.paper(number, [f"word {number} " + "filler " * 900 for _ in range(10)]))
            except UnavailableError as error:
                texts = len(store.rank_terms(["word"], 100_000, ALL))
                return f"{number} {texts} {error.what}"
        return "never full"

    said = _in_child(fill, file_size=3_000_000).split(" ", 2)
    assert "Make room" in said[2] or "disk is full" in said[2]
    put = int(said[0]) - 1
    assert put > 3
    assert int(said[1]) == 1 + 10 * put
    store = SqliteStore(tmp_path)
    assert store.check() == []
    assert store.counts()["papers"] == 1 + put
    store.put_paper(*made.paper(5000, ["room again"]))
    assert len(store.rank_terms(["again"], 5, ALL)) == 1


def test_a_full_disk_under_vectors_harms_nothing(tmp_path: Path, made: ModuleType) -> None:
    store = SqliteStore(tmp_path)
    store.put_paper(*made.paper(0, [f"c{place}" for place in range(4000)]))
    keys = tuple(one.key for one in store.chunks_of(made.paper_id(0)))
    store.put_vectors(made.SPACE, Vectors(keys[:10], made.unit_vectors(10)))
    store.close()

    def fill() -> str:
        full = SqliteStore(tmp_path)
        try:
            full.put_vectors(made.SPACE, Vectors(keys[10:], made.unit_vectors(3990)))
        except UnavailableError as error:
            return error.what
        return "never full"

    size = (tmp_path / "library.db").stat().st_size
    (tmp_path / "library.db-wal").unlink(missing_ok=True)
    assert "Make room" in _in_child(fill, file_size=max(100_000, 0)) or size > 100_000
    again = SqliteStore(tmp_path)
    assert again.counts()["vectors"] == 10
    assert again.check() == []
    again.put_vectors(made.SPACE, Vectors(keys[10:], made.unit_vectors(3990, seed=1)))
    assert again.check() == []


def test_a_library_that_may_not_be_written_can_be_read(made: ModuleType) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "library"
        store = SqliteStore(folder)
        store.put_paper(*made.paper(1, ["word"]))
        store.put_vectors(made.SPACE, Vectors((1,), made.unit_vectors(1)))
        store.close()
        Path(name).chmod(0o755)
        folder.chmod(0o555)

        def use() -> str:
            reader = SqliteStore(folder)
            found = (
                len(reader.papers()),
                len(reader.rank_terms(["word"], 5, ALL)),
                len(reader.rank_vector(made.unit_vectors(1)[0], 5, ALL)),
                len(list(reader.segments((("word",),), frozenset()))),
                reader.check(),
            )
            try:
                reader.put_paper(*made.paper(2, ["word"]))
            except UnavailableError as error:
                return f"{found} {error.what}"
            return "written"

        said = _in_child(use, user=65534 if os.geteuid() == 0 else None)
        folder.chmod(0o755)
    assert said == "(1, 1, 1, 1, []) The library can only be read here."


def test_readers_only_do_not_make_libraries(tmp_path: Path, made: ModuleType) -> None:
    with pytest.raises(NotFoundError, match="no library"):
        SqliteStore(tmp_path / "nowhere", read_only=True)
    assert not (tmp_path / "nowhere").exists()
    store = SqliteStore(tmp_path)
    reader = SqliteStore(tmp_path, read_only=True)
    store.put_paper(*made.paper(1, ["word"]))
    assert len(reader.rank_terms(["word"], 5, ALL)) == 1
    for write in (
        lambda: reader.remove_papers([made.paper_id(1)]),
        reader.vacuum,
        reader.drop_vectors,
        lambda: reader.put_vectors(made.SPACE, Vectors((1,), made.unit_vectors(1))),
    ):
        with pytest.raises(UnavailableError, match="only be read"):
            write()
    assert len(store.rank_terms(["word"], 5, ALL)) == 1


def test_a_closed_library_says_so(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path)
    store.close()
    with pytest.raises(UnavailableError, match="closed"):
        store.papers()
    store.close()


def test_a_failure_in_mid_write_leaves_the_old_paper(tmp_path: Path, made: ModuleType) -> None:
    store = SqliteStore(tmp_path)
    store.put_paper(*made.paper(1, ["old word"]))
    with pytest.raises((PinciteError, UnicodeError)):
        store.put_paper(*made.paper(1, ["new word", "more"], chunk={"label": "half \ud800"}))
    assert len(store.rank_terms(["old"], 5, ALL)) == 1
    assert store.text(made.paper_id(1)) == "old word"
    assert store.check() == []
    assert np.all([segment.text == "old word" for segment in store.segments((), frozenset())])
