"""What a script means: turns in order, tools by any client's names, side requests, several conversations."""

import json
import subprocess
import threading
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import httpx
import pytest

from pincite_core.errors import UnavailableError
from pincite_doors.testing import ScriptedModel, asks, call, say, shell, turn, write

FUNCTION = {"type": "object", "properties": {"path": {"type": "string"}}}


@cache
def http() -> httpx.Client:
    """One for all tests: to make one takes longer than to ask."""
    return httpx.Client()


@pytest.fixture(scope="module", autouse=True)
def _closed_at_last() -> Iterator[None]:
    yield
    http().close()


@pytest.fixture
def streamed_events() -> Callable[[str], list[dict[str, Any]]]:
    """Reads the data of server-sent events."""
    return lambda text: [json.loads(line[6:]) for line in text.splitlines() if line.startswith("data: ")]


def ask(model: ScriptedModel, words: str = "Go.", *, tools: Any = (), system: str = "", **more: Any) -> dict[str, Any]:
    messages: list[Any] = [{"role": "user", "content": words}]
    described = [{"name": name, "input_schema": schema} for name, schema in dict(tools).items()]
    body = {"model": "m", "max_tokens": 99, "system": system, "messages": messages, "tools": described, **more}
    return http().post(f"{model.url}/v1/messages", json=body).json()


def said(answer: dict[str, Any]) -> str:
    return "".join(part.get("text", "") for part in answer["content"])


def test_turns_are_played_in_order_and_the_end_is_told() -> None:
    with ScriptedModel([say("one"), [say("two"), say("!")], turn(say("three"))]) as model:
        assert model.left == 3
        assert [said(ask(model)) for _ in range(4)] == ["one", "two!", "three", "The script is over."]
        assert model.left == 0
    assert [request.turn for request in model.requests] == [0, 1, 2, None]
    assert len(model.turns) == 3


def test_a_turn_can_depend_on_the_request() -> None:
    with ScriptedModel([lambda request: say(request.last.upper()), lambda request: [say(request.system)]]) as model:
        assert said(ask(model, "loud")) == "LOUD"
        assert said(ask(model, system="quiet")) == "quiet"


@pytest.mark.parametrize(
    "name",
    [
        "open_paper",
        "documents_open_paper",
        "mcp__documents__open_paper",
        "mcp_documents_open_paper",
        "documents.open_paper",
    ],
)
def test_an_mcp_tool_is_found_under_the_clients_name(name: str) -> None:
    tools = {"mcp__library__open_paper": FUNCTION, name: FUNCTION}
    with ScriptedModel([call("documents.open_paper", path="a")]) as model:
        (part,) = ask(model, tools=tools)["content"]
    assert (part["name"], part["input"]) == (name, {"path": "a"})


def test_a_tool_is_found_by_its_own_name_alone() -> None:
    with ScriptedModel([call("final_answer", value=1), call("open_paper")]) as model:
        tools = {"final_answer": FUNCTION, "mcp__documents__open_paper": FUNCTION}
        assert ask(model, tools=tools)["content"][0]["name"] == "final_answer"
        assert ask(model, tools=tools)["content"][0]["name"] == "mcp__documents__open_paper"


def test_a_namespace_of_the_responses_api_is_told_apart() -> None:
    group = {"type": "namespace", "name": "mcp__documents", "tools": [{"type": "function", "name": "open_paper"}]}
    tools = [{"type": "function", "name": "shell", "parameters": {"properties": {"command": {"type": "array"}}}}, group]
    with ScriptedModel([[call("documents.open_paper", path="a"), shell("ls")]]) as model:
        body = {"model": "m", "input": "Go.", "tools": tools}
        first, second = http().post(f"{model.url}/v1/responses", json=body).json()["output"]
    assert (first["namespace"], first["name"], first["arguments"]) == ("mcp__documents", "open_paper", '{"path": "a"}')
    assert "namespace" not in second
    assert second["arguments"] == '{"command": ["bash", "-c", "ls"]}'


def test_a_tool_that_takes_text_gets_it(streamed_events: Any) -> None:
    patch = "*** Begin Patch\n*** Add File: a.txt\n+hello\n*** End Patch"
    tools = [{"type": "custom", "name": "apply_patch", "format": {"type": "grammar"}}]
    with ScriptedModel([call("apply_patch", input=patch)] * 2) as model:
        body = {"model": "m", "input": "Go.", "tools": tools}
        (item,) = http().post(f"{model.url}/v1/responses", json=body).json()["output"]
        events = streamed_events(http().post(f"{model.url}/v1/responses", json=body | {"stream": True}).text)
    assert (item["type"], item["name"], item["input"]) == ("custom_tool_call", "apply_patch", patch)
    deltas = [event["delta"] for event in events if event["type"] == "response.custom_tool_call_input.delta"]
    assert "".join(deltas) == patch


def test_a_tool_that_is_not_offered_is_a_trouble_that_is_told() -> None:
    with ScriptedModel([call("figures.zoom")]) as model:
        answer = ask(model, tools={"Bash": FUNCTION})
    assert "offers no tool for figures.zoom" in answer["error"]["message"]
    assert len(model.troubles) == 1
    assert "Bash" in model.troubles[0]


@pytest.mark.parametrize(
    ("name", "properties", "required", "arguments"),
    [
        ("Bash", {"command": {"type": "string"}}, ["command"], {"command": "ls"}),
        ("exec_command", {"cmd": {"type": "string"}}, ["cmd"], {"cmd": "ls"}),
        (
            "run_shell_command",
            {"command": {"type": "string"}, "is_background": {"type": "boolean"}},
            ["command", "is_background"],
            {"command": "ls", "is_background": False},
        ),
    ],
)
def test_the_shell_gets_the_arguments_that_it_wants(name: str, properties: Any, required: Any, arguments: Any) -> None:
    schema = {"type": "object", "properties": properties, "required": required}
    with ScriptedModel([shell("ls")]) as model:
        assert ask(model, tools={name: schema})["content"][0]["input"] == arguments


def test_a_file_is_written_as_it_is(tmp_path: Any) -> None:

    text = '{"quote": "it\'s $HOME `x` \\\\"}\n\n'
    with ScriptedModel([write("sub/answer.json", text)]) as model:
        command = ask(model, tools={"Bash": FUNCTION})["content"][0]["input"]["command"]
    subprocess.run(["bash", "-c", command], cwd=tmp_path, check=True)
    assert (tmp_path / "sub" / "answer.json").read_text() == text


def test_side_requests_get_a_harmless_answer_and_play_no_turn() -> None:
    tools = {"Bash": FUNCTION}
    with ScriptedModel([shell("ls"), say("done")]) as model:
        assert said(ask(model, "A title?")) == "scripted"
        ask(model, tools=tools)
        schema = {"type": "object", "properties": {"next": {"enum": ["user", "model"]}, "n": {"type": "integer"}}}
        asked = {"output_config": {"format": {"type": "json_schema", "schema": schema}}}
        assert said(ask(model, "Who is next?", **asked)) == '{"next": "user", "n": 0}'
        assert said(ask(model, tools=tools)) == "done"
        assert said(ask(model, "A summary?")) == "scripted"
    assert [request.kind for request in model.requests] == ["side", "turn", "side", "turn", "side"]


def test_a_conversation_without_tools_is_no_side_request() -> None:
    with ScriptedModel([say("one"), say("two")]) as model:
        assert [said(ask(model)), said(ask(model))] == ["one", "two"]


def test_other_conversations_play_scripts_of_their_own() -> None:
    tools = {"Task": FUNCTION}
    others = [
        (asks("Count"), [say("sub one"), say("sub two")]),
        (lambda request: "Summarise" in request.last, [say("a summary")]),
    ]
    with ScriptedModel([call("Task"), say("main")], others=others) as model:
        ask(model, tools=tools)
        assert said(ask(model, "Count them.", tools=tools)) == "sub one"
        assert said(ask(model, tools=tools)) == "main"
        assert said(ask(model, "Count them.", tools=tools)) == "sub two"
        assert said(ask(model, "Summarise.")) == "a summary"
        assert model.left == 0


def test_parallel_requests_play_each_turn_once() -> None:
    heard: list[str] = []
    with ScriptedModel([say(str(number)) for number in range(24)]) as model:
        threads = [threading.Thread(target=lambda: heard.extend(said(ask(model)) for _ in range(6))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert sorted(map(int, heard)) == list(range(24))
    assert [request.number for request in model.requests] == list(range(1, 25))


def test_unknown_paths_are_errors_and_harmless() -> None:
    with ScriptedModel([say("one")]) as model:
        assert http().head(model.url).status_code == 404
        assert http().post(f"{model.url}/v1/embeddings", json={}).status_code == 404
        assert http().post(f"{model.url}/v1/messages", content=b"{broken").status_code == 200
    assert [request.kind for request in model.requests] == ["other", "other", "turn"]


def test_it_can_be_entered_again_on_the_same_port() -> None:
    model = ScriptedModel([say("one"), say("two")])
    with pytest.raises(UnavailableError):
        _ = model.url
    with model:
        first = model.url
        ask(model)
    again = ScriptedModel([say("three")], port=int(first.rpartition(":")[2]))
    with again:
        assert again.url == first
        assert said(ask(again)) == "three"
