"""A mean as report.json and analysis.json have it."""

from typing import Any

from pincite_scoring.statistics import Mean


def mean_json(mean: Mean) -> dict[str, Any]:
    """n, clusters, mean, standard error and the interval of 95 %, not rounded."""
    return {
        "n": mean.n,
        "clusters": mean.clusters,
        "mean": mean.mean,
        "standard_error": mean.standard_error,
        "interval": mean.interval,
    }
