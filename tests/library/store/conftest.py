"""Stores under test. A store joins the conformance suite by a line in ``OPENERS``."""

from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType

import pytest

from pincite_library.store.sqlite.store import SqliteStore
from pincite_library.store.store import Store


def _lance(folder: Path) -> Store:
    pytest.importorskip("lancedb", reason="LanceDB is not installed: pip install 'pincite[scale]'")
    from pincite_library.store.lance.store import LanceStore

    return LanceStore(str(folder / "lance"))


OPENERS: dict[str, Callable[[Path], Store]] = {
    "sqlite": lambda folder: SqliteStore(folder / "library"),
    "lance": _lance,
}


@pytest.fixture(scope="session")
def made(module_at: Callable[[Path], ModuleType]) -> ModuleType:
    """The module ``made_papers``: small papers, BM25 by the book, vectors."""
    return module_at(Path(__file__).with_name("made_papers.py"))


@pytest.fixture(params=list(OPENERS))
def opened(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Callable[[], Store]]:
    """A function that opens the test's library, once more each time it is called."""
    stores: list[Store] = []

    def open_one() -> Store:
        stores.append(OPENERS[request.param](tmp_path))
        return stores[-1]

    yield open_one
    for store in stores:
        store.close()


@pytest.fixture
def store(opened: Callable[[], Store]) -> Store:
    """An empty library."""
    return opened()
