"""Fusion: one order of passages out of those of BM25 and of vectors."""

from collections.abc import Sequence

from pincite_library.model import Scored

DEPTH = 200
"""How many passages of each ranking are fused."""

DENSE_WEIGHT = 0.4
"""What the dense ranking weighs; BM25 weighs the rest."""


def fuse(terms: Sequence[Scored], dense: Sequence[Scored]) -> list[Scored]:
    """All passages of both rankings by a weighted sum of their scores, best first; scores are between 0 and 1.

    BM25 scores are divided by the best one, cosines are taken as they are where positive: so a passage that holds what
    no other holds keeps its lead, and where BM25 finds all alike the vectors decide (Bruch, Gai, Ingber: An analysis of
    fusion functions for hybrid retrieval, 2023, section 4).
    """
    if not dense:
        return _scaled(terms)
    if not terms:
        return [Scored(one.key, max(one.score, 0.0)) for one in dense]
    top = terms[0].score or 1.0
    sums: dict[int, float] = {}
    floor = max(dense[-1].score, 0.0)
    cosines = {one.key: max(one.score, 0.0) for one in dense}
    for one in terms:
        sums[one.key] = (1 - DENSE_WEIGHT) * one.score / top + DENSE_WEIGHT * cosines.pop(one.key, floor)
    for key, cosine in cosines.items():
        sums[key] = DENSE_WEIGHT * cosine
    return sorted((Scored(key, total) for key, total in sums.items()), key=lambda one: (-one.score, one.key))


def _scaled(terms: Sequence[Scored]) -> list[Scored]:
    top = terms[0].score if terms else 1.0
    return [Scored(one.key, one.score / top if top else 0.0) for one in terms]
