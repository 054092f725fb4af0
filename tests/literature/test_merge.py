"""Works of several sources become one record a work."""

import itertools
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from pincite_literature.dates import PartialDate
from pincite_literature.merge import Group, merge
from pincite_literature.model import Author, FulltextLink, Identifiers, Work

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "benchmarks"))

import merging
from generated_works.sightings import sightings

ADA = Author("Ada M. Lovelace", "Lovelace", "Ada M.")
EMMY = Author("Emmy Noether", "Noether", "Emmy")
TITLE = "Charge-density-wave order in underdoped cuprates"


def work(title: str = TITLE, year: int = 2019, authors: tuple[Author, ...] = (ADA, EMMY), **more: object) -> Work:
    ids = Identifiers(**{k: str(more.pop(k)) for k in ("doi", "arxiv", "pmid", "pmcid", "s2") if k in more})  # type: ignore[arg-type]
    return Work(title=title, ids=ids, authors=authors, published=PartialDate(year), **more)  # type: ignore[arg-type]


def merged(**lists: Work | list[Work]) -> list[Group]:
    return merge({name: works if isinstance(works, list) else [works] for name, works in lists.items()})


def test_generated_works_are_merged_as_they_should_be() -> None:
    (right, made, true), (_, _, by_doi), _ = merging.measure(seed=7)
    assert true == by_doi > 500
    assert right / made >= 0.99
    assert right / true >= 0.985


def test_the_order_of_sources_and_of_works_does_not_matter() -> None:
    lists, _ = sightings(3, works=60)
    expected = [group.work for group in merge(lists)]
    for order in itertools.islice(itertools.permutations(lists), 0, 720, 101):
        assert [group.work for group in merge({name: lists[name] for name in order})] == expected
    upside_down = {name: works[::-1] for name, works in lists.items()}
    assert {repr(group.work) for group in merge(upside_down)} == {repr(each) for each in expected}
