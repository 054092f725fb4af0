"""What compatible servers do in their own way, and answers that do not come as streams."""

import json
from typing import Any

import pytest

from pincite_models.dialects.model import Call, DialectName, ModelResponse, Reasoning, Text, Usage
from pincite_models.dialects.table import DIALECTS


def chunks(*events: Any, done: bool = True) -> ModelResponse:
    reader = DIALECTS["openai.chat"].reader()
    for event in events:
        reader.feed(b"data: " + json.dumps(event).encode() + b"\n\n")
    reader.feed(b"data: [DONE]\n\n" if done else b"")
    return reader.response()


def delta(finish: str | None = None, **fields: Any) -> dict[str, Any]:
    return {"id": "c", "model": "m", "choices": [{"index": 0, "delta": fields, "finish_reason": finish}]}


def tool(**fields: Any) -> dict[str, Any]:
    return delta(tool_calls=[fields])


def test_calls_without_an_index() -> None:
    """Gemini's compatible endpoint sends whole calls, each with an id and no index."""
    response = chunks(
        tool(id="a", function={"name": "f", "arguments": '{"x": 1}'}),
        tool(id="b", function={"name": "f", "arguments": '{"x": 2}'}),
        delta("stop"),
    )
    assert response.parts == (Call("a", "f", {"x": 1}), Call("b", "f", {"x": 2}))
    assert response.stop == "tool_calls"


def test_calls_that_repeat_their_id_and_name() -> None:
    response = chunks(
        tool(index=0, id="a", function={"name": "open", "arguments": '{"x"'}),
        tool(index=0, id="a", function={"name": "open", "arguments": ": 1}"}),
        tool(index=1, id="b", function={"name": "close", "arguments": {"y": 2}}),
        delta("tool_calls"),
    )
    assert response.parts == (Call("a", "open", {"x": 1}), Call("b", "close", {"y": 2}))


def test_functions_of_old_and_thoughts_under_other_names() -> None:
    begun = delta(function_call={"name": "f", "arguments": ""})
    old = chunks(begun, delta("function_call", function_call={"arguments": "{}"}))
    assert (old.parts, old.stop) == ((Call("f", "f", {}),), "tool_calls")
    assert chunks(delta(reasoning="Hm."), delta("stop", content="Yes.")).parts == (Reasoning("Hm."), Text("Yes."))
    listed = [{"type": "thinking", "thinking": [{"type": "text", "text": "Hm."}]}, {"type": "text", "text": "Yes."}]
    assert chunks(delta("stop", content=listed)).parts == (Reasoning("Hm."), Text("Yes."))


def test_an_answer_cut_before_done() -> None:
    """A reason for the end is an end; without one, and without ``[DONE]``, the answer broke off."""
    assert chunks(delta(content="Half"), done=False).complete is False
    assert chunks(delta("stop", content="Whole"), done=False).complete is True
    assert chunks(delta(content="Whole")).stop == "end"
    assert chunks().stop == "unknown"


def test_errors_in_a_chunk() -> None:
    response = chunks(delta(content="Half"), {"error": {"message": "Overloaded", "code": 502}}, done=False)
    assert (response.stop, response.complete, response.error) == ("error", False, "Overloaded")


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        ({"prompt_tokens": 9, "completion_tokens": 4, "prompt_cache_hit_tokens": 6}, Usage(9, 4, 6)),
        ({"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 18,
          "completion_tokens_details": {"reasoning_tokens": 5}}, Usage(9, 9, reasoning_tokens=5)),
        ({"prompt_tokens": 9, "completion_tokens": 4, "total_tokens": 13,
          "completion_tokens_details": {"reasoning_tokens": 3}}, Usage(9, 4, reasoning_tokens=3)),
        ({"prompt_tokens": None, "completion_tokens": "4"}, Usage(0, 0)),
        ({}, None),
    ],
    ids=["deepseek", "xai", "openai", "odd", "none"],
)  # fmt: skip
def test_usage_of_compatible_servers(usage: dict[str, Any], expected: Usage | None) -> None:
    assert chunks(delta("stop", content="x"), {"choices": [], "usage": usage}).usage == expected
    body = {"choices": [{"message": {"content": "x"}, "finish_reason": "stop"}], "usage": usage}
    assert DIALECTS["openai.chat"].read_response(body).usage == expected


def test_usage_beside_a_choice_or_a_vendor() -> None:
    told = {"prompt_tokens": 3, "completion_tokens": 2}
    first = delta("stop", content="x")
    first["choices"][0]["usage"] = told
    assert chunks(first).usage == Usage(3, 2)
    assert chunks(delta("stop", content="x") | {"x_groq": {"usage": told}}).usage == Usage(3, 2)


def test_a_compacted_response() -> None:
    body = {
        "id": "resp_1", "object": "response.compaction", "created_at": 1,
        "output": [{"type": "message", "role": "user", "content": [{"type": "input_text", "text": "?"}]},
                   {"type": "compaction", "id": "cmp_1", "encrypted_content": "gAAAA"}],
        "usage": {"input_tokens": 100, "output_tokens": 20, "total_tokens": 120},
    }  # fmt: skip
    response = DIALECTS["openai.responses"].read_response(body)
    assert (response.complete, response.stop, response.usage) == (True, "end", Usage(100, 20))


@pytest.mark.parametrize("name", list(DIALECTS))
def test_errors_in_place_of_an_answer(name: DialectName) -> None:
    """An error body, told whole or to a client that asked for a stream."""
    dialect = DIALECTS[name]
    body = dialect.error_body(400, "policy", "Web search is closed.")
    reader = dialect.reader()
    reader.feed(json.dumps(body).encode())
    for response in (dialect.read_response(body), reader.response()):
        assert (response.stop, response.complete, response.parts, response.usage) == ("error", False, (), None)
        assert response.error.endswith("Web search is closed.")


@pytest.mark.parametrize("name", list(DIALECTS))
def test_an_answer_that_came_whole_to_a_stream(name: DialectName) -> None:
    whole: dict[DialectName, Any] = {
        "anthropic.messages": {"content": [{"type": "text", "text": "Yes."}], "stop_reason": "end_turn"},
        "openai.responses": {"status": "completed", "output": [
            {"type": "message", "role": "assistant", "content": [{"type": "output_text", "text": "Yes."}]}]},
        "openai.chat": {"choices": [{"message": {"content": "Yes."}, "finish_reason": "stop"}]},
        "google.generate": {"candidates": [{"content": {"parts": [{"text": "Yes."}]}, "finishReason": "STOP"}]},
    }  # fmt: skip
    reader = DIALECTS[name].reader()
    for byte in json.dumps(whole[name], indent=1).encode():
        reader.feed(bytes([byte]))
    response = reader.response()
    assert (response.parts, response.stop, response.complete) == ((Text("Yes."),), "end", True)


def test_tokens_that_a_message_leaves_out_of_its_sum() -> None:
    """Compactions and advisors of the provider's own are counted apart from the message: they cost all the same."""
    apart = {"input_tokens": 10, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 2, "output_tokens": 3}
    usage = {
        "input_tokens": 100,
        "output_tokens": 20,
        "iterations": [
            {"type": "message", "input_tokens": 100, "output_tokens": 20},
            {"type": "compaction"} | apart,
            {"type": "advisor_message"} | apart,
        ],
    }
    body = {"content": [], "stop_reason": "end_turn", "usage": usage}
    assert DIALECTS["anthropic.messages"].read_response(body).usage == Usage(134, 26, 10, 4)


def test_pings_say_nothing() -> None:
    reader = DIALECTS["anthropic.messages"].reader()
    for name, data in (
        ("message_start", '{"type": "message_start", "message": {"id": "m", "content": []}}'),
        ("ping", "still here"),
        ("message_delta", '{"type": "message_delta", "delta": {"stop_reason": "end_turn"}}'),
        ("message_stop", '{"type": "message_stop"}'),
    ):
        reader.feed(f"event: {name}\ndata: {data}\n\n".encode())
    assert reader.response().complete


def test_lines_of_every_kind() -> None:
    """Comments, fields without a value, data in several lines, a byte order mark, all three ends of a line."""
    event = '{"choices": [{"index": 0,\ndata:"delta": {"content": "Yes."}, "finish_reason": "stop"}]}'
    data = f"\ufeff: ping\nid\nretry: 9\nevent: x\ndata: {event}\n\n: end\n\ndata: [DONE]".encode()
    for ending in (b"\n", b"\r\n", b"\r"):
        for size in (1, 4, 1000):
            reader = DIALECTS["openai.chat"].reader()
            lines = data.replace(b"\n", ending)
            for start in range(0, len(lines), size):
                reader.feed(lines[start : start + size])
            response = reader.response()
            assert (response.parts, response.complete) == ((Text("Yes."),), True)
