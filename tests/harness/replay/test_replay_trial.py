"""A recorded trial is played again: against the same tools, and against changed ones."""

import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from pincite_harness.agents.registry import get_agent
from pincite_tasks.files import read_json
from pincite_trajectory.validate import validate_trajectory

pytestmark = pytest.mark.anyio

PROGRAMS = Path(__file__).parents[3] / "harness" / "pincite_harness" / "agents" / "programs"

ANSWER = '{"properties": []}'
WORDS = (
    *("call", 'echo {"text": "a"}', "call", 'echo {"text": "fail"}', "call", 'count {"text": "abc"}', "call", "begin"),
    *("call", 'go_on {"session": "session-old1234"}', "call", "picture", "call", "flaky", "answer", ANSWER),
)
VOLATILE = """
[[volatile]]
tool = "demo.echo"
text = ['at \\d+ ms']

[[volatile]]
tool = "*.count"
keys = ["made"]
"""


def _report(folder: Path) -> dict[str, Any]:
    return read_json(folder / "agent" / "replay" / "report.json")


async def test_a_trial_is_played_again_on_the_same_tools_and_on_changed_ones(
    run_trial: Any, actor: Any, tmp_path: Path
) -> None:
    _, recorded = await run_trial("first", actor(*WORDS))
    rules = tmp_path / "volatile.toml"
    rules.write_text(VOLATILE)

    agent = get_agent(f"replay:{tmp_path / 'first'}", {"volatile": str(rules)})
    record, folder = await run_trial("again", agent)
    assert (record.status, record.tool_calls, record.answered) == ("completed", 7, True)
    assert (folder / "answer.json").read_bytes() == (recorded / "answer.json").read_bytes()
    report = _report(folder)
    assert (report["calls"], report["same"], report["different"], report["skipped"]) == (7, 7, 0, 0)
    assert "7 same, 0 different" in (folder / "agent.log").read_text()
    played = [step.tool_calls[0] for step in validate_trajectory(folder / "trajectory.json").steps if step.tool_calls]
    assert [call.function_name for call in played] == [
        *("mcp__demo__echo", "mcp__demo__echo", "mcp__demo__count", "mcp__demo__begin", "mcp__demo__go_on"),
        *("mcp__demo__picture", "mcp__demo__flaky"),
    ]

    agent = get_agent(f"replay:{recorded / 'trajectory.json'}", {"volatile": str(rules)})
    record, folder = await run_trial("changed", agent, changed=True, calls=6)
    assert (record.status, record.answered) == ("limit_reached", True), "a difference is no fault of the player"
    _check_changed(folder)


def _check_changed(folder: Path) -> None:
    report = _report(folder)
    results = report["results"]
    assert report["parts"] == {"text": 1, "structured": 2, "images": 1}
    assert [result["status"] for result in results] == [
        *("different", "same", "different", "different", "same", "different")
    ]
    assert (report["not_played"], report["stopped"]) == (1, "the limit of tool calls was reached")
    found = {result["tool"]: result["differences"] for result in results if result["status"] == "different"}
    [echo] = found["demo.echo"]
    assert (echo["part"], echo["place"], echo["recorded"], echo["live"]) == (
        *("text", "line 2", "you said a", "he said a"),
    )
    [count] = found["demo.count"]
    assert (count["place"], count["recorded"], count["live"]) == ("$.letters", "3", "4")
    [followed] = [result for result in results if result.get("followed")]
    assert followed["arguments"] == {"session": "session-new1234"}, "an id that the server makes up is followed"
    assert "- recorded: `you said a`" in (folder / "agent" / "replay" / "report.md").read_text()


def test_a_task_that_was_not_recorded_is_said(tmp_path: Path) -> None:
    for path in PROGRAMS.rglob("*.py"):
        copy = tmp_path / ".agent" / path.relative_to(PROGRAMS)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, copy)
    (tmp_path / ".agent" / "recordings.json").write_text('{"f/other": {}}')
    (tmp_path / "task.json").write_text('{"family": "f", "task_id": "t", "tools": {}}')
    command = [sys.executable, "-S", ".agent/replay.py"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (1, "replay: nothing was recorded for the task f/t\n")
