"""get_trial: a study as it is registered."""

from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_databases.arguments import Cursor, MaxChars
from pincite_databases.fields import Record, few, record, records, text, texts, truth
from pincite_databases.provenance import Provenance
from pincite_databases.state import DatabasesState
from pincite_databases.trials.api import NctId, Study, fetch_study, study_page
from pincite_databases.trials.dates import dated, enrolled
from pincite_databases.trials.entries import RecordEntry, record_entries

_FRAME_CHARS = 3000
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""
_MOST_ON_A_PAGE = 200
"""Entries of one page, whatever ``max_chars`` allows. Set by judgement."""
_MOST_NAMES = 25
"""Names of a list that are shown; of the rest the number is said."""
_DATES = (
    ("start", "startDateStruct"),
    ("primary completion", "primaryCompletionDateStruct"),
    ("completion", "completionDateStruct"),
    ("first posted", "studyFirstPostDateStruct"),
    ("results first posted", "resultsFirstPostDateStruct"),
    ("last update posted", "lastUpdatePostDateStruct"),
)
_DESIGN = (
    ("allocation", "allocation"),
    ("model", "interventionModel"),
    ("purpose", "primaryPurpose"),
    ("observational model", "observationalModel"),
    ("time perspective", "timePerspective"),
)
_WHO = (
    ("sex", "sex"),
    ("minimum age", "minimumAge"),
    ("maximum age", "maximumAge"),
    ("sampling", "samplingMethod"),
)


class Trial(TypedDict):
    """A study, capitals as in the registry; ``entries`` are its lists and long texts, ``total`` of them fit."""

    nct_id: str
    title: str
    official_title: str
    other_ids: list[str]
    status: str
    why_stopped: NotRequired[str]
    type: str
    phases: list[str]
    design: list[str]
    enrollment: str
    dates: list[str]
    lead_sponsor: str
    collaborators: list[str]
    responsible: NotRequired[str]
    conditions: list[str]
    participants: list[str]
    locations: str
    has_results: bool | None
    page: str
    total: int
    entries: list[RecordEntry]
    next_cursor: str | None
    sources: list[Provenance]
    note: NotRequired[str]


async def get_trial(
    state: DatabasesState,
    nct_id: NctId,
    part: Annotated[str, Field(description="Only entries of it: eligibility, arm, primary outcome…")] = "",
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> Trial:
    """A study as registered: design, arms, eligibility, planned outcomes, dates, sponsors, why stopped."""
    state.refuse_under_cutoff("ClinicalTrials.gov")
    study = await fetch_study(state.web, nct_id)
    call = ("get_trial", study.nct_id, part)
    start = decode_cursor(cursor, *call)
    known = record_entries(study.protocol)
    fitting = [entry for entry in known if part.strip().lower() in entry["kind"]]
    trial = _head(study)
    trial["total"] = len(fitting)
    trial["entries"], after = fill_page(
        fitting, start, lambda entry: entry, max_chars=max_chars - _FRAME_CHARS, max_items=_MOST_ON_A_PAGE
    )
    trial["next_cursor"] = encode_cursor(after, *call) if after < len(fitting) else None
    missing = f"No entry is of the kind {part[:40]!r}." if part.strip() and not fitting else ""
    if note := " ".join(filter(None, [study.remark, missing])):
        trial["note"] = note
    return trial


def _head(study: Study) -> Trial:
    protocol = study.protocol
    named, status = record(protocol, "identificationModule"), record(protocol, "statusModule")
    design, sponsors = record(protocol, "designModule"), record(protocol, "sponsorCollaboratorsModule")
    trial = Trial(
        nct_id=study.nct_id,
        title=text(named, "briefTitle"),
        official_title=text(named, "officialTitle"),
        other_ids=_other_ids(named),
        status=_status(status),
        type=text(design, "studyType"),
        phases=texts(design, "phases"),
        design=_design(design),
        enrollment=enrolled(design),
        dates=[f"{what}: {day}" for what, name in _DATES if (day := dated(status, name))],
        lead_sponsor=text(sponsors, "leadSponsor", "name"),
        collaborators=few([text(other, "name") for other in records(sponsors, "collaborators")], _MOST_NAMES),
        conditions=few(texts(protocol, "conditionsModule", "conditions"), _MOST_NAMES),
        participants=_participants(record(protocol, "eligibilityModule")),
        locations=_locations(record(protocol, "contactsLocationsModule")),
        has_results=truth(study.content, "hasResults"),
        page=study_page(study.nct_id),
        total=0,
        entries=[],
        next_cursor=None,
        sources=[study.provenance("record")],
    )
    if why := text(status, "whyStopped"):
        trial["why_stopped"] = why
    party = record(sponsors, "responsibleParty")
    if who := ", ".join(filter(None, [text(party, "type"), text(party, "investigatorFullName")])):
        trial["responsible"] = who
    return trial


def _other_ids(named: Record) -> list[str]:
    own = text(named, "orgStudyIdInfo", "id")
    secondary = [(text(other, "type"), text(other, "id")) for other in records(named, "secondaryIdInfos")]
    aliases = [f"obsolete: {alias}" for alias in texts(named, "nctIdAliases")]
    listed = [f"{kind}: {number}" if kind else number for kind, number in secondary if number]
    return [*([f"sponsor: {own}"] if own else []), *listed, *aliases]


def _status(status: Record) -> str:
    """The overall status, with the last known one where it is unknown and the month when it was verified."""
    now, before, verified = (text(status, name) for name in ("overallStatus", "lastKnownStatus", "statusVerifiedDate"))
    details = [f"last known: {before}" if before else "", f"verified {verified}" if verified else ""]
    return now + (f" ({', '.join(filter(None, details))})" if any(details) else "")


def _design(design: Record) -> list[str]:
    given = record(design, "designInfo")
    found = [f"{what}: {value}" for what, name in _DESIGN if (value := text(given, name))]
    masking, masked = text(given, "maskingInfo", "masking"), texts(given, "maskingInfo", "whoMasked")
    if masking:
        found.append(f"masking: {masking}" + (f" ({', '.join(masked)})" if masked else ""))
    return found


def _participants(eligibility: Record) -> list[str]:
    found = [f"{what}: {value}" for what, name in _WHO if (value := text(eligibility, name))]
    healthy = truth(eligibility, "healthyVolunteers")
    return found if healthy is None else [*found, f"healthy volunteers: {'yes' if healthy else 'no'}"]


def _locations(module: Record) -> str:
    places = records(module, "locations")
    countries = list(dict.fromkeys(country for place in places if (country := text(place, "country"))))
    return f"{len(places)} in {', '.join(few(countries, _MOST_NAMES))}" if countries else str(len(places))
