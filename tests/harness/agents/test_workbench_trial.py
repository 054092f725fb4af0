"""A trial whose agent runs code in the workbench: the trial's own kind of sandbox, the task's files."""

from dataclasses import replace
from pathlib import Path

import orjson
import platformdirs
import pytest

from pincite_core.settings import Settings
from pincite_doors.testing import ScriptedModel, call, say
from pincite_harness.agents.registry import get_agent
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_harness.trial.servers import SERVERS, change_servers
from pincite_models.choice import ModelChoice
from pincite_sandbox.choose import SandboxKind
from pincite_sandbox.science import prepare_science
from pincite_scoring import ScoringOptions
from pincite_tasks.family import load_family

FAMILY = Path(__file__).parents[3] / "tasks" / "figure_analysis"
CACHE = platformdirs.user_cache_path("pincite")
"""Where the packages are kept from run to run of the tests: they take minutes to install."""
SIZE = """
from PIL import Image
picture = Image.open("/files/NAME")
picture.rotate(90, expand=True).save("turned.png")
print("size", picture.size, "in", open("/proc/1/cmdline").read().count("supervisor"))
"""


@pytest.fixture(params=[pytest.param("docker", marks=pytest.mark.docker), "bubblewrap"])
def kind(request: pytest.FixtureRequest) -> SandboxKind:
    request.getfixturevalue("agents_image_ready" if request.param == "docker" else "bubblewrap_ready")
    prepare_science(request.param, CACHE)
    return request.param


async def test_an_agent_computes_on_the_tasks_picture(
    kind: SandboxKind, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PINCITE_MODEL_API_KEY", "a-key")
    bundled = load_family(FAMILY)
    [settings] = change_servers([bundled], ["workbench"], [])
    family = replace(bundled, settings=settings)
    task = next(task for task in family.tasks if any(file.suffix == ".png" for file in task.files))
    picture = next(file.name for file in task.files if file.suffix == ".png")
    script = [
        call("workbench.run_python", code=SIZE.replace("NAME", picture), files=[picture]),
        call("figures.view_image", file=picture),
        call("write_answer", answer="The curve falls."),
        say("Done."),
    ]
    with ScriptedModel(script, key="a-key") as model:
        choice = ModelChoice.parse("anthropic:claude-opus-4-8", model.url)
        [plan] = plan_trials([(family, task)], get_agent("react", {}, choice), 1, choice)
        marker = Marker([plan.task], ScoringOptions())
        try:
            record = await TrialRun(
                plan, tmp_path / "trial", Surroundings(kind, marker, SERVERS, settings=Settings(cache_dir=CACHE))
            ).run()
        finally:
            marker.close()
    log = (tmp_path / "trial/agent.log").read_text()
    assert (record.status, record.failed_tool_calls, record.tool_calls) == ("completed", 0, 2), log
    calls = [orjson.loads(line) for line in (tmp_path / "trial/wire/mcp.jsonl").read_bytes().splitlines()]
    assert "exit 0" in str(calls) and "size (" in str(calls)
    assert model.turns[1].images >= 1
