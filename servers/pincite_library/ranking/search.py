"""Search: BM25 and vectors at once, their fusion, and what reorders the best of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, TypeVar

import anyio
import anyio.to_thread

from pincite_core.errors import PinciteError
from pincite_library.model import Filters, Scored, StoredChunk, VectorSpace
from pincite_library.ranking.embedder import Embedder
from pincite_library.ranking.fusion import DEPTH, READ, coverage, fuse, reciprocal
from pincite_library.ranking.ordering import CONSIDERED, ordered
from pincite_library.ranking.ranked import Found, Place, Ranked, RankerRun
from pincite_library.ranking.reranker import Reranker
from pincite_library.ranking.terms import index_terms, only_exact, query_terms
from pincite_library.store.store import Store

if TYPE_CHECKING:
    from pincite_library.ranking.judge import Judge

RERANKED = 50
"""Most passages that a reranker reads."""

JUDGED = 20
"""Most passages that a judge reads, more only where more are asked for."""

T = TypeVar("T")


async def search(
    store: Store,
    query: str,
    k: int,
    filters: Filters,
    *,
    embedder: Embedder | None = None,
    reranker: Reranker | None = None,
    judge: "Judge | None" = None,
    by_ranks: bool = False,
) -> Ranked:
    """The ``k`` best passages for a query; ``by_ranks`` joins BM25 and vectors by reciprocal ranks.

    A failing embedder, reranker or judge leaves the order of the others and is named in the result. Raises what the
    store raises, and the embedder's error where nothing was found without the vectors.
    """
    both = await _rankings(store, query, max(k, DEPTH), filters, embedder)
    exact = only_exact(query)
    if by_ranks:
        fused = reciprocal(both.terms_found, both.dense_found)
    else:
        fused = fuse(both.terms_found, both.dense_found, both.covered, exact=exact)
    reach = max(k, RERANKED if reranker else 0, JUDGED if judge else 0)
    found = ordered(await _fetched(store, both, fused[: max(reach, CONSIDERED)]), query, exact=exact)[:reach]
    found, reranked = await _reranked(reranker, query, found)
    found, judged = await _judged(judge, query, found, max(k, JUDGED))
    runs = (both.bm25, both.dense, reranked, judged)
    return Ranked(tuple(found[:k]), runs, tuple(both.terms), both.without_vectors)


@dataclass(slots=True)
class _Rankings:
    """The two rankings and what became of each."""

    terms: list[str]
    terms_found: list[Scored] = field(default_factory=list[Scored])
    read: dict[int, StoredChunk] = field(default_factory=dict[int, StoredChunk])
    """BM25's best passages, by key."""
    covered: dict[int, float] = field(default_factory=dict[int, float])
    """How much of the query their texts hold."""
    dense_found: list[Scored] = field(default_factory=list[Scored])
    bm25: RankerRun = field(default_factory=lambda: RankerRun("bm25", "ran"))
    dense: RankerRun = field(default_factory=lambda: RankerRun("dense", "skipped", reason="no embedder is set"))
    without_vectors: int = 0
    error: PinciteError | None = None
    dense_error: PinciteError | None = None


async def _rankings(store: Store, query: str, depth: int, filters: Filters, embedder: Embedder | None) -> _Rankings:
    both = _Rankings(query_terms(query))

    async def by_terms() -> None:
        try:
            await _threaded(lambda: _rank_terms(store, depth, filters, both))
        except PinciteError as error:
            both.error = error

    async def by_vector(embedder: Embedder) -> None:
        try:
            await _threaded(lambda: _rank_dense(store, query, depth, filters, embedder, both))
        except PinciteError as error:
            both.dense = replace(both.dense, state="failed", reason=error.bracketed())
            both.dense_error = error

    if not both.terms:
        both.bm25 = RankerRun("bm25", "skipped", reason="the query has no words but function words")
    async with anyio.create_task_group() as group:
        if both.terms:
            group.start_soon(by_terms)
        if embedder is not None:
            group.start_soon(by_vector, embedder)
    if both.error is not None:
        raise both.error
    if both.dense_error is not None and not both.terms_found:
        # Nothing was found without the vectors: an outage must not look like it.
        raise both.dense_error
    return both


def _rank_terms(store: Store, depth: int, filters: Filters, both: _Rankings) -> None:
    """BM25, and a look at the texts of its best passages, while the vectors are asked."""
    both.terms_found = store.rank_terms(both.terms, depth, filters)
    both.read = {one.key: one for one in store.fetch([one.key for one in both.terms_found[:READ]])}
    texts = {key: frozenset(index_terms(one.chunk.text).split()) for key, one in both.read.items()}
    both.covered = coverage(both.terms, texts)


def _rank_dense(store: Store, query: str, depth: int, filters: Filters, embedder: Embedder, both: _Rankings) -> None:
    space, kept = embedder.space, store.space()
    both.dense = RankerRun("dense", "skipped", space.model)
    if not query.strip():
        both.dense = replace(both.dense, reason="the query is empty")
        return
    both.without_vectors = store.counts()["unembedded"]
    if kept is None:
        both.dense = replace(both.dense, reason="no chunk has a vector yet: run `pincite library embed`")
        return
    if kept != space:
        reason = (
            f"the library's vectors are of {_named(kept)}, not {_named(space)}: run `pincite library embed --again`"
        )
        both.dense = replace(both.dense, state="failed", reason=reason)
        return
    both.dense_found = store.rank_vector(embedder.embed_query(query), depth, filters)
    both.dense = replace(both.dense, state="ran")


def _named(space: VectorSpace) -> str:
    return f"{space.model} ({space.dimension} numbers, text {space.text_version})"


async def _fetched(store: Store, both: _Rankings, fused: Sequence[Scored]) -> list[Found]:
    terms, dense = _places(both.terms_found), _places(both.dense_found)
    unread = [one.key for one in fused if one.key not in both.read]
    stored = both.read | {one.key: one for one in (await _threaded(lambda: store.fetch(unread)) if unread else [])}
    return [
        Found(stored[one.key], one.score, terms.get(one.key), dense.get(one.key)) for one in fused if one.key in stored
    ]


def _places(ranking: Sequence[Scored]) -> dict[int, Place]:
    return {one.key: Place(rank, one.score) for rank, one in enumerate(ranking, 1)}


async def _reranked(reranker: Reranker | None, query: str, found: list[Found]) -> tuple[list[Found], RankerRun]:
    if reranker is None:
        return found, RankerRun("reranker", "skipped", reason="no reranker is set")
    read, rest = found[:RERANKED], found[RERANKED:]
    if not read:
        return found, RankerRun("reranker", "skipped", reranker.name, "nothing was found")
    try:
        scores = await reranker.rerank(query, [shown(one.stored) for one in read])
    except PinciteError as error:
        return found, RankerRun("reranker", "failed", reranker.name, error.bracketed())
    scored = [replace(one, rerank=score) for one, score in zip(read, scores, strict=True)]
    order = sorted(range(len(scored)), key=lambda place: (-scores[place], place))
    return [scored[place] for place in order] + rest, RankerRun("reranker", "ran", reranker.name)


async def _judged(judge: "Judge | None", query: str, found: list[Found], most: int) -> tuple[list[Found], RankerRun]:
    if judge is None:
        return found, RankerRun("judge", "skipped", reason="no text model is set")
    read, rest = found[:most], found[most:]
    if not read:
        return found, RankerRun("judge", "skipped", judge.name, "nothing was found")
    try:
        judgements = await judge.judge(query, [one.stored for one in read])
    except PinciteError as error:
        return found, RankerRun("judge", "failed", judge.name, error.bracketed())
    judged = [replace(one, judgement=said) for one, said in zip(read, judgements, strict=True)]
    order = sorted(range(len(judged)), key=lambda place: (-judgements[place].worth, place))
    return [judged[place] for place in order] + rest, RankerRun("judge", "ran", judge.name)


def shown(stored: StoredChunk) -> str:
    """What a reranker reads of a passage: its context, then its text."""
    chunk = stored.chunk
    return f"{chunk.context}\n{chunk.text}" if chunk.context else chunk.text


async def _threaded(work: Callable[[], T]) -> T:
    return await anyio.to_thread.run_sync(work, abandon_on_cancel=True)
