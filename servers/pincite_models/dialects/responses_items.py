"""Items of the OpenAI Responses API, which its requests and responses share, read into parts."""

from collections.abc import Callable
from typing import Any, cast

from pincite_models.dialects.fields import as_text, dump, join_texts, make_call, make_media, mapping, mappings, text
from pincite_models.dialects.model import Call, Media, Part, Reasoning, Result, Role, Text
from pincite_models.dialects.openai import make_file, make_image, whole_name

_KEPT_BACK = {"encrypted_content", "internal_chat_message_metadata_passthrough"}


def read_item(item: dict[str, Any]) -> tuple[Part, ...]:
    """The parts of one item: none for what says nothing to a reader (references, lists of tools)."""
    kind = text(item.get("type")) or "message"
    read = _READERS.get(kind)
    if read is not None:
        return read(item)
    if kind.endswith("_call"):
        return _unknown_call(item, kind)
    if kind.endswith("_output"):
        return (Result(_call_id(item), contents(item.get("output"))),)
    return ()


def is_result(item: dict[str, Any]) -> bool:
    """Whether an item is what a client's tool gave back."""
    return text(item.get("type")).endswith("_output") and item.get("type") != "program_output"


def role_of(item: dict[str, Any]) -> Role:
    """Whose turn an item belongs to; what another agent sends is the user's side."""
    role = text(item.get("role"))
    if role in {"system", "developer"}:
        return "system"
    if role == "user" or is_result(item) or item.get("type") == "agent_message":
        return "user"
    return "assistant"


def awaits_client(item: dict[str, Any]) -> bool:
    """Whether an item is a call that the client has to carry out."""
    kind = text(item.get("type"))
    if kind == "shell_call":
        return mapping(item.get("environment")).get("type") in {None, "local"}
    if kind == "tool_search_call":
        return item.get("execution") == "client"
    return kind in {
        "function_call",
        "custom_tool_call",
        "local_shell_call",
        "apply_patch_call",
        "computer_call",
        "mcp_approval_request",
    }


def contents(value: Any) -> tuple[Text | Media, ...]:
    """What a tool gave back: a string, or content parts."""
    if isinstance(value, str):
        return (Text(text(value)),)
    return tuple(_content(part) for part in mappings(value)) or ((as_text(value),) if value is not None else ())


def _content(part: dict[str, Any]) -> Text | Media:
    kind = text(part.get("type"))
    if kind in {"input_image", "computer_screenshot"}:
        return make_image(part.get("image_url") or part.get("file_id"))
    if kind == "input_file":
        return make_file(part)
    if kind == "input_audio":
        held = mapping(part.get("input_audio")) or part
        return make_media(f"audio/{text(held.get('format')) or 'wav'}", held.get("data") or held.get("audio_url"))
    said = part.get("text", part.get("refusal"))
    return Text(text(said)) if isinstance(said, str) else Text(dump(part))


def _message(item: dict[str, Any]) -> tuple[Part, ...]:
    content = item.get("content")
    if isinstance(content, list):
        content = [part for part in mappings(cast("list[Any]", content)) if part.get("type") != "encrypted_content"]
    return () if content in ("", None) else contents(content)


def _reasoning(item: dict[str, Any]) -> tuple[Part, ...]:
    said = mappings(item.get("content")) or mappings(item.get("summary"))
    return (Reasoning(join_texts([text(part.get("text")) for part in said])),)


def _function(item: dict[str, Any]) -> tuple[Part, ...]:
    name = whole_name(text(item.get("namespace")), text(item.get("name")))
    return (make_call(_call_id(item), name, item.get("arguments")),)


def _custom(item: dict[str, Any]) -> tuple[Part, ...]:
    name = whole_name(text(item.get("namespace")), text(item.get("name")))
    return (make_call(_call_id(item), name, {"input": text(item.get("input"))}),)


def _action(name: str, field: str = "action", *, hosted: bool = False) -> Callable[[dict[str, Any]], tuple[Part, ...]]:
    def read(item: dict[str, Any]) -> tuple[Part, ...]:
        asked = item.get(field) or item.get(f"{field}s")
        arguments = mapping(asked) if isinstance(asked, dict) else {f"{field}s": asked}
        return (make_call(_call_id(item), name, arguments, hosted=hosted and not awaits_client(item)),)

    return read


def _file_search(item: dict[str, Any]) -> tuple[Part, ...]:
    call = make_call(_call_id(item), "file_search", {"queries": item.get("queries")}, hosted=True)
    return (call, *_result(call, item.get("results")))


def _code(item: dict[str, Any]) -> tuple[Part, ...]:
    call = make_call(_call_id(item), "code_interpreter", {"code": text(item.get("code"))}, hosted=True)
    outputs = mappings(item.get("outputs"))
    parts = [make_image(one.get("url")) if one.get("type") == "image" else as_text(one.get("logs")) for one in outputs]
    return (call, Result(call.call_id, tuple(parts))) if parts else (call,)


def _image(item: dict[str, Any]) -> tuple[Part, ...]:
    call = make_call(_call_id(item), "image_generation", {"prompt": text(item.get("revised_prompt"))}, hosted=True)
    if not item.get("result"):
        return (call,)
    media = make_media(f"image/{text(item.get('output_format')) or 'png'}", item.get("result"))
    return (call, Result(call.call_id, (media,)))


def _connector(item: dict[str, Any]) -> tuple[Part, ...]:
    name = whole_name(f"mcp__{text(item.get('server_label'))}", text(item.get("name")))
    call = make_call(_call_id(item), name, item.get("arguments"), hosted=item.get("type") == "mcp_call")
    return (call, *_result(call, item.get("error") or item.get("output"), failed=bool(item.get("error"))))


def _program(item: dict[str, Any]) -> tuple[Part, ...]:
    return (make_call(_call_id(item), "program", {"code": text(item.get("code"))}, hosted=True),)


def _program_output(item: dict[str, Any]) -> tuple[Part, ...]:
    return (Result(_call_id(item), contents(item.get("result")), item.get("status") == "incomplete"),)


def _tool_search(item: dict[str, Any]) -> tuple[Part, ...]:
    return (make_call(_call_id(item), "tool_search", item.get("arguments"), hosted=not awaits_client(item)),)


def _tools_found(item: dict[str, Any]) -> tuple[Part, ...]:
    names = [text(tool.get("name")) for tool in mappings(item.get("tools"))]
    return (Result(_call_id(item), (Text(dump({"tools": names})),)),)


def _patched(item: dict[str, Any]) -> tuple[Part, ...]:
    return (Result(_call_id(item), contents(item.get("output") or ""), item.get("status") == "failed"),)


def _unknown_call(item: dict[str, Any], kind: str) -> tuple[Part, ...]:
    held = {key: value for key, value in item.items() if key not in {"type", "id", "call_id", "status", *_KEPT_BACK}}
    return (make_call(_call_id(item), kind.removesuffix("_call"), held, hosted=True),)


def _result(call: Call, value: Any, *, failed: bool = False) -> tuple[Part, ...]:
    return () if value is None else (Result(call.call_id, contents(value), failed),)


def _call_id(item: dict[str, Any]) -> str:
    return text(item.get("call_id")) or text(item.get("id"))


_READERS: dict[str, Callable[[dict[str, Any]], tuple[Part, ...]]] = {
    "message": _message,
    "agent_message": _message,
    "reasoning": _reasoning,
    "function_call": _function,
    "custom_tool_call": _custom,
    "local_shell_call": _action("local_shell"),
    "shell_call": _action("shell", hosted=True),
    "apply_patch_call": _action("apply_patch", "operation"),
    "apply_patch_call_output": _patched,
    "computer_call": _action("computer"),
    "web_search_call": _action("web_search", hosted=True),
    "file_search_call": _file_search,
    "code_interpreter_call": _code,
    "image_generation_call": _image,
    "mcp_call": _connector,
    "mcp_approval_request": _connector,
    "program": _program,
    "program_output": _program_output,
    "tool_search_call": _tool_search,
    "tool_search_output": _tools_found,
}
