"""One trial, with each cause of failure provoked for real: a real sandbox, a real server, a real program."""

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_harness.trial.marking import Marker
from pincite_harness.trial.plan import plan_trials
from pincite_harness.trial.run import Surroundings, TrialRun
from pincite_scoring import ScoringOptions
from pincite_tasks.family import load_family
from pincite_tasks.files import read_json
from pincite_tasks.trial_record import TrialRecord, parse_record
from pincite_trajectory.validate import validate_trajectory

pytestmark = pytest.mark.anyio

ANSWER = orjson.dumps({"properties": []}).decode()


class TrialRig:
    """Runs the first task of a family with an agent and keeps the folder."""

    def __init__(self, folder: Path, servers: Any, sandbox: Any = "process") -> None:
        self.folder = folder
        self._servers = servers
        self._sandbox = sandbox

    def trial(self, family_folder: Path, agent: Any) -> TrialRun:
        family = load_family(family_folder)
        [plan] = plan_trials([(family, family.tasks[0])], agent, 1)
        self._marker = Marker([plan.task], ScoringOptions())
        return TrialRun(plan, self.folder, Surroundings(self._sandbox, self._marker, self._servers))

    async def run(self, family_folder: Path, agent: Any) -> TrialRecord:
        trial = self.trial(family_folder, agent)
        try:
            return await trial.run()
        finally:
            self.close()

    def close(self) -> None:
        self._marker.close()

    @property
    def score(self) -> dict[str, Any]:
        return read_json(self.folder / "score.json")

    @property
    def log(self) -> str:
        return (self.folder / "agent.log").read_text()


@pytest.fixture
def rig(tmp_path: Path, servers: Any) -> TrialRig:
    return TrialRig(tmp_path / "trials" / "t1__1", servers)


@pytest.fixture(autouse=True)
def nothing_left() -> Iterator[None]:
    """No trial may leave a child process behind."""
    before = children()
    yield
    assert children() <= before


def children() -> set[int]:
    """Living processes whose parent is this one."""
    found: set[int] = set()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[1]) == os.getpid() and fields[0] != "Z":
            found.add(int(stat.parent.name))
    return found


async def test_a_whole_trial(tmp_path: Path, servers: Any, make_family: Any, actor: Any, sandbox_kind: str) -> None:
    rig = TrialRig(tmp_path / "trials" / "t1__1", servers, sandbox_kind)
    agent = actor("tools", "", "call", 'echo {"text": "hello"}', "call", "picture", "answer", ANSWER)
    record = await rig.run(make_family(), agent)
    assert (record.status, record.cause, record.exit_code) == ("completed", None, 0)
    assert record.tool_calls == 2
    assert record.answered
    assert list(record.stages) == ["prepare", "start", "agent", "collect", "stop", "validate", "score", "write"]
    assert record.sandbox is not None
    assert record.sandbox.backend == sandbox_kind
    assert parse_record(read_json(rig.folder / "trial.json"), "") == record
    assert read_json(rig.folder / "answer.json") == {"properties": []}
    assert rig.score["status"] == "scored"
    assert "hello" in rig.log

    trajectory = validate_trajectory(rig.folder / "trajectory.json")
    assert [step.source for step in trajectory.steps] == ["user", "agent", "agent", "agent"]
    assert trajectory.steps[0].message == "Read these papers:\n\n- a.pdf\n"
    echo = trajectory.steps[1]
    assert echo.tool_calls is not None
    assert echo.tool_calls[0].function_name == "mcp__demo__echo"
    assert echo.tool_calls[0].arguments == {"text": "hello"}
    assert echo.observation is not None
    assert echo.observation.results[0].content == "hello"
    assert len(trajectory.media_paths()) == 1
    assert trajectory.agent.tool_definitions is not None
    assert trajectory.steps[-1].message == ANSWER


async def test_what_the_agent_finds(rig: TrialRig, make_family: Any, actor: Any) -> None:
    agent = actor("show", "prompt.md", "show", "mcp.json", "show", "schema.json", "exit", "0")
    await rig.run(make_family(), agent)
    assert "- a.pdf" in rig.log
    assert '"type": "http"' in rig.log
    assert "[trial token]" in rig.log
    assert "gold" not in rig.log


@pytest.mark.parametrize(("needs_gold", "code"), [(False, 1), (True, 0)])
async def test_gold_is_there_only_for_who_needs_it(
    rig: TrialRig, make_family: Any, actor: Any, needs_gold: bool, code: int
) -> None:
    record = await rig.run(make_family(), actor("show", "gold.json", needs_gold=needs_gold))
    assert record.exit_code == code
    assert ('"properties"' in rig.log) is needs_gold


async def test_the_token_reaches_no_file(rig: TrialRig, make_family: Any, actor: Any) -> None:
    """An agent that prints its token, sends it through a tool and answers with it."""
    trial = rig.trial(make_family(), actor("leak", ""))
    token = trial.token
    record = await trial.run()
    rig.close()
    assert record.cause == "invalid_answer"
    files = [path for path in rig.folder.rglob("*") if path.is_file()]
    assert {"agent.log", "answer.json", "mcp.jsonl", "trial.json", "trajectory.json"} <= {path.name for path in files}
    assert [path.name for path in files if token.encode() in path.read_bytes()] == []
    assert "my token is [trial token]" in rig.log


async def test_wall_clock(rig: TrialRig, make_family: Any, actor: Any) -> None:
    folder = make_family(limits="wall_clock_seconds = 2")
    record = await rig.run(folder, actor("answer", ANSWER, "linger", "60", "sleep", "60"))
    assert (record.status, record.cause) == ("limit_reached", "limit_reached")
    assert record.exit_code is None
    assert "wall clock" in str(record.detail)
    assert record.answered
    assert rig.score["status"] == "scored", "a limit is scored, not an error"


async def test_a_tool_that_hangs_does_not_hold_up_the_end(rig: TrialRig, make_family: Any, actor: Any) -> None:
    folder = make_family(limits="wall_clock_seconds = 2")
    agent = actor("answer", ANSWER, "call", 'slow {"seconds": 600}')
    record = await asyncio.wait_for(rig.run(folder, agent), 120)
    assert record.cause == "limit_reached"
    trajectory = validate_trajectory(rig.folder / "trajectory.json")
    assert trajectory.steps[1].observation is not None
    assert trajectory.steps[1].observation.results[0].extra is not None
    assert trajectory.steps[1].observation.results[0].extra["is_error"]


async def test_tool_call_limit(rig: TrialRig, make_family: Any, actor: Any) -> None:
    folder = make_family(limits="tool_calls = 1")
    calls = ("call", 'echo {"text": "x"}') * 2
    record = await rig.run(folder, actor(*calls, "answer", ANSWER))
    assert (record.status, record.cause) == ("limit_reached", "limit_reached")
    assert record.tool_calls == 1
    assert "limit of 1 tool calls is reached" in rig.log
    assert rig.score["status"] == "scored"


async def test_tool_filter_of_the_family(rig: TrialRig, make_family: Any, actor: Any) -> None:
    folder = make_family(more='[tools.demo]\nallow = ["echo"]')
    await rig.run(folder, actor("tools", "", "call", "picture", "answer", ANSWER))
    assert rig.log.splitlines()[0] == "echo"
    assert "not offered" in rig.log


@pytest.mark.parametrize("left", [None, ANSWER])
async def test_agent_failed(rig: TrialRig, make_family: Any, actor: Any, left: str | None) -> None:
    words = ("answer", left) if left else ()
    record = await rig.run(make_family(), actor(*words, "exit", "3"))
    assert (record.status, record.cause, record.exit_code) == ("failed", "agent_failed", 3)
    assert record.answered is (left is not None)
    assert rig.score["status"] == "scored", "the agent's own doing counts"


@pytest.mark.parametrize(
    ("answer", "seen"),
    [
        (None, "left no answer.json"),
        ("not json", "is not JSON"),
        ('{"properties": [{"value": NaN}]}', "is not JSON"),
        ('{"properties": 3}', "breaks the schema at $.properties"),
        ("[]", "breaks the schema at $"),
    ],
)
async def test_invalid_answer(rig: TrialRig, make_family: Any, actor: Any, answer: str | None, seen: str) -> None:
    words = ("answer", answer) if answer is not None else ("print", "nothing")
    record = await rig.run(make_family(), actor(*words))
    assert (record.status, record.cause) == ("failed", "invalid_answer")
    assert seen in str(record.detail)
    assert not record.answered
    assert rig.score["status"] == "scored"
    assert (rig.folder / "answer.json").exists() is (answer is not None), "what was left is kept as evidence"


async def test_an_answer_beyond_all_bounds(rig: TrialRig, make_family: Any, actor: Any) -> None:
    record = await rig.run(make_family(), actor("big_answer", "20000001"))
    assert record.cause == "invalid_answer"
    assert not (rig.folder / "answer.json").exists()


async def test_server_died(rig: TrialRig, make_family: Any, actor: Any) -> None:
    record = await rig.run(make_family(), actor("call", "die", "answer", ANSWER))
    assert (record.status, record.cause) == ("failed", "server_failed")
    assert "demo" in str(record.detail)
    assert "outage" in rig.log
    assert rig.score["status"] == "unscored", "an outage is not the agent's failure"
    assert "server_failed" in rig.score["reason"]


async def test_server_does_not_start(rig: TrialRig, make_family: Any, actor: Any, servers: Any) -> None:
    servers["demo"] = (servers["demo"][0], "-c", "import sys; sys.exit('no luck today')")
    record = await rig.run(make_family(), actor("answer", ANSWER))
    assert record.cause == "server_failed"
    assert "no luck today" in str(record.detail)
    assert "agent" not in record.stages


async def test_sandbox_failed(tmp_path: Path, servers: Any, make_family: Any, actor: Any, monkeypatch: Any) -> None:
    monkeypatch.setenv("DOCKER_HOST", f"unix://{tmp_path}/no-daemon.sock")
    rig = TrialRig(tmp_path / "trial", servers, sandbox="docker")
    record = await rig.run(make_family(), actor("answer", ANSWER))
    assert (record.status, record.cause) == ("failed", "sandbox_failed")
    assert rig.score["status"] == "unscored"


async def test_scorer_failed(rig: TrialRig, make_family: Any, actor: Any) -> None:
    folder = make_family()
    settings = (folder / "family.toml").read_text()
    (folder / "family.toml").write_text(settings.replace('"property_extraction"', '"unheard_of"'))
    record = await rig.run(folder, actor("answer", ANSWER))
    assert (record.status, record.cause) == ("failed", "scorer_failed")
    assert rig.score["status"] == "unscored"
    assert read_json(rig.folder / "answer.json") == {"properties": []}, "the answer is there for pincite score"


async def test_a_task_without_gold_is_unscored_with_its_reason(rig: TrialRig, make_family: Any, actor: Any) -> None:
    record = await rig.run(make_family(gold=None), actor("answer", ANSWER))
    assert record.status == "completed"
    assert rig.score["status"] == "unscored"
    assert rig.score["reason"]


async def test_cancelled(rig: TrialRig, make_family: Any, actor: Any) -> None:
    trial = rig.trial(make_family(), actor("call", 'echo {"text": "begun"}', "linger", "60", "sleep", "60"))
    running = asyncio.create_task(trial.run())
    while not (rig.folder / "agent.log").exists() or "begun" not in rig.log:
        await asyncio.sleep(0.02)
        assert not running.done()
    running.cancel()
    record = await running
    rig.close()
    assert (record.status, record.cause) == ("cancelled", "cancelled")
    assert not record.finished
    assert record.tool_calls == 1
    validate_trajectory(rig.folder / "trajectory.json")


async def test_a_call_with_odd_arguments_is_kept_as_it_was(rig: TrialRig, make_family: Any, actor: Any) -> None:
    """The server turns such calls down; the trial goes on and its trajectory tells what was sent."""
    odd = [value for given in ("[1]", '"x"', "5", "null") for value in ("call_oddly", f'echo {{"arguments": {given}}}')]
    record = await rig.run(make_family(), actor(*odd, "answer", ANSWER))
    assert (record.status, record.cause, record.faults) == ("completed", None, [])
    trajectory = validate_trajectory(rig.folder / "trajectory.json")
    calls = [call for step in trajectory.steps for call in step.tool_calls or []]
    assert [call.arguments for call in calls] == [{}] * 4
    assert [(call.extra or {}).get("raw_arguments") for call in calls] == ["[1]", '"x"', "5", None]


async def test_what_a_family_limits_of_an_answer(tmp_path: Path, servers: Any, make_family: Any, actor: Any) -> None:
    for name, limits, cause, told in (
        ("small", "answer_bytes = 300", "invalid_answer", "300 bytes"),
        ("short", "scoring_seconds = 0.001", "scorer_failed", "longer than is allowed"),
    ):
        rig = TrialRig(tmp_path / name, servers)
        record = await rig.run(
            make_family(name, limits=limits, servers="[]"), actor("big_answer", "300" if name == "small" else "3")
        )
        assert record.cause == cause
        assert told in (record.detail or "")
    assert read_json(tmp_path / "short" / "score.json")["status"] == "unscored"


async def test_a_fault_of_the_harness_is_the_trials_own(
    rig: TrialRig, make_family: Any, actor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A family whose prompt cannot be filled any more stands for what nobody expected: the trial fails and says why."""

    def broken(*_: Any) -> str:
        raise KeyError("what nobody expected")

    monkeypatch.setattr("pincite_harness.trial.run.write_brief", broken)
    record = await rig.run(make_family(), actor("answer", ANSWER))
    assert (record.status, record.cause) == ("failed", "sandbox_failed")
    assert record.faults == ["start: KeyError: 'what nobody expected'"]
    assert "Traceback" in (rig.folder / "faults.log").read_text()
    assert parse_record(read_json(rig.folder / "trial.json"), "") == record


async def test_a_trajectory_that_cannot_be_built_takes_no_score_away(
    rig: TrialRig, make_family: Any, actor: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: Any) -> Any:
        raise ValueError("odd")

    monkeypatch.setattr("pincite_harness.trial.run.build_trajectory", broken)
    record = await rig.run(make_family(), actor("answer", ANSWER))
    assert (record.status, record.faults) == ("completed", ["write: ValueError: odd"])
    assert rig.score["status"] == "scored"
    assert "faults.log" in (record.detail or "")
