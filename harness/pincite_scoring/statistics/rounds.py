"""Attempts as repeated runs: how much the mean moves from one to the next, and how often they agree."""

import math
from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from itertools import combinations


@dataclass(frozen=True, slots=True)
class Rounds:
    """``means`` of each attempt number over the tasks, their mean and their population standard deviation (over the
    number of rounds, not one less)."""

    means: tuple[float, ...]
    mean: float
    deviation: float


def rounds_of(values: Mapping[str, Mapping[int, float]]) -> Rounds | None:
    """The rounds of values by task and attempt; None below two attempts."""
    by_round: dict[int, list[float]] = {}
    for attempts in values.values():
        for attempt, value in attempts.items():
            by_round.setdefault(attempt, []).append(value)
    if len(by_round) < 2:
        return None
    means = [math.fsum(by_round[attempt]) / len(by_round[attempt]) for attempt in sorted(by_round)]
    mean = math.fsum(means) / len(means)
    return Rounds(tuple(means), mean, math.sqrt(math.fsum((one - mean) ** 2 for one in means) / len(means)))


def agreement(values: Mapping[str, Mapping[int, Hashable]]) -> tuple[float, int] | None:
    """The share of pairs of attempts at one task with the same value, and the number of those pairs; None without
    any."""
    same = [a == b for attempts in values.values() for a, b in combinations(attempts.values(), 2)]
    return (sum(same) / len(same), len(same)) if same else None
