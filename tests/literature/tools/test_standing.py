"""Every tool that shows a work says that it was retracted, where a source says so."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, cast

SAID = "retracted (doi:10.5555/cuprate.2019.1.r)"
NO_WORKS = {"expand_material", "read_webpage", "search_wikipedia", "search_web"}
"""Tools that show names and pages, not works."""


def _statuses(value: Any) -> Iterator[str]:
    """The statuses that stand anywhere in a result; in what is exported, the notes of its text."""
    if isinstance(value, dict):
        for name, inner in cast("dict[str, Any]", value).items():
            if name in ("status", "of_status"):
                yield inner
            elif name == "text" and "etracted" in inner:
                yield SAID if SAID.capitalize() in inner else inner
            else:
                yield from _statuses(inner)
    elif isinstance(value, list):
        for inner in cast("list[Any]", value):
            yield from _statuses(inner)


async def test_every_tool_that_shows_a_retracted_work_says_so(
    world: Callable[..., Any], one: Any, tools: set[str]
) -> None:
    other = replace(
        one,
        title="Another made-up material that cites and is cited",
        doi="10.5555/other.2020.1",
        arxiv="",
        pmid="31000002",
        pmcid="PMC6500002",
        s2="b" * 40,
        openalex="W2900000002",
        cites=(one.pmid, one.doi),
        like=(one.pmid, one.doi),
    )
    bad = replace(one, retracted=True, cites=(other.pmid, other.doi))
    # (tool, its arguments): of the retracted work itself, and of a work that lists it
    calls: list[tuple[str, dict[str, Any]]] = [
        ("search_papers", {"query": "cuprate"}),
        ("query_source", {"source": "crossref", "query": "cuprate"}),
        ("query_source", {"source": "openalex", "query": "cuprate"}),
        ("get_paper", {"id": one.doi}),
        ("get_abstract", {"id": one.doi}),
        ("list_citations", {"id": one.doi}),
        ("list_citations", {"id": other.doi}),
        ("list_cited_works", {"id": one.doi}),
        ("list_cited_works", {"id": other.doi}),
        ("find_similar", {"id": other.doi}),
        ("fetch_fulltext", {"id": one.doi}),
        ("export_citations", {"ids": one.doi, "format": "bibtex"}),
        ("export_citations", {"ids": one.doi, "format": "ris"}),
        ("export_citations", {"ids": one.doi, "format": "csl-json"}),
    ]
    assert {tool for tool, _ in calls} == tools - NO_WORKS, "a tool that shows works is not looked at"
    silent: list[Any] = []
    async with world([bad, other]) as there:
        for tool, arguments in calls:
            result = await there.call(tool, **arguments)
            if not any(said.startswith("retracted") for said in _statuses(result)):
                silent.append((tool, arguments, result))
    assert not silent
    async with world([bad, other], before="2024-01-01") as there:
        told = [call for call in calls if list(_statuses(await there.call(call[0], **call[1])))]
    assert not told, "under a cutoff a later retraction is not known"
