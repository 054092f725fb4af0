"""A trajectory as OpenTelemetry spans in OTLP JSON, by the semantic conventions for generative AI (1.44.0).

One ``invoke_agent`` span for each conversation, in it a ``chat`` span for each call of a model and an ``execute_tool``
span for each tool call; a sub-agent's span lies in that of the call that started it. Ids are derived from the
trajectory, so that the same trajectory gives the same spans.
"""

import hashlib
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from importlib.metadata import version
from typing import Any

import orjson

from pincite_trajectory.atif import ObservationResult, Step, ToolCall, Trajectory
from pincite_trajectory.content import text_in
from pincite_trajectory.exports import clock
from pincite_trajectory.exports.notes import error_of, wire_of
from pincite_trajectory.exports.span_messages import finish_reason, output_messages, told_messages

SCHEMA_URL = "https://opentelemetry.io/schemas/1.44.0"
_INTERNAL, _CLIENT = 1, 3
"""Kinds of spans in OTLP: within the program, and a request to another."""
_ERROR = 2
"""Status of a span in OTLP."""
_PROVIDERS = {
    "anthropic.messages": "anthropic",
    "openai.responses": "openai",
    "openai.chat": "openai",
    "google.generate": "gcp.gemini",
}
_MICROSECOND = timedelta(microseconds=1)


def to_otlp(trajectory: Trajectory) -> dict[str, Any]:
    """An ExportTraceServiceRequest in JSON. ``gen_ai.input.messages`` hold what a call adds: what earlier
    calls of its conversation were sent stands in their spans."""
    resource = {"service.name": "pincite", "service.version": version("pincite")}
    scope = {"name": "pincite.trajectory", "version": version("pincite")}
    spans = _Spans(trajectory).write()
    return {
        "resourceSpans": [
            {
                "resource": {"attributes": attributes(resource)},
                "schemaUrl": SCHEMA_URL,
                "scopeSpans": [{"scope": scope, "schemaUrl": SCHEMA_URL, "spans": spans}],
            }
        ]
    }


def attributes(values: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Attributes in OTLP JSON, those that are None left out; structures go as JSON text."""
    return [{"key": key, "value": _value(value)} for key, value in values.items() if value is not None]


class _Spans:
    def __init__(self, trajectory: Trajectory) -> None:
        self._root = trajectory
        first = trajectory.steps[0].timestamp or ""
        self._name = f"{trajectory.trajectory_id or trajectory.session_id or trajectory.agent.name} {first}"
        self._trace = hashlib.sha256(self._name.encode()).hexdigest()[:32]
        self._spans: list[dict[str, Any]] = []
        self._callers: dict[str, str] = {}
        """Span of the call that started a trajectory, by the trajectory's id."""

    def write(self) -> list[dict[str, Any]]:
        root = self._conversation(self._root, None)
        for embedded in self._root.subagent_trajectories or []:
            self._conversation(embedded, root)
        for span in self._spans:
            caller = self._callers.get(str(span.pop("of", "")))
            span["parentSpanId"] = caller or span["parentSpanId"]
        return self._spans

    def _conversation(self, trajectory: Trajectory, parent: str | None) -> str:
        steps, agent = trajectory.steps, trajectory.agent
        last = next((step for step in reversed(steps) if step.source == "agent"), None)
        system = next((step for step in steps if step.source == "system"), None)
        span = self._add(
            f"invoke_agent {agent.name}",
            _INTERNAL,
            (clock.begun(steps, 0), clock.ended(steps)),
            parent,
            {
                "gen_ai.operation.name": "invoke_agent",
                "gen_ai.provider.name": _provider(steps),
                "gen_ai.agent.name": agent.name,
                "gen_ai.agent.version": agent.version,
                "gen_ai.agent.id": trajectory.trajectory_id,
                "gen_ai.conversation.id": trajectory.session_id or trajectory.trajectory_id,
                "gen_ai.request.model": agent.model_name,
                "gen_ai.tool.definitions": agent.tool_definitions,
                "gen_ai.system_instructions": _instructions(system),
                "gen_ai.output.messages": output_messages(last) if last is not None else None,
                "pincite.conversation.role": (trajectory.extra or {}).get("role", "main"),
            },
        )
        self._spans[-1]["of"] = trajectory.trajectory_id or ""
        for index in range(len(steps)):
            self._step(trajectory, index, span)
        return span

    def _step(self, trajectory: Trajectory, index: int, parent: str) -> None:
        steps = trajectory.steps
        step = steps[index]
        if step.source != "agent" or step.is_copied_context:
            return
        if step.llm_call_count != 0:
            times = (clock.begun(steps, index), clock.answered(steps, index))
            told = _chat(trajectory, index)
            name = f"{told['gen_ai.operation.name']} {told['gen_ai.request.model'] or ''}".strip()
            self._add(name, _CLIENT, times, parent, told, error_of(step))
        results = {result.source_call_id: result for result in (step.observation.results if step.observation else [])}
        for call in step.tool_calls or []:
            self._call(steps, index, call, results.get(call.tool_call_id), parent)
        for result in step.observation.results if step.observation else []:
            if result.source_call_id is None:
                self._started(result, parent)

    def _call(
        self, steps: Sequence[Step], index: int, call: ToolCall, result: ObservationResult | None, parent: str
    ) -> None:
        extra = (result.extra if result is not None else None) or {}
        served = call.extra or {}
        error = {"cause": "tool_error", "detail": text_in(result.content)} if result and extra.get("is_error") else None
        span = self._add(
            f"execute_tool {call.function_name}",
            _INTERNAL,
            clock.called(steps, index, result),
            parent,
            {
                "gen_ai.operation.name": "execute_tool",
                "gen_ai.tool.name": call.function_name,
                "gen_ai.tool.call.id": call.tool_call_id,
                "gen_ai.tool.type": "extension" if served.get("hosted") else "function",
                "gen_ai.tool.call.arguments": call.arguments,
                "gen_ai.tool.call.result": text_in(result.content) if result is not None else None,
                "pincite.mcp.server": served.get("server"),
                "pincite.mcp.tool": served.get("tool"),
            },
            error,
        )
        if result is not None:
            self._started(result, span)

    def _started(self, result: ObservationResult, span: str) -> None:
        """Note the trajectories that a result refers to as started by ``span``."""
        for reference in result.subagent_trajectory_ref or []:
            if reference.trajectory_id is not None:
                self._callers[reference.trajectory_id] = span

    def _add(
        self,
        name: str,
        kind: int,
        times: tuple[datetime, datetime],
        parent: str | None,
        values: Mapping[str, Any],
        error: Mapping[str, Any] | None = None,
    ) -> str:
        number = f"{self._name} {len(self._spans)}"
        span_id = hashlib.sha256(number.encode()).hexdigest()[:16]
        told = dict(values) | ({"error.type": str(error.get("cause"))} if error else {})
        status = {"code": _ERROR, "message": str(error.get("detail") or "")} if error else {}
        self._spans.append(
            {
                "traceId": self._trace,
                "spanId": span_id,
                "parentSpanId": parent or "",
                "name": name,
                "kind": kind,
                "startTimeUnixNano": _nanoseconds(times[0]),
                "endTimeUnixNano": _nanoseconds(times[1]),
                "attributes": attributes(told),
                "status": status,
            }
        )
        return span_id


def _chat(trajectory: Trajectory, index: int) -> dict[str, Any]:
    step = trajectory.steps[index]
    wire = wire_of(step)
    metrics = step.metrics
    more = (metrics.extra if metrics is not None else None) or {}
    return {
        "gen_ai.operation.name": "generate_content" if wire.get("dialect") == "google.generate" else "chat",
        "gen_ai.provider.name": _provider([step]),
        "gen_ai.agent.name": trajectory.agent.name,
        "gen_ai.conversation.id": trajectory.session_id or trajectory.trajectory_id,
        "gen_ai.request.model": step.model_name or trajectory.agent.model_name,
        "gen_ai.response.model": step.model_name,
        "gen_ai.response.id": wire.get("response_id") or None,
        "gen_ai.response.finish_reasons": [finish_reason(step)],
        "gen_ai.response.time_to_first_chunk": wire.get("first_byte_seconds"),
        "gen_ai.usage.input_tokens": metrics.prompt_tokens if metrics is not None else None,
        "gen_ai.usage.output_tokens": metrics.completion_tokens if metrics is not None else None,
        "gen_ai.usage.cache_read.input_tokens": metrics.cached_tokens if metrics is not None else None,
        "gen_ai.usage.cache_creation.input_tokens": more.get("cache_write_tokens"),
        "gen_ai.usage.reasoning.output_tokens": more.get("reasoning_tokens"),
        "gen_ai.input.messages": told_messages(trajectory.steps, index),
        "gen_ai.output.messages": output_messages(step),
        "http.response.status_code": wire.get("status"),
        "pincite.cost_usd": metrics.cost_usd if metrics is not None else None,
        "pincite.failed_attempts": len((step.extra or {}).get("attempts") or []) or None,
    }


def _instructions(step: Step | None) -> list[dict[str, Any]] | None:
    return [{"type": "text", "content": text_in(step.message)}] if step is not None else None


def _provider(steps: Sequence[Step]) -> str:
    dialects = [str(wire_of(step).get("dialect")) for step in steps]
    return next((_PROVIDERS[dialect] for dialect in dialects if dialect in _PROVIDERS), "unknown")


def _nanoseconds(at: datetime) -> str:
    return str((at - clock.EPOCH) // _MICROSECOND * 1000)


def _value(value: Any) -> dict[str, Any]:
    if isinstance(value, bool):
        return {"boolValue": value}
    if isinstance(value, int):
        return {"intValue": str(value)}
    if isinstance(value, float):
        return {"doubleValue": value}
    if isinstance(value, str):
        return {"stringValue": value}
    if isinstance(value, list) and all(isinstance(item, str) for item in value):  # pyright: ignore[reportUnknownVariableType]
        return {"arrayValue": {"values": [_value(item) for item in value]}}  # pyright: ignore[reportUnknownVariableType]
    return {"stringValue": orjson.dumps(value).decode()}
