"""The tool calls of a trial, as a scorer looks at them: what was asked of which server, and what came back."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pincite_models.dialects.fields import mappings
from pincite_trajectory.serving import served_name
from pincite_trajectory.wire import Exchange, read_exchanges


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One call that brought a result."""

    server: str
    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict[str, Any])
    text: str = ""
    images: int = 0


def tool_uses(trial: Path | None) -> list[ToolUse] | None:
    """The calls of a trial that brought a good result, in their order; None where nothing is known of the trial."""
    if trial is None or not (trial / "wire").is_dir():
        return None
    calls = [each for each in read_exchanges(trial / "wire" / "mcp.jsonl") if each.method == "tools/call"]
    return [_use(call) for call in calls if not call.failed]


def _use(call: Exchange) -> ToolUse:
    server, tool = served_name(call)
    parts = mappings(call.result.get("content"))
    text = "\n".join(str(part.get("text", "")) for part in parts if part.get("type") == "text")
    images = sum(part.get("type") == "image" for part in parts)
    return ToolUse(server, tool, call.arguments, text, images)
