"""Build a trial's trajectory from what passed the doors."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pincite_tasks.files import decode_text
from pincite_trajectory.assemble import numbered, tell
from pincite_trajectory.atif import Agent, Step, Trajectory
from pincite_trajectory.call_counts import CallCounts
from pincite_trajectory.model_wire import ModelExchange, read_model_record
from pincite_trajectory.tool_steps import call_step, listed_tools
from pincite_trajectory.totals import by_model, by_role, final_metrics
from pincite_trajectory.wire import Exchange, read_exchanges

TOOL_WIRE = Path("wire") / "mcp.jsonl"
MODEL_WIRE = Path("wire") / "llm.jsonl"


@dataclass(frozen=True, slots=True)
class Episode:
    """What a trajectory tells besides the wire: who acted on which prompt, when, and what was left behind."""

    trial: str
    agent_name: str
    agent_version: str
    prompt: str
    started_at: str
    ended_at: str
    answer: bytes | None
    answer_file: str = "answer.json"


def build_trajectory(trial_folder: Path, episode: Episode) -> Trajectory:
    """What was asked of the model and what it answered, call by call, and the answer as the agent's last message::

        wire/llm.jsonl                          wire/mcp.jsonl
          | read_model_record                     | read_exchanges
        requests and answers                    calls of tools
          | link_turns                            |
        turns, each behind the one it goes on from|
          | tell_apart, role_conversations        |
        conversations: the task's own and others  |
          | draft_steps                           |
        drafts of steps <--- join_served ---------+  by tool, arguments and time
          | _refer_spawned, refer   calls point to the conversations that they began
          | _step, _in_time         with the calls that no model asked for
        Trajectory

    An agent that asked no model is told by the calls that the tool door saw. Other conversations than the task's own
    (sub-agents, side requests) are embedded; totals are the sum of the wire.
    """
    damaged: list[int] = []
    served = read_exchanges(trial_folder / TOOL_WIRE, damaged)
    exchanges, refused, unread = read_model_record(trial_folder / MODEL_WIRE)
    agent = Agent(name=episode.agent_name, version=episode.agent_version)
    counts = _others(refused, unread + len(damaged))
    if not any(exchange.kind == "generate" for exchange in exchanges):
        counts |= CallCounts.of(served).to_json()
        return _without_model(episode, agent, served, exchanges, counts)
    told = tell(exchanges, served, agent, trial=episode.trial, prompt=episode.prompt, started_at=episode.started_at)
    counts |= CallCounts.of(served, told.unknown_calls, told.own_calls, told.hosted_calls).to_json()
    if roles := by_role(exchanges):
        counts["roles"] = {role: spending.model_dump() for role, spending in roles.items()}
    if models := by_model(exchanges):
        counts["models"] = {model: spending.model_dump() for model, spending in models.items()}
    steps = numbered([*told.steps, _answer_step(episode)])
    return Trajectory(
        session_id=episode.trial,
        trajectory_id=episode.trial,
        agent=agent.model_copy(update={"model_name": told.model, "tool_definitions": told.tools}),
        steps=steps,
        subagent_trajectories=told.embedded or None,
        final_metrics=final_metrics(exchanges, steps=len(steps), more=counts | told.extra),
    )


def trajectory_json(trajectory: Trajectory) -> dict[str, Any]:
    """The trajectory as it is written: absent fields left out."""
    return trajectory.model_dump(mode="json", exclude_none=True)


def _without_model(
    episode: Episode,
    agent: Agent,
    served: Sequence[Exchange],
    exchanges: Sequence[ModelExchange],
    counts: dict[str, Any],
) -> Trajectory:
    prompt = Step(step_id=1, source="user", message=episode.prompt, timestamp=episode.started_at)
    calls = [call_step(exchange) for exchange in served if exchange.method == "tools/call"]
    steps = numbered([prompt, *calls, _answer_step(episode)])
    return Trajectory(
        session_id=episode.trial,
        trajectory_id=episode.trial,
        agent=agent.model_copy(update={"tool_definitions": listed_tools(served)}),
        steps=steps,
        final_metrics=final_metrics(exchanges, steps=len(steps), more=counts),
    )


def _answer_step(episode: Episode) -> Step:
    """The file that the agent left, as its last word; no model said it."""
    return Step(
        step_id=1,
        source="agent",
        message=decode_text(episode.answer or b"", errors="replace"),
        timestamp=episode.ended_at,
        llm_call_count=0,
        extra={"file": episode.answer_file if episode.answer is not None else None},
    )


def _others(refused: int, unread: int) -> dict[str, Any]:
    counts: dict[str, Any] = {"refused_model_requests": refused} if refused else {}
    return counts | ({"unread_wire_lines": unread} if unread else {})
