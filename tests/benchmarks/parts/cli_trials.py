"""Trials of the real CLI agents: the documents and figures servers on a bundled paper, and a model that plays a script.

Shared by the tests of the CLI agents and by the benchmark ``cli_agents.py``.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import orjson

from pincite_doors.testing import Script, ScriptedModel, call, say, shell, think, write
from pincite_harness.agents.agent import Agent
from pincite_harness.agents.registry import get_agent
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_harness.trial.servers import SERVERS
from pincite_models.choice import ModelChoice
from pincite_scoring import ScoringOptions
from pincite_tasks.family import Family, WebPolicy, load_family
from pincite_tasks.files import read_json
from pincite_tasks.trial_record import TrialRecord
from pincite_trajectory.atif import ContentPart, Step, Trajectory
from pincite_trajectory.validate import validate_trajectory

CLIS = ("claude-code", "codex", "gemini-cli", "qwen-code")
HOST = "nowhere.invalid"
"""The web's only host, which does not exist."""
KEY = "sk-the-real-key-of-this-test-5Zt0X"
"""What the model asks for: the door has it, and nothing else may."""
PAPER = "ybco_oxygen.pdf"
_SHELLS = ("Bash", "exec_command", "run_shell_command")


@dataclass(frozen=True)
class Ran:
    """A trial that has ended."""

    record: TrialRecord
    folder: Path
    token: str
    model: ScriptedModel

    @property
    def trajectory(self) -> Trajectory:
        """Checked against ATIF 1.8."""
        return validate_trajectory(self.folder / "trajectory.json")

    @property
    def score(self) -> dict[str, Any]:
        """What score.json says."""
        return read_json(self.folder / "score.json")

    @property
    def log(self) -> str:
        """What the CLI printed."""
        return (self.folder / "agent.log").read_text()


def one_paper(**limits: float) -> Family:
    """The bundled family with one of its papers, the figures server beside its own, and a web of one host; ``limits``
    are others than its own."""
    tasks = Path(__file__).parents[3] / "tasks" / "property_extraction"
    family = load_family(tasks)
    [task] = [task for task in family.tasks if task.paper_names[0].endswith(PAPER)]
    limited = family.settings.limits.changed(limits)
    changes = {"limits": limited, "servers": ["documents", "figures"], "web": WebPolicy(allowed_hosts=[HOST])}
    return replace(family, settings=family.settings.model_copy(update=changes), tasks=(task,))


def work(family: Family) -> Script:
    """Two servers, calls side by side, a picture, an answer (the gold) and a look at the web by the CLI's own shell.
    ``rm -f`` and ``curl`` are what some of them would forbid."""
    answer = write("answer.json", orjson.dumps(family.tasks[0].gold).decode()).command
    return [
        [think("The paper first."), call("documents.open_paper", paper=PAPER)],
        [call("documents.grep_paper", paper=PAPER, pattern="resistance"), call("figures.list_figures", paper=PAPER)],
        call("figures.view_figure", paper=PAPER, figure="Fig. 1"),
        shell(f"rm -f draft.json\n{answer}\ncurl -sS http://{HOST}/ || true"),
        say("The answer is written."),
    ]


async def run_cli(
    name: str,
    sandbox: Any,
    folder: Path,
    script: Script,
    family: Family,
    *,
    make: Callable[..., Agent] = get_agent,
    thinking: str = "scripted",
) -> Ran:
    """One trial, into ``folder``, of the agent that ``make`` makes with the model called ``thinking``; KEY is in the
    environment."""
    with ScriptedModel(script, key=KEY) as model:
        choice = ModelChoice(provider="compatible", name=thinking, base_url=model.url)
        [plan] = plan_trials([(family, family.tasks[0])], make(name, {}, choice), 1, model=choice)
        marker = Marker([plan.task], ScoringOptions())
        try:
            trial = TrialRun(plan, folder, Surroundings(sandbox, marker, SERVERS))
            return Ran(await trial.run(), folder, trial.token, model)
        finally:
            marker.close()


def shapes(trajectory: Trajectory) -> list[tuple[Any, ...]]:
    """What the steps have in common whichever CLI made them: source, words, reasoning, calls, pictures of results."""
    return [_shape(step) for step in trajectory.steps]


def _shape(step: Step) -> tuple[Any, ...]:
    calls = ["shell" if each.function_name in _SHELLS else _tool(each.function_name) for each in step.tool_calls or ()]
    results = step.observation.results if step.observation is not None else ()
    pictures = tuple(sum(part.type == "image" for part in _parts(result.content)) for result in results)
    return (step.source, step.message if step.source == "agent" else "", step.reasoning_content, tuple(calls), pictures)


def _tool(name: str) -> str:
    """``open_paper`` of whatever a CLI calls it."""
    return "_".join(name.rsplit("_", 2)[-2:])


def _parts(content: Any) -> Sequence[ContentPart]:
    return content if isinstance(content, list) else ()
