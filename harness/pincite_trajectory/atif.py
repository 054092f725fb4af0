"""ATIF 1.8, the Agent Trajectory Interchange Format: every object forbids keys that the format does not name."""

from datetime import datetime
from typing import Annotated, Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, field_validator, model_validator

SCHEMA_VERSION = "ATIF-v1.8"

Version = Literal[
    "ATIF-v1.0",
    "ATIF-v1.1",
    "ATIF-v1.2",
    "ATIF-v1.3",
    "ATIF-v1.4",
    "ATIF-v1.5",
    "ATIF-v1.6",
    "ATIF-v1.7",
    "ATIF-v1.8",
]
Count = Annotated[int, Field(ge=0)]
Money = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Extra = dict[str, Any] | None


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class _MediaSource(_Model):
    path: str = Field(min_length=1)
    """Relative to the trajectory file, absolute, or a URL; never inline data."""

    @field_validator("path")
    @classmethod
    def _a_file(cls, path: str) -> str:
        if path.startswith("data:"):
            raise ValueError("inline data is not allowed: give the path of a file")
        return path


class ImageSource(_MediaSource):
    """An image file."""

    media_type: Literal["image/png", "image/jpeg", "image/gif", "image/webp"]


class AudioSource(_MediaSource):
    """A sound file (1.8)."""

    media_type: str = Field(pattern=r"^audio/")
    duration_sec: float | None = Field(default=None, ge=0)


class TextPart(_Model):
    """A text among other parts (1.6)."""

    type: Literal["text"] = "text"
    text: str


class ImagePart(_Model):
    """An image among other parts (1.6)."""

    type: Literal["image"] = "image"
    source: ImageSource


class AudioPart(_Model):
    """A sound among other parts (1.8)."""

    type: Literal["audio"] = "audio"
    source: AudioSource


ContentPart = Annotated[TextPart | ImagePart | AudioPart, Field(discriminator="type")]
Content = str | list[ContentPart]


class ToolCall(_Model):
    """One call of a tool by the agent."""

    tool_call_id: str
    function_name: str
    arguments: dict[str, Any]
    extra: Extra = None


class SubagentTrajectoryRef(_Model):
    """Where a delegated trajectory is: embedded by id or in a file; ``session_id`` is never a key."""

    trajectory_id: str | None = None
    trajectory_path: str | None = None
    session_id: str | None = None
    extra: Extra = None

    @model_validator(mode="after")
    def _resolvable(self) -> Self:
        if self.trajectory_id is None and self.trajectory_path is None:
            raise ValueError("a reference needs trajectory_id or trajectory_path")
        return self


class ObservationResult(_Model):
    """One result; ``source_call_id`` names the tool call of the same step that it answers."""

    source_call_id: str | None = None
    content: Content | None = None
    subagent_trajectory_ref: list[SubagentTrajectoryRef] | None = None
    extra: Extra = None


class Observation(_Model):
    """What came back after a step."""

    results: list[ObservationResult]


class Metrics(_Model):
    """What one model call cost; ``prompt_tokens`` include the cached ones."""

    prompt_tokens: Count | None = None
    completion_tokens: Count | None = None
    cached_tokens: Count | None = None
    cost_usd: Money | None = None
    prompt_token_ids: list[int] | None = None
    completion_token_ids: list[int] | None = None
    logprobs: list[float] | None = None
    extra: Extra = None


class FinalMetrics(_Model):
    """Sums over a trajectory; the cost includes subagents."""

    total_prompt_tokens: Count | None = None
    total_completion_tokens: Count | None = None
    total_cached_tokens: Count | None = None
    total_cost_usd: Money | None = None
    total_steps: Count | None = None
    extra: Extra = None


_AGENT_ONLY = ("model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics")
_MODEL_ONLY = ("metrics", "reasoning_content")


class Step(_Model):
    """One step; ``llm_call_count`` 0 on an agent's step means that a program chose it, not a model."""

    step_id: int = Field(ge=1)
    source: Literal["system", "user", "agent"]
    message: Content
    timestamp: str | None = None
    model_name: str | None = None
    reasoning_effort: str | float | None = None
    reasoning_content: str | None = None
    tool_calls: list[ToolCall] | None = None
    observation: Observation | None = None
    metrics: Metrics | None = None
    is_copied_context: bool | None = None
    llm_call_count: Count | None = None
    extra: Extra = None

    @field_validator("timestamp")
    @classmethod
    def _iso_8601(cls, timestamp: str | None) -> str | None:
        if timestamp is not None:
            datetime.fromisoformat(timestamp)
        return timestamp

    @model_validator(mode="after")
    def _fields_of_the_source(self) -> Self:
        if self.source != "agent":
            self._forbid(_AGENT_ONLY, f"a {self.source} step")
        elif self.llm_call_count == 0:
            self._forbid(_MODEL_ONLY, "a step without a model call")
        return self

    @model_validator(mode="after")
    def _results_answer_calls(self) -> Self:
        calls = {call.tool_call_id for call in self.tool_calls or []}
        for result in self.observation.results if self.observation else []:
            if result.source_call_id is not None and result.source_call_id not in calls:
                raise ValueError(f"source_call_id {result.source_call_id!r} is not a tool call of step {self.step_id}")
        return self

    def _forbid(self, names: tuple[str, ...], where: str) -> None:
        present = [name for name in names if getattr(self, name) is not None]
        if present:
            raise ValueError(f"{', '.join(present)} cannot stand on {where}")


class Agent(_Model):
    """Who acted; ``tool_definitions`` follow the OpenAI function schema."""

    name: str
    version: str
    model_name: str | None = None
    tool_definitions: list[dict[str, Any]] | None = None
    extra: Extra = None


class Trajectory(_Model):
    """A whole trajectory; embedded ones need a ``trajectory_id`` each, unique in the document."""

    schema_version: Version = SCHEMA_VERSION
    session_id: str | None = None
    trajectory_id: str | None = None
    agent: Agent
    steps: list[Step] = Field(min_length=1)
    notes: str | None = None
    final_metrics: FinalMetrics | None = None
    continued_trajectory_ref: str | None = None
    subagent_trajectories: list["Trajectory"] | None = None
    extra: Extra = None

    @model_validator(mode="after")
    def _steps_in_sequence(self) -> Self:
        for expected, step in enumerate(self.steps, start=1):
            if step.step_id != expected:
                raise ValueError(f"step_id {step.step_id} stands where {expected} belongs")
        return self

    @model_validator(mode="after")
    def _embedded_ids(self) -> Self:
        ids = [self.trajectory_id] if self.trajectory_id is not None else []
        for embedded in self._embedded():
            if embedded.trajectory_id is None:
                raise ValueError("an embedded trajectory needs a trajectory_id")
            if embedded.trajectory_id in ids:
                raise ValueError(f"the trajectory_id {embedded.trajectory_id!r} is there twice")
            ids.append(embedded.trajectory_id)
        return self

    def _embedded(self) -> list["Trajectory"]:
        found: list[Trajectory] = []
        for trajectory in self.subagent_trajectories or []:
            found += [trajectory, *trajectory._embedded()]
        return found

    def media_paths(self) -> list[str]:
        """Paths of every image and sound, embedded trajectories included."""
        contents: list[Content | None] = []
        for step in self.steps:
            results = step.observation.results if step.observation else []
            contents += [step.message, *(result.content for result in results)]
        parts = [part for content in contents if isinstance(content, list) for part in content]
        paths = [part.source.path for part in parts if not isinstance(part, TextPart)]
        return paths + [path for embedded in self.subagent_trajectories or [] for path in embedded.media_paths()]
