"""How well two raters agree: accuracy and Cohen's kappa, each with an interval."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

from pincite_scoring.statistics.mean import LEVEL

_Z = NormalDist().inv_cdf((1 + LEVEL) / 2)
Interval = tuple[float, float]


@dataclass(frozen=True, slots=True)
class Agreement:
    """``table[i][j]`` counts the pairs with label i by the reference and label j by the judge, ``n`` in all.

    ``accuracy`` is the share of the diagonal with its Wilson interval. ``kappa`` is None where chance alone agrees
    fully (both used one and the same label); its standard error is that of a kappa that is not 0 (Fleiss, Cohen and
    Everitt 1969), and its interval is normal, cut at -1 and 1. ``weighted`` is kappa with quadratic
    weights (Cohen 1968) for labels that stand from worst to best: near misses count for something.
    """

    labels: tuple[str, ...]
    table: tuple[tuple[int, ...], ...]
    n: int
    accuracy: float | None
    accuracy_interval: Interval | None
    kappa: float | None
    kappa_error: float | None
    kappa_interval: Interval | None
    weighted: float | None


def agree(labels: Sequence[str], reference: Sequence[str], judged: Sequence[str]) -> Agreement:
    """The agreement of paired labels; everything is None for none. All must be among ``labels``."""
    counts = Counter(zip(reference, judged, strict=True))
    table = tuple(tuple(counts[true, said] for said in labels) for true in labels)
    n = sum(map(sum, table))
    if n == 0:
        return Agreement(tuple(labels), table, 0, None, None, None, None, None, None)
    accuracy = sum(table[i][i] for i in range(len(labels))) / n
    shares = [[cell / n for cell in row] for row in table]
    kappa, error = _kappa(shares, n)
    interval = (max(kappa - _Z * error, -1.0), min(kappa + _Z * error, 1.0)) if kappa is not None else None
    return Agreement(
        tuple(labels),
        table,
        n,
        accuracy,
        wilson(accuracy, n),
        kappa,
        error if kappa is not None else None,
        interval,
        _weighted(shares) if kappa is not None else None,
    )


def wilson(share: float, n: int) -> Interval:
    """The score interval of a share of ``n`` (Wilson 1927)."""
    square = _Z * _Z
    middle = (share + square / (2 * n)) / (1 + square / n)
    half = _Z / (1 + square / n) * math.sqrt(share * (1 - share) / n + square / (4 * n * n))
    return max(middle - half, 0.0), min(middle + half, 1.0)


def _weighted(shares: list[list[float]]) -> float:
    size = range(len(shares))
    rows, columns = _margins(shares)
    seen = math.fsum((i - j) ** 2 * shares[i][j] for i in size for j in size)
    chance = math.fsum((i - j) ** 2 * rows[i] * columns[j] for i in size for j in size)
    return 1 - seen / chance


def _margins(shares: list[list[float]]) -> tuple[list[float], list[float]]:
    return [sum(row) for row in shares], [sum(column) for column in zip(*shares, strict=True)]


def _kappa(shares: list[list[float]], n: int) -> tuple[float | None, float]:
    size = range(len(shares))
    rows, columns = _margins(shares)
    seen = math.fsum(shares[i][i] for i in size)
    chance = math.fsum(rows[i] * columns[i] for i in size)
    if chance >= 1 - 1e-12:
        return None, 0.0
    kappa = (seen - chance) / (1 - chance)
    own = math.fsum(shares[i][i] * (1 - (rows[i] + columns[i]) * (1 - kappa)) ** 2 for i in size)
    others = math.fsum(shares[i][j] * (columns[i] + rows[j]) ** 2 for i in size for j in size if i != j)
    variance = own + (1 - kappa) ** 2 * others - (kappa - chance * (1 - kappa)) ** 2
    return kappa, math.sqrt(max(variance, 0.0) / n) / (1 - chance)
