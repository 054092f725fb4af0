"""What the distractors of literature_qa do to retrieval: each bundled question about a paper, asked of three libraries.

python -m tests.benchmarks run distractors

The question's own words are the query. Libraries: the two papers alone; with their twenty near neighbours; with the
papers of the other families too. Ranking is the default one without vectors (BM25). For each: the share of questions
whose passage (the one with the gold's quote) and whose paper are first, among the first five and ten. Searches over the
made-up literature likewise: the rank of the work that a ``find-…`` question is about, with and without the distractors.
"""

import argparse
import asyncio
import contextlib
import importlib.util
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import orjson

from pincite_core.settings import load_settings
from pincite_library.model import Filters
from pincite_library.ranking.search import search
from pincite_library.store.opening import open_store
from pincite_tasks.corpus.corpus import Corpus, read_corpus
from pincite_tasks.corpus.index import ABSTRACT, SUBJECTS, TITLE
from pincite_tasks.corpus.search_words import split

ROOT = Path(__file__).parents[2]
FAMILY = ROOT / "tasks" / "literature_qa"
DEPTH = 50
CUTS = (1, 5, 10)
"""Ranks up to which a hit counts."""


def script() -> ModuleType:
    """scripts/build_distractor_library.py."""
    spec = importlib.util.spec_from_file_location("build_library", ROOT / "scripts" / "build_distractor_library.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def questions() -> list[dict[str, Any]]:
    """The bundled questions."""
    return [orjson.loads(line) for line in (FAMILY / "records.jsonl").read_bytes().splitlines()]


def first(places: Sequence[bool]) -> int | None:
    """The rank of the first hit, from 1."""
    return next((rank for rank, hit in enumerate(places, start=1) if hit), None)


def shares(ranks: Sequence[int | None]) -> str:
    """Shares of ranks up to each of CUTS."""
    counted = [sum(rank is not None and rank <= cut for rank in ranks) for cut in CUTS]
    return "  ".join(f"@{cut} {count}/{len(ranks)}" for cut, count in zip(CUTS, counted, strict=True))


def in_library(folder: Path) -> tuple[list[int | None], list[int | None]]:
    """The ranks of the passages and of the papers that the questions about papers rest on."""
    settings = load_settings().model_copy(update={"library_dir": folder.resolve()})
    passages: list[int | None] = []
    papers: list[int | None] = []
    with contextlib.closing(open_store(settings)) as store:
        names = {entry.paper_id: Path(entry.source).name for entry in store.papers()}
        for task in questions():
            source = task["gold"].get("source", {})
            if "paper" not in source:
                continue
            ranked = asyncio.run(search(store, task["inputs"]["parameters"]["question"], DEPTH, Filters()))
            paper_id = next(key for key, name in names.items() if name == source["paper"])
            start = store.text(paper_id).index(source["quote"])
            own = [one.stored.paper_id == paper_id for one in ranked.found]
            there = [one.stored.chunk.start <= start < one.stored.chunk.end for one in ranked.found]
            papers.append(first(own))
            passages.append(first([mine and quoted for mine, quoted in zip(own, there, strict=True)]))
    return passages, papers


def in_corpus(corpus: Corpus, wanted: Callable[[str], bool]) -> list[int | None]:
    """The ranks of the works that the ``find-…`` questions are about, among works whose id is wanted."""
    ranks: list[int | None] = []
    for task in questions():
        doi = task["gold"].get("source", {}).get("doi")
        if doi is None:
            continue
        scores = corpus.index.scores(split(task["inputs"]["parameters"]["question"]), (TITLE, ABSTRACT, SUBJECTS))
        works = [(score, work) for score, work in zip(scores, corpus.works, strict=True) if wanted(work.id)]
        works.sort(key=lambda pair: -pair[0])
        ranks.append(first([work.doi == doi for _, work in works]))
    return ranks


def main() -> int:
    """Print the table."""
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()
    built = script()
    about, near, far = built.asked(), built.neighbours(), built.others()
    with tempfile.TemporaryDirectory() as made:
        for name, papers in (("alone", about), ("near", [*about, *near]), ("all", [*about, *near, *far])):
            folder = Path(made) / name
            if not built.build(folder, papers):
                print(f"{name}: a paper could not be read", file=sys.stderr)
                return 1
            passages, sources = in_library(folder)
            print(f"{len(papers):2} papers: passage {shares(passages)}   paper {shares(sources)}", flush=True)
    corpus, added = read_corpus(FAMILY / "corpora" / "fjord"), {path.stem for path in near}
    print(f"works without distractors: {shares(in_corpus(corpus, lambda name: name not in added))}")
    print(f"works with them: {shares(in_corpus(corpus, lambda _: True))}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
