"""record_claim, retract_claim and list_claims through the real server, over a paper that we typeset."""

import json
import shutil
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import typst
from mcp import Client
from mcp_types import Implementation

from pincite_core.settings import Settings
from pincite_papers.opening.store import PaperStore
from pincite_papers.passages import locate
from pincite_provenance.ledger.audit import audit
from pincite_provenance.ledger.head import head_path
from pincite_provenance.ledger.ledger import Ledger
from pincite_provenance.server import create_server

SOURCE = r"""
#set page(paper: "a5", margin: 18mm)
#set document(title: "A made-up cuprate")
= Results
Crystals of YBa#sub[2]Cu#sub[3]O#sub[7] show a transition temperature of 92.5 K in zero field. The lattice constant
was not measured. A second sample has a transition temperature of 88.1 K.
"""
QUOTE = "show a transition temperature of 92.5 K in zero field"
RIGHT = {"value": "92.5", "unit": "K", "property": "transition temperature"}


@pytest.fixture(scope="module")
def papers(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("papers")
    (folder / "cuprate.pdf").write_bytes(typst.compile(SOURCE.encode()))
    return folder


@pytest.fixture
def settings(papers, tmp_path, tmp_path_factory) -> Settings:
    cache = tmp_path_factory.getbasetemp() / "recording-cache"
    return Settings(roots=(papers,), cache_dir=cache, ledger=tmp_path / "claims.db", parse_workers=1)


@pytest.fixture
def called(settings, checked_calls):
    @asynccontextmanager
    async def called():
        async with checked_calls(create_server(settings)) as call:
            yield call

    return called


@pytest.fixture(scope="module")
def locator(papers, tmp_path_factory) -> str:
    """Where QUOTE stands."""
    cache = tmp_path_factory.getbasetemp() / "recording-cache"
    with PaperStore(Settings(roots=(papers,), cache_dir=cache, parse_workers=1)) as store:
        paper = store.open("cuprate.pdf")
    start = paper.text.replace("\n", " ").index(QUOTE)
    return locate(paper, start, start + len(QUOTE))


async def test_a_claim_is_recorded_with_its_checks_and_who_made_it(settings, locator):
    server = create_server(settings)
    async with Client(server, client_info=Implementation(name="tester", version="7")) as client:
        result = await client.call_tool(
            "record_claim", {"quote": QUOTE, "locator": locator, "model": "m-1", "note": "by hand", **RIGHT}
        )
    assert not result.is_error, result.content
    made = result.structured_content
    assert made["verdict"] == "holds", made["checks"]
    assert {check["name"] for check in made["checks"]} >= {"locator", "quote", "value", "unit", "property"}
    assert made["rows"] == 2
    _genesis, row = Ledger.of(settings).rows()
    assert (row.id, row.hash) == (made["id"], made["hash"])
    content = row.read()
    assert content["agent"] == {"name": "tester", "version": "7", "model": "m-1"}
    assert content["call"]["tool"] == "record_claim"
    assert content["call"]["session"]
    assert content["call"]["request"]
    assert content["claim"] == {"quote": QUOTE, "locator": locator, "material": "", **RIGHT}
    assert content["note"] == "by hand"
    assert content["target"]["quote"] == QUOTE
    assert content["target"]["prefix"].rstrip().endswith("7")
    assert content["target"]["page"] == 1
    assert content["paper"]["title"] == "A made-up cuprate"
    assert content["paper"]["format"] == "pdf"
    assert len(content["paper"]["text_sha256"]) == 64
    assert [check["verdict"] for check in content["checks"]] == [check["verdict"] for check in made["checks"]]


async def test_the_paper_alone_is_enough_where_the_quote_stands_once(called, locator):
    async with called() as call:
        made = await call("record_claim", quote=QUOTE, locator="cuprate.pdf", **RIGHT)
    assert made["verdict"] == "holds"
    assert "once" in next(check["reason"] for check in made["checks"] if check["name"] == "locator")
    assert made["locator"] == locator


async def test_what_fails_is_recorded_and_marked(called):
    async with called() as call:
        wrong = await call("record_claim", quote=QUOTE, locator="cuprate.pdf", value="93.5", unit="K")
        absent = await call("record_claim", quote="An emu laid eleven eggs in March.", locator="cuprate.pdf")
        listed = await call("list_claims", verdict="fails")
    assert wrong["verdict"] == "fails"
    assert [check["name"] for check in wrong["checks"] if check["verdict"] == "fails"] == ["value"]
    assert absent["verdict"] == "fails"
    assert absent["locator"] == ""
    assert [claim["id"] for claim in listed["claims"]] == [absent["id"], wrong["id"]]
    assert listed["claims"][0]["failed"][1].startswith("quote fails: ")
    assert listed["intact"] is True


async def test_a_correction_is_a_new_row_that_names_the_old_one(called, settings):
    async with called() as call:
        old = await call("record_claim", quote=QUOTE, locator="cuprate.pdf", value="93.5", unit="K")
        new = await call("record_claim", quote=QUOTE, locator="cuprate.pdf", supersedes=old["id"], **RIGHT)
        listed = await call("list_claims")
        standing = await call("list_claims", standing=True)
        again = await call("record_claim", quote=QUOTE, locator="cuprate.pdf", supersedes=old["id"], **RIGHT)
    assert [claim["id"] for claim in listed["claims"]] == [new["id"], old["id"]]
    assert listed["claims"][0]["supersedes"] == old["id"]
    assert listed["claims"][1]["superseded_by"] == new["id"]
    assert [claim["id"] for claim in standing["claims"]] == [new["id"]]
    assert f"superseded by {new['id']}" in again
    assert len(list(Ledger.of(settings).rows())) == 3, "what was refused is not recorded"


async def test_a_claim_is_taken_back_once_with_a_reason(called, settings):
    async with called() as call:
        claim = await call("record_claim", quote=QUOTE, locator="cuprate.pdf", **RIGHT)
        taken = await call("retract_claim", id=claim["id"], reason="measured in a field")
        listed = await call("list_claims")
        again = await call("retract_claim", id=claim["id"], reason="once more")
        retraction = await call("retract_claim", id=taken["id"], reason="of a retraction")
    assert taken["retracts"] == claim["id"]
    assert taken["rows"] == 3
    assert listed["claims"][0]["retracted_by"] == taken["id"]
    assert "retracted by" in again
    assert "There is no claim" in retraction
    assert list(Ledger.of(settings).rows())[2].read()["reason"] == "measured in a field"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"quote": QUOTE, "locator": "cuprate.pdf", "supersedes": "c1-00000000"}, "There is no claim"),
        ({"quote": QUOTE, "locator": "cuprate.pdf", "supersedes": "the last"}, "is not the id of a claim"),
        ({"quote": QUOTE, "locator": "emu.pdf"}, "There is no file"),
        ({"quote": QUOTE, "locator": "pc:00000000#p1:0-5"}, "00000000"),
        ({"quote": QUOTE, "locator": "../../etc/passwd"}, "outside the folders"),
        ({"quote": "", "locator": "cuprate.pdf"}, "quote"),
    ],
)
async def test_calls_that_cannot_be_recorded_say_why_and_begin_no_ledger(called, settings, arguments, words):
    async with called() as call:
        said = await call("record_claim", **arguments)
    assert isinstance(said, str)
    assert words in said
    assert not list(Ledger.of(settings).rows())


async def test_filters_find_by_paper_material_property_and_text(called):
    async with called() as call:
        one = await call("record_claim", quote=QUOTE, locator="cuprate.pdf", material="YBa2Cu3O7", **RIGHT)
        two = await call("record_claim", quote="The lattice constant was not measured.", locator="cuprate.pdf")
        paper = one["locator"].partition("#")[0]
        found = {
            name: [claim["id"] for claim in (await call("list_claims", **{name: wanted}))["claims"]]
            for name, wanted in {
                "paper": paper,
                "material": "yba2cu3o7",
                "property": "Transition  Temperature",
                "text": "LATTICE",
            }.items()
        }
        none = await call("list_claims", paper="another title")
    assert found == {
        "paper": [two["id"], one["id"]],
        "material": [one["id"]],
        "property": [one["id"]],
        "text": [two["id"]],
    }
    assert none["total"] == 0


async def test_pages_hold_every_claim_once_while_others_are_added(called):
    async with called() as call:
        made = [
            (await call("record_claim", quote=QUOTE, locator="cuprate.pdf", note="x" * 400))["id"] for _ in range(6)
        ]
        first = await call("list_claims", max_chars=2500)
        await call("record_claim", quote=QUOTE, locator="cuprate.pdf")
        seen, cursor = [claim["id"] for claim in first["claims"]], first["next_cursor"]
        while cursor:
            page = await call("list_claims", cursor=cursor, max_chars=2500)
            assert len(json.dumps(page)) < 2800
            seen += [claim["id"] for claim in page["claims"]]
            cursor = page["next_cursor"]
        foreign = await call("list_claims", cursor=first["next_cursor"], material="x")
    assert 1 < len(first["claims"]) < 6
    assert seen == made[::-1]
    assert "does not belong to this call" in foreign


async def test_an_empty_ledger_is_listed_as_such(called):
    async with called() as call:
        listed = await call("list_claims")
    assert listed == {"total": 0, "claims": [], "next_cursor": None, "rows": 0, "head": "", "intact": True}


async def test_a_tampered_ledger_is_told_and_not_added_to(called, settings):
    async with called() as call:
        await call("record_claim", quote=QUOTE, locator="cuprate.pdf", **RIGHT)
        older = head_path(settings.ledger).read_bytes()
        await call("record_claim", quote=QUOTE, locator="cuprate.pdf", **RIGHT)
        newer = head_path(settings.ledger).read_bytes()
        head_path(settings.ledger).write_bytes(newer.replace(b'"count": 3', b'"count": 4'))
        listed = await call("list_claims")
        said = await call("record_claim", quote=QUOTE, locator="cuprate.pdf", **RIGHT)
        head_path(settings.ledger).write_bytes(older)
        behind = await call("list_claims")
    assert listed["intact"] is False
    assert "row 3 is missing at the end" in listed["faults"][0]
    assert "was tampered with" in said
    assert behind["intact"] is True


async def test_two_servers_share_a_ledger(settings, checked_calls):
    async with checked_calls(create_server(settings)) as one, checked_calls(create_server(settings)) as two:
        for call in (one, two, one):
            await call("record_claim", quote=QUOTE, locator="cuprate.pdf", **RIGHT)
    sessions = [row.read()["call"]["session"] for row in list(Ledger.of(settings).rows())[1:]]
    assert sessions[0] == sessions[2] != sessions[1]
    assert audit(settings.ledger).intact


async def test_a_real_article_without_pages(missing, tmp_path, checked_calls):
    data = Path(__file__).parents[3] / "shared" / "data"
    articles = sorted(data.glob("**/*.xml"))
    if not articles:
        missing("no shared articles")
    shutil.copyfile(articles[0], tmp_path / "article.xml")
    settings = Settings(roots=(tmp_path,), cache_dir=tmp_path / "cache", ledger=tmp_path / "claims.db")
    with PaperStore(settings) as store:
        paper = store.open("article.xml")
    block = next(block for block in paper.blocks if block.kind == "paragraph" and block.end - block.start > 200)
    end = paper.text.index(" ", block.start + 150)
    quote = paper.text[block.start : end]
    async with checked_calls(create_server(settings)) as call:
        made = await call("record_claim", quote=quote, locator=locate(paper, block.start, end))
    assert made["verdict"] == "holds", made["checks"]
    (_, row) = Ledger.of(settings).rows()
    assert row.read()["target"]["page"] is None
    assert row.read()["target"]["bbox"] == ""
    assert row.read()["target"]["quote"] == quote
