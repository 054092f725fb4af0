"""The crew of docs/crews.md, run as a user would in a local sandbox, behind the doors, with a scripted model."""

import re
import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_doors.testing import ScriptedModel, call, say
from pincite_doors.testing.request import Request
from pincite_harness.cli.main import main
from pincite_tasks.files import read_json
from pincite_trajectory.validate import validate_trajectory

REPOSITORY = Path(__file__).parents[3]


def page_reader(request: Request) -> Any:
    """A reader that copies the first numbers of its page, and makes one value up."""
    words = re.findall(r"#p\d+:\d+-\d+\] *(\w+)", request.last) or ["nothing here"]
    good = {"material": "YBCO", "property": "text", "value": "1", "quote": words[0], "confidence": 0.9}
    return call("answer", values=[good, good | {"value": "2", "quote": "words that stand nowhere"}])


def test_the_documented_crew_runs_and_leaves_its_events(
    make_family: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    text = (REPOSITORY / "docs" / "crews.md").read_text(encoding="utf-8")
    program = text.partition("```python\n")[2].partition("```")[0]
    assert len(program.splitlines()) <= 70
    (tmp_path / "page_crew.py").write_text(program)
    family = make_family(servers='["documents"]')
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PINCITE_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PINCITE_MODEL_API_KEY", "key-of-the-model-1")
    monkeypatch.setenv("PINCITE_PASS_LABELS", "yes")
    editor = [say("<summary>They are numbers.</summary>")]
    with ScriptedModel(cast={"reader": page_reader, "editor": editor}) as model:
        words = ["run", "tiny", "--tasks", str(family), "--agent", "page_crew.py", "--sandbox", "local", "--unsafe"]
        words += ["--agent-option", "dialect=openai.chat", "--agent-option", "width=2"]
        words += ["--model", "openai:scripted", "--model-url", model.url, "--name", "one"]
        monkeypatch.setattr(sys, "argv", ["pincite", *words])
        with pytest.raises(SystemExit):
            main()
        said = capsys.readouterr()
        assert (model.left, model.troubles) == (0, [])
    assert "Roles" in said.out
    trial = tmp_path / "runs" / "one" / "trials" / "t1__1"
    log = (trial / "agent.log").read_text()
    assert "page_crew: done" in log, said.out + said.err + log
    records = read_json(trial / "answer.json")["properties"]
    assert [record["value_string"] for record in records] == ["1"] * len(records)
    assert len(records) == 2, "one of each page"
    [path] = (trial / "agent").rglob("state.jsonl")
    events = [orjson.loads(line) for line in path.read_bytes().splitlines()]
    assert [events[0]["kind"], events[-1]["kind"]] == ["Began", "Ended"]
    assert events[0]["options"] == {"width": "2", "least": "0.5"}
    proposed = [event for event in events if event["kind"] == "Proposed"]
    assert {event["confidence"] for event in proposed if event["value"]["value"] == "2"} == {0.3}
    trajectory = validate_trajectory(trial / "trajectory.json")
    roles = {one.trajectory_id: one for one in trajectory.subagent_trajectories or []}
    assert sorted(roles) == ["t1__1:editor/editor", "t1__1:reader/p01", "t1__1:reader/p02"]
    assert {name: one.agent.name for name, one in roles.items()}["t1__1:editor/editor"] == "page_crew/editor"
    record = read_json(trial / "trial.json")
    assert {role: spent["model_calls"] for role, spent in record["roles"].items()} == {"reader": 2, "editor": 1}
    assert sum(spent["tokens"]["output"] for spent in record["roles"].values()) == record["tokens"]["output"]
    run = tmp_path / "runs" / "one"
    [told] = [one["roles"] for one in read_json(run / "report.json")["families"]["tiny"]["runs"].values()]
    assert told == {role: {"trials": 1, **spent} for role, spent in record["roles"].items()}
    assert ">Roles</h2>" in (run / "report.html").read_text()
    digests = read_json(tmp_path / "runs" / "one" / "run.json")["lock"]["digests"]
    assert {"agent/.agent/crew/ask.py", "agent/.agent/page_crew.py", "agent/options"} <= set(digests)
