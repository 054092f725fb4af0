"""How well records of several sources are merged into works, on works that never were.

    python tests/benchmarks/merging.py [--seeds 20] [--works 200]

Precision and recall count pairs of records: of all pairs merged, how many are of one work; of all pairs of one work,
how many are merged. Some sixty neighbours (errata, replies, parts, namesakes, conference versions) stand among the
works. The floor merges by equal DOI alone. The exit status is 1 when precision or recall over all seeds is below 0.99.
"""

import argparse
import sys
import time
from collections.abc import Iterable, Sequence
from itertools import combinations

from parts.generated_works.sightings import sightings

from pincite_literature.merge import merge
from pincite_literature.model import Work

BAR = 0.99
Counts = tuple[int, int, int]
"""Pairs merged rightly, pairs merged, pairs of one work."""


def counts(groups: Iterable[Sequence[Work]], owner: dict[int, int]) -> Counts:
    """The pairs in ``groups`` and in truth."""
    right = merged = 0
    for members in groups:
        for one, other in combinations(members, 2):
            merged += 1
            right += owner[id(one)] == owner[id(other)]
    sizes: dict[int, int] = {}
    for number in owner.values():
        sizes[number] = sizes.get(number, 0) + 1
    return right, merged, sum(size * (size - 1) // 2 for size in sizes.values())


def measure(seed: int, works: int = 200) -> tuple[Counts, Counts, float]:
    """The counts of the merger and of the floor, and the merger's seconds."""
    lists, owner = sightings(seed, works)
    start = time.perf_counter()
    groups = merge(lists)
    seconds = time.perf_counter() - start
    by_doi: dict[str, list[Work]] = {}
    for records in lists.values():
        for work in records:
            by_doi.setdefault(work.ids.doi or str(id(work)), []).append(work)
    return counts((group.members for group in groups), owner), counts(by_doi.values(), owner), seconds


def line(name: str, found: Sequence[Counts]) -> tuple[float, float]:
    """Print precision and recall over all seeds and of the worst seed."""
    right, merged, true = (sum(column) for column in zip(*found, strict=True))
    worst = min(c[0] / max(c[1], 1) for c in found), min(c[0] / c[2] for c in found)
    print(
        f"{name:8} precision {right / merged:.4f} (worst seed {worst[0]:.4f}), "
        f"recall {right / true:.4f} (worst seed {worst[1]:.4f}), {true} pairs"
    )
    return right / merged, right / true


def main() -> int:
    """Measure all seeds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--works", type=int, default=200)
    arguments = parser.parse_args()
    measured = [measure(seed, arguments.works) for seed in range(arguments.seeds)]
    precision, recall = line("merged", [each[0] for each in measured])
    line("by DOI", [each[1] for each in measured])
    print(f"{1000 * sum(each[2] for each in measured) / len(measured):.0f} ms a merge")
    return 0 if min(precision, recall) >= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
