"""Anthropic Messages."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pincite_doors.testing.apis.fake_api import FakeReply, Part, Reading, chunks, event, items, joined, mapping
from pincite_doors.testing.request import OfferedTool
from pincite_doors.testing.script import Say, Think
from pincite_models.dialects.model import DialectName, Usage

_SIGNATURE = "c2NyaXB0ZWQ="
_ERRORS = {
    400: "invalid_request_error",
    401: "authentication_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    529: "overloaded_error",
}


class FakeAnthropic:
    """``/v1/messages``."""

    dialect: DialectName = "anthropic.messages"

    def read(self, body: Mapping[str, Any]) -> Reading:
        """What is asked."""
        reading = Reading(str(body.get("model", "")), bool(body.get("stream")), joined(items(body.get("system"))))
        for message in items(body.get("messages")):
            if message.get("role") == "user":
                _read_user(items(message.get("content")), reading)
        for tool in items(body.get("tools")):
            if "input_schema" in tool:
                reading.tools.append(OfferedTool(str(tool.get("name")), mapping(tool["input_schema"])))
        output = mapping(body.get("output_config") or body)
        reading.schema = mapping(output.get("format") or output.get("output_format")).get("schema")
        return reading

    def whole(self, reply: FakeReply, body: Mapping[str, Any]) -> dict[str, Any]:
        """A message."""
        content = [_block(part, reply, index) for index, part in enumerate(reply.parts)]
        return _message(reply, _usage(reply.usage)) | {"content": content} | _stop(reply)

    def events(self, reply: FakeReply, body: Mapping[str, Any]) -> Iterator[bytes]:
        """message_start, blocks with their deltas, message_delta, message_stop."""
        start = _message(reply, _usage(reply.usage) | {"output_tokens": 1})
        yield _event({"type": "message_start", "message": start | {"content": []}})
        yield _event({"type": "ping"})
        for index, part in enumerate(reply.parts):
            block = _block(part, reply, index)
            yield _event({"type": "content_block_start", "index": index, "content_block": _emptied(block)})
            for delta in _deltas(part):
                yield _event({"type": "content_block_delta", "index": index, "delta": delta})
            yield _event({"type": "content_block_stop", "index": index})
        yield _event({"type": "message_delta", "delta": _stop(reply), "usage": _usage(reply.usage)})
        yield _event({"type": "message_stop"})

    def error(self, status: int, message: str) -> dict[str, Any]:
        """An error."""
        return {
            "type": "error",
            "error": {"type": _ERRORS.get(status, "api_error"), "message": message},
            "request_id": "req_scripted",
        }

    def overflow(self) -> dict[str, Any]:
        """An error for a prompt that is too long."""
        return self.error(400, "prompt is too long: 210000 tokens > 200000 maximum")

    def stumble(self, message: str) -> bytes:
        """An error event."""
        return _event(self.error(529, message))

    def count(self, tokens: int) -> dict[str, Any]:
        """A token count."""
        return {"input_tokens": tokens}


def _event(data: Mapping[str, Any]) -> bytes:
    return event(data, str(data["type"]))


def _read_user(parts: list[dict[str, Any]], reading: Reading) -> None:
    texts: list[str] = []
    for part in parts:
        if part.get("type") == "tool_result":
            content = items(part.get("content"))
            reading.results.append(joined(content))
            reading.images += sum(inner.get("type") == "image" for inner in content)
            texts.append(joined(content))
        elif part.get("type") == "image":
            reading.images += 1
        else:
            texts.append(joined([part]))
    reading.users.append("\n".join(texts))


def _message(reply: FakeReply, usage: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": f"msg_scripted{reply.number:08d}",
        "type": "message",
        "role": "assistant",
        "model": reply.model,
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }


def _stop(reply: FakeReply) -> dict[str, Any]:
    reasons = {"length": "max_tokens", "refusal": "refusal", "end": "tool_use" if reply.calls else "end_turn"}
    details = {"stop_details": {"type": "refusal", "category": None}} if reply.stop == "refusal" else {}
    return {"stop_reason": reasons[reply.stop], "stop_sequence": None, **details}


def _block(part: Part, reply: FakeReply, index: int) -> dict[str, Any]:
    if isinstance(part, Say):
        return {"type": "text", "text": part.text}
    if isinstance(part, Think):
        return {"type": "thinking", "thinking": part.text, "signature": _SIGNATURE}
    call_id = f"toolu_scripted{reply.number:06d}{index:02d}"
    return {"type": "tool_use", "id": call_id, "name": part.name, "input": dict(part.arguments)}


def _emptied(block: dict[str, Any]) -> dict[str, Any]:
    empty: dict[str, dict[str, Any]] = {
        "text": {"text": ""},
        "thinking": {"thinking": "", "signature": ""},
        "tool_use": {"input": {}},
    }
    return block | empty[block["type"]]


def _deltas(part: Part) -> Iterator[dict[str, Any]]:
    if isinstance(part, Say):
        yield from ({"type": "text_delta", "text": text} for text in chunks(part.text))
    elif isinstance(part, Think):
        yield from ({"type": "thinking_delta", "thinking": text} for text in chunks(part.text))
        yield {"type": "signature_delta", "signature": _SIGNATURE}
    else:
        yield {"type": "input_json_delta", "partial_json": ""}
        arguments = json.dumps(part.arguments, ensure_ascii=False)
        yield from ({"type": "input_json_delta", "partial_json": text} for text in chunks(arguments))


def _usage(usage: Usage) -> dict[str, Any]:
    """Input tokens are told without the cached ones here."""
    counts: dict[str, Any] = {
        "input_tokens": usage.input_tokens - usage.cached_tokens - usage.cache_write_tokens,
        "cache_creation_input_tokens": usage.cache_write_tokens,
        "cache_read_input_tokens": usage.cached_tokens,
        "output_tokens": usage.output_tokens,
    }
    if usage.reasoning_tokens:
        counts["output_tokens_details"] = {"thinking_tokens": usage.reasoning_tokens}
    return counts
