"""The four real CLIs in trials: the same work, the same trajectory, whichever of them does it."""

import asyncio
import base64
import json
import re
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_harness.agents.agent import Briefing
from pincite_harness.agents.cli.claude_code import ClaudeCode
from pincite_harness.testing import Usage, call, fail, hang, refuse, say, shell, turn, write
from pincite_harness.trajectory.sessions import read_session
from pincite_sandbox.images.versions import agents_versions

pytestmark = pytest.mark.anyio

CLIS = ("claude-code", "codex", "gemini-cli", "qwen-code")
PACKAGES = ("@anthropic-ai/claude-code", "@openai/codex", "@google/gemini-cli", "@qwen-code/qwen-code")
every_cli = pytest.mark.parametrize("name", CLIS)


@pytest.mark.docker
@every_cli
def test_completes_its_task_without_a_network(name: str, in_docker: dict[str, Any]) -> None:
    ran = in_docker[name]
    record = ran.record
    assert (record.status, record.cause, record.detail) == ("completed", None, None), ran.log
    assert record.sandbox.backend == "docker"
    assert record.agent_version == agents_versions()[PACKAGES[CLIS.index(name)]]
    assert record.tool_calls == 4
    assert (ran.score["status"], ran.score["metrics"]["f1"]) == ("scored", 1.0)
    assert (ran.model.left, ran.model.troubles) == (0, [])


@pytest.mark.docker
@every_cli
def test_leaves_the_trajectory_of_the_script(name: str, in_docker: dict[str, Any], cli_trials: ModuleType) -> None:
    ran = in_docker[name]
    assert ran.trajectory.schema_version == "ATIF-v1.8"
    assert cli_trials.shapes(ran.trajectory) == [
        ("system", "", None, (), ()),
        ("user", "", None, (), ()),
        ("agent", "", "The paper first.", ("open_paper",), (0,)),
        ("agent", "", None, ("grep_paper", "list_figures"), (0, 0)),
        ("agent", "", None, ("view_figure",), (1,)),
        ("agent", "", None, ("shell",), (0,)),
        ("agent", "The answer is written.", None, (), ()),
        ("agent", (ran.folder / "answer.json").read_text(), None, (), ()),
    ]


@pytest.mark.docker
@every_cli
def test_pictures_reach_the_model_and_are_kept_as_files(name: str, in_docker: dict[str, Any]) -> None:
    ran = in_docker[name]
    [path] = ran.trajectory.media_paths()
    picture = (ran.folder / path).read_bytes()
    assert picture.startswith(b"\x89PNG")
    sent = base64.b64encode(picture).decode()
    assert [request.images for request in ran.model.turns] == [0, 0, 0, 1, 1]
    assert sent in json.dumps(ran.model.turns[3].body)
    holding = [path.relative_to(ran.folder) for path in ran.folder.rglob("*.json*") if sent in path.read_text()]
    assert [path for path in holding if path.parts[0] != "agent"] == [], "only a CLI's own record may hold it"


@pytest.mark.docker
@every_cli
def test_tokens_are_those_that_the_model_counted(name: str, in_docker: dict[str, Any]) -> None:
    ran = in_docker[name]
    metrics, counted = ran.trajectory.final_metrics, ran.model.usage
    assert (metrics.total_prompt_tokens, metrics.total_completion_tokens) == (
        counted.input_tokens,
        counted.output_tokens,
    )
    assert ran.record.model_calls == len([request for request in ran.model.requests if request.kind == "turn"]) == 5


@pytest.mark.docker
@every_cli
def test_asks_one_model_and_shows_it_the_tools_at_once(name: str, in_docker: dict[str, Any]) -> None:
    ran = in_docker[name]
    assert {request.model for request in ran.model.requests if request.kind != "models"} == {"scripted"}
    first = ran.model.turns[0]
    offered = [f"{tool.namespace}__{tool.name}" for tool in first.tools]
    for server, tool in (("documents", "find_context"), ("figures", "zoom_figure")):
        assert [each for each in offered if server in each and each.endswith(tool)], offered
    assert [each for each in offered if re.search("web_?search|tool_search", each, re.IGNORECASE)] == []
    assert "Extract every property" in "".join(first.users)


@pytest.mark.docker
@every_cli
def test_tells_nobody_anything(name: str, in_docker: dict[str, Any]) -> None:
    """Where there is a way out, it is the model that goes it: no telemetry, no updates, no lists of plugins."""
    wire = [json.loads(line) for line in (in_docker[name].folder / "wire" / "web.jsonl").read_text().splitlines()]
    assert [record["url"] for record in wire if record["kind"] != "response"] == ["http://nowhere.invalid/"]


@pytest.mark.docker
@every_cli
def test_its_own_record_is_kept_and_no_secret(name: str, in_docker: dict[str, Any], cli_trials: ModuleType) -> None:
    """The model asked for the real key and got it: it stands nowhere, nor does the trial's token."""
    ran = in_docker[name]
    files = [path for path in ran.folder.rglob("*") if path.is_file()]
    assert [path for path in files if path.suffix == ".jsonl" and "agent" in path.relative_to(ran.folder).parts]
    for secret in (ran.token, cli_trials.KEY):
        assert [path for path in files if secret.encode() in path.read_bytes()] == []


@pytest.mark.docker
@every_cli
def test_its_own_record_tells_what_the_wire_tells(name: str, in_docker: dict[str, Any], tmp_path: Path) -> None:
    ran = in_docker[name]
    own = read_session(ran.folder / "agent", tmp_path)
    told = [step for step in own.steps if step.source == "agent"]
    seen = [step for step in ran.trajectory.steps if step.source == "agent"][:-1]
    assert [step.message for step in told] == [step.message for step in seen]
    for mine, wired in zip(told, seen, strict=True):
        calls = [[(call.function_name, call.arguments) for call in step.tool_calls or []] for step in (mine, wired)]
        assert calls[0] == calls[1]
    assert own.media_paths() == ran.trajectory.media_paths()
    total, counted = own.final_metrics, ran.model.usage
    assert (total.total_prompt_tokens, total.total_completion_tokens) == (counted.input_tokens, counted.output_tokens)


@pytest.mark.parametrize("name", ["claude-code", "codex"])
async def test_does_the_same_in_bubblewrap(
    name: str, on_this_machine: None, cli_trials: ModuleType, tmp_path: Path
) -> None:
    family = cli_trials.one_paper()
    ran = await cli_trials.run_cli(name, "bubblewrap", tmp_path / "trial", cli_trials.work(family), family)
    assert (ran.record.status, ran.record.detail) == ("completed", None), ran.log
    assert ran.record.sandbox.backend == "bubblewrap"
    assert ran.score["metrics"]["f1"] == 1.0


class Deaf(ClaudeCode):
    """Is told a wrong address for one of its servers."""

    def settings(self, briefing: Briefing, home: str) -> Mapping[str, bytes]:
        lost = {**briefing.tools, "figures": "http://127.0.0.1:9/mcp/figures"}
        return super().settings(replace(briefing, tools=lost), home)


async def test_a_lost_server_is_a_failure_of_its_own(
    on_this_machine: None, cli_trials: ModuleType, tmp_path: Path
) -> None:
    """Claude Code goes on without a server that it could not reach, and writes an answer all the same."""
    script = [write("answer.json", '{"properties": []}'), say("Done.")]
    family = cli_trials.one_paper()
    ran = await cli_trials.run_cli("claude-code", "bubblewrap", tmp_path / "trial", script, family, make=Deaf)
    assert (ran.record.status, ran.record.cause) == ("failed", "server_failed")
    assert "figures (its tools were never asked for)" in ran.record.detail
    assert ran.score["status"] == "unscored"


SPENT = Usage(900, 9)
ENDINGS = (
    ("model_failed", "server_error", [fail(500, times=None)], {}),
    ("refused", "refused", [refuse()], {}),
    ("limit_reached", "tokens: 500", [turn(call("documents.list_tables", paper="a"), usage=SPENT)], {"tokens": 500}),
    ("limit_reached", "wall clock: 12 s", [shell("sleep 9")] * 5, {"wall_clock_seconds": 12}),
    ("model_failed", "had sent nothing", [hang(times=None)], {"wall_clock_seconds": 12}),
    ("agent_failed", "ended with exit code", [shell("kill -9 $PPID")], {}),
)


async def test_failures_are_told_apart(on_this_machine: None, cli_trials: ModuleType, tmp_path: Path) -> None:
    """One real CLI, six ways to end badly, side by side."""

    def trial(number: int) -> Any:
        *_, script, limits = ENDINGS[number]
        family = cli_trials.one_paper(**limits)
        return cli_trials.run_cli("codex", "bubblewrap", tmp_path / str(number), [*script, say("Done.")], family)

    ended = await asyncio.gather(*map(trial, range(len(ENDINGS))))
    for (cause, said, *_), ran in zip(ENDINGS, ended, strict=True):
        assert (ran.record.cause, said in ran.record.detail) == (cause, True), f"{ran.record.detail}\n{ran.log}"
    assert len(ended[0].model.requests) == 5, "it gives up after it asked four more times"
