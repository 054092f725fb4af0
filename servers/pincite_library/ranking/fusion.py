"""Fusion: one order of passages out of those of BM25 and of vectors."""

from collections.abc import Collection, Iterable, Mapping, Sequence

from pincite_library.model import Scored

DEPTH = 200
"""How many passages of each ranking are fused."""

READ = 20
"""How many of BM25's best passages are looked at for how much of the query they hold."""

_TIES, _LEAST = 0.001, 0.02
"""What the vectors weigh, of 1, where a text holds all or most of the query's terms: ties and near ties. Set
by ``tests/benchmarks/retrieval_quality.py`` on its first 160 papers."""
_FEW, _MANY = 0.3, 0.5
"""Shares of the query's terms. Where no text of BM25's best holds ``_MANY`` of them, the query is in other words than
the texts and the vectors gain weight, down to ``_FEW``. Set on the tuning half of
``tests/benchmarks/written_retrieval.py``, where the queries in the texts' words are above
and most paraphrases below; 0.6 cost captions in other words (``known_items.py``) 0.05 nDCG@10."""
_MOST = 1.5
"""What a rank by vectors weighs at most, one by BM25 weighing 1. Set on the same half, of 0.5, 1, 1.5 and 2."""
_RANK_CONSTANT = 60
"""Of reciprocal ranks: what its authors found to work, and what systems that use it keep."""


def coverage(terms: Collection[str], passages: Mapping[int, Collection[str]]) -> dict[int, float]:
    """The share of the query's terms that each passage holds, by key."""
    return {key: sum(term in held for term in terms) / max(len(terms), 1) for key, held in passages.items()}


def fuse(
    terms: Sequence[Scored], dense: Sequence[Scored], covered: Mapping[int, float], *, exact: bool = False
) -> list[Scored]:
    """All passages of both rankings, best first, with their fused scores between 0 and 1.

    Who asks in the words of the texts gets the order of BM25: its scores are divided by the best one and joined with
    the cosines by a convex combination (Bruch, Gai, Ingber: An analysis of fusion functions for hybrid retrieval, 2023,
    section 4) in which the vectors decide near ties, or ties only where a text holds all terms or the query is nothing
    but numbers, formulas and identifiers (``exact``). A passage whose text holds all terms stands before those that
    lack one. Where no text holds many of the terms, the passages are joined by reciprocal ranks, those of the vectors
    weighing as ``dense_weight`` says: scores of few matches tell little.
    """
    if not terms:
        return [Scored(one.key, max(one.score, 0.0)) for one in dense]
    by_meaning = 0.0 if exact or not dense else dense_weight(covered)
    if by_meaning:
        return reciprocal(terms, dense, by_meaning)
    weight = (_TIES if exact or 1 in covered.values() else _LEAST) if dense else 0.0
    top = terms[0].score or 1.0
    floor = max(dense[-1].score, 0.0) if dense else 0.0
    cosines = {one.key: max(one.score, 0.0) for one in dense}
    sums = {one.key: (1 - weight) * one.score / top + weight * cosines.pop(one.key, floor) for one in terms}
    sums |= {key: weight * cosine for key, cosine in cosines.items()}
    whole = {key for key, share in covered.items() if share == 1}
    if whole:
        sums = {key: (total + (key in whole)) / 2 for key, total in sums.items()}
    return _ordered(Scored(key, total) for key, total in sums.items())


def reciprocal(terms: Sequence[Scored], dense: Sequence[Scored], weight: float = 1.0) -> list[Scored]:
    """All passages of both rankings, best first, by the sum of 1 / (60 + rank), times ``weight`` for the vectors
    (Cormack, Clarke, Buettcher: Reciprocal rank fusion, 2009); the score of one that is first in both is 2/61."""
    sums: dict[int, float] = {}
    for ranking, share in ((terms, 1.0), (dense, weight)):
        for rank, one in enumerate(_ordered(ranking), start=1):
            sums[one.key] = sums.get(one.key, 0.0) + share / (_RANK_CONSTANT + rank)
    return _ordered(Scored(key, total) for key, total in sums.items())


def _ordered(scored: Iterable[Scored]) -> list[Scored]:
    """By score, and by key where scores tie."""
    return sorted(scored, key=lambda one: (-one.score, one.key))


def dense_weight(covered: Mapping[int, float]) -> float:
    """What a rank by vectors weighs against one by BM25, for a query whose terms the texts of passages hold so: 0 where
    one text holds half of the terms, up to 1.5 where none holds more than 30 %."""
    share = max(covered.values(), default=0.0)
    return _MOST * min(1.0, max(0.0, (_MANY - share) / (_MANY - _FEW)))
