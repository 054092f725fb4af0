"""Known-item queries: what somebody would ask who looks for a passage that is there.

    python tests/benchmarks/known_items.py [--papers 100] [--queries 900] [--seed 5] [--show 4] [--dir D] [--json F]

The papers are drawn from ../shared/data (PLOS and CRAFT articles as JATS, the others as PDF), no two with one DOI. The
queries are made by rules with a seed, from as many papers as there are, in six parts:

- ``titles``: the title, half of them cut short: the chunks in whose text it stands.
- ``sentences``: a sentence in other words. Asides and numbers dropped, halves exchanged at a connective, "X of Y" as
  "Y X", words replaced by hand-made synonyms in the same form, fillers and some other words left out, plurals made
  singular; never more than four words in a row as they stood, at most three quarters of the longer words kept. The
  chunk of the sentence, and those of the paper with a sentence of nearly the same words.
- ``tables``: a column's name, a row's label and rare words of the caption, the value not among them: the groups of
  rows that have them.
- ``names``: a rare name (gene, protein, species, material) with two words that stand beside it: the chunks with all.
- ``captions``: the first sentence of a caption in other words, as above: the chunks of that table or figure with it.
- ``exact``: a number, formula, identifier, accession number or DOI alone, that at most eight chunks have in any case or
  as part of a compound: all that have it exactly.

What is relevant is found in the text of the chunks, so ``tables``, ``names`` and ``exact`` favour what matches words;
``sentences`` and ``captions`` share with their chunk only what a rule-made paraphrase leaves. Other passages may answer
a paraphrase too and count as wrong. Chunks of reference lists are not part of the corpus.
"""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from parts.known_items.corpus import Corpus, read_papers
from parts.known_items.item import KnownItem
from parts.known_items.passages import captions, sentences, titles
from parts.known_items.values import exact_tokens, names, table_values

from pincite_library.model import Chunk
from pincite_papers.model import Paper

Maker = Callable[[Corpus, int, random.Random], Iterator[KnownItem]]

PARTS: dict[str, tuple[Maker, float]] = {
    "titles": (titles, 0.11),
    "sentences": (sentences, 0.23),
    "tables": (table_values, 0.15),
    "names": (names, 0.17),
    "captions": (captions, 0.17),
    "exact": (exact_tokens, 0.17),
}
"""What makes the queries of each part, and its share of them."""


@dataclass(frozen=True, slots=True)
class KnownItems:
    """Papers, the chunks of each (no references) as the library cuts them, and the queries for them."""

    papers: tuple[Paper, ...]
    chunks: tuple[tuple[Chunk, ...], ...]
    queries: tuple[KnownItem, ...]


def known_items(papers: int = 100, queries: int = 900, *, seed: int = 5, folder: Path | None = None) -> KnownItems:
    """At most ``queries`` queries over ``papers`` papers; the same for the same arguments, data and code.

    ``folder`` keeps parsed papers for the next time. FileNotFoundError where ../shared/data is not there.
    """
    return from_papers(read_papers(papers, seed, folder), queries, seed)


def from_papers(papers: tuple[Paper, ...], queries: int, seed: int) -> KnownItems:
    """The queries over these papers."""
    corpus = Corpus.of(papers)
    made: list[KnownItem] = []
    for part, (maker, share) in PARTS.items():
        made += _taken(corpus, part, maker, seed, round(share * queries))
    return KnownItems(papers, corpus.chunks, tuple(made))


def _taken(corpus: Corpus, part: str, maker: Maker, seed: int, most: int) -> list[KnownItem]:
    """The queries of a part, one paper after the other as long as they have any, none twice."""
    going = [
        maker(corpus, number, random.Random(f"{part} {seed} {paper.paper_id}"))
        for number, paper in enumerate(corpus.papers)
    ]
    taken: dict[str, KnownItem] = {}
    while going and len(taken) < most:
        left: list[Iterator[KnownItem]] = []
        for items in going:
            item = next((item for item in items if item.query not in taken), None)
            if item is None or len(taken) == most:
                continue
            taken[item.query] = item
            left.append(items)
        going = left
    return list(taken.values())


def main() -> int:
    """Print how many queries each part has, with some of them; 2 when there are no data."""
    arguments = _arguments()
    try:
        made = known_items(arguments.papers, arguments.queries, seed=arguments.seed, folder=arguments.dir)
    except FileNotFoundError as error:
        print(error, file=sys.stderr)
        return 2
    counts = Counter(item.part for item in made.queries)
    print(f"{len(made.papers)} papers, {sum(map(len, made.chunks))} chunks, {len(made.queries)} queries")
    for part in PARTS:
        items = [item for item in made.queries if item.part == part]
        mean = sum(len(item.relevant) for item in items) / max(len(items), 1)
        print(f"\n{part}: {counts[part]} queries, {mean:.2f} relevant chunks each")
        for item in items[: arguments.show]:
            print(f"  {item.query!r}\n    from {item.said[:200]!r}: {', '.join(sorted(item.relevant))}")
    if arguments.json is not None:
        rows = [{"part": i.part, "query": i.query, "relevant": sorted(i.relevant)} for i in made.queries]
        arguments.json.write_text(json.dumps(rows, indent=1, ensure_ascii=False))
    return 0


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--papers", type=int, default=100)
    parser.add_argument("--queries", type=int, default=900)
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--show", type=int, default=4, help="how many queries of each part to print")
    parser.add_argument("--dir", type=Path, default=None, help="folder that keeps parsed papers")
    parser.add_argument("--json", type=Path, default=None, help="file to write the queries to")
    return parser.parse_args()


if __name__ == "__main__":
    raise SystemExit(main())
