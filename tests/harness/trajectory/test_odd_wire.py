"""What agents, models and servers put on the wire may have any shape: a trajectory is built of it, and keeps it."""

import copy
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_harness.trial.tools_shown import lost_tools
from pincite_models.dialects.model import DialectName
from pincite_models.dialects.table import DIALECTS
from pincite_scoring.tool_uses import tool_uses
from pincite_trajectory.atif import Trajectory
from pincite_trajectory.build import Episode, build_trajectory, trajectory_json

AT = "2026-11-21T09:00:00+00:00"
ODD: list[Any] = [[1], "x", None, 5, -3, 1.5, True, {}, {"a": [1]}, [], [["b"]], [{}], "", 1e300]
PATHS = {
    "openai.chat": "/v1/chat/completions",
    "openai.responses": "/v1/responses",
    "anthropic.messages": "/v1/messages",
    "google.generate": "/v1beta/models/m:generateContent",
}
Record = dict[str, Any]


def answer_with(dialect: str, arguments: Any) -> tuple[Record, Record]:
    """A request and its answer with one tool call, whose arguments may be anything."""
    tool = {"name": "echo", "description": "Echoes.", "parameters": {"type": "object"}}
    if dialect == "openai.chat":
        call = {"id": "c1", "type": "function", "function": {"name": "echo", "arguments": arguments}}
        message = {"role": "assistant", "content": "So.", "tool_calls": [call]}
        request = {"messages": [{"role": "user", "content": "Go."}], "tools": [{"type": "function", "function": tool}]}
        return request, {"id": "r", "choices": [{"index": 0, "message": message, "finish_reason": "tool_calls"}]}
    if dialect == "openai.responses":
        item = {"type": "function_call", "call_id": "c1", "name": "echo", "arguments": arguments}
        return {"input": "Go.", "tools": [{"type": "function", **tool}]}, {"status": "completed", "output": [item]}
    if dialect == "anthropic.messages":
        block = {"type": "tool_use", "id": "c1", "name": "echo", "input": arguments}
        request = {"messages": [{"role": "user", "content": "Go."}], "tools": [{"name": "echo", "input_schema": {}}]}
        return request, {"id": "r", "role": "assistant", "content": [block], "stop_reason": "tool_use"}
    part = {"functionCall": {"name": "echo", "args": arguments}}
    request = {"contents": [{"role": "user", "parts": [{"text": "Go."}]}], "tools": [{"functionDeclarations": [tool]}]}
    return request, {"candidates": [{"content": {"role": "model", "parts": [part]}, "finishReason": "STOP"}]}


def model_wire(dialect: str, arguments: Any) -> list[Record]:
    request, response = answer_with(dialect, arguments)
    asked = {"kind": "request", "seq": 1, "at": AT, "dialect": dialect, "operation": "generate", "method": "POST"}
    asked |= {"path": PATHS[dialect], "model": "m", "streamed": False, "body": {"model": "m", **request}}
    usage = dict.fromkeys(("input_tokens", "output_tokens", "cached_tokens"), 3)
    ended = {"kind": "response", "seq": 1, "at": AT, "status": 200, "seconds": 0.5, "cause": None, "complete": True}
    return [asked, {**ended, "usage": usage, "cost_usd": 0.25, "body": response}]


def tool_wire(arguments: Any) -> list[Record]:
    asked = {"kind": "request", "seq": 1, "at": AT, "server": "demo", "method": "tools/call"}
    result = {"content": [{"type": "text", "text": "no"}], "isError": True}
    return [
        {**asked, "params": {"name": "echo", "arguments": arguments}},
        {"kind": "response", "seq": 1, "at": AT, "seconds": 0.1, "result": result},
        {**asked, "seq": 2, "method": "tools/list", "params": {}},
        {"kind": "response", "seq": 2, "at": AT, "seconds": 0.1, "result": {"tools": [{"name": "echo"}]}},
    ]


def write(folder: Path, model: list[Any], tools: list[Any]) -> None:
    (folder / "wire").mkdir(exist_ok=True)
    for name, lines in (("llm", model), ("mcp", tools)):
        (folder / "wire" / f"{name}.jsonl").write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines))


def build(folder: Path) -> Trajectory:
    trajectory = build_trajectory(folder, Episode("t", "agent", "1", "Go.", AT, AT, b"{}"))
    return Trajectory.model_validate_json(orjson.dumps(trajectory_json(trajectory)))


@pytest.mark.parametrize("dialect", list(DIALECTS))
def test_odd_arguments_are_kept_as_they_were(dialect: DialectName, tmp_path: Path) -> None:
    wrong: list[str] = []
    for given, raw in (([1], "[1]"), ("x", "x"), ("{", "{"), (5, "5"), ('["a"]', '["a"]'), (None, ""), ({"a": 1}, "")):
        write(tmp_path, model_wire(dialect, given), [])
        [call] = [call for step in build(tmp_path).steps for call in step.tool_calls or []]
        told = (call.extra or {}).get("raw_arguments", "")
        expected = given if isinstance(given, dict) else {}
        if (call.arguments, told) != (expected, raw):
            wrong.append(f"{given!r}: {call.arguments!r}, {told!r}")
    assert wrong == []


def test_odd_arguments_of_a_served_call_are_kept(tmp_path: Path) -> None:
    write(tmp_path, [], tool_wire([1]))
    [call] = [call for step in build(tmp_path).steps for call in step.tool_calls or []]
    assert (call.arguments, (call.extra or {})["raw_arguments"]) == ({}, "[1]")
    assert tool_uses(tmp_path) == []


def places(value: Any, at: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield at
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield from places(each, (*at, key))


def put(value: Any, at: tuple[Any, ...], new: Any) -> Any:
    if not at:
        return new
    made = copy.deepcopy(value)
    holder = made
    for key in at[:-1]:
        holder = holder[key]
    holder[at[-1]] = new
    return made


@pytest.mark.parametrize("dialect", list(DIALECTS))
def test_no_shape_of_a_record_stops_the_trajectory(dialect: DialectName, tmp_path: Path) -> None:
    """Every value of both records in turn becomes another one; what cannot be read costs its line alone."""
    rng = random.Random(4)
    model, tools = model_wire(dialect, {"text": "a"}), tool_wire({"text": "a"})
    faults: list[str] = []
    for lines in (model, tools):
        for number, at in [(number, at) for number, line in enumerate(lines) for at in places(line)]:
            for odd in rng.sample(ODD, 1):
                changed = [put(line, at, odd) if index == number else line for index, line in enumerate(lines)]
                write(tmp_path, changed if lines is model else model, changed if lines is tools else tools)
                try:
                    build(tmp_path)
                    tool_uses(tmp_path)
                    lost_tools(tmp_path, ["demo"])
                except Exception as error:  # noqa: BLE001 - all of them are listed
                    faults.append(f"{at} = {odd!r}: {type(error).__name__} {error}")
    assert faults == []


def test_damaged_lines_cost_themselves_and_are_counted(tmp_path: Path) -> None:
    write(tmp_path, model_wire("openai.chat", {}), tool_wire({}))
    for name in ("llm", "mcp"):
        path = tmp_path / "wire" / f"{name}.jsonl"
        path.write_bytes(b'{"kind": "requ\n[1]\n' + path.read_bytes() + b'{"kind": "resp')
    metrics = build(tmp_path).final_metrics
    assert metrics is not None
    assert metrics.total_prompt_tokens == 3
    assert (metrics.extra or {})["unread_wire_lines"] == 4
