"""Search over a real store: both rankings at once, rerankers and judges on top, and what fails of them."""

import hashlib
import json
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from pincite_core.errors import UnavailableError
from pincite_core.settings import Settings
from pincite_library.model import Chunk, ChunkKind, Filters, IndexedChunk, PaperEntry, Vectors, VectorSpace
from pincite_library.ranking.embedder import Embedder, embedded_text, open_embedder
from pincite_library.ranking.fields import chunk_terms
from pincite_library.ranking.judge import open_judge
from pincite_library.ranking.ranked import Found, Ranked, RankerRun
from pincite_library.ranking.reranker import open_reranker
from pincite_library.ranking.search import search
from pincite_library.store.sqlite.store import SqliteStore

PASSAGES = [
    "The critical temperature of YBa2Cu3O6.93 is 93 K.",
    "Heat flows from warm bodies to cold ones.",
    "Kittens sleep for most of the day.",
    "The figure shows the resistance of the sample against temperature.",
    "Dogs bark at night.",
]
TOPICS = [("kitten", "cat", "feline"), ("temperature", "heat", "hot"), ("dog", "canine"), ("resistance",)]


def _meaning(text: str) -> list[float]:
    """A vector by topics: what a model knows of cats and kittens, in four numbers."""
    lowered = text.lower()
    return [0.1 + sum(lowered.count(word) for word in words) for words in TOPICS]


def _embeddings(_: str, body: dict[str, Any]) -> dict[str, Any]:
    return {"data": [{"index": n, "embedding": _meaning(text)} for n, text in enumerate(body["input"])]}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[SqliteStore]:
    made = SqliteStore(tmp_path / "library")
    text, chunks = "", list[Chunk]()
    for ordinal, passage in enumerate(PASSAGES):
        kind = ChunkKind.FIGURE if "figure" in passage else ChunkKind.TEXT
        chunks.append(
            Chunk(ordinal, kind, "Results", 1, len(text), len(text) + len(passage), passage, context="Physics")
        )
        text += passage + "\n\n"
    digest = hashlib.sha256(text.encode()).hexdigest()
    entry = PaperEntry(
        "sha256:" + "3" * 64, "Physics", "physics.pdf", year=2020, text_digest=digest, chunks=len(chunks)
    )
    made.put_paper(entry, text, [IndexedChunk(chunk, chunk_terms(chunk)) for chunk in chunks])
    yield made
    made.close()


@pytest.fixture
def embedder(serve: Callable[..., Any], store: SqliteStore) -> Embedder:
    made = _opened(serve(_embeddings).url)
    _embed(store, made)
    return made


def _opened(url: str, **more: Any) -> Embedder:
    made = open_embedder(
        Settings(embedder="openai", embedding_url=url, embedding_model="m", embedding_seconds=2, **more)
    )
    assert made is not None
    return made


def _embed(store: SqliteStore, embedder: Embedder, most: int = 100) -> None:
    waiting = store.without_vectors(most)
    matrix = embedder.embed_texts([embedded_text(one.chunk) for one in waiting])
    store.put_vectors(embedder.space, Vectors(tuple(one.key for one in waiting), matrix))


def _places(ranked: Ranked) -> list[int]:
    return [one.stored.chunk.ordinal for one in ranked.found]


def _run(ranked: Ranked, name: str) -> RankerRun:
    return next(run for run in ranked.rankers if run.ranker == name)


async def test_without_an_embedder_bm25_alone_ranks(store: SqliteStore) -> None:
    ranked = await search(store, "What is the critical temperature?", 10, Filters())
    assert _places(ranked) == [0, 3]
    assert [(run.ranker, run.state) for run in ranked.rankers] == [
        ("bm25", "ran"),
        ("dense", "skipped"),
        ("reranker", "skipped"),
        ("judge", "skipped"),
    ]
    first = ranked.found[0]
    assert first.bm25 is not None
    assert first.bm25.rank == 1
    assert (first.dense, first.rerank, first.judgement) == (None, None, None)
    assert ranked.terms == ("critic", "temperatur")
    assert ranked.without_vectors == 0


async def test_both_rankings_find_what_one_alone_does_not(store: SqliteStore, embedder: Embedder) -> None:
    alone = await search(store, "cat temperature", 10, Filters())
    assert 2 not in _places(alone)
    ranked = await search(store, "cat temperature", 10, Filters(), embedder=embedder)
    assert set(_places(ranked)) == {0, 1, 2, 3, 4}
    found = {one.stored.chunk.ordinal: one for one in ranked.found}
    assert found[2].bm25 is None
    assert found[2].dense is not None
    assert {one.bm25.rank for one in ranked.found if one.bm25 is not None} == {1, 2}
    assert {one.dense.rank for one in ranked.found if one.dense is not None} == {1, 2, 3, 4, 5}
    assert _run(ranked, "dense") == RankerRun("dense", "ran", "m")
    assert all(a.fused >= b.fused for a, b in zip(ranked.found, ranked.found[1:], strict=False))


async def test_reciprocal_ranks_count_places_and_not_scores(store: SqliteStore, embedder: Embedder) -> None:
    ranked = await search(store, "cat temperature", 10, Filters(), embedder=embedder, by_ranks=True)
    for one in ranked.found:
        ranks = [place.rank for place in (one.bm25, one.dense) if place is not None]
        assert one.fused == pytest.approx(sum(1 / (60 + rank) for rank in ranks))
    by_scores = await search(store, "cat temperature", 10, Filters(), embedder=embedder)
    assert set(_places(ranked)) == set(_places(by_scores))
    assert all(one.fused < 2 / 60 for one in ranked.found)


async def test_a_passage_with_all_the_words_stands_first_whatever_the_vectors_say(
    store: SqliteStore, embedder: Embedder
) -> None:
    for query in ("YBa2Cu3O6.93", "93 K", "bark night", "YBa_2Cu_3O_{6.93} 93K"):
        ranked = await search(store, query, 1, Filters(), embedder=embedder)
        assert _places(ranked) == [4 if "bark" in query else 0], query


async def test_filters_hold_for_both_rankings(store: SqliteStore, embedder: Embedder) -> None:
    figures = Filters(kinds=frozenset({ChunkKind.FIGURE}))
    assert _places(await search(store, "cat temperature", 10, figures, embedder=embedder)) == [3]
    assert _places(await search(store, "cat temperature", 10, Filters(years=(2021, None)), embedder=embedder)) == []


async def test_a_query_of_function_words_is_left_to_the_vectors(store: SqliteStore, embedder: Embedder) -> None:
    ranked = await search(store, "what is it about?", 3, Filters(), embedder=embedder)
    assert len(ranked.found) == 3
    assert ranked.terms == ()
    assert _run(ranked, "bm25").state == "skipped"
    assert "function words" in _run(ranked, "bm25").reason
    nothing = await search(store, "what is it about?", 3, Filters())
    assert nothing.found == ()
    assert (await search(store, "  ", 3, Filters(), embedder=embedder)).found == ()


async def test_an_embedder_that_fails_leaves_bm25_and_is_named(store: SqliteStore, serve: Callable[..., Any]) -> None:
    api = serve(_embeddings)
    embedder = _opened(api.url)
    _embed(store, embedder)
    api.statuses += [400] * 3
    ranked = await search(store, "cat temperature", 10, Filters(), embedder=embedder)
    assert _places(ranked) == _places(await search(store, "cat temperature", 10, Filters()))
    (failed,) = ranked.failures
    assert failed.ranker == "dense"
    assert "HTTP 400" in failed.reason
    with pytest.raises(UnavailableError, match="answered with an error"):
        await search(store, "what is it about?", 3, Filters(), embedder=embedder)
    with pytest.raises(UnavailableError, match="answered with an error"):
        await search(store, "feline", 3, Filters(), embedder=embedder)


async def test_vectors_of_another_model_are_not_compared(store: SqliteStore, embedder: Embedder) -> None:
    other = VectorSpace("other", embedder.space.dimension, embedder.space.text_version)
    matrix = np.eye(4, dtype=np.float32)[:1]
    store.drop_vectors()
    store.put_vectors(other, Vectors((store.without_vectors(1)[0].key,), matrix))
    ranked = await search(store, "temperature", 10, Filters(), embedder=embedder)
    assert set(_places(ranked)) == {0, 3}
    (failed,) = ranked.failures
    assert "other" in failed.reason


async def test_chunks_without_vectors_are_counted(store: SqliteStore, serve: Callable[..., Any]) -> None:
    embedder = _opened(serve(_embeddings).url)
    ranked = await search(store, "temperature", 10, Filters(), embedder=embedder)
    assert ranked.without_vectors == len(PASSAGES)
    assert _run(ranked, "dense").state == "skipped"
    _embed(store, embedder, most=2)
    ranked = await search(store, "temperature", 10, Filters(), embedder=embedder)
    assert ranked.without_vectors == len(PASSAGES) - 2
    assert _run(ranked, "dense").state == "ran"


def _longest_first(_: str, body: dict[str, Any]) -> dict[str, Any]:
    return {"results": [{"index": n, "relevance_score": len(text)} for n, text in enumerate(body["documents"])]}


async def test_a_reranker_orders_anew_or_leaves_the_order(store: SqliteStore, serve: Callable[..., Any]) -> None:
    api = serve(_longest_first)
    reranker = open_reranker(Settings(reranker="jina", rerank_url=api.url, rerank_model="r", rerank_seconds=2))
    plain = await search(store, "critical temperature", 10, Filters())
    ranked = await search(store, "critical temperature", 10, Filters(), reranker=reranker)
    assert _places(plain) == [0, 3]
    assert _places(ranked) == [3, 0]
    assert [one.rerank for one in ranked.found] == sorted((one.rerank for one in ranked.found), reverse=True)
    assert _run(ranked, "reranker") == RankerRun("reranker", "ran", "r at 127.0.0.1")
    assert api.requests[0][2]["documents"][0] == "Physics\n" + PASSAGES[0]
    api.answer = lambda *_: {"results": []}
    failed = await search(store, "critical temperature", 10, Filters(), reranker=reranker)
    assert _places(failed) == [0, 3]
    assert [run.ranker for run in failed.failures] == ["reranker"]
    assert failed.found == plain.found
    assert (await search(store, "zebra", 10, Filters(), reranker=reranker)).found == ()


async def test_a_judge_orders_by_either_score_or_leaves_the_order(store: SqliteStore, endpoints: ModuleType) -> None:
    def judged(body: dict[str, Any]) -> str:
        passages = json.loads(body["messages"][-1]["content"][0]["text"])["passages"]
        scores = [
            {"passage": p["passage"], "answers": 2, "figure": 9 if p["kind"] == "figure" else 0} for p in passages
        ]
        return json.dumps({"scores": scores})

    answers = endpoints.Answered(judged), endpoints.Answered("no")
    with endpoints.scripted(*answers) as server:
        judge = open_judge(Settings(text_url=server.url, text_model="j"))
        ranked = await search(store, "critical temperature", 10, Filters(), judge=judge)
        failed = await search(store, "critical temperature", 10, Filters(), judge=judge)
    assert _places(ranked) == [3, 0]
    assert ranked.found[0].judgement is not None
    assert (ranked.found[0].judgement.answers, ranked.found[0].judgement.figure) == (2, 9)
    assert _run(ranked, "judge") == RankerRun("judge", "ran", "j at 127.0.0.1")
    assert _places(failed) == [0, 3]
    assert [run.ranker for run in failed.failures] == ["judge"]
    assert all(isinstance(one, Found) and one.judgement is None for one in failed.found)


async def test_the_rankings_are_asked_at_once(store: SqliteStore, embedder: Embedder) -> None:
    meeting = threading.Barrier(2, timeout=10)

    class Meeting(SqliteStore):
        def rank_terms(self, *arguments: Any) -> Any:
            meeting.wait()
            return super().rank_terms(*arguments)

        def rank_vector(self, *arguments: Any) -> Any:
            meeting.wait()
            return super().rank_vector(*arguments)

    both = Meeting(store.folder)
    try:
        assert (await search(both, "cat temperature", 10, Filters(), embedder=embedder)).found
    finally:
        both.close()


def test_nothing_heavy_is_loaded_before_it_is_needed() -> None:
    heavy = ("numpy", "httpx", "onnxruntime", "tokenizers", "Stemmer", "sqlite3", "lxml")
    modules = "search, embedder, reranker, judge, terms, fields, http_embedder, local_embedder, local_reranker"
    imports = "".join(f"import pincite_library.ranking.{name.strip()}\n" for name in modules.split(","))
    said = subprocess.check_output(
        [sys.executable, "-c", f"import sys\n{imports}print([m for m in {heavy} if m in sys.modules])"], text=True
    )
    assert said.strip() == "[]"
