"""Under a cutoff no tool shows a work that did not surely appear before it: in lists, lookups, citations, exports."""

from collections.abc import AsyncGenerator, Callable, Sequence
from dataclasses import replace
from datetime import date
from types import ModuleType
from typing import Any

import pytest

BEFORE = date(2021, 1, 1)
WHEN = {
    "before": ("2020-12-31", True),
    "year": ("2020", True),
    "month": ("2020-12", True),
    "on": ("2021-01-01", False),
    "after": ("2022-03-04", False),
    "yearonly": ("2021", False),
    "unknown": ("", False),
}
"""When works appeared, by a word of their title, and whether they may be seen."""
LATE = [word for word, (_, seen) in WHEN.items() if not seen]
SEEN = [word for word, (_, seen) in WHEN.items() if seen]


@pytest.fixture
def own(invented: ModuleType) -> dict[str, Sequence[Any]]:
    """A work of 2019 that cites all the others, is cited by them and like them, as each source names them."""

    def all_for(name: str) -> list[Any]:
        dated = [
            invented.Invented(
                f"Lattices of the kind {word}",
                (("Bethe", "Hans"),),
                f"An abstract about {word}.",
                published,
                doi=f"10.5555/{word}",
                pmid=f"3300{number}",
                pmcid=f"PMC7700{number}",
                arxiv="" if word in ("year", "month", "yearonly", "unknown") else f"2001.0000{number}",
                s2=f"{number}a" * 20,
                openalex=f"W330000{number}",
                open_access=True,
            )
            for number, (word, (published, _)) in enumerate(WHEN.items(), 1)
        ]
        if name in ("openalex", "europe_pmc"):
            dated = [one for one in dated if one.published]
        named = [one.pmid if name == "europe_pmc" else one.doi for one in dated]
        root = invented.Invented(
            "Lattices at the root",
            published="2019-05-06",
            doi="10.5555/root",
            pmid="33009",
            s2="9b" * 20,
            openalex="W3300009",
            cites=tuple(named),
            like=tuple(one.doi for one in dated),
        )
        return [root, *(replace(one, cites=(root.pmid if name == "europe_pmc" else root.doi,)) for one in dated)]

    return {name: all_for(name) for name in NAMES}


NAMES = ("arxiv", "pubmed", "crossref", "semantic_scholar", "openalex", "europe_pmc")


@pytest.fixture
async def there(world: Callable[..., Any], own: dict[str, Any]) -> AsyncGenerator[Any]:
    """The world before 2021."""
    async with world([], own=own, before=BEFORE) as there:
        yield there


def check(made: Any, at_least: Sequence[str]) -> None:
    """Nothing late stands anywhere in a result; what was there before does."""
    shown = str(made)
    for word in LATE:
        assert f"kind {word}" not in shown
        assert f"10.5555/{word}" not in shown
        assert f"about {word}" not in shown
    for word in at_least:
        assert f"kind {word}'" in shown
    assert "cited_by" not in shown
    assert "'total'" not in shown


async def every_page(there: Any, tool: str, **arguments: Any) -> list[Any]:
    made = await there.call(tool, **arguments)
    pages = [made]
    while made["next_cursor"]:
        made = await there.call(tool, **arguments, cursor=made["next_cursor"])
        pages.append(made)
    return pages


@pytest.mark.parametrize("sort", ["relevance", "newest", "oldest"])
async def test_search_papers(there: Any, sort: str) -> None:
    pages = await every_page(there, "search_papers", query="lattices", sort=sort, limit=3)
    check(pages, SEEN)
    assert all(entry["published"] for page in pages for entry in page["works"])


async def test_withheld_works_are_counted(world: Callable[..., Any], own: dict[str, Any]) -> None:
    async with world([], own=own, before=BEFORE) as there:
        made = await there.call("list_cited_works", id="10.5555/root", limit=50)
        assert f"{len(LATE)} works on or after 2021-01-01, or of unknown date, are withheld." in made["note"]


async def test_an_order_by_citations_is_refused(there: Any) -> None:
    said = await there.fails("search_papers", query="lattices", sort="cited")
    assert "cutoff 2021-01-01" in said


@pytest.mark.parametrize(
    ("source", "query"),
    [
        ("arxiv", "ti:Lattices"),
        ("pubmed", "lattices[ti]"),
        ("crossref", "query=lattices"),
        ("semantic_scholar", "lattices"),
        ("openalex", "search=lattices"),
        ("europe_pmc", "lattices"),
    ],
)
async def test_query_source(there: Any, source: str, query: str) -> None:
    check(await every_page(there, "query_source", source=source, query=query), ["before"])


@pytest.mark.parametrize("tool", ["list_citations", "list_cited_works", "find_similar"])
async def test_following(there: Any, tool: str) -> None:
    check(await every_page(there, tool, id="10.5555/root", limit=3), SEEN[:1])


@pytest.mark.parametrize(
    "tool", ["get_paper", "get_abstract", "list_citations", "list_cited_works", "find_similar", "export_citations"]
)
@pytest.mark.parametrize("word", LATE)
async def test_a_later_work_is_not_available_by_any_name(there: Any, own: dict[str, Any], tool: str, word: str) -> None:
    (work,) = [one for one in own["crossref"] if one.doi == f"10.5555/{word}"]
    openalex = work.openalex if work.published else ""
    for name in filter(None, (work.doi, work.pmid, work.pmcid, work.arxiv, work.s2, openalex, work.title)):
        if tool == "export_citations":
            made = await there.call(tool, ids=name)
            assert made["text"] == ""
            said = made["missing"][0]
        else:
            said = await there.fails(tool, id=name)
        assert work.abstract not in said
        assert name == work.title or "not available under the cutoff" in said
        assert name == work.title or work.title not in said


@pytest.mark.parametrize("word", SEEN)
async def test_an_earlier_work_is_there_by_every_name(there: Any, own: dict[str, Any], word: str) -> None:
    (work,) = [one for one in own["crossref"] if one.doi == f"10.5555/{word}"]
    for name in filter(None, (work.doi, work.pmid, work.pmcid, work.arxiv, work.s2, work.openalex, work.title)):
        made = await there.call("get_paper", id=name)
        check(made, [word])
        assert made["published"] == WHEN[word][0]


async def test_a_preprint_is_shown_without_its_later_article(world: Callable[..., Any], invented: ModuleType) -> None:
    preprint = invented.Invented(
        "Invented lattices",
        published="2020-05-01",
        arxiv="2005.00001",
        doi="10.5555/article",
        s2="e" * 40,
        journal="Nature of Lattices",
    )
    article = replace(preprint, published="2021-03-01", arxiv="", s2="", openalex="W77", pmid="3377")
    own = {name: [preprint if name in ("arxiv", "semantic_scholar") else article] for name in NAMES}
    async with world([], own=own, before=BEFORE) as there:
        for made in (
            await there.call("search_papers", query="invented lattices"),
            await there.call("get_paper", id="2005.00001"),
            await there.call("get_paper", id="e" * 40),
        ):
            assert "2005.00001" in str(made)
            assert "10.5555/article" not in str(made.get("works", {**made, "sources": []}))
            assert "Nature of Lattices" not in str(made)
        said = await there.fails("get_paper", id="10.5555/article")
        assert "not available under the cutoff" in said


async def test_the_text_of_a_later_version_is_not_shown(world: Callable[..., Any], invented: ModuleType) -> None:
    changed = invented.Invented(
        "Lattices rewritten", (), "The abstract of now.", "2020-05-01", updated="2022-01-01", arxiv="2005.00001"
    )
    own = dict.fromkeys(NAMES, ()) | {"arxiv": [changed]}
    async with world([], own=own, before=BEFORE) as there:
        made = await there.call("search_papers", query="lattices")
        assert made["works"][0]["published"] == "2020-05-01"
        assert "abstract" not in made["works"][0]
        made = await there.call("get_paper", id="2005.00001")
        assert made["updated"] == "2020-05-01"
        assert any("2005.00001v1" in asked.params.get("id_list", "") for asked in there.asked("arxiv"))
