"""A paper without pages (JATS XML) through every tool, as a model meets it."""

import json
import shutil
from collections.abc import AsyncIterator, Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from mcp import Client
from mcp.shared.exceptions import MCPError

from pincite_core.settings import Settings
from pincite_documents.server import create_server
from pincite_papers.jats import parse_jats

ARTICLE = Path(__file__).parents[1] / "papers" / "articles" / "cuprate.xml"
TEXT = parse_jats(ARTICLE.read_bytes(), max_pages=1).text


@pytest.fixture(scope="module")
def settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    folder = tmp_path_factory.mktemp("pageless")
    shutil.copy(ARTICLE, folder / "cuprate.xml")
    return Settings(roots=(folder,), cache_dir=tmp_path_factory.mktemp("cache"), parse_workers=1)


@pytest.fixture
async def client(settings: Settings) -> AsyncIterator[Client]:
    async with Client(create_server(settings)) as client:
        yield client


@pytest.fixture
async def ask(client: Client) -> Callable[..., Awaitable[Any]]:
    async def ask(tool: str, **arguments: Any) -> Any:
        result = await client.call_tool(tool, {"paper": "cuprate.xml", **arguments})
        text = "".join(block.text for block in result.content)
        if result.is_error:
            return f"error: {text}"
        return json.loads(text) if result.structured_content is not None else text

    return ask


def quoted(locator: str) -> str:
    """The text that a locator names; it must name no page."""
    paper, _, offsets = locator.partition("#")
    assert paper.startswith("pc:")
    start, end = map(int, offsets.split("-"))
    return TEXT[start:end]


async def test_the_overview_tells_format_journal_and_contents(ask: Callable[..., Awaitable[Any]]) -> None:
    overview = await ask("open_paper")
    assert overview["format"] == "jats"
    assert overview["pages"] is None
    assert (overview["journal"], overview["year"]) == ("Journal of Made-Up Matter", 2020)
    assert overview["keywords"] == ["cuprates", "T_c"]
    assert overview["counts"] | {"characters": 0, "paragraphs": 0} == {
        "characters": 0,
        "sections": 10,
        "paragraphs": 0,
        "figures": 4,
        "tables": 2,
        "equations": 1,
        "references": 4,
        "unreliable": 0,
    }
    entries = [entry.rstrip("]").rpartition(" [") for entry in overview["outline"]]
    assert [label for label, _, _ in entries[:4]] == ["# Abstract", "# Author Summary", "# 1. Introduction", "Fig. 2"]
    assert quoted(entries[2][2]) == "1. Introduction"
    assert quoted(entries[0][2]).endswith("92 K.")
    assert any("Table 2 is given as a picture only" in warning for warning in overview["warnings"])


async def test_the_whole_text_is_paged_by_cursor(ask: Callable[..., Awaitable[Any]]) -> None:
    seen: list[str] = []
    cursor = ""
    for _ in range(9):
        shown = await ask("read_pages", max_chars=1000, cursor=cursor)
        assert "the whole text (JATS XML has no pages)" in shown
        seen += [line for line in shown.splitlines() if line.startswith("[pc:")]
        if 'cursor="' not in shown:
            break
        cursor = shown.rpartition('cursor="')[2].rstrip('".')
    marks = [line[1:].partition("]")[0].partition(" ")[0] for line in seen]
    assert "".join("".join(map(quoted, marks)).split()) == "".join(TEXT.split())


@pytest.mark.parametrize(("tool", "more"), [("read_pages", {}), ("grep_paper", {"pattern": "cuprate"})])
async def test_a_page_of_a_paper_without_pages_is_an_error_that_names_read_section(
    ask: Callable[..., Awaitable[Any]], tool: str, more: dict[str, str]
) -> None:
    said = await ask(tool, pages="2", **more)
    assert said.startswith("error: There is no page '2': this paper has no pages.")
    assert "JATS XML" in said
    assert "read_section" in said


async def test_the_page_resource_says_the_same(ask: Callable[..., Awaitable[Any]], client: Client) -> None:
    name = (await ask("open_paper"))["id"][7:15]
    with pytest.raises(MCPError, match="no pages"):
        await client.read_resource(f"paper://{name}/page/1")


async def test_sections_by_number_title_and_locator(ask: Callable[..., Awaitable[Any]]) -> None:
    assert "Its transition temperature is 92 K." in await ask("read_section", section="Abstract")
    assert "GPa: gigapascal" in await ask("read_section", section="2.1")
    assert "Appendix A More" in await ask("read_section", section="Appendix A")
    assert "We thank nobody." in await ask("read_section", section="acknowledgements")
    assert "Give one of: Abstract; Author Summary; 1. Introduction" in await ask("read_section", section="Nowhere")


async def test_grep_names_sections_without_pages(ask: Callable[..., Awaitable[Any]]) -> None:
    hits = (await ask("grep_paper", pattern="temperature"))["hits"]
    assert [hit["section"] for hit in hits] == ["Abstract", "1. Introduction", "Results"]
    assert all(quoted(hit["locator"]) == hit["quote"] for hit in hits)


async def test_tables_and_one_that_is_only_a_picture(ask: Callable[..., Awaitable[Any]]) -> None:
    tables = (await ask("list_tables"))["tables"]
    assert [table["table"] for table in tables] == ["Table 1", "Table 3"]
    cells = (await ask("read_table", table="Table 1", format="cells"))["cells"]
    assert all(quoted(cell["locator"]) == cell["text"] for cell in cells)
    said = await ask("read_table", table="Table 2")
    assert "gives Table 2 as a picture only" in said
    assert "t2.tif" in said


async def test_references_give_their_pubmed_number(ask: Callable[..., Awaitable[Any]]) -> None:
    first, second, *_ = (await ask("list_references"))["references"]
    assert (first["doi"], first["pmid"]) == ("10.1007/BF01303701", "9999999")
    assert second["arxiv"] == "2301.01234"
    assert "pmid" not in second


async def test_context_follows_the_citations_of_the_source(ask: Callable[..., Awaitable[Any]]) -> None:
    """The range 1-3 cites entry 2, and "[3]" an entry that has no number of its own."""
    found = (await ask("find_context", target="[2]"))["passages"]
    assert [(p["hop"], p["relation"]) for p in found] == [(0, "target"), (1, "says '1–3'")]
    assert found[1]["quote"].startswith("Cuprates have been studied for long [1–3].")
    third = (await ask("find_context", target="[3]"))["passages"]
    assert third[0]["quote"] == "Lab Press (2001). Notes on grinding. Here: Lab Press."
    assert {p["name"] for p in third[1:]} == {"", "Figure 1"}


async def test_context_of_floats_and_equations(ask: Callable[..., Awaitable[Any]]) -> None:
    figure = (await ask("find_context", target="Fig. 1"))["passages"]
    assert [p["kind"] for p in figure] == ["figure", "passage", "reference"]
    assert (await ask("find_context", target="Eq. (1)"))["passages"][0]["quote"].startswith("ρ(T) = ρ_0")
