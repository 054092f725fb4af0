"""search_passages and grep_chunks on a small library: what is found, how it is marked, paging, errors."""

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from pincite_core.settings import Settings
from pincite_library.model import ChunkKind
from pincite_library.server import create_server
from pincite_library.store.store import Store

Call = Callable[..., Awaitable[Any]]


def chunks(store: Store, kind: ChunkKind | None = None) -> dict[str, Any]:
    """The chunks of the library by locator."""
    found = [chunk for entry in store.papers() for chunk in store.chunks_of(entry.paper_id)]
    return {chunk.locator: chunk for chunk in found if kind in (None, chunk.chunk.kind)}


async def test_passages_come_best_first_with_their_places(call: Call, store: Store) -> None:
    said = await call("search_passages", query="What is the transition temperature of the cuprate?", k=3)
    assert said["next_cursor"] is None
    assert sorted(passage["bm25_rank"] for passage in said["passages"]) == [1, 2, 3]
    scores = [passage["score"] for passage in said["passages"]]
    assert scores == sorted(scores, reverse=True)
    assert said["ranking"] == [{"ranker": "bm25", "state": "ran"}]
    there = chunks(store)
    for passage in said["passages"]:
        stored = there[passage["locator"]]
        assert passage["paper"] == "Superconductivity of a made-up cuprate"
        assert passage["text"] == stored.chunk.text
        assert ("composed" in passage) is not stored.chunk.exact
        if stored.chunk.exact:
            assert passage["text"] == store.text(stored.paper_id)[stored.chunk.start : stored.chunk.end]


async def test_a_table_says_that_it_was_composed_and_from_where(call: Call, store: Store) -> None:
    (table,) = (await call("search_passages", query="lattice constants of samples", kind="tables"))["passages"]
    assert table["label"] == "Table 1"
    assert table["kind"] == "table"
    assert "not verbatim" in table["composed"]
    read = (await call("read_chunk", chunk=table["locator"], before=0, after=0))["chunks"][0]
    text = store.text(next(iter(chunks(store, ChunkKind.TABLE).values())).paper_id)
    assert len(read["source"]) > 1
    for part in read["source"]:
        assert part["locator"] in table["composed"]
        low, high = map(int, part["locator"].rpartition(":")[2].split("-"))
        assert text[low:high] == part["text"]


@pytest.mark.parametrize(
    ("filters", "papers"),
    [
        ({"year": "2016"}, ["gold"]),
        ({"year": "2017-"}, ["tin"]),
        ({"year": "-2021"}, ["gold", "tin"]),
        ({"year": "2016-2021"}, ["gold", "tin"]),
        ({"journal": "annals"}, ["gold"]),
        ({"paper": "10.1234/tin"}, ["tin"]),
        ({"section": "discussion"}, ["gold", "tin"]),
        ({"kind": "reference"}, ["gold", "tin"]),
        ({"kind": "reference", "year": "2016"}, ["gold"]),
        ({"kind": "figure table"}, ["Superconductivity of a made-up cuprate"]),
    ],
    ids=str,
)
async def test_filters(call: Call, filters: dict[str, str], papers: list[str]) -> None:
    said = await call("search_passages", query="critical temperature of gold and tin in the furnace", **filters)
    found = {passage["paper"].removeprefix("A study of ") for passage in said["passages"]}
    assert found - {""} == set(papers)
    for passage in said["passages"]:
        assert passage["section"] == "Discussion" or "section" not in filters
        assert (passage["kind"] == "reference") is (filters.get("kind") == "reference")


async def test_papers_are_named_by_id_doi_or_source(call: Call, filled: Settings) -> None:
    papers = (await call("list_papers", query="study"))["papers"]
    for names in (
        papers[0]["paper"],
        "doi:10.1234/gold",
        papers[0]["source"],
        f"pc:{papers[0]['paper']}",
        f"{papers[0]['paper']}, 10.1234/tin",
    ):
        said = await call("grep_chunks", pattern="39 K", paper=names)
        assert {hit["paper"] for hit in said["hits"]} <= {"A study of gold", "A study of tin"}
        assert said["total"] == 1 + ("," in names)


async def test_long_results_are_paged_and_asked_once(call: Call) -> None:
    whole = await call("search_passages", query="long paragraph sample behaves", k=12, max_chars=50_000)
    locators = [passage["locator"] for passage in whole["passages"]]
    assert len(locators) > 8
    said, seen = await call("search_passages", query="long paragraph sample behaves", k=12, max_chars=3000), []
    while True:
        assert len(str(said)) < 3600
        seen += [passage["locator"] for passage in said["passages"]]
        if said["next_cursor"] is None:
            break
        said = await call(
            "search_passages",
            query="long paragraph sample behaves",
            k=12,
            max_chars=3000,
            cursor=said["next_cursor"],
        )
    assert seen == locators


async def test_a_passage_longer_than_the_result_is_cut_and_says_so(call: Call, store: Store) -> None:
    said = await call("search_passages", query="long paragraph sample behaves", k=1, max_chars=1000)
    (passage,) = said["passages"]
    whole = chunks(store)[passage["locator"]].chunk.text
    assert passage["text"] == whole[: len(passage["text"])] != whole
    assert "read_chunk" in passage["cut"]


async def test_nothing_found_is_told_apart(call: Call) -> None:
    said = await call("search_passages", query="xylophones")
    assert said["passages"] == []
    assert "xylophon" in said["note"]
    said = await call("search_passages", query="of the and")
    assert "words that say what it is about" in said["note"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"query": "  "}, "empty"),
        ({"query": "a" * 2001}, "longer than 2000"),
        ({"query": "x", "k": 0}, "'k'"),
        ({"query": "x", "year": "soon"}, "is not a year or a range of years"),
        ({"query": "x", "year": "2020-2019"}, "before they start"),
        ({"query": "x", "year": "-"}, "is not a year or a range of years"),
        ({"query": "x", "kind": "poem"}, "text"),
        ({"query": "x", "paper": "deadbeef"}, "no paper 'deadbeef'"),
        ({"query": "x", "cursor": "abc"}, "cursor"),
    ],
    ids=str,
)
async def test_wrong_searches_say_what_to_do(call: Call, arguments: dict[str, Any], words: str) -> None:
    said = await call("search_passages", **arguments)
    assert isinstance(said, str)
    assert words in said
    assert "Next: " in said


async def test_a_ranker_that_cannot_be_opened_is_named(
    filled: Settings, tmp_path: Any, checked_calls: Callable[..., Any], endpoints: Any
) -> None:
    changed = {"embedder": "nonsense", "reranker": "jina", "rerank_url": "http://127.0.0.1:9/", "rerank_model": "m"}
    settings = filled.model_copy(update={**changed, "rerank_seconds": 0.5})
    async with checked_calls(create_server(settings)) as call:
        said = await call("search_passages", query="transition temperature", k=2)
    assert len(said["passages"]) == 2
    states = {run["ranker"]: run["state"] for run in said["ranking"]}
    assert states == {"bm25": "ran", "dense": "failed", "reranker": "failed"}
    assert all(run["reason"] for run in said["ranking"] if run["state"] == "failed")
    assert "dense and reranker" in said["note"]


async def test_hits_are_exact_and_located(call: Call, store: Store) -> None:
    said = await call("grep_chunks", pattern="92.5")
    assert (said["total"], said["complete"], said["next_cursor"]) == (2, True, None)
    there = chunks(store)
    for hit in said["hits"]:
        paper = there[hit["chunk"]].paper_id
        low, high = map(int, hit["locator"].rpartition(":")[2].split("-"))
        assert store.text(paper)[low:high] == hit["quote"] == "92.5"
        assert hit["quote"] in hit["context"]
        assert hit["section"] == "Results"
        entry = store.paper(paper)
        assert entry is not None
        assert f"#p{entry.marks.page_at(low)}:" in hit["locator"]


@pytest.mark.parametrize(
    ("arguments", "total"),
    [
        ({"pattern": "Tc"}, 3),
        ({"pattern": "T_c"}, 3),
        ({"pattern": "tc", "case_sensitive": True}, 0),
        ({"pattern": "YBa2Cu3O6.93"}, 1),
        ({"pattern": "-5.2 K"}, 1),
        ({"pattern": "105"}, 0),
        ({"pattern": "10^5"}, 1),
        ({"pattern": "gold", "whole_word": True, "year": "2016"}, 4),
        ({"pattern": "gold", "year": "1999"}, 0),
        ({"pattern": r"\d\d\.\d+ K", "regex": True}, 1),
        ({"pattern": r"the (furnace|magnet)", "regex": True}, 4),
        ({"pattern": r"family\.\s+Ignore", "regex": True}, 1),
        ({"pattern": r"K is.*\n", "regex": True}, 0),
        ({"pattern": "On furnaces"}, 2),
    ],
    ids=str,
)
async def test_patterns(call: Call, arguments: dict[str, Any], total: int) -> None:
    said = await call("grep_chunks", **arguments)
    assert said["total"] == total
    assert len(said["hits"]) == total


async def test_hits_are_paged(call: Call, store: Store) -> None:
    (paper,) = [entry.paper_id for entry in store.papers() if entry.format == "pdf"]
    text = store.text(paper).lower()
    seen: list[int] = []
    cursor = ""
    while cursor is not None:
        said = await call("grep_chunks", pattern="sample", max_results=60, max_chars=9000, cursor=cursor)
        assert said["total"] == text.count("sample") > 150
        assert 0 < len(said["hits"]) <= 60
        seen += [int(hit["locator"].rpartition(":")[2].split("-")[0]) for hit in said["hits"]]
        last, cursor = cursor, said["next_cursor"]
    assert seen == [at for at in range(len(text)) if text.startswith("sample", at)]
    assert "cursor" in await call("grep_chunks", pattern="samples", cursor=last)


async def test_a_long_match_is_cut(call: Call) -> None:
    said = await call("grep_chunks", pattern="Sentence 1 .*", regex=True)
    (hit,) = said["hits"]
    assert len(hit["quote"]) == 1000
    assert "goes on to" in hit["cut"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"pattern": " "}, "empty"),
        ({"pattern": "(", "regex": True}, "not a regular expression"),
        ({"pattern": r"(a)\1", "regex": True}, "back-references"),
        ({"pattern": "one\n\ntwo"}, "blank line"),
        ({"pattern": "x" * 1001}, "longer than 1000"),
        ({"pattern": "x", "cursor": "AAAA"}, "cursor"),
    ],
    ids=str,
)
async def test_wrong_patterns_say_why(call: Call, arguments: dict[str, Any], words: str) -> None:
    said = await call("grep_chunks", **arguments)
    assert isinstance(said, str)
    assert words in said
    assert "Next: " in said


def test_chunks_of_a_place_are_those_of_a_walk_over_all(store: Store) -> None:
    for entry in store.papers():
        length = len(store.text(entry.paper_id))
        for start in range(0, length, 37):
            found = store.chunks_at(entry.paper_id, start, start + 5)
            assert found == Store.chunks_at(store, entry.paper_id, start, start + 5)
        assert store.chunks_at(entry.paper_id, 0, length) == store.chunks_of(entry.paper_id)
    assert store.chunks_at("sha256:" + "0" * 64, 0, 10) == []
