"""What may stand inside the messages of a request: parts of known kinds that carry their content themselves.

What a part refers to (an address, a file at the provider) is found by the names of its fields without regard to case
and underscores, as some servers take them so. Arguments of tool calls and what functions answered are data, not parts.
"""

from collections.abc import Iterable, Mapping
from typing import Any, cast

from pincite_doors.models.opened import Opened
from pincite_doors.models.refusals import closed_address, closed_field, unknown_field, untyped_part
from pincite_models.dialects.fields import mapping, mappings
from pincite_models.dialects.google_contents import camels
from pincite_models.dialects.model import DialectName
from pincite_models.dialects.request_fields import PARTS, words

_ADDRESSES = frozenset({"imageurl", "videourl", "audiourl", "fileurl", "documenturl", "fileuri", "imageuri"})
_CONTENT = frozenset({"data", "filedata"})
"""Fields of base64, for which some servers take an address too."""
_ADDRESS_CHARS = 100
"""Where an address has shown itself as one: base64 has no colon."""
_PLAIN_FIELDS = words(
    "type text role content id call_id tool_use_id name arguments output is_error cache_control signature thinking"
    " status summary encrypted_content annotations logprobs"
)
"""Fields of most parts, which name neither: an object with these alone is not looked at further."""
_FILES = frozenset({"fileid", "fileids", "imagefileid", "vectorstoreids"})

_ANTHROPIC_PARTS = words(
    "text image document search_result thinking redacted_thinking tool_use tool_result tool_reference"
    " tool_search_tool_result compaction tool_addition tool_removal fallback"
)
_ANTHROPIC_SOURCES = frozenset({"base64", "text", "content"})
_CHAT_PARTS = words(
    "text image_url input_audio file refusal video_url audio_url document_url thinking reasoning"
    " input_text input_image output_text tool_reference"
)
_CHAT_MESSAGE = words(
    "role content name tool_calls tool_call_id tool_name function_call refusal reasoning_content reasoning"
    " reasoning_details reasoning_text reasoning_opaque reasoning_signature thinking thinking_blocks"
    " annotations prefix partial cache_control id type status provider_specific_fields phase"
)
_ITEMS = words(
    "message reasoning function_call function_call_output custom_tool_call custom_tool_call_output"
    " local_shell_call local_shell_call_output shell_call shell_call_output apply_patch_call"
    " apply_patch_call_output computer_call computer_call_output tool_search_call tool_search_output"
    " additional_tools agent_message compaction compaction_summary compaction_trigger context_compaction"
    " configuration_update program program_output ghost_snapshot"
)
_HOSTED_ITEMS = words(
    "web_search_call file_search_call code_interpreter_call image_generation_call mcp_call mcp_list_tools"
    " mcp_approval_request mcp_approval_response"
)
_ITEM_PARTS = words(
    "input_text output_text text refusal summary_text reasoning_text input_image input_file input_audio"
    " computer_screenshot encrypted_content tool_reference stdout stderr shell_call_output_content"
)
_GOOGLE_PARTS = words(
    "text thought thoughtSignature inlineData fileData functionCall functionResponse videoMetadata"
    " mediaResolution mediaProcessing partMetadata audioTranscription speechMetadata"
)
_GOOGLE_HOSTED = frozenset({"executableCode", "codeExecutionResult", "toolCall", "toolResponse"})


def check_parts(opened: Opened, dialect: DialectName, body: Mapping[str, Any]) -> str | None:
    """Why a request may not pass for what its messages hold; None when it may."""
    reasons = _CHECKS[dialect](_Check(opened), body)
    return next(iter(reasons), None)


class _Check:
    """Goes through the parts of a request; each method gives the reasons against it, best none."""

    def __init__(self, opened: Opened) -> None:
        self._opened = opened

    def anthropic(self, body: Mapping[str, Any]) -> Iterable[str]:
        """``system`` and every message."""
        yield from self._blocks(body.get("system"), "system")
        for message in mappings(body.get("messages")):
            yield from self._keys(message, frozenset({"role", "content"}), "messages")
            yield from self._blocks(message.get("content"), "messages.content")

    def responses(self, body: Mapping[str, Any]) -> Iterable[str]:
        """``instructions`` and the items of ``input``."""
        yield from self._items(body.get("instructions"), "instructions")
        yield from self._items(body.get("input"), "input")

    def chat(self, body: Mapping[str, Any]) -> Iterable[str]:
        """Every message, and the text that the answer may repeat."""
        for part in self._parts(mapping(body.get("prediction")).get("content")):
            yield from self._typed(part, _CHAT_PARTS, "prediction.content")
        for message in mappings(body.get("messages")):
            if mapping(message.get("audio")) and not self._opened.field("audio_id"):
                yield closed_field("messages.audio.id", PARTS["audio_id"])
            yield from self._keys(message, _CHAT_MESSAGE | {"audio"}, "messages")
            for part in self._parts(message.get("content")):
                yield from self._typed(part, _CHAT_PARTS, "messages.content")

    def google(self, body: Mapping[str, Any]) -> Iterable[str]:
        """``systemInstruction`` and every content."""
        for name in ("systemInstruction", "contents"):
            for content in mappings(body.get(name)):
                yield from self._keys(content, frozenset({"role", "parts"}), name)
                for part in mappings(content.get("parts")):
                    yield from self._google_part(camels(part), f"{name}.parts")

    def _google_part(self, part: dict[str, Any], place: str) -> Iterable[str]:
        known = _GOOGLE_PARTS | _GOOGLE_HOSTED if self._opened.any_tool else _GOOGLE_PARTS
        yield from self._keys(part, known, place)
        yield from self._references(camels(part.get("fileData")), f"{place}.fileData")
        for inner in mappings(camels(part.get("functionResponse")).get("parts")):
            held = camels(inner)
            yield from self._keys(held, frozenset({"inlineData", "fileData", "mediaProcessing"}), place)
            yield from self._references(camels(held.get("fileData")), f"{place}.functionResponse.fileData")

    def _blocks(self, content: Any, place: str) -> Iterable[str]:
        """Anthropic's blocks, and those inside results and documents."""
        for block in self._parts(content):
            kind = block.get("type")
            if self._is_hosted_block(kind):
                if not self._opened.any_tool:
                    yield unknown_field(f"{place}[type={kind}]")
                continue
            if kind == "container_upload":
                if not self._opened.field(kind):
                    yield closed_field(kind, PARTS[kind])
                continue
            yield from self._typed(block, _ANTHROPIC_PARTS, place)
            if kind in ("tool_result", "search_result", "compaction"):
                yield from self._blocks(block.get("content"), f"{place}.content")
            source = block.get("source")
            if isinstance(source, dict):
                yield from self._source(cast("dict[str, Any]", source), f"{place}.source")

    def _source(self, source: dict[str, Any], place: str) -> Iterable[str]:
        kind = source.get("type")
        if kind == "url":
            yield from self._address(source.get("url"), f"{place}.url")
        elif kind == "file":
            yield from self._file(source.get("file_id"), f"{place}.file_id")
        elif kind == "content":
            yield from self._blocks(source.get("content"), f"{place}.content")
        elif kind not in _ANTHROPIC_SOURCES:
            yield unknown_field(f"{place}[type={kind}]")
        if kind not in ("url", "file"):
            yield from self._references(source, place)
            yield from self._address(source.get("url"), f"{place}.url")

    @staticmethod
    def _is_hosted_block(kind: Any) -> bool:
        """Whether a block is a call of a tool that the provider ran, or what it gave."""
        if kind in ("tool_result", "tool_search_tool_result"):
            return False
        return isinstance(kind, str) and (kind in ("server_tool_use", "mcp_tool_use") or kind.endswith("_tool_result"))

    def _items(self, value: Any, place: str) -> Iterable[str]:
        """Items of the Responses API; one without a type is a message, which has a role."""
        for item in self._parts(value):
            kind = item.get("type")
            if kind is None and isinstance(item.get("role"), str):
                kind = "message"
            if kind == "item_reference" or (kind is None and "id" in item):
                if not self._opened.field("item_reference"):
                    yield closed_field("item_reference", PARTS["item_reference"])
                continue
            if kind not in _ITEMS and not (kind in _HOSTED_ITEMS and self._opened.any_tool):
                yield from self._unknown_kind(kind, place)
            yield from self._references(item, place)
            for name in ("content", "output", "summary"):
                for part in self._parts(item.get(name)):
                    yield from self._typed(part, _ITEM_PARTS, f"{place}.{name}", needs_type=kind != "shell_call_output")

    def _typed(
        self, part: dict[str, Any], known: frozenset[str], place: str, *, needs_type: bool = True
    ) -> Iterable[str]:
        """A part with its type, and what it refers to."""
        kind = part.get("type")
        if kind not in known and (needs_type or kind is not None):
            yield from self._unknown_kind(kind, place)
        yield from self._references(part, place)
        for name, value in part.items():
            if isinstance(value, dict) and name not in ("input", "source", "cache_control"):
                yield from self._references(cast("dict[str, Any]", value), f"{place}.{name}")

    def _unknown_kind(self, kind: Any, place: str) -> Iterable[str]:
        if not isinstance(kind, str) or not kind:
            yield untyped_part(place)
        elif not self._opened.unknown(kind):
            yield unknown_field(f"{place}[type={kind}]")

    def _references(self, part: Mapping[str, Any], place: str) -> Iterable[str]:
        """Addresses and files that an object names in its own fields."""
        if part.keys() <= _PLAIN_FIELDS:
            return
        for name, value in part.items():
            plain = name.replace("_", "").lower()
            if plain in _ADDRESSES:
                held = mappings(value) or [{"url": value}]
                for one in held:
                    yield from self._address(_url(one), f"{place}.{name}")
            elif plain in _CONTENT and isinstance(value, str) and ":" in value[:_ADDRESS_CHARS]:
                yield from self._address(value, f"{place}.{name}")
            elif plain in _FILES:
                yield from self._file(value, f"{place}.{name}")
            elif plain == "containerid" and value is not None and not self._opened.field("container_id"):
                yield closed_field(f"{place}.{name}", PARTS["container_id"])

    def _address(self, value: Any, place: str) -> Iterable[str]:
        if value is not None and not (isinstance(value, str) and self._opened.address(value)):
            yield closed_address(str(value)[:_ADDRESS_CHARS], place)

    def _file(self, value: Any, place: str) -> Iterable[str]:
        if value is not None and not self._opened.field("file_id"):
            yield closed_field(place, PARTS["file_id"])

    def _keys(self, held: Mapping[str, Any], known: frozenset[str], place: str) -> Iterable[str]:
        if held.keys() <= known:
            return
        for name, value in held.items():
            if value is not None and name not in known and not self._opened.unknown(name):
                yield unknown_field(f"{place}.{name}")

    def _parts(self, value: Any) -> list[dict[str, Any]]:
        """The objects of a content. Strings are text; what is neither counts as a part without a type."""
        if isinstance(value, list):
            held = cast("list[Any]", value)
            return [mapping(one) for one in held if not isinstance(one, str)]
        return mappings(value)


def _url(held: Mapping[str, Any]) -> Any:
    """The address of an object, however its server writes the name."""
    found = [value for name, value in held.items() if name.lower() in ("url", "uri") and value is not None]
    return found[0] if len(found) == 1 else found or None


_CHECKS = {
    "anthropic.messages": _Check.anthropic,
    "openai.responses": _Check.responses,
    "openai.chat": _Check.chat,
    "google.generate": _Check.google,
}
