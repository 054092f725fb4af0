"""Trials of the real CLI agents with the real servers on a bundled paper, their model played by a script."""

import asyncio
import os
import sys
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_harness.agents.agent import Agent
from pincite_harness.agents.registry import get_agent
from pincite_harness.family import Family, WebPolicy, load_family
from pincite_harness.files import read_json
from pincite_harness.model_choice import ModelChoice
from pincite_harness.scoring import ScoringOptions
from pincite_harness.servers import SERVERS
from pincite_harness.testing import Script, ScriptedModel, call, say, shell, think, write
from pincite_harness.trajectory.atif import Trajectory
from pincite_harness.trajectory.validate import validate_trajectory
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.record import TrialRecord
from pincite_harness.trial.run import Surroundings, TrialRun

TASK = Path(__file__).parents[3] / "tasks" / "property_extraction"
PAPER = "ybco_oxygen.pdf"
HOST = "nowhere.invalid"
CLIS = ("claude-code", "codex", "gemini-cli", "qwen-code")


@dataclass(frozen=True)
class Ran:
    """A trial that has ended."""

    record: TrialRecord
    folder: Path
    token: str
    model: ScriptedModel

    @property
    def trajectory(self) -> Trajectory:
        return validate_trajectory(self.folder / "trajectory.json")

    @property
    def score(self) -> dict[str, Any]:
        return read_json(self.folder / "score.json")

    @property
    def log(self) -> str:
        return (self.folder / "agent.log").read_text()


@pytest.fixture(scope="session")
def family() -> Family:
    """The bundled family with one of its papers, the figures server beside its own, and a web of one host that does
    not exist."""
    family = load_family(TASK)
    [task] = [task for task in family.tasks if task.paper_names[0].endswith(PAPER)]
    web = WebPolicy(allowed_hosts=[HOST])
    settings = family.settings.model_copy(update={"servers": ["documents", "figures"], "web": web})
    return replace(family, settings=settings, tasks=(task,))


@pytest.fixture(scope="session")
def script(family: Family) -> Script:
    """Two servers, calls side by side, a picture, an answer and a look at the web by the agent's own shell, and the
    last word."""
    [task] = family.tasks
    answer = write("answer.json", orjson.dumps(task.gold).decode()).command
    return [
        [think("The paper first."), call("documents.open_paper", paper=PAPER)],
        [
            call("documents.grep_paper", paper=PAPER, pattern="resistance"),
            call("figures.list_figures", paper=PAPER),
        ],
        call("figures.view_figure", paper=PAPER, figure="Fig. 1"),
        shell(f"{answer}\ncurl -sS http://{HOST}/ || true"),
        say("The answer is written."),
    ]


@pytest.fixture(scope="session")
def run_cli(family: Family) -> Callable[..., Any]:
    """``await run_cli(name, sandbox, folder, script)``: one trial, of the agent that ``make`` makes."""

    async def run(
        name: str,
        sandbox: Any,
        folder: Path,
        script: Script,
        make: Callable[..., Agent] = get_agent,
    ) -> Ran:
        with ScriptedModel(script) as model:
            choice = ModelChoice(provider="compatible", name="scripted", base_url=model.url)
            agent = make(name, {}, choice)
            [plan] = plan_trials([(family, family.tasks[0])], agent, 1, model=choice)
            marker = Marker([plan.task], ScoringOptions())
            try:
                trial = TrialRun(plan, folder, Surroundings(sandbox, marker, SERVERS))
                return Ran(await trial.run(), folder, trial.token, model)
            finally:
                marker.close()

    return run


@pytest.fixture(scope="session")
def in_docker(
    agents_image_ready: str, run_cli: Callable[..., Any], script: Script, tmp_path_factory: pytest.TempPathFactory
) -> dict[str, Ran]:
    """The same script played to every CLI, all at once, each in a container of its own."""
    folder = tmp_path_factory.mktemp("clis")

    async def all_of_them() -> list[Ran]:
        return await asyncio.gather(*(run_cli(name, "docker", folder / name, script) for name in CLIS))

    return dict(zip(CLIS, asyncio.run(all_of_them()), strict=True))


@pytest.fixture
def on_this_machine(clis: Path, bubblewrap_ready: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """The CLIs' commands on the path, and bubblewrap to run them in."""
    monkeypatch.setenv("PATH", os.pathsep.join([str(clis), str(Path(sys.executable).parent), os.environ["PATH"]]))
