"""How long searches take in the default store, and whether the vectors that it finds are the nearest ones.

A library of made papers (``library_corpus``) is asked queries of several kinds, each once after some others of its
kind. *BM25* is the making of terms and the ranking of 200 passages, *dense* the ranking of 200 by a vector, *hybrid*
the whole of ``ranking.search``: both of these, their fusion and the fetching of 10 passages; the query's vector is
given, not computed. Peers in the same run: BM25 of FTS5 over the same terms, and numpy's float32 product with all
vectors, which the recall is measured against.

python tests/benchmarks/library_latency.py [--chunks N] [--dir FOLDER] [--queries N] [--no-peer]

The exit status is 1 above a bar: BM25 p50 25 ms, hybrid p50 60 ms (at 200,000 chunks), recall@10 0.99.
"""

import argparse
import os
import random
import re
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import anyio
import library_corpus
import numpy as np
import numpy.typing as npt
import orjson

from pincite_library.model import ChunkKind, Filters, PaperEntry, Vectors, VectorSpace
from pincite_library.ranking.fusion import DEPTH
from pincite_library.ranking.search import search
from pincite_library.ranking.terms import query_terms
from pincite_library.store.sqlite.store import SqliteStore

_BM25_MS, _HYBRID_MS, _RECALL = 25.0, 60.0, 0.99
_SPACE = VectorSpace("made", library_corpus.DIMENSION, "1")
_EVERY = 97
"""So many chunks apart are those that queries are made from."""
_WARM, _RECALLED = 5, 25
_WORD = re.compile(r"[A-Za-z]{5,}")
_EXACT = re.compile(r"[A-Za-z]*-?\d[\w.-]*\w")

Floats = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Query:
    """What is asked: words, the vector that stands for them, filters."""

    text: str
    vector: Floats
    filters: Filters = field(default_factory=Filters)


@dataclass(slots=True)
class Given:
    """An embedder that is told the vector of the next query."""

    vector: Floats
    space: VectorSpace = _SPACE

    def embed_texts(self, texts: Sequence[str]) -> Floats:
        raise NotImplementedError

    def embed_query(self, query: str) -> Floats:
        return self.vector


def main() -> int:
    """Build the library where it is not there yet, ask, and print what each kind took."""
    arguments = _arguments()
    if not library_corpus.sentences():
        print("No articles were found in ../shared/data.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as temporary:
        folder = (arguments.dir or Path(temporary)) / f"latency-{arguments.chunks}"
        if not (folder / "sample.json").exists():
            _build(folder, arguments.chunks, arguments.peer)
        return _measure(folder, arguments.queries)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chunks", type=int, default=200_000)
    parser.add_argument("--dir", type=Path, help="where the library is kept for the next run")
    parser.add_argument("--queries", type=int, default=40, help="of each kind")
    parser.add_argument("--no-peer", dest="peer", action="store_false", help="build no FTS5 index")
    return parser.parse_args()


def _build(folder: Path, chunks: int, peer: bool) -> None:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    store = SqliteStore(folder / "library")
    fts = sqlite3.connect(folder / "fts5.db") if peer else None
    if fts:
        fts.execute("PRAGMA synchronous = OFF")
        fts.execute("CREATE VIRTUAL TABLE terms USING fts5(stream, content='', tokenize=\"unicode61 tokenchars '_'\")")
    sample: list[tuple[int, str]] = []
    matrix = np.lib.format.open_memmap(folder / "exact.npy", "w+", np.float32, (chunks + 1, library_corpus.DIMENSION))
    first, putting, started = 1, 0.0, time.perf_counter()
    pending: list[Floats] = []
    for paper in library_corpus.papers(chunks, processes=os.cpu_count() or 1):
        before = time.perf_counter()
        store.put_paper(paper.entry, paper.text, paper.chunks, segments=False)
        putting += time.perf_counter() - before
        count = len(paper.chunks)
        matrix[first : first + count] = paper.vectors
        pending.append(paper.vectors)
        if fts:
            rows = enumerate((chunk.terms for chunk in paper.chunks), first)
            fts.executemany("INSERT INTO terms (rowid, stream) VALUES (?, ?)", rows)
        sample += [(first + n, c.chunk.text) for n, c in enumerate(paper.chunks) if (first + n) % _EVERY == 0]
        first += count
        if len(pending) == 100 or first > chunks:
            vectors = np.concatenate(pending)
            store.put_vectors(_SPACE, Vectors(tuple(range(first - len(vectors), first)), vectors))
            pending = []
    store.close()
    if fts:
        fts.commit()
        fts.close()
    (folder / "sample.json").write_bytes(orjson.dumps(sample))
    took = time.perf_counter() - started
    print(f"built {chunks} chunks in {took:.0f} s; putting one took {putting / chunks * 1e6:.0f} µs")


def _measure(folder: Path, count: int) -> int:
    store = SqliteStore(folder / "library")
    exact = np.load(folder / "exact.npy", mmap_mode="r")
    entries = sorted(store.papers(), key=lambda entry: int(entry.source[7:-4]))
    kinds = _queries(folder, entries, exact, count)
    counts = store.counts()
    print(f"{counts['chunks']} chunks of {counts['papers']} papers, {counts['bytes'] / 1e6:.0f} MB, ms as p50 / p95\n")
    print(f"{'queries':24}{'BM25':>15}{'dense':>15}{'hybrid':>15}{'recall@10':>11}{'FTS5 bm25':>16}")
    fts = sqlite3.connect(folder / "fts5.db") if (folder / "fts5.db").exists() else None
    missed = False
    for kind, queries in kinds.items():
        bm25 = _timed(lambda query: store.rank_terms(query_terms(query.text), DEPTH, query.filters), queries)
        dense = _timed(lambda query: store.rank_vector(query.vector, DEPTH, query.filters), queries)
        hybrid = anyio.run(_hybrid, store, queries)
        recall = statistics.mean(_recall(store, entries, exact, query) for query in queries[:_RECALLED])
        peer = _timed(lambda query: _by_fts5(fts, query), queries) if fts and queries[0].filters == Filters() else None
        shown = f"{_shown(bm25):>15}{_shown(dense):>15}{_shown(hybrid):>15}{recall:>11.3f}"
        print(f"{kind:24}{shown}{_shown(peer) if peer else '-':>16}", flush=True)
        late = statistics.median(bm25) > _BM25_MS or statistics.median(hybrid) > _HYBRID_MS
        missed = missed or late or recall < _RECALL
    flat = _timed(lambda query: np.argpartition(-(exact[1:] @ query.vector), 10), kinds["questions"])
    print(f"\nnumpy float32 over all vectors: {_shown(flat)} ms")
    print(f"bars: BM25 {_BM25_MS} ms, hybrid {_HYBRID_MS} ms, recall {_RECALL}: {'MISSED' if missed else 'hold'}")
    return int(missed)


def _queries(folder: Path, entries: Sequence[PaperEntry], exact: Floats, count: int) -> dict[str, list[Query]]:
    """Queries of each kind, made of passages of the library; vectors near to those of these passages."""
    sample: list[tuple[int, str]] = orjson.loads((folder / "sample.json").read_bytes())
    chance, noise = random.Random(3), np.random.default_rng(3)
    frequent = [
        word for word, _ in Counter(w for _, text in sample for w in _WORD.findall(text.lower())).most_common(60)
    ]

    def asked(make: Callable[[str], str], filters: Callable[[], Filters] = Filters) -> list[Query]:
        queries: list[Query] = []
        while len(queries) < count + _WARM:
            key, passage = chance.choice(sample)
            text = make(passage)
            # As far from all passages as questions are: the tenth nearest at a cosine of 0.4 to 0.5.
            other = exact[chance.choice(sample)[0]]
            vector = 0.7 * exact[key] + 0.5 * other + 0.03 * noise.standard_normal(exact.shape[1]).astype(np.float32)
            if query_terms(text):
                queries.append(Query(text, vector / np.linalg.norm(vector), filters()))
        return queries

    def words(passage: str, least: int, most: int) -> str:
        split = passage.split()
        start = chance.randrange(max(len(split) - most, 1))
        return " ".join(split[start : start + chance.randint(least, most)])

    def question(passage: str) -> str:
        return words(passage, 10, 15) + "?"

    ids = [entry.paper_id for entry in entries]
    return {
        "2-3 keywords": asked(lambda p: " ".join(chance.sample(_WORD.findall(p), chance.randint(2, 3)))),
        "questions": asked(question),
        "common words": asked(lambda _: " ".join(chance.sample(frequent, 3))),
        "exact tokens": asked(lambda p: " ".join(_EXACT.findall(p)[:2])),
        "questions, one paper": asked(question, lambda: Filters(papers=frozenset({chance.choice(ids)}))),
        "questions, 200 papers": asked(
            question, lambda: Filters(papers=frozenset(chance.sample(ids, min(200, len(ids)))))
        ),
        "questions, years": asked(question, lambda: Filters(years=(chance.randint(1990, 2010), None))),
        "questions, journal": asked(question, lambda: Filters(journal="review")),
        "questions, section": asked(question, lambda: replace(Filters(), section="methods")),
        "questions, tables": asked(question, lambda: Filters(kinds=frozenset({ChunkKind.TABLE}))),
    }


def _timed(ask: Callable[[Query], object], queries: list[Query]) -> list[float]:
    """Milliseconds of each query but the first ones."""
    times: list[float] = []
    for query in queries:
        started = time.perf_counter()
        ask(query)
        times.append(1000 * (time.perf_counter() - started))
    return times[_WARM:]


async def _hybrid(store: SqliteStore, queries: list[Query]) -> list[float]:
    times: list[float] = []
    for query in queries:
        started = time.perf_counter()
        ranked = await search(store, query.text, 10, query.filters, embedder=Given(query.vector))
        times.append(1000 * (time.perf_counter() - started))
        assert {run.state for run in ranked.rankers[:2]} == {"ran"}
    return times[_WARM:]


def _recall(store: SqliteStore, entries: Sequence[PaperEntry], exact: Floats, query: Query) -> float:
    """How many of the ten nearest by float32 are among the ten that the store finds."""
    found = {one.key for one in store.rank_vector(query.vector, 10, query.filters)}
    products = np.where(_passing(entries, query.filters), exact[1:] @ query.vector, -2)
    best = [int(place) + 1 for place in np.argsort(-products)[:10] if products[place] > -2]
    return len(found.intersection(best)) / len(best)


def _passing(entries: Sequence[PaperEntry], filters: Filters) -> npt.NDArray[np.bool_]:
    """Which chunks pass, by the order of making, as the generator and not the store knows it."""
    first = filters.years[0] or 0
    papers = [
        (not filters.papers or entry.paper_id in filters.papers)
        and (entry.year or 0) >= first
        and filters.journal in entry.journal.lower()
        for entry in entries
    ]
    places = range(library_corpus.PER_PAPER)
    chunks = [
        library_corpus.kind_at(place) in filters.kinds and filters.section in library_corpus.section_at(place).lower()
        for place in places
    ]
    passing = np.outer(papers, chunks).ravel()
    return passing[: sum(entry.chunks for entry in entries)]


def _by_fts5(connection: sqlite3.Connection, query: Query) -> object:
    terms = " OR ".join(f'"{term}"' for term in query_terms(query.text))
    return connection.execute(
        "SELECT rowid, rank FROM terms WHERE terms MATCH ? ORDER BY rank LIMIT ?", (terms, DEPTH)
    ).fetchall()


def _shown(times: list[float]) -> str:
    ordered = sorted(times)
    return f"{statistics.median(ordered):.1f} / {ordered[int(0.95 * len(ordered))]:.1f}"


if __name__ == "__main__":
    raise SystemExit(main())
