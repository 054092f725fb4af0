"""pass@k: how likely one of k attempts at a task is right."""

from collections.abc import Hashable, Mapping, Sequence
from math import comb

from pincite_scoring.statistics.mean import Mean


def pass_at_k(attempts: int, right: int, k: int) -> float | None:
    """The unbiased estimate 1 - C(n-c, k) / C(n, k) of ``right`` = c among ``attempts`` = n (Chen et al. 2021, section
    2.1); None where there are fewer attempts than k."""
    if not 1 <= k <= attempts:
        return None
    return 1 - comb(attempts - right, k) / comb(attempts, k)


def mean_pass(results: Mapping[str, Sequence[bool]], k: int, clusters: Mapping[str, Hashable] | None = None) -> Mean:
    """The mean of pass@k over the tasks that have ``k`` attempts with a score; attempts without one are left out.
    ``clusters`` gives the cluster of tasks that are not independent."""
    estimates = {task: pass_at_k(len(attempts), sum(attempts), k) for task, attempts in results.items()}
    there = {task: estimate for task, estimate in estimates.items() if estimate is not None}
    return Mean.of(list(there.values()), [(clusters or {}).get(task, task) for task in there])
