"""get_paper and get_abstract: every kind of name, merged records, and nothing taken for what it is not."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

import pytest

NAMES = ("arxiv", "pubmed", "crossref", "semantic_scholar", "openalex", "europe_pmc")


@pytest.mark.parametrize(
    "name",
    [
        "10.5555/cuprate.2019.1",
        "https://doi.org/10.5555/CUPRATE.2019.1",
        "1903.01234",
        "arXiv:1903.01234v2",
        "https://arxiv.org/abs/1903.01234",
        "PMID: 31000001",
        "31000001",
        "PMC6500001",
        "a" * 40,
        "W2900000001",
        "Superconductivity of a cuprate that nobody has made",
        "superconductivity of a cuprate that nobody has made.",
    ],
)
async def test_a_work_by_every_name(name: str, world: Callable[..., Any], one: Any) -> None:
    async with world([one]) as there:
        made = await there.call("get_paper", id=name)
        assert made["title"] == one.title
        ids = {kind: made.get(kind) for kind in ("doi", "arxiv", "pmid", "pmcid", "s2", "openalex")}
        assert ids == {
            "doi": one.doi,
            "arxiv": one.arxiv,
            "pmid": one.pmid,
            "pmcid": one.pmcid,
            "s2": one.s2,
            "openalex": one.openalex,
        }
        assert made["published"] == "2019-03-05"
        assert made["retracted"] is False
        assert {link["route"] for link in made["links"]} >= {"arXiv"}
        answered = {entry["source"] for entry in made["sources"] if entry.get("found")}
        assert answered == set(NAMES)
        for entry in made["sources"]:
            assert entry["url"].startswith(there.servers[entry["source"]].url)


async def test_a_second_look_asks_nobody(world: Callable[..., Any], one: Any) -> None:
    async with world([one]) as there:
        first = await there.call("get_paper", id=one.doi)
        asked = {name: len(there.asked(name)) for name in NAMES}
        assert await there.call("get_paper", id=f"doi:{one.doi}") == first
        assert {name: len(there.asked(name)) for name in NAMES} == asked


async def test_a_look_at_which_a_source_failed_is_not_remembered(world: Callable[..., Any], one: Any) -> None:
    async with world([one], faults={"crossref": "malformed"}) as there:
        first = await there.call("get_paper", id=one.doi)
        assert [entry["source"] for entry in first["sources"] if entry["state"] == "failed"] == ["crossref"]
        there.servers["crossref"].fault = None
        second = await there.call("get_paper", id=one.doi)
        assert not [entry for entry in second["sources"] if entry["state"] != "answered"]


async def test_a_preprint_alone(world: Callable[..., Any], invented: ModuleType) -> None:
    preprint = invented.Invented("A preprint alone", arxiv="1903.05555", s2="f" * 40)
    async with world([preprint]) as there:
        made = await there.call("get_paper", id="1903.05555")
        assert {"arxiv", "semantic_scholar"} <= {entry["source"] for entry in made["sources"]}


async def test_sources_that_know_no_such_name_are_not_asked(world: Callable[..., Any], one: Any) -> None:
    async with world([]) as there:
        await there.fails("get_paper", id=one.openalex)
        assert [name for name in NAMES if there.asked(name)] == ["openalex"]


async def test_a_record_of_another_work_is_not_taken(world: Callable[..., Any], one: Any) -> None:
    """A source that answers with something else than what it was asked for."""
    other = replace(one, title="Migration of invented geese", doi="10.5555/geese", pmid="1", arxiv="", pmcid="", s2="")
    async with world([one], own={"openalex": [replace(other, raw={"doi": None, "ids": {}})]}) as there:
        there.servers["openalex"].answer = _always(there.servers["openalex"].answer, "W2900000001")
        made = await there.call("get_paper", id=one.doi)
        assert made["title"] == one.title
        (entry,) = [entry for entry in made["sources"] if entry["source"] == "openalex"]
        assert entry["found"] == 0
        assert entry["reason"] == "gave another work"
        assert "openalex" not in made


async def test_nothing_certain_names_the_nearest(world: Callable[..., Any], invented: ModuleType) -> None:
    works = [
        invented.Invented("Superconductivity of a cuprate under pressure", doi="10.5555/p"),
        invented.Invented("Superconductivity of a nickelate", doi="10.5555/n"),
    ]
    async with world(works) as there:
        said = await there.fails("get_paper", id="Superconductivity of a cuprate")
        assert said.startswith("Nothing certain bears the title 'Superconductivity of a cuprate'.")
        assert "nearest: Superconductivity of a cuprate under pressure (2019-03-05, doi:10.5555/p)" in said


async def test_a_title_that_two_works_bear(world: Callable[..., Any], invented: ModuleType) -> None:
    works: Sequence[Any] = [
        invented.Invented("Lattices of invented order", (("Bethe", "Hans"),), doi="10.5555/x", published="2001"),
        invented.Invented("Lattices of invented order", (("Gödel", "Kurt"),), doi="10.5555/y", published="2019"),
    ]
    async with world(works) as there:
        said = await there.fails("get_paper", id="Lattices of invented order")
        assert said.startswith("2 works bear the title")
        assert "10.5555/x" in said
        assert "10.5555/y" in said


@pytest.mark.parametrize("name", ["", "   ", "x" * 600])
async def test_what_names_no_work(name: str, world: Callable[..., Any]) -> None:
    async with world([]) as there:
        assert "does not identify a work" in await there.fails("get_paper", id=name)
        assert not any(there.asked(source) for source in NAMES)


async def test_an_abstract_says_where_it_is_from(world: Callable[..., Any], one: Any) -> None:
    async with world([one]) as there:
        made = await there.call("get_abstract", id=one.doi)
        assert made["abstract"] == one.abstract
        assert made["source"] == "pubmed"
        assert made["url"].startswith(there.servers["pubmed"].url)
        assert made["retrieved"].endswith("Z")
        assert "europe_pmc" in made["also_in"]


async def test_a_work_without_an_abstract(world: Callable[..., Any], one: Any) -> None:
    async with world([replace(one, abstract="")]) as there:
        said = await there.fails("get_abstract", id=one.doi)
        assert said.startswith("No source that answered gives an abstract of")


async def test_a_retracted_work_is_marked(world: Callable[..., Any], one: Any) -> None:
    async with world([replace(one, retracted=True)]) as there:
        assert (await there.call("get_paper", id=one.doi))["retracted"] is True
        made = await there.call("search_papers", query="cuprate")
        assert made["works"][0]["retracted"] is True
    async with world([replace(one, retracted=True)], before="2020-01-01") as there:
        assert "retracted" not in await there.call("get_paper", id=one.doi)
        made = await there.call("search_papers", query="cuprate")
        assert "retracted" not in made["works"][0]


def _always(answer: Callable[[Any], Any], work: str) -> Callable[[Any], Any]:
    """A source that gives one work whatever it is asked for."""

    def give(asked: Any) -> Any:
        return answer(replace(asked, path=f"/works/{work}"))

    return give


@pytest.mark.parametrize("tool", ["get_paper", "get_abstract", "list_cited_works", "fetch_fulltext"])
async def test_a_doi_that_is_cut_short_is_told_and_not_searched(world: Callable[..., Any], one: Any, tool: str) -> None:
    async with world([one]) as there:
        said = await there.fails(tool, id="10.1002/(SICI)1097-4628(19960425)60:4<531::AID-APP5>3.0.CO")
        assert "This DOI is cut short." in said
        assert "3.0.CO;2-S" in said
        assert not any(there.asked(name) for name in there.servers)
