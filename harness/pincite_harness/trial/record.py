"""TrialRecord: what trial.json says."""

from datetime import date
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pincite_core.errors import BadInputError
from pincite_harness.failure import Cause, Status
from pincite_harness.task import describe_validation
from pincite_harness.web import SeenWeb

SCHEMA = "pincite-trial/1"
TRIAL_FILE = "trial.json"


class StageTime(BaseModel):
    """When a stage began and ended (UTC) and how many seconds it took."""

    started_at: str
    finished_at: str
    seconds: float


class SandboxNote(BaseModel):
    """Which backend ran the agent, and what that cannot promise."""

    backend: str
    warnings: list[str] = Field(default_factory=list)


class TokenCount(BaseModel):
    """Tokens of a trial. Input includes the cached and cache-written ones, output the reasoning ones."""

    input: int = 0
    cached: int = 0
    cache_write: int = 0
    output: int = 0
    reasoning: int = 0


class TrialRecord(BaseModel):
    """How a trial went; written last, so that its file means that the trial's folder is complete."""

    model_config = ConfigDict(extra="forbid")

    schema_version: Literal["pincite-trial/1"] = SCHEMA
    name: str
    task_id: str
    family: str
    attempt: int
    agent: str
    agent_version: str
    status: Status
    cause: Cause | None = None
    detail: str | None = None
    stages: dict[str, StageTime] = Field(default_factory=dict)
    sandbox: SandboxNote | None = None
    model: str | None = None
    """What the agent thought with, as ``provider:name``."""
    model_calls: int = 0
    tokens: TokenCount | None = None
    """Sums over all calls of the model, as the provider counted them; None where there was no model."""
    cost_usd: float | None = None
    """None where a price is not known."""
    tool_calls: int = 0
    refused_tool_calls: int = 0
    """Calls that the tool door turned away: beyond the limit, or of a tool that the trial withholds."""
    unknown_tool_calls: int = 0
    """Calls of tools that there are not."""
    exit_code: int | None = None
    answered: bool = False
    """Whether a valid answer was left."""
    before: date | None = None
    """Works published on or after this day did not exist for the trial."""
    web: SeenWeb = "live"
    """What servers saw: ``corpus`` where it was a made-up literature and nothing was recorded or replayed."""
    corpus: str | None = None
    """Name of the made-up literature that servers saw in place of the web."""
    retries: int = 0
    """Failed attempts set aside under retries/ before this one."""

    @property
    def finished(self) -> bool:
        """Whether a resumed run leaves it as it is."""
        return self.status is not Status.CANCELLED


def parse_record(value: Any, where: str) -> TrialRecord:
    """A record from trial.json; BadInputError when it is none."""
    try:
        return TrialRecord.model_validate(value)
    except ValidationError as error:
        raise BadInputError(
            f"{where} is not a trial's record.", seen=describe_validation(error), next="Remove the trial's folder."
        ) from error
