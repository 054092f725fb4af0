"""Every tool of several sources: found, nothing found, each way to fail in one source while the others stand, and all
sources dead."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from types import ModuleType
from typing import Any

import anyio
import pytest

from pincite_literature.sources.source import Source

FAULTS = ("malformed", "429", "500", "slow", "truncated", "refused")
TITLES = {
    "arxiv": "arXiv",
    "pubmed": "PubMed",
    "crossref": "Crossref",
    "semantic_scholar": "Semantic Scholar",
    "openalex": "OpenAlex",
    "europe_pmc": "Europe PMC",
}
OWN_LANGUAGES = {
    "arxiv": "ti:cuprate",
    "pubmed": "cuprate[ti]",
    "crossref": "query.title=cuprate",
    "semantic_scholar": "cuprate",
    "openalex": "search=cuprate",
    "europe_pmc": "TITLE:cuprate",
}
DOI = "10.5555/cuprate.2019.1"
CALLS: dict[str, dict[str, Any]] = {
    "search_papers": {"query": "cuprate"},
    "get_paper": {"id": DOI},
    "get_abstract": {"id": DOI},
    "list_citations": {"id": DOI},
    "list_cited_works": {"id": DOI},
    "find_similar": {"id": DOI},
    "export_citations": {"ids": DOI},
}
LISTS = ("search_papers", "list_citations", "list_cited_works", "find_similar")


@pytest.fixture
def own(one: Any, invented: ModuleType) -> dict[str, Sequence[Any]]:
    """The work, one that cites it, one that it cites and one that is like it, as each source names them."""
    make = invented.Invented
    citing = make("A later one", published="2020-02-01", doi="10.5555/late", pmid="3201", s2="b" * 40, openalex="W2")
    cited = make("Early lattices", published="2001-02-01", doi="10.5555/early", pmid="1101", s2="c" * 40, openalex="W3")
    like = make("A nickelate", published="2019-04-01", doi="10.5555/like", pmid="3109", s2="d" * 40, openalex="W4")

    def linked(name: str) -> list[Any]:
        first, last = (one.pmid, cited.pmid) if name == "europe_pmc" else (one.doi, cited.doi)
        return [replace(one, cites=(last,), like=(like.doi,)), replace(citing, cites=(first,)), cited, like]

    return {name: linked(name) for name in TITLES}


def test_every_fault_is_tried(source_servers: ModuleType) -> None:
    assert set(FAULTS) == set(source_servers.FAULTS)


async def test_the_calls_are_those_of_every_tool_that_asks_several_sources(tools: set[str]) -> None:
    """``search_web`` is not among the tools where no engine is set."""
    assert (
        set(CALLS) | {"query_source", "fetch_fulltext", "read_webpage", "search_wikipedia", "expand_material"} == tools
    )


@pytest.mark.parametrize("tool", CALLS)
async def test_found(tool: str, world: Callable[..., Any], own: dict[str, Any]) -> None:
    async with world([], own=own) as there:
        made = await there.call(tool, **CALLS[tool])
        if tool in LISTS:
            titles = {entry["title"] for entry in made["works"]}
            expected = {
                "search_papers": "Superconductivity of a cuprate that nobody has made",
                "list_citations": "A later one",
                "list_cited_works": "Early lattices",
                "find_similar": "A nickelate",
            }
            assert expected[tool] in titles
        for entry in made.get("sources", []):
            assert entry["state"] == "answered"
            assert entry["retrieved"].endswith("Z")


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("tool", CALLS)
async def test_one_source_fails_and_the_others_stand(
    tool: str, fault: str, source_servers: ModuleType, world: Callable[..., Any], own: dict[str, Any]
) -> None:
    async with world([], own=own, faults={"semantic_scholar": fault}) as there:
        made = await there.call(tool, **CALLS[tool])
        if tool in LISTS:
            assert made["works"]
        else:
            assert "uperconductivity of a cuprate" in (made.get("title") or made["text"])
        (entry,) = [entry for entry in made["sources"] if entry["state"] == "failed"]
        assert entry["source"] == "semantic_scholar"
        assert entry["reason"].startswith("Semantic Scholar")
        assert source_servers.FAULTS[fault].says in entry["reason"]


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("tool", CALLS)
async def test_all_sources_dead(
    tool: str, fault: str, source_servers: ModuleType, world: Callable[..., Any], own: dict[str, Any]
) -> None:
    async with world([], own=own, faults=dict.fromkeys(TITLES, fault)) as there:
        said = await there.fails(tool, **CALLS[tool])
        by_doi = [title for name, title in TITLES.items() if name != "arxiv"]
        assert "No source answered" in said
        for title in TITLES.values() if tool == "search_papers" else by_doi:
            assert title in said
        assert source_servers.FAULTS[fault].says in said


@pytest.mark.parametrize("tool", CALLS)
async def test_nothing_found(tool: str, world: Callable[..., Any]) -> None:
    async with world([]) as there:
        if tool == "search_papers":
            made = await there.call(tool, **CALLS[tool])
            assert made["works"] == []
            assert made["next_cursor"] is None
            assert made["note"] == "Every source answered; none has such a work."
        elif tool == "export_citations":
            made = await there.call(tool, **CALLS[tool])
            assert made["text"] == ""
            assert DOI in made["missing"][0]
        else:
            said = await there.fails(tool, **CALLS[tool])
            assert said.startswith(f"No source that answered has '{DOI}'.")


@pytest.mark.parametrize("fault", FAULTS)
async def test_nothing_found_while_a_source_fails_is_told_apart(fault: str, world: Callable[..., Any]) -> None:
    async with world([], faults={"openalex": fault}) as there:
        made = await there.call("search_papers", query="cuprate")
        assert made["works"] == []
        assert made["note"] == "Nothing came, but that says little: openalex could not be asked."
        said = await there.fails("get_paper", id=DOI)
        assert "could not be asked: OpenAlex" in said


async def test_a_work_without_citations_has_an_empty_list(world: Callable[..., Any], one: Any) -> None:
    async with world([one]) as there:
        made = await there.call("list_citations", id=DOI)
        assert made["works"] == []
        assert made["note"] == "Every source answered; none has such a work."
        assert {entry["found"] for entry in made["sources"]} == {0}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", OWN_LANGUAGES)
async def test_query_source_tells_every_fault(
    name: str, fault: str, source_servers: ModuleType, world: Callable[..., Any], one: Any
) -> None:
    async with world([one], faults={name: fault}) as there:
        said = await there.fails("query_source", source=name, query=OWN_LANGUAGES[name])
        assert said.startswith(TITLES[name])
        assert source_servers.FAULTS[fault].says in said


@pytest.mark.parametrize("name", OWN_LANGUAGES)
async def test_query_source_finds_in_the_sources_own_language(name: str, world: Callable[..., Any], one: Any) -> None:
    async with world([one]) as there:
        made = await there.call("query_source", source=name, query=OWN_LANGUAGES[name])
        assert [entry["title"] for entry in made["works"]] == [one.title]
        assert [entry["source"] for entry in made["sources"]] == [name]
        assert all(not there.asked(other) for other in TITLES if other != name)
        nothing = await there.call("query_source", source=name, query=OWN_LANGUAGES[name].replace("cuprate", "zzyzx"))
        assert nothing["works"] == []
        assert nothing["note"] == "Every source answered; none has such a work."


@pytest.mark.parametrize("tool", ["list_citations", "list_cited_works", "find_similar"])
async def test_a_source_that_failed_to_look_the_work_up_is_not_waited_for_again(
    tool: str, world: Callable[..., Any], own: dict[str, Any]
) -> None:
    async with world([], own=own, faults={"semantic_scholar": "slow"}) as there:
        made = await there.call(tool, **CALLS[tool])
        assert "did not answer in" in str(made["sources"])
        assert len({asked.path for asked in there.asked("semantic_scholar")}) == 1


async def test_a_call_that_is_cancelled_leaves_nothing_behind(world: Callable[..., Any], one: Any) -> None:
    async with world([one], faults=dict.fromkeys(TITLES, "slow"), source_seconds=30) as there:
        with anyio.move_on_after(0.3) as scope:
            await there.client.call_tool("search_papers", {"query": "cuprate"})
        assert scope.cancelled_caught
        for server in there.servers.values():
            server.fault = None
        made = await there.call("search_papers", query="cuprate")
        assert [entry["title"] for entry in made["works"]] == [one.title]


async def test_a_fault_of_ours_in_one_source_is_told_and_the_others_stand(
    world: Callable[..., Any], one: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from pincite_literature.sources.crossref import Crossref

    async def broken(self: Source, *_: Any, **__: Any) -> Any:
        raise KeyError("message")

    monkeypatch.setattr(Crossref, "search", broken)
    async with world([one]) as there:
        made = await there.call("search_papers", query="cuprate")
        assert len(made["works"]) == 1
        (entry,) = [entry for entry in made["sources"] if entry["state"] == "failed"]
        assert entry["reason"] == "Crossref could not be asked or read because of a bug in pincite."
