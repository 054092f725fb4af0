"""Selective prediction: risk against coverage, its area, and a threshold with a finite-sample guarantee.

Risk-coverage curves and AURC: Geifman, Uziel and El-Yaniv 2019, *Bias-Reduced Uncertainty Estimation for Deep Neural
Classifiers*. The threshold: Angelopoulos, Bates, Fisch, Lei and Schuster 2024, *Conformal Risk Control* (theorem 1),
which is split conformal prediction for any bounded loss that falls with its parameter.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby

from pincite_core.errors import BadInputError

Scored = tuple[float, bool]
"""The score of a value, higher for a surer one, and whether the value is wrong."""


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """Of the values with a score of at least ``threshold``: their share of all, and the share of them that is
    wrong."""

    threshold: float
    coverage: float
    risk: float


@dataclass(frozen=True, slots=True)
class Acceptance:
    """A value is accepted where its score is at least ``threshold`` (infinite: none is).

    ``bound`` is what the guarantee holds for, at most the asked risk where ``guaranteed``; ``units`` is the number of
    labelled units, ``needed`` how many of them without a single error would be enough.
    """

    threshold: float
    bound: float
    units: int
    needed: int

    @property
    def guaranteed(self) -> bool:
        """Whether some value could be accepted; where none is, the risk is 0 without any guarantee."""
        return math.isfinite(self.threshold)


def risk_coverage(values: Sequence[Scored]) -> list[CurvePoint]:
    """The curve from the strictest threshold to the loosest, a point for each score that occurs."""
    points: list[CurvePoint] = []
    accepted = errors = 0
    for score, ties in groupby(sorted(values, reverse=True), key=lambda value: value[0]):
        wrong = [bad for _, bad in ties]
        accepted += len(wrong)
        errors += sum(wrong)
        points.append(CurvePoint(score, accepted / len(values), errors / accepted))
    return points


def aurc(values: Sequence[Scored]) -> float | None:
    """The mean over k = 1 to n of the share of errors among the k surest values; None of no values.

    Values of one score are in random order: the expectation over all orders is returned.
    """
    if not values:
        return None
    risks: list[float] = []
    before = errors = 0
    for _, ties in groupby(sorted(values, reverse=True), key=lambda value: value[0]):
        wrong = [bad for _, bad in ties]
        share = sum(wrong) / len(wrong)
        risks += [(errors + share * k) / (before + k) for k in range(1, len(wrong) + 1)]
        before += len(wrong)
        errors += sum(wrong)
    return math.fsum(risks) / len(risks)


def best_aurc(wrong: int, total: int) -> float | None:
    """The AURC of an order that has every right value before every wrong one: no score can do better."""
    return aurc([(1.0, False)] * (total - wrong) + [(float(-k), True) for k in range(wrong)])


def accept_threshold(units: Sequence[Sequence[Scored]], risk: float) -> Acceptance:
    """The lowest threshold with (Σ L_i + 1) / (n + 1) <= ``risk`` over ``units`` = n, L_i being the share of the values
    of unit i that are accepted and wrong (0 of a unit without values).

    For a further unit that is exchangeable with these the expected L is then at most ``risk``. Units must be
    independent of each other (papers, not values), and the scores must not have been fitted on them. BadInputError for
    a risk that is not between 0 and 1.
    """
    if not 0 < risk < 1:
        raise BadInputError(f"A risk of {risk} is not between 0 and 1.", next="--accept-risk 0.02")
    n = len(units)
    needed = math.ceil(1 / risk - 1 - 1e-9)
    chosen, bound = math.inf, 1 / (n + 1)
    scores = {score for unit in units for score, _ in unit}
    for threshold in sorted(scores, reverse=True):
        losses = [_loss(unit, threshold) for unit in units]
        reached = (math.fsum(losses) + 1) / (n + 1)
        if reached > risk * (1 + 1e-12):
            break
        chosen, bound = threshold, reached
    return Acceptance(chosen, bound, n, needed)


def _loss(unit: Sequence[Scored], threshold: float) -> float:
    wrong = sum(bad and score >= threshold for score, bad in unit)
    return wrong / len(unit) if unit else 0.0
