"""Shares: precision and recall as parts of a whole, and their harmonic mean."""


def share(right: float, of: float, others: float) -> float:
    """``right`` of ``of``; of nothing it is 0 where the other side has something, 1 where it has nothing either.

    An empty answer to gold records thus has precision 0, and an empty answer to an empty gold is perfect.
    """
    if of == 0:
        return 0.0 if others else 1.0
    return right / of


def f1(precision: float, recall: float) -> float:
    """The harmonic mean; 0 where both are 0. Nothing is added to the denominator, so that perfect is 1."""
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
