"""Bootstrap: an interval of a mean from resampled values, the same for the same seed."""

from collections.abc import Hashable, Sequence

from pincite_scoring.statistics.mean import LEVEL

RESAMPLES = 10_000
"""Resamples: enough that the ends of an interval hardly move from seed to seed. Set by judgement."""
SEED = 20_260_101
"""Any number, always the same, so that a report says the same twice."""
_BLOCK = 2_000_000
"""Drawn values in memory at once: 16 MB."""
_CLOSE = 1e-12
"""Width up to which the ends of an interval differ by the rounding of doubles alone."""


def bootstrap_interval(
    values: Sequence[float],
    clusters: Sequence[Hashable] | None = None,
    *,
    resamples: int = RESAMPLES,
    seed: int = SEED,
) -> tuple[float, float] | None:
    """The 95 % percentile interval of the mean (Efron 1979); whole clusters are drawn where there are any.

    None below two values (or clusters), and where all resampled means are the same: nothing can be said from those.
    """
    import numpy as np

    groups: dict[Hashable, list[float]] = {}
    for value, cluster in zip(values, clusters if clusters is not None else range(len(values)), strict=True):
        groups.setdefault(cluster, []).append(value)
    count = len(groups)
    if count < 2:
        return None
    sums = np.array([sum(group) for group in groups.values()])
    sizes = np.array([len(group) for group in groups.values()])
    random = np.random.default_rng(seed)
    means: list[float] = []
    rows = max(_BLOCK // count, 1)
    for start in range(0, resamples, rows):
        drawn = random.integers(0, count, (min(rows, resamples - start), count))
        means += (sums[drawn].sum(axis=1) / sizes[drawn].sum(axis=1)).tolist()
    low, high = np.quantile(means, [(1 - LEVEL) / 2, (1 + LEVEL) / 2])
    return (float(low), float(high)) if high - low > _CLOSE else None
