"""Why a trial failed: one table of causes."""

from dataclasses import dataclass
from enum import StrEnum


class Cause(StrEnum):
    """What a trial failed of."""

    SANDBOX_FAILED = "sandbox_failed"
    MODEL_FAILED = "model_failed"
    SERVER_FAILED = "server_failed"
    AGENT_FAILED = "agent_failed"
    LIMIT_REACHED = "limit_reached"
    REFUSED = "refused"
    INVALID_ANSWER = "invalid_answer"
    SCORER_FAILED = "scorer_failed"
    CANCELLED = "cancelled"


class Status(StrEnum):
    """How a trial ended; ``limit_reached`` is scored like ``completed``."""

    COMPLETED = "completed"
    FAILED = "failed"
    LIMIT_REACHED = "limit_reached"
    CANCELLED = "cancelled"


RETRYABLE = frozenset({Cause.SANDBOX_FAILED, Cause.MODEL_FAILED, Cause.SERVER_FAILED})
"""Outages: another attempt may find the machine, the provider or the server back."""

SCORED = frozenset({None, Cause.AGENT_FAILED, Cause.LIMIT_REACHED, Cause.REFUSED, Cause.INVALID_ANSWER})
"""The agent's own doing: its trial is scored, as an empty answer where it left none. An outage is unscored."""


@dataclass(frozen=True, slots=True)
class Failure:
    """A cause with what was seen."""

    cause: Cause
    detail: str

    @property
    def status(self) -> Status:
        """The trial's status under this cause."""
        if self.cause is Cause.LIMIT_REACHED:
            return Status.LIMIT_REACHED
        return Status.CANCELLED if self.cause is Cause.CANCELLED else Status.FAILED


class TrialError(Exception):
    """Ends a trial's stages with a Failure."""

    def __init__(self, cause: Cause, detail: str) -> None:
        super().__init__(f"{cause}: {detail}")
        self.failure = Failure(cause, detail)
