"""get_trial_results: what was posted of a study's results, as tables."""

import re
from collections.abc import Sequence
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.errors import NotFoundError
from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_databases.arguments import Cursor, MaxChars
from pincite_databases.fields import Record, record, records, text, truth
from pincite_databases.provenance import Provenance
from pincite_databases.state import DatabasesState
from pincite_databases.trials.api import NctId, Study, fetch_study, study_page
from pincite_databases.trials.tables import (
    Analysis,
    Group,
    Row,
    analysis,
    baseline_rows,
    event_groups,
    event_rows,
    flow_rows,
    groups,
    reported,
    rows,
)

_NUMBER = re.compile(r"[0-9]{1,4}")
_FRAME_CHARS = 900
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""
_LEAST_ROOM = 600
"""Characters that rows of a table have, even where the frame leaves less."""
_MOST_ON_A_PAGE = 500
"""Entries of one page, whatever ``max_chars`` allows. Set by judgement."""
_LONGEST_DESCRIPTION = 1500
"""Characters of a description that are shown."""
_MEASURE = (
    ("timeFrame", "time frame"),
    ("description", "description"),
    ("populationDescription", "population"),
    ("typeUnitsAnalyzed", "units analysed"),
    ("denomUnitsSelected", "units of the denominators"),
)
_THRESHOLD = ("frequencyThreshold", "other events are posted above (%)")
_DEATHS = ("allCauseMortalityComment", "on deaths")


class OutcomeLine(TypedDict):
    """An outcome measure of the list; its ``number`` asks for its table."""

    number: int
    type: str
    title: str
    time_frame: str
    parameter: str
    unit: str
    reported: str


class TrialResults(TypedDict):
    """The list of outcomes, or one table; ``total`` counts outcomes, or rows and analyses, on all pages.

    Values are texts as they were posted; ``parameter`` (MEAN, NUMBER…), ``dispersion`` and ``unit`` say what they are.
    """

    nct_id: str
    part: str
    about: list[str]
    parameter: NotRequired[str]
    dispersion: NotRequired[str]
    unit: NotRequired[str]
    groups: list[Group]
    outcomes: list[OutcomeLine]
    rows: list[Row]
    analyses: list[Analysis]
    total: int
    next_cursor: str | None
    page: str
    sources: list[Provenance]
    note: NotRequired[str]


async def get_trial_results(
    state: DatabasesState,
    nct_id: NctId,
    part: Annotated[
        str, Field(description="Empty: list of outcomes. A number of it: its table. adverse, baseline or flow")
    ] = "",
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> TrialResults:
    """Results of a study as posted: outcomes with groups, values, units, dispersion, p values; adverse events."""
    state.refuse_under_cutoff("ClinicalTrials.gov")
    study = await fetch_study(state.web, nct_id)
    wanted = part.strip().lower()
    call = ("get_trial_results", study.nct_id, wanted)
    start = decode_cursor(cursor, *call)
    made = TrialResults(
        nct_id=study.nct_id, part=wanted or "list of outcomes", about=[], groups=[], outcomes=[], rows=[], analyses=[],
        total=0, next_cursor=None, page=f"{study_page(study.nct_id)}?tab=results",
        sources=[study.provenance("results")],
    )  # fmt: skip
    notes = [study.remark]
    if not study.results:
        if truth(study.content, "hasResults"):
            raise study.response.malformed("results are announced, but not there")
        notes.append(_none_posted(study))
    elif not wanted:
        _list_outcomes(made, study, start, max_chars, call)
    else:
        _show_table(made, study, wanted, start, max_chars, call)
    if note := " ".join(filter(None, notes)):
        made["note"] = note
    return made


def _none_posted(study: Study) -> str:
    status = record(study.protocol, "statusModule")
    submitted, delayed = text(status, "resultsFirstSubmitDate"), text(status, "dispFirstSubmitDate")
    said = f"No results are posted for {study.nct_id} (status {text(status, 'overallStatus') or 'unknown'})."
    if submitted:
        said += f" Results were submitted on {submitted} and await posting."
    if delayed:
        said += f" A delay of results was certified or asked for on {delayed}."
    return said


def _list_outcomes(made: TrialResults, study: Study, start: int, max_chars: int, call: tuple[str, ...]) -> None:
    measures = records(study.results, "outcomeMeasuresModule", "outcomeMeasures")
    made["outcomes"], after = fill_page(
        list(enumerate(measures, 1)), start, _line, max_chars=max_chars - _FRAME_CHARS, max_items=_MOST_ON_A_PAGE
    )
    made["total"] = len(measures)
    made["next_cursor"] = encode_cursor(after, *call) if after < len(measures) else None
    posted = (
        ("adverse", "adverseEventsModule"), ("baseline", "baselineCharacteristicsModule"),
        ("flow", "participantFlowModule"),
    )  # fmt: skip
    there = ", ".join(name for name, module in posted if record(study.results, module))
    made["about"] = [f"other parts: {there}"] if there else []
    if caveats := text(study.results, "moreInfoModule", "limitationsAndCaveats", "description"):
        made["about"].append(f"limitations: {_shortened(caveats)}")


def _line(numbered: tuple[int, Record]) -> OutcomeLine:
    number, measure = numbered
    return OutcomeLine(
        number=number,
        type=text(measure, "type"),
        title=text(measure, "title"),
        time_frame=text(measure, "timeFrame"),
        parameter=text(measure, "paramType"),
        unit=text(measure, "unitOfMeasure"),
        reported=reported(measure),
    )


def _show_table(
    made: TrialResults, study: Study, wanted: str, start: int, max_chars: int, call: tuple[str, ...]
) -> None:
    """Fill in the table that is wanted: its groups whole on every page, its rows and then its analyses page by page."""
    found: list[Row] = []
    analyses: list[Analysis] = []
    if wanted.startswith("adverse"):
        module = _module(study, "adverseEventsModule", "adverse events")
        made["groups"], found = event_groups(module), list(event_rows(module))
        made["about"] = _about(module, ("timeFrame", "time frame"), ("description", "description"), _THRESHOLD, _DEATHS)
        made["parameter"], made["unit"] = "number affected, of n at risk", "participants"
    elif wanted == "baseline":
        module = _module(study, "baselineCharacteristicsModule", "baseline characteristics")
        made["groups"], found = groups(module), list(baseline_rows(module))
        made["about"] = _about(module, ("populationDescription", "population"))
    elif wanted == "flow":
        module = _module(study, "participantFlowModule", "flow of participants")
        made["groups"], found = groups(module), list(flow_rows(module))
        made["about"] = _about(module, ("recruitmentDetails", "recruitment"), ("preAssignmentDetails", "before"))
        made["unit"] = "participants"
    else:
        measure = _measure(study, wanted)
        _describe(made, measure)
        made["groups"], found = groups(measure), list(rows(measure))
        analyses = [analysis(given) for given in records(measure, "analyses")]
    _shorten(made["groups"], max_chars)
    _fill(made, found, analyses, start, max_chars, call)


def _describe(made: TrialResults, measure: Record) -> None:
    made["about"] = [
        f"{text(measure, 'type')} outcome: {text(measure, 'title')}",
        *_about(measure, *_MEASURE),
        f"reporting status: {reported(measure)}",
    ]
    made["parameter"], made["unit"] = text(measure, "paramType"), text(measure, "unitOfMeasure")
    if dispersion := text(measure, "dispersionType"):
        made["dispersion"] = dispersion


def _fill(
    made: TrialResults, found: Sequence[Row], analyses: Sequence[Analysis], start: int, max_chars: int,
    call: tuple[str, ...],
) -> None:  # fmt: skip
    frame = _FRAME_CHARS + sum(len(line) for line in made["about"]) + sum(len(str(group)) for group in made["groups"])
    items: list[Row | Analysis] = [*found, *analyses]
    shown, after = fill_page(
        items, start, lambda item: item, max_chars=max(max_chars - frame, _LEAST_ROOM), max_items=_MOST_ON_A_PAGE
    )
    for item in shown:
        if "cells" in item:
            made["rows"].append(item)
        else:
            made["analyses"].append(item)
    made["total"] = len(items)
    made["next_cursor"] = encode_cursor(after, *call) if after < len(items) else None


def _module(study: Study, name: str, what: str) -> Record:
    module = record(study.results, name)
    if not module:
        raise NotFoundError(f"No {what} are posted for {study.nct_id}.", next="Leave part out for what there is.")
    return module


def _measure(study: Study, wanted: str) -> Record:
    measures = records(study.results, "outcomeMeasuresModule", "outcomeMeasures")
    if _NUMBER.fullmatch(wanted) and 1 <= int(wanted) <= len(measures):
        return measures[int(wanted) - 1]
    raise NotFoundError(
        f"{study.nct_id} has no posted part {wanted[:40]!r}.",
        seen=f"{len(measures)} outcome measures",
        next="Give a number of the list (leave part out for it), or adverse, baseline or flow.",
    )


def _about(module: Record, *fields: tuple[str, str]) -> list[str]:
    return [f"{what}: {_shortened(value)}" for name, what in fields if (value := text(module, name))]


def _shorten(listed: list[Group], max_chars: int) -> None:
    """Let the descriptions of all groups, which stand on every page, take a third of a page at most."""
    longest = min(max_chars // 3 // max(len(listed), 1), _LONGEST_DESCRIPTION)
    for group in listed:
        if "description" in group:
            group["description"] = _shortened(group["description"], longest)


def _shortened(value: str, longest: int = _LONGEST_DESCRIPTION) -> str:
    """A description, with what was cut said; values are never cut."""
    return value if len(value) <= longest else f"{value[:longest]} [cut: {longest} of {len(value)} characters]"
