"""Two runs on the same tasks: the mean difference, its interval, and how likely chance alone makes it so large."""

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from pincite_scoring.statistics.bootstrap import SEED, bootstrap_interval
from pincite_scoring.statistics.mean import Mean
from pincite_scoring.statistics.student import two_sided

_MOST_EXACT = 12
"""Differences of which every choice of signs is counted: 4,096 choices."""
_CHOICES = 10_000
"""Drawn signs where there are too many to try all: the error of p is 0.002 at 0.05."""
_CLOSE = 1e-12
"""Relative difference that is the rounding of doubles."""


@dataclass(frozen=True, slots=True)
class Paired:
    """The tasks that both runs have (``difference.n``), the first run's mean over them, and the second's.

    ``difference`` is second less first, with its standard error and t interval; ``bootstrap`` is another interval of
    it. ``p_t`` is of the paired t test, two-sided, None where the differences do not vary; ``p_permutation`` of the
    sign-flip test: exact up to 12 differences, else from 10,000 random choices. ``only_first`` and ``only_second``
    count tasks that are left out, since the other run has no value for them.
    """

    first: float
    second: float
    difference: Mean
    bootstrap: tuple[float, float] | None
    t: float | None
    p_t: float | None
    p_permutation: float
    only_first: int = 0
    only_second: int = 0

    @property
    def relative(self) -> float | None:
        """The difference of the means as a share of the first; None where the first is 0."""
        return (self.second - self.first) / self.first if self.first else None


def compare_runs(
    first: Mapping[str, float], second: Mapping[str, float], clusters: Mapping[str, Hashable] | None = None
) -> Paired | None:
    """Compare values by task (means over attempts); None where no task has both. Tasks of one cluster are not
    independent: standard error, resampling and flips of signs go by cluster."""
    tasks = sorted(first.keys() & second.keys())
    if not tasks:
        return None
    differences = [second[task] - first[task] for task in tasks]
    groups = [clusters.get(task, task) if clusters is not None else task for task in tasks]
    mean = Mean.of(differences, groups)
    error = mean.standard_error
    assert mean.mean is not None
    t = mean.mean / error if error else None
    return Paired(
        first=math.fsum(first[task] for task in tasks) / len(tasks),
        second=math.fsum(second[task] for task in tasks) / len(tasks),
        difference=mean,
        bootstrap=bootstrap_interval(differences, groups),
        t=t,
        p_t=two_sided(t, (mean.clusters or mean.n) - 1) if t is not None else None,
        p_permutation=flip_signs(differences, groups),
        only_first=len(first.keys() - second.keys()),
        only_second=len(second.keys() - first.keys()),
    )


def flip_signs(differences: Sequence[float], clusters: Sequence[Hashable] | None = None, *, seed: int = SEED) -> float:
    """How often the sum of the differences is as far from 0 as it is, or further, when each cluster's sign is drawn
    at random (Fisher's randomisation test); of a sample of choices the one that was seen is counted in."""
    import numpy as np

    sums: dict[Hashable, float] = {}
    for value, cluster in zip(differences, clusters or range(len(differences)), strict=True):
        sums[cluster] = sums.get(cluster, 0.0) + value
    parts = np.array(list(sums.values()))
    seen = abs(float(parts.sum())) - _CLOSE * float(np.abs(parts).sum())
    if len(parts) <= _MOST_EXACT:
        signs = np.array(list(product((-1.0, 1.0), repeat=len(parts))))
        return float(np.mean(np.abs(signs @ parts) >= seen))
    signs = np.random.default_rng(seed).choice((-1.0, 1.0), (_CHOICES, len(parts)))
    return (int(np.sum(np.abs(signs @ parts) >= seen)) + 1) / (_CHOICES + 1)
