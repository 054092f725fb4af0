"""Mutated sources through the store: each must end, within the limit, in a typed error or a sound Paper.

    python tests/benchmarks/mutations.py [--format pdf|jats|latex|html] [--count 200] [--seed 1] [--seconds 20]

Sources are the papers of ../shared/data where it is there, and small ones of our own. The exit status is 1 when a
mutant broke the store, took longer than the limit, or gave a Paper that contradicts itself.
"""

import argparse
import collections
import re
import sys
import tempfile
import time
import unicodedata
from itertools import pairwise
from pathlib import Path

from parts.mutants import ENDINGS, SOURCES, mutants

from pincite_core.errors import LimitReachedError, UnreadableError
from pincite_core.settings import Settings
from pincite_papers.model import Paper, SourceFormat
from pincite_papers.opening.store import PaperStore

SLACK_SECONDS = 5.0


def contradictions(paper: Paper) -> list[str]:
    """What a Paper says against itself: pages that do not partition the text, spans out of range, and the like."""
    end = len(paper.text)
    found: list[str] = []
    edges = [(page.start, page.end) for page in paper.pages]
    if paper.format is SourceFormat.PDF and not edges:
        found.append("it has no pages")
    elif edges and (edges[0][0] != 0 or edges[-1][1] != end or any(a[1] != b[0] for a, b in pairwise(edges))):
        found.append("the pages do not partition the text")
    if any(b.start < a.end for a, b in pairwise(paper.blocks)):
        found.append("blocks overlap or are out of order")
    spans = [(s.start, s.end) for s in (*paper.blocks, *paper.sections, *paper.references, *paper.suspects)]
    spans += [(s.start, s.end) for table in paper.tables for s in (table, *table.cells)]
    spans += [(s.start, s.end) for s in paper.citations]
    if any(paper.text[cell.start : cell.end] != cell.text for table in paper.tables for cell in table.cells):
        found.append("a cell says something else than its place in the text")
    if any(not 0 <= place < len(paper.references) for one in paper.citations for place in one.references):
        found.append("a citation names no reference")
    if any(not 0 <= start <= stop <= end for start, stop in spans):
        found.append("a span is outside the text")
    if paper.geometry.rows.shape != (end, 4):
        found.append("the geometry does not fit the text")
    try:
        paper.text.encode()
    except UnicodeEncodeError:
        found.append("the text cannot be written as UTF-8")
    if not unicodedata.is_normalized("NFC", paper.text):
        found.append("the text is not composed (NFC)")
    if re.search(r"[\x00-\x08\x0b-\x1f\x7f]", paper.text):
        found.append("the text has control characters")
    for block in paper.blocks[:50]:
        paper.locator(block.start, block.end)
    return found


def run(kind: str, count: int, seed: int, seconds: float) -> int:
    """Open every mutant and print the outcomes; 1 when one of them must not be."""
    outcomes: collections.Counter[str] = collections.Counter()
    unknown: collections.Counter[str] = collections.Counter()
    wrong: list[str] = []
    slowest = 0.0
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        settings = Settings(roots=(folder,), cache_dir=folder / "cache", parse_seconds=seconds, cache_max_bytes=0)
        with PaperStore(settings) as store:
            for number, (how, data) in enumerate(mutants(kind, count, seed)):
                path = folder / f"{number}.{ENDINGS[kind]}"
                path.write_bytes(data)
                began = time.perf_counter()
                try:
                    paper = store.open(path)
                    outcome = "paper"
                    wrong += [f"mutant {number} ({how}): {problem}" for problem in contradictions(paper)]
                except (UnreadableError, LimitReachedError) as error:
                    outcome = error.code
                    if "could not make sense" in error.what:
                        unknown[error.seen] += 1
                except Exception as error:  # noqa: BLE001
                    outcome = "broken"
                    wrong.append(f"mutant {number} ({how}): {error!r}")
                slowest = max(slowest, time.perf_counter() - began)
                outcomes[outcome] += 1
    counted = ", ".join(f"{key} {value}" for key, value in outcomes.most_common())
    print(f"{sum(outcomes.values())} mutants of {kind}, seed {seed}: {counted}")
    print(f"worst time {slowest:.2f} s, limit {seconds:g} s")
    for seen, times in unknown.most_common():
        print(f"  {times} x the parser raised {seen}")
    if not outcomes:
        wrong.append(f"there is no source of the format {kind}")
    if slowest > seconds + SLACK_SECONDS:
        wrong.append("a mutant took longer than the limit")
    print(*wrong, sep="\n")
    return 1 if wrong else 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--format", choices=sorted(SOURCES), default="pdf")
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=20.0)
    arguments = parser.parse_args()
    return run(arguments.format, arguments.count, arguments.seed, arguments.seconds)


if __name__ == "__main__":
    sys.exit(main())
