"""Fusion: one order of passages out of those of BM25 and of vectors."""

from collections.abc import Collection, Mapping, Sequence

from pincite_library.model import Scored

DEPTH = 200
"""How many passages of each ranking are fused."""

READ = 20
"""How many of BM25's best passages are looked at for how much of the query they hold."""

DENSE_WEIGHTS = 0.1, 0.5
"""What vectors weigh, BM25 weighing the rest: where one passage holds all terms of the query, and where none does."""


def coverage(terms: Collection[str], passages: Mapping[int, Collection[str]]) -> dict[int, float]:
    """The share of the query's terms that each passage holds, by key."""
    return {key: sum(term in held for term in terms) / max(len(terms), 1) for key, held in passages.items()}


def fuse(terms: Sequence[Scored], dense: Sequence[Scored], covered: Mapping[int, float]) -> list[Scored]:
    """All passages of both rankings by a weighted sum of their scores, best first; scores are between 0 and 1.

    BM25 scores are divided by the best one, cosines count as they are where positive, those below the last that was
    found as that one (a convex combination: Bruch, Gai, Ingber: An analysis of fusion functions for hybrid retrieval,
    2023, section 4, to which scores, unlike ranks, tell a lead from a tie). The weight of the vectors falls with the
    share of the query's terms that the best of BM25's passages holds (``covered``): who asks in the words of the text
    gets them. Passages that hold all terms stand before those that do not.
    """
    if not dense:
        return _scaled(terms)
    if not terms:
        return [Scored(one.key, max(one.score, 0.0)) for one in dense]
    weight = dense_weight(covered)
    top = terms[0].score or 1.0
    floor = max(dense[-1].score, 0.0)
    cosines = {one.key: max(one.score, 0.0) for one in dense}
    sums = {one.key: (1 - weight) * one.score / top + weight * cosines.pop(one.key, floor) for one in terms}
    sums |= {key: weight * cosine for key, cosine in cosines.items()}
    whole = {key for key, share in covered.items() if share == 1}
    order = sorted(sums, key=lambda key: (key not in whole, -sums[key], key))
    return [Scored(key, sums[key]) for key in order]


def dense_weight(covered: Mapping[int, float]) -> float:
    """The weight of the vectors for a query whose terms the passages hold so."""
    low, high = DENSE_WEIGHTS
    return low + (high - low) * (1 - max(covered.values(), default=0.0))


def _scaled(terms: Sequence[Scored]) -> list[Scored]:
    top = terms[0].score if terms else 1.0
    return [Scored(one.key, one.score / top if top else 0.0) for one in terms]
