"""Steps as the messages of OpenTelemetry's conventions for generative AI (their JSON schemas for input and output)."""

from collections.abc import Sequence
from typing import Any

from pincite_trajectory.atif import Content, ObservationResult, Step, TextPart, ToolCall
from pincite_trajectory.exports.notes import error_of, given_up, wire_of

_FINISH = {
    "end": "stop",
    "tool_calls": "tool_call",
    "length": "length",
    "refusal": "content_filter",
    "filtered": "content_filter",
    "error": "error",
    "unknown": "error",
}


def told_messages(steps: Sequence[Step], index: int) -> list[dict[str, Any]]:
    """What the model was told between its last answer and this one: results of calls and words of user and system."""
    start = index
    while start and (steps[start - 1].source != "agent" or given_up(steps[start - 1])):
        start -= 1
    found: list[dict[str, Any]] = []
    before = steps[start - 1] if start else None
    if before is not None and before.observation is not None:
        found += [_told(result) for result in before.observation.results]
    told = [step for step in steps[start:index] if step.source != "agent"]
    return found + [{"role": step.source, "parts": _parts(step.message)} for step in told]


def output_messages(step: Step) -> list[dict[str, Any]]:
    """The answer of a step: reasoning, words and calls, and why it ended."""
    parts: list[dict[str, Any]] = []
    if step.reasoning_content:
        parts.append({"type": "reasoning", "content": step.reasoning_content})
    parts += _parts(step.message)
    parts += [_call(call) for call in step.tool_calls or []]
    return [{"role": "assistant", "parts": parts, "finish_reason": finish_reason(step)}]


def finish_reason(step: Step) -> str:
    """The reason by the conventions' names; what a trajectory does not tell is told from the step itself."""
    if error_of(step):
        return "error"
    return _FINISH.get(str(wire_of(step).get("stop")), "tool_call" if step.tool_calls else "stop")


def _call(call: ToolCall) -> dict[str, Any]:
    if (call.extra or {}).get("hosted"):
        detail = {"type": call.function_name, "arguments": call.arguments}
        return {
            "type": "server_tool_call",
            "id": call.tool_call_id,
            "name": call.function_name,
            "server_tool_call": detail,
        }
    return {
        "type": "tool_call",
        "id": call.tool_call_id,
        "name": call.function_name,
        "arguments": call.arguments,
    }


def _told(result: ObservationResult) -> dict[str, Any]:
    parts = _parts(result.content or "")
    if result.source_call_id is None:
        return {"role": "user", "parts": parts}
    lone = parts[0]["content"] if len(parts) == 1 and parts[0]["type"] == "text" else parts
    return {"role": "tool", "parts": [{"type": "tool_call_response", "id": result.source_call_id, "response": lone}]}


def _parts(content: Content) -> list[dict[str, Any]]:
    if isinstance(content, str):
        return [{"type": "text", "content": content}] if content else []
    found: list[dict[str, Any]] = []
    for part in content:
        if isinstance(part, TextPart):
            found.append({"type": "text", "content": part.text})
        else:
            source = part.source
            found.append({"type": "uri", "modality": part.type, "mime_type": source.media_type, "uri": source.path})
    return found
