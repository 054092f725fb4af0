"""Trajectories, sessions of the four CLIs and trials: at which step a claim's passage was shown."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_harness.audit.audited import audit_path
from pincite_harness.audit.data import to_json
from pincite_harness.audit.marked import to_labels, write_atif
from pincite_harness.audit.sources import OpenedSources, open_sources
from pincite_trajectory.validate import validate_trajectory

PAPER = """<article article-type="research-article"><front><article-meta>
<article-id pub-id-type="doi">10.5555/tin.2019</article-id><title-group><article-title>A study of white tin
</article-title></title-group></article-meta></front><body><sec><title>Results</title>
<p>The critical temperature of white tin is 3.72 K in zero field.</p>
<p>Its density at room temperature is 7.29 g/cm<sup>3</sup> after rolling.</p></sec></body></article>"""
SHOWN = "The critical temperature of white tin is 3.72 K in zero field."
SESSIONS = Path(__file__).parents[1] / "sessions/files"


@pytest.fixture
def opened(tmp_path: Path) -> OpenedSources:
    (tmp_path / "tin.xml").write_text(PAPER)
    return open_sources([tmp_path / "tin.xml"])


def claims_of(path: Path, opened: OpenedSources) -> tuple[dict[str, Any], dict[str, Any]]:
    """The audit's one report, and its claims by their words."""
    document = to_json(audit_path(path, opened), opened)
    (report,) = document["reports"]
    return report, {claim["text"]: claim for claim in report["claims"]}


def atif(*steps: dict[str, Any]) -> str:
    numbered = [{"step_id": number, **step} for number, step in enumerate(steps, start=1)]
    return json.dumps({"schema_version": "ATIF-v1.8", "agent": {"name": "made", "version": "1"}, "steps": numbered})


def call(number: int, message: str, arguments: dict[str, str], result: str) -> dict[str, Any]:
    name = f"call_{number}"
    return {
        "source": "agent",
        "message": message,
        "tool_calls": [{"tool_call_id": name, "function_name": "read_paper", "arguments": arguments}],
        "observation": {"results": [{"source_call_id": name, "content": result}]},
    }


TRAJECTORY = atif(
    {"source": "user", "message": "What is known of tin?"},
    call(1, "I recall a density of white tin of 7.29 g/cm³ at room temperature.", {"paper": "tin.xml"}, SHOWN),
    call(2, "", {"paper": "tin.xml"}, "Its density at room temperature is 7.29 g/cm^3 after rolling."),
    {
        "source": "agent",
        "message": "The critical temperature of white tin is 3.72 K.\n\n"
        "> Its density at room temperature is 7.29 g/cm³ after casting.\n\n"
        "## References\n\n[1] A study of white tin. 2019. doi:10.5555/tin.2019\n"
        "[2] B. Stagno. Grey tin. 2018. doi:10.5555/grey.2018\n",
    },
)


def test_the_step_at_which_a_passage_was_shown(tmp_path: Path, opened: OpenedSources) -> None:
    file = tmp_path / "trajectory.json"
    file.write_text(TRAJECTORY)
    report, claims = claims_of(file, opened)
    assert claims["7.29 g/cm³"]["sight"] == {
        "claimed_step": 2, "seen_step": 3, "opened_step": 2, "from_memory": True,
    }  # fmt: skip
    assert claims["3.72 K"]["sight"] == {"claimed_step": 4, "seen_step": 2, "opened_step": 2, "from_memory": False}
    altered = claims["Its density at room temperature is 7.29 g/cm³ after casting."]
    assert altered["verdict"] == "reworded"
    assert altered["sight"]["seen_step"] is None
    assert altered["sight"]["from_memory"] is True
    told = report["trajectory"]
    assert told["cited_never_opened"] == {"count": 1, "n": 2}
    assert "grey.2018" in told["never_opened"][0]
    assert told["from_memory"] == {"count": 2, "n": 3}


@pytest.mark.parametrize("cli", ["claude", "codex", "gemini", "qwen"])
def test_sessions_of_the_clis(cli: str, tmp_path: Path, opened: OpenedSources) -> None:
    """A session that a CLI wrote, its echoed words put in the paper's and its last message in a claim's place."""
    folder = tmp_path / "session"
    shutil.copytree(SESSIONS / cli, folder)
    early, late = (
        "White tin has a critical temperature of 3.72 K.",
        "In zero field, white tin has 3.72 K as critical temperature.",
    )
    for file in folder.rglob("*.json*"):
        text = file.read_text()
        for spelling in ("hello é中", "hello \\u00e9\\u4e2d"):
            text = text.replace(spelling, SHOWN)
        file.write_text(text.replace("Let me look.", early).replace("Done, all written.", late))
    document = to_json(audit_path(folder, opened), opened)
    (report,) = document["reports"]
    values = [claim for claim in report["claims"] if claim["text"] == "3.72 K"]
    assert len(values) == 2
    first, last = (value["sight"] for value in values)
    assert first["seen_step"] == last["seen_step"] == first["claimed_step"]
    assert first["from_memory"] is True
    assert last["claimed_step"] > last["seen_step"]
    assert last["from_memory"] is False


def test_the_answer_of_a_trial_and_the_trials_of_a_run(tmp_path: Path, opened: OpenedSources) -> None:
    record = {"material": "white tin", "property": "critical temperature", "value": "3.72", "unit": "K"}
    wrong = {
        "material": "white tin",
        "property": "density at room temperature",
        "value": "7.92",
        "unit": "g/cm^3",
        "quote": SHOWN,
    }
    for number, answer in enumerate(([record], [record, wrong]), start=1):
        trial = tmp_path / f"run/trials/tin__{number}"
        trial.mkdir(parents=True)
        (trial / "trajectory.json").write_text(TRAJECTORY)
        (trial / "answer.json").write_text(json.dumps({"records": answer}, indent=1))
    audits = audit_path(tmp_path / "run", opened)
    document = to_json(audits, opened)
    verdicts = [[claim["verdict"] for claim in report["claims"]] for report in document["reports"]]
    assert verdicts == [["value stands"], ["value stands", "value differs", "exact"]]
    assert [report["report"] for report in document["reports"]] == ["tin__1/answer.json", "tin__2/answer.json"]
    second = document["reports"][1]["claims"]
    text = (tmp_path / "run/trials/tin__2/answer.json").read_text()
    assert text[second[2]["start"] : second[2]["end"]] == SHOWN
    assert second[0]["sight"]["seen_step"] == 2
    assert second[2]["sight"]["from_memory"] is False
    assert document["summary"]["values_differ"] == {"count": 1, "n": 3}


def test_atif_and_labels_have_the_audit(tmp_path: Path, opened: OpenedSources) -> None:
    file = tmp_path / "made.json"
    file.write_text(TRAJECTORY)
    audits = audit_path(file, opened)
    (written,) = write_atif(audits, tmp_path / "out")
    trajectory = validate_trajectory(written)
    claims = {step.step_id: (step.extra or {})["pincite_audit"]["claims"] for step in trajectory.steps if step.extra}
    assert {at: [claim["text"] for claim in told] for at, told in claims.items() if at == 2} == {2: ["7.29 g/cm³"]}
    assert claims[2][0]["sight"]["from_memory"] is True
    assert len(claims[4]) == 4
    assert (trajectory.extra or {})["pincite_audit"]["summary"]["claims"] == 5
    header, row = to_labels(audits).splitlines()
    assert header == "id,label_altered,label_invented,label_unsupported,label_from_memory"
    assert row == "made.json,true,false,true,true"
    (tmp_path / "report.md").write_text("It was 3.72 K.")
    with pytest.raises(BadInputError, match=r"report\.md is not a trajectory"):
        to_labels(audit_path(tmp_path / "report.md", opened))
