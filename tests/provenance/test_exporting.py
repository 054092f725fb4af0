"""export_claims through the real server: files beside the ledger, their text, and the same files as resources."""

import base64
import hashlib
import io
import json
import zipfile
from contextlib import asynccontextmanager

import pytest
import typst
from mcp import Client
from mcp.shared.exceptions import MCPError
from pypdf import PdfReader, PdfWriter

from pincite_core.settings import Settings
from pincite_provenance.ledger.audit import audit
from pincite_provenance.server import create_server

SOURCE = """
#set page(paper: "a6", margin: 12mm)
#set document(title: "A made-up {name}")
Crystals of the {name} show a transition temperature of {value} K in zero field.
"""
QUOTE = "show a transition temperature of {value} K in zero field"


CLAIMS = [("cuprate", "92.5", "92.5"), ("cuprate", "92.5", "13"), ("pnictide", "26.1", "")]
"""Paper, the value in its quote, the value claimed."""


def encrypted(data: bytes) -> bytes:
    """The PDF with an empty user password, as publishers have it."""
    writer = PdfWriter(clone_from=PdfReader(io.BytesIO(data)))
    writer.encrypt("", "owner", algorithm="AES-256")
    out = io.BytesIO()
    writer.write(out)
    return out.getvalue()


@pytest.fixture(scope="module")
def papers(tmp_path_factory):
    folder = tmp_path_factory.mktemp("papers")
    for name, value in (("cuprate", "92.5"), ("pnictide", "26.1")):
        data = typst.compile(SOURCE.format(name=name, value=value).encode())
        (folder / f"{name}.pdf").write_bytes(encrypted(data) if name == "pnictide" else data)
    return folder


@pytest.fixture
def settings(papers, tmp_path, tmp_path_factory):
    cache = tmp_path_factory.getbasetemp() / "exporting-cache"
    return Settings(roots=(papers,), cache_dir=cache, ledger=tmp_path / "trial/claims.db", parse_workers=1)


@pytest.fixture
def filled(settings, checked_calls):
    """A server with a right and a wrong claim about one paper, and one about another, which is encrypted."""

    @asynccontextmanager
    async def filled():
        async with checked_calls(create_server(settings)) as call:
            for name, value, claimed in (
                ("cuprate", "92.5", "92.5"),
                ("cuprate", "92.5", "13"),
                ("pnictide", "26.1", ""),
            ):
                stood = await call("verify_quote", paper=f"{name}.pdf", quote=QUOTE.format(value=value))
                unit = "K" if claimed else ""
                await call("record_claim", quote=stood["text"], locator=stood["locator"], value=claimed, unit=unit)
            yield call

    return filled


async def test_json_is_text_page_by_page_and_a_file_beside_the_ledger(filled, settings):
    async with filled() as call:
        first = await call("export_claims", max_chars=2000)
        text, page = first["content"], first
        while page["next_cursor"]:
            page = await call("export_claims", max_chars=2000, cursor=page["next_cursor"])
            text += page["content"]
        await call("record_claim", quote="Crystals of the cuprate", locator="cuprate.pdf")
        stale = await call("export_claims", max_chars=2000, cursor=first["next_cursor"])
    assert first["claims"] == 3
    assert first["facts"] == ("quote stands in 3, value stands in 1 of 2, claim holds in 2, is unsure in 0, fails in 1")
    assert json.loads(text)["total"] == 3
    (file,) = first["files"]
    assert file["sha256"] == hashlib.sha256(text.encode()).hexdigest()
    assert "does not belong to this call" in stale, "the ledger has grown since"
    assert [path.name for path in (settings.ledger.parent / "exports").iterdir()] == ["claims.jsonld"]


async def test_every_format_is_a_resource_to_read(filled, settings, tmp_path):
    async with filled() as call:
        crate = await call("export_claims", format="ro-crate")
        prov = await call("export_claims", format="prov", paper="cuprate")
        marked = await call("export_claims", format="pdf", everything=True)
    assert prov["claims"] == 2
    assert "activity" in json.loads(prov["content"])
    assert "content" not in crate
    assert len(marked["files"]) == 2
    (note,) = marked["notes"]
    assert note.endswith("it was rewritten, without encryption")
    async with Client(create_server(settings)) as client:
        data = {}
        for file in (*crate["files"], *marked["files"]):
            (content,) = (await client.read_resource(file["uri"])).contents
            data[file["name"]] = base64.b64decode(content.blob)
            assert hashlib.sha256(data[file["name"]]).hexdigest() == file["sha256"]
        for name in ("claims.db", "..%2Fclaims.db", "../claims.db", "none.pdf"):
            with pytest.raises(MCPError):
                await client.read_resource(f"claims://exports/{name}")
    with zipfile.ZipFile(io.BytesIO(data["claims.ro-crate.zip"])) as archive:
        archive.extractall(tmp_path / "crate")
    assert audit(tmp_path / "crate/claims.db").intact
    for name in (file["name"] for file in marked["files"]):
        (page,) = PdfReader(io.BytesIO(data[name])).pages
        assert {reference.get_object()["/Subtype"] for reference in page["/Annots"]} == {"/Highlight", "/FreeText"}


async def test_what_cannot_be_exported_is_said(settings, filled, checked_calls):
    async with checked_calls(create_server(settings)) as call:
        assert "No claim is recorded" in await call("export_claims")
    async with filled() as call:
        assert "No claim about 'emu'" in await call("export_claims", paper="emu")
        assert "No claim about" in await call("export_claims", paper="/etc/passwd"), "a path is no file here"
