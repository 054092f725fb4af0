"""search and fetch over a library of two made papers and local servers that speak the literature's APIs."""

from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_core.settings import Settings
from pincite_library.ingest.pipeline import Ingest
from pincite_search.fetching import MOST_CHARS
from pincite_search.server import create_server

ARTICLE = """<article article-type="research-article"><front><article-meta>
<article-id pub-id-type="doi">10.1234/gold</article-id>
<title-group><article-title>A study of gold</article-title></title-group><pub-date><year>2016</year></pub-date>
</article-meta></front><body><sec><title>Results</title><p>Gold glitters at 39 K and does not superconduct.</p></sec>
<sec><title>More</title>{more}</sec></body></article>"""
LONG = "".join(f"<p>Paragraph {number} says that sample {number} cries when it is bent.</p>" for number in range(1500))

Speaking = Callable[..., Any]


@pytest.fixture
def speaking(
    tmp_path: Path, literature_services: ModuleType, invented: ModuleType, checked_calls: Callable[..., Any]
) -> Speaking:
    """``async with speaking(faults=…) as call``: the server, over a library where ``library``."""

    @asynccontextmanager
    async def opened(*, library: bool = True, faults: dict[str, str] | None = None) -> AsyncGenerator[Any]:
        work = replace(invented.known_everywhere(), arxiv="", pmcid="", open_access=False)
        with literature_services.serving([work], faults=faults) as (_servers, urls):
            folder = tmp_path / "papers"
            folder.mkdir()
            settings = Settings(
                roots=(folder,),
                cache_dir=tmp_path / "cache",
                papers_dir=tmp_path / "fetched",
                library_dir=tmp_path / "library",
                parse_workers=1,
                source_urls=urls,
                source_rates="off",
                source_seconds=3.0,
            )
            if library:
                (folder / "gold.xml").write_text(ARTICLE.format(more=LONG))
                with Ingest(settings, roots=settings.roots) as ingest:
                    assert len(ingest.add([str(folder)]).written) == 1
            async with checked_calls(create_server(settings)) as call:
                yield call

    return opened


async def test_both_are_searched_and_every_result_can_be_fetched(speaking: Speaking) -> None:
    async with speaking() as call:
        assert (await call("search", query="gold glitters"))["results"][0]["url"] == "https://doi.org/10.1234/gold"
        found = await call("search", query="superconductivity of a cuprate")
        kinds = {result["id"].partition(":")[0] for result in found["results"]}
        assert kinds == {"pc", "doi"}
        assert "note" not in found
        work = next(result for result in found["results"] if result["id"].startswith("doi:"))
        read = await call("fetch", id=work["id"])
        assert set(read) == {"id", "title", "text", "url", "metadata"}
        assert read["id"] == work["id"]
        assert read["url"] == work["url"] == f"https://doi.org/{work['id'].removeprefix('doi:')}"
        assert read["text"]
        assert read["metadata"]["kind"].startswith("abstract")


async def test_a_long_paper_is_shown_around_its_passage(speaking: Speaking) -> None:
    async with speaking() as call:
        results = (await call("search", query="paragraph 700 sample 700 cries"))["results"]
        passage = next(result for result in results if result["id"].startswith("pc:"))
        read = await call("fetch", id=passage["id"])
        assert len(read["text"]) == MOST_CHARS
        assert read["metadata"]["passage"] in read["text"]
        assert read["metadata"]["kind"] == "part of the full text"
        first, _, rest = read["metadata"]["characters"].partition("-")
        assert int(rest.partition(" ")[0]) - int(first) == MOST_CHARS


async def test_an_outage_is_never_an_empty_result(speaking: Speaking) -> None:
    names = ("arxiv", "pubmed", "crossref", "semantic_scholar", "openalex", "europe_pmc")
    async with speaking(faults=dict.fromkeys(names, "500")) as call:
        found = await call("search", query="gold glitters")
        assert {result["id"].partition(":")[0] for result in found["results"]} == {"pc"}
        assert "The literature could not be asked" in found["note"]


async def test_without_a_library_and_without_sources_the_search_fails(speaking: Speaking) -> None:
    names = ("arxiv", "pubmed", "crossref", "semantic_scholar", "openalex", "europe_pmc")
    async with speaking(library=False, faults=dict.fromkeys(names, "500")) as call:
        said = await call("search", query="gold")
        assert "nothing is known of what there is" in said
        assert "no paper" in await call("fetch", id="pc:00000000#p1:0-5")
        assert "empty" in await call("search", query="  ")


async def test_one_silent_source_is_named(speaking: Speaking) -> None:
    async with speaking(library=False, faults={"crossref": "500"}) as call:
        found = await call("search", query="superconductivity of a cuprate")
        assert found["results"]
        assert "crossref" in found["note"]
