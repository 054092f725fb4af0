"""Anthropic Messages: ``/v1/messages`` and ``/v1/messages/count_tokens``."""

from collections.abc import Iterable, Mapping
from typing import Any

from pincite_harness.dialects.anthropic_stream import MessageFolding
from pincite_harness.dialects.dialect import Operation, Refusal, StreamReader
from pincite_harness.dialects.fields import (
    FALLBACK_MODELS,
    URL_SOURCE,
    as_text,
    count,
    dump,
    is_address,
    join_texts,
    make_call,
    make_function,
    make_media,
    mapping,
    mappings,
    text,
    without,
)
from pincite_harness.dialects.folding import FoldingReader, error_text
from pincite_harness.dialects.model import (
    DialectName,
    Media,
    Message,
    ModelRequest,
    ModelResponse,
    Part,
    Reasoning,
    Result,
    Role,
    StopReason,
    Text,
    Usage,
)

_STOPS: dict[str, StopReason] = {
    "end_turn": "end",
    "stop_sequence": "end",
    "tool_use": "tool_calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
_HOSTED = ("web_search", "web_fetch", "code_execution", "mcp_toolset", "advisor")
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
_NOTES = {"container_upload", "fallback", "mcp_tool_listing"}
"""Blocks that are neither words nor calls."""
_APART = {"compaction", "advisor_message"}
"""Iterations whose tokens the usage of a message leaves out."""


class Anthropic:
    """The Messages API (version 2023-06-01 with the betas of 2026)."""

    name: DialectName = "anthropic.messages"

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
        """Server tools, MCP connectors, skills, and sources that the provider would fetch."""
        found = [kind for tool in mappings(body.get("tools")) if _is_hosted(kind := text(tool.get("type")))]
        found += ["mcp_servers"] * bool(body.get("mcp_servers"))
        found += [FALLBACK_MODELS] * bool(body.get("fallbacks"))
        found += ["skills"] * bool(mapping(body.get("container")).get("skills"))
        found += [URL_SOURCE] * any(_fetches(message.get("content")) for message in mappings(body.get("messages")))
        return tuple(dict.fromkeys(found))

    def read_request(self, operation: Operation, body: Mapping[str, Any]) -> ModelRequest:
        """System blocks and the system messages that open the conversation are its instruction."""
        messages = [_message(message) for message in mappings(body.get("messages"))]
        opening: list[Message] = []
        while messages and messages[0].role == "system":
            opening.append(messages.pop(0))
        system = [*_texts(_parts(body.get("system"))), *_texts(part for one in opening for part in one.parts)]
        effort = mapping(body.get("output_config")).get("effort") or mapping(body.get("thinking")).get("budget_tokens")
        return ModelRequest(
            model=self.model_of(operation, body),
            system=join_texts(system),
            messages=tuple(messages),
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
            parts=_parts(body.get("content")),
            stop="error" if error else _STOPS.get(text(stop), "other") if stop else "unknown",
            usage=_usage(body.get("usage")),
            complete=bool(stop) and not error,
            error=error,
        )

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


def _message(message: dict[str, Any]) -> Message:
    role: Role = "assistant" if message.get("role") == "assistant" else "user"
    if message.get("role") == "system":
        role = "system"
    return Message(role, _parts(message.get("content")))


def _parts(content: Any) -> tuple[Part, ...]:
    if isinstance(content, str):
        return (Text(text(content)),) if content else ()
    return tuple(part for block in mappings(content) if (part := _part(block)) is not None)


def _part(block: dict[str, Any]) -> Part | None:
    kind = text(block.get("type"))
    if kind == "text":
        return Text(text(block.get("text")))
    if kind in {"thinking", "redacted_thinking"}:
        return Reasoning(text(block.get("thinking")))
    if kind in {"tool_use", "server_tool_use", "mcp_tool_use"}:
        return make_call(block.get("id"), _called(block), block.get("input"), hosted=kind != "tool_use")
    if kind.endswith("tool_result"):
        failed = block.get("is_error") is True or text(mapping(block.get("content")).get("type")).endswith("error")
        return Result(text(block.get("tool_use_id")), _contents(block.get("content")), failed)
    if kind == "compaction":
        return Text(text(block.get("content")))
    if kind in _NOTES:
        return None
    return _content(block)


def _called(block: dict[str, Any]) -> str:
    """A tool's name; one of a connector with its server's name before it, as clients name MCP tools."""
    name, server = text(block.get("name")), text(block.get("server_name"))
    return f"mcp__{server}__{name}" if server else name


def _contents(content: Any) -> tuple[Text | Media, ...]:
    if isinstance(content, str):
        return (Text(text(content)),)
    return tuple(_content(block) for block in mappings(content))


def _content(block: dict[str, Any]) -> Text | Media:
    kind = text(block.get("type"))
    if kind == "text":
        return Text(text(block.get("text")))
    source = mapping(block.get("source"))
    if kind in {"image", "document"} and text(source.get("type")) in {"base64", "url", "file"}:
        guess = "image/png" if kind == "image" else "application/pdf"
        where = source.get("data") or source.get("url") or source.get("file_id")
        return make_media(source.get("media_type") or guess, where)
    if kind == "document":
        held = source.get("data") or source.get("content")
        return as_text(held) if isinstance(held, str) else Text(join_texts(_texts(_parts(held))))
    return Text(dump({key: value for key, value in block.items() if not key.startswith("encrypted")}))


def _tool(tool: dict[str, Any]) -> dict[str, Any]:
    kind = text(tool.get("type"))
    if _is_hosted(kind) or "name" not in tool:
        return {"type": kind}
    return make_function(tool.get("name"), tool.get("description") or kind, tool.get("input_schema"))


def _is_hosted(kind: str) -> bool:
    return kind.startswith(_HOSTED)


def _fetches(content: Any) -> bool:
    return any(
        is_address(mapping(block.get("source")).get("url")) or _fetches(block.get("content"))
        for block in mappings(content)
    )


def _texts(parts: Iterable[Part]) -> list[str]:
    return [part.text for part in parts if isinstance(part, Text)]


def _usage(value: Any) -> Usage | None:
    usage = mapping(value)
    if not usage:
        return None
    apart = [one for one in mappings(usage.get("iterations")) if one.get("type") in _APART]
    read, written, fresh, output = (
        sum(count(one.get(name)) for one in (usage, *apart))
        for name in ("cache_read_input_tokens", "cache_creation_input_tokens", "input_tokens", "output_tokens")
    )
    thinking = count(mapping(usage.get("output_tokens_details")).get("thinking_tokens"))
    return Usage(fresh + read + written, output, read, written, thinking)
