"""Damage to a library in SQLite is found by ``check`` or told when it is met, never taken for an answer."""

import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from pincite_core.errors import DamagedError, UnavailableError, UnknownFormatError, UnreadableError
from pincite_library.model import ChunkKind, Filters, Vectors
from pincite_library.store.sqlite.store import SqliteStore

ALL = Filters(kinds=frozenset(ChunkKind))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory, made: ModuleType) -> Path:
    """A library of 40 papers, most of their terms in a run, with vectors, closed."""
    place = tmp_path_factory.mktemp("whole")
    store = SqliteStore(place)
    for number in range(40):
        store.put_paper(*made.paper(number, [f"word n{number} c{place} " + "filler " * 30 for place in range(10)]))
    keys = [one.key for number in range(40) for one in store.chunks_of(made.paper_id(number))]
    matrix = np.concatenate([made.unit_vectors(10, seed=number) for number in range(40)])
    store.put_vectors(made.SPACE, Vectors(tuple(keys), matrix))
    assert store.check() == []
    store.close()
    return place


@pytest.fixture
def folder(tmp_path: Path, whole: Path) -> Path:
    """A copy of it to be damaged."""
    shutil.copytree(whole, tmp_path, dirs_exist_ok=True)
    return tmp_path


def change(folder: Path, statement: str, *values: object) -> None:
    """Change the tables behind the store's back."""
    connection = sqlite3.connect(folder / "library.db")
    connection.execute(statement, values)
    connection.commit()
    connection.close()


def problems(folder: Path) -> list[str]:
    """What a fresh look at the library finds."""
    store = SqliteStore(folder)
    try:
        return store.check()
    finally:
        store.close()


@pytest.mark.parametrize(
    ("statement", "words"),
    [
        ("DELETE FROM chunks WHERE key = 17", "missing chunks"),
        ("DELETE FROM contexts WHERE key = 1", "without their context"),
        ("DELETE FROM columns WHERE paper = 2", "without their columns"),
        ("DELETE FROM texts WHERE paper = 3", "without their text"),
        ("UPDATE texts SET text = text || '.' WHERE paper = 4", "not the one that was ingested"),
        ("UPDATE chunks SET end = 100000 WHERE key = 5", "outside of its text"),
        ("UPDATE papers SET chunks = 11 WHERE paper = 6", "another number of chunks"),
        ("DELETE FROM fresh", "not indexed as they were"),
        ("DELETE FROM postings", "not indexed as they were"),
        ("UPDATE postings SET keys = zeroblob(length(keys))", "out of order"),
        ("UPDATE postings SET keys = x'00'", "damaged"),
        ("UPDATE state SET rows = 399", "rows of vectors"),
        ("UPDATE vector_blocks SET checksum = 1", "not what was written"),
        ("DELETE FROM segments WHERE paper = 7", "missing segments"),
        (
            "UPDATE segment_texts SET text = text || '.' WHERE id IN (SELECT id FROM segments WHERE paper = 8)",
            "Exact search",
        ),
        ("DELETE FROM segment_texts WHERE id IN (SELECT id FROM segments WHERE paper = 8)", "Exact search"),
        ("INSERT INTO segments VALUES (100000, 900, 0, x'61')", "segments of no paper"),
    ],
)
def test_contradictions_between_tables_are_found(folder: Path, statement: str, words: str) -> None:
    change(folder, statement)
    found = problems(folder)
    assert found
    assert any(words in one for one in found), found


def test_columns_that_do_not_fit_are_told(folder: Path) -> None:
    change(folder, "UPDATE columns SET kinds = x'0000' WHERE paper = 1")
    with pytest.raises(DamagedError, match="columns"):
        SqliteStore(folder).rank_terms(["word"], 5, ALL)


@pytest.mark.parametrize("part", [0.2, 0.5, 0.8])
def test_an_overwritten_file_is_found(folder: Path, part: float) -> None:
    path = folder / "library.db"
    data = bytearray(path.read_bytes())
    at = int(len(data) * part)
    data[at : at + 40_000] = b"\xa5" * 40_000
    path.write_bytes(data)
    try:
        found = problems(folder)
    except UnreadableError:
        return
    assert found


@pytest.mark.parametrize("length", [0.3, 0.7, 0.97])
def test_a_truncated_file_is_found(folder: Path, length: float) -> None:
    path = folder / "library.db"
    path.write_bytes(path.read_bytes()[: int(path.stat().st_size * length)])
    try:
        found = problems(folder)
    except UnreadableError:
        return
    assert found


def test_what_is_no_library_is_refused(tmp_path: Path) -> None:
    (tmp_path / "library.db").write_bytes(b"%PDF-1.7 this is no database at all, but long enough to be one" * 99)
    with pytest.raises(UnreadableError):
        SqliteStore(tmp_path)
    (tmp_path / "library.db").unlink()
    other = sqlite3.connect(tmp_path / "library.db")
    other.execute("CREATE TABLE things (name)")
    other.close()
    with pytest.raises(UnknownFormatError, match="another program"):
        SqliteStore(tmp_path)


def test_a_newer_library_is_refused(folder: Path) -> None:
    change(folder, "PRAGMA user_version = 99")
    with pytest.raises(UnknownFormatError, match="newer version"):
        SqliteStore(folder)


def truncate(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def overwrite(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[70] ^= 0x55
    path.write_bytes(data)


def behead(path: Path) -> None:
    path.write_bytes(b"X" + path.read_bytes()[1:])


@pytest.mark.parametrize("kind", ["signs", "values"])
@pytest.mark.parametrize("harm", [truncate, overwrite, behead, Path.unlink])
def test_damage_to_vectors_is_found(folder: Path, made: ModuleType, kind: str, harm: Callable[[Path], None]) -> None:
    harm(folder / f"vectors-000001.{kind}")
    assert any("vectors" in one for one in problems(folder))
    store = SqliteStore(folder)
    query = made.unit_vectors(1)[0]
    if harm is not overwrite:
        with pytest.raises(DamagedError, match="vectors"):
            store.rank_vector(query, 5, ALL)
    assert len(store.rank_terms(["word"], 5, ALL)) == 5
    store.drop_vectors()
    assert store.check() == []
    keys = tuple(one.key for one in store.chunks_of(made.paper_id(1)))
    store.put_vectors(made.SPACE, Vectors(keys, made.unit_vectors(10, seed=1)))
    assert len(store.rank_vector(query, 50, ALL)) == 10


def test_what_a_killed_writer_left_after_the_vectors_is_written_over(folder: Path, made: ModuleType) -> None:
    for kind in ("signs", "values"):
        with (folder / f"vectors-000001.{kind}").open("ab") as file:
            file.write(b"\xff" * 5000)
    store = SqliteStore(folder)
    assert store.check() == []
    store.put_paper(*made.paper(50, ["one more"]))
    vector = made.unit_vectors(1, seed=50)
    store.put_vectors(made.SPACE, Vectors((store.chunks_of(made.paper_id(50))[0].key,), vector))
    assert store.check() == []
    found = store.rank_vector(vector[0], 1, ALL)[0]
    assert store.fetch([found.key])[0].chunk.text == "one more"
    assert found.score == pytest.approx(1.0, abs=1e-3)


def test_vectors_come_back_as_they_were_put(folder: Path, made: ModuleType) -> None:
    store = SqliteStore(folder)
    for number in (0, 39):
        for place, vector in enumerate(made.unit_vectors(10, seed=number)):
            best = store.rank_vector(vector, 1, ALL)[0]
            assert store.fetch([best.key])[0].chunk.text.startswith(f"word n{number} c{place} ")
            assert best.score == pytest.approx(1.0, abs=1e-4)
    assert np.isfinite([one.score for one in store.rank_vector(np.zeros(16, np.float32), 10, ALL)]).all()


def test_plain_texts_are_compared_and_mended(folder: Path, made: ModuleType) -> None:
    files = {number: folder / "text" / f"{made.paper_id(number)[7:]}.txt" for number in range(40)}
    assert files[1].read_text() == SqliteStore(folder).text(made.paper_id(1))
    files[1].write_text("changed")
    files[2].unlink()
    (folder / "text" / "stranger.txt").write_text("who?")
    found = problems(folder)
    assert len(found) == 3
    assert all(any(word in one for one in found) for word in ("differs", "missing", "no paper"))
    SqliteStore(folder).vacuum()
    assert problems(folder) == []
    assert files[1].read_text() == SqliteStore(folder).text(made.paper_id(1))


def test_a_text_that_cannot_be_copied_is_copied_later(folder: Path, made: ModuleType) -> None:
    shutil.rmtree(folder / "text")
    (folder / "text").write_text("no folder")
    store = SqliteStore(folder)
    store.put_paper(*made.paper(50, ["one more"]))
    assert store.text(made.paper_id(50)) == "one more"
    assert any("missing" in one for one in store.check())
    with pytest.raises(UnavailableError):
        store.vacuum()
    store.close()
    (folder / "text").unlink()
    store = SqliteStore(folder)
    assert (folder / "text" / f"{made.paper_id(50)[7:]}.txt").read_text() == "one more"
    store.vacuum()
    assert store.check() == []


def test_a_removed_paper_takes_its_file_along(folder: Path, made: ModuleType) -> None:
    store = SqliteStore(folder)
    store.remove_papers([made.paper_id(1)])
    assert not (folder / "text" / f"{made.paper_id(1)[7:]}.txt").exists()
    assert len(list((folder / "text").glob("*.txt"))) == 39


def test_files_that_a_killed_writer_did_not_write_are_written_at_the_next_opening(
    folder: Path, made: ModuleType
) -> None:
    path = folder / "text" / f"{made.paper_id(3)[7:]}.txt"
    path.write_text("of an older state")
    change(folder, "INSERT INTO unwritten VALUES (100000, ?)", made.paper_id(3))
    store = SqliteStore(folder)
    assert path.read_text() == store.text(made.paper_id(3))
    assert store.check() == []
