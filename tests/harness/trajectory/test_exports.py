"""Trajectories in the forms of other tools: structure always, and read by the other tool where it is installed."""

import io
import re
import zipfile
from pathlib import Path
from typing import Any

import orjson
import pytest

from pincite_models.dialects.model import Usage
from pincite_trajectory.atif import Trajectory
from pincite_trajectory.exports.inspect_log import Marked, to_inspect
from pincite_trajectory.exports.otlp import SCHEMA_URL, to_otlp

TASK = "Look through every table of the paper and report each temperature."
SUMMARY = "The user wants the critical temperature of YBCO.\nThe paper a.pdf was opened; table 2 says 92 K."
PNG = b"\x89PNG\r\n\x1a\n"
SERVED_PIXEL = {"type": "image", "mimeType": "image/png", "path": "media/p.png", "bytes": 8}


@pytest.fixture
def told(wire: Any) -> Trajectory:
    """A sub-agent, parallel calls with an image and an error, a failed attempt and a compaction."""
    (wire.folder / "media").mkdir(parents=True)
    (wire.folder / "media" / "p.png").write_bytes(PNG)
    opening = [wire.user("<reminder>Be brief.</reminder>", "Find Tc.")]
    wire.fail(opening, "rate_limited", 429)
    said = wire.ask(opening, "I ask.", wire.use("t1", "Task", prompt=TASK), usage=Usage(100, 20, 30, 10, 5), cost=0.5)
    wire.ask([wire.user(TASK)], "92 K.", body={"system": "Helper."}, usage=Usage(7, 3), cost=0.25)
    said = [*said, wire.user(wire.result("t1", "92 K."))]
    uses = [wire.use("c1", "mcp__demo__picture"), wire.use("c2", "mcp__demo__echo", text="x")]
    said = wire.ask(said, *uses, usage=Usage(200, 8), cost=0.125)
    wire.serve("picture", {}, [{"type": "text", "text": "a pixel"}, SERVED_PIXEL])
    wire.serve("echo", {"text": "x"}, "no", isError=True)
    said = [*said, wire.user(wire.result("c1", "a pixel"), wire.result("c2", "no", is_error=True))]
    wire.ask([*said, wire.user("Write a handoff summary.")], SUMMARY, usage=Usage(300, 30), cost=0.0625)
    wire.ask([wire.user(f"Another model left this:\n{SUMMARY}")], "It is 92 K.", usage=Usage(40, 4), cost=0.03125)
    return wire.build("Find Tc.")


def spans_of(trajectory: Trajectory) -> list[dict[str, Any]]:
    (resource,) = orjson.loads(orjson.dumps(to_otlp(trajectory)))["resourceSpans"]
    (scope,) = resource["scopeSpans"]
    assert scope["schemaUrl"] == SCHEMA_URL
    return scope["spans"]


def values(span: dict[str, Any]) -> dict[str, Any]:
    return {item["key"]: next(iter(item["value"].values())) for item in span["attributes"]}


def test_spans_lie_in_each_other_as_the_calls_did(told: Trajectory) -> None:
    spans = spans_of(told)
    names = {span["spanId"]: span["name"] for span in spans}
    tree = [(span["name"], names.get(span["parentSpanId"], "")) for span in spans]
    assert tree == [
        ("invoke_agent agent", ""),
        ("chat claude-x", "invoke_agent agent"),
        ("execute_tool Task", "invoke_agent agent"),
        ("chat claude-x", "invoke_agent agent"),
        ("execute_tool mcp__demo__picture", "invoke_agent agent"),
        ("execute_tool mcp__demo__echo", "invoke_agent agent"),
        ("chat claude-x", "invoke_agent agent"),
        ("chat claude-x", "invoke_agent agent"),
        ("invoke_agent agent", "execute_tool Task"),
        ("chat claude-x", "invoke_agent agent"),
    ]
    assert len(names) == len(spans)
    assert {span["traceId"] for span in spans} == {spans[0]["traceId"]}
    assert all(re.fullmatch("[0-9a-f]{16}", span["spanId"]) for span in spans)
    assert all(int(span["startTimeUnixNano"]) <= int(span["endTimeUnixNano"]) for span in spans)
    assert spans == spans_of(told)


def test_spans_carry_the_conventions_attributes(told: Trajectory) -> None:
    _, chat, task, second, _, echo, *_ = spans_of(told)
    assert (chat["kind"], task["kind"]) == (3, 1)
    told_of_chat = values(chat)
    assert told_of_chat["gen_ai.operation.name"] == "chat"
    assert told_of_chat["gen_ai.provider.name"] == "anthropic"
    assert told_of_chat["gen_ai.usage.input_tokens"] == "100"
    assert told_of_chat["gen_ai.usage.output_tokens"] == "20"
    assert told_of_chat["gen_ai.usage.cache_read.input_tokens"] == "30"
    assert told_of_chat["gen_ai.usage.cache_creation.input_tokens"] == "10"
    assert told_of_chat["gen_ai.usage.reasoning.output_tokens"] == "5"
    assert told_of_chat["gen_ai.response.finish_reasons"] == {"values": [{"stringValue": "tool_call"}]}
    assert int(chat["endTimeUnixNano"]) - int(chat["startTimeUnixNano"]) == 500_000_000
    (answer,) = orjson.loads(told_of_chat["gen_ai.output.messages"])
    assert [part["type"] for part in answer["parts"]] == ["text", "tool_call"]
    (back,) = orjson.loads(values(second)["gen_ai.input.messages"])
    assert back == {"role": "tool", "parts": [{"type": "tool_call_response", "id": "t1", "response": "92 K."}]}
    assert values(task)["gen_ai.tool.call.arguments"] == orjson.dumps({"prompt": TASK}).decode()
    assert echo["status"] == {"code": 2, "message": "no"}
    assert values(echo)["error.type"] == "tool_error"
    assert int(echo["endTimeUnixNano"]) - int(echo["startTimeUnixNano"]) == 125_000_000


def archive(data: bytes) -> dict[str, Any]:
    with zipfile.ZipFile(io.BytesIO(data)) as file:
        return {name: orjson.loads(file.read(name)) for name in file.namelist()}


def test_an_inspect_log_holds_messages_events_usage_and_scores(told: Trajectory, wire: Any) -> None:
    marked = Marked("family", "task", {"f1": 0.5, "undefined": None}, limit=("time", 60.0, "wall clock: 60 s"))
    data = to_inspect(told, wire.folder, marked)
    files = archive(data)
    assert data == to_inspect(told, wire.folder, marked)
    assert list(files) == [
        "_journal/start.json",
        "samples/task_epoch_1.json",
        "_journal/summaries/1.json",
        "summaries.json",
        "header.json",
    ]
    sample = files["samples/task_epoch_1.json"]
    assert sample["input"] == "Find Tc."
    assert sample["scores"] == {"f1": {"value": 0.5}}
    assert sample["limit"]["type"] == "time"
    roles = [message["role"] for message in sample["messages"]]
    assert roles[:7] == ["system", "user", "assistant", "tool", "assistant", "tool", "tool"]
    assert sample["messages"][5]["content"][1]["image"].startswith("data:image/png;base64,iVBOR")
    usage = sample["model_usage"]["claude-x"]
    assert (usage["input_tokens"], usage["input_tokens_cache_read"], usage["total_tokens"]) == (607, 30, 712)
    assert usage["total_cost"] == 0.96875
    calls = [event for event in sample["events"] if event["event"] == "model"]
    pool = sample["events_data"]["messages"]
    given = [[message["role"] for first, end in call["input_refs"] for message in pool[first:end]] for call in calls]
    assert given[0] == ["system", "user"]
    assert given[1] == ["system", "user", "assistant", "tool"]
    assert given[3] == ["system"]  # the compacted context alone
    assert given[4] == ["system", "user"]  # the sub-agent's own
    assert files["header.json"]["results"]["scores"][0]["metrics"]["mean"]["value"] == 0.5


def test_what_was_given_up_is_not_told_to_later_calls(wire: Any) -> None:
    opening = [wire.user("Find Tc.")]
    wire.ask(opening, "Hm.")
    said = wire.ask(opening, "92 K.")
    wire.ask([*said, wire.user("Sure?")], "Yes.")
    trajectory = wire.build("Find Tc.")
    inputs = [orjson.loads(values(span)["gen_ai.input.messages"]) for span in spans_of(trajectory)[1:]]
    assert [[message["role"] for message in each] for each in inputs] == [
        ["system", "user"],
        ["system", "user"],
        ["user"],
    ]
    sample = archive(to_inspect(trajectory))["samples/trial_epoch_1.json"]
    calls = [event for event in sample["events"] if event["event"] == "model"]
    assert [call["output"]["completion"] for call in calls] == ["Hm.", "92 K.", "Yes."]
    pool = sample["events_data"]["messages"]
    given = [[message["role"] for first, end in call["input_refs"] for message in pool[first:end]] for call in calls]
    assert given == [["system", "user"], ["system", "user"], ["system", "user", "assistant", "user"]]


def test_images_outside_the_folder_are_not_put_in(told: Trajectory, wire: Any, tmp_path: Path) -> None:
    (tmp_path / "secret.png").write_bytes(b"secret")
    changed = told.model_dump_json().replace("media/p.png", "../secret.png")
    files = archive(to_inspect(Trajectory.model_validate_json(changed), wire.folder))
    assert files["samples/trial_epoch_1.json"]["messages"][5]["content"][1]["image"] == "../secret.png"
