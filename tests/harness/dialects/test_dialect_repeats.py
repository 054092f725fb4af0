"""What a request repeats of earlier ones is not read again, and reads as it would alone."""

from typing import Any

from pincite_models.dialects.dialect import RawRepeats
from pincite_models.dialects.model import DialectName
from pincite_models.dialects.table import DIALECTS

CHAT: list[dict[str, Any]] = [
    {"role": "system", "content": "Read."},
    {"role": "user", "content": "What is the gap?"},
    {"role": "assistant", "tool_calls": [{"id": i, "function": {"name": "f", "arguments": "{}"}} for i in "ab"]},
    {"role": "tool", "tool_call_id": "a", "content": "1.7 eV"},
    {"role": "tool", "tool_call_id": "b", "content": "1.8 eV"},
    {"role": "assistant", "content": "1.7 eV"},
]
MESSAGES: list[dict[str, Any]] = [
    {"role": "user", "content": "What is the gap?"},
    {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {}}]},
    {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "1.7 eV"}]},
    {"role": "assistant", "content": "1.7 eV"},
]
ITEMS: list[dict[str, Any]] = [
    {"role": "user", "content": "What is the gap?"},
    {"type": "function_call", "call_id": "a", "name": "f", "arguments": "{}"},
    {"type": "function_call_output", "call_id": "a", "output": "1.7 eV"},
    {"role": "assistant", "content": [{"type": "output_text", "text": "1.7 eV"}]},
]
CONVERSATIONS: dict[DialectName, tuple[str, str, list[dict[str, Any]]]] = {
    "openai.chat": ("/v1/chat/completions", "messages", CHAT),
    "anthropic.messages": ("/v1/messages", "messages", MESSAGES),
    "openai.responses": ("/v1/responses", "input", ITEMS),
}


def test_a_request_reads_the_same_after_others_of_its_conversation_and_of_another() -> None:
    for name, (path, field, entries) in CONVERSATIONS.items():
        dialect = DIALECTS[name]
        operation = dialect.operation("POST", path)
        assert operation is not None
        repeats = RawRepeats()
        changed = [{**entries[0], "content": "Another question."}, *entries[1:]]
        for conversation in (entries, changed, entries):
            for length in range(1, len(entries) + 1):
                body = {"model": "m", field: conversation[:length]}
                again = dialect.read_request(operation, body, repeats)
                assert again == dialect.read_request(operation, body), (name, length)


def test_what_is_repeated_is_the_very_same_object() -> None:
    dialect = DIALECTS["anthropic.messages"]
    operation = dialect.operation("POST", "/v1/messages")
    assert operation is not None
    repeats = RawRepeats()
    first = dialect.read_request(operation, {"messages": MESSAGES[:3]}, repeats)
    second = dialect.read_request(operation, {"messages": [dict(entry) for entry in MESSAGES]}, repeats)
    assert all(one is other for one, other in zip(first.messages, second.messages, strict=False))
