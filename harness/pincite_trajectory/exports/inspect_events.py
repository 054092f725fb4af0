"""The events of an Inspect sample: spans of conversations, calls of models and of tools, compaction."""

from collections.abc import Sequence
from typing import Any

from pincite_trajectory.atif import ObservationResult, Step, ToolCall, Trajectory
from pincite_trajectory.content import text_in
from pincite_trajectory.exports import clock
from pincite_trajectory.exports.inspect_messages import Messages, output_of
from pincite_trajectory.exports.notes import error_of, given_up, seconds_in, wire_of


class Events:
    """``events`` of all conversations, ``conversations`` as rows of messages (the main one first), and the ``pool`` of
    messages that events refer to."""

    def __init__(self, messages: Messages) -> None:
        self.events: list[dict[str, Any]] = []
        self.conversations: list[list[dict[str, Any]]] = []
        self.pool: list[dict[str, Any]] = []
        self._messages = messages

    def add(self, trajectory: Trajectory, parent: str | None = None) -> None:
        """Add a conversation and those that are embedded in it, each in a span of its own."""
        steps = trajectory.steps
        name = trajectory.trajectory_id or trajectory.agent.name
        begin = {"event": "span_begin", "id": name, "name": name, "type": "agent", "parent_id": parent}
        self._event(begin, name, steps, 0)
        self.conversations.append([])
        row, start = self.conversations[-1], len(self.pool)
        for index, step in enumerate(steps):
            made = self._messages.of_step(step)
            if step.source == "agent" and not step.is_copied_context:
                if step.llm_call_count != 0:
                    self._model(trajectory, index, start, made[0], name)
                self._tools(steps, index, name)
            if "context_management" in (step.extra or {}):
                self._event({"event": "compaction", "type": "summary", "source": "pincite"}, name, steps, index)
                start = len(self.pool)
            if not given_up(step):
                row += made
                self.pool += made
        for embedded in trajectory.subagent_trajectories or []:
            self.add(embedded, name)
        self._event({"event": "span_end", "id": name}, name, steps, len(steps) - 1)

    def _model(self, trajectory: Trajectory, index: int, start: int, message: dict[str, Any], span: str) -> None:
        step = trajectory.steps[index]
        wire, error = wire_of(step), error_of(step)
        event: dict[str, Any] = {
            "event": "model",
            "model": step.model_name or trajectory.agent.model_name or "unknown",
            "input": [],
            "input_refs": [[start, len(self.pool)]],
            "tools": [],
            "tool_choice": "auto",
            "config": {},
            "output": output_of(step, message),
            "completed": clock.answered(trajectory.steps, index).isoformat(),
            "working_time": seconds_in(wire),
            "retries": len((step.extra or {}).get("attempts") or []),
        }
        if error:
            event["error"] = f"{error['cause']}: {error.get('detail', '')}"
        self._event(event, span, trajectory.steps, index)

    def _tools(self, steps: Sequence[Step], index: int, span: str) -> None:
        step = steps[index]
        results = {result.source_call_id: result for result in (step.observation.results if step.observation else [])}
        for call in step.tool_calls or []:
            self._tool(steps, index, call, results.get(call.tool_call_id), span)

    def _tool(
        self, steps: Sequence[Step], index: int, call: ToolCall, result: ObservationResult | None, span: str
    ) -> None:
        started, ended = clock.called(steps, index, result)
        extra = (result.extra if result is not None else None) or {}
        told = text_in(result.content) if result is not None else ""
        event: dict[str, Any] = {
            "event": "tool",
            "type": "function",
            "id": call.tool_call_id,
            "function": call.function_name,
            "arguments": call.arguments,
            "result": told,
            "timestamp": started.isoformat(),
            "completed": ended.isoformat(),
            "working_time": seconds_in(extra),
        }
        if extra.get("is_error"):
            event["error"] = {"type": "unknown", "message": told}
        self._event(event, span, steps, index)

    def _event(self, event: dict[str, Any], span: str, steps: Sequence[Step], index: int) -> None:
        at = clock.begun(steps, index)
        first = clock.begun(steps, 0)
        known: dict[str, Any] = {
            "uuid": f"event-{len(self.events) + 1}",
            "span_id": span,
            "timestamp": at.isoformat(),
            "working_start": max(0.0, (at - first).total_seconds()),
        }
        self.events.append({**known, **event})
