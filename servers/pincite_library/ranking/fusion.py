"""Fusion: one order of passages out of those of BM25 and of vectors."""

from collections.abc import Collection, Mapping, Sequence

from pincite_library.model import Scored

DEPTH = 200
"""How many passages of each ranking are fused."""

READ = 20
"""How many of BM25's best passages are looked at for how much of the query they hold."""

DENSE_WEIGHTS = 0.05, 0.8
"""What vectors weigh, BM25 weighing the rest: where one passage holds all terms of the query, and where none does."""

_STEEPNESS = 3


def coverage(terms: Collection[str], passages: Mapping[int, Collection[str]]) -> dict[int, float]:
    """The share of the query's terms that each passage holds, by key."""
    return {key: sum(term in held for term in terms) / max(len(terms), 1) for key, held in passages.items()}


def fuse(
    terms: Sequence[Scored], dense: Sequence[Scored], covered: Mapping[int, float], *, exact: bool = False
) -> list[Scored]:
    """All passages of both rankings, best first, with their fused scores between 0 and 1.

    BM25 scores are divided by the best one, cosines count as they are where positive, one that was not found as the
    last that was: a convex combination (Bruch, Gai, Ingber: An analysis of fusion functions for hybrid retrieval, 2023,
    section 4), which unlike reciprocal ranks tells a lead from a tie. The vectors weigh the less the more of the
    query's terms the best of BM25's passages holds in its text (``covered``): who asks in the words of the text gets
    them. They have no say in a query of nothing but numbers, formulas and identifiers (``exact``). A passage whose
    text holds all terms stands before those that lack one, whatever their scores.
    """
    if not terms:
        return [Scored(one.key, max(one.score, 0.0)) for one in dense]
    weight = dense_weight(covered) if dense and not exact else 0.0
    top = terms[0].score or 1.0
    floor = max(dense[-1].score, 0.0) if dense else 0.0
    cosines = {one.key: max(one.score, 0.0) for one in dense}
    sums = {one.key: (1 - weight) * one.score / top + weight * cosines.pop(one.key, floor) for one in terms}
    sums |= {key: weight * cosine for key, cosine in cosines.items()}
    whole = {key for key, share in covered.items() if share == 1}
    if whole:
        sums = {key: (total + (key in whole)) / 2 for key, total in sums.items()}
    return sorted((Scored(key, total) for key, total in sums.items()), key=lambda one: (-one.score, one.key))


def dense_weight(covered: Mapping[int, float]) -> float:
    """The weight of the vectors for a query whose terms the passages hold so.

    Chosen on the papers after the first 100 of ``tests/benchmarks/retrieval_quality.py`` as the least that takes
    nothing from BM25 in any part there; it rises steeply where few of the words are found.
    """
    low, high = DENSE_WEIGHTS
    return low + (high - low) * (1 - max(covered.values(), default=0.0)) ** _STEEPNESS
