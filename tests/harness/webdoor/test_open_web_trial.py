"""A trial of an open-web task in a sealed sandbox: the web door is its only way out, and only for its hosts."""

import json
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_harness.agents.agent import Program
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_scoring import ScoringOptions
from pincite_tasks.family import load_family

pytestmark = pytest.mark.anyio

BROWSER = Path(__file__).parent / "programs" / "browser.py"


@pytest.mark.usefixtures("bubblewrap_ready")
async def test_an_open_web_task_has_its_hosts_and_nothing_else(tmp_path: Path, make_family: Any, servers: Any) -> None:
    family = load_family(make_family(more='[web]\nallowed_hosts = ["papers.invalid", "localhost.invalid"]'))
    places = ("http://papers.invalid/a", "https://papers.invalid/", "http://evil.invalid/", "https://evil.invalid/")
    argv = ("python3", ".agent/browser.py", *places, "192.0.2.1", "papers.invalid")
    agent = Program("browser", "1", argv, {".agent/browser.py": BROWSER})
    [plan] = plan_trials([(family, family.tasks[0])], agent, 1)
    marker = Marker([plan.task], ScoringOptions())
    folder = tmp_path / "trial"
    try:
        record = await TrialRun(plan, folder, Surroundings("bubblewrap", marker, servers)).run()
    finally:
        marker.close()
    assert (record.status, record.cause) == ("completed", None)
    lines = [line for line in (folder / "agent.log").read_text().splitlines() if '["' in line]
    seen = dict(json.loads(line[line.index('["') :]) for line in lines)
    assert seen["http://papers.invalid/a"].startswith("502 The web could not be reached"), "it was let through"
    assert "502" in seen["https://papers.invalid/"]
    assert seen["http://evil.invalid/"].startswith("403 ")
    assert "403" in seen["https://evil.invalid/"]
    assert seen["192.0.2.1"] == "OSError"
    assert seen["papers.invalid"] == "gaierror"
    wire = [orjson.loads(line) for line in (folder / "wire" / "web.jsonl").read_bytes().splitlines()]
    assert [record["url"] for record in wire if record["kind"] == "request"] == [
        "http://papers.invalid/a",
        "https://papers.invalid",
    ]
    assert [record["status"] for record in wire if record["kind"] == "refused"] == [403, 403]
