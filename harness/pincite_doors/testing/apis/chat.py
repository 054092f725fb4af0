"""OpenAI Chat Completions, as OpenAI and compatible servers speak it."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pincite_doors.testing.apis.fake_api import CREATED, FakeReply, Reading, chunks, event, items, joined, mapping
from pincite_doors.testing.offer import ResolvedCall
from pincite_doors.testing.request import OfferedTool
from pincite_doors.testing.script import Say, Think
from pincite_models.dialects.model import DialectName, Usage


class FakeChat:
    """``/v1/chat/completions``."""

    dialect: DialectName = "openai.chat"

    def read(self, body: Mapping[str, Any]) -> Reading:
        """What is asked."""
        reading = Reading(str(body.get("model", "")), bool(body.get("stream")))
        for message in items(body.get("messages")):
            parts = items(message.get("content"))
            reading.images += sum(part.get("type") == "image_url" for part in parts)
            role = message.get("role")
            if role in ("system", "developer"):
                reading.system = f"{reading.system}\n{joined(parts)}".strip()
            elif role in ("user", "tool"):
                reading.users.append(joined(parts))
            if role == "tool":
                reading.results.append(joined(parts))
        for tool in items(body.get("tools")):
            if tool.get("type") == "function":
                function = mapping(tool.get("function"))
                reading.tools.append(OfferedTool(str(function.get("name")), mapping(function.get("parameters"))))
        reading.schema = mapping(mapping(body.get("response_format")).get("json_schema")).get("schema")
        return reading

    def whole(self, reply: FakeReply, body: Mapping[str, Any]) -> dict[str, Any]:
        """A completion."""
        message: dict[str, Any] = {"role": "assistant", "content": _text(reply) or None}
        if reply.stop == "refusal":
            message |= {"content": None, "refusal": _text(reply)}
        if thoughts := "".join(part.text for part in reply.parts if isinstance(part, Think)):
            message["reasoning_content"] = thoughts
        if calls := [_call(part, reply, index) for index, part in enumerate(_calls(reply))]:
            message["tool_calls"] = calls
        choice = {"index": 0, "message": message, "logprobs": None, "finish_reason": _finish(reply)}
        return _frame(reply, "chat.completion") | {"choices": [choice], "usage": _usage(reply.usage)}

    def events(self, reply: FakeReply, body: Mapping[str, Any]) -> Iterator[bytes]:
        """Chunks of the message, the reason of its end, usage where it was asked for, and ``[DONE]``."""
        wanted = bool(mapping(body.get("stream_options")).get("include_usage"))
        yield _chunk(reply, {"role": "assistant", "content": ""}, wanted=wanted)
        for delta in _deltas(reply):
            yield _chunk(reply, delta, wanted=wanted)
        yield _chunk(reply, {}, finish=_finish(reply), wanted=wanted)
        if wanted:
            frame = _frame(reply, "chat.completion.chunk")
            yield event(frame | {"choices": [], "usage": _usage(reply.usage)})
        yield b"data: [DONE]\n\n"

    def error(self, status: int, message: str) -> dict[str, Any]:
        """An error."""
        kinds = {401: "authentication_error", 403: "permission_error", 429: "rate_limit_error"}
        kind = kinds.get(status, "server_error" if status >= 500 else "invalid_request_error")
        codes = {401: "invalid_api_key", 404: "model_not_found", 429: "rate_limit_exceeded"}
        return {"error": {"message": message, "type": kind, "param": None, "code": codes.get(status)}}

    def overflow(self) -> dict[str, Any]:
        """An error for messages that are too long."""
        words = "This model's maximum context length is 128000 tokens. However, you requested 130000 tokens."
        return overflow_error(words, "messages")

    def stumble(self, message: str) -> bytes:
        """An error in place of a chunk."""
        return event(self.error(503, message))

    def count(self, tokens: int) -> dict[str, Any]:
        """A token count: this API has none."""
        return self.error(404, "There is no such path.")


def overflow_error(words: str, param: str) -> dict[str, Any]:
    """OpenAI's error for a request that does not fit the context."""
    error = {"message": words, "type": "invalid_request_error", "param": param, "code": "context_length_exceeded"}
    return {"error": error}


def _frame(reply: FakeReply, kind: str) -> dict[str, Any]:
    return {
        "id": f"chatcmpl-scripted{reply.number:08d}",
        "object": kind,
        "created": CREATED,
        "model": reply.model,
        "system_fingerprint": "fp_scripted",
    }


def _chunk(reply: FakeReply, delta: dict[str, Any], *, wanted: bool, finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": finish}
    usage = {"usage": None} if wanted else {}
    return event(_frame(reply, "chat.completion.chunk") | {"choices": [choice]} | usage)


def _deltas(reply: FakeReply) -> Iterator[dict[str, Any]]:
    for part in reply.parts:
        if isinstance(part, Think):
            yield from ({"reasoning_content": text} for text in chunks(part.text))
        elif isinstance(part, Say):
            name = "refusal" if reply.stop == "refusal" else "content"
            yield from ({name: text} for text in chunks(part.text))
    for index, part in enumerate(_calls(reply)):
        call = _call(part, reply, index)
        arguments = call["function"]["arguments"]
        head = call | {"index": index, "function": call["function"] | {"arguments": ""}}
        yield {"tool_calls": [head]}
        for text in chunks(arguments or ""):
            yield {"tool_calls": [{"index": index, "function": {"arguments": text}}]}


def _calls(reply: FakeReply) -> list[ResolvedCall]:
    return [part for part in reply.parts if isinstance(part, ResolvedCall)]


def _call(part: ResolvedCall, reply: FakeReply, index: int) -> dict[str, Any]:
    given: Any = part.arguments
    # Some compatible servers send null where the API describes a text; a script says so with None.
    text = None if given is None else json.dumps(given, ensure_ascii=False)
    function = {"name": part.name, "arguments": text}
    return {"id": f"call_scripted{reply.number:06d}{index:02d}", "type": "function", "function": function}


def _text(reply: FakeReply) -> str:
    return "".join(part.text for part in reply.parts if isinstance(part, Say))


def _finish(reply: FakeReply) -> str:
    return {"length": "length", "refusal": "stop", "end": "tool_calls" if reply.calls else "stop"}[reply.stop]


def _usage(usage: Usage) -> dict[str, Any]:
    prompt = {"cached_tokens": usage.cached_tokens, "audio_tokens": 0}
    if usage.cache_write_tokens:
        prompt["cache_write_tokens"] = usage.cache_write_tokens
    return {
        "prompt_tokens": usage.input_tokens,
        "completion_tokens": usage.output_tokens,
        "total_tokens": usage.input_tokens + usage.output_tokens,
        "prompt_tokens_details": prompt,
        "completion_tokens_details": {"reasoning_tokens": usage.reasoning_tokens, "audio_tokens": 0},
    }
