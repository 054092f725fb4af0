"""search_papers: one entry a work, filters, paging that neither repeats nor skips."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest
from mcp import Client

from pincite_literature.server import create_server

NAMES = ("arxiv", "pubmed", "crossref", "semantic_scholar", "openalex", "europe_pmc")


def lattices(invented: ModuleType, count: int) -> list[Any]:
    """Works with titles that nothing else bears, each known to the sources by all its identifiers."""
    words = ("cubic", "layered", "frozen", "chiral", "doped", "strained", "hollow", "twisted", "amorphous", "dilute")
    return [
        invented.Invented(
            f"Lattices number {number} of {words[number % 10]} {words[number // 10 % 10]} order in field {number * 37}",
            ((f"Author{chr(97 + number % 26)}{number}", "Ada"), ("Bethe", "Hans")),
            f"What was seen in sample {number}.",
            f"{2000 + number % 20}-{number % 12 + 1:02d}-{number % 28 + 1:02d}",
            doi=f"10.5555/lattice.{number}",
            arxiv=f"19{number % 12 + 1:02d}.{number:05d}",
            pmid=f"30{number:05d}",
            s2=f"{number:039d}a",
            openalex=f"W3{number:06d}",
            journal="Physical Review of Lattices" if number % 2 else "Annals of Order",
            open_access=number % 3 == 0,
        )
        for number in range(1, count + 1)
    ]


@pytest.fixture
def own(invented: ModuleType) -> dict[str, Sequence[Any]]:
    """90 works, of which every source knows another half."""
    works = lattices(invented, 90)
    return {name: [one for at, one in enumerate(works) if (at + shift) % 3] for shift, name in enumerate(NAMES)}


async def pages(there: Any, **arguments: Any) -> list[Any]:
    made = [await there.call("search_papers", **arguments)]
    while made[-1]["next_cursor"]:
        made.append(await there.call("search_papers", **arguments, cursor=made[-1]["next_cursor"]))
    return made


def titles(made: Sequence[Any]) -> list[str]:
    return [entry["title"] for page in made for entry in page["works"]]


async def test_one_work_is_one_entry(world: Callable[..., Any], one: Any) -> None:
    async with world([one]) as there:
        made = await there.call("search_papers", query="cuprate superconductivity")
        (entry,) = made["works"]
        assert entry["sources"] == sorted(NAMES)
        ids = {"doi": one.doi, "arxiv": one.arxiv, "pmid": one.pmid, "pmcid": one.pmcid, "s2": one.s2}
        assert ids.items() <= entry.items()
        assert entry["openalex"] == one.openalex
        assert entry["authors"] == ["Ada M. Lovelace", "Kurt Gödel", "Emmy Noether"]
        assert entry["published"] == "2019-03-05"
        assert [source["source"] for source in made["sources"]] == list(NAMES)
        assert {source["total"] for source in made["sources"]} == {1}


async def test_paging_shows_every_work_once(world: Callable[..., Any], own: dict[str, Any]) -> None:
    async with world([], own=own) as there:
        made = await pages(there, query="lattices", limit=11)
        shown = titles(made)
        assert len(shown) == len(set(shown)) == 90
        assert all(len(page["works"]) <= 11 for page in made)


@pytest.mark.parametrize("sort", ["newest", "oldest"])
async def test_pages_of_a_sorted_list_repeat_nothing(world: Callable[..., Any], own: dict[str, Any], sort: str) -> None:
    async with world([], own=own) as there:
        made = await pages(there, query="lattices", limit=20, sort=sort)
        shown = titles(made)
        assert len(shown) == len(set(shown)) == 90
        first = [entry.get("published", entry.get("first_public")) for entry in made[0]["works"]]
        assert first == sorted(first, reverse=sort == "newest")


async def test_a_list_goes_on_after_a_restart(world: Callable[..., Any], own: dict[str, Any]) -> None:
    async with world([], own=own) as there:
        whole = titles(await pages(there, query="lattices", limit=20))
        first = await there.call("search_papers", query="lattices", limit=20)
        asked = {name: len(there.asked(name)) for name in NAMES}
        async with Client(create_server(there.settings)) as again:
            there.client = again
            second = await there.call("search_papers", query="lattices", limit=20, cursor=first["next_cursor"])
        both = titles([first, second])
        assert len(both) > 30
        assert both == whole[: len(both)]
        assert {name: len(there.asked(name)) for name in NAMES} == asked, "all came from the cache"


async def test_a_source_that_failed_at_first_does_not_join_later_pages(
    world: Callable[..., Any], own: dict[str, Any]
) -> None:
    async with world([], own=own, faults={"crossref": "500"}) as there:
        first = await there.call("search_papers", query="lattices", limit=20)
        there.servers["crossref"].fault = None
        made = [first]
        while made[-1]["next_cursor"]:
            made.append(await there.call("search_papers", query="lattices", limit=20, cursor=made[-1]["next_cursor"]))
        shown = titles(made)
        assert len(shown) == len(set(shown)) == 90
        assert all("crossref" not in entry["sources"] for page in made for entry in page["works"])
        for page in made:
            (entry,) = [entry for entry in page["sources"] if entry["source"] == "crossref"]
            assert entry["state"] != "answered"


async def test_a_source_that_fails_later_is_named_and_nothing_is_repeated(
    world: Callable[..., Any], own: dict[str, Any], source_servers: ModuleType
) -> None:
    async with world([], own=own) as there:
        made = [await there.call("search_papers", query="lattices", limit=20)]
        there.servers["openalex"].fault = source_servers.FAULTS["malformed"]
        while made[-1]["next_cursor"]:
            made.append(await there.call("search_papers", query="lattices", limit=20, cursor=made[-1]["next_cursor"]))
        shown = titles(made)
        assert len(shown) == len(set(shown)) == 90
        (entry,) = [entry for entry in made[-1]["sources"] if entry["state"] == "failed"]
        assert entry["source"] == "openalex"
        assert entry["found"] == 20
        assert entry["reason"] == "OpenAlex sent an answer that cannot be read."


async def test_a_source_that_fails_later_is_asked_once_more(
    world: Callable[..., Any], own: dict[str, Any], source_servers: ModuleType
) -> None:
    call = {"query": "lattices", "sources": "openalex,crossref", "limit": 20}
    async with world([], own=own) as there:
        made = [await there.call("search_papers", **call)]
        there.servers["openalex"].fault = source_servers.FAULTS["malformed"]
        while made[-1]["next_cursor"]:
            made.append(await there.call("search_papers", **call, cursor=made[-1]["next_cursor"]))
            if any(entry["state"] == "failed" for entry in made[-1]["sources"]):
                there.servers["openalex"].fault = None
        shown = titles(made)
        assert len(shown) == len(set(shown))
        assert {entry["state"] for entry in made[-1]["sources"]} == {"answered"}
        assert sum(entry["found"] for entry in made[-1]["sources"]) == 120


async def test_a_cursor_of_another_search_is_refused(world: Callable[..., Any], own: dict[str, Any]) -> None:
    async with world([], own=own) as there:
        made = await there.call("search_papers", query="lattices", limit=5)
        said = await there.fails("search_papers", query="order", limit=5, cursor=made["next_cursor"])
        assert "does not belong to this call" in said


async def test_only_the_named_sources_are_asked(world: Callable[..., Any], own: dict[str, Any]) -> None:
    async with world([], own=own) as there:
        made = await there.call("search_papers", query="lattices", sources="arXiv, Semantic Scholar")
        assert [entry["source"] for entry in made["sources"]] == ["arxiv", "semantic_scholar"]
        assert not any(there.asked(name) for name in NAMES if name not in ("arxiv", "semantic_scholar"))
        said = await there.fails("search_papers", query="lattices", sources="arxiv,scopus")
        assert "There is no source 'scopus'" in said
        assert "europe_pmc" in said


@pytest.mark.parametrize(
    ("year", "first", "last"),
    [("2005", 2005, 2005), ("2003-2006", 2003, 2006), ("2015-", 2015, 9999), ("-2002", 0, 2002)],
)
async def test_years(world: Callable[..., Any], own: dict[str, Any], year: str, first: int, last: int) -> None:
    async with world([], own=own) as there:
        made = await pages(there, query="lattices", year=year, limit=50)
        years = [int(entry["published"][:4]) for page in made for entry in page["works"]]
        assert years
        assert all(first <= year <= last for year in years)
        assert len(years) == sum(first <= 2000 + number % 20 <= last for number in range(1, 91))


@pytest.mark.parametrize("year", ["last year", "2020-2010", "20", "-", "2019-2020-2021"])
async def test_years_that_are_none(world: Callable[..., Any], year: str) -> None:
    async with world([]) as there:
        assert "Next: Give" in await there.fails("search_papers", query="lattices", year=year)


async def test_filters_that_a_source_cannot_keep_are_applied_and_said(
    world: Callable[..., Any], own: dict[str, Any]
) -> None:
    async with world([], own=own) as there:
        made = await pages(there, query="lattices", author="Bethe", venue="Phys. Rev. Lattices", limit=50)
        shown = [entry for page in made for entry in page["works"]]
        assert shown
        assert {entry["venue"] for entry in shown} == {"Physical Review of Lattices"}
        assert "Filtered or sorted here, since the source cannot: author (crossref" in made[0]["note"]
        nobody = await pages(there, query="lattices", author="Zzyzx")
        assert titles(nobody) == []


async def test_open_access_alone(world: Callable[..., Any], invented: ModuleType) -> None:
    works = [replace(one, arxiv="") for one in lattices(invented, 30)]
    async with world(works) as there:
        made = await pages(there, query="lattices", open_access=True, limit=50)
        numbers = {int(entry["doi"].rpartition(".")[2]) for page in made for entry in page["works"]}
        assert numbers == set(range(3, 31, 3))
        assert "open_access (" in made[0]["note"]


async def test_the_most_cited_come_first(world: Callable[..., Any], invented: ModuleType) -> None:
    works = lattices(invented, 12)
    cited = [
        invented.Invented(
            f"A paper that cites {at}",
            doi=f"10.5555/c.{at}",
            s2=f"{at:039d}c",
            openalex=f"W4{at}",
            cites=tuple(one.doi for one in works[at:]),
        )
        for at in range(1, 12)
    ]
    async with world([*works, *cited]) as there:
        made = await there.call("search_papers", query="lattices", sort="cited", limit=20)
        counts = [entry.get("cited_by", 0) for entry in made["works"]]
        assert counts == sorted(counts, reverse=True)
        assert counts[0] == 11


async def test_a_search_without_words_is_refused(world: Callable[..., Any]) -> None:
    async with world([]) as there:
        assert "no words" in await there.fails("search_papers", query="  ")


async def test_a_search_for_an_identifier_is_told_of_get_paper(world: Callable[..., Any], one: Any) -> None:
    async with world([one]) as there:
        made = await there.call("search_papers", query=one.doi)
        assert made["note"].startswith("The query is an identifier: get_paper finds that very work.")
