"""Known items over a few papers with real weights: what ``tests/benchmarks/retrieval_quality.py`` measures at size."""

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

from pincite_library.ranking.local_embedder import LocalEmbedder
from pincite_library.store.sqlite.store import SqliteStore
from pincite_papers.opening.source import parse_source

TESTS = Path(__file__).parents[2]
BENCHMARKS = TESTS / "benchmarks"


@pytest.fixture
def bench(monkeypatch: pytest.MonkeyPatch, module_at: Callable[[Path], ModuleType]) -> ModuleType:
    monkeypatch.syspath_prepend(BENCHMARKS)
    return module_at(BENCHMARKS / "retrieval_quality.py")


def _measured(bench: ModuleType, papers: tuple[object, ...], queries: int, model: Path, folder: Path) -> object:
    items = bench.from_papers(papers, queries, 5)
    embedder = LocalEmbedder(model)
    store = SqliteStore(folder)
    try:
        bench.build(store, items.papers, embedder, None)
        return bench.measure(store, items, embedder)[0]
    finally:
        store.close()


def test_hybrid_finds_what_either_alone_finds_in_real_papers(bench: ModuleType, minilm: Path, tmp_path: Path) -> None:
    try:
        papers = bench.read_papers(2, 11, None)
    except FileNotFoundError:
        pytest.skip("the shared papers are not here")
    measured = _measured(bench, papers, 90, minilm, tmp_path)
    ndcg = {method: measured.of(method, "all", 0).mean() for method in bench.METHODS}
    assert ndcg["hybrid"] >= ndcg["bm25"] > ndcg["rrf 60"] > ndcg["dense"] > 0.3
    for part in set(measured.parts.tolist()):
        hybrid, alone = measured.of("hybrid", part, 0).mean(), measured.of("dense", part, 0).mean()
        assert hybrid >= alone, part
        assert hybrid >= measured.of("bm25", part, 0).mean() - 0.02, part
    assert measured.of("hybrid", "exact", 1).mean() >= 0.99


def test_hybrid_finds_what_either_alone_finds_in_papers_made_for_it(
    bench: ModuleType, minilm: Path, tmp_path: Path
) -> None:
    made = sorted((TESTS.parent / "tasks" / "property_extraction" / "papers").glob("*.pdf"))[:4]
    papers = tuple(parse_source(paper.read_bytes(), max_pages=100) for paper in made)
    measured = _measured(bench, papers, 60, minilm, tmp_path)
    assert len(measured.parts) >= 10
    hybrid = measured.of("hybrid", "all", 0).mean()
    assert hybrid >= measured.of("bm25", "all", 0).mean()
    assert hybrid >= measured.of("dense", "all", 0).mean()
    said: list[str] = []
    assert bench.report(measured, said.append) in (True, False)
    assert any("paired bootstrap" in line for line in said)


def test_measures_are_those_of_their_definitions(bench: ModuleType) -> None:
    assert bench.scores(["a", "b"], {"a", "b"}) == (1.0, 1.0, 1.0)
    gained, recall, reciprocal = bench.scores(["x", "a", "y"], {"a", "b"})
    assert (recall, reciprocal) == (0.5, 0.5)
    assert gained == pytest.approx((1 / 1.584962) / (1 + 1 / 1.584962), abs=1e-5)
    assert bench.scores([], {"a"}) == (0.0, 0.0, 0.0)
    assert bench.scores(["x"] * 10 + ["a"], {"a"}) == (0.0, 0.0, 0.0)
