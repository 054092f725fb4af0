"""The shape of a trajectory: what happened step by step, whatever client did it, so that two can be compared."""

from dataclasses import dataclass

from pincite_harness.trajectory.atif import ObservationResult, Step, ToolCall, Trajectory
from pincite_harness.trajectory.content import paths_in

OWN_TOOL = "own tool"


@dataclass(frozen=True, slots=True)
class StepShape:
    """``calls`` are ``server.tool`` for tools of the trial's servers, ``own tool`` for the client's own; ``results``
    say for each call ``text``, ``image``, ``error`` or ``none``; a client's own tools always ``text`` or ``none``."""

    source: str
    says: bool
    calls: tuple[str, ...] = ()
    results: tuple[str, ...] = ()


def shape_of(trajectory: Trajectory) -> list[StepShape]:
    """The steps of the main conversation. What clients add around prompts and results does not show: words beside
    them, and instructions in the midst of the conversation."""
    return [_shape(step) for number, step in enumerate(trajectory.steps) if number == 0 or not _added(step)]


def _added(step: Step) -> bool:
    return step.source == "system" and "context_management" not in (step.extra or {})


def _shape(step: Step) -> StepShape:
    results = {result.source_call_id: result for result in (step.observation.results if step.observation else [])}
    calls = step.tool_calls or []
    return StepShape(
        step.source,
        bool(step.message),
        tuple(_tool(call) for call in calls),
        tuple(_result(call, results.get(call.tool_call_id)) for call in calls),
    )


def _tool(call: ToolCall) -> str:
    extra = call.extra or {}
    return f"{extra['server']}.{extra['tool']}" if "server" in extra else OWN_TOOL


def _result(call: ToolCall, result: ObservationResult | None) -> str:
    if result is None or (result.content is None and not result.subagent_trajectory_ref):
        return "none"
    if _tool(call) == OWN_TOOL:
        return "text"
    if (result.extra or {}).get("is_error"):
        return "error"
    return "image" if paths_in(result.content) else "text"
