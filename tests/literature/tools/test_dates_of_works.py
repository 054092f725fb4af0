"""Works whose preprint is older than the article: shown, sorted, filtered and exported by the version cited."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

pytestmark = pytest.mark.anyio


@pytest.fixture
def own(one: Any) -> dict[str, Any]:
    """A preprint of December 2018, the article of February 2020; Semantic Scholar gives the preprint's date to both."""
    article = replace(one, published="2020-02", arxiv="", doi=one.doi)
    preprint = replace(one, published="2018-12-05", arxiv="1812.01234")
    newer = replace(one, title="Another cuprate of the year between", published="2019-06-07", doi="10.5555/b.2019.2",
                    arxiv="", pmid="", pmcid="", s2="", openalex="")  # fmt: skip
    return {"arxiv": [preprint], "crossref": [article, newer], "semantic_scholar": [preprint]}


async def test_the_article_is_dated_by_its_issue_and_the_preprint_told(
    world: Callable[..., Any], own: dict[str, Any]
) -> None:
    async with world([], own=own) as there:
        made = await there.call("get_paper", id="10.5555/cuprate.2019.1")
        assert (made["published"], made["first_public"], made["volume"]) == ("2020-02", "2018-12-05", "12")
        exported = await there.call("export_citations", ids="10.5555/cuprate.2019.1")
        assert "year = {2020}" in exported["text"]
        assert "month = feb" in exported["text"]
        found = await there.call("search_papers", query="cuprate", sort="newest")
        assert [work["published"] for work in found["works"]] == ["2020-02", "2019-06-07"]


async def test_years_are_those_of_the_version_shown(world: Callable[..., Any], own: dict[str, Any]) -> None:
    async with world([], own=own) as there:
        since = await there.call("search_papers", query="cuprate", year="2020-")
        assert [(work["doi"], work["published"]) for work in since["works"]] == [("10.5555/cuprate.2019.1", "2020-02")]
        within = await there.call("search_papers", query="cuprate", year="2018", sources="crossref,semantic_scholar")
        assert [work["doi"] for work in within["works"]] == ["10.5555/cuprate.2019.1"]
        until = await there.call("search_papers", query="cuprate", year="-2018")
        (work,) = until["works"]
        assert (work["arxiv"], work["doi"], work["first_public"]) == (
            "1812.01234",
            "10.5555/cuprate.2019.1",
            "2018-12-05",
        )
        assert "published" not in work, "no source that gave it dates the article"


async def test_a_cutoff_between_shows_the_preprint_alone(world: Callable[..., Any], own: dict[str, Any]) -> None:
    async with world([], own=own, before="2019-12-01") as there:
        made = await there.call("get_paper", id="1812.01234")
        assert (made["published"], made["kind"]) == ("2018-12-05", "preprint")
        assert "first_public" not in made
        assert "volume" not in made
        assert made["doi"] == "10.48550/arxiv.1812.01234"


async def test_what_another_year_leaves_out_is_counted(world: Callable[..., Any], own: dict[str, Any]) -> None:
    """PubMed finds an article by its electronic date, and it is cited by that of its issue."""
    issue = "<PubDate><Year>2020</Year><Month>Feb</Month></PubDate>"
    online = "<ArticleDate><Year>2019</Year><Month>12</Month><Day>20</Day></ArticleDate>"
    late = replace(own["crossref"][1], pmid="7", raw={"PubDate": issue, "ArticleDate": online})
    async with world([], own={"pubmed": [late]}) as there:
        made = await there.call("search_papers", query="cuprate", year="2019", sources="pubmed")
        assert made["works"] == []
        assert "1 work left out: cited by another year." in made["note"]
        (work,) = (await there.call("search_papers", query="cuprate", sources="pubmed"))["works"]
        assert (work["published"], work["first_public"]) == ("2020-02", "2019-12-20")
