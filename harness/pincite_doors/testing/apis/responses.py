"""OpenAI Responses."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from pincite_doors.testing.apis.chat import FakeChat, overflow_error
from pincite_doors.testing.apis.fake_api import CREATED, FakeReply, Part, Reading, chunks, event, items, joined, mapping
from pincite_doors.testing.request import OfferedTool
from pincite_doors.testing.script import Say, Think
from pincite_models.dialects.model import DialectName, Usage

_ENCRYPTED = "c2NyaXB0ZWQ="
_FAILED_NUMBER = 9999
"""Of the event that ends a stream which began well: greater than all before it."""
_RESULTS = ("function_call_output", "custom_tool_call_output", "local_shell_call_output", "shell_call_output")
_ECHOED = ("instructions", "previous_response_id", "temperature", "top_p", "max_output_tokens", "metadata")


class FakeResponses:
    """``/v1/responses``."""

    dialect: DialectName = "openai.responses"

    def read(self, body: Mapping[str, Any]) -> Reading:
        """What is asked; tools in namespaces keep them."""
        reading = Reading(str(body.get("model", "")), bool(body.get("stream")), str(body.get("instructions") or ""))
        given = body.get("input")
        for item in [{"role": "user", "content": given}] if isinstance(given, str) else items(given):
            _read_item(item, reading)
        for tool in items(body.get("tools")):
            for inner in items(tool.get("tools")):
                reading.tools.append(_tool(inner, str(tool.get("name", ""))))
            if tool.get("type") in ("function", "custom"):
                reading.tools.append(_tool(tool))
        reading.schema = mapping(mapping(body.get("text")).get("format")).get("schema")
        return reading

    def whole(self, reply: FakeReply, body: Mapping[str, Any]) -> dict[str, Any]:
        """A response."""
        output = [_item(part, reply, index) for index, part in enumerate(reply.parts)]
        return _response(reply, body) | _ending(reply) | {"output": output, "usage": _usage(reply.usage)}

    def events(self, reply: FakeReply, body: Mapping[str, Any]) -> Iterator[bytes]:
        """The numbered events of a response, from response.created to response.completed or .incomplete."""
        for number, data in enumerate(self._steps(reply, body)):
            yield event(data | {"sequence_number": number}, str(data["type"]))

    def error(self, status: int, message: str) -> dict[str, Any]:
        """An error."""
        return FakeChat().error(status, message)

    def overflow(self) -> dict[str, Any]:
        """An error for an input that is too long."""
        words = "Your input exceeds the context window of this model. Please adjust your input and try again."
        return overflow_error(words, "input")

    def stumble(self, message: str) -> bytes:
        """A response.failed event."""
        error = {"code": "server_error", "message": message}
        failed = _response(FakeReply(0, "", (), "end", Usage(0, 0)), {}) | {"status": "failed", "error": error}
        data = {"type": "response.failed", "sequence_number": _FAILED_NUMBER, "response": failed}
        return event(data, "response.failed")

    def count(self, tokens: int) -> dict[str, Any]:
        """A token count."""
        return {"object": "response.input_tokens", "input_tokens": tokens}

    def _steps(self, reply: FakeReply, body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
        begun = _response(reply, body)
        yield {"type": "response.created", "response": begun}
        yield {"type": "response.in_progress", "response": begun}
        for index, part in enumerate(reply.parts):
            item = _item(part, reply, index)
            yield {"type": "response.output_item.added", "output_index": index, "item": _emptied(item)}
            where = {"item_id": item["id"], "output_index": index}
            for step in _item_steps(part, item):
                yield step | where
            yield {"type": "response.output_item.done", "output_index": index, "item": item}
        ended = self.whole(reply, body)
        yield {"type": f"response.{ended['status']}", "response": ended}


def _tool(tool: dict[str, Any], namespace: str = "") -> OfferedTool:
    return OfferedTool(
        str(tool.get("name")), mapping(tool.get("parameters")), namespace, freeform=tool.get("type") == "custom"
    )


def _read_item(item: dict[str, Any], reading: Reading) -> None:
    if item.get("type") in _RESULTS:
        parts = items(item.get("output"))
        reading.results.append(joined(parts))
        reading.users.append(joined(parts))
    else:
        parts = items(item.get("content"))
        if item.get("role") == "user":
            reading.users.append(joined(parts))
        elif item.get("role") in ("system", "developer"):
            reading.system = f"{reading.system}\n{joined(parts)}".strip()
    reading.images += sum(part.get("type") == "input_image" for part in parts)


def _response(reply: FakeReply, body: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "id": f"resp_scripted{reply.number:08d}",
        "object": "response",
        "created_at": CREATED,
        "status": "in_progress",
        "error": None,
        "incomplete_details": None,
        "model": reply.model,
        "output": [],
        "parallel_tool_calls": body.get("parallel_tool_calls", True),
        "reasoning": body.get("reasoning") or {"effort": None, "summary": None},
        "store": body.get("store", True),
        "text": body.get("text") or {"format": {"type": "text"}},
        "tool_choice": body.get("tool_choice", "auto"),
        "tools": [],
        "truncation": "disabled",
        "usage": None,
        **{name: body.get(name) for name in _ECHOED},
    }


def _ending(reply: FakeReply) -> dict[str, Any]:
    if reply.stop == "length":
        return {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}}
    return {"status": "completed"}


def _item(part: Part, reply: FakeReply, index: int) -> dict[str, Any]:
    ids = f"scripted{reply.number:06d}{index:02d}"
    if isinstance(part, Say):
        if reply.stop == "refusal":
            content: dict[str, Any] = {"type": "refusal", "refusal": part.text}
        else:
            content = {"type": "output_text", "annotations": [], "logprobs": [], "text": part.text}
        return {
            "id": f"msg_{ids}",
            "type": "message",
            "status": "completed",
            "role": "assistant",
            "content": [content],
        }
    if isinstance(part, Think):
        summary = [{"type": "summary_text", "text": part.text}]
        return {"id": f"rs_{ids}", "type": "reasoning", "summary": summary, "encrypted_content": _ENCRYPTED}
    head: dict[str, Any] = {"id": f"fc_{ids}", "status": "completed", "call_id": f"call_{ids}", "name": part.name}
    if part.text is not None:
        return head | {"type": "custom_tool_call", "id": f"ctc_{ids}", "input": part.text}
    namespace = {"namespace": part.namespace} if part.namespace else {}
    arguments = json.dumps(part.arguments, ensure_ascii=False)
    return head | {"type": "function_call", "arguments": arguments} | namespace


def _emptied(item: dict[str, Any]) -> dict[str, Any]:
    empty: dict[str, dict[str, Any]] = {
        "message": {"content": [], "status": "in_progress"},
        "reasoning": {"summary": []},
        "function_call": {"arguments": "", "status": "in_progress"},
        "custom_tool_call": {"input": "", "status": "in_progress"},
    }
    return item | empty[item["type"]]


def _item_steps(part: Part, item: dict[str, Any]) -> Iterator[dict[str, Any]]:
    if isinstance(part, Say):
        yield from _message_steps(item["content"][0])
    elif isinstance(part, Think):
        where = {"summary_index": 0}
        empty = {"type": "summary_text", "text": ""}
        yield {"type": "response.reasoning_summary_part.added", "part": empty} | where
        for text in chunks(part.text):
            yield {"type": "response.reasoning_summary_text.delta", "delta": text} | where
        yield {"type": "response.reasoning_summary_text.done", "text": part.text} | where
        yield {"type": "response.reasoning_summary_part.done", "part": item["summary"][0]} | where
    elif part.text is not None:
        for text in chunks(part.text):
            yield {"type": "response.custom_tool_call_input.delta", "delta": text}
        yield {"type": "response.custom_tool_call_input.done", "input": part.text}
    else:
        for text in chunks(item["arguments"]):
            yield {"type": "response.function_call_arguments.delta", "delta": text}
        yield {
            "type": "response.function_call_arguments.done",
            "name": part.name,
            "arguments": item["arguments"],
        }


def _message_steps(content: dict[str, Any]) -> Iterator[dict[str, Any]]:
    where = {"content_index": 0}
    name = "refusal" if content["type"] == "refusal" else "text"
    kind = "refusal" if name == "refusal" else "output_text"
    logprobs: dict[str, Any] = {} if name == "refusal" else {"logprobs": []}
    yield {"type": "response.content_part.added", "part": content | {name: ""}} | where
    for text in chunks(content[name]):
        yield {"type": f"response.{kind}.delta", "delta": text} | where | logprobs
    yield {"type": f"response.{kind}.done", name: content[name]} | where | logprobs
    yield {"type": "response.content_part.done", "part": content} | where


def _usage(usage: Usage) -> dict[str, Any]:
    return {
        "input_tokens": usage.input_tokens,
        "input_tokens_details": {
            "cached_tokens": usage.cached_tokens,
            "cache_write_tokens": usage.cache_write_tokens,
        },
        "output_tokens": usage.output_tokens,
        "output_tokens_details": {"reasoning_tokens": usage.reasoning_tokens},
        "total_tokens": usage.input_tokens + usage.output_tokens,
    }
