"""Story: what a session file tells, put together to the steps of a trajectory."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from math import fsum
from typing import Any, Literal

from pincite_models.dialects.model import Call, Media, Part, Reasoning, Result, Text, Usage
from pincite_trajectory.answers import metrics
from pincite_trajectory.atif import (
    Agent,
    Content,
    FinalMetrics,
    Observation,
    ObservationResult,
    Step,
    SubagentTrajectoryRef,
    ToolCall,
    Trajectory,
)
from pincite_trajectory.content import content_of, joined
from pincite_trajectory.rows import COMPACTION

Source = Literal["system", "user", "agent"]
_MORE = ("cache_write_tokens", "reasoning_tokens")


@dataclass(eq=False, slots=True)
class _Told:
    result: Result | None
    subagent: "Story | None" = None
    extra: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(eq=False, slots=True)
class Scene:
    """A step in the making."""

    source: Source
    at: str
    parts: list[Part] = field(default_factory=list[Part])
    model: str = ""
    effort: str | float | None = None
    usage: Usage | None = None
    asked_model: bool = True
    results: dict[str, _Told] = field(default_factory=dict[str, _Told])
    extra: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def calls(self) -> list[Call]:
        """The calls of an agent's step."""
        return [part for part in self.parts if isinstance(part, Call)]


class Story:
    """Takes what was said, answered and brought back, in order. ``agent`` is who acts; the name and the id of the
    session tell it apart from others."""

    def __init__(self, agent: str, version: str, session_id: str) -> None:
        self.agent = agent
        self.version = version or "unknown"
        self.session_id = session_id
        self.trajectory_id = ""
        self.model = ""
        self.tools: list[dict[str, Any]] = []
        self.scenes: list[Scene] = []
        self.subagents: list[Story] = []
        self.extra: dict[str, Any] = {}
        self._by_key: dict[str, Scene] = {}
        self._by_call: dict[str, Scene] = {}

    def say(self, source: Source, parts: Iterable[Part], at: Any, **extra: Any) -> None:
        """What the user or the system told the model."""
        told = [part for part in parts if isinstance(part, Text | Media)]
        if told:
            self.scenes.append(Scene(source, _time(at), parts=list(told), asked_model=False, extra=extra))

    def compact(self, parts: Iterable[Part], at: Any) -> None:
        """A summary stands in place of all that came before."""
        self.say("system", parts, at, context_management=dict(COMPACTION))

    def answer(self, parts: Iterable[Part], at: Any, *, key: str = "") -> Scene:
        """What the model said; parts with the key of an earlier answer go on with it."""
        scene = self._by_key.get(key) if key else None
        if scene is None:
            scene = Scene("agent", _time(at), model=self.model)
            self.scenes.append(scene)
            self._by_key[key] = scene
        for part in parts:
            if isinstance(part, Result):
                scene.results[part.call_id] = _Told(part)
                continue
            scene.parts.append(part)
            if isinstance(part, Call):
                self._by_call[part.call_id] = scene
        return scene

    def fail(self, detail: str, at: Any) -> None:
        """The model was asked and did not answer."""
        self.answer((), at).extra["error"] = {"detail": detail}

    def bring(self, result: Result, at: Any, **extra: Any) -> None:
        """What a call brought; of a call that is not told, it is said by the user."""
        told = self._told(result.call_id)
        if told is None:
            self.say("user", result.parts, at, result_of=result.call_id)
            return
        told.result = result
        told.extra |= {key: value for key, value in extra.items() if value is not None}

    def note(self, call_id: str, **extra: Any) -> None:
        """Something more about a call that was told."""
        told = self._told(call_id)
        if told is not None:
            told.extra |= {key: value for key, value in extra.items() if value is not None}

    def call(self, wanted: Callable[[Call, Mapping[str, Any]], bool]) -> str:
        """The id of the first call that is wanted, asked with what was noted of it; empty where there is none."""
        for scene in self.scenes:
            for call in scene.calls:
                told = scene.results.get(call.call_id)
                if wanted(call, told.extra if told is not None else {}):
                    return call.call_id
        return ""

    def adopt(self, sub: "Story", call_id: str) -> None:
        """Embed a sub-agent's story; the call that started it, if it is known, points to it."""
        self.subagents.append(sub)
        told = self._told(call_id) if call_id else None
        if told is not None:
            told.subagent = sub

    def trajectory(self, source: str) -> Trajectory:
        """All as a trajectory; ``source`` names the kind of file that it was read from."""
        self._name(set())
        return self._tell(source)

    def _name(self, taken: set[str]) -> None:
        """Give every story an id of its own: files may repeat one."""
        name = wanted = self.session_id or "session"
        while name in taken:
            name = f"{wanted}-{len(taken) + 1}"
        taken.add(name)
        self.trajectory_id = name
        for story in self.subagents:
            story._name(taken)

    def _tell(self, source: str) -> Trajectory:
        steps = [_step(number, scene) for number, scene in enumerate(self.scenes, start=1)]
        embedded = [story._tell(source) for story in self.subagents if story.scenes]
        return Trajectory(
            session_id=self.session_id or None,
            trajectory_id=self.trajectory_id,
            agent=Agent(
                name=self.agent,
                version=self.version,
                model_name=self.model or None,
                tool_definitions=self.tools or None,
            ),
            steps=steps,
            subagent_trajectories=embedded or None,
            final_metrics=_totals(steps, embedded),
            extra={"source": source, **self.extra},
        )

    def _told(self, call_id: str) -> _Told | None:
        scene = self._by_call.get(call_id)
        return scene.results.setdefault(call_id, _Told(None)) if scene is not None else None


def _step(number: int, scene: Scene) -> Step:
    thoughts = [part.text for part in scene.parts if isinstance(part, Reasoning) and part.text]
    hidden = not thoughts and any(isinstance(part, Reasoning) for part in scene.parts)
    extra = scene.extra | ({"reasoning_hidden": True} if hidden else {})
    agent: dict[str, Any] = {}
    if scene.source == "agent":
        agent = {
            "model_name": scene.model or None,
            "reasoning_effort": float(scene.effort) if isinstance(scene.effort, int) else scene.effort,
            "llm_call_count": 1 if scene.asked_model else 0,
        }
        if scene.asked_model:
            agent |= {"reasoning_content": "\n\n".join(thoughts) or None, "metrics": metrics(scene.usage, None)}
    told = [call.call_id for call in scene.calls if call.call_id in scene.results]
    results = [_result(call_id, scene.results[call_id]) for call_id in told]
    return Step(
        step_id=number,
        source=scene.source,
        message=_message(scene),
        timestamp=scene.at or None,
        tool_calls=[_call(call) for call in scene.calls] or None,
        observation=Observation(results=results) if results else None,
        extra=extra or None,
        **agent,
    )


def _message(scene: Scene) -> Content:
    shown = [part for part in scene.parts if isinstance(part, Text | Media)]
    if scene.source == "agent" and all(isinstance(part, Text) for part in shown):
        return "\n\n".join(part.text for part in shown if isinstance(part, Text) and part.text)
    return content_of(shown)


def _call(call: Call) -> ToolCall:
    extra = ({"hosted": True} if call.hosted else {}) | ({"raw_arguments": call.raw} if call.raw else {})
    return ToolCall(
        tool_call_id=call.call_id, function_name=call.name, arguments=dict(call.arguments), extra=extra or None
    )


def _result(call_id: str, told: _Told) -> ObservationResult:
    extra = told.extra | ({"is_error": True} if told.result is not None and told.result.is_error else {})
    sub = told.subagent if told.subagent is not None and told.subagent.scenes else None
    return ObservationResult(
        source_call_id=call_id,
        content=joined(content_of(told.result.parts)) if told.result is not None else None,
        subagent_trajectory_ref=[SubagentTrajectoryRef(trajectory_id=sub.trajectory_id)] if sub is not None else None,
        extra=extra or None,
    )


def _totals(steps: list[Step], embedded: list[Trajectory]) -> FinalMetrics:
    """Sums over the steps and over the sub-agents."""
    own = [step.metrics for step in steps if step.metrics is not None]
    sub = [one.final_metrics for one in embedded if one.final_metrics is not None]
    costs = [one.cost_usd for one in own if one.cost_usd is not None]
    extras: list[Mapping[str, Any]] = [one.extra or {} for one in (*own, *sub)]
    calls = sum(1 for step in steps if step.llm_call_count) + sum(int((one.extra or {})["model_calls"]) for one in sub)
    return FinalMetrics(
        total_prompt_tokens=sum(one.prompt_tokens or 0 for one in own)
        + sum(one.total_prompt_tokens or 0 for one in sub),
        total_completion_tokens=sum(one.completion_tokens or 0 for one in own)
        + sum(one.total_completion_tokens or 0 for one in sub),
        total_cached_tokens=sum(one.cached_tokens or 0 for one in own)
        + sum(one.total_cached_tokens or 0 for one in sub),
        total_cost_usd=fsum(costs) if costs and len(costs) == len(own) and not sub else None,
        total_steps=len(steps),
        extra={"model_calls": calls} | {name: sum(extra.get(name, 0) for extra in extras) for name in _MORE},
    )


def _time(value: Any) -> str:
    """A time in ISO 8601, empty where there is none that can be read."""
    if not isinstance(value, str):
        return ""
    try:
        return datetime.fromisoformat(value).isoformat()
    except ValueError:
        return ""
