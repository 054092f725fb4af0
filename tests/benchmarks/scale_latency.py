"""Latency, memory and recall of the scale store (LanceDB) at a million chunks of 800 characters with 384-d vectors.

A library is built from ``library_corpus`` by its own process (papers made and terms cut by two more), then asked by
this one through ``ranking.search.search`` as the server does: BM25 and vectors at once, their fusion, fetching the ten
best. Embedding of queries is not counted. Vectors of queries are blends of a chunk's vector with noise (cosine about
0.75), so that neighbours are as far as a question's are. Recall is that of the ten nearest against all vectors
compared, without the index.

python tests/benchmarks/scale_latency.py [--chunks N] [--dir D] [--segments]

A library that D holds already is asked as it is, whatever N says.
"""

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any

# A paper's vectors are small matrices: threads of BLAS only get into each other's way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
sys.path.insert(0, str(Path(__file__).parent))

import anyio
import library_corpus
import numpy as np

from pincite_library.model import ChunkKind, Filters, Vectors, VectorSpace
from pincite_library.ranking.fusion import DEPTH
from pincite_library.ranking.search import search
from pincite_library.ranking.terms import query_terms
from pincite_library.store.lance.store import LanceStore

SPACE = VectorSpace("made", library_corpus.DIMENSION, "1")
BAR_MS, BAR_MB = 40.0, 2000.0
PER_PAPER, REFERENCES = 40, 2
PER_TASK, AT_ONCE = 5000, 5000
QUERIES, ASKED = 100, 6
COMMON = ["study cells", "protein expression", "analysis of data", "high levels", "different time", "control group"]


class Given:
    """An embedder that was told the vector of every query."""

    space = SPACE

    def __init__(self) -> None:
        self.vectors: dict[str, Any] = {}

    def embed_texts(self, texts: Sequence[str]) -> Any:
        return np.stack([self.vectors[text] for text in texts])

    def embed_query(self, query: str) -> Any:
        return self.vectors[query]


def made(task: tuple[int, int]) -> list[library_corpus.MadePaper]:
    """``task[1]`` chunks of papers from number ``task[0]`` on."""
    return list(library_corpus.papers(task[1], first=task[0]))


def build(folder: Path, chunks: int, *, segments: bool) -> None:
    """Put the papers, then their vectors, printing how long each stage took; leave questions with their answers."""
    folder.mkdir(parents=True, exist_ok=True)
    store = LanceStore(str(folder / "library"))
    matrix = np.memmap(folder / "vectors.f32", np.float32, "w+", shape=(chunks, SPACE.dimension))
    places, questions = put_papers(store, matrix, chunks, segments=segments)
    put_vectors(store, matrix, places)
    started = time.perf_counter()
    gained = store.vacuum()
    print(f"vacuum: {time.perf_counter() - started:.0f} s, {gained / 1e6:.0f} MB less", flush=True)
    answer(folder, store, matrix, places, questions)
    print(f"peak memory of the building process: {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3:.0f} MB")


def put_papers(
    store: LanceStore, matrix: Any, chunks: int, *, segments: bool
) -> tuple[dict[str, int], list[tuple[str, int]]]:
    """Put papers; the first row of each in the matrix of vectors, and sentences with their rows, to ask for."""
    places: dict[str, int] = {}
    sentences: list[tuple[str, int]] = []
    tasks = [(at // PER_PAPER, min(PER_TASK, chunks - at)) for at in range(0, chunks, PER_TASK)]
    started, writing, row = time.perf_counter(), 0.0, 0
    with get_context("spawn").Pool(2) as pool, store.batch():
        for number, papers in enumerate(pool.imap(made, tasks)):
            at = time.perf_counter()
            for paper in papers:
                store.put_paper(paper.entry, paper.text, paper.chunks, segments=segments)
                places[paper.entry.paper_id] = row
                matrix[row : row + len(paper.chunks)] = paper.vectors
                row += len(paper.chunks)
            writing += time.perf_counter() - at
            for paper in papers[::ASKED]:
                text = paper.chunks[0].chunk.text
                sentences.append((text[: text.find(". ") + 1] or text[:120], places[paper.entry.paper_id]))
            if number % 20 == 19:
                print(f"  {row} chunks after {time.perf_counter() - started:.0f} s", flush=True)
        read = time.perf_counter()
    print(f"papers: {read - started:.0f} s, of these {writing:.0f} s writing with what was indexed on the way")
    print(f"indexing at the end: {time.perf_counter() - read:.0f} s", flush=True)
    return places, sentences


def put_vectors(store: LanceStore, matrix: Any, places: dict[str, int]) -> None:
    """Give every chunk its vector, as embedding does."""
    started = time.perf_counter()
    with store.batch():
        while stored := store.without_vectors(AT_ONCE):
            rows = [places[one.paper_id] + one.chunk.ordinal for one in stored]
            store.put_vectors(SPACE, Vectors(tuple(one.key for one in stored), np.asarray(matrix[rows])))
        put = time.perf_counter()
    print(f"vectors: {put - started:.0f} s; indexing them {time.perf_counter() - put:.0f} s", flush=True)


def answer(
    folder: Path, store: LanceStore, matrix: Any, places: dict[str, int], sentences: list[tuple[str, int]]
) -> None:
    """Make queries and their vectors, and find the ten nearest chunks of each by comparing with all."""
    chance = np.random.default_rng(3)
    sentences = sentences[:: max(1, len(sentences) // QUERIES)][:QUERIES]
    noise = chance.standard_normal((len(sentences), SPACE.dimension)).astype(np.float32)
    noise /= np.linalg.norm(noise, axis=1, keepdims=True)
    near = np.asarray(matrix[[row for _, row in sentences]])
    asked = 0.75 * near + 0.66 * noise
    asked /= np.linalg.norm(asked, axis=1, keepdims=True)
    rows = [place + ordinal for place in places.values() for ordinal in range(PER_PAPER)]
    kept = np.fromiter((row for row in rows if row % PER_PAPER < PER_PAPER - REFERENCES), np.int64)
    best = nearest(matrix, asked, kept[kept < len(matrix)])
    paper_of = {place: paper for paper, place in places.items()}
    truth = [[(paper_of[row - row % PER_PAPER], int(row % PER_PAPER)) for row in line] for line in best]
    np.save(folder / "asked.npy", asked)
    told = [{"text": text, "nearest": line} for (text, _), line in zip(sentences, truth, strict=True)]
    (folder / "queries.json").write_text(json.dumps({"chunks": len(matrix), "queries": told}))


def nearest(matrix: Any, asked: Any, rows: Any) -> Any:
    """The ten rows nearest to each query, all compared."""
    best, where = np.full((len(asked), 10), -2.0, np.float32), np.zeros((len(asked), 10), np.int64)
    for at in range(0, len(rows), 50_000):
        part = rows[at : at + 50_000]
        scores = np.concatenate([best, asked @ np.asarray(matrix[part]).T], axis=1)
        ids = np.concatenate([where, np.broadcast_to(part, (len(asked), len(part)))], axis=1)
        order = np.argsort(-scores, axis=1)[:, :10]
        best, where = np.take_along_axis(scores, order, 1), np.take_along_axis(ids, order, 1)
    return where


def kinds_of_queries(texts: list[str], papers: list[str]) -> dict[str, list[tuple[str, Filters]]]:
    """Queries by kind: each is a text and its filters."""
    everything = Filters()
    words = [[word for word in text.split() if word.isalpha() and len(word) > 3] or ["protein"] for text in texts]
    numbers = [[word for word in text.split() if any(map(str.isdigit, word))][:3] or ["1.5", "mM"] for text in texts]
    plain = {
        "questions": texts,
        "keywords": [" ".join(sorted(line, key=len)[-3:]) for line in words],
        "common words": [" ".join(line) for line in zip(COMMON * 20, (COMMON * 20)[3:], strict=False)][: len(texts)],
        "exact tokens": [" ".join(line) for line in numbers],
    }
    kinds = {name: [(text, everything) for text in lines] for name, lines in plain.items()}
    filters = {
        "filter years": Filters(years=(2005, 2014)),
        "filter section": Filters(section="RESULTS"),
        "filter journal": Filters(journal="physical"),
        "filter tables": Filters(kinds=frozenset({ChunkKind.TABLE})),
        "filter a paper": Filters(papers=frozenset(papers[:1])),
        "filter 100 papers": Filters(papers=frozenset(papers[:100])),
    }
    return kinds | {name: [(text, one) for text in texts[:30]] for name, one in filters.items()}


async def ask(store: LanceStore, folder: Path, chunks: int) -> float:
    """Print latencies by kind of query, recall and memory; the p50 of hybrid search without filters in ms."""
    told = json.loads((folder / "queries.json").read_text())["queries"]
    given, asked = Given(), np.load(folder / "asked.npy")
    papers = [one["nearest"][0][0] for one in told] + [entry.paper_id for entry in store.papers()[:100]]
    kinds = kinds_of_queries([one["text"] for one in told], papers)
    for lines in kinds.values():
        given.vectors.update({text: asked[at % len(asked)] for at, (text, _) in enumerate(lines)})
    given.vectors.update({one["text"]: vector for one, vector in zip(told, asked, strict=True)})
    plain: list[float] = []
    print(f"{'p50 / p95 in ms':20} {'BM25':>15} {'vectors':>15} {'hybrid':>15}")
    for name, lines in kinds.items():
        terms = [query_terms(text) for text, _ in lines]
        bm25 = timed(lambda at: store.rank_terms(terms[at], DEPTH, lines[at][1]), len(lines))  # noqa: B023
        dense = timed(lambda at: store.rank_vector(given.vectors[lines[at][0]], DEPTH, lines[at][1]), len(lines))  # noqa: B023
        both = [await timed_search(store, given, line) for line in (*lines[:3], *lines)][3:]
        print(f"{name:20} {shown(bm25)} {shown(dense)} {shown(both)}", flush=True)
        plain += both if lines[0][1] == Filters() else []
    hits = 0
    for one, vector in zip(told, asked, strict=True):
        found = store.fetch([scored.key for scored in store.rank_vector(vector, DEPTH, Filters())[:10]])
        hits += len({(one.paper_id, one.chunk.ordinal) for one in found} & {(a, b) for a, b in one["nearest"]})
    print(f"recall@10 of vectors: {hits / 10 / len(told):.3f}")
    if store.counts()["segments"]:
        looked_for(store)
    print(f"memory of the asking process: {memory_mb():.0f} MB (bar {BAR_MB:.0f})")
    middle = statistics.median(plain)
    bar = f"bar {BAR_MS:.0f}: {middle / BAR_MS:.2f} of it"
    print(f"hybrid without filters: p50 {middle:.1f} ms at {chunks} chunks ({bar})")
    return middle


def looked_for(store: LanceStore) -> None:
    """Print how long exact search takes for a rare text, a common one, and one that is not there."""
    for wanted in ("actinomycin d", "phosphorylation", "zzqzz"):
        started = time.perf_counter()
        found = sum(1 for _ in store.segments(((wanted,),), frozenset()))
        print(f"segments with {wanted!r}: {found} in {(time.perf_counter() - started) * 1e3:.0f} ms")


def timed(work: Callable[[int], object], count: int) -> list[float]:
    """Milliseconds of each call, after three to warm up."""
    times: list[float] = []
    for at in (*range(min(3, count)), *range(count)):
        started = time.perf_counter()
        work(at)
        times.append((time.perf_counter() - started) * 1e3)
    return times[min(3, count) :]


async def timed_search(store: LanceStore, given: Given, line: tuple[str, Filters]) -> float:
    """Milliseconds of one hybrid search."""
    started = time.perf_counter()
    await search(store, line[0], 10, line[1], embedder=given)
    return (time.perf_counter() - started) * 1e3


def shown(times: list[float]) -> str:
    """p50 and p95."""
    return f"{statistics.median(times):7.1f} {np.quantile(times, 0.95):7.1f}"


def memory_mb() -> float:
    """Resident memory of this process."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> int:
    """Build where nothing is there, then ask; exit code 1 when a bar is missed."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--chunks", type=int, default=1_000_000)
    parser.add_argument("--dir", type=Path, default=None)
    parser.add_argument("--segments", action="store_true", help="build and ask exact search too (takes minutes more)")
    parser.add_argument("--build", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.build:
        build(options.dir, options.chunks, segments=options.segments)
        return 0
    if not library_corpus.sentences():
        print("The papers of ../shared/data are not there.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        folder = options.dir or Path(scratch)
        if not (folder / "queries.json").is_file():
            arguments = ["--build", "--chunks", str(options.chunks), "--dir", str(folder)]
            arguments += ["--segments"] if options.segments else []
            subprocess.run([sys.executable, __file__, *arguments], check=True)
        chunks = json.loads((folder / "queries.json").read_text())["chunks"]
        started = time.perf_counter()
        store = LanceStore(str(folder / "library"))
        print(f"opened in {time.perf_counter() - started:.1f} s: {store.counts()}")
        middle = anyio.run(ask, store, folder, chunks)
        return 0 if middle < BAR_MS and memory_mb() < BAR_MB else 1


if __name__ == "__main__":
    raise SystemExit(main())
