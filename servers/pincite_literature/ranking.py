"""The order of merged works."""

from collections.abc import Iterable

from pincite_literature.merge import Group
from pincite_literature.sources.source import Sort

K = 60
"""The constant of reciprocal rank fusion, as its authors chose it."""


def score(group: Group) -> float:
    """Reciprocal rank fusion: the sum of 1 / (60 + place) over the sources that gave the work.

    Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and individual Rank Learning Methods",
    SIGIR 2009.
    """
    return sum(1 / (K + place) for place in sorted(group.places.values()))


def ranked(groups: Iterable[Group], sort: Sort = "relevance") -> list[Group]:
    """The groups in the order asked for; works without date or count last; ties by fusion, then title and ids."""
    by_fusion = sorted(groups, key=lambda g: (-score(g), g.work.title.casefold(), repr(g.work.ids)))
    if sort == "relevance":
        return by_fusion
    known = [group for group in by_fusion if _value(group, sort) is not None]
    known.sort(key=lambda group: _value(group, sort) or 0, reverse=sort != "oldest")
    return known + [group for group in by_fusion if _value(group, sort) is None]


def _value(group: Group, sort: Sort) -> int | None:
    if sort == "cited":
        return group.work.cited_by
    date = group.work.cited_as_of
    if date is None:
        return None
    return (date.latest if sort == "newest" else date.earliest).toordinal()
