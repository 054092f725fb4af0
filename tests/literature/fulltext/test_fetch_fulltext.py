"""fetch_fulltext through the server: kept, opened by the documents server, honest where there is nothing."""

import json
from collections.abc import Callable
from datetime import date
from pathlib import Path
from types import ModuleType
from typing import Any

import anyio
import pytest
from mcp import Client

from pincite_figures.server import create_server as create_figures

DOI = "10.5555/cuprate.1"
CUTOFF = date(2021, 1, 1)


@pytest.fixture
def preprint(invented: ModuleType, articles: ModuleType) -> Any:
    """A preprint of one version, on arXiv alone."""
    return invented.Invented(
        articles.TITLE, articles.AUTHORS, articles.ABSTRACT, "2019-03-05", arxiv="1903.01234", journal=""
    )


@pytest.fixture
def article(invented: ModuleType, articles: ModuleType) -> Any:
    """An article in PMC."""
    return invented.Invented(
        articles.TITLE,
        articles.AUTHORS,
        articles.ABSTRACT,
        "2019-03-05",
        doi=DOI,
        pmid="31000001",
        pmcid="PMC7654321",
        openalex="W2900000001",
    )


@pytest.fixture
def closed(invented: ModuleType, articles: ModuleType) -> Any:
    """An article of which only the abstract is to be had."""
    return invented.Invented(articles.TITLE, articles.AUTHORS, articles.ABSTRACT, "2019-03-05", doi=DOI)


async def test_a_preprint_is_fetched_and_opened_by_the_documents_server(
    reading_room: Callable[..., Any], preprint: Any, articles: ModuleType
) -> None:
    async with reading_room([preprint], {"/arxiv/src/1903.01234v1": articles.latex()}) as room:
        got = await room.fetch("arXiv:1903.01234")
        assert got["state"] == "full_text"
        assert (got["route"], got["version"], got["format"]) == ("arXiv", "v1", "latex")
        assert got["date"] == got["published"] == "2019-03-05"
        assert got["licence"] == "not stated"
        assert got["tried"] == []
        path = Path(got["path"])
        assert path == room.settings.papers_dir / "1903.01234v1.tar.gz"
        assert path.read_bytes() == articles.latex()
        record = json.loads(path.with_name(f"{path.name}.json").read_text())
        assert got["id"] == f"sha256:{record['sha256']}"
        assert record["url"].endswith("/src/1903.01234v1")
        assert record["retrieved"] == got["retrieved"]
        opened = await room.read("open_paper", paper=got["path"])
        assert (opened["id"], opened["title"]) == (got["id"], articles.TITLE)
        for name in (got["path"], path.name, got["id"], f"pc:{got['id'][7:15]}"):
            hits = await room.read("grep_paper", paper=name, pattern=articles.NEEDLE)
            assert articles.NEEDLE in str(hits)


async def test_an_article_comes_from_pmc(
    reading_room: Callable[..., Any], article: Any, archives: ModuleType, articles: ModuleType
) -> None:
    answers = archives.cloud("PMC7654321", jats=articles.jats(), pdf=articles.pdf())
    async with reading_room([article], answers) as room:
        got = await room.fetch(DOI)
        assert (got["format"], got["route"], got["version"], got["licence"]) == ("jats", "PMC", "published", "CC BY")
        assert Path(got["path"]).name == "10.5555_cuprate.1.xml"
        assert got["pmcid"] == "PMC7654321"
        pdf = await room.fetch("PMC7654321", prefer=["pdf"])
        assert pdf["format"] == "pdf"
        assert pdf["pages"] > 1
        assert Path(pdf["path"]).name == "10.5555_cuprate.1.pdf"


async def test_the_figures_server_opens_what_was_fetched(
    reading_room: Callable[..., Any], preprint: Any, articles: ModuleType
) -> None:
    async with reading_room([preprint], {"/arxiv/pdf/1903.01234v1": articles.pdf()}) as room:
        got = await room.fetch("1903.01234", prefer=["pdf"])
        async with Client(create_figures(room.settings)) as figures:
            for name in (got["path"], got["id"]):
                result = await figures.call_tool("list_figures", {"paper": name})
                assert not result.is_error, result.content


async def test_what_was_fetched_is_given_without_the_web(
    reading_room: Callable[..., Any], article: Any, archives: ModuleType, articles: ModuleType
) -> None:
    answers = archives.cloud("PMC7654321", jats=articles.jats())
    async with reading_room([article], answers) as room:
        first = await room.fetch(DOI)
        asked = len(room.hall.asked)
        for name in (DOI, f"https://doi.org/{DOI.upper()}", "31000001", "PMC7654321"):
            again = await room.fetch(name)
            assert again["path"] == first["path"]
            assert again["says"].startswith("Fetched before, on ")
            assert again["retrieved"] == first["retrieved"]
        assert len(room.hall.asked) == asked
    async with reading_room([], {}, failing=("crossref", "pubmed", "openalex", "europe_pmc")) as later:
        assert (await later.fetch(DOI))["id"] == first["id"]


async def test_a_recorded_web_gives_the_same_full_text(
    reading_room: Callable[..., Any], article: Any, archives: ModuleType, articles: ModuleType, tmp_path: Path
) -> None:
    store = {"http_store": tmp_path / "web"}
    answers = archives.cloud("PMC7654321", jats=articles.jats())
    async with reading_room([article], answers, http_mode="record", **store) as room:
        first = await room.fetch(DOI)
    apart = {"papers_dir": tmp_path / "elsewhere", "cache_dir": tmp_path / "other", **store}
    async with reading_room([], {}, http_mode="replay", **apart) as room:
        again = await room.fetch(DOI)
        assert again == first | {"path": str(tmp_path / "elsewhere" / Path(first["path"]).name)}
        assert room.hall.asked == []
        unknown = await room.fetch(DOI, prefer=["html"])
        assert unknown["state"] == "unsure"
        assert "The recorded web does not have this request." in str(unknown["tried"])
        assert "The recorded web does not have this request." in await room.fetch("10.5555/never.asked")


async def test_a_file_that_was_changed_is_fetched_anew(
    reading_room: Callable[..., Any], preprint: Any, articles: ModuleType
) -> None:
    async with reading_room([preprint], {"/arxiv/src/1903.01234v1": articles.latex()}) as room:
        first = await room.fetch("1903.01234")
        Path(first["path"]).write_bytes(articles.single_tex())
        again = await room.fetch("1903.01234")
        assert again["id"] == first["id"]
        assert again["path"] != first["path"]
        assert Path(first["path"]).read_bytes() == articles.single_tex()


async def test_a_less_preferred_format_is_given_again_only_where_no_better_one_is(
    reading_room: Callable[..., Any], preprint: Any, articles: ModuleType
) -> None:
    answers = {"/arxiv/src/1903.01234v1": articles.latex(), "/arxiv/pdf/1903.01234v1": articles.pdf()}
    async with reading_room([preprint], answers) as room:
        assert (await room.fetch("1903.01234", prefer=["pdf"]))["format"] == "pdf"
        assert (await room.fetch("1903.01234"))["format"] == "latex"
        assert (await room.fetch("1903.01234", prefer=["html", "pdf"]))["format"] == "pdf"
        del room.hall.answers["/arxiv/pdf/1903.01234v1"]
        asked = len(room.hall.asked)
        assert (await room.fetch("1903.01234", prefer=["html", "pdf"]))["format"] == "pdf"
        assert len(room.hall.asked) == asked


async def test_abstract_only_is_said_with_the_routes(reading_room: Callable[..., Any], closed: Any) -> None:
    async with reading_room([closed], {}) as room:
        got = await room.fetch(DOI)
        assert got["state"] == "abstract_only"
        assert got["abstract"] == closed.abstract
        assert got["abstract_source"] == "crossref"
        assert "path" not in got
        assert "PINCITE_CONTACT" in str(got["tried"])
        assert "open it by its path" in got["next"]
        assert not room.settings.papers_dir.exists()


async def test_a_source_that_may_know_more_makes_it_unsure(reading_room: Callable[..., Any], closed: Any) -> None:
    async with reading_room([closed], {}, failing=("openalex",)) as room:
        got = await room.fetch(DOI)
        assert got["state"] == "unsure"
        assert "could not be asked" in got["says"]
        assert {"route": "openalex", "outcome": "no record: OpenAlex answered with an error."} in got["tried"]
        assert "do not conclude" in got["next"]


async def test_a_work_that_nobody_knows_is_not_found(reading_room: Callable[..., Any]) -> None:
    async with reading_room([], {}) as room:
        assert "No source that answered has" in await room.fetch("10.5555/nobody.knows")


async def test_without_a_record_an_identifier_still_leads_to_the_archive(
    reading_room: Callable[..., Any], articles: ModuleType
) -> None:
    every = ("arxiv", "pubmed", "crossref", "semantic_scholar", "openalex", "europe_pmc")
    async with reading_room([], {"/arxiv/src/1903.01234": articles.latex()}, failing=every) as room:
        got = await room.fetch("1903.01234")
        assert got["state"] == "full_text"
        assert "No record of its title was to be had" in str(got["warnings"])
        assert "answered with an error" in await room.fetch(DOI)


@pytest.mark.parametrize("fault", ["malformed", "429", "500", "slow", "truncated", "refused"])
async def test_an_outage_of_an_archive_is_told_and_never_taken_for_nothing(
    reading_room: Callable[..., Any], source_servers: ModuleType, preprint: Any, fault: str
) -> None:
    failure = source_servers.FAULTS[fault]
    answers = {f"/arxiv/{kind}/1903.01234v1": failure.given or b"" for kind in ("src", "html", "pdf")}
    urls = {"arxiv_files": f"http://127.0.0.1:{source_servers.closed_port()}"} if failure.given is None else {}
    limit = source_servers.patience(fault)
    async with reading_room([preprint], answers, urls=urls, http_total_seconds=limit) as room:
        got = await room.fetch("1903.01234")
    assert got["state"] == "unsure"
    first = next(tried for tried in got["tried"] if tried["route"] == "arXiv")
    assert ("" if fault == "malformed" else "arXiv ") + failure.says in first["outcome"]
    assert got["abstract"] == preprint.abstract


@pytest.mark.parametrize("fault", ["malformed", "429", "500", "slow", "truncated"])
async def test_one_dead_archive_leaves_the_others(
    reading_room: Callable[..., Any], source_servers: ModuleType, article: Any, articles: ModuleType, fault: str
) -> None:
    failure = source_servers.FAULTS[fault]
    answers = {"/s3": failure.given, "/epmc/PMC7654321/fullTextXML": articles.jats()}
    limit = source_servers.patience(fault)
    async with reading_room([article], answers, source_seconds=limit) as room:
        got = await room.fetch(DOI, prefer=["jats"])
    assert (got["state"], got["route"]) == ("full_text", "Europe PMC")
    assert failure.says in str(got["tried"])


async def test_another_paper_is_told_and_not_kept(
    reading_room: Callable[..., Any], preprint: Any, articles: ModuleType
) -> None:
    answers = {"/arxiv/src/1903.01234v1": articles.latex("A different paper about something else")}
    async with reading_room([preprint], answers) as room:
        got = await room.fetch("1903.01234")
        assert got["state"] == "abstract_only"
        assert "it is another paper: 'A different paper about something else'" in str(got["tried"])
        assert not room.settings.papers_dir.exists()


async def test_calls_at_once_make_one_download(
    reading_room: Callable[..., Any], source_servers: ModuleType, preprint: Any, articles: ModuleType
) -> None:
    slow = source_servers.Given(articles.latex(), after=0.3)
    async with reading_room([preprint], {"/arxiv/src/1903.01234v1": slow}) as room:
        got: list[Any] = []

        async def fetch() -> None:
            got.append(await room.fetch("1903.01234"))

        async with anyio.create_task_group() as tasks:
            for _ in range(6):
                tasks.start_soon(fetch)
        assert len({one["path"] for one in got}) == 1
        assert room.hall.asked == ["/arxiv/src/1903.01234v1"]


async def test_a_call_that_is_given_up_leaves_nothing_behind(
    reading_room: Callable[..., Any], source_servers: ModuleType, preprint: Any, articles: ModuleType
) -> None:
    slow = source_servers.Given(articles.latex(), after=0.5)
    async with reading_room([preprint], {"/arxiv/src/1903.01234v1": slow}) as room:
        with anyio.move_on_after(0.3) as given_up:
            await room.fetch("1903.01234")
        assert given_up.cancelled_caught
        assert not room.settings.papers_dir.exists()
        assert (await room.fetch("1903.01234"))["state"] == "full_text"


async def test_progress_says_what_is_being_done(
    reading_room: Callable[..., Any], source_servers: ModuleType, preprint: Any, articles: ModuleType
) -> None:
    heard: list[str] = []

    async def hear(progress: float, total: float | None, message: str | None) -> None:
        heard.append(message or "")

    slow = source_servers.Given(articles.latex(), after=2.2)
    answers = {"/arxiv/src/1903.01234v1": slow}
    async with reading_room([preprint], answers, http_total_seconds=10.0) as room:
        result = await room.literature.call_tool("fetch_fulltext", {"id": "1903.01234"}, progress_callback=hear)
    assert not result.is_error
    assert "fetching the LaTeX source from arXiv" in heard


async def test_a_version_of_arxiv_can_be_named(
    reading_room: Callable[..., Any], preprint: Any, articles: ModuleType
) -> None:
    answers = {"/arxiv/src/1903.01234v2": articles.latex(), "/arxiv/src/1903.01234v1": articles.single_tex()}
    async with reading_room([preprint], answers) as room:
        second = await room.fetch("arXiv:1903.01234v2")
        assert (second["version"], Path(second["path"]).name) == ("v2", "1903.01234v2.tar.gz")
        first = await room.fetch("arXiv:1903.01234v1")
        assert (first["version"], Path(first["path"]).name) == ("v1", "1903.01234v1.tex.gz")


async def test_under_a_cutoff_later_works_have_no_full_text(
    reading_room: Callable[..., Any], invented: ModuleType, articles: ModuleType, archives: ModuleType
) -> None:
    late = invented.Invented(articles.TITLE, articles.AUTHORS, "A.", "2021-01-01", doi=DOI, pmcid="PMC7654321")
    answers = archives.cloud("PMC7654321", jats=articles.jats(year=2021))
    async with reading_room([late], answers, before=CUTOFF) as room:
        assert "not available under the cutoff" in await room.fetch(DOI)
        assert room.hall.asked == []


async def test_a_text_that_was_kept_before_does_not_get_around_the_cutoff(
    reading_room: Callable[..., Any], invented: ModuleType, articles: ModuleType, archives: ModuleType
) -> None:
    late = invented.Invented(articles.TITLE, articles.AUTHORS, "A.", "2021-06-01", doi=DOI, pmcid="PMC7654321")
    answers = archives.cloud("PMC7654321", jats=articles.jats(year=2021))
    async with reading_room([late], answers) as room:
        assert (await room.fetch(DOI))["state"] == "full_text"
    async with reading_room([late], answers, before=CUTOFF) as room:
        for name in (DOI, "PMC7654321"):
            assert "not available under the cutoff" in await room.fetch(name)
    async with reading_room([late], {}, before=date(2021, 6, 2)) as room:
        assert (await room.fetch(DOI))["date"] == "2021-06-01"


async def test_under_a_cutoff_arxiv_gives_its_first_version(
    reading_room: Callable[..., Any], invented: ModuleType, articles: ModuleType
) -> None:
    revised = invented.Invented(
        articles.TITLE,
        articles.AUTHORS,
        articles.ABSTRACT,
        "2019-03-05",
        updated="2022-02-02",
        arxiv="1903.01234",
        journal="",
    )
    answers = {
        "/arxiv/src/1903.01234v1": articles.single_tex(),
        "/arxiv/src/1903.01234v2": articles.latex(),
        "/arxiv/src/1903.01234": articles.latex(),
    }
    async with reading_room([revised], answers) as room:
        newest = await room.fetch("1903.01234")
        assert newest["date"] == "2022-02-02"
    async with reading_room([revised], answers, before=CUTOFF) as room:
        first = await room.fetch("1903.01234")
        assert (first["version"], first["date"]) == ("v1", "2019-03-05")
        assert first["id"] != newest["id"]
        assert "withheld" in str(await room.fetch("1903.01234v2"))
    async with reading_room([revised], answers) as room:
        assert (await room.fetch("1903.01234"))["id"] == newest["id"]


async def test_what_was_kept_without_a_cutoff_tells_nothing_later_under_one(
    reading_room: Callable[..., Any], preprint: Any, articles: ModuleType
) -> None:
    answers = {"/arxiv/src/1903.01234v1": articles.latex()}
    async with reading_room([preprint], answers) as room:
        path = Path((await room.fetch("1903.01234"))["path"])
    record = path.with_name(f"{path.name}.json")
    later = {"ids": {"arxiv": "1903.01234", "doi": "10.5555/later"}, "title": "The title of the later article"}
    record.write_text(json.dumps(json.loads(record.read_text()) | later))
    async with reading_room([preprint], {}, before=CUTOFF) as room:
        got = await room.fetch("1903.01234")
        assert got["path"] == str(path)
        assert "later" not in str(got)
        assert room.hall.asked == []
        assert "not available" in await room.fetch("10.5555/later") or "No source" in await room.fetch("10.5555/later")


async def test_a_retracted_work_is_said_to_be_one(
    reading_room: Callable[..., Any], invented: ModuleType, articles: ModuleType
) -> None:
    withdrawn = invented.Invented(
        articles.TITLE, articles.AUTHORS, "A.", "2019-03-05", arxiv="1903.01234", journal="", comment="Withdrawn by us"
    )
    async with reading_room([withdrawn], {"/arxiv/src/1903.01234v1": articles.latex()}) as room:
        got = await room.fetch("1903.01234")
    assert got["warnings"][0] == "A source says that this work is retracted or withdrawn."


@pytest.mark.parametrize("prefer", [[], ["docx"], "pdf", ["pdf", "pdf", "pdf", "pdf", "pdf"]])
async def test_what_is_no_format_is_refused(reading_room: Callable[..., Any], prefer: Any) -> None:
    async with reading_room([], {}) as room:
        assert "'prefer" in await room.fetch("1903.01234", prefer=prefer)


@pytest.mark.parametrize("name", ["", "   ", "../../etc/passwd", "x" * 2000])
async def test_names_of_no_work_lead_nowhere(reading_room: Callable[..., Any], name: str) -> None:
    async with reading_room([], {}) as room:
        assert isinstance(await room.fetch(name), str)
        assert room.hall.asked == []
