"""An agent that searches a corpus with the ordinary literature tools: what each source finds, gives and withholds."""

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pincite_core.settings import Settings
from pincite_tasks.corpus.corpus import read_corpus
from pincite_tasks.corpus.server import CorpusServer

pytestmark = pytest.mark.anyio

CELLS = ["Sample", "Tc (K)", "A", "14.2", "B", "13.9"]
ALL = ["arxiv", "pubmed", "crossref", "semantic_scholar", "openalex", "europe_pmc"]


def found(result: Any) -> list[str]:
    """The DOIs of a result in its order."""
    return [work["doi"] for work in result["works"]]


async def test_a_search_finds_the_works_of_the_corpus_and_no_source_is_out(reading: Any) -> None:
    async with reading() as call:
        result = await call("search_papers", query="Sr3Ta2Bi4 superconductor")
    assert [entry["source"] for entry in result["sources"] if entry["state"] == "answered"] == ALL
    first = result["works"][0]
    assert (first["doi"], first["arxiv"]) == ("10.5555/jim.2014.101", "1402.9911")
    assert first["sources"] == ["arxiv", "crossref", "openalex", "semantic_scholar"]
    assert (first["published"], first["first_public"], first["cited_by"]) == ("2014-05-12", "2014-02-11", 2)
    assert set(found(result)[1:]) == {"10.5555/lfs.2009.5", "10.5555/lfs.2016.1", "10.5555/lfs.2017.22"}


WORDS = (
    "is there any evidence for superconductivity in Sr3Ta2Bi4?",
    '"Sr3Ta2Bi4" AND (superconductivity OR "critical temperature") NOT film*',
    "Sr₃Ta₂Bi₄ Tc = 14.2 K [pressure: 0 GPa] {a|b} ~x^2 \\ / + - && || !",
    "AND OR NOT ANDNOT",
    "超伝導 сверхпроводимость",
    "the of and",
    '"unclosed quote',
    "word " * 390,
)


async def test_any_words_get_an_honest_answer(reading: Any) -> None:
    async with reading() as call:
        for words in WORDS:
            result: Any = await call("search_papers", query=words)
            assert not isinstance(result, str), (words, result)
            assert [entry["state"] for entry in result["sources"]] == ["answered"] * 6, words


LANGUAGES = {
    "arxiv": (
        ("ti:superconductivity AND cat:cond-mat.supr-con", "10.48550/arxiv.1402.9911"),
        ("cat:cond-mat.*", "10.48550/arxiv.1402.9911 ARXIV"),
        ("au:dube ANDNOT ti:metal", "ARXIV"),
        ("all:bismuth AND submittedDate:[201901010000 TO 202001010000]", "ARXIV"),
    ),
    "crossref": (
        ("query.bibliographic=resistivity of 2009&filter=type:journal-article", "10.5555/lfs.2009.5"),
        ("filter=update-type:retraction", "10.5555/lfs.2017.22"),
        ("query.author=Silva&sort=published&order=asc", "10.5555/jim.2021.7"),
        ("filter=from-pub-date:2016,until-pub-date:2016,has-abstract:true", "10.5555/lfs.2016.1"),
    ),
    "openalex": (
        ("filter=is_retracted:true", "10.5555/lfs.2016.1"),
        ('search="kagome lattice" OR "solar cells"&sort=publication_year:desc', "10.5555/jim.2021.7 ARXIV"),
        ("search=shielding&filter=publication_year:2009-2013,is_oa:true", "10.5555/lfs.2009.5"),
        ("filter=title.search:bismuth,cited_by_count:<1", "10.5555/jim.2021.7"),
    ),
    "semantic_scholar": (
        ("(kagome | resistivity) -solar", "ARXIV 10.5555/lfs.2009.5"),
        ('"bulk superconductivity"', "10.5555/jim.2014.101"),
    ),
    "europe_pmc": (
        ("TITLE:resistivity AND FIRST_PDATE:[2009-01-01 TO 2009-12-31]", "10.5555/lfs.2009.5"),
        ("BODY:shielding AND OPEN_ACCESS:y", "10.5555/lfs.2009.5"),
        ('AUTH:"Silva" OR PMCID:PMC99100001', "10.5555/jim.2021.7 10.5555/lfs.2009.5"),
    ),
    "pubmed": (
        ("bismuth[tiab]", "10.5555/jim.2021.7"),
        ("2021[dp] AND Silva[au]", "10.5555/jim.2021.7"),
    ),
}
"""Queries in each source's own language, and the DOIs that they find; ARXIV is the DOI of the preprint."""


async def test_each_source_takes_its_own_language(reading: Any) -> None:
    async with reading() as call:
        for source, query, dois in [(source, *one) for source, queries in LANGUAGES.items() for one in queries]:
            result = await call("query_source", source=source, query=query)
            assert not isinstance(result, str), (query, result)
            assert found(result) == dois.replace("ARXIV", "10.48550/arxiv.1906.99001").split(), (source, query)


async def test_a_query_that_a_source_does_not_take_is_refused_in_its_words(reading: Any) -> None:
    async with reading() as call:
        assert "nope is not a valid field" in await call("query_source", source="openalex", query="filter=nope:1")
        assert "unknown field nope" in await call("query_source", source="europe_pmc", query="nope:1")


async def test_pages_go_on_without_repeats_and_orders_hold(reading: Any) -> None:
    async with reading() as call:
        whole = await call("search_papers", query="bismuth Sr3Ta2Bi4 superconductivity", limit=20)
        pages: list[str] = []
        cursor = ""
        while cursor is not None:
            page = await call("search_papers", query="bismuth Sr3Ta2Bi4 superconductivity", limit=2, cursor=cursor)
            pages += found(page)
            cursor = page["next_cursor"]
        newest = await call("search_papers", query="Sr3Ta2Bi4", sort="newest")
        cited = await call("search_papers", query="Sr3Ta2Bi4", sort="cited", sources="openalex,semantic_scholar")
        years = await call("search_papers", query="Sr3Ta2Bi4", year="2010-2015")
        author = await call("search_papers", query="Sr3Ta2Bi4", author="Vesely")
    assert sorted(pages) == sorted(found(whole))
    assert len(set(pages)) == len(pages) == 6
    dates = [work["published"] for work in newest["works"]]
    assert dates == sorted(dates, reverse=True)
    assert [work["cited_by"] for work in cited["works"]] == [2, 2, 0, 0]
    assert found(years) == found(author) == ["10.5555/jim.2014.101"]


async def test_a_retraction_is_told_with_its_notice(reading: Any) -> None:
    async with reading() as call:
        paper = await call("get_paper", id="10.5555/lfs.2016.1")
        notice = await call("get_paper", id="10.5555/lfs.2017.22")
    assert (paper["retracted"], paper["title"]) == (True, "RETRACTED: Superconductivity near 40 K in Sr3Ta2Bi4 films")
    assert notice["retracted"] is False


async def test_the_status_of_a_publication_is_told_by_the_provenance_server(
    checked_calls: Callable[..., Any], write: Callable[..., Path], tmp_path: Path
) -> None:
    from pincite_provenance.server import create_server

    with CorpusServer(read_corpus(write())) as server:
        settings = Settings(
            stand_in=server.address, cache_dir=tmp_path / "cache", ledger=tmp_path / "claims.db", roots=(tmp_path,)
        )
        async with checked_calls(create_server(settings)) as call:
            said = await call("publication_status", id="10.5555/lfs.2016.1")
            other = await call("publication_status", id="10.5555/jim.2014.101")
    assert (said["retracted"], other["retracted"]) == ("yes", "no")
    assert "10.5555/lfs.2017.22" in str(said["notices"])


async def test_a_correction_and_a_retraction_without_a_label_are_told_by_relations(
    checked_calls: Callable[..., Any], write: Callable[..., Path], works: Any, tmp_path: Path
) -> None:
    from pincite_provenance.server import create_server

    works[2]["retracted"] = works[2]["retracted"] | {"labelled": False}
    works[5]["corrects"] = ["okonjo2014"]
    with CorpusServer(read_corpus(write(works))) as server:
        settings = Settings(
            stand_in=server.address, cache_dir=tmp_path / "cache", ledger=tmp_path / "claims.db", roots=(tmp_path,)
        )
        async with checked_calls(create_server(settings)) as call:
            gone = await call("publication_status", id="10.5555/lfs.2016.1")
            mended = await call("publication_status", id="10.5555/jim.2014.101")
    assert gone["retracted"] == "yes"
    assert "RETRACTED: Superconductivity" not in str(gone)
    assert mended["retracted"] == "no"
    assert "10.5555/jim.2021.7" in str(mended["notices"])
    assert "correction" in str(mended["notices"])


async def test_citations_and_neighbours_are_those_of_the_corpus(reading: Any) -> None:
    async with reading() as call:
        citing = await call("list_citations", id="10.5555/jim.2014.101")
        cited = await call("list_cited_works", id="10.5555/lfs.2016.1")
        alike = await call("find_similar", id="10.5555/lfs.2009.5")
    assert set(found(citing)) == {"10.5555/lfs.2016.1", "10.5555/jim.2021.7"}
    assert set(found(cited)) == {"10.5555/jim.2014.101", "10.5555/lfs.2009.5"}
    assert set(found(alike)) == {"10.5555/jim.2014.101", "10.5555/lfs.2016.1"}


async def test_nothing_after_the_cutoff_is_found(reading: Any) -> None:
    async with reading(before=date(2015, 1, 1)) as call:
        result = await call("search_papers", query="Sr3Ta2Bi4 superconductivity bismuth")
        late = await call("get_paper", id="10.5555/lfs.2016.1")
        text = await call("fetch_fulltext", id="10.5555/jim.2014.101")
    assert found(result) == ["10.5555/jim.2014.101", "10.5555/lfs.2009.5"]
    assert not any({"cited_by", "retracted"} & work.keys() for work in result["works"])
    assert "not available under the cutoff" in late
    assert text["state"] == "full_text"


OFFERED: list[tuple[str, list[str], str | None, str | None]] = [
    ("10.5555/jim.2014.101", [], "latex", "arXiv"),
    ("10.5555/lfs.2009.5", [], "jats", "PMC"),
    ("1906.99001", [], "html", "arXiv"),
    ("10.5555/jim.2021.7", [], None, None),
    ("1906.99001", ["pdf"], None, None),
]
"""A work, the formats that are wanted, the format that is given, and by whom."""


async def test_open_texts_are_fetched_and_others_are_not(reading: Any) -> None:
    from pincite_papers.opening.source import parse_source

    async with reading() as call:
        asked = [(name, {"prefer": prefer} if prefer else {}) for name, prefer, _, _ in OFFERED]
        results = [await call("fetch_fulltext", id=name, **wanted) for name, wanted in asked]
    for (_, _, kind, route), result in zip(OFFERED, results, strict=True):
        assert (result.get("format"), result.get("route")) == (kind, route), result
        assert (result["state"] == "full_text") == (kind is not None)
        if kind is not None:
            paper = parse_source(Path(result["path"]).read_bytes(), max_pages=9)
            assert (CELLS if kind != "html" else []) == [cell.text for table in paper.tables for cell in table.cells]
            assert ("Sr3Ta2Bi4 & its 5% shielding are bulk" in paper.text) == (kind != "html")


async def test_the_web_around_a_corpus_is_up_and_has_nothing(reading: Any) -> None:
    async with reading() as call:
        assert (await call("search_web", query="Sr3Ta2Bi4"))["pages"] == []
        assert (await call("search_wikipedia", query="superconductivity"))["pages"] == []
        assert "No source that answered has" in await call("get_paper", id="10.1038/nature12373")
        real = await call("fetch_fulltext", id="10.5555/jim.2021.7")
    assert all(attempt["certain"] for attempt in real["tried"] if "certain" in attempt)


DATABASES: list[tuple[str, dict[str, Any], str]] = [
    ("find_compound", {"query": "water"}, "PubChem knows nothing under exactly this name"),
    ("get_compound", {"cid": 962}, "PubChem has no compound with the CID 962"),
    ("search_proteins", {"query": "insulin"}, "UniProt has nothing for this query"),
    ("get_protein", {"accession": "P01308"}, "UniProt has no entry P01308"),
    ("search_trials", {"query": "asthma"}, "ClinicalTrials.gov has no study that fits"),
    ("get_trial", {"nct_id": "NCT04280705"}, "ClinicalTrials.gov has no study NCT04280705"),
    ("search_materials", {"formula": "NaCl"}, "'found': 0"),
    ("search_patents", {"query": "superconductor"}, "'found': 0"),
]
"""A question to a database, and what is said where it has nothing."""


async def test_databases_are_empty_and_not_out(
    checked_calls: Callable[..., Any], write: Callable[..., Path], tmp_path: Path
) -> None:
    from pincite_databases.server import create_server

    with CorpusServer(read_corpus(write())) as server:
        settings = Settings(stand_in=server.address, cache_dir=tmp_path / "cache", roots=(tmp_path,))
        async with checked_calls(create_server(settings)) as call:
            for tool, arguments, says in DATABASES:
                said = str(await call(tool, **arguments))
                assert says in said
                assert "127.0.0.1" not in said


async def test_what_was_recorded_is_replayed_without_the_corpus(reading: Any, tmp_path: Path) -> None:
    store = tmp_path / "store"
    calls = [
        ("search_papers", {"query": "Sr3Ta2Bi4"}),
        ("get_paper", {"id": "10.5555/jim.2014.101"}),
        ("fetch_fulltext", {"id": "10.5555/jim.2014.101"}),
    ]

    async def results(call: Any) -> list[Any]:
        given = [await call(tool, **arguments) for tool, arguments in calls]
        return [{**one, "path": ""} for one in given]

    async with reading(http_mode="record", http_store=store) as call:
        recorded = await results(call)
    kept = b"".join(path.read_bytes() for path in store.rglob("*") if path.is_file())
    assert b"127.0.0.1" not in kept
    assert b"https://api.openalex.org/works" in kept
    assert not list((tmp_path / "cache").rglob("*http*")), "the cache is the real web's"
    async with reading(None, http_mode="replay", http_store=store, papers_dir=tmp_path / "other") as call:
        assert await results(call) == recorded
