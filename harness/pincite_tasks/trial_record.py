"""TrialRecord: what trial.json says."""

from collections.abc import Iterable
from datetime import date
from typing import Any, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from pincite_core.errors import BadInputError
from pincite_models.dialects.model import Usage
from pincite_tasks.failure import Cause, Status
from pincite_tasks.spending import Spent
from pincite_tasks.task import describe_validation
from pincite_tasks.web import SeenWeb

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

    @classmethod
    def of(cls, usage: Usage) -> Self:
        """The count of a provider's usage."""
        return cls(
            input=usage.input_tokens,
            cached=usage.cached_tokens,
            cache_write=usage.cache_write_tokens,
            output=usage.output_tokens,
            reasoning=usage.reasoning_tokens,
        )


class RoleSpending(BaseModel):
    """What one role, or one model, took. ``model_calls`` went to the provider, retries included."""

    model_calls: int = 0
    other_calls: int = 0
    """Calls that ask for numbers: vectors of texts, scores of passages."""
    tokens: TokenCount = Field(default_factory=TokenCount)
    cost_usd: float | None = None
    """None where nothing was counted, or one counted call has no price."""


class EarlierSpending(BaseModel):
    """What attempts at a trial took that were killed, stopped or tried again; no other number of the record has it."""

    attempts: int = 0
    model_calls: int = 0
    unknown_calls: int = 0
    """Calls whose tokens are not known: the provider did not say, or they were under way at a kill."""
    unpriced_calls: int = 0
    """Calls whose tokens are known, and their price is not."""
    tokens: TokenCount = Field(default_factory=TokenCount)
    cost_usd: float | None = 0.0
    """Of the calls whose price is known; None where there is none among calls of unknown cost."""


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
    roles: dict[str, RoleSpending] = Field(default_factory=dict)
    """By the role of the requests' labels, what had none under an empty name; empty where no request had a label. What
    servers asked their own models stands under ``server:SERVER.TOOL``."""
    models: dict[str, RoleSpending] = Field(default_factory=dict)
    """By ``provider:name``, where more than one model was asked."""
    earlier: EarlierSpending | None = None
    """None where there was no earlier attempt that asked a model."""
    tool_calls: int = 0
    """Calls that reached a server: this and the next five as ``trajectory.call_counts`` counts them everywhere."""
    failed_tool_calls: int = 0
    """Of these, calls that brought an error or nothing."""
    refused_tool_calls: int = 0
    """Calls that the tool door turned away: beyond the limit, or of a tool that the trial withholds."""
    unknown_tool_calls: int = 0
    """Calls of tools that there are not."""
    own_tool_calls: int = 0
    """Calls of the client's own tools (a shell, files), which no server sees."""
    hosted_tool_calls: int = 0
    """Calls that the model's provider ran."""
    exit_code: int | None = None
    answered: bool = False
    """Whether a valid answer was left."""
    before: date | None = None
    """Works published on or after this day did not exist for the trial."""
    web: SeenWeb = "live"
    """What servers saw: ``corpus`` where it was a made-up literature and nothing was recorded or replayed."""
    corpus: str | None = None
    """Name of the made-up literature that servers saw in place of the web."""
    live_servers: list[str] = Field(default_factory=list)
    """Third-party servers that may have reached the live web: neither ``web`` nor ``before`` holds for them."""
    retries: int = 0
    """Failed attempts set aside under retries/ before this one."""
    chain: str | None = None
    """The chain that it was a part of; None where nothing was passed on."""
    place: int | None = None
    """Its place in the chain, from 1."""
    carry_in: str | None = None
    """Digest of what the trial before had left in ``carry/``; None for nothing."""
    carry_out: str | None = None
    """Digest of what this one passed on."""
    faults: list[str] = Field(default_factory=list)
    """Faults of the harness itself in this trial, stage by stage; faults.log has their tracebacks."""

    @property
    def finished(self) -> bool:
        """Whether a resumed run leaves it as it is."""
        return self.status is not Status.CANCELLED


def earlier_spending(spent: Spent) -> EarlierSpending:
    """As a record says what earlier attempts took."""
    return EarlierSpending(
        attempts=spent.attempts,
        model_calls=spent.model_calls,
        unknown_calls=spent.unknown_calls,
        unpriced_calls=spent.unpriced_calls,
        tokens=TokenCount.of(spent.usage),
        cost_usd=_known_cost(spent.cost_usd, spent.unpriced_calls + spent.unknown_calls),
    )


def sum_spending(several: Iterable[EarlierSpending]) -> EarlierSpending:
    """What they took together."""
    total = EarlierSpending()
    cost = 0.0
    for each in several:
        total.attempts += each.attempts
        total.model_calls += each.model_calls
        total.unknown_calls += each.unknown_calls
        total.unpriced_calls += each.unpriced_calls
        cost += each.cost_usd or 0.0
        for name in TokenCount.model_fields:
            setattr(total.tokens, name, getattr(total.tokens, name) + getattr(each.tokens, name))
    total.cost_usd = _known_cost(cost, total.unpriced_calls + total.unknown_calls)
    return total


def _known_cost(cost_usd: float, without_cost: int) -> float | None:
    """The cost of calls; None where it is nothing but calls of unknown cost."""
    return cost_usd if cost_usd or not without_cost else None


def parse_record(value: Any, where: str) -> TrialRecord:
    """A record from trial.json; BadInputError when it is none."""
    try:
        return TrialRecord.model_validate(value)
    except ValidationError as error:
        raise BadInputError(
            f"{where} is not a trial's record.", seen=describe_validation(error), next="Remove the trial's folder."
        ) from error
