"""Steps of an agent that called tools without a model: each call that the tool door saw, as the agent's own doing."""

from collections.abc import Iterable, Sequence
from typing import Any

from pincite_models.dialects.fields import make_function, mappings
from pincite_trajectory.atif import Observation, ObservationResult, Step, SubagentTrajectoryRef, ToolCall
from pincite_trajectory.observing import raw_arguments, served_content, served_extra
from pincite_trajectory.serving import served_name
from pincite_trajectory.wire import Exchange


def call_step(call: Exchange, subagents: Sequence[str] = ()) -> Step:
    """A call with its result as a step without a model call (its number is to be set); ``subagents`` names the
    trajectories of models that its server asked."""
    call_id = f"call_{call.request['seq']}"
    server, tool = served_name(call)
    references = [SubagentTrajectoryRef(trajectory_id=name) for name in subagents]
    result = ObservationResult(
        source_call_id=call_id,
        content=served_content(call),
        extra=served_extra(call) or None,
        subagent_trajectory_ref=references or None,
    )
    return Step(
        step_id=1,
        source="agent",
        message="",
        timestamp=call.request["at"],
        tool_calls=[
            ToolCall(
                tool_call_id=call_id,
                function_name=f"mcp__{server}__{tool}",
                arguments=call.arguments,
                extra={"server": server, "tool": tool} | raw_arguments(call.odd_arguments),
            ),
        ],
        observation=Observation(results=[result]),
        llm_call_count=0,
    )


def listed_tools(exchanges: Iterable[Exchange]) -> list[dict[str, Any]] | None:
    """The tools that the agent listed, as OpenAI functions, each once; None when it listed none."""
    found: dict[str, dict[str, Any]] = {}
    for exchange in exchanges:
        if exchange.method != "tools/list":
            continue
        for tool in mappings(exchange.result.get("tools")):
            name = f"mcp__{exchange.request['server']}__{tool.get('name', '')}"
            found[name] = make_function(name, tool.get("description"), tool.get("inputSchema"))
    return list(found.values()) or None
