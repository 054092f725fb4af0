"""Calls of a trial, read from its trajectory: of every conversation, each once, by who ran it."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from pincite_harness.reports.trials.write import read_trajectory
from pincite_models.dialects.fields import mapping
from pincite_trajectory.atif import ObservationResult, Step, ToolCall, Trajectory
from pincite_trajectory.content import paths_in, text_in

Kind = Literal["mcp", "shell", "hosted", "own", "unknown"]
KINDS: tuple[Kind, ...] = ("mcp", "shell", "hosted", "own", "unknown")
SHELLS = frozenset(
    {
        *("Bash", "bash", "shell", "shell_command", "exec_command", "local_shell", "container.exec"),
        *("run_shell_command", "bash_command"),
    }
)
"""Names under which clients offer their own terminal; ``bash_command`` are the keystrokes of terminus."""
_NOTHING = ("", "[]", "{}", "null")
_COMMANDS = ("command", "cmd", "keystrokes", "input")
"""Arguments in which a terminal gets what it runs."""


@dataclass(frozen=True, slots=True)
class ToolUse:
    """One call. ``mcp`` passed the tool door, ``shell`` ran in the client's own terminal, ``hosted`` at the model's
    provider, ``own`` is any other tool of the client, ``unknown`` a tool that nobody offered."""

    kind: Kind
    name: str
    server: str = ""
    """Of an ``mcp`` call alone."""
    arguments: str = ""
    """What the terminal was given, else empty."""
    text: str = ""
    """What came back."""
    empty: bool = False
    """Whether nothing came back, no picture either."""
    is_error: bool = False
    refused: str = ""
    """Why the tool door turned it away; empty where it did not."""
    seconds: float | None = None
    sources: tuple[str, ...] = ()
    """Sources that a result names in its structured content."""

    @property
    def toolkit(self) -> str:
        """The server of an ``mcp`` call, else the kind."""
        return self.server or self.kind

    @property
    def counted(self) -> bool:
        """Whether trial.json counts it as a call of its kind: the door turned it away otherwise."""
        return not self.refused


def read_calls(folder: Path) -> list[ToolUse] | None:
    """The calls of a trial's folder, sub-agents' and keystrokes of terminus among them; None where the trajectory is
    missing or cannot be read."""
    trajectory = read_trajectory(folder / "trajectory.json")
    if trajectory is None:
        return None
    calls = list(_calls(trajectory))
    for path in sorted((folder / "agent").rglob("trajectory.json")):
        own = read_trajectory(path)
        # An agent's own account is believed where the doors see nothing: at its keystrokes.
        if own is not None:
            calls += [call for call in _calls(own) if call.name == "bash_command"]
    return calls


def steps_of(trajectory: Trajectory) -> Iterator[tuple[str, Step]]:
    """The agent's steps of all conversations, each with the id of its own; what was copied from another conversation
    stands there alone."""
    for step in trajectory.steps:
        if step.source == "agent" and not step.is_copied_context:
            yield trajectory.trajectory_id or "", step
    for embedded in trajectory.subagent_trajectories or []:
        yield from steps_of(embedded)


def _calls(trajectory: Trajectory) -> Iterator[ToolUse]:
    offered = _offered(trajectory)
    for _, step in steps_of(trajectory):
        results: dict[str, ObservationResult] = {}
        for result in step.observation.results if step.observation else []:
            results.setdefault(result.source_call_id or "", result)
        for call in step.tool_calls or []:
            yield _use(call, results.get(call.tool_call_id), offered)


def _offered(trajectory: Trajectory) -> frozenset[str]:
    """Names of the tools that any conversation offered; empty where that is not told."""
    names = [str(mapping(tool.get("function")).get("name", "")) for tool in trajectory.agent.tool_definitions or []]
    for embedded in trajectory.subagent_trajectories or []:
        names += _offered(embedded)
    return frozenset(names)


def _use(call: ToolCall, result: ObservationResult | None, offered: frozenset[str]) -> ToolUse:
    extra: dict[str, Any] = call.extra or {}
    told: dict[str, Any] = (result.extra if result is not None else None) or {}
    server = str(extra.get("server") or "")
    seconds = told.get("seconds")
    full = told.get("full_text")
    return ToolUse(
        kind=_kind(call, server, offered),
        name=str(extra.get("tool") or call.function_name),
        server=server,
        arguments=_command(call),
        text=str(full) if full else _text(result),
        empty=_is_empty(result),
        is_error=bool(told.get("is_error")),
        refused=str(told.get("refused") or ""),
        seconds=float(seconds) if isinstance(seconds, int | float) else None,
        sources=_sources(told.get("structured_content")),
    )


def _kind(call: ToolCall, server: str, offered: frozenset[str]) -> Kind:
    if server:
        return "mcp"
    if (call.extra or {}).get("hosted"):
        return "hosted"
    if call.function_name in SHELLS:
        return "shell"
    return "unknown" if offered and call.function_name not in offered else "own"


def _command(call: ToolCall) -> str:
    for name in _COMMANDS:
        given = call.arguments.get(name)
        if isinstance(given, str):
            return given
        if isinstance(given, list):
            return " ".join(str(word) for word in given)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return ""


def _text(result: ObservationResult | None) -> str:
    return text_in(result.content) if result is not None and result.content is not None else ""


def _is_empty(result: ObservationResult | None) -> bool:
    """Whether a result holds no words and no pictures, or an empty list or object alone."""
    if result is None or result.content is None:
        return True
    return not paths_in(result.content) and text_in(result.content).strip() in _NOTHING


def _sources(structured: Any) -> tuple[str, ...]:
    """The names in a result's list ``sources``: texts, or objects with a name."""
    found: list[str] = []
    listed: Any = mapping(structured).get("sources")
    for item in listed if isinstance(listed, list) else []:  # pyright: ignore[reportUnknownVariableType]
        name = item if isinstance(item, str) else mapping(item).get("source") or mapping(item).get("name")  # pyright: ignore[reportUnknownArgumentType]
        if isinstance(name, str):
            found.append(name)
    return tuple(dict.fromkeys(found))
