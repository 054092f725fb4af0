"""Anthropic Messages: ``/v1/messages`` and ``/v1/messages/count_tokens``."""

from collections.abc import Iterator, Mapping
from typing import Any

from pincite_models.dialects.anthropic_blocks import read_blocks, read_usage
from pincite_models.dialects.anthropic_stream import MessageFolding
from pincite_models.dialects.dialect import Operation, RawRepeats, Refusal, StreamReader
from pincite_models.dialects.fields import (
    make_function,
    mapping,
    mappings,
    text,
    without,
)
from pincite_models.dialects.folding import FoldingReader, error_text
from pincite_models.dialects.instruction import split_instruction, texts_of
from pincite_models.dialects.model import (
    DialectName,
    Message,
    ModelRequest,
    ModelResponse,
    Role,
    StopReason,
)
from pincite_models.dialects.question import MOST_TOKENS, THOUGHT_TOKENS, Part, Question

_STOPS: dict[str, StopReason] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
_CLIENT_TOOLS = ("bash_", "text_editor_", "computer_", "browser_toolset_", "memory_", "tool_search_tool_")
_ERRORS = {
    401: "authentication_error",
    402: "billing_error",
    403: "permission_error",
    404: "not_found_error",
    413: "request_too_large",
    429: "rate_limit_error",
    504: "timeout_error",
    529: "overloaded_error",
}


class Anthropic:
    """The Messages API (version 2023-06-01 with the betas of 2026)."""

    name: DialectName = "anthropic.messages"
    version_headers: Mapping[str, str] = {"anthropic-version": "2023-06-01"}

    def operation(self, method: str, path: str) -> Operation | None:
        """See Dialect."""
        place = path.partition("?")[0].rstrip("/")
        if place == "/v1/messages" and method.upper() == "POST":
            return Operation(self.name, "generate")
        if place == "/v1/messages/count_tokens" and method.upper() == "POST":
            return Operation(self.name, "count_tokens")
        if place == "/v1/models" or place.startswith("/v1/models/"):
            return Operation(self.name, "models", model=place.removeprefix("/v1/models").removeprefix("/"))
        return Operation(self.name, "other") if place.startswith("/v1/messages") else None

    def model_of(self, operation: Operation, body: Mapping[str, Any]) -> str:
        """See Dialect."""
        return operation.model or text(body.get("model"))

    def streamed(self, operation: Operation, body: Mapping[str, Any]) -> bool:
        """See Dialect."""
        return operation.streamed or body.get("stream") is True

    def hosted_tools(self, body: Mapping[str, Any]) -> tuple[str, ...]:
        """Every tool but those that clients carry out, and the search among the request's own tools; those that
        messages add count too."""
        offered = [*mappings(body.get("tools")), *_added_tools(body)]
        found = [kind for tool in offered if _is_hosted(kind := text(tool.get("type")))]
        return tuple(dict.fromkeys(found))

    def read_request(
        self, operation: Operation, body: Mapping[str, Any], repeats: RawRepeats | None = None
    ) -> ModelRequest:
        """System blocks and the system messages that open the conversation are its instruction."""
        repeats = repeats or RawRepeats()
        entries = enumerate(mappings(body.get("messages")))
        given: list[Message] = [repeats.read(place, entry, _message) for place, entry in entries]
        system, messages = split_instruction(texts_of(read_blocks(body.get("system"))), given)
        effort = mapping(body.get("output_config")).get("effort") or mapping(body.get("thinking")).get("budget_tokens")
        return ModelRequest(
            model=self.model_of(operation, body),
            system=system,
            messages=messages,
            tools=tuple(_tool(tool) for tool in mappings(body.get("tools"))),
            effort=effort if isinstance(effort, str | int | float) else None,
            parameters=without(dict(body), "model", "messages", "system", "tools", "stream", "metadata"),
            streamed=self.streamed(operation, body),
        )

    def read_response(self, body: Mapping[str, Any]) -> ModelResponse:
        """A message, or the error that came in its place."""
        stop = body.get("stop_reason")
        error = error_text(body.get("error"))
        return ModelResponse(
            response_id=text(body.get("id")),
            model=text(body.get("model")),
            parts=read_blocks(body.get("content")),
            stop="error" if error else _STOPS.get(text(stop), "other") if stop else "unknown",
            usage=read_usage(body.get("usage")),
            complete=bool(stop) and not error,
            error=error,
        )

    def call_path(self, model: str) -> str:
        """See Dialect."""
        return "/v1/messages"

    def write_question(self, model: str, question: Question) -> dict[str, Any]:
        """An answer is held to a form by a forced call of one tool; thinking has tokens of its own."""
        thought = THOUGHT_TOKENS[question.effort]
        messages = [
            {"role": message.role, "content": [_written(part) for part in message.contents]}
            for message in question.messages
        ]
        body: dict[str, Any] = {
            "model": model,
            "max_tokens": (question.max_tokens or MOST_TOKENS) + thought,
            "system": question.system,
            "messages": messages,
            **question.sampling,
        }
        if question.form is not None:
            form = question.form
            tool = {"name": form.name, "description": form.description, "input_schema": form.schema}
            body |= {"tools": [tool], "tool_choice": {"type": "tool", "name": form.name}}
        if thought:
            body["thinking"] = {"type": "enabled", "budget_tokens": thought}
        return body

    def reader(self) -> StreamReader:
        """See Dialect."""
        return FoldingReader(MessageFolding(), self.read_response)

    def error_body(self, status: int, refusal: Refusal, message: str) -> dict[str, Any]:
        """The type of error follows from the status, as at the API."""
        kind = _ERRORS.get(status, "invalid_request_error" if status < 500 else "api_error")
        return {"type": "error", "error": {"type": kind, "message": message}}

    def credentials(self, key: str) -> dict[str, str]:
        """See Dialect."""
        return {"x-api-key": key}


def _written(part: Part) -> dict[str, Any]:
    if isinstance(part, str):
        return {"type": "text", "text": part}
    source = {"type": "base64", "media_type": part.mime_type, "data": part.base64}
    return {"type": "image", "source": source}


def _message(message: dict[str, Any]) -> Message:
    role: Role = "assistant" if message.get("role") == "assistant" else "user"
    if message.get("role") == "system":
        role = "system"
    return Message(role, read_blocks(message.get("content")))


def _added_tools(body: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """The tools of ``tool_addition`` blocks, but those that name one of the request's own."""
    for message in mappings(body.get("messages")):
        for block in mappings(message.get("content")):
            if block.get("type") != "tool_addition":
                continue
            tool = mapping(block.get("tool"))
            if tool.get("type") == "tool_definition":
                yield mapping(tool.get("definition"))
            elif tool.get("type") != "tool_reference":
                yield tool


def _tool(tool: dict[str, Any]) -> dict[str, Any]:
    kind = text(tool.get("type"))
    if _is_hosted(kind) or "name" not in tool:
        return {"type": kind}
    return make_function(tool.get("name"), tool.get("description") or kind, tool.get("input_schema"))


def _is_hosted(kind: str) -> bool:
    return kind not in ("", "custom") and not kind.startswith(_CLIENT_TOOLS)
