"""Sessions of Qwen Code: ``projects/SLUG/chats/SESSION.jsonl``; of sub-agents it keeps what its telemetry says."""

from typing import Any

from pincite_models.dialects.fields import as_text, count, first, make_call, mapping, mappings, text
from pincite_models.dialects.google_contents import read_answers, read_parts
from pincite_models.dialects.model import Part, Result, Text, Usage
from pincite_trajectory.sessions.records import Record, SessionFile
from pincite_trajectory.sessions.story import Story

SOURCE = "qwen-code session"


def is_qwen_code(file: SessionFile) -> bool:
    """Whether the records are Qwen Code's: a chain of uuids, with messages in the Gemini API's parts."""
    chained = [record for record in file.records if "parentUuid" in record and "isSidechain" not in record]
    return any("parts" in mapping(record.get("message")) for record in chained)


def is_subagent(file: SessionFile) -> bool:
    """Never: sub-agents have no files of their own."""
    return False


def read_qwen_code(file: SessionFile) -> Story:
    """The session, along the chain that ends in its last record: what was taken back is left out."""
    head = first(list(file.records))
    story = Story("qwen-code", text(head.get("version")), text(head.get("sessionId")))
    for record in _chain(file.kept().records):
        _tell(story, record)
    return story


def _chain(records: tuple[Record, ...]) -> list[Record]:
    by_name = {text(record.get("uuid")): record for record in records if record.get("uuid")}
    found: dict[str, Record] = {}
    name = next(reversed(by_name), "")
    while name in by_name and name not in found:
        found[name] = by_name[name]
        name = text(by_name[name].get("parentUuid"))
    return list(reversed(found.values()))


def _tell(story: Story, record: Record) -> None:
    kind, at, message = text(record.get("type")), record.get("timestamp"), mapping(record.get("message"))
    parts = mappings(message.get("parts"))
    if kind == "assistant":
        scene = story.answer(read_parts(parts), at, key=text(record.get("uuid")))
        scene.model = text(record.get("model"))
        scene.usage = _usage(mapping(record.get("usageMetadata")))
        story.model = story.model or scene.model
    elif kind == "tool_result":
        for part in read_answers(parts, []):
            if isinstance(part, Result):
                story.bring(part, at)
    elif kind == "user":
        story.say("user", read_parts(parts), at)
    elif kind == "system":
        _event(story, text(record.get("subtype")), mapping(record.get("systemPayload")), at)


def _event(story: Story, subtype: str, payload: dict[str, Any], at: Any) -> None:
    event = mapping(payload.get("uiEvent"))
    if subtype == "chat_compression":
        story.compact(_history(story, payload), at)
    elif subtype == "ui_telemetry" and event.get("event.name") == "qwen-code.api_error":
        story.fail(text(event.get("error_message")), at)
    elif subtype == "ui_telemetry" and "#" in text(event.get("prompt_id")):
        _aside(story, event, at)


def _history(story: Story, payload: dict[str, Any]) -> list[Part]:
    """The words that stand in place of the history; what of it was kept as it was is not said again."""
    held = [part for content in mappings(payload.get("compressedHistory")) for part in mappings(content.get("parts"))]
    said = {part.text for scene in story.scenes for part in scene.parts if isinstance(part, Text)}
    fresh = [part for part in read_parts(held) if isinstance(part, Text) and part.text not in said]
    return list(fresh) or [as_text(payload.get("info") or "The history was compressed.")]


def _aside(story: Story, event: dict[str, Any], at: Any) -> None:
    """A sub-agent's answers and calls as telemetry tells them, without what the calls brought."""
    name = text(event.get("prompt_id")).rpartition("#")[0]
    sub = next((one for one in story.subagents if one.session_id == name), None)
    if sub is None:
        sub = Story("qwen-code", story.version, name)
        sub.extra["told_by"] = "telemetry"
        story.adopt(sub, _spawning(story))
    key = text(event.get("response_id"))
    if event.get("event.name") == "qwen-code.api_response":
        said = text(event.get("response_text"))
        scene = sub.answer([Text(said)] if said else [], at, key=key)
        scene.model = sub.model = text(event.get("model"))
        scene.usage = _usage({
            "promptTokenCount": event.get("input_token_count"),
            "candidatesTokenCount": event.get("output_token_count"),
            "thoughtsTokenCount": event.get("thoughts_token_count"),
            "cachedContentTokenCount": event.get("cached_content_token_count"),
            "totalTokenCount": event.get("total_token_count"),
        })  # fmt: skip
    elif event.get("event.name") == "qwen-code.tool_call":
        call_id = f"{key}-{len(sub.answer((), at, key=key).calls) + 1}"
        sub.answer([make_call(call_id, event.get("function_name"), event.get("function_args") or {})], at, key=key)
        failed = event.get("success") is False
        sub.note(call_id, not_told=True, is_error=True if failed else None, error=text(event.get("error")) or None)


def _spawning(story: Story) -> str:
    """The first call of an agent that has brought nothing yet: sub-agents are told of while they work."""
    brought = {
        call_id for scene in story.scenes for call_id, told in scene.results.items() if told.result or told.subagent
    }
    return story.call(lambda call, _: call.name in {"agent", "task"} and call.call_id not in brought)


def _usage(usage: dict[str, Any]) -> Usage | None:
    """Counts in the Gemini API's names; where an OpenAI-compatible API made them, candidates hold the thoughts."""
    if not usage:
        return None
    thoughts, made = count(usage.get("thoughtsTokenCount")), count(usage.get("candidatesTokenCount"))
    given = count(usage.get("promptTokenCount"))
    if count(usage.get("totalTokenCount")) == given + made + thoughts:
        made += thoughts
    return Usage(given, made, count(usage.get("cachedContentTokenCount")), reasoning_tokens=thoughts)
