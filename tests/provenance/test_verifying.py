"""verify_quote and verify_claim through the real server, over a paper that we typeset."""

from pathlib import Path

import pytest
import typst

from pincite_core.settings import Settings
from pincite_provenance.server import create_server

SOURCE = r"""
#set page(paper: "a6", margin: 12mm)
#set document(title: "A made-up boride")
= Results
Crystals of MgB#sub[2] show a critical temperature of 39.0(2) K in zero field. Their density is 2.6 g/cm#super[3].
#pagebreak()
The second page says that nothing else was found.
"""


@pytest.fixture
def server(tmp_path: Path):
    (tmp_path / "boride.pdf").write_bytes(typst.compile(SOURCE.encode()))
    return create_server(Settings(roots=(tmp_path,), cache_dir=tmp_path / "cache", parse_workers=1))


async def test_quotes(server, checked_calls):
    async with checked_calls(server) as call:
        exact = await call("verify_quote", paper="boride.pdf", quote="critical temperature of 39.0(2) K", page=1)
        assert exact["stands"] is True
        assert exact["standing"].startswith("exact: ")
        assert exact["text"] == "critical temperature of 39.0(2) K"
        assert exact["section"] == "Results"
        assert exact["locator"].startswith("pc:")
        spaced = await call("verify_quote", paper="boride.pdf", quote="critical temper-\nature of\u00a039.0(2) K")
        assert (spaced["stands"], spaced["overlooked"]) == (True, ["hyphens", "spaces"])
        near = await call("verify_quote", paper="boride.pdf", quote="critical temperature of 93.0(2) K in zero field")
        assert near["stands"] is False
        assert near["standing"].startswith("not a quote")
        assert near["differences"] == [{"quote_says": "93.0(2)", "paper_says": "39.0(2)"}]
        elsewhere = await call("verify_quote", paper="boride.pdf", quote="nothing else was found", page=1)
        assert elsewhere["wrong_page"] == "it stands on page 2, not on page 1"
        absent = await call("verify_quote", paper="boride.pdf", quote="sheep graze upon the hills of another land")
        assert (absent["stands"], absent["locator"], absent["text"]) == (False, "", "")


async def test_claims(server, checked_calls):
    async with checked_calls(server) as call:
        quote = "Crystals of MgB2 show a critical temperature of 39.0(2) K in zero field."
        stands = await call("verify_quote", paper="boride.pdf", quote=quote)
        right = {"quote": quote, "locator": stands["locator"], "value": "39.0(2)", "unit": "K", "material": "MgB2"}
        held = await call("verify_claim", **right, property="critical temperature")
        assert (held["verdict"], held["locator"]) == ("holds", stands["locator"])
        assert [check["name"] for check in held["checks"]] == [
            "locator", "quote", "value", "unit", "material", "property",
        ]  # fmt: skip
        failed = await call("verify_claim", **(right | {"value": "2.6"}))
        assert failed["verdict"] == "fails"
        assert {"name": "value", "verdict": "fails"}.items() <= failed["checks"][2].items()
        assert "39.0(2) K" in failed["checks"][2]["reason"]
        assert "empty" in await call("verify_claim", quote=" ", locator="boride.pdf")


async def test_a_paper_outside_the_roots_is_refused(server, checked_calls, tmp_path):
    outside = tmp_path.parent / "outside.pdf"
    outside.write_bytes(typst.compile(SOURCE.encode()))
    async with checked_calls(server) as call:
        assert "outside" in await call("verify_quote", paper=str(outside), quote="Crystals of MgB2")
