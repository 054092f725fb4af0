"""Requests of the four real CLIs, and the corners of each API, come out in one shape."""

import json
from pathlib import Path
from typing import Any

import pytest

from pincite_doors.media import MediaStore
from pincite_models.dialects.model import Call, DialectName, Media, Message, ModelRequest, Reasoning, Result, Text
from pincite_models.dialects.table import DIALECTS

REQUESTS = Path(__file__).parent / "requests"


def request_of(name: DialectName, body: dict[str, Any]) -> ModelRequest:
    paths: dict[DialectName, str] = {
        "anthropic.messages": "/v1/messages",
        "openai.responses": "/v1/responses",
        "openai.chat": "/v1/chat/completions",
        "google.generate": "/v1beta/models/m:generateContent",
    }
    operation = DIALECTS[name].operation("POST", paths[name])
    assert operation is not None
    return DIALECTS[name].read_request(operation, body)


@pytest.mark.parametrize(
    ("name", "begins", "prefix", "shell"),
    [
        ("anthropic.messages", "x-anthropic-billing-header", "mcp__demo__", "Bash"),
        ("openai.responses", "You are a coding agent running in the Codex CLI", "mcp__demo__", "exec_command"),
        ("openai.chat", "You are Qwen Code", "mcp__demo__", "run_shell_command"),
        ("google.generate", "You are a non-interactive CLI agent", "mcp_demo_", "run_shell_command"),
    ],
)
def test_a_conversation_of_a_real_cli(name: DialectName, begins: str, prefix: str, shell: str, tmp_path: Path) -> None:
    """The last request that the CLI sent when the same script was played to it."""
    recorded = json.loads((REQUESTS / f"{name}.json").read_text())
    body = MediaStore(tmp_path).detach(recorded["body"])
    dialect = DIALECTS[name]
    operation = dialect.operation("POST", recorded["path"])
    assert operation is not None
    assert dialect.streamed(operation, body)
    request = dialect.read_request(operation, body)
    assert request.system.startswith(begins)
    offered = {tool["function"]["name"]: tool["function"] for tool in request.tools if tool["type"] == "function"}
    assert set(offered) == {shell, f"{prefix}echo", f"{prefix}picture"}
    assert offered[f"{prefix}echo"]["parameters"]["properties"]["text"]["description"] == "what to say"
    turns = [message for message in request.messages if message.role == "assistant"][-5:]
    calls = [[part.name for part in turn.parts if isinstance(part, Call)] for turn in turns[-4:]]
    assert calls == [[f"{prefix}echo", f"{prefix}picture"], [f"{prefix}fail"], [f"{prefix}count"], [shell]]
    thoughts = [part.text for turn in turns for part in turn.parts if isinstance(part, Reasoning)]
    assert thoughts == ([] if name == "google.generate" else ["First look.", "Now write."])
    asked = [part for turn in turns for part in turn.parts if isinstance(part, Call)]
    results = [part for message in request.messages for part in message.parts if isinstance(part, Result)]
    assert [result.call_id for result in results] == [call.call_id for call in asked]
    assert asked[0].arguments == {"text": "hello é中"}
    (picture,) = [part for part in results[1].parts if isinstance(part, Media)]
    assert picture.media_type == "image/png"
    assert (tmp_path / picture.path).read_bytes().startswith(b"\x89PNG")
    assert results[2].is_error == (name in {"anthropic.messages", "google.generate"})


def test_tools_that_the_provider_runs() -> None:
    def hosted(name: DialectName, **body: Any) -> tuple[str, ...]:
        return DIALECTS[name].hosted_tools(body)

    function = {"type": "function", "name": "f"}
    assert hosted("anthropic.messages", tools=[{"name": "f"}, {"type": "bash_20250124", "name": "bash"}]) == ()
    assert hosted("anthropic.messages", tools=[{"type": "web_search_20250305"}, {"type": "a_tool_of_tomorrow"}]) == (
        "web_search_20250305", "a_tool_of_tomorrow")  # fmt: skip
    inner = {"type": "namespace", "name": "n", "tools": [function, {"type": "custom", "name": "c"}]}
    assert hosted("openai.responses", tools=[function, inner, {"type": "local_shell"}, {"type": "shell"}]) == ()
    added = {"type": "additional_tools", "role": "developer", "tools": [{"type": "mcp", "server_label": "x"}]}
    assert hosted("openai.responses", tools=[{"type": "web_search"}], input=[added]) == ("web_search", "mcp")
    away = {"type": "shell", "environment": {"type": "container_auto"}}
    assert hosted("openai.responses", tools=[away]) == ("shell",)
    assert hosted("openai.chat", tools=[{"type": "function", "function": {}}, {"google_search": {}}]) == (
        "google_search",)  # fmt: skip
    declared = {"functionDeclarations": [{"name": "f"}]}
    assert hosted("google.generate", tools=[declared, {"google_search": {}}, {"urlContext": {}}]) == (
        "googleSearch", "urlContext")  # fmt: skip


def test_instructions_in_all_their_places() -> None:
    anthropic = request_of(
        "anthropic.messages",
        {
            "system": [{"type": "text", "text": "One."}, {"type": "text", "text": "Two."}],
            "messages": [{"role": "system", "content": "Three."}, {"role": "user", "content": "?"},
                         {"role": "system", "content": "Later."}],
        },
    )  # fmt: skip
    assert anthropic.system == "One.\n\nTwo.\n\nThree."
    assert [message.role for message in anthropic.messages] == ["user", "system"]
    responses = request_of(
        "openai.responses",
        {
            "instructions": "One.",
            "previous_response_id": "resp_1",
            "reasoning": {"effort": "high"},
            "input": [{"role": "developer", "content": "Two."}, {"role": "user", "content": "?"},
                      {"role": "system", "content": "Later."}],
        },
    )  # fmt: skip
    assert (responses.system, responses.previous_response, responses.effort) == ("One.\n\nTwo.", "resp_1", "high")
    assert responses.messages == (Message("user", (Text("?"),)), Message("system", (Text("Later."),)))
    assert request_of("openai.responses", {"input": "?"}).messages == (Message("user", (Text("?"),)),)
    chat = request_of(
        "openai.chat",
        {"messages": [{"role": "system", "content": "One."}, {"role": "developer", "content": "Two."}],
         "reasoning_effort": "low", "temperature": 0.5, "stream": True, "model": "m"},
    )  # fmt: skip
    assert (chat.system, chat.messages, chat.effort) == ("One.\n\nTwo.", (), "low")
    assert chat.parameters == {"reasoning_effort": "low", "temperature": 0.5}
    google = request_of(
        "google.generate",
        {"system_instruction": {"parts": [{"text": "One."}, {"text": "Two."}]}, "contents": "?",
         "generation_config": {"thinking_config": {"thinking_budget": 64}, "temperature": 0}},
    )  # fmt: skip
    assert (google.system, google.effort) == ("One.\n\nTwo.", 64)
    assert google.messages == (Message("user", (Text("?"),)),)
    assert google.parameters["temperature"] == 0


def test_results_find_their_calls_without_ids() -> None:
    """Gemini's calls may have no id: results answer the calls of their name in order."""
    calls = [{"functionCall": {"name": "f", "args": {"x": 1}}}, {"functionCall": {"name": "g"}},
             {"functionCall": {"name": "f", "args": {"x": 2}}}]  # fmt: skip
    answers = [
        {"functionResponse": {"name": "f", "response": {"result": "one"}}},
        {"inlineData": {"mimeType": "image/png", "data": "media:media/a.png"}},
        {"functionResponse": {"name": "g", "response": {"error": "lost"}}},
        {"functionResponse": {"name": "f", "id": "made-up", "response": {"output": {"deep": [1]}},
                              "parts": [{"inlineData": {"mimeType": "image/png", "data": "media:media/b.png"}}]}},
    ]  # fmt: skip
    said = {"content": [{"type": "text", "text": "no"}], "isError": True}
    answers.append({"functionResponse": {"name": "unasked", "response": said}})
    contents = [{"role": "model", "parts": calls}, {"role": "user", "parts": answers}]
    request = request_of("google.generate", {"contents": contents})
    assert [part.call_id for part in request.messages[0].parts if isinstance(part, Call)] == ["f:0", "g:0", "f:1"]
    assert request.messages[1].parts == (
        Result("f:0", (Text("one"), Media("image/png", path="media/a.png"))),
        Result("g:0", (Text("lost"),), is_error=True),
        Result("f:1", (Text('{"deep":[1]}'), Media("image/png", path="media/b.png"))),
        Result("unasked:0", (Text('{"content":[{"type":"text","text":"no"}],"isError":true}'),), is_error=True),
    )


def test_items_of_responses() -> None:
    given = [
        {"type": "reasoning", "id": "rs", "summary": [], "encrypted_content": "gAAAA"},
        {"type": "local_shell_call", "call_id": "c1", "action": {"type": "exec", "command": ["ls"]}},
        {"type": "local_shell_call_output", "id": "c1", "output": "a.pdf"},
        {"type": "shell_call", "call_id": "c2", "action": {"commands": ["ls"]}},
        {"type": "shell_call_output", "call_id": "c2", "output": [{"stdout": "x", "stderr": "", "outcome": {}}]},
        {"type": "apply_patch_call", "call_id": "c3", "operation": {"type": "delete_file", "path": "a"}},
        {"type": "apply_patch_call_output", "call_id": "c3", "status": "failed", "output": "no"},
        {"type": "custom_tool_call", "call_id": "c4", "name": "js", "namespace": "n", "input": "1"},
        {"type": "custom_tool_call_output", "call_id": "c4", "output": [{"type": "input_text", "text": "one"}]},
        {"type": "item_reference", "id": "msg_9"},
        {
            "type": "agent_message",
            "author": "/root/sub",
            "recipient": "/root",
            "content": [
                {"type": "input_text", "text": "Done."},
                {"type": "encrypted_content", "encrypted_content": "gA"},
            ],
        },
        {"type": "compaction", "encrypted_content": "gAAAA"},
        {"type": "function_call", "call_id": "c5", "name": "f", "arguments": "no json"},
        {"type": "function_call_output", "call_id": "c5", "output": ""},
    ]
    messages = request_of("openai.responses", {"input": given}).messages
    assert messages == (
        Message("assistant", (Reasoning(""), Call("c1", "local_shell", {"type": "exec", "command": ["ls"]}))),
        Message("user", (Result("c1", (Text("a.pdf"),)),)),
        Message("assistant", (Call("c2", "shell", {"commands": ["ls"]}),)),
        Message("user", (Result("c2", (Text('{"stdout":"x","stderr":"","outcome":{}}'),)),)),
        Message("assistant", (Call("c3", "apply_patch", {"type": "delete_file", "path": "a"}),)),
        Message("user", (Result("c3", (Text("no"),), is_error=True),)),
        Message("assistant", (Call("c4", "n__js", {"input": "1"}),)),
        Message("user", (Result("c4", (Text("one"),)),)),
        Message("user", (Text("Done."),)),
        Message("assistant", (Call("c5", "f", {}, raw="no json"),)),
        Message("user", (Result("c5", (Text(""),)),)),
    )


def test_documents_and_other_media() -> None:
    held = {"type": "base64", "media_type": "application/pdf", "data": "media:media/a.pdf"}
    pdf = {"type": "document", "source": held}
    plain = {"type": "document", "source": {"type": "text", "media_type": "text/plain", "data": "Words."}}
    anthropic = request_of("anthropic.messages", {"messages": [{"role": "user", "content": [pdf, plain]}]})
    assert anthropic.messages[0].parts == (Media("application/pdf", path="media/a.pdf"), Text("Words."))
    responses = [{"type": "input_file", "filename": "a.pdf", "file_data": "media:media/a.pdf"},
                 {"type": "input_image", "image_url": "https://example.org/a.png"}]  # fmt: skip
    assert request_of("openai.responses", {"input": [{"role": "user", "content": responses}]}).messages[0].parts == (
        Media("application/pdf", path="media/a.pdf"),
        Media("image/png", url="https://example.org/a.png"),
    )
    chat = [{"type": "input_audio", "input_audio": {"format": "mp3", "data": "media:media/a.mp3"}},
            {"type": "image_url", "image_url": {"url": "data:image/webp;base64,UklGRg=="}}]  # fmt: skip
    assert request_of("openai.chat", {"messages": [{"role": "user", "content": chat}]}).messages[0].parts == (
        Media("audio/mp3", path="media/a.mp3"),
        Media("image/webp"),
    )
    kept = [{"type": "input_image", "image_url": "media:media/a.jpg"},
            {"type": "input_image", "image_url": "media:../../secret.png"}]  # fmt: skip
    assert request_of("openai.responses", {"input": [{"role": "user", "content": kept}]}).messages[0].parts == (
        Media("image/jpeg", path="media/a.jpg"),
        Media("image/png"),
    )
