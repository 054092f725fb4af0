"""record_claim and retract_claim: what an agent says a paper says goes into the ledger, with how it was checked."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Annotated, Any, Literal, NotRequired

import anyio.to_thread
from mcp.server.mcpserver import Context
from mcp_types import InputRequiredResult
from pydantic import Field
from typing_extensions import TypedDict

from pincite_provenance.model import Claim, ClaimChecks, Facts, Judgement
from pincite_provenance.state import ProvenanceState
from pincite_provenance.verifying import AskPerson, JudgeAnswer, checked, judge_answer

if TYPE_CHECKING:
    from pincite_provenance.ledger.entry import Caller
    from pincite_provenance.ledger.ledger import Appended, Past

_MOST_QUOTE_CHARS = 4000


class CheckEntry(TypedDict):
    """One question asked of the claim, its answer and why."""

    name: str
    verdict: str
    reason: str


class Recorded(TypedDict):
    """A row of the ledger: the ``verdict`` of the ``checks``, and the ``judge`` that was asked where it is unsure;
    ``locator`` of the quote, or of what is nearest to it; ``hash`` covers it and all rows before: whoever notes it can
    prove them later."""

    id: str
    verdict: str
    facts: str
    locator: str
    checks: list[CheckEntry]
    judge: NotRequired[JudgeAnswer]
    hash: str
    rows: int
    warning: NotRequired[str]


class Retracted(TypedDict):
    """The row that takes the claim ``retracts`` back."""

    id: str
    retracts: str
    hash: str
    rows: int
    warning: NotRequired[str]


async def record_claim(
    state: ProvenanceState,
    quote: Annotated[str, Field(min_length=1, max_length=_MOST_QUOTE_CHARS, description="Copied exactly")],
    locator: Annotated[str, Field(description="The quote's locator; the paper alone leaves its place unsure")],
    value: Annotated[str, Field(max_length=500, description="As printed, with uncertainty")] = "",
    unit: Annotated[str, Field(max_length=100)] = "",
    material: Annotated[str, Field(max_length=500)] = "",
    property: Annotated[str, Field(max_length=500)] = "",  # noqa: A002
    supersedes: Annotated[str, Field(description="Id of the claim that this one corrects")] = "",
    note: Annotated[str, Field(max_length=1000)] = "",
    model: Annotated[str, Field(max_length=200, description="Your name and version")] = "",
    reading: Annotated[
        Literal["", "yes", "no", "unsure"], Field(description="Does the paper say it, as you read it? Kept as yours")
    ] = "",
    ask_person: AskPerson = False,
    *,
    calling: Context[Any, Any],
) -> Recorded | InputRequiredResult:
    """Check a claim against its paper and append it to the ledger. One that fails is recorded too, and marked: then
    record the right one with supersedes.
    """
    from pincite_provenance.claims.check import without_marks
    from pincite_provenance.judging.person import PersonNeededError
    from pincite_provenance.judging.settling import settle
    from pincite_provenance.ledger.entry import claim_content, standing_claim

    claim = without_marks(Claim(quote, locator, value, unit, material, property))
    caller = _caller(state, calling, model)
    paper = await state.library.open(locator, calling)
    checks = await anyio.to_thread.run_sync(checked, paper, claim)
    try:
        judgement = await settle(state.settings, calling, paper, claim, checks, by_person=ask_person)
    except PersonNeededError as needed:
        return needed.result

    def make(past: "Past") -> Mapping[str, Any]:
        corrected = standing_claim(past, supersedes) if supersedes.strip() else ""
        return claim_content(
            claim, checks, paper, caller, supersedes=corrected, note=note, judgement=judgement, reading=reading
        )

    appended = await anyio.to_thread.run_sync(state.ledger.append, make)
    return _recorded(appended, checks, judgement)


def _recorded(appended: "Appended", checks: ClaimChecks, judgement: Judgement | None) -> Recorded:
    row = appended.row
    made = Recorded(
        id=row.id,
        verdict=checks.verdict,
        facts=str(Facts.of(((each.name, each.verdict) for each in checks.checks), checks.verdict)),
        locator=checks.locator,
        checks=[CheckEntry(name=each.name, verdict=each.verdict, reason=each.reason) for each in checks.checks],
        hash=row.hash,
        rows=row.seq + 1,
    )
    if judgement is not None:
        made["judge"] = judge_answer(judgement)
    if appended.warning:
        made["warning"] = appended.warning
    return made


async def retract_claim(
    state: ProvenanceState,
    id: Annotated[str, Field(description="As record_claim returned it")],  # noqa: A002
    reason: Annotated[str, Field(min_length=1, max_length=1000)],
    model: Annotated[str, Field(max_length=200, description="Your name and version")] = "",
    *,
    calling: Context[Any, Any],
) -> Retracted:
    """Take a recorded claim back: the claim stays in the ledger, and a row that says why is added."""
    caller = _caller(state, calling, model)

    def record() -> Retracted:
        from pincite_provenance.ledger.entry import retraction_content, standing_claim

        appended = state.ledger.append(lambda past: retraction_content(standing_claim(past, id), reason, caller))
        row = appended.row
        made = Retracted(id=row.id, retracts=id.strip(), hash=row.hash, rows=row.seq + 1)
        if appended.warning:
            made["warning"] = appended.warning
        return made

    return await anyio.to_thread.run_sync(record)


def _caller(state: ProvenanceState, calling: Context[Any, Any], model: str) -> "Caller":
    """Who calls, as the client said of itself, and which call it is."""
    from pincite_provenance.ledger.entry import Caller

    params = calling.request_context.session.client_params
    client = None if params is None else params.client_info
    return Caller(
        name="" if client is None else client.name,
        version="" if client is None else client.version,
        model=model,
        session=(calling.headers or {}).get("mcp-session-id", state.session),
        request=calling.request_id,
    )
