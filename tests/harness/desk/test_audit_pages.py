"""An audit on the desk: claims in the report's own text, the source's page, and the step in which the agent saw it."""

import html
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_harness.audit.audited import audit_path
from pincite_harness.audit.data import to_json
from pincite_harness.audit.sources import open_sources
from pincite_harness.desk.targets import read_targets

PAPER = Path(__file__).parents[3] / "tasks" / "property_extraction" / "papers" / "garnet_electrolyte.pdf"
REPORT = """# Garnets

Nakagawa and colleagues compared two garnets. The relative density of the gallium garnet
is 98.4 %. The interfacial resistance of the tantalum garnet against lithium is 41 Ω cm² at 25 °C.

> Both garnets are cubic, space group Ia−3d for tantalum and I−43d for gallium.

"Polishing in vacuum restored the first value", they write.
"""


@pytest.fixture(scope="module")
def report(tmp_path_factory: Any) -> Path:
    path = tmp_path_factory.mktemp("audit") / "garnets.md"
    path.write_text(REPORT)
    return path


@pytest.fixture(scope="module")
def audited(open_desk: Any, report: Path) -> Iterator[Any]:
    with open_desk(report, sources=[PAPER]) as opened:
        yield opened


def verdicts(desk: Any) -> dict[str, str]:
    return {claim.entry["text"]: claim.entry["verdict"] for claim in desk.site.audits[0].reports[0].claims}


def test_claims_stand_in_the_reports_own_text_and_a_click_shows_the_page_and_the_verdict(
    audited: Any, browser: Any
) -> None:
    found = verdicts(audited)
    assert found["98.4 %"] == "value stands"
    assert found["41 Ω cm²"] == "value differs"
    assert [text for text, verdict in found.items() if verdict == "reworded"] == [
        "Polishing in vacuum restored the first value"
    ]
    browser.open(f"{audited.address}/audit/0/0")
    shown = browser.run("document.querySelector('.report').textContent")
    assert "gallium garnet is 98.4 %" in shown, "lines of a paragraph flow"
    assert browser.run("[...document.querySelectorAll('.claim.bad')].map((each) => each.textContent)") == [
        "41 Ω cm²",
        "Polishing in vacuum restored the first value",
    ]
    browser.press("x")
    browser.press("x")
    browser.until("document.getElementById('pane').textContent.includes('reworded')")
    browser.until("document.querySelector('#pane img').complete")
    said = browser.run("document.getElementById('pane').textContent")
    assert "reworded" in said and "Polishing in argon restored the" in said
    seen = "const pane = document.getElementById('pane').getBoundingClientRect();"
    inside = (
        "const box = document.querySelector('#pane .mark').getBoundingClientRect(); return box.bottom < pane.bottom"
    )
    assert browser.run(f"(() => {{ {seen} {inside}; }})()")
    button = "document.querySelector('button[data-verdict=\"value differs\"]')"
    browser.run(f"{button}.click()")
    assert browser.run("document.querySelectorAll('.claim:not(.faint)').length") == 1
    browser.press("2")
    assert browser.run("document.querySelectorAll('#claims tr[data-verdict]:not([hidden])').length") == 1
    assert not browser.complaints


def test_an_audit_that_was_made_is_read_with_its_report_beside_it(
    report: Path, audited: Any, open_desk: Any, tmp_path: Path
) -> None:
    opened = open_sources([PAPER])
    made = to_json(audit_path(report, opened), opened)
    for folder, has_text in ((tmp_path / "with", True), (tmp_path / "without", False)):
        folder.mkdir()
        (folder / "audit.json").write_text(json.dumps(made))
        if has_text:
            (folder / "garnets.md").write_text(REPORT)
        with open_desk(folder / "audit.json", sources=[PAPER.parent]) as desk:
            assert verdicts(desk) == verdicts(audited)
            page = desk.text("audit/0/0")
            assert ('class="claim bad"' in page) == has_text
            assert ("does not lie beside the audit" in page) != has_text
            number = [claim.entry["verdict"] for claim in desk.site.audits[0].reports[0].claims].index("reworded")
            claim = desk.text(f"audit/0/0/claim/{number}")
            assert 'class="mark"' in claim and "Polishing in argon" in claim
    made["sources"][0]["paper_id"] = "sha256:" + "0" * 64
    (tmp_path / "audit.json").write_text(json.dumps(made))
    with open_desk(tmp_path / "audit.json", sources=[PAPER]) as desk:
        claim = html.unescape(desk.text(f"audit/0/0/claim/{number}"))
        assert "not the file that was audited: nothing is marked" in claim and 'class="mark"' not in claim
    (tmp_path / "audit.json").write_text(json.dumps({**made, "form": "pincite-audit/9"}))
    with pytest.raises(BadInputError, match="another version"):
        read_targets([tmp_path / "audit.json"])


def test_a_trajectory_shows_the_step_in_which_the_agent_saw_the_passage(open_desk: Any, tmp_path: Path) -> None:
    result = "The interfacial resistance of the tantalum garnet against lithium is 14 Ω cm² at 25 °C."
    call = {"tool_call_id": "c", "function_name": "read_pages", "arguments": {"paper": PAPER.name}}
    steps: list[dict[str, Any]] = [
        {"source": "user", "message": "How well do garnets conduct?"},
        {
            "source": "agent",
            "message": "I recall a relative density of the gallium garnet of 98.4 %.",
            "tool_calls": [call],
            "observation": {"results": [{"source_call_id": "c", "content": result}]},
        },
        {"source": "agent", "message": "The interfacial resistance of the tantalum garnet is 14 Ω cm² at 25 °C."},
    ]
    numbered = [{"step_id": number, **step} for number, step in enumerate(steps, start=1)]
    document = {"schema_version": "ATIF-v1.8", "agent": {"name": "a", "version": "1"}, "steps": numbered}
    (tmp_path / "trajectory.json").write_text(json.dumps(document))
    with open_desk(tmp_path / "trajectory.json", sources=[PAPER], audit=True) as desk:
        claims = desk.site.audits[0].reports[0].claims
        seen = {claim.entry["text"]: claim.number for claim in claims}
        later = desk.text(f"audit/0/0/claim/{seen['14 Ω cm²']}")
        assert "Shown to the agent in" in later and "/audit/0/0/step/2" in later and "from memory" not in later
        assert "from memory" in desk.text(f"audit/0/0/claim/{seen['98.4 %']}")
        assert result in html.unescape(desk.text("audit/0/0/step/2"))
        assert desk.get("audit/0/0/step/99").status_code == 404
        assert desk.get("audit/0/7").status_code == 404 and desk.get("audit/3/0").status_code == 404
