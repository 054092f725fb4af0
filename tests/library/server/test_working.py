"""read_chunk, prune_chunks, list_papers, conclude_search on a small library."""

from collections.abc import Awaitable, Callable
from typing import Any

import orjson
import pytest

from pincite_core.settings import Settings
from pincite_library.model import ChunkKind, IndexedChunk, PaperEntry
from pincite_library.server import create_server
from pincite_library.store.opening import open_store
from pincite_library.store.store import Store

Call = Callable[..., Awaitable[Any]]


@pytest.fixture
def cuprate(store: Store) -> list[Any]:
    """The chunks of the PDF in order."""
    (paper,) = [entry.paper_id for entry in store.papers() if entry.format == "pdf"]
    return store.chunks_of(paper)


def named(chunks: list[Any], words: str) -> str:
    """The locator of the first chunk with these words in it."""
    return next(chunk.locator for chunk in chunks if words in chunk.chunk.text)


async def test_a_chunk_comes_between_its_neighbours(call: Call, cuprate: list[Any]) -> None:
    said = await call("read_chunk", chunk=cuprate[3].locator, before=2, after=1)
    assert [chunk["locator"] for chunk in said["chunks"]] == [chunk.locator for chunk in cuprate[1:5]]
    assert [chunk["text"] for chunk in said["chunks"]] == [chunk.chunk.text for chunk in cuprate[1:5]]
    assert [chunk.get("asked") for chunk in said["chunks"]] == [None, None, True, None]
    first = await call("read_chunk", chunk=cuprate[0].locator, before=10, after=0)
    assert [chunk["locator"] for chunk in first["chunks"]] == [cuprate[0].locator]
    assert "note" not in first


async def test_neighbours_that_do_not_fit_are_missed(call: Call, cuprate: list[Any]) -> None:
    said = await call("read_chunk", chunk=cuprate[-1].locator, before=10, after=10, max_chars=2500)
    assert said["chunks"][-1]["locator"] == cuprate[-1].locator
    assert 1 < len(said["chunks"]) < 6
    assert len(orjson.dumps(said)) < 2500
    assert "larger max_chars" in said["note"]


async def test_a_long_chunk_is_paged(empty: Settings, checked_calls: Callable[..., Any]) -> None:
    text = 'A "quoted" line.\n' * 400
    store = open_store(empty)
    locator = put_chunk(store, text)
    store.close()
    read, cursor, pages = "", "", 0
    async with checked_calls(create_server(empty)) as call:
        while cursor is not None:
            said = await call("read_chunk", chunk=locator, cursor=cursor, max_chars=2000)
            assert len(orjson.dumps(said)) <= 2000
            assert "characters" in said["chunks"][0]["cut"]
            read, cursor, pages = read + said["chunks"][0]["text"], said["next_cursor"], pages + 1
    assert read == text
    assert pages > 3


def put_chunk(store: Store, text: str, digits: str = "ab") -> str:
    """A paper with one chunk that is all its text; the chunk's locator."""
    import hashlib

    from pincite_library.model import Chunk

    entry = PaperEntry(
        paper_id="sha256:" + digits * 32,
        title="Long",
        source="long.txt",
        text_digest=hashlib.sha256(text.encode()).hexdigest(),
        chunks=1,
    )
    chunk = Chunk(ordinal=0, kind=ChunkKind.TEXT, section="", page=None, start=0, end=len(text), text=text)
    store.put_paper(entry, text, [IndexedChunk(chunk, "quoted line")])
    return chunk.locator(entry.paper_id)


async def test_a_stale_locator_names_what_is_there_now(call: Call, cuprate: list[Any]) -> None:
    there = cuprate[2]
    prefix = there.locator.rpartition(":")[0]
    said = await call("read_chunk", chunk=f"{prefix}:{there.chunk.start + 3}-{there.chunk.end}")
    assert "There is no chunk" in said
    assert there.locator in said
    gone = await call("read_chunk", chunk=f"{prefix}:90000-90010")
    assert cuprate[-1].locator in gone
    assert "no paper deadbeef" in await call("read_chunk", chunk="pc:deadbeef#1-2")
    assert "not a locator" in await call("read_chunk", chunk="the first one")


async def test_a_cursor_of_a_library_that_has_changed_says_so(
    empty: Settings, checked_calls: Callable[..., Any]
) -> None:
    store = open_store(empty)
    for digits in ("ab", "cd", "ef"):
        put_chunk(store, f"The gap of {digits} is 1.15 meV.", digits)
    async with checked_calls(create_server(empty)) as call:
        first = await call("grep_chunks", pattern="1.15 meV", max_results=1)
        put_chunk(store, "The gap of tin is 1.15 meV.", "12")
        second = await call("grep_chunks", pattern="1.15 meV", max_results=1, cursor=first["next_cursor"])
        assert (second["total"], "cd" in second["hits"][0]["context"]) == (4, True)
        store.remove_papers(["sha256:" + "ab" * 32])
        third = await call("grep_chunks", pattern="1.15 meV", max_results=1, cursor=second["next_cursor"])
    store.close()
    assert "The library has changed" in third


async def test_duplicates_are_pruned_without_a_model(
    filled: Settings, empty: Settings, checked_calls: Callable[..., Any]
) -> None:
    store = open_store(empty)
    one, same = put_chunk(store, "The gap of tin is 1.15 meV."), put_chunk(store, "The gap of  tin is 1.15 meV.", "cd")
    more, other = (
        put_chunk(store, "We said: The gap of tin is 1.15 meV.", "ef"),
        put_chunk(store, "Gold glitters.", "12"),
    )
    store.close()
    gone = "pc:deadbeef#0-5"
    async with checked_calls(create_server(empty)) as call:
        said = await call("prune_chunks", chunks=[one, same, other, gone, one, more], question="What is the gap?")
        assert [kept["locator"] for kept in said["kept"]] == [other, more]
        assert said["kept"][1]["begins"] == "We said: The gap of tin is 1.15 meV."
        reasons = {dropped["locator"]: dropped["reason"] for dropped in said["dropped"]}
        assert set(reasons) == {one, same, gone}
        assert more in reasons[one] or same in reasons[one]
        assert "no paper deadbeef" in reasons[gone]
        assert said["judged_by"] == ""
        assert "No text model" in said["note"]
        few = await call("prune_chunks", chunks=[other, one], keep=1)
        assert [kept["locator"] for kept in few["kept"]] == [other]
        assert "named after the 1" in few["dropped"][0]["reason"]
        assert "No chunks" in await call("prune_chunks", chunks=[])
        assert "More than 100" in await call("prune_chunks", chunks=[one] * 101)


async def test_the_judge_drops_what_does_not_help(
    filled: Settings, cuprate: list[Any], checked_calls: Callable[..., Any], endpoints: Any
) -> None:
    helps, table, off = named(cuprate, "92.5 K"), named(cuprate, "Sample | "), named(cuprate, "furnace")
    scores = [
        {"passage": number, "answers": answers, "figure": figure}
        for number, answers, figure in ((1, 1, 0), (2, 4, 0), (3, 2, 9))
    ]
    reply = orjson.dumps({"scores": scores}).decode()
    with endpoints.scripted(endpoints.Answered(reply)) as endpoint:
        changed = {"text_url": endpoint.url, "text_model": "judge-1", "text_seconds": 1.0}
        async with checked_calls(create_server(filled.model_copy(update=changed))) as call:
            said = await call("prune_chunks", chunks=[off, helps, table], question="At which temperature?", keep=5)
            broken = await call("prune_chunks", chunks=[off, helps, table], question="At which temperature?")
    assert [(kept["locator"], kept["answers"], kept["look_at_figure"]) for kept in said["kept"]] == [
        (table, 2, 9),
        (helps, 4, 0),
    ]
    assert said["dropped"] == [{"locator": off, "reason": "does not help: answers 1, look_at_figure 0 of 10"}]
    assert "judge-1" in said["judged_by"]
    assert [kept["locator"] for kept in broken["kept"]] == [off, helps, table]
    assert "judge failed" in broken["note"]


async def test_papers_are_listed(call: Call) -> None:
    said = await call("list_papers")
    assert said["total"] == 3
    assert [paper["title"] for paper in said["papers"]] == sorted(paper["title"] for paper in said["papers"])
    gold = said["papers"][0]
    assert (gold["year"], gold["journal"], gold["doi"], gold["authors"]) == (
        2016,
        "Annals",
        "10.1234/gold",
        ["Ann Smith"],
    )
    assert (await call("list_papers", query="writer CUPRATE"))["total"] == 1
    assert (await call("list_papers", year="2020-"))["total"] == 1
    none = await call("list_papers", query="xylophone")
    assert (none["total"], none["papers"]) == (0, [])
    assert "None of the library's 3 papers" in none["note"]
    seen: list[str] = []
    cursor = ""
    while cursor is not None:
        page = await call("list_papers", cursor=cursor, max_chars=1000)
        seen += [paper["paper"] for paper in page["papers"]]
        cursor = page["next_cursor"]
    assert seen == [paper["paper"] for paper in said["papers"]]


async def test_an_answer_is_checked_against_its_chunks(call: Call, cuprate: list[Any]) -> None:
    onset, table = named(cuprate, "92.5 K"), named(cuprate, "Sample | ")
    answer = f'The resistance vanishes near 92.50 K [1]; "the magnet floats above" the sample B1 of 7.25 K ({onset}).'
    said = await call("conclude_search", answer=answer, chunks=[onset, table, onset])
    assert said["supported"] is True
    assert said["numbers_checked"] == 2
    assert (said["numbers_not_found"], said["quotes_not_found"]) == ([], [])
    (paper,) = said["papers"]
    assert paper["title"] == "Superconductivity of a made-up cuprate"
    assert [one["locator"] for one in paper["evidence"]] == [onset, table]
    assert paper["evidence"][1]["composed"] is True
    wrong = await call(
        "conclude_search", answer=answer.replace("92.50", "95.2").replace("floats", "sinks"), chunks=[onset]
    )
    assert wrong["supported"] is False
    assert [one["written"] for one in wrong["numbers_not_found"]] == ["95.2", "7.25"]
    assert [one["written"] for one in wrong["quotes_not_found"]] == ["the magnet sinks above"]
    none = await call("conclude_search", answer="The library does not say.", chunks=[])
    assert (none["supported"], none["papers"]) == (False, [])


async def test_conclusions_need_chunks_that_are_there(call: Call, cuprate: list[Any]) -> None:
    said = await call(
        "conclude_search", answer="Yes.", chunks=[cuprate[0].locator, "pc:deadbeef#0-5", "pc:deadbee0#1-5"]
    )
    assert "2 of the chunks" in said
    assert "deadbeef" in said
    assert "deadbee0" in said
    assert "empty" in await call("conclude_search", answer=" ", chunks=[])
    assert "not a locator" in await call("conclude_search", answer="Yes.", chunks=["page 4"])


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("search_passages", {"query": "x"}),
        ("grep_chunks", {"pattern": "x"}),
        ("list_papers", {}),
        ("prune_chunks", {"chunks": ["pc:deadbeef#0-5"]}),
        ("conclude_search", {"answer": "x", "chunks": []}),
    ],
)
async def test_an_empty_library_says_so(
    empty: Settings, checked_calls: Callable[..., Any], tool: str, arguments: dict[str, Any]
) -> None:
    async with checked_calls(create_server(empty)) as call:
        said = await call(tool, **arguments)
    assert "The library is empty" in said
    assert "add_papers" in said
