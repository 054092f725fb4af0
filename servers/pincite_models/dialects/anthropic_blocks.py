"""Content blocks and usage of Anthropic messages, read into parts."""

from typing import Any

from pincite_models.dialects.fields import (
    as_text,
    count,
    dump,
    join_texts,
    make_call,
    make_media,
    mapping,
    mappings,
    text,
)
from pincite_models.dialects.instruction import texts_of
from pincite_models.dialects.model import Media, Part, Reasoning, Result, Text, Usage

_NOTES = {"container_upload", "fallback", "mcp_tool_listing"}
"""Blocks that are neither words nor calls."""
_APART = {"compaction", "advisor_message"}
"""Iterations whose tokens the usage of a message leaves out."""


def read_blocks(content: Any) -> tuple[Part, ...]:
    """The parts of a message's content: a string, or blocks."""
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
        return make_media(source.get("media_type"), where, guess)
    if kind == "document":
        held = source.get("data") or source.get("content")
        return as_text(held) if isinstance(held, str) else Text(join_texts(texts_of(read_blocks(held))))
    return Text(dump({key: value for key, value in block.items() if not key.startswith("encrypted")}))


def read_usage(value: Any) -> Usage | None:
    """The usage of a message; input tokens include those read from and written to the cache."""
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
