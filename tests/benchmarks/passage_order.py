"""What the first five passages of `search_passages` are: known items, values that tables hold, and front matter.

    python tests/benchmarks/passage_order.py [--papers 100] [--after 160] [--seed 5] [--data D] [--dir D]

Builds a library (SQLite, no embedder, as by default) of real papers and asks the queries of ``known_items.py``;
those of its tables put as questions for a value, with column, row and two words of the paper's title; and topics: two
words of a passage with two of the title, which title pages hold too. Prints
nDCG@5 and recall@5 of each part, the share of queries whose first passage is a title page or footnote, and that share
among the first five. ``--after`` skips that many papers of the seed's order: factors were chosen on the first 160.
"""

import argparse
import asyncio
import math
import random
import re
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

from known_items import PARTS, from_papers
from parts.known_items.corpus import DATA, Corpus, read_papers
from parts.known_items.item import KnownItem

from pincite_library.chunks.cut import cut_paper, cut_with_sources
from pincite_library.chunks.draft import Role
from pincite_library.ingest.entry import entry_of
from pincite_library.model import ChunkKind, Filters, IndexedChunk
from pincite_library.ranking.fields import chunk_terms
from pincite_library.ranking.search import search
from pincite_library.store.sqlite.store import SqliteStore
from pincite_papers.model import Paper

K = 5
QUESTIONS = (
    "What is the {name} of {label} in {about}?",
    "How large is {name} for {label} ({about})?",
    "Which value of {name} was found for {label} {about}",
)
TOPICS = ("{one} and {two} of {about}", "How do {one} and {two} go together in {about}?", "{about} {one} {two}")
_WORD = re.compile(r"[^\W\d_]{5,}")
_COMMON, _RARE = 40, 2
"""Chunks that have a word: more say little, fewer name the one passage."""


def title_words(paper: Paper, rng: random.Random) -> str:
    """Two words of the title, "" where it has none."""
    words = list(dict.fromkeys(_WORD.findall(paper.title)))
    return " ".join(rng.sample(words, 2)) if len(words) > 1 else ""


def value_questions(corpus: Corpus, items: list[KnownItem], seed: int) -> list[KnownItem]:
    """The queries of tables as questions, with two words of the paper's title in place of those of the caption: the
    table chunks of that paper with column and row answer them."""
    rng = random.Random(f"values {seed}")
    made: list[KnownItem] = []
    for item in items:
        label, _, name = item.said.rpartition(" / ")
        paper, chunks = next(
            (paper, chunks)
            for paper, chunks in zip(corpus.papers, corpus.chunks, strict=True)
            if any(chunk.locator(paper.paper_id) in item.relevant for chunk in chunks)
        )
        about = title_words(paper, rng)
        relevant = {
            chunk.locator(paper.paper_id)
            for chunk in chunks
            if chunk.kind is ChunkKind.TABLE and label in chunk.text and name in chunk.text
        }
        if about:
            question = rng.choice(QUESTIONS).format(name=name, label=label, about=about)
            made.append(KnownItem("values", question, item.relevant | relevant, item.said))
    return made


def topics(corpus: Corpus, front: set[str], seed: int, most: int) -> list[KnownItem]:
    """Two words that stand near each other in running text, with two of the title: the chunks of the paper that have
    both words in running text, a table or a figure answer them."""
    made: list[KnownItem] = []
    for paper, chunks in zip(corpus.papers, corpus.chunks, strict=True):
        rng = random.Random(f"topics {seed} {paper.paper_id}")
        body = [one for one in chunks if one.kind is ChunkKind.TEXT and one.locator(paper.paper_id) not in front]
        for chunk in rng.sample(body, min(len(body), -(-most // len(corpus.papers)))):
            at = rng.randrange(max(len(chunk.text) - 200, 1))
            near = dict.fromkeys(_WORD.findall(chunk.text[at : at + 200])[1:-1])
            words = [word for word in near if _RARE <= corpus.weigh(word) <= _COMMON]
            about = title_words(paper, rng)
            if len(words) < 2 or not about:
                continue
            one, two = rng.sample(words, 2)
            relevant = {
                other.locator(paper.paper_id)
                for other in chunks
                if one in other.text and two in other.text and other.locator(paper.paper_id) not in front
            }
            query = rng.choice(TOPICS).format(one=one, two=two, about=about)
            made.append(KnownItem("topics", query, frozenset(relevant), chunk.text[at : at + 200]))
    return made[:most]


def front_matter(papers: tuple[Paper, ...]) -> set[str]:
    """The locators of title pages, authors and footnotes."""
    pairs = ((paper, chunk, draft) for paper in papers for chunk, draft in cut_with_sources(paper))
    return {
        chunk.locator(paper.paper_id)
        for paper, chunk, draft in pairs
        if draft.kind is ChunkKind.TEXT and draft.role in (Role.TITLE, Role.FRONT)
    }


def main() -> int:
    """Print the measures; 2 where there are no papers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, default=100)
    parser.add_argument("--after", type=int, default=160)
    parser.add_argument("--queries", type=int, default=900)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--dir", type=Path, default=None, help="folder that keeps parsed papers")
    given = parser.parse_args()
    try:
        papers = read_papers(given.after + given.papers, given.seed, given.dir, given.data)[given.after :]
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 2
    queries = list(from_papers(papers, given.queries, given.seed).queries)
    front, corpus = front_matter(papers), Corpus.of(papers)
    queries += value_questions(corpus, [item for item in queries if item.part == "tables"], given.seed)
    queries += topics(corpus, front, given.seed, given.queries // 3)
    with tempfile.TemporaryDirectory() as name:
        store = SqliteStore(Path(name))
        for paper in papers:
            chunks = cut_paper(paper)
            entry = entry_of(paper, source=paper.paper_id, chunker="benchmark", chunks=len(chunks))
            store.put_paper(entry, paper.text, [IndexedChunk(c, chunk_terms(c)) for c in chunks], segments=False)
        print(f"{len(papers)} papers, {store.counts()['chunks']} chunks, {len(queries)} queries")
        rows: dict[str, list[tuple[float, ...]]] = defaultdict(list)
        for item in queries:
            found = asyncio.run(search(store, item.query, K, Filters())).found
            rows[item.part].append(measured([one.stored.locator for one in found], item, front))
        store.close()
    print(f"{'part':<10} {'queries':>7} {'nDCG@5':>7} {'recall@5':>8} {'front first':>11} {'front in 5':>10}")
    for part in (*PARTS, "values", "topics"):
        means = [sum(column) / len(column) for column in zip(*rows[part], strict=True)]
        print(f"{part:<10} {len(rows[part]):>7} {means[0]:7.4f} {means[1]:8.4f} {means[2]:11.4f} {means[3]:10.4f}")
    return 0


def measured(ranking: list[str], item: KnownItem, front: set[str]) -> tuple[float, ...]:
    """nDCG@5, recall@5, whether front matter comes first, and its share among the five."""
    places = [place for place, one in enumerate(ranking) if one in item.relevant]
    most = min(K, len(item.relevant))
    gained = sum(1 / math.log2(place + 2) for place in places)
    best = sum(1 / math.log2(place + 2) for place in range(most))
    wrong = [one in front and one not in item.relevant for one in ranking]
    return gained / best, len(places) / most, float(wrong[:1] == [True]), sum(wrong) / max(len(wrong), 1)


if __name__ == "__main__":
    sys.exit(main())
