"""The order of merged works."""

import pytest

from pincite_literature.dates import PartialDate
from pincite_literature.merge import Group
from pincite_literature.model import Identifiers, Work
from pincite_literature.ranking import ranked, score


def group(title: str, year: int | None = None, cited: int | None = None, **places: int) -> Group:
    work = Work(title, Identifiers(), published=PartialDate(year) if year else None, cited_by=cited)
    return Group(work, (work,), places)


def test_score_is_reciprocal_rank_fusion() -> None:
    assert score(group("a", crossref=1, arxiv=3)) == pytest.approx(1 / 61 + 1 / 63)


def test_relevance_prefers_works_that_several_sources_give() -> None:
    first, both, later = group("a", crossref=1), group("b", crossref=2, arxiv=2), group("c", arxiv=4)
    assert ranked([later, first, both]) == [both, first, later]


def test_ties_are_broken_by_title() -> None:
    groups = [group(title, crossref=1) for title in ("b", "C", "a")]
    assert [each.work.title for each in ranked(groups)] == ["a", "b", "C"]
    assert ranked(groups) == ranked(groups[::-1])


def test_sorts_put_what_is_not_known_last() -> None:
    old, new, never = group("o", 1990, 5, x=3), group("n", 2020, 0, x=2), group("u", None, None, x=1)
    assert ranked([never, old, new], "newest") == [new, old, never]
    assert ranked([never, new, old], "oldest") == [old, new, never]
    assert ranked([never, new, old], "cited") == [old, new, never]
