"""Put conversations together to one trajectory: the task's own at the top, the others embedded in it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from pincite_models.label import SERVER
from pincite_trajectory.atif import Agent, Observation, Step, Trajectory
from pincite_trajectory.call_counts import CallCounts
from pincite_trajectory.conversations import Conversation, tell_apart
from pincite_trajectory.delegations import Delegated, refer, role_conversations
from pincite_trajectory.drafts import CallDraft, Draft
from pincite_trajectory.items import tool_name, tool_names
from pincite_trajectory.linking import link_turns
from pincite_trajectory.model_wire import ModelExchange
from pincite_trajectory.observing import observed, tool_call
from pincite_trajectory.rows import draft_steps
from pincite_trajectory.serving import join_served
from pincite_trajectory.tool_steps import call_step, listed_tools
from pincite_trajectory.totals import final_metrics
from pincite_trajectory.wire import Exchange

_Places = dict[int, tuple[str, int]]
"""Trajectory and step of the answer to a turn, by the turn's identity."""


@dataclass(frozen=True, slots=True)
class Told:
    """All that a trial's conversations tell: the main one's steps, the others as trajectories, and the tools that the
    main one was given. ``extra`` is told of the whole."""

    steps: list[Step]
    embedded: list[Trajectory]
    tools: list[dict[str, Any]] | None
    model: str | None
    extra: dict[str, Any]
    unknown_calls: int = 0
    """Calls of tools that the model was not offered and that reached no server."""
    own_calls: int = 0
    """Calls of tools that the client has itself: no server was asked."""
    hosted_calls: int = 0
    """Calls that the model's provider ran."""


@dataclass(eq=False, slots=True)
class _Line:
    conversation: Conversation
    trajectory_id: str
    drafts: list[Draft] = field(default_factory=list[Draft])


@dataclass(slots=True)
class _Telling:
    """What the steps of ``tell`` hand on: the record, and what each step has made of it for those after it."""

    exchanges: Sequence[ModelExchange]
    served: Sequence[Exchange]
    agent: Agent
    trial: str
    prompt: str
    started_at: datetime
    lines: list[_Line] = field(default_factory=list[_Line])
    """The conversations with their drafts, the main one first."""
    unasked: list[Exchange] = field(default_factory=list[Exchange])
    """Calls that a server was asked for without the model's asking."""
    subagents: dict[int, list[str]] = field(default_factory=dict[int, list[str]])
    """The trajectories that a tool call points to, by the number of its request."""
    of_servers: set[str] = field(default_factory=set[str])
    """Trajectories of models that servers asked for a tool call."""
    own: list[Step] = field(default_factory=list[Step])
    """Steps of the main conversation."""
    steps: list[Step] = field(default_factory=list[Step])
    """The same among the unasked calls, in time."""

    @property
    def main(self) -> _Line:
        return self.lines[0]

    @property
    def others(self) -> list[_Line]:
        return self.lines[1:]

    @property
    def asks(self) -> bool:
        """Whether the main conversation asked a model."""
        return bool(self.main.conversation.turns)


def tell(
    exchanges: Sequence[ModelExchange],
    served: Sequence[Exchange],
    agent: Agent,
    *,
    trial: str,
    prompt: str,
    started_at: str,
) -> Told:
    """The steps of all conversations, joined with what the tool door saw. ``trial`` names the main one, whose opening
    stands at ``started_at``: what the agent did before it asked the model comes after that."""
    telling = _Telling(exchanges, served, agent, trial, prompt, datetime.fromisoformat(started_at))
    for step in (_draft_lines, _join_calls, _refer_spawned, _refer_servers, _open_main, _place_steps):
        step(telling)
    return _told(telling)


def _draft_lines(telling: _Telling) -> None:
    """Link requests to turns and turns to conversations, and draft the steps of each."""
    asked = [exchange for exchange in telling.exchanges if exchange.kind == "generate"]
    unlabelled = [exchange for exchange in asked if exchange.label is None]
    conversations = tell_apart(link_turns(unlabelled), telling.prompt) or [Conversation([], "main")]
    telling.lines = _lines([*conversations, *role_conversations(asked)], telling.trial)


def _join_calls(telling: _Telling) -> None:
    """Give the drafts' calls what the tool door saw of them."""
    calls = [call for line in telling.lines for draft in line.drafts for call in _own_calls(draft)]
    called = [exchange for exchange in telling.served if exchange.method == "tools/call"]
    telling.unasked = join_served(calls, called)
    telling.subagents = {exchange.request["seq"]: [] for exchange in telling.unasked}
    telling.subagents |= {call.served.request["seq"]: call.subagents for call in calls if call.served is not None}


def _refer_spawned(telling: _Telling) -> None:
    """Let the call that started a conversation point to it."""
    calls = {id(call.call): call for line in telling.lines for draft in line.drafts for call in draft.calls}
    for line in telling.lines:
        if line.conversation.spawned_by is not None and line.conversation.role == "subagent":
            call = calls.get(id(line.conversation.spawned_by[1]))
            if call is not None:
                call.subagents.append(line.trajectory_id)


def _refer_servers(telling: _Telling) -> None:
    """Let the tool call that made a server ask its own model point to that conversation."""
    for line in telling.others:
        label = line.conversation.label
        if label is None or not label.role.startswith(SERVER) or not label.id.isdecimal():
            continue
        references = telling.subagents.get(int(label.id))
        if references is not None:
            references.append(line.trajectory_id)
            telling.of_servers.add(line.trajectory_id)


def _open_main(telling: _Telling) -> None:
    """Open the main conversation at the agent's start, and let it hand over to the roles that it delegated to."""
    drafts = telling.main.drafts
    if not telling.asks:
        drafts.append(Draft("user", telling.prompt, telling.started_at))
    labelled = [line for line in telling.others if line.conversation.label is not None]
    refer([_delegated(line) for line in labelled if line.trajectory_id not in telling.of_servers], drafts)
    _open(drafts, telling.started_at)


def _place_steps(telling: _Telling) -> None:
    """Make the main conversation's drafts steps, and put the calls that no model asked for among them."""
    telling.own = [_step(draft) for draft in telling.main.drafts]
    telling.steps = _in_time(telling.own, _unasked_steps(telling))


def _unasked_steps(telling: _Telling) -> list[Step]:
    return [call_step(exchange, telling.subagents[exchange.request["seq"]]) for exchange in telling.unasked]


def _told(telling: _Telling) -> Told:
    numbers = {id(step): number for number, step in enumerate(telling.steps, start=1)}
    places = _places(telling.lines, numbers, telling.own)
    kinds = [_kind(call, draft) for line in telling.lines for draft in line.drafts for call in draft.calls]
    others_of = sorted({exchange.kind for exchange in telling.exchanges} - {"generate"})
    counts = {kind: sum(exchange.kind == kind for exchange in telling.exchanges) for kind in others_of}
    main = telling.main.conversation
    return Told(
        steps=numbered(telling.steps),
        embedded=[_embedded(line, telling.agent, places) for line in telling.others],
        tools=tool_definitions(main) if telling.asks else listed_tools(telling.served),
        model=_model(main) if telling.asks else _only_model(telling.others),
        extra={"other_requests": counts, "unasked_tool_calls": len(telling.unasked)},
        unknown_calls=kinds.count("unknown"),
        own_calls=kinds.count("own"),
        hosted_calls=kinds.count("hosted"),
    )


def numbered(steps: Iterable[Step]) -> list[Step]:
    """Steps with their numbers from 1."""
    return [step.model_copy(update={"step_id": number}) for number, step in enumerate(steps, start=1)]


def tool_definitions(conversation: Conversation) -> list[dict[str, Any]] | None:
    """Every tool that the conversation's requests offered, each once, as last described."""
    found: dict[str, dict[str, Any]] = {}
    for turn in conversation.turns:
        for tool in turn.request.tools:
            found[tool_name(tool)] = tool
    return list(found.values()) or None


def _lines(conversations: Sequence[Conversation], trial: str) -> list[_Line]:
    lines: list[_Line] = []
    taken: set[str] = set()
    for number, conversation in enumerate(conversations):
        name = _free(_line_name(conversation, number, trial), taken)
        taken.add(name)
        lines.append(_Line(conversation, name, draft_steps(conversation)))
    return lines


def _line_name(conversation: Conversation, number: int, trial: str) -> str:
    if number == 0:
        return trial
    if conversation.label is not None:
        return f"{trial}:{conversation.label.name}"
    return f"{trial}:{conversation.role}-{number}"


def _free(name: str, taken: set[str]) -> str:
    """``name``, numbered where another has it: roles and ids may hold a slash, so that two of them read alike."""
    again = 1
    free = name
    while free in taken:
        again += 1
        free = f"{name}~{again}"
    return free


def _delegated(line: _Line) -> Delegated:
    assert line.conversation.label is not None
    first = line.conversation.turns[0].attempts[0]
    return Delegated(line.trajectory_id, line.conversation.label, first, line.drafts)


def _only_model(lines: Sequence[_Line]) -> str | None:
    """The model of all conversations, where they have the same."""
    models = {_model(line.conversation) for line in lines}
    return models.pop() if len(models) == 1 else None


def _open(drafts: Sequence[Draft], at: datetime) -> None:
    for draft in drafts:
        if draft.source == "agent":
            break
        draft.at = min(draft.at, at)


def _own_calls(draft: Draft) -> list[CallDraft]:
    """The calls of a step that its client may have carried out."""
    copied = draft.fields.get("is_copied_context")
    return [] if copied else [call for call in draft.calls if not call.call.hosted]


def _kind(call: CallDraft, draft: Draft) -> Literal["served", "hosted", "unknown", "own", "copied"]:
    """Who ran a call. Unknown is a tool that the model made up: it was offered some, none of this name, and no server
    was called."""
    if draft.fields.get("is_copied_context"):
        return "copied"
    if call.served is not None:
        return "served"
    if call.call.hosted:
        return "hosted"
    offered = tool_names(draft.turn.request) if draft.turn is not None else ()
    return "unknown" if offered and call.call.name not in offered else "own"


def _step(draft: Draft) -> Step:
    results = observed(draft)
    fields = {name: value for name, value in draft.fields.items() if value is not None}
    return Step(
        step_id=1,
        source=draft.source,
        message=draft.message,
        timestamp=draft.at.isoformat(),
        tool_calls=[tool_call(call) for call in draft.calls] or None,
        observation=Observation(results=results) if results else None,
        extra=draft.extra or None,
        **fields,
    )


def _places(lines: Sequence[_Line], numbers: Mapping[int, int], own: Sequence[Step]) -> _Places:
    """Where the answer to each turn stands. The main line's steps (``own``) are numbered among others."""
    found: dict[int, tuple[str, int]] = {}
    for position, line in enumerate(lines):
        for index, draft in enumerate(line.drafts):
            number = numbers[id(own[index])] if position == 0 else index + 1
            found[id(draft.turn)] = (line.trajectory_id, number)
    return found


def _in_time(own: Sequence[Step], more: Iterable[Step]) -> list[Step]:
    """Put further steps where they belong by their time, never before the opening."""
    steps = list(own)
    opening = next((index for index, step in enumerate(own) if step.source == "agent"), len(own))
    for step in more:
        at = _time(step)
        later = (index for index, other in enumerate(steps) if index >= opening and _time(other) > at)
        place = next(later, len(steps))
        steps.insert(place, step)
    return steps


def _time(step: Step) -> datetime:
    return datetime.fromisoformat(step.timestamp or "")


def _embedded(line: _Line, agent: Agent, places: _Places) -> Trajectory:
    conversation = line.conversation
    steps = numbered(map(_step, line.drafts))
    extra: dict[str, Any] = {"role": conversation.role}
    name = agent.name
    if (label := conversation.label) is not None:
        extra = {"role": label.role, "id": label.id, "parent": label.parent}
        name = f"{agent.name}/{label.role}"
    if conversation.origin is not None:
        trajectory_id, number = places[id(conversation.origin)]
        extra["context_of"] = {"trajectory_id": trajectory_id, "step_id": number}
    attempts = [attempt for turn in conversation.turns for attempt in turn.attempts]
    pairs = [(call, draft) for draft in line.drafts for call in draft.calls]
    kinds = [_kind(call, draft) for call, draft in pairs]
    served = [call.served for call, _ in pairs if call.served is not None]
    others = (kinds.count("unknown"), kinds.count("own"), kinds.count("hosted"))
    counts = CallCounts.of(served, *others).to_json()
    return Trajectory(
        trajectory_id=line.trajectory_id,
        agent=agent.model_copy(
            update={
                "name": name,
                "model_name": _model(conversation),
                "tool_definitions": tool_definitions(conversation),
            }
        ),
        steps=steps,
        final_metrics=final_metrics(attempts, steps=len(steps), more=counts),
        extra=extra,
    )


def _model(conversation: Conversation) -> str | None:
    """The model that answered the conversation, or that was asked."""
    for turn in reversed(conversation.turns):
        response = turn.final.response
        if response is not None and response.model:
            return response.model
    return conversation.turns[0].request.model or None
