"""Candidate pairs: for each record, those of the other side whose property names are most alike."""

from collections.abc import Mapping, Sequence

from pincite_materials.property_names import similarity
from pincite_scoring.property_extraction.likeness import Likeness
from pincite_scoring.property_extraction.records import Record

TOP = 3
"""Distinct names kept for each record, as published."""


def nearest_names(name: str, others: Sequence[str], likeness: Likeness = similarity) -> list[str]:
    """The ``TOP`` distinct names of ``others`` most like ``name``; ties by the alphabet, hence deterministic."""
    return sorted(set(others), key=lambda other: (-likeness(name, other), other))[:TOP]


def directed(
    left: Mapping[int, Record], right: Mapping[int, Record], likeness: Likeness = similarity
) -> list[tuple[int, int]]:
    """All (left, right) pairs in which the right name is among the nearest to the left one (published candidates)."""
    names = [record.property_name for record in right.values()]
    nearest = {name: set(nearest_names(name, names, likeness)) for name in {r.property_name for r in left.values()}}
    return [
        (i, j)
        for i, record in left.items()
        for j, other in right.items()
        if other.property_name in nearest[record.property_name]
    ]


def candidate_pairs(
    answers: Mapping[int, Record], golds: Mapping[int, Record], likeness: Likeness = similarity
) -> list[tuple[int, int]]:
    """All (answer, gold) pairs that are candidates from either side, in order."""
    forward = set(directed(answers, golds, likeness))
    backward = {(answer, gold) for gold, answer in directed(golds, answers, likeness)}
    return sorted(forward | backward)
