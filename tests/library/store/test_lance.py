"""What is LanceDB's own: batches, upkeep of indexes, versions, damage, and what the settings choose."""

import sys
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
import pytest

from pincite_core.errors import (
    BadInputError,
    DamagedError,
    MissingExtraError,
    PinciteError,
    UnavailableError,
    UnknownFormatError,
)
from pincite_core.settings import Settings
from pincite_library.model import ChunkKind, Filters, Vectors, VectorSpace
from pincite_library.store.opening import open_store
from pincite_library.store.sqlite.store import SqliteStore

if TYPE_CHECKING:
    from pincite_library.store.lance.store import LanceStore

lancedb = pytest.importorskip("lancedb", reason="LanceDB is not installed: pip install 'pincite[scale]'")
ALL = Filters(kinds=frozenset(ChunkKind))


@pytest.fixture
def opened(tmp_path: Path) -> Callable[..., "LanceStore"]:
    """A function that opens the test's library, once more each time it is called."""
    from pincite_library.store.lance.store import LanceStore

    return lambda **options: LanceStore(str(tmp_path / "lance"), **options)


def found(store: "LanceStore", term: str) -> int:
    return len(store.rank_terms([term], 1000, ALL))


def test_a_batch_is_seen_at_its_end_and_committed_at_once(
    opened: Callable[..., "LanceStore"], made: ModuleType
) -> None:
    store, other = opened(), opened()
    version = store._session.version("rows")  # pyright: ignore[reportPrivateUsage]
    with store.batch(), store.batch():
        for number in range(20):
            store.put_paper(*made.paper(number, ["word one", f"word n{number}"]))
        assert found(other, "word") == 0
        assert store.paper(made.paper_id(99)) is None
        assert found(other, "word") == 0, "only a question about a paper that is kept back writes it"
        assert store._session.version("rows") == version  # pyright: ignore[reportPrivateUsage]
        assert store.text(made.paper_id(3)) == "word one\n\nword n3"
        assert found(other, "word") == 40
        store.put_paper(*made.paper(3, ["word again"]))
    assert found(other, "word") == 39
    assert found(other, "n3") == 0
    assert other.check() == []


def test_what_was_put_before_a_batch_failed_stays_put(opened: Callable[..., "LanceStore"], made: ModuleType) -> None:
    store = opened()
    with pytest.raises(BadInputError), store.batch():
        store.put_paper(*made.paper(1, ["word"]))
        entry, text, chunks = made.paper(2, ["word"])
        store.put_paper(entry, text + " that nobody announced", chunks)
    assert [entry.paper_id for entry in opened().papers()] == [made.paper_id(1)]


def test_vectors_of_a_batch_are_not_asked_for_twice(opened: Callable[..., "LanceStore"], made: ModuleType) -> None:
    store = opened()
    for number in range(3):
        store.put_paper(*made.paper(number, [f"word {number} {place}" for place in range(10)]))
    seen: list[int] = []
    with store.batch():
        while stored := store.without_vectors(7):
            seen += [one.key for one in stored]
            keys = tuple(one.key for one in stored)
            store.put_vectors(made.SPACE, Vectors(keys, made.unit_vectors(len(keys), seed=len(seen))))
    assert len(seen) == len(set(seen)) == 30
    assert opened().counts()["unembedded"] == 0


def test_a_paper_with_other_metadata_keeps_its_vectors(opened: Callable[..., "LanceStore"], made: ModuleType) -> None:
    store = opened()
    store.put_paper(*made.paper(1, ["alpha", "beta"], year=1990, journal="Old"))
    keys = tuple(one.key for one in store.chunks_of(made.paper_id(1)))
    matrix = made.unit_vectors(2)
    store.put_vectors(made.SPACE, Vectors(keys, matrix))
    store.put_paper(*made.paper(1, ["alpha", "beta"], year=2001, journal="New"))
    new = Filters(years=(2000, None), journal="new")
    [best, _] = store.rank_vector(matrix[1], 5, new)
    assert store.fetch([best.key])[0].chunk.text == "beta"
    assert store.rank_vector(matrix[1], 5, Filters(years=(None, 1999))) == []
    assert store.fetch(keys) == []
    assert store.check() == []


@pytest.mark.parametrize("dimension", [16, 128])
def test_an_index_of_vectors_finds_what_comparing_with_all_finds(
    opened: Callable[..., "LanceStore"], made: ModuleType, dimension: int
) -> None:
    store, space = opened(), VectorSpace("made", dimension, "1")
    with store.batch():
        for number in range(52):
            store.put_paper(*made.paper(number, [f"p{number} c{place}" for place in range(100)], year=1950 + number))
    stored = store.without_vectors(10_000)
    keys, matrix = np.array([one.key for one in stored]), spread(made, len(stored), dimension, seed=4)
    years = {entry.paper_id: entry.year for entry in store.papers()}
    year = np.array([years[one.paper_id] for one in stored])
    with store.batch():
        store.put_vectors(space, Vectors(tuple(keys.tolist()), matrix))
    store.put_paper(*made.paper(99, ["late"], year=1940))
    [late] = store.chunks_of(made.paper_id(99))
    asked = spread(made, 30, dimension, seed=9)
    store.put_vectors(space, Vectors((late.key,), -asked[:1]))
    assert indexes_of_vectors(store) == ["vector_of_5200"]
    hits = 0
    for number, query in enumerate(asked):
        best = set(keys[np.argsort(-(matrix @ query))[:10]].tolist())
        hits += len({one.key for one in store.rank_vector(query, 10, Filters())} & best)
        exact = np.where(year == 1950 + number, matrix @ query, -2.0)
        selective = store.rank_vector(query, 10, Filters(years=(1950 + number, 1950 + number)))
        assert len(selective) == 10
        assert [one.score for one in selective][:3] == pytest.approx(np.sort(exact)[::-1][:3].tolist(), abs=2e-3)
    assert hits >= 0.95 * 300
    assert store.rank_vector(-asked[0], 1, Filters())[0].key == late.key, "fresh ones are found at once"


def spread(made: ModuleType, count: int, dimension: int, seed: int) -> np.ndarray:
    """Unit vectors whose dimensions weigh less and less, as those of embeddings do."""
    matrix = made.unit_vectors(count, dimension, seed) * (np.arange(dimension, dtype=np.float32) + 4) ** -0.5
    return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def indexes_of_vectors(store: "LanceStore") -> list[str]:
    """The names of the indexes of vectors."""
    from pincite_library.store.lance import vectors as lance_vectors

    space = store.space()
    assert space is not None
    session = store._session  # pyright: ignore[reportPrivateUsage]
    indexes = session.table(lance_vectors.table_name(space)).list_indices()
    return [made.name for made in indexes if "vector" in made.columns]


def test_upkeep_covers_fresh_rows_and_puts_fragments_together(
    opened: Callable[..., "LanceStore"], made: ModuleType
) -> None:
    from pincite_library.store.lance import upkeep as lance_upkeep

    store, reader = opened(), opened()
    for number in range(40):
        store.put_paper(*made.paper(number, [f"word n{number}"]))
    before = reader.rank_terms(["word", "n7"], 50, ALL)
    session = store._session  # pyright: ignore[reportPrivateUsage]
    assert lance_upkeep.tend(session, "rows", least=10, share=0.0)
    assert not lance_upkeep.tend(session, "rows", least=10, share=0.0), "all is covered"
    stats = session.table("rows").stats()
    assert stats["fragment_stats"]["num_fragments"] <= 2
    assert {index.num_unindexed_rows for index in session.table("rows").list_indices()} == {0}
    assert [one.key for one in reader.rank_terms(["word", "n7"], 50, ALL)] == [one.key for one in before]
    lance_upkeep.optimise(session, "rows", keep=timedelta(seconds=1))
    assert found(reader, "word") == 40


def test_a_newer_library_and_a_strange_one_are_refused(tmp_path: Path, opened: Callable[..., "LanceStore"]) -> None:
    import pyarrow as pa

    connection = lancedb.connect(str(tmp_path / "lance"))
    for metadata, told in (({}, "not a library"), ({"pincite-version": "99"}, "newer version")):
        connection.create_table("rows", schema=pa.schema([("key", pa.int64())], metadata=metadata), mode="overwrite")
        with pytest.raises(UnknownFormatError, match=told):
            opened().papers()


def test_damage_is_told_and_never_an_empty_answer(
    tmp_path: Path, opened: Callable[..., "LanceStore"], made: ModuleType
) -> None:
    store = opened()
    for number in range(5):
        store.put_paper(*made.paper(number, ["word here", "more words"]))
    for file in (tmp_path / "lance" / "rows.lance" / "data").glob("*.lance"):
        file.write_bytes(file.read_bytes()[:40])
    damaged = opened()
    assert damaged.check() != []
    for ask in (damaged.papers, lambda: damaged.chunks_of(made.paper_id(1)), lambda: damaged.text(made.paper_id(2))):
        with pytest.raises(DamagedError, match="damaged"):
            ask()


def test_check_finds_what_does_not_belong_together(opened: Callable[..., "LanceStore"], made: ModuleType) -> None:
    store = opened()
    store.put_paper(*made.paper(1, ["word here", "more words"]))
    store.put_paper(*made.paper(2, ["other words"]))
    keys = tuple(one.key for one in store.chunks_of(made.paper_id(1)))
    store.put_vectors(made.SPACE, Vectors(keys, made.unit_vectors(2)))
    rows = store._session.table("rows")  # pyright: ignore[reportPrivateUsage]
    rows.delete(f"key = {keys[0]}")
    rows.update(where=f"paper_id = '{made.paper_id(2)}' AND kind = 'paper'", values={"text": "other sense"})
    told = "\n".join(store.check())
    assert "1 chunks are there, 2 should be" in told
    assert "the text is not the one that was put" in told
    assert "is not the text at its place" in told
    assert "1 vectors belong to no chunk" in told
    rows.delete("kind = 'paper'")
    assert "belong to no paper" in "\n".join(store.check())
    store.vacuum()
    assert store.counts()["vectors"] == 1


def test_quotes_and_percent_signs_in_filters_are_text(opened: Callable[..., "LanceStore"], made: ModuleType) -> None:
    store = opened()
    odd = "O'Brien's 100%_journal \\ \"x\""
    entry, text, chunks = made.paper(1, ["word's 100% \\ here"], journal=odd)
    store.put_paper(entry, text, [replace(one, chunk=replace(one.chunk, section=odd)) for one in chunks])
    store.put_paper(*made.paper(2, ["word's 1000 axb"], journal="Obrien"))
    for part in ("o'brien's", "100%_", "\\", '"X"', "_j"):
        assert len(store.rank_terms(["word's"], 5, replace(ALL, journal=part))) == 1, part
        assert len(store.rank_terms(["word's"], 5, replace(ALL, section=part))) == 1, part
    for part in ("word's", "100%", "\\ h"):
        assert {one.paper_id for one in store.segments(((part,),), frozenset())} >= {made.paper_id(1)}, part
    assert [one.paper_id for one in store.segments((("word's", "x"), ("100%",)), frozenset())] == [made.paper_id(1)]


def test_the_settings_choose_the_store(tmp_path: Path, made: ModuleType) -> None:
    in_folder = open_store(Settings(library_dir=tmp_path, library_store="lance"))
    in_folder.put_paper(*made.paper(1, ["word"]))
    for uri in (str(tmp_path / "lance"), f"file://{tmp_path}/lance"):
        assert [entry.paper_id for entry in open_store(Settings(library_uri=uri)).papers()] == [made.paper_id(1)]
    assert isinstance(open_store(Settings(library_dir=tmp_path)), SqliteStore)


def test_a_missing_extra_is_told_with_its_install_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "lancedb", None)
    with pytest.raises(MissingExtraError, match=r"pincite\[scale\]"):
        open_store(Settings(library_dir=tmp_path, library_store="lance"))


def test_a_folder_that_cannot_be_written_is_told_and_can_be_read(
    tmp_path: Path, opened: Callable[..., "LanceStore"], made: ModuleType
) -> None:
    store = opened()
    store.put_paper(*made.paper(1, ["word"]))
    lock = tmp_path / "lance" / "writer.lock"
    lock.unlink()
    lock.mkdir()  # nobody can open it for writing, not even root
    with pytest.raises(UnavailableError, match="could not be used"):
        store.put_paper(*made.paper(2, ["word"]))
    assert found(opened(), "word") == 1


def test_a_closed_library_says_so(opened: Callable[..., "LanceStore"], made: ModuleType) -> None:
    store = opened()
    store.put_paper(*made.paper(1, ["word"]))
    store.close()
    with pytest.raises(PinciteError, match="closed"):
        store.papers()
    assert found(opened(), "word") == 1
