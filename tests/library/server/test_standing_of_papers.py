"""Every tool of the library that shows a paper says that it is retracted, where its title or its sources say so."""

from collections.abc import Callable
from typing import Any

from mcp import Client

from pincite_core.settings import Settings
from pincite_library.ingest.entry import entry_of
from pincite_library.server import create_server
from pincite_library.standing import status_of
from pincite_papers.opening.opener import PaperOpener

BAD = """<article><front><article-meta><title-group><article-title>RETRACTED: The gap of lead</article-title>
</title-group></article-meta></front><body><sec><title>Results</title><p>The gap of lead is 1.15 meV.</p></sec></body>
</article>"""
GOOD = BAD.replace("RETRACTED: The gap of lead", "The gap of zinc").replace("lead is", "zinc is")


async def test_every_tool_says_that_a_labelled_paper_is_retracted(
    empty: Settings, checked_calls: Callable[..., Any]
) -> None:
    (empty.roots[0] / "lead.xml").write_text(BAD)
    (empty.roots[0] / "zinc.xml").write_text(GOOD)
    server = create_server(empty)
    async with Client(server) as client:
        offered = {tool.name for tool in (await client.list_tools()).tools}
    async with checked_calls(create_server(empty)) as call:
        added = (await call("add_papers", sources=[str(empty.roots[0])]))["sources"]
        listed = (await call("list_papers", query=""))["papers"]
        hits = (await call("grep_chunks", pattern="1.15 meV"))["hits"]
        found = (await call("search_passages", query="gap of lead and zinc in meV"))["passages"]
        places = [hit["chunk"] for hit in hits]
        kept = (await call("prune_chunks", chunks=places))["kept"]
        cited = (await call("conclude_search", answer="It is 1.15 meV.", chunks=places))["papers"]
        read = [await call("read_chunk", chunk=place) for place in places]
    shown = {
        "add_papers": added,
        "list_papers": listed,
        "grep_chunks": hits,
        "search_passages": found,
        "prune_chunks": kept,
        "conclude_search": cited,
        "read_chunk": read,
    }
    assert set(shown) == offered, "a tool that shows papers is not looked at"
    wrong = {tool: items for tool, items in shown.items() if not _told_apart(items)}
    assert not wrong


def _told_apart(items: list[dict[str, Any]]) -> bool:
    """Whether the labelled paper alone is called retracted, and both are there."""
    told = [("RETRACTED" in str(item.get("title") or item.get("paper")), item.get("status")) for item in items]
    told = [
        (labelled or "RETRACTED" in str(item), status) for (labelled, status), item in zip(told, items, strict=True)
    ]
    return set(told) == {(True, "retracted"), (False, None)}


async def test_what_the_sources_said_of_a_fetched_work_stays_with_its_paper(empty: Settings) -> None:
    path = empty.roots[0] / "zinc.xml"
    path.write_text(GOOD)
    papers = PaperOpener(empty)
    async with papers.lifespan(None):
        paper = await papers.open(str(path), None)
    said = "expression of concern 2019 (doi:10.5555/n.1)"
    entry = entry_of(paper, source="10.5555/zinc", chunker="1", chunks=1, record={"status": said})
    assert status_of(entry) == said
    assert status_of(entry_of(paper, source="10.5555/zinc", chunker="1", chunks=1)) == ""
