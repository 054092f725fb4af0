"""The four real CLIs in Docker: the same work, the same trajectory, whichever of them does it."""

import base64
import json
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from pincite_sandbox.images.versions import agents_versions
from pincite_trajectory.sessions import read_session

CLIS = ("claude-code", "codex", "gemini-cli", "qwen-code")
PACKAGES = ("@anthropic-ai/claude-code", "@openai/codex", "@google/gemini-cli", "@qwen-code/qwen-code")
pytestmark = pytest.mark.docker
every_cli = pytest.mark.parametrize("name", CLIS)


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


@every_cli
def test_tokens_are_those_that_the_model_counted(name: str, in_docker: dict[str, Any]) -> None:
    ran = in_docker[name]
    metrics, counted = ran.trajectory.final_metrics, ran.model.usage
    assert (metrics.total_prompt_tokens, metrics.total_completion_tokens) == (
        counted.input_tokens,
        counted.output_tokens,
    )
    assert ran.record.model_calls == len([request for request in ran.model.requests if request.kind == "turn"]) == 5


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


@every_cli
def test_tells_nobody_anything(name: str, in_docker: dict[str, Any]) -> None:
    """Where there is a way out, it is the model that goes it: no telemetry, no updates, no lists of plugins."""
    wire = [json.loads(line) for line in (in_docker[name].folder / "wire" / "web.jsonl").read_text().splitlines()]
    assert [record["url"] for record in wire if record["kind"] != "response"] == ["http://nowhere.invalid/"]


@every_cli
def test_its_own_record_is_kept_and_no_secret(name: str, in_docker: dict[str, Any], cli_trials: ModuleType) -> None:
    """The model asked for the real key and got it: it stands nowhere, nor does the trial's token."""
    ran = in_docker[name]
    files = [path for path in ran.folder.rglob("*") if path.is_file()]
    assert [path for path in files if path.suffix == ".jsonl" and "agent" in path.relative_to(ran.folder).parts]
    for secret in (ran.token, cli_trials.KEY):
        assert [path for path in files if secret.encode() in path.read_bytes()] == []


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
