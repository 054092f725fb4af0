"""The Zotero server over a Zotero that speaks its local API, and over a data folder: the same library by both ways."""

import json
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import ModuleType
from typing import Any

import pypdfium2 as pdfium
import pytest
from mcp import Client
from typer.testing import CliRunner

from pincite_core.settings import Settings
from pincite_provenance.server import create_server as provenance_server
from pincite_zotero.cli import app
from pincite_zotero.server import create_server

QUOTE = "a Néel temperature of 412(5) K"
FOLDER = Path(__file__).parent


@pytest.fixture(scope="session")
def zotero(module_at: Callable[[Path], ModuleType], source_servers: ModuleType) -> ModuleType:
    return module_at(FOLDER / "zotero_server.py")


@pytest.fixture(scope="session")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Papers are parsed once for all tests of this file."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture
def connect(tmp_path: Path, cache: Path, checked_calls: Callable[..., Any]) -> Callable[..., Any]:
    """``async with connect(zotero="…") as call``: the server; PINCITE_ROOTS holds none of Zotero's files."""
    (tmp_path / "empty").mkdir()

    @asynccontextmanager
    async def connected(**more: Any) -> AsyncGenerator[Any]:
        own = {"roots": (tmp_path / "empty",), "cache_dir": cache, "source_rates": "off", "ocr": "off"}
        own |= {"zotero_consent": tmp_path / "consent.json", "ledger": tmp_path / "claims.db"}
        async with checked_calls(create_server(Settings(**{**own, **more}))) as call:
            yield call

    return connected


async def test_a_running_zotero_and_its_data_folder_say_the_same(
    zotero: ModuleType, connect: Callable[..., Any], tmp_path: Path
) -> None:
    told: list[list[Any]] = []
    with zotero.ZoteroServer(tmp_path / "running") as running:
        for place in (running.address, str(zotero.data_folder(tmp_path / "folder"))):
            async with connect(zotero=place) as call:
                listed = await call("list_collections")
                item = await call("read_item", item="zotero://select/library/items/YBCITEM2")
                for file in item["files"]:
                    file["path"] = Path(file["path"]).name
                cuprates = await call("search_items", collection="cuprates")
                passages = await call("grep_items", pattern="Néel temperature", collection="Cuprates")
                quotes = await call("check_item_quotes", item="YBCITEM2", quotes=[QUOTE, QUOTE.replace("412", "421")])
                rest = [
                    await call("search_items"),
                    await call("search_items", query="rubidium"),
                    await call("search_items", tag="to read"),
                    await call("search_items", collection="Solar cells", query="oxygen"),
                ]
                told.append([listed["collections"], item, cuprates, passages, quotes, *rest])
    assert told[0] == told[1]
    collections, item, cuprates, passages, quotes, everything, rubidium, tagged, none = told[0]
    assert [each["path"] for each in collections] == ["Cuprates", "Cuprates / Doping", "Solar cells"]
    assert [each["key"] for each in cuprates["items"]] == ["YBCITEM2"], "those of the collection inside count"
    assert item["item"]["creators"] == ["Lind, Ada"]
    assert (item["item"]["year"], item["item"]["doi"], item["collections"]) == (2021, "10.5555/ybco", ["Doping"])
    assert item["notes"] == ["Ask Ada about the <412 K> value."]
    assert {file["key"] for file in item["files"]} == {"YBCFLE22", "YBCSPP22"}
    assert {hit["file"] for hit in passages["hits"]} == {"YBCFLE22"}
    assert (passages["searched"], passages["files"], passages["unread"]) == (2, 2, [])
    assert all(hit["link"].startswith("zotero://open-pdf/library/items/YBCFLE22?page=") for hit in passages["hits"])
    assert [each["stands"] for each in quotes["checked"]] == [True, False]
    assert quotes["faulty"] == [2]
    assert "412(5) K" in quotes["checked"][1]["paper_says"]
    assert [each["key"] for each in everything["items"]] == ["YBCITEM2", "CELLITM3"], "the trash and the group are not"
    assert rubidium["items"][0]["doi"] == "10.5555/cells"
    assert (tagged["total"], none["total"]) == (1, 0)


async def test_a_highlight_lies_over_the_quote_and_is_written_once(
    zotero: ModuleType, connect: Callable[..., Any], tmp_path: Path
) -> None:
    with zotero.ZoteroServer(tmp_path / "running") as running:
        async with connect(zotero=running.address) as call:
            made = await call("highlight_quote", item="YBCITEM2", quote=QUOTE, comment="see Table 1")
            again = await call("highlight_quote", item="YBCITEM2", quote=QUOTE)
            item = await call("read_item", item="YBCITEM2")
            refused = await call("highlight_quote", item="YBCITEM2", quote=QUOTE.replace("412", "421"))
        assert (made["written"], again["written"]) == (True, False)
        assert again["annotation"] == made["annotation"]
        assert "nothing was highlighted" in refused
        assert "412(5) K" in refused
        (file,) = [each for each in item["files"] if each["key"] == "YBCFLE22"]
        assert QUOTE in file["highlights"][0] and made["link"].partition("?")[0] in file["highlights"][0]
        annotation = running.entries[made["annotation"]]
        assert annotation["annotationText"] == QUOTE
        assert annotation["annotationComment"] == f"quote exact | {made['locator']} | see Table 1"
        position = json.loads(annotation["annotationPosition"])
        with pdfium.PdfDocument(running.folder / "storage/YBCFLE22/ybco_oxygen.pdf") as document:
            text = document[position["pageIndex"]].get_textpage()
            printed = " ".join(text.get_text_bounded(*rect) for rect in position["rects"])
            text.close()
        assert QUOTE in " ".join(printed.split())
        kept = tmp_path / "consent.json"
        assert kept.stat().st_mode & 0o077 == 0
        asked = [each for each in running.asked if each.path.endswith("authorize")]
        assert len(asked) == 1


async def test_a_recorded_claim_is_highlighted_with_its_verdict(
    zotero: ModuleType, connect: Callable[..., Any], checked_calls: Callable[..., Any], cache: Path, tmp_path: Path
) -> None:
    papers = zotero.PAPERS / "property_extraction/papers"
    own = Settings(roots=(papers,), cache_dir=cache, ledger=tmp_path / "claims.db", ocr="off")
    claim = {"quote": QUOTE, "value": "412(5)", "unit": "K", "property": "Néel temperature"}
    async with checked_calls(provenance_server(own)) as call:
        recorded = await call("record_claim", locator="ybco_oxygen.pdf", **claim)
    with zotero.ZoteroServer(tmp_path / "running") as running:
        async with connect(zotero=running.address) as call:
            made = await call("highlight_quote", item="YBCITEM2", claim=recorded["id"])
            missing = await call("highlight_quote", item="YBCITEM2", claim="c9-00000000")
            other = await call("highlight_quote", item="CELLITM3", claim=recorded["id"])
        annotation = running.entries[made["annotation"]]
    assert made["verdict"] == recorded["verdict"]
    assert annotation["annotationComment"].startswith(f"claim {recorded['verdict']}: Néel temperature: 412(5) K | pc:")
    assert annotation["annotationColor"] == {"holds": "#5fb236", "unsure": "#ffd400"}[recorded["verdict"]]
    assert "No claim" in missing
    assert "another file" in other


async def test_consent_is_the_users(zotero: ModuleType, connect: Callable[..., Any], tmp_path: Path) -> None:
    """Denied, given once, given too often, taken back, another Zotero, an old one, one that is switched off."""
    quotes = [QUOTE, "oxygen content", "temperature", "superconducting", "the", "of the"]
    with zotero.ZoteroServer(tmp_path / "running") as running:
        # What is left alone for a minute is so for all processes of one cache.
        async with connect(zotero=running.address, cache_dir=tmp_path / "cache") as call:

            async def mark(quote: str) -> Any:
                return await call("highlight_quote", item="YBCFLE22", quote=quote)

            running.answers = ["deny", "once", "once", "always"]
            assert "does not let pincite write" in await mark(quotes[0])
            assert not running.keys
            assert (await mark(quotes[0]))["written"]
            assert (await mark(quotes[1]))["written"]
            assert not (tmp_path / "consent.json").exists(), "a key for one write is not kept"
            assert (await mark(quotes[2]))["written"]
            running.keys.clear()
            assert (await mark(quotes[3]))["written"], "a key that was taken back is asked for again"
            running.server_id = "OtherServer1"
            running.answers = ["wait"]
            assert "Wait 60 s" in await mark(quotes[4])
            assert (await call("search_items"))["total"] == 2
            running.version = 9
            assert "Zotero 10" in await mark(quotes[4])
            running.enabled = False
            assert "switched off" in await call("search_items")


async def test_what_cannot_be_known_is_said(
    zotero: ModuleType, source_servers: ModuleType, connect: Callable[..., Any], tmp_path: Path
) -> None:
    """No Zotero, a folder that is none, a file that is not on this machine, one that is damaged."""
    async with connect(zotero=f"http://127.0.0.1:{source_servers.closed_port()}/api") as call:
        assert "No running Zotero was found" in await call("list_collections")
    async with connect(zotero=str(tmp_path)) as call:
        assert "not a Zotero data folder" in await call("search_items")
    folder = zotero.data_folder(tmp_path / "folder")
    (folder / "storage/YBCSPP22/kelp_nitrate.pdf").unlink()
    (folder / "storage/CELLFLE3/perovskite_ageing.pdf").write_bytes(b"%PDF-1.7 broken")
    before = (folder / "zotero.sqlite").read_bytes()
    async with connect(zotero=str(folder)) as call:
        passages = await call("grep_items", pattern="oxygen")
        quotes = await call("check_item_quotes", item="YBCITEM2", quotes=["nitrate in kelp forests"])
        unsure = await call("check_item_quotes", item="CELLITM3", quotes=["rubidium"])
        unknown = await call("read_item", item="NTHERE22")
        wrong = await call("search_items", collection="Nickelates")
        refused = await call("highlight_quote", item="YBCITEM2", quote=QUOTE)
    assert len(passages["unread"]) == 2
    assert "not on this machine" in quotes["unread"][0]
    assert isinstance(unsure, str), "no file can be read: that is an error, not a quote that is not there"
    assert "no item NTHERE22" in unknown
    assert "Cuprates" in wrong
    assert "Only a running Zotero" in refused
    assert (folder / "zotero.sqlite").read_bytes() == before
    async with connect(zotero=str(folder), zotero_group=77) as call:
        assert [each["key"] for each in (await call("search_items"))["items"]] == ["GRPITM22"]
    async with connect(zotero=str(folder), zotero_group=78) as call:
        assert "PINCITE_ZOTERO_GROUP" in await call("search_items")
    async with Client(create_server(Settings(zotero=str(folder)))) as client:
        assert "highlight_quote" not in {tool.name for tool in (await client.list_tools()).tools}


async def test_linked_files_are_read_only_where_the_roots_allow(
    zotero: ModuleType, connect: Callable[..., Any], tmp_path: Path
) -> None:
    paper = zotero.PAPERS / "property_extraction/papers/ybco_oxygen.pdf"
    with zotero.ZoteroServer(tmp_path / "running") as running:
        running.entries["YBCFLE22"] |= {"linkMode": "linked_file", "filename": str(paper)}
        async with connect(zotero=running.address) as call:
            assert "outside the folders" in str(await call("check_item_quotes", item="YBCITEM2", quotes=[QUOTE]))
        async with connect(zotero=running.address, roots=(paper.parent,)) as call:
            assert (await call("check_item_quotes", item="YBCITEM2", quotes=[QUOTE]))["faulty"] == []


async def test_a_file_that_stands_alone_is_a_paper(
    zotero: ModuleType, connect: Callable[..., Any], tmp_path: Path
) -> None:
    with zotero.ZoteroServer(tmp_path / "running") as running:
        running.entries["YBCFLE22"] |= {"collections": ["CUPRATE2"], "parentItem": ""}
        async with connect(zotero=running.address) as call:
            listed = await call("search_items", collection="Cuprates")
            passages = await call("grep_items", pattern="Néel temperature", collection="Cuprates")
    assert [each["key"] for each in listed["items"]] == ["YBCITEM2", "YBCFLE22"]
    assert {hit["item"] for hit in passages["hits"]} == {"YBCFLE22"}


async def test_notices_become_tags(
    zotero: ModuleType,
    literature_services: ModuleType,
    invented: ModuleType,
    connect: Callable[..., Any],
    tmp_path: Path,
) -> None:
    works = [
        invented.Invented(title="Oxygen in YBCO", doi="10.5555/ybco", openalex="W1", retracted=True),
        invented.Invented(title="Rubidium in solar cells", doi="10.5555/cells", openalex="W2"),
    ]
    plain = {"key": "PLAINBK2", "version": 3, "itemType": "book", "title": "A book", "tags": [], "collections": []}
    with zotero.ZoteroServer(tmp_path / "running") as running, literature_services.serving(works) as (_, urls):
        running.entries["PLAINBK2"] = plain
        async with connect(zotero=running.address, source_urls=urls) as call:
            looked = await call("tag_notices")
            assert running.entries["YBCITEM2"]["tags"] == [{"tag": "to read"}]
            done = await call("tag_notices", write=True)
            again = await call("tag_notices", write=True)
        tags = running.entries["YBCITEM2"]["tags"]
        assert tags == [{"tag": "to read"}, {"tag": "retracted", "type": 1}]
        assert running.entries["YBCITEM2"]["title"] == "Oxygen in YBCO"
        assert running.entries["CELLITM3"]["tags"] == []
    assert [each["item"] for each in looked["noticed"]] == ["YBCITEM2"]
    assert "tagged" not in looked["noticed"][0]
    assert (done["noticed"][0]["tagged"], again["noticed"][0]["tagged"]) == (True, False)
    assert looked["asked"] == 2
    assert looked["unknown"] == ["PLAINBK2 A book: no DOI"]
    nobody = {name: f"http://127.0.0.1:1/{name}" for name in urls}
    with zotero.ZoteroServer(tmp_path / "other") as running:
        async with connect(zotero=running.address, source_urls=nobody, cache_dir=tmp_path / "cache") as call:
            unknown = await call("tag_notices")
    assert unknown["noticed"] == []
    assert len(unknown["unknown"]) == 2


def test_the_command_line_says_what_the_tools_say(
    zotero: ModuleType, cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = CliRunner()
    own = {"CACHE_DIR": cache, "ROOTS": tmp_path, "ZOTERO_CONSENT": tmp_path / "consent.json", "OCR": "off"}
    with zotero.ZoteroServer(tmp_path / "running") as running:
        for name, value in {**own, "ZOTERO": running.address, "LEDGER": tmp_path / "claims.db"}.items():
            monkeypatch.setenv(f"PINCITE_{name}", str(value))
        rows: list[tuple[list[str], int, str]] = [
            (["collections"], 0, f"3 collections of Zotero at {running.address}"),
            (["items", "--collection", "Cuprates"], 0, "YBCITEM2  Lind, Ada 2021: Oxygen in YBCO"),
            (["items", "nothing like it"], 1, "0 items"),
            (["files", "--collection", "Solar cells"], 0, "CELLFLE3/perovskite_ageing.pdf"),
            (["grep", "Néel temperature", "--item", "YBCITEM2"], 0, "zotero://open-pdf/library/items/YBCFLE22?page="),
            (["grep", "Curie-Weiss-Lind", "--collection", "Doping"], 1, "0 places"),
            (["check", "YBCITEM2", QUOTE], 0, "exact  pc:"),
            (["check", "YBCITEM2", QUOTE.replace("412", "421")], 1, "412(5) K"),
            (["highlight", "YBCITEM2", QUOTE], 0, "written: zotero://open-pdf"),
            (["highlight", "YBCITEM2", QUOTE], 0, "there before: zotero://open-pdf"),
        ]
        for arguments, code, says in rows:
            done = run.invoke(app, arguments)
            assert (done.exit_code, says in done.output) == (code, True), (arguments, done.output)
