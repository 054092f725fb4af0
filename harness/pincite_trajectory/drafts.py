"""Draft: a step of a trajectory while its results are still being gathered."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal

from pincite_models.dialects.model import Call, Result
from pincite_trajectory.atif import Content, ObservationResult
from pincite_trajectory.model_wire import ModelExchange
from pincite_trajectory.turns import Turn
from pincite_trajectory.wire import Exchange


@dataclass(eq=False, slots=True)
class CallDraft:
    """A tool call of an answer, with what the model was later told (``result``) and what the tool door saw
    (``served``)."""

    call: Call
    call_id: str
    asked_at: datetime
    """When the answer that made the call began to be asked for: no server can have been called earlier."""
    told_at: datetime | None = None
    """When a request brought the result to the model."""
    result: Result | None = None
    served: Exchange | None = None
    subagents: list[str] = field(default_factory=list[str])
    """Ids of the trajectories that the call started."""


@dataclass(eq=False, slots=True)
class Draft:
    """``fields`` are those of Step by name that stand as they are; ``asides`` came with the results of calls."""

    source: Literal["system", "user", "agent"]
    message: Content
    at: datetime
    turn: Turn | None = None
    exchange: ModelExchange | None = None
    calls: list[CallDraft] = field(default_factory=list[CallDraft])
    asides: list[ObservationResult] = field(default_factory=list[ObservationResult])
    fields: dict[str, Any] = field(default_factory=dict[str, Any])
    extra: dict[str, Any] = field(default_factory=dict[str, Any])

    def call(self, call_id: str) -> CallDraft | None:
        """The call with this id that has no result yet."""
        return next((call for call in self.calls if call.call.call_id == call_id and call.result is None), None)

    @property
    def open_call(self) -> CallDraft | None:
        """The first call without a result."""
        return next((call for call in self.calls if call.result is None), None)
