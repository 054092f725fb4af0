"""Steps as the chat messages, outputs and usage of Inspect (version 2 of its log)."""

import base64
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from pincite_trajectory.atif import AudioPart, Content, Metrics, ObservationResult, Step, TextPart, ToolCall
from pincite_trajectory.exports.notes import error_of, wire_of

_STOPS = {
    "end": "stop",
    "tool_calls": "tool_calls",
    "length": "max_tokens",
    "refusal": "content_filter",
    "filtered": "content_filter",
}


class Messages:
    """Makes messages with ids; images are put in as data URLs from files below ``media`` (None: by path)."""

    def __init__(self, media: Path | None) -> None:
        self._media = media
        self._count = 0

    def of_step(self, step: Step) -> list[dict[str, Any]]:
        """The message of a step and those of the results of its calls."""
        role = "assistant" if step.source == "agent" else step.source
        message = self._message(role, self._content(step.message))
        if role == "assistant":
            if step.reasoning_content:
                thought = {"type": "reasoning", "reasoning": step.reasoning_content}
                message["content"] = [thought, *_as_list(message["content"])]
            if step.tool_calls:
                message["tool_calls"] = [_call(call) for call in step.tool_calls]
            if step.model_name is not None:
                message["model"] = step.model_name
        names = {call.tool_call_id: call.function_name for call in step.tool_calls or []}
        results = step.observation.results if step.observation is not None else []
        return [message, *(self._result(result, names) for result in results)]

    def _result(self, result: ObservationResult, names: dict[str, str]) -> dict[str, Any]:
        content = self._content(result.content or "")
        if result.source_call_id is None:
            return self._message("user", content)
        message = self._message("tool", content)
        message |= {"tool_call_id": result.source_call_id, "function": names.get(result.source_call_id, "")}
        return message

    def _message(self, role: str, content: Any) -> dict[str, Any]:
        self._count += 1
        return {"id": f"message-{self._count}", "role": role, "content": content}

    def _content(self, content: Content) -> str | list[dict[str, Any]]:
        if isinstance(content, str):
            return content
        found: list[dict[str, Any]] = []
        for part in content:
            if isinstance(part, TextPart):
                found.append({"type": "text", "text": part.text})
            elif isinstance(part, AudioPart):
                kind = "wav" if part.source.media_type.endswith("wav") else "mp3"
                found.append(
                    {"type": "audio", "audio": self._data(part.source.path, part.source.media_type), "format": kind}
                )
            else:
                found.append({"type": "image", "image": self._data(part.source.path, part.source.media_type)})
        return found

    def _data(self, path: str, media_type: str) -> str:
        file = (self._media / path).resolve() if self._media is not None and "://" not in path else None
        if file is None or self._media is None or not file.is_relative_to(self._media.resolve()) or not file.is_file():
            return path
        return f"data:{media_type};base64,{base64.b64encode(file.read_bytes()).decode()}"


def output_of(step: Step, message: dict[str, Any]) -> dict[str, Any]:
    """A ModelOutput: the message, why it ended, and its usage."""
    output: dict[str, Any] = {
        "model": step.model_name or "",
        "choices": [{"message": message, "stop_reason": _STOPS.get(str(wire_of(step).get("stop")), "unknown")}],
        "completion": step.message if isinstance(step.message, str) else "",
    }
    if step.metrics is not None:
        output["usage"] = usage_of(step.metrics)
    if error := error_of(step):
        output["error"] = f"{error['cause']}: {error.get('detail', '')}"
    return output


def usage_of(metrics: Metrics) -> dict[str, Any]:
    """A ModelUsage, whose input tokens leave the cached ones out."""
    more = metrics.extra or {}
    read, written = metrics.cached_tokens or 0, int(more.get("cache_write_tokens") or 0)
    prompt, completion = metrics.prompt_tokens or 0, metrics.completion_tokens or 0
    usage: dict[str, Any] = {
        "input_tokens": max(0, prompt - read - written),
        "output_tokens": completion,
        "total_tokens": prompt + completion,
        "input_tokens_cache_read": read,
        "input_tokens_cache_write": written,
        "reasoning_tokens": int(more.get("reasoning_tokens") or 0),
    }
    return usage | ({"total_cost": metrics.cost_usd} if metrics.cost_usd is not None else {})


def summed(usages: Iterable[dict[str, Any]]) -> dict[str, Any]:
    """The sum of usages; the cost is left out as soon as one has none."""
    every = list(usages)
    names = [name for name in every[0] if name != "total_cost"] if every else []
    total: dict[str, Any] = {name: sum(usage[name] for usage in every) for name in names}
    costs = [usage["total_cost"] for usage in every if "total_cost" in usage]
    return total | ({"total_cost": sum(costs)} if costs and len(costs) == len(every) else {})


def _call(call: ToolCall) -> dict[str, Any]:
    return {"id": call.tool_call_id, "function": call.function_name, "arguments": call.arguments, "type": "function"}


def _as_list(content: str | list[dict[str, Any]]) -> list[dict[str, Any]]:
    if isinstance(content, list):
        return content
    return [{"type": "text", "text": content}] if content else []
