"""terminus in whole trials: in a sealed sandbox, through both doors, with its tools as a command in the terminal."""

from pathlib import Path
from typing import Any

import pytest

from pincite_doors.testing import ScriptedModel
from pincite_harness.agents.registry import get_agent
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_models.choice import ModelChoice
from pincite_scoring import ScoringOptions
from pincite_tasks.family import load_family
from pincite_tasks.files import read_json
from pincite_trajectory.validate import validate_trajectory

pytestmark = pytest.mark.anyio

KEY = "planted-key-51c0a9f3"
LOOKS = 60
"""Looks of half a second at a terminal that is at work."""


@pytest.fixture(params=["bubblewrap", pytest.param("docker", marks=pytest.mark.docker)])
def box(request: pytest.FixtureRequest, tmux_ready: None) -> str:
    """A sandbox that has tmux and pydantic-ai."""
    request.getfixturevalue({"bubblewrap": "bubblewrap_ready", "docker": "agents_image_ready"}[request.param])
    return request.param


async def test_a_whole_trial(
    box: str,
    keys: Any,
    make_family: Any,
    servers: Any,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    faults_in_desk: Any,
) -> None:
    monkeypatch.setenv("PINCITE_MODEL_API_KEY", KEY)
    typed = [
        "pincite-tool demo echo 'text={\"properties\": []}' > answer.json; pincite-tool demo picture\n",
        "cat task.json; env; cat answer.json; echo it took $((40 + 2)) steps\n",
    ]

    def wait_or_confirm(request: Any) -> Any:
        return keys(done=True) if "it took 42 steps" in "".join(request.users) else keys(("", 0.5))

    folder = tmp_path / "trial"
    with ScriptedModel([keys(*typed), *[wait_or_confirm] * LOOKS], key=KEY) as model:
        choice = ModelChoice.parse("scripted", model.url)
        agent = get_agent("terminus", {"context": "100000"}, choice)
        family = load_family(make_family())
        [plan] = plan_trials([(family, family.tasks[0])], agent, 1, choice)
        marker = Marker([plan.task], ScoringOptions())
        trial = TrialRun(plan, folder, Surroundings(box, marker, servers))  # pyright: ignore[reportArgumentType]
        record = await trial.run()
        marker.close()
    assert (record.status, record.cause, record.exit_code) == ("completed", None, 0), record.detail
    assert (record.tool_calls, record.answered) == (2, True)
    assert record.model_calls == len(model.requests)
    assert read_json(folder / "answer.json") == {"properties": []}
    assert "  picture\n      Show a pixel\n" in model.requests[0].first

    told = validate_trajectory(folder / "trajectory.json")
    called = [call.function_name for step in told.steps for call in step.tool_calls or []]
    assert called == ["mcp__demo__echo", "mcp__demo__picture"]
    assert len(told.media_paths()) == 1
    own = validate_trajectory(folder / "agent" / "terminus" / "trajectory.json")
    assert own.final_metrics is not None
    assert told.final_metrics is not None
    assert own.final_metrics.total_prompt_tokens == told.final_metrics.total_prompt_tokens
    assert own.steps[2].tool_calls is not None
    assert own.steps[2].tool_calls[0].arguments["keystrokes"] == typed[0]
    assert "answer.json fits schema.json." in str(own.steps[-2].observation)
    for path in (path for path in folder.rglob("*") if path.is_file()):
        data = path.read_bytes()
        assert KEY.encode() not in data, f"the key stands in {path}"
        assert trial.token.encode() not in data, f"the trial's token stands in {path}"
    assert not faults_in_desk(folder)
