"""search_trials: studies of ClinicalTrials.gov."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import BadInputError
from pincite_core.http.exchange import Response
from pincite_core.json_fields import at
from pincite_core.paging import DEFAULT_CHARS, decode_token, encode_token, fill_page
from pincite_databases.arguments import Cursor, Limit, MaxChars
from pincite_databases.fields import Record, few, record, records, text, texts, truth, whole
from pincite_databases.provenance import Provenance, provenance
from pincite_databases.state import DatabasesState
from pincite_databases.trials.api import study_page, with_release
from pincite_databases.trials.dates import dated, enrolled
from pincite_databases.trials.filters import phases, start_range, statuses

_FIELDS = (
    "IdentificationModule,StatusModule,SponsorCollaboratorsModule,ConditionsModule,DesignModule,"
    "ArmsInterventionsModule,HasResults"
)
_FRAME_CHARS = 700
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""
_MOST_NAMES = 8
"""Names of a list that are shown; of the rest the number is said."""


class TrialHit(TypedDict):
    """A study; words in capitals are the registry's."""

    nct_id: str
    title: str
    status: str
    type: str
    phases: list[str]
    conditions: list[str]
    interventions: list[str]
    sponsor: str
    enrollment: str
    start: str
    primary_completion: str
    has_results: bool | None
    why_stopped: NotRequired[str]
    page: str


class TrialHits(TypedDict):
    """Studies in the registry's order; ``asked`` is what it was asked, ``total`` how many fit."""

    asked: list[str]
    total: int | None
    hits: list[TrialHit]
    next_cursor: str | None
    sources: list[Provenance]
    note: NotRequired[str]


async def search_trials(
    state: DatabasesState,
    condition: str = "",
    intervention: str = "",
    query: Annotated[str, Field(description="Other terms")] = "",
    status: Annotated[str, Field(description="As recruiting, completed")] = "",
    phase: Annotated[str, Field(description="As 2,3")] = "",
    started: Annotated[str, Field(description="As 2020-03..2021")] = "",
    limit: Limit = 20,
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> TrialHits:
    """Search studies registered at ClinicalTrials.gov."""
    state.refuse_under_cutoff("ClinicalTrials.gov")
    asked = _params(condition, intervention, query, status, phase, started)
    call = ("search_trials", tuple(asked.items()), limit)
    place, _, rest = decode_token(cursor, *call).partition("|")
    counted, _, page = rest.partition("|")
    params = {**asked, "pageSize": str(limit), "countTotal": "true", "fields": _FIELDS, "format": "json"}
    response, release = await with_release(
        state.web, "studies", params | ({"pageToken": page} if page else {}), expect=(400,)
    )
    if response.status == 400:
        raise BadInputError("ClinicalTrials.gov rejected this query.", seen=_said(response), next="Correct it.")
    body = response.json()
    if not isinstance(at(body, "studies"), list):
        raise response.malformed("no studies")
    studies = records(body, "studies")
    total = whole(body, "totalCount") if not page else whole(counted)
    hits, after = fill_page(studies, int(place or 0), _hit, max_chars=max_chars - _FRAME_CHARS, max_items=limit)
    following = text(body, "nextPageToken")
    found = TrialHits(
        asked=[f"{name}={value}" for name, value in asked.items()],
        total=total,
        hits=[hit for hit in hits if hit["nct_id"]],
        next_cursor=None,
        sources=[provenance(response, "hits", release)],
    )
    if after < len(studies):
        found["next_cursor"] = encode_token(f"{after}|{'' if total is None else total}|{page}", *call)
    elif following:
        found["next_cursor"] = encode_token(f"0|{'' if total is None else total}|{following}", *call)
    if not studies and not page:
        found["note"] = "ClinicalTrials.gov has no study that fits."
    return found


def _params(condition: str, intervention: str, query: str, status: str, phase: str, started: str) -> dict[str, str]:
    asked = {"query.cond": condition.strip(), "query.intr": intervention.strip(), "query.term": query.strip()}
    asked["filter.overallStatus"] = statuses(status)
    advanced = [f"({part})" for part in (phases(phase), start_range(started) if started.strip() else "") if part]
    asked["filter.advanced"] = " AND ".join(advanced)
    given = {name: value for name, value in asked.items() if value}
    if not given:
        raise BadInputError(
            "The search has no condition, term or filter.",
            next="Give a condition, an intervention, other terms or a filter.",
        )
    return given


def _hit(study: Record) -> TrialHit:
    protocol = record(study, "protocolSection")
    status, design = record(protocol, "statusModule"), record(protocol, "designModule")
    nct_id = text(protocol, "identificationModule", "nctId")
    conditions = texts(protocol, "conditionsModule", "conditions")
    drugs = records(protocol, "armsInterventionsModule", "interventions")
    hit = TrialHit(
        nct_id=nct_id,
        title=text(protocol, "identificationModule", "briefTitle"),
        status=text(status, "overallStatus"),
        type=text(design, "studyType"),
        phases=texts(design, "phases"),
        conditions=few(conditions, _MOST_NAMES),
        interventions=few([f"{text(drug, 'type')}: {text(drug, 'name')}" for drug in drugs], _MOST_NAMES),
        sponsor=text(protocol, "sponsorCollaboratorsModule", "leadSponsor", "name"),
        enrollment=enrolled(design),
        start=dated(status, "startDateStruct"),
        primary_completion=dated(status, "primaryCompletionDateStruct"),
        has_results=truth(study, "hasResults"),
        page=study_page(nct_id),
    )
    if why := text(status, "whyStopped"):
        hit["why_stopped"] = why
    return hit


def _said(response: Response) -> str:
    return " ".join(response.content[:2000].decode("utf-8", "replace").split())[:400]
