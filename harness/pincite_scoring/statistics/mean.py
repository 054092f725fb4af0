"""Mean: an average with its number, its standard error and an interval; observations may come in clusters."""

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass

from pincite_scoring.statistics.student import quantile

LEVEL = 0.95
"""Of every interval."""


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over ``n`` values; ``standard_error`` is s/√n with n-1 degrees of freedom, None below two values.

    Values of one cluster (attempts of one task, tasks of one paper) are not independent: then the standard error is
    √(G/(G-1) · Σ_g (Σ_{i in g} (x_i - mean))²) / n over ``clusters`` = G of them, which is s/√n where each has one
    value; None below two clusters.
    """

    n: int
    mean: float | None
    standard_error: float | None
    clusters: int | None = None
    """None where every value stands for itself."""

    @classmethod
    def of(cls, values: Sequence[float], clusters: Sequence[Hashable] | None = None) -> "Mean":
        """The mean of ``values``; None of none. ``clusters`` gives the cluster of each value."""
        n = len(values)
        if n == 0:
            return cls(0, None, None)
        mean = math.fsum(values) / n
        sums = _deviations(values, mean, range(n) if clusters is None else clusters)
        count = len(sums)
        given = count if count < n else None
        if count == 1:
            return cls(n, mean, None, given)
        variance = math.fsum(total**2 for total in sums) * count / (count - 1)
        return cls(n, mean, math.sqrt(variance) / n, given)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of Student's t, with one degree of freedom less than there are values or clusters.

        None where the error is 0: values that are all the same do not say how far others would lie from them.
        """
        if self.mean is None or not self.standard_error:
            return None
        half = quantile(LEVEL, (self.clusters or self.n) - 1) * self.standard_error
        return self.mean - half, self.mean + half


def _deviations(values: Sequence[float], mean: float, clusters: Sequence[Hashable]) -> list[float]:
    """The sum of the deviations from the mean within each cluster."""
    sums: dict[Hashable, list[float]] = {}
    for value, cluster in zip(values, clusters, strict=True):
        sums.setdefault(cluster, []).append(value - mean)
    return [math.fsum(parts) for parts in sums.values()]
