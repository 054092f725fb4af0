"""What both OpenAI dialects share: errors, keys, paths and tools."""

from collections.abc import Mapping
from typing import Any

from pincite_models.dialects.dialect import Operation, Refusal
from pincite_models.dialects.fields import (
    INPUT_SCHEMA,
    count,
    make_function,
    make_media,
    mapping,
    mappings,
    text,
)
from pincite_models.dialects.model import DialectName, Media, Usage

_ERRORS: dict[int, tuple[str, str | None]] = {
    401: ("invalid_request_error", "invalid_api_key"),
    403: ("permission_denied_error", None),
    404: ("invalid_request_error", "model_not_found"),
    429: ("insufficient_quota", "insufficient_quota"),
}


def models_operation(dialect: DialectName, place: str) -> Operation | None:
    """``/v1/models`` and ``/v1/models/NAME``."""
    if place != "/v1/models" and not place.startswith("/v1/models/"):
        return None
    return Operation(dialect, "models", model=place.removeprefix("/v1/models").removeprefix("/"))


class OpenAI:
    """What is the same in both of its APIs."""

    version_headers: Mapping[str, str] = {}

    def model_of(self, operation: Operation, body: Mapping[str, Any]) -> str:
        """The model that the path or else the body names."""
        return operation.model or text(body.get("model"))

    def streamed(self, operation: Operation, body: Mapping[str, Any]) -> bool:
        """Whether the body asks for a stream."""
        return operation.streamed or body.get("stream") is True

    def error_body(self, status: int, refusal: Refusal, message: str) -> dict[str, Any]:
        """An error as the API words one; ``code`` says what a client may look for."""
        kind, code = _ERRORS.get(status, ("invalid_request_error" if status < 500 else "server_error", None))
        return {"error": {"message": message, "type": kind, "param": None, "code": code or refusal}}

    def credentials(self, key: str) -> dict[str, str]:
        """A bearer token."""
        return {"authorization": f"Bearer {key}"}


def read_usage(value: Any) -> Usage | None:
    """Usage of either API: ``input_tokens`` or ``prompt_tokens`` (cached ones included), with their details."""
    usage = mapping(value)
    if not usage:
        return None
    inputs = count(usage.get("input_tokens", usage.get("prompt_tokens")))
    outputs = count(usage.get("output_tokens", usage.get("completion_tokens")))
    given = mapping(usage.get("input_tokens_details") or usage.get("prompt_tokens_details"))
    made = mapping(usage.get("output_tokens_details") or usage.get("completion_tokens_details"))
    reasoning = count(made.get("reasoning_tokens"))
    if reasoning and count(usage.get("total_tokens")) == inputs + outputs + reasoning:
        outputs += reasoning  # xAI counts the reasoning beside the completion.
    cached = given.get("cached_tokens", usage.get("prompt_cache_hit_tokens", usage.get("cached_tokens")))
    return Usage(inputs, outputs, count(cached), count(given.get("cache_write_tokens")), reasoning)


def make_tools(tool: dict[str, Any], namespace: str = "") -> list[dict[str, Any]]:
    """A tool of a request as functions: those of a namespace one by one, under their whole names."""
    kind = text(tool.get("type"))
    if kind == "namespace":
        inner = whole_name(namespace, text(tool.get("name")))
        return [made for one in mappings(tool.get("tools")) for made in make_tools(one, inner)]
    held = mapping(tool.get("function") or tool.get("custom")) or tool
    name = whole_name(namespace, text(held.get("name")))
    if kind == "custom":
        return [make_function(name, held.get("description"), INPUT_SCHEMA)]
    if kind in {"function", ""} and name:
        return [make_function(name, held.get("description"), held.get("parameters"))]
    return [{"type": kind}]


def whole_name(namespace: str, name: str) -> str:
    """One name for a tool in a namespace: ``mcp__papers`` and ``open`` are ``mcp__papers__open``."""
    return f"{namespace.rstrip('_')}__{name.lstrip('_')}" if namespace else name


def make_image(value: Any) -> Media:
    """``image_url``: an address or data URL, bare or in an object."""
    return make_media("", mapping(value).get("url") if isinstance(value, dict) else value, "image/png")


def make_file(held: dict[str, Any]) -> Media:
    """A file by its data, its address or its id."""
    held_at = held.get("file_data") or held.get("file_url") or held.get("file_id") or held.get("filename")
    return make_media("", held_at, "application/pdf")
