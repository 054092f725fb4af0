"""Statistics over trials. n is always told; a trial without a score is left out, never a zero.

===================  ===============================================================================================
what                 how
===================  ===============================================================================================
mean                 over the values that are there, with s/√n
clustered            cluster-robust standard error (Liang and Zeger 1986; for evaluations of models Miller 2024, *Adding
                     Error Bars to Evals*) with the factor G/(G-1), so that clusters of one give s/√n; clusters are the
                     tasks that share a paper, and the attempts of a task
interval             95 %, Student's t with n-1 or G-1 degrees of freedom; percentile bootstrap, seeded, by cluster
paired comparison    differences by task of means over attempts; paired t, sign-flip permutation
pass@k               unbiased (Chen et al. 2021), mean over tasks
rounds               attempts as repeated runs: population standard deviation of their means, agreement
stability            repeated scorings of the same answers: Pearson over trials, mean absolute difference, by pairs
risk and coverage    AURC; threshold by conformal risk control (Angelopoulos et al. 2024), by cluster
===================  ===============================================================================================
"""

from pincite_scoring.statistics.bootstrap import bootstrap_interval
from pincite_scoring.statistics.mean import Mean
from pincite_scoring.statistics.paired import Paired, compare_runs
from pincite_scoring.statistics.passing import mean_pass, pass_at_k
from pincite_scoring.statistics.rounds import Rounds, agreement, rounds_of
from pincite_scoring.statistics.selective import (
    Acceptance,
    CurvePoint,
    Scored,
    accept_threshold,
    aurc,
    best_aurc,
    risk_coverage,
)
from pincite_scoring.statistics.stability import Stability, stability_of

__all__ = [
    "Acceptance",
    "CurvePoint",
    "Mean",
    "Paired",
    "Rounds",
    "Scored",
    "Stability",
    "accept_threshold",
    "agreement",
    "aurc",
    "best_aurc",
    "bootstrap_interval",
    "compare_runs",
    "mean_pass",
    "pass_at_k",
    "risk_coverage",
    "rounds_of",
    "stability_of",
]
