"""Stability: how far a metric agrees between repeated scorings of the same answers."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import StatisticsError, correlation, fmean

_LEAST_TRIALS = 3
"""Trials from which a correlation is given: two lie on one line always."""


@dataclass(frozen=True, slots=True)
class Stability:
    """Over the pairs of repeats: the mean of Pearson's correlation over trials (None where no pair has one, as where
    all trials have the same value), and the mean absolute difference, for ``trials`` that every repeat scored."""

    trials: int
    pearson: float | None
    difference: float


def stability_of(repeats: Sequence[Mapping[str, float]]) -> Stability | None:
    """The stability of one metric, its value by trial in each repeat; None below two repeats, or without a trial that
    all of them have."""
    if len(repeats) < 2:
        return None
    trials = sorted(set(repeats[0]).intersection(*repeats[1:]))
    if not trials:
        return None
    rows = [[repeat[trial] for trial in trials] for repeat in repeats]
    correlations: list[float] = []
    differences: list[float] = []
    for one, other in combinations(rows, 2):
        differences.append(fmean(abs(a - b) for a, b in zip(one, other, strict=True)))
        pearson = _pearson(one, other)
        if pearson is not None:
            correlations.append(pearson)
    return Stability(
        len(trials), fmean(correlations) if correlations else None, math.fsum(differences) / len(differences)
    )


def _pearson(one: Sequence[float], other: Sequence[float]) -> float | None:
    if len(one) < _LEAST_TRIALS:
        return None
    try:
        return correlation(one, other)
    except StatisticsError:  # one of them is constant
        return None
