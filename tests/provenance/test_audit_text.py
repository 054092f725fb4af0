"""audit_text through the real server: a draft against a paper that we typeset."""

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
"""
DRAFT = """Crystals of MgB2 have a critical temperature of 39 K in zero field, and a density of 6.2 g/cm³.

> Crystals of MgB2 show a critical temperature in zero field

The furnace was heated to 950 °C.
"""


@pytest.fixture
def server(tmp_path: Path):
    (tmp_path / "boride.pdf").write_bytes(typst.compile(SOURCE.encode()))
    return create_server(Settings(roots=(tmp_path,), cache_dir=tmp_path / "cache", parse_workers=1))


async def test_what_no_paper_bears_out_is_listed(server, checked_calls):
    async with checked_calls(server) as call:
        made = await call("audit_text", text=DRAFT, papers=["boride.pdf"])
        assert {claim["text"]: claim["verdict"] for claim in made["claims"]} == {
            "6.2 g/cm³": "value differs",
            "Crystals of MgB2 show a critical temperature in zero field": "reworded",
            "950 °C": "not there",
        }
        assert made["claims"][0]["source_says"] == "Their density is 2.6 g/cm3."
        assert made["claims"][0]["locator"].startswith("pc:")
        assert made["figures"][0] == "4 claims."
        assert made["not_shown"] == 0
        missing = await call("audit_text", text=DRAFT, papers=["none.pdf"])
        assert "none.pdf" in missing


MIXED = """The second crystal expands by a factor at 51 K. Crystals of MgB2 show a critical
temperature of 37.0 K in zero field. Moss et al. (2019) saw 39.0(2) K, https://doi.org/10.5555/none.2019.
"""


async def test_a_paragraph_that_names_a_work_is_read_and_other_quantities_contradict_nothing(server, checked_calls):
    """A sentence that ended in "39 K." was taken for initials, and its paragraph, with a DOI in it, for a reference;
    any temperature of the paper was told to be what the report's should have been."""
    async with checked_calls(server) as call:
        made = await call("audit_text", text=MIXED, papers=["boride.pdf"])
        verdicts = {claim["text"]: claim["verdict"] for claim in made["claims"]}
        assert verdicts == {"51 K": "not there", "37.0 K": "value differs", "10.5555/none.2019": "not checked"}
