"""Retrieval quality: BM25, vectors and both on known items of real papers.

    python tests/benchmarks/retrieval_quality.py [--papers 100] [--queries 900] [--seed 5] [--after 160] [--dir D]

Builds a library (SQLite, chunks and terms as ingest makes them) of the papers of ``known_items.py``, embeds it with
the real weights of all-MiniLM-L6-v2, and asks every query of BM25 alone (``search`` without an embedder), of the
vectors alone and of both (``search`` with it); reciprocal rank fusion (k = 60) of the two stands beside as the peer.
Prints nDCG@10, recall@10 and MRR@10 for each part, and the difference of hybrid to each alone with its paired bootstrap
95 % interval over the queries (10,000 resamples). ``--after`` skips that many papers of the seed's order: the fusion
was chosen on the first 160, the default's (83 with all of ../shared/data) were never looked at.

The exit status is 1 where hybrid has a lower mean nDCG@10 than either alone on a part, or a recall@10 of exact tokens
below 0.99. ``--dir`` keeps parsed papers and vectors: embedding takes most of the time.
"""

import argparse
import asyncio
import hashlib
import math
import os
import sys
import tempfile
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from known_items import PARTS, KnownItems, from_papers
from parts.known_items.corpus import read_papers

from pincite_library.chunks.cut import cut_paper
from pincite_library.ingest.entry import entry_of
from pincite_library.model import Filters, IndexedChunk, Scored, Vectors
from pincite_library.ranking.embedder import Embedder, embedded_text
from pincite_library.ranking.fields import chunk_terms
from pincite_library.ranking.local_embedder import LocalEmbedder
from pincite_library.ranking.search import search
from pincite_library.ranking.terms import query_terms
from pincite_library.store.sqlite.store import SqliteStore
from pincite_library.store.store import Store
from pincite_papers.model import Paper

K, DEPTH, RESAMPLES = 10, 200, 10_000
METHODS = ("bm25", "dense", "rrf 60", "hybrid")
EXACT_RECALL = 0.99
_SLICE = 512


@dataclass(frozen=True)
class Measured:
    """By method: nDCG@10, recall@10 and MRR@10 of every query, float64 of shape (queries, 3)."""

    parts: "np.ndarray[tuple[int], np.dtype[np.str_]]"
    values: Mapping[str, np.ndarray]

    def of(self, method: str, part: str, column: int) -> np.ndarray:
        """One measure of a method for the queries of a part ("all" for all)."""
        rows = self.parts == part if part != "all" else np.ones(len(self.parts), dtype=bool)
        return self.values[method][rows, column]

    def difference(self, part: str, other: str) -> tuple[float, float, float]:
        """Mean difference in nDCG@10 of hybrid to the other, with its paired bootstrap 95 % interval."""
        differences = self.of("hybrid", part, 0) - self.of(other, part, 0)
        rng = np.random.default_rng(5)
        rows = rng.integers(0, len(differences), (RESAMPLES, len(differences)))
        low, high = np.percentile(differences[rows].mean(axis=1), (2.5, 97.5))
        return float(differences.mean()), float(low), float(high)


def build(store: Store, papers: Sequence[Paper], embedder: Embedder, kept: Path | None) -> None:
    """Put papers with their chunks, terms and vectors into a store."""
    for paper in papers:
        chunks = cut_paper(paper)
        entry = entry_of(paper, source=paper.paper_id, chunker="benchmark", chunks=len(chunks))
        indexed = [IndexedChunk(chunk, chunk_terms(chunk)) for chunk in chunks]
        store.put_paper(entry, paper.text, indexed, segments=False)
    waiting = store.without_vectors(1 << 30)
    matrix = embedded([embedded_text(stored.chunk) for stored in waiting], embedder, kept)
    store.put_vectors(embedder.space, Vectors(tuple(stored.key for stored in waiting), matrix))


def embedded(texts: Sequence[str], embedder: Embedder, kept: Path | None) -> np.ndarray:
    """The vectors of texts; ``kept`` is a folder with those of earlier runs, by digest of space and text."""
    space = repr(embedder.space)
    digests = [hashlib.sha256(f"{space}\n{text}".encode()).hexdigest() for text in texts]
    file = kept / "vectors.npz" if kept is not None else None
    known: dict[str, np.ndarray] = {}
    if file is not None and file.is_file():
        with np.load(file) as saved:
            known = dict(zip(saved["digests"].tolist(), saved["matrix"], strict=True))
    missing = [place for place, digest in enumerate(digests) if digest not in known]
    for start in range(0, len(missing), _SLICE):
        places = missing[start : start + _SLICE]
        for place, vector in zip(places, embedder.embed_texts([texts[place] for place in places]), strict=True):
            known[digests[place]] = vector
        if file is not None:
            part = file.with_name("vectors.part.npz")
            np.savez(part, digests=np.array(list(known)), matrix=np.stack(list(known.values())))
            part.rename(file)
    return np.stack([known[digest] for digest in digests])


def measure(store: Store, items: KnownItems, embedder: Embedder) -> tuple[Measured, list[float]]:
    """Ask every query in every way; the measures, and the seconds of each hybrid search."""
    locator = {stored.key: stored.locator for entry in store.papers() for stored in store.chunks_of(entry.paper_id)}
    rows: dict[str, list[tuple[float, float, float]]] = {method: [] for method in METHODS}
    seconds: list[float] = []
    for item in items.queries:
        by_terms = store.rank_terms(query_terms(item.query), DEPTH, Filters())
        by_vector = store.rank_vector(embedder.embed_query(item.query), DEPTH, Filters())
        alone = asyncio.run(search(store, item.query, K, Filters()))
        begun = time.perf_counter()
        both = asyncio.run(search(store, item.query, K, Filters(), embedder=embedder))
        seconds.append(time.perf_counter() - begun)
        rankings = {
            "bm25": [one.stored.key for one in alone.found],
            "dense": [one.key for one in by_vector],
            "rrf 60": reciprocal_ranks(by_terms, by_vector),
            "hybrid": [one.stored.key for one in both.found],
        }
        for method, ranking in rankings.items():
            rows[method].append(scores([locator[key] for key in ranking[:K]], item.relevant))
    parts = np.array([item.part for item in items.queries])
    return Measured(parts, {method: np.array(values) for method, values in rows.items()}), seconds


def scores(ranking: Sequence[str], relevant: frozenset[str] | set[str]) -> tuple[float, float, float]:
    """nDCG@10 with gains of 0 and 1 (Järvelin and Kekäläinen 2002), recall@10 and MRR@10 of one ranking."""
    places = [place for place, one in enumerate(ranking[:K]) if one in relevant]
    gained = sum(1 / math.log2(place + 2) for place in places)
    best = sum(1 / math.log2(place + 2) for place in range(min(K, len(relevant))))
    return gained / best, len(places) / min(K, len(relevant)), 1 / (places[0] + 1) if places else 0.0


def reciprocal_ranks(*rankings: Sequence[Scored]) -> list[int]:
    """Reciprocal rank fusion (Cormack, Clarke, Büttcher 2009) with k = 60."""
    sums: dict[int, float] = {}
    for ranking in rankings:
        for rank, one in enumerate(ranking, 1):
            sums[one.key] = sums.get(one.key, 0.0) + 1 / (60 + rank)
    return sorted(sums, key=lambda key: -sums[key])


def report(measured: Measured, say: Callable[[str], None] = print) -> bool:
    """Print the measures; whether hybrid stands everywhere."""
    parts = [part for part in PARTS if part in measured.parts]
    say(f"\n{'part':<10} {'queries':>7}  " + "  ".join(f"{method:^20}" for method in METHODS))
    say(f"{'':<10} {'':>7}  " + "  ".join(f"{'nDCG':>6} {'recall':>6} {'MRR':>6}" for _ in METHODS))
    for part in [*parts, "all"]:
        cells = ("  ".join(" ".join(f"{measured.of(m, part, c).mean():6.3f}" for c in range(3)) for m in METHODS),)
        say(f"{part:<10} {len(measured.of('bm25', part, 0)):>7}  {cells[0]}")
    say("\nhybrid less …, nDCG@10 (paired bootstrap 95 % interval)")
    stands = True
    for part in parts:
        told = []
        for other in ("bm25", "dense"):
            mean, low, high = measured.difference(part, other)
            stands &= mean >= 0
            told.append(f"{other} {mean:+.4f} [{low:+.4f}, {high:+.4f}]{'' if mean >= 0 else ' WORSE'}")
        say(f"{part:<10} {'   '.join(told)}")
    exact = float(measured.of("hybrid", "exact", 1).mean()) if "exact" in parts else 1.0
    say(f"\nrecall@10 of exact tokens: hybrid {exact:.4f} (bar {EXACT_RECALL})")
    peer = measured.of("hybrid", "all", 0).mean() / measured.of("rrf 60", "all", 0).mean()
    say(f"nDCG@10 over all: {peer:.3f} times that of reciprocal rank fusion")
    return stands and exact >= EXACT_RECALL


def main() -> int:
    """Print the measures; 1 where hybrid does not stand, 2 without data or weights."""
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.dir or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        begun = time.monotonic()
        try:
            papers = read_papers(arguments.after + arguments.papers, arguments.seed, folder / "papers")
            model = minilm_folder()
            if len(papers) <= arguments.after:
                raise FileNotFoundError(f"There are {len(papers)} papers: none is left after {arguments.after}.")
        except (FileNotFoundError, RuntimeError) as error:
            print(error, file=sys.stderr)
            return 2
        items = from_papers(papers[arguments.after :], arguments.queries, arguments.seed)
        embedder = LocalEmbedder(model, workers=os.cpu_count())
        store = SqliteStore(Path(temporary) / "library")
        build(store, items.papers, embedder, folder)
        counts = store.counts()
        print(f"{counts['papers']} papers, {counts['chunks']} chunks, {len(items.queries)} queries, ", end="")
        print(f"{embedder.space.model}; ready after {time.monotonic() - begun:.0f} s")
        measured, seconds = measure(store, items, embedder)
        stands = report(measured)
        print(f"hybrid search, embedding of the query included: p50 {1000 * float(np.median(seconds)):.0f} ms")
        store.close()
    return 0 if stands else 1


def minilm_folder() -> Path:
    """The weights, as the tests use them; RuntimeError where they cannot be fetched."""
    sys.path.insert(0, str(Path(__file__).parents[1] / "library"))
    import minilm

    try:
        return minilm.model_folder()
    except minilm.UnavailableModelError as error:
        raise RuntimeError(str(error)) from error


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, default=100)
    parser.add_argument("--queries", type=int, default=900)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--after", type=int, default=160, help="papers of the seed's order to skip")
    parser.add_argument("--dir", type=Path, default=None, help="folder that keeps parsed papers and vectors")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
