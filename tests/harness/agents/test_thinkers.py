"""zeroshot and react as agents of a trial: their options, and one whole trial of each in its sandbox."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_doors.testing import Script, ScriptedModel, call, call_unknown, say, think
from pincite_harness.agents.agent import Briefing, Ending
from pincite_harness.agents.registry import get_agent
from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_harness.trial.servers import SERVERS
from pincite_models.choice import ModelChoice
from pincite_scoring import ScoringOptions
from pincite_tasks.family import load_family
from pincite_tasks.trial_record import TrialRecord
from pincite_trajectory.validate import validate_trajectory

pytestmark = pytest.mark.anyio

KEY = "the-real-key-that-stays-outside"
CHOICE = ModelChoice.parse("anthropic:claude-opus-4-8", "http://127.0.0.1:9")
ANSWER: dict[str, Any] = {"properties": []}


@pytest.mark.parametrize(
    ("name", "options", "says"),
    [
        ("react", {"step": "3"}, "steps"),
        ("react", {"steps": "0"}, "a whole number from 1 on"),
        ("zeroshot", {"pages": "sound"}, "text or images"),
        ("zeroshot", {"steps": "3"}, "pages"),
        ("terminus", {"effort": "huge"}, "low or medium"),
    ],
)
def test_a_wrong_option_is_told_with_the_right_ones(name: str, options: dict[str, str], says: str) -> None:
    with pytest.raises(BadInputError, match=says):
        get_agent(name, options, CHOICE)


def test_a_resumed_run_needs_the_same_options() -> None:
    plain, other = (get_agent("react", options, CHOICE).digests() for options in ({}, {"steps": "7"}))
    assert {name for name in plain if plain[name] != other[name]} == {"options"}
    assert {".agent/react.py", ".agent/toolbox.py", ".agent/door.py", ".agent/thinking.py"} < set(plain)


def test_answers_that_no_client_can_read_are_the_models_failure() -> None:
    agent = get_agent("react", {}, CHOICE)
    words = b"react: UnexpectedModelBehavior: Invalid response from openai chat completions endpoint:\nchoices.0"
    failure = agent.diagnose(Ending(1, b"", words))
    assert failure is not None
    assert failure.cause == "model_failed"
    assert "Invalid response from openai" in failure.detail
    others = [Ending(0, b"", words), Ending(1, words, b""), Ending(1, b"", b"react: KeyError: 'tools'"), Ending(1)]
    assert [agent.diagnose(one) for one in others] == [None] * 4


def test_no_secret_stands_in_the_command_or_its_variables() -> None:
    briefing = Briefing("Do it.", "/work", {"documents": "http://127.0.0.1:1/mcp/documents"}, "trial-token", 60, "py")
    launch = get_agent("zeroshot", {"pages": "images"}, CHOICE).launch(briefing)
    assert list(launch.argv) == ["py", ".agent/zeroshot.py"]
    assert "trial-token" not in json.dumps([list(launch.argv), dict(launch.env)])
    assert json.loads(launch.files[".agent/options.json"]) == {"pages": "images"}


@pytest.fixture
def trial(tmp_path: Path, servers: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs the first task of a family with an agent, a script and a sandbox; the folder is ``tmp_path / "trial"``."""

    async def run(family_folder: Path, name: str, script: Script, sandbox: Any) -> tuple[TrialRecord, ScriptedModel]:
        monkeypatch.setenv("PINCITE_MODEL_API_KEY", KEY)
        family = load_family(family_folder)
        with ScriptedModel(script, key=KEY) as model:
            choice = ModelChoice.parse("anthropic:claude-opus-4-8", model.url)
            [plan] = plan_trials([(family, family.tasks[0])], get_agent(name, {}, choice), 1, choice)
            commands = {**SERVERS, **servers}
            marker = Marker([plan.task], ScoringOptions())
            try:
                record = await TrialRun(plan, tmp_path / "trial", Surroundings(sandbox, marker, commands)).run()
            finally:
                marker.close()
        return record, model

    return run


async def test_a_trial_of_react_in_bubblewrap(
    trial: Any, make_family: Callable[..., Path], tmp_path: Path, bubblewrap_ready: None
) -> None:
    script = [
        [think("Both."), call("demo.echo", text="hello"), call("demo.picture")],
        call("write_answer", answer=ANSWER),
        say("Done."),
    ]
    record, model = await trial(make_family(), "react", script, "bubblewrap")
    folder = tmp_path / "trial"
    assert (record.status, record.cause, model.left) == ("completed", None, 0), (folder / "agent.log").read_text()
    assert (record.tool_calls, record.model_calls) == (2, 3)
    assert record.tokens is not None
    assert (record.tokens.input, record.tokens.output) == (model.usage.input_tokens, model.usage.output_tokens)
    assert model.turns[1].images == 1
    assert list((folder / "media").glob("*.png"))
    trajectory = validate_trajectory(folder / "trajectory.json")
    called = [called.function_name for step in trajectory.steps for called in step.tool_calls or []]
    assert called == ["mcp__demo__echo", "mcp__demo__picture", "write_answer"]
    assert not [path for path in folder.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]


async def test_calls_of_one_turn_meet_at_the_server_and_those_that_reach_no_tool_are_counted(
    trial: Any, make_family: Callable[..., Path], tmp_path: Path, bubblewrap_ready: None
) -> None:
    """Each of the first two calls returns only when the other has come: none was held back behind the other."""
    script = [
        [call("demo.meet", name="first", parties=2), call("demo.meet", name="second", parties=2)],
        [call_unknown("open_papers", papers=[]), call("demo.fail")],
        [call("demo.echo", text="one too many"), call("demo.echo", text="two too many")],
        call("write_answer", answer=json.dumps(ANSWER)),
        say("Done."),
    ]
    record, model = await trial(make_family(limits="tool_calls = 3"), "react", script, "bubblewrap")
    folder = tmp_path / "trial"
    assert record.answered, (folder / "agent.log").read_text()
    assert list(model.turns[1].results) == ["first met 1", "second met 1"]
    assert (record.tool_calls, record.refused_tool_calls, record.unknown_tool_calls) == (3, 2, 1)
    trajectory = validate_trajectory(folder / "trajectory.json")
    counted = (trajectory.final_metrics.extra or {}) if trajectory.final_metrics is not None else {}
    names = [name for name in counted if name.endswith("tool_calls") and name != "unasked_tool_calls"]
    assert {name: counted[name] for name in names} == {name: getattr(record, name) for name in names}
    assert (len(names), record.failed_tool_calls, record.own_tool_calls) == (6, 1, 1)
    steps = trajectory.steps
    shown = [result.content for step in steps if step.observation for result in step.observation.results]
    assert shown[:2] == ["first met 1", "second met 1"], "recorded with the call that each belongs to"
    assert "Changed: $: a string with JSON -> an object" in str(shown[-1])


@pytest.mark.docker
async def test_a_trial_of_zeroshot_in_docker(
    trial: Any, make_family: Callable[..., Path], tmp_path: Path, agents_image_ready: str, faults_in_desk: Any
) -> None:
    family = make_family(servers='["documents"]')
    record, model = await trial(family, "zeroshot", [say(json.dumps(ANSWER))], "docker")
    folder = tmp_path / "trial"
    assert (record.status, record.cause) == ("completed", None), (folder / "agent.log").read_text()
    assert json.loads((folder / "answer.json").read_text()) == ANSWER
    assert (record.tool_calls, record.model_calls) == (1, 1)
    assert "Oxygen content" in model.turns[0].last
    validate_trajectory(folder / "trajectory.json")
    assert not faults_in_desk(folder)
