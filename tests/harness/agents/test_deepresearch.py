"""deepresearch: searches, visits, answers, and says why it ended."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from mcp.server import MCPServer
from mcp.server.mcpserver.exceptions import ToolError

from pincite_doors.testing import ScriptedModel, call, say

PAPER = "ybco_oxygen.pdf"
ANSWER = {"values": ["92"]}
SCHEMA = {"type": "object", "properties": {"values": {"type": "array", "items": {"type": "string"}}}}


@pytest.fixture(scope="module")
def search(serve: Any) -> Iterator[str]:
    """A server whose search knows one page, and fails for what it does not know."""
    server: MCPServer[Any] = MCPServer("search")

    @server.tool(structured_output=False)
    def search_web(query: str) -> str:
        """Search the web."""
        if "oxygen" not in query:
            raise ToolError("the engine is out of order")
        return f"One page: {PAPER}"

    with serve(server) as address:
        yield address


@pytest.fixture
def research(
    program: Any,
    addresses: Mapping[str, str],
    search: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> Callable[..., tuple[dict[str, Any], Any, ScriptedModel]]:
    """Runs the program on a script: the event that says how it ended, the answer and the model."""

    def run(script: Any, limits: Any = None, **options: str) -> tuple[dict[str, Any], Any, ScriptedModel]:
        tools = {"documents": addresses["documents"], "literature": search}
        with ScriptedModel(script) as model:
            task: dict[str, Any] = {
                "papers": [PAPER],
                "files": [],
                "answer": "answer.json",
                "tools": {name: {"url": url, "headers": {}} for name, url in tools.items()},
                "limits": limits or {},
                "model": {"url": model.url, "name": "m", "dialect": "openai.chat", "api_key": "token"},
            }
            files = {"task.json": json.dumps(task), "prompt.md": "How hot?", "schema.json": json.dumps(SCHEMA)}
            files["options.json"] = json.dumps(options)
            for name, text in files.items():
                (tmp_path / name).write_text(text)
            module = program("deepresearch")
            with monkeypatch.context() as patch:
                patch.chdir(tmp_path)
                patch.setattr(module, "OPTIONS", tmp_path / "options.json")
                assert module.main() == 0
        lines = (tmp_path / ".agent/state.jsonl").read_text().splitlines()
        [ended] = [event for line in lines if (event := json.loads(line))["kind"] == "Concluded"]
        answer = tmp_path / "answer.json"
        return ended, json.loads(answer.read_text()) if answer.exists() else None, model

    return run


def test_it_searches_visits_and_answers(research: Any) -> None:
    script = [
        call("search", queries=["oxygen content", "something else"]),
        call("visit", url=PAPER, goal="critical temperature"),
        say(json.dumps(ANSWER)),
    ]
    ended, answer, model = research(script)
    assert (ended["reason"], ended["searches"], ended["visits"], answer) == ("answer", 1, 1, ANSWER)
    assert "out of order" in model.turns[1].last, "a search that fails is told"
    visited = model.turns[2].last
    assert "passages, those nearest to the goal" in visited
    assert "K" in visited


def test_why_it_ended(research: Any) -> None:
    again = call("search", queries=["oxygen"])
    ended, answer, model = research([again, again, again, say(json.dumps(ANSWER))])
    assert (ended["reason"], answer) == ("repeated_calls", ANSWER)
    assert "No call is left" in model.turns[-1].last
    others = [call("search", queries=[f"oxygen {number}"]) for number in range(20)]
    ended, _, model = research([*others[:8], say(json.dumps(ANSWER))], calls="10")
    assert (ended["reason"], len(model.turns)) == ("call_limit", 9)
    ended, *_ = research([say("I do not know.")])
    assert ended["reason"] == "no_answer"
