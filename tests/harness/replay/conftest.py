"""Trials that are recorded and played again."""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite_harness.agents.agent import Agent
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_scoring import ScoringOptions
from pincite_tasks.failure import Status
from pincite_tasks.family import load_family
from pincite_tasks.trial_record import TrialRecord

SERVER = Path(__file__).with_name("changed_server.py")


@pytest.fixture
def note_trial() -> Callable[[Path, str, str, int], None]:
    """Writes the trial.json of a trial's folder: its family, task and attempt."""

    def note(folder: Path, family: str, task: str, attempt: int) -> None:
        record = TrialRecord(
            name=folder.name,
            task_id=task,
            family=family,
            attempt=attempt,
            agent="x",
            agent_version="1",
            status=Status.COMPLETED,
        )
        (folder / "trial.json").write_text(record.model_dump_json())

    return note


@pytest.fixture
def run_trial(make_family: Any, tmp_path: Path) -> Callable[..., Any]:
    """``await run_trial(name, agent, changed=…)``: one trial with the demo server as it was or changed."""
    folder = make_family("theirs")

    async def run(name: str, agent: Agent, *, changed: bool = False, calls: int = 20) -> tuple[TrialRecord, Path]:
        settings = folder / "family.toml"
        settings.write_text(re.sub(r"tool_calls = \d+", f"tool_calls = {calls}", settings.read_text()))
        family = load_family(folder)
        [plan] = plan_trials([(family, family.tasks[0])], agent, 1)
        marker = Marker([plan.task], ScoringOptions())
        servers = {"demo": (sys.executable, str(SERVER), "changed" if changed else "as-it-was")}
        trial = tmp_path / name / "trials" / "t1__1"
        try:
            return await TrialRun(plan, trial, Surroundings("process", marker, servers)).run(), trial
        finally:
            marker.close()

    return run
