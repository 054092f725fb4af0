"""Fusion: one order of passages out of those of BM25 and of vectors."""

from collections.abc import Collection, Mapping, Sequence

from pincite_library.model import Scored

DEPTH = 200
"""How many passages of each ranking are fused."""

READ = 20
"""How many of BM25's best passages are looked at for how much of the query they hold."""

_TIES, _LEAST, _MOST = 0.001, 0.02, 0.8
_FEW = 0.35
_RANK_CONSTANT = 60
"""Of reciprocal ranks: what its authors found to work, and what systems that use it keep."""


def coverage(terms: Collection[str], passages: Mapping[int, Collection[str]]) -> dict[int, float]:
    """The share of the query's terms that each passage holds, by key."""
    return {key: sum(term in held for term in terms) / max(len(terms), 1) for key, held in passages.items()}


def fuse(
    terms: Sequence[Scored], dense: Sequence[Scored], covered: Mapping[int, float], *, exact: bool = False
) -> list[Scored]:
    """All passages of both rankings, best first, with their fused scores between 0 and 1.

    BM25 scores are divided by the best one, cosines count as they are where positive, one that was not found as the
    last that was: a convex combination (Bruch, Gai, Ingber: An analysis of fusion functions for hybrid retrieval, 2023,
    section 4), which unlike reciprocal ranks tells a lead from a tie. What the vectors weigh, ``dense_weight`` says; in
    a query of nothing but numbers, formulas and identifiers (``exact``) they decide ties only. A passage whose text
    holds all terms stands before those that lack one, whatever their scores.
    """
    if not terms:
        return [Scored(one.key, max(one.score, 0.0)) for one in dense]
    weight = (_TIES if exact else dense_weight(covered)) if dense else 0.0
    top = terms[0].score or 1.0
    floor = max(dense[-1].score, 0.0) if dense else 0.0
    cosines = {one.key: max(one.score, 0.0) for one in dense}
    sums = {one.key: (1 - weight) * one.score / top + weight * cosines.pop(one.key, floor) for one in terms}
    sums |= {key: weight * cosine for key, cosine in cosines.items()}
    whole = {key for key, share in covered.items() if share == 1}
    if whole:
        sums = {key: (total + (key in whole)) / 2 for key, total in sums.items()}
    return sorted((Scored(key, total) for key, total in sums.items()), key=lambda one: (-one.score, one.key))


def reciprocal(terms: Sequence[Scored], dense: Sequence[Scored]) -> list[Scored]:
    """All passages of both rankings, best first, by the sum of 1 / (60 + rank) (Cormack, Clarke, Buettcher:
    Reciprocal rank fusion, 2009); the score of one that is first in both is 2/61."""
    sums: dict[int, float] = {}
    for ranking in (terms, dense):
        for rank, one in enumerate(ranking, start=1):
            sums[one.key] = sums.get(one.key, 0.0) + 1 / (_RANK_CONSTANT + rank)
    return sorted((Scored(key, total) for key, total in sums.items()), key=lambda one: (-one.score, one.key))


def dense_weight(covered: Mapping[int, float]) -> float:
    """What the vectors weigh, BM25 weighing the rest, for a query whose terms the texts of passages hold so.

    Where one text holds all terms the vectors decide ties only: who asks in the words of a text gets it. Else they
    weigh 0.02, and up to 0.8 where no text holds more than a third of the terms. Chosen as the weights that take
    nothing from BM25 in any part of ``tests/benchmarks/retrieval_quality.py``, on papers that it does not ask about.
    """
    share = max(covered.values(), default=0.0)
    return _TIES if share == 1 else _LEAST + (_MOST - _LEAST) * max(0.0, 1 - share / _FEW)
