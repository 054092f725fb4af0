"""Shares with their Wilson intervals, kind by kind, and the cases that missed."""

import math
from collections import defaultdict
from dataclasses import dataclass, field


def wilson(hits: int, total: int, z: float = 1.96) -> tuple[float, float]:
    """The 95 % interval of a share by Wilson's score (J. Am. Stat. Assoc. 22, 1927); (0, 1) of nothing."""
    if not total:
        return 0.0, 1.0
    share = hits / total
    centre = share + z * z / (2 * total)
    spread = z * math.sqrt(share * (1 - share) / total + z * z / (4 * total * total))
    return (centre - spread) / (1 + z * z / total), (centre + spread) / (1 + z * z / total)


@dataclass
class Tally:
    """Outcomes by kind of case: good ones counted, each miss kept in words."""

    good: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    total: dict[str, int] = field(default_factory=lambda: defaultdict(int))
    misses: list[str] = field(default_factory=list)

    def add(self, kind: str, good: bool, described: str) -> None:
        """Count one case; ``described`` is kept where it is not good."""
        self.total[kind] += 1
        self.good[kind] += good
        if not good:
            self.misses.append(f"[{kind}] {described}")

    @property
    def share(self) -> float:
        """Good ones among all."""
        return sum(self.good.values()) / max(sum(self.total.values()), 1)

    def show(self, title: str, misses: int) -> None:
        """Print a line a kind, the sum, and some misses."""
        good, total = sum(self.good.values()), sum(self.total.values())
        low, high = wilson(good, total)
        print(f"{title}: {good} of {total} = {self.share:.2%} (95 %: {low:.2%} to {high:.2%})")
        for kind in sorted(self.total):
            low, high = wilson(self.good[kind], self.total[kind])
            print(f"  {kind:34} {self.good[kind]:5} of {self.total[kind]:5}  ({low:.1%} to {high:.1%})")
        for miss in self.misses[:misses]:
            print(f"  miss: {miss}")
