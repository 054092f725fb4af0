"""Retrieval on written queries: BM25 alone, with static vectors, and with MiniLM.

    python tests/benchmarks/written_retrieval.py [--data ../shared/data] [--papers 60] [--half measured|tuned]
        [--vectors static,MiniLM] [--dir D]

``written_queries.jsonl`` has questions and keyword queries that a model wrote over open papers, with the sentence that
answers each before it and without knowledge of the ranker: about half of them precise (the sentence's own words), half
paraphrases. Their papers and further ones of ../shared/data (up to ``--papers``) are put into two libraries that differ
in their vectors: those of all-MiniLM-L6-v2, and static ones distilled from it (``tests/library/static_minilm.py``).
Every query is asked of BM25 alone, of the vectors alone, of both as the library fuses them, and of both fused by
reciprocal ranks (PINCITE_LIBRARY_FUSION=rrf).

Prints recall@5, recall@10 and MRR@10 of the paper and of the passage that has the sentence, with bootstrap 95 %
intervals over the papers of the queries (10,000 resamples of papers, as two queries of one paper are not independent),
and the paired difference of each method to BM25. The papers are split in two by a digest of their names: the fusion was
tuned on the queries of one half, and those of the other (the default) were first asked when it was fixed. 2 without
data or weights.
"""

import argparse
import asyncio
import hashlib
import importlib
import json
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from parts.claim_papers import papers_of
from parts.known_items.corpus import DATA, read_papers
from rapidfuzz import fuzz
from retrieval_quality import build, minilm_folder

from pincite_library.model import Filters
from pincite_library.ranking.embedder import Embedder
from pincite_library.ranking.local_embedder import LocalEmbedder
from pincite_library.ranking.search import search
from pincite_library.ranking.static_embedder import StaticEmbedder
from pincite_library.store.sqlite.store import SqliteStore
from pincite_papers.model import Paper

QUERIES = Path(__file__).with_name("written_queries.jsonl")
RESAMPLES, DEPTH = 10_000, 50
MEASURES = ("recall@5", "recall@10", "MRR@10")
_SAME = 95
"""Percent of characters (``rapidfuzz.partial_ratio``) from which a chunk has the sentence: print differs in marks of
citations and minus signs. Set by judgement."""


def is_measured(record: dict[str, Any]) -> bool:
    """Whether a query belongs to the papers that nothing was tuned on."""
    return int(hashlib.sha256(record["paper"].encode()).hexdigest(), 16) % 2 == 1


@dataclass(frozen=True)
class Papers:
    """The papers of a library, and the keys of the papers by the names that queries give."""

    all: tuple[Paper, ...]
    named: dict[str, str]


def read(records: Sequence[dict[str, Any]], data: Path, count: int, folder: Path) -> Papers:
    """The papers of the queries and others of the data, no two with one title."""
    of_queries = papers_of(list(records), data)
    known = {_plain(paper.title): paper for paper in of_queries.values()}
    named = {name: paper.paper_id for name, paper in of_queries.items()}
    others = [paper for paper in read_papers(2 * count, 21, folder, data) if _plain(paper.title) not in known]
    kept = [*of_queries.values(), *others][: max(count, len(of_queries))]
    return Papers(tuple(kept), named)


def _plain(text: str) -> str:
    return "".join(filter(str.isalnum, text.lower()))


def ranks(
    store: SqliteStore,
    records: Sequence[dict[str, Any]],
    papers: Papers,
    embedder: Embedder | None,
    *,
    dense: bool = False,
    by_ranks: bool = False,
) -> "np.ndarray[tuple[int, int], np.dtype[np.float64]]":
    """For each query the ranks of its paper and of its passage, from 1; infinite where they are not among the 50."""
    chunks = {stored.key: stored for entry in store.papers() for stored in store.chunks_of(entry.paper_id)}
    rows: list[tuple[float, float]] = []
    for record in records:
        if dense and embedder is not None:
            found = [
                chunks[one.key] for one in store.rank_vector(embedder.embed_query(record["query"]), DEPTH, Filters())
            ]
        else:
            ranked = asyncio.run(search(store, record["query"], DEPTH, Filters(), embedder=embedder, by_ranks=by_ranks))
            if ranked.failures or (embedder is not None and ranked.without_vectors):
                raise RuntimeError(f"The vectors were not asked: {ranked.failures}, {ranked.without_vectors} missing.")
            found = [one.stored for one in ranked.found]
        wanted = papers.named[record["paper"]]
        order = list(dict.fromkeys(stored.paper_id for stored in found))
        of_paper = order.index(wanted) + 1 if wanted in order else np.inf
        places = [
            n
            for n, stored in enumerate(found, 1)
            if stored.paper_id == wanted and _has(stored.chunk.text, record["quote"])
        ]
        rows.append((of_paper, places[0] if places else np.inf))
    return np.array(rows)


def _has(text: str, quote: str) -> bool:
    if len(text) < len(quote) / 2:
        return False
    return fuzz.partial_ratio(" ".join(quote.split()), " ".join(text.split())) >= _SAME


def measures(found: "np.ndarray[Any, np.dtype[np.float64]]") -> "np.ndarray[Any, np.dtype[np.float64]]":
    """recall@5, recall@10 and MRR@10 of each rank, shape (..., 3)."""
    return np.stack([found <= 5, found <= 10, np.where(found <= 10, 1 / found, 0)], axis=-1).astype(float)


def interval(values: "np.ndarray[Any, np.dtype[np.float64]]", groups: Sequence[str]) -> tuple[float, float, float]:
    """The mean of values and its 95 % interval by resampling whole groups."""
    names = sorted(set(groups))
    which = np.array([names.index(group) for group in groups])
    sums, counts = np.bincount(which, values, len(names)), np.bincount(which, minlength=len(names))
    drawn = np.random.default_rng(5).integers(0, len(names), (RESAMPLES, len(names)))
    low, high = np.percentile(sums[drawn].sum(axis=1) / counts[drawn].sum(axis=1), (2.5, 97.5))
    return float(values.mean()), float(low), float(high)


def report(results: dict[str, Any], records: Sequence[dict[str, Any]], say: Callable[[str], None] = print) -> None:
    """Print the measures of each method and the differences of the hybrids to BM25, by kind of query."""
    for kind in ("all", "precise", "paraphrase"):
        rows = [n for n, record in enumerate(records) if kind in ("all", record["kind"])]
        groups = [records[n]["paper"] for n in rows]
        for column, what in enumerate(("paper", "passage")):
            say(f"\n{what}, {kind} ({len(rows)} queries of {len(set(groups))} papers)")
            bm25 = measures(results["bm25"][rows, column])
            for method, found in results.items():
                values = measures(found[rows, column])
                cells = [f"{name} {_cell(interval(values[:, n], groups))}" for n, name in enumerate(MEASURES)]
                say(f"  {method:<17} " + "   ".join(cells))
            for method in [name for name in results if name != "bm25"]:
                less = measures(results[method][rows, column]) - bm25
                cells = [f"{name} {_cell(interval(less[:, n], groups), sign='+')}" for n, name in enumerate(MEASURES)]
                say(f"  {method} less bm25: " + "   ".join(cells))


def _cell(three: tuple[float, float, float], sign: str = "") -> str:
    mean, low, high = three
    return f"{mean:{sign}.3f} [{low:{sign}.3f}, {high:{sign}.3f}]"


def main() -> int:
    """Build the libraries, ask and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--papers", type=int, default=60, help="papers in the library, those of the queries among them")
    parser.add_argument("--half", choices=("measured", "tuned"), default="measured", help="whose queries are asked")
    parser.add_argument("--vectors", default="static,MiniLM", help="which vectors are tried")
    parser.add_argument("--dir", type=Path, default=None, help="folder that keeps parsed papers and vectors")
    arguments = parser.parse_args()
    records = [json.loads(line) for line in QUERIES.read_text(encoding="utf-8").splitlines()]
    try:
        model = minilm_folder()
    except RuntimeError as error:
        print(error, file=sys.stderr)
        return 2
    distilling: Any = importlib.import_module("static_minilm")
    embedders: dict[str, Callable[[], Embedder]] = {
        "static": lambda: StaticEmbedder(distilling.static_folder(model)),
        "MiniLM": lambda: LocalEmbedder(model),
    }
    results: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.dir or Path(temporary)
        papers = read(records, arguments.data, arguments.papers, folder / "papers")
        records = [record for record in records if is_measured(record) == (arguments.half == "measured")]
        for name in arguments.vectors.split(","):
            embedder = embedders[name]()
            kept = folder / name
            kept.mkdir(parents=True, exist_ok=True)
            store = SqliteStore(Path(temporary) / f"library-{name}")
            begun = time.monotonic()
            build(store, papers.all, embedder, kept)
            counts = store.counts()
            print(
                f"{name}: {counts['papers']} papers, {counts['chunks']} chunks, {time.monotonic() - begun:.1f} s, "
                f"{embedder.space.model}",
                flush=True,
            )
            if "bm25" not in results:
                results["bm25"] = ranks(store, records, papers, None)
            results[f"{name} alone"] = ranks(store, records, papers, embedder, dense=True)
            results[f"bm25 + {name}"] = ranks(store, records, papers, embedder)
            results[f"{name}, by ranks"] = ranks(store, records, papers, embedder, by_ranks=True)
            store.close()
    report(results, records)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
