"""What a kill, a second writer and readers do to a library in LanceDB, in a folder and on object storage."""

import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from pincite_core.errors import UnavailableError
from pincite_library.model import ChunkKind, Filters, Vectors

if TYPE_CHECKING:
    from pincite_library.store.lance.store import LanceStore

pytest.importorskip("lancedb", reason="LanceDB is not installed: pip install 'pincite[scale]'")
ALL = Filters(kinds=frozenset(ChunkKind))
_WRITER = Path(__file__).with_name("killed_writer.py")


@pytest.fixture
def opened(tmp_path: Path) -> Callable[..., "LanceStore"]:
    """A function that opens the test's library, once more each time it is called."""
    from pincite_library.store.lance.store import LanceStore

    return lambda **options: LanceStore(str(tmp_path / "lance"), **options)


def killed(folder: Path, seed: int, after: float) -> list[str]:
    """What a writer said before it was killed, ``after`` seconds after it had opened the library."""
    writer = subprocess.Popen(
        [sys.executable, str(_WRITER), str(folder), str(seed), "lance"], stdout=subprocess.PIPE, text=True
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == "open\n"
    time.sleep(after)
    writer.send_signal(signal.SIGKILL)
    said, _ = writer.communicate()
    assert writer.returncode == -signal.SIGKILL
    return said.splitlines()


def test_a_killed_writer_loses_nothing_acknowledged(
    tmp_path: Path, opened: Callable[..., "LanceStore"], made: ModuleType
) -> None:
    chance, known = random.Random(7), dict[int, str | None]()
    reader = opened()
    for seed in range(2):
        doubtful: set[int] = set()
        for line in killed(tmp_path / "lance", seed, 0.4 + 0.6 * chance.random()):
            deed, number, *words = line.split()
            doubtful = {int(number)} if deed in ("putting", "removing") else set()
            if deed in ("put", "removed"):
                known[int(number)] = " ".join(words) or None
        store = opened(wait=0.5)
        assert store.check() == []
        entries = {entry.paper_id: entry for entry in store.papers()}
        assert len(entries) > 0
        assert reader.papers() == store.papers()
        for number, title in known.items():
            entry = entries.get(made.paper_id(number))
            if number not in doubtful:
                assert (entry.title if entry else None) == title
        for paper_id, entry in entries.items():
            stored = store.chunks_of(paper_id)
            assert len(stored) == 20
            assert all(entry.title in one.chunk.text for one in stored)
        assert store.counts()["vectors"] % 20 == 0
        store.put_paper(*made.paper(50, ["the lock is free"]))
        store.remove_papers([made.paper_id(50)])
        known = {number: entry.title for number in range(40) if (entry := entries.get(made.paper_id(number)))}


def test_readers_beside_a_writer_see_whole_papers(opened: Callable[..., "LanceStore"], made: ModuleType) -> None:
    store = opened()
    store.put_paper(*made.paper(0, [f"word a c{place}" for place in range(30)]))

    def read(reader: "LanceStore") -> str:
        found = reader.rank_terms(["word"], 1000, ALL)
        texts = reader.fetch([one.key for one in found])
        near = reader.fetch([one.key for one in reader.rank_vector(made.unit_vectors(1)[0], 5, ALL)])
        segments = list(reader.segments((("word",),), frozenset()))
        if len(found) % 30 or len(texts) % 30 or not segments or len(near) > 5:
            return f"{len(found)} found, {len(texts)} fetched, {len(segments)} segments"
        return ""

    def vacuum(version: int) -> bool:
        if version in (5, 9):
            time.sleep(1.05)  # what is older than a second goes
        return version in (5, 9)

    assert made.write_beside(store, [store, opened()], read, versions=12, papers=5, vacuum=vacuum) == []
    assert store.check() == []


def test_a_reader_that_a_vacuum_overtakes_is_asked_to_try_again(
    opened: Callable[..., "LanceStore"], made: ModuleType
) -> None:
    store, reader = opened(), opened()
    for version in range(3):
        store.put_paper(*made.paper(0, [f"word v{version}"]))
    scan = reader._session.pinned("rows")  # pyright: ignore[reportPrivateUsage]
    store.put_paper(*made.paper(0, ["word now"]))
    time.sleep(1.05)
    store.vacuum()
    with pytest.raises(UnavailableError, match="put in order while it was being read"):
        scan("ordinal >= 0", ["text"])
    assert [one.text for one in reader.segments((("now",),), frozenset())] == ["word now"]


def test_a_second_writer_waits_and_then_says_so(opened: Callable[..., "LanceStore"], made: ModuleType) -> None:
    store, hasty, patient = opened(), opened(wait=0.2), opened()
    store.put_paper(*made.paper(1, ["word"]))
    with store._session.alone():  # pyright: ignore[reportPrivateUsage]
        with pytest.raises(UnavailableError, match="Another process"):
            hasty.put_paper(*made.paper(2, ["word"]))
        assert len(hasty.rank_terms(["word"], 5, ALL)) == 1, "readers do not wait"
        thread = threading.Thread(target=lambda: patient.put_paper(*made.paper(3, ["word"])))
        thread.start()
        time.sleep(0.1)
        assert thread.is_alive()
    thread.join()
    hasty.put_paper(*made.paper(4, ["word"]))
    assert {entry.title for entry in store.papers()} >= {"Paper 1", "Paper 3", "Paper 4"}
    assert store.check() == []


def test_writers_in_many_threads_take_turns(opened: Callable[..., "LanceStore"], made: ModuleType) -> None:
    stores = [opened(), opened()]

    def write(number: int) -> None:
        for version in range(3):
            stores[number % 2].put_paper(*made.paper(number, [f"word v{version}"]))
            stores[number % 2].put_paper(*made.paper(77, [f"all n{number} v{version}", f"of n{number}"]))

    assert made.in_threads(write, 4) == []
    assert len(stores[0].rank_terms(["v2"], 50, ALL)) >= 4
    assert len(stores[0].chunks_of(made.paper_id(77))) == 2
    assert stores[1].check() == []


def test_a_library_on_object_storage(bucket: str, made: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    from pincite_library.store.lance.store import LanceStore

    bucket = f"{bucket}/library"
    store, other = LanceStore(bucket), LanceStore(bucket)
    with store.batch():
        for number in range(20):
            store.put_paper(*made.paper(number, [f"word n{number} c{place}" for place in range(5)]))
    keys = tuple(one.key for one in store.chunks_of(made.paper_id(4)))
    store.put_vectors(made.SPACE, Vectors(keys, made.unit_vectors(5)))
    assert [one.key for one in store.rank_vector(made.unit_vectors(5)[2], 1, ALL)] == [keys[2]]
    assert len(store.rank_terms(["word"], 500, ALL)) == 100

    def write(writer: LanceStore, name: str) -> None:
        for version in range(4):
            writer.put_paper(*made.paper(100 + version % 2, [f"{name} v{version} c{place}" for place in range(5)]))

    threads = [threading.Thread(target=write, args=pair) for pair in ((store, "a"), (other, "b"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    third = LanceStore(bucket)
    assert third.check() == []
    assert [len(third.chunks_of(made.paper_id(number))) for number in (100, 101)] == [5, 5]
    third.vacuum()
    assert third.counts()["papers"] == 22
    monkeypatch.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
    with pytest.raises(UnavailableError, match="object storage"):
        LanceStore(bucket)
