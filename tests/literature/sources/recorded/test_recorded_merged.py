"""Recorded works that several sources know, merged: both dates, all identifiers, fields of one version; and cited."""

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from types import ModuleType
from typing import Any

import bibtexparser
import pytest
import rispy

from pincite_literature.export.formats import export
from pincite_literature.merge import merge
from pincite_literature.model import Work
from pincite_literature.sources.source import LinkPage, Page

pytestmark = pytest.mark.anyio

SOURCES = ("crossref", "semantic_scholar", "openalex", "pubmed", "europe_pmc", "arxiv")
IDS = ("doi", "arxiv", "pmid", "pmcid", "s2", "openalex")
PLACE = ("volume", "issue", "pages")

Described = tuple[Work, dict[str, Any]]
"""A work with its independent reading."""


@pytest.fixture
async def shared(
    replies: Callable[..., Any], recorded: ModuleType, readings: ModuleType
) -> dict[str, dict[str, Described]]:
    """By DOI what each source says of it, the fullest of its answers, where two sources or more have it."""
    found: dict[str, dict[str, Described]] = defaultdict(dict)
    rows = [row for row in recorded.recordings() if row.status == 200 and "search/bulk" not in row.url]
    for name in SOURCES:
        async for question, outcome in replies(name, rows):
            described = zip(_works(outcome), readings.READERS[name](question.recorded.body), strict=True)
            for work, reading in described:
                doi = work.ids.doi
                if doi is None or not work.title:
                    continue
                before = found[doi].get(name)
                if before is None or _filled(reading) > _filled(before[1]):
                    found[doi][name] = (work, reading)
    return {doi: described for doi, described in found.items() if len(described) > 1}


def _works(outcome: Any) -> list[Work]:
    if isinstance(outcome, LinkPage):
        return [link.work for link in outcome.links]
    if isinstance(outcome, Page):
        return list(outcome.works)
    listed = outcome if isinstance(outcome, list | tuple) else [outcome]
    return [one for one in listed if one is not None]


def _filled(reading: Mapping[str, Any]) -> int:
    return sum(bool(value) for value in reading.values())


def _merged(described: Mapping[str, Described]) -> Work:
    groups = merge({name: [work] for name, (work, _) in described.items()})
    assert len(groups) == 1, [group.work.title for group in groups]
    return groups[0].work


async def test_one_doi_is_one_work_with_all_identifiers_and_both_dates(
    shared: dict[str, dict[str, Described]], readings: ModuleType
) -> None:
    wrong: list[str] = []
    for doi, described in shared.items():
        made, read = _merged(described), [reading for _, reading in described.values()]
        named = {*made.ids.known().values(), *made.version_of}
        missing = {str(one[kind]) for one in read for kind in IDS if one.get(kind)} - named
        if missing:
            wrong.append(f"{doi}: without {missing}")
        dates = [readings.iso(one["public"]) for one in read if one["public"]]
        public = min((readings.last_day(date) for date in dates), default=())
        if made.public is None or readings.last_day(readings.iso(str(made.public))) != public:
            wrong.append(f"{doi}: first public {made.public}, not by {public}")
        cited = _date_to_cite(described)
        if cited and not str(made.published).startswith(cited):
            wrong.append(f"{doi}: published {made.published}, not {cited}")
        places = [tuple(getattr(work, name) for name in PLACE) for work, _ in described.values()]
        if (made.volume, made.pages) != ("", "") and not any(
            all(mine in ("", theirs) for mine, theirs in zip(place, (made.volume, made.issue, made.pages), strict=True))
            for place in places
        ):
            wrong.append(f"{doi}: volume, issue and pages of no one record: {made.volume} {made.issue} {made.pages}")
    assert not wrong, "\n".join(wrong)
    assert len(shared) >= 8


def _date_to_cite(described: Mapping[str, Described]) -> str:
    """The date of those that know which date theirs is: the publisher's deposit, then PubMed."""
    known = [described[name][1]["published"] for name in ("crossref", "pubmed") if name in described]
    return next((date for date in known if date), "")


async def test_citations_parse_back_to_the_version_cited(shared: dict[str, dict[str, Described]]) -> None:
    wrong: list[str] = []
    for doi, described in shared.items():
        made = _merged(described)
        year = str(made.published.year) if made.published else None
        (bibtex,) = bibtexparser.loads(export([made], "bibtex")).entries
        (ris,) = rispy.loads(export([made], "ris"))
        (csl,) = json.loads(export([made], "csl-json"))
        said = {
            "bibtex": (bibtex.get("doi"), bibtex.get("year"), bibtex.get("volume", "")),
            "ris": (ris.get("doi"), ris.get("year"), ris.get("volume", "")),
            "csl": (
                csl.get("DOI"),
                str(csl["issued"]["date-parts"][0][0]) if "issued" in csl else None,
                csl.get("volume", ""),
            ),
        }
        wrong += [f"{doi}: {form} {one}" for form, one in said.items() if one != (doi, year, made.volume)]
    assert not wrong, "\n".join(wrong)


async def test_an_article_is_not_cited_by_its_preprints_year(shared: dict[str, dict[str, Described]]) -> None:
    """Recorded: a preprint of April 2023 that came out in volume 6 of a journal in 2024."""
    made = _merged(shared["10.1038/s42256-024-00832-8"])
    assert (made.volume, str(made.published), str(made.first_public)) == ("6", "2024-05-08", "2023-04-11")
    assert made.ids.arxiv == "2304.05376"
