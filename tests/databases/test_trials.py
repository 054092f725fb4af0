"""search_trials, get_trial and get_trial_results, against a local ClinicalTrials.gov.

Relied upon: studies, totalCount (on the first page only), nextPageToken; protocolSection and resultsSection with the
modules of the study data structure of API 2.0; hasResults; nctIdAliases; apiVersion and dataTimestamp of /version.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from types import ModuleType
from typing import Any

import pytest

from pincite_core.errors import BadInputError
from pincite_databases.trials.filters import phases, start_range, statuses

FAULTS = ("malformed", "429", "500", "slow", "truncated", "refused")
CALLS = {
    "search_trials": {"condition": "asthma"},
    "get_trial": {"nct_id": "NCT20000001"},
    "get_trial_results": {"nct_id": "NCT20000001"},
}


@pytest.fixture
def server(source_servers: ModuleType, trials_server: ModuleType) -> Iterator[Any]:
    with source_servers.SourceServer(trials_server.Trials()) as server:
        yield server


@pytest.fixture
async def call(asking: Callable[..., Any], server: Any) -> AsyncIterator[Callable[..., Any]]:
    async with asking(clinicaltrials=server.url) as call:
        yield call


async def test_trials_are_found_with_the_day_of_the_data(call: Callable[..., Any], server: Any) -> None:
    found = await call(
        "search_trials", condition="Asthma", query="severe", status="completed", phase="2, III", started="2020..2021-02"
    )
    assert found["asked"] == [
        "query.cond=Asthma",
        "query.term=severe",
        "filter.overallStatus=COMPLETED",
        "filter.advanced=(AREA[Phase]PHASE2 OR AREA[Phase]PHASE3) AND (AREA[StartDate]RANGE[2020-01-01,2021-02-28])",
    ]
    assert found["total"] == 44
    assert found["hits"][0] == {
        "nct_id": "NCT20000001",
        "title": "Inventumab in Invented Asthma 20000001",
        "status": "COMPLETED",
        "type": "INTERVENTIONAL",
        "phases": ["PHASE2", "PHASE3"],
        "conditions": ["Asthma", "Wheezing"],
        "interventions": ["DRUG: Inventumab"],
        "sponsor": "Invented University",
        "enrollment": "624 (ACTUAL)",
        "start": "2020-03-15 (ACTUAL)",
        "primary_completion": "2022-06 (ESTIMATED)",
        "has_results": True,
        "page": "https://clinicaltrials.gov/study/NCT20000001",
    }
    (source,) = found["sources"]
    assert source["release"] == "data of 2025-07-01T09:00:05 (API 2.0.5)"
    assert source["url"].startswith(f"{server.url}/studies?query.cond=Asthma")


@pytest.mark.parametrize(("limit", "max_chars"), [(20, 50_000), (20, 3000), (45, 3000), (2, 1000)])
async def test_every_trial_comes_once_on_some_page(call: Callable[..., Any], limit: int, max_chars: int) -> None:
    seen: list[str] = []
    cursor = ""
    while True:
        arguments = {"condition": "asthma", "limit": limit, "max_chars": max_chars, "cursor": cursor}
        found = await call("search_trials", **arguments)
        assert found["total"] == 45
        assert len(found["hits"]) == 1 or len(str(found)) < max_chars + 500
        seen += [hit["nct_id"] for hit in found["hits"]]
        cursor = found["next_cursor"]
        if not cursor or len(seen) > 45:
            break
    assert len(seen) == len(set(seen)) == 45


async def test_no_trial_is_said(call: Callable[..., Any]) -> None:
    found = await call("search_trials", condition="no such disease")
    assert found["hits"] == []
    assert found["total"] == 0
    assert found["note"] == "ClinicalTrials.gov has no study that fits."


async def test_a_wrong_query_is_said_in_the_registrys_words(call: Callable[..., Any]) -> None:
    assert "Seen: Unclosed bracket in query.term" in await call("search_trials", query="AREA[[x")
    assert "no condition, term or filter" in await call("search_trials", condition=" ")


async def test_a_study_in_the_middle_that_cannot_be_read_is_left_out(
    call: Callable[..., Any], server: Any, source_servers: ModuleType
) -> None:
    usual = server.answer
    odd: list[Any] = [None, "x", {"protocolSection": None}, {"protocolSection": {"identificationModule": []}}]
    good = usual.studies[0]

    def answer(asked: Any) -> Any:
        return source_servers.Given({"studies": [*odd, good]}) if asked.path == "/studies" else usual(asked)

    server.answer = answer
    found = await call("search_trials", condition="asthma")
    assert [hit["nct_id"] for hit in found["hits"]] == ["NCT20000001"]
    assert found["total"] is None


async def test_a_trial_is_given_as_registered(call: Callable[..., Any]) -> None:
    trial = await call("get_trial", nct_id=" nct20000001 ")
    assert trial["title"] == "Inventumab in Invented Asthma 20000001"
    assert trial["other_ids"] == ["sponsor: INV-20000001", "EUDRACT_NUMBER: 2020-000001-11"]
    assert trial["status"] == "COMPLETED (verified 2024-02)"
    assert trial["design"] == [
        "allocation: RANDOMIZED",
        "model: PARALLEL",
        "purpose: TREATMENT",
        "masking: DOUBLE (PARTICIPANT, INVESTIGATOR)",
    ]
    assert trial["enrollment"] == "624 (ACTUAL)"
    assert trial["dates"] == [
        "start: 2020-03-15 (ACTUAL)",
        "primary completion: 2022-06 (ESTIMATED)",
        "completion: 2022-12",
        "last update posted: 2024-02-23 (ACTUAL)",
    ]
    assert trial["lead_sponsor"] == "Invented University"
    assert trial["collaborators"] == ["Invented Pharma"]
    assert trial["responsible"] == "PRINCIPAL_INVESTIGATOR, Ada Writer"
    assert trial["participants"] == [
        "sex: ALL",
        "minimum age: 18 Years",
        "maximum age: 75 Years",
        "healthy volunteers: no",
    ]
    assert trial["locations"] == "3 in Norway, Chile"
    assert trial["has_results"] is True
    (source,) = trial["sources"]
    assert source["release"] == "data of 2025-07-01T09:00:05 (API 2.0.5); record last updated 2024-02-23"


async def test_the_lists_and_texts_of_a_trial_are_entries(call: Callable[..., Any], trials_server: ModuleType) -> None:
    trial = await call("get_trial", nct_id="NCT20000001", max_chars=20_000)
    entries = trial["entries"]
    assert trial["total"] == len(entries) == 13
    assert [entry["kind"] for entry in entries] == [
        "summary", "eligibility", "design", "arm", "arm", "intervention", "primary outcome", "secondary outcome",
        "description", "description", "description", "reference", "reference",
    ]  # fmt: skip
    assert entries[1]["text"] == trials_server.CRITERIA.strip()
    assert entries[3] == {
        "kind": "arm",
        "label": "Inventumab",
        "text": "300 mg every 4 weeks",
        "type": "EXPERIMENTAL",
        "arms": ["Drug: Inventumab"],
    }
    assert entries[5]["label"] == "Inventumab (also INV-1)"
    assert entries[6] == {
        "kind": "primary outcome",
        "label": "Exacerbations",
        "text": "Rate in a year",
        "time_frame": "52 weeks",
    }
    assert [entry.get("part") for entry in entries[8:11]] == ["1 of 3", "2 of 3", "3 of 3"]
    assert "".join(entry["text"] for entry in entries[8:11]) == ("word " * 1000).strip()
    assert entries[11]["label"] == "PubMed 11111111"
    assert entries[12]["notice"] == "retracted: 22222222"


async def test_entries_of_one_kind_come_alone_and_in_pages(call: Callable[..., Any]) -> None:
    outcomes = await call("get_trial", nct_id="NCT20000001", part="outcome")
    assert [entry["label"] for entry in outcomes["entries"]] == ["Exacerbations", "FEV1"]
    nothing = await call("get_trial", nct_id="NCT20000001", part="weather")
    assert nothing["note"] == "No entry is of the kind 'weather'."
    seen: list[str] = []
    cursor = ""
    while True:
        page = await call("get_trial", nct_id="NCT20000001", cursor=cursor, max_chars=5000)
        assert len(str(page)) < 5500
        seen += [entry["kind"] for entry in page["entries"]]
        cursor = page["next_cursor"]
        if not cursor:
            break
    assert len(seen) == 13


async def test_why_a_trial_stopped_is_said_and_its_obsolete_number_leads_to_it(call: Callable[..., Any]) -> None:
    trial = await call("get_trial", nct_id="NCT00000099")
    assert trial["nct_id"] == "NCT20000002"
    assert trial["note"] == "NCT00000099 is an obsolete number of NCT20000002: cite NCT20000002."
    assert trial["status"] == "TERMINATED (last known: RECRUITING)"
    assert trial["why_stopped"] == "Slow recruitment"
    assert trial["other_ids"] == ["obsolete: NCT00000099"]
    assert trial["phases"] == []
    assert trial["design"] == ["observational model: COHORT"]
    assert trial["has_results"] is False
    texts = [entry["text"] for entry in trial["entries"] if entry["kind"] == "eligibility"]
    assert [len(text) for text in texts] == [2000, 2000, 1000, 23]


@pytest.mark.parametrize("tool", ["get_trial", "get_trial_results"])
@pytest.mark.parametrize("nct_id", ["NCT1", "20000001", "NCT00000000", "NCT200000011", "../x", "NCT2000000\u0661"])
async def test_what_is_no_number_is_bad_input(call: Callable[..., Any], server: Any, tool: str, nct_id: str) -> None:
    assert "is not a number of ClinicalTrials.gov" in await call(tool, nct_id=nct_id)
    assert server.asked == []


@pytest.mark.parametrize("tool", ["get_trial", "get_trial_results"])
async def test_a_trial_that_is_not_there_is_said(call: Callable[..., Any], tool: str) -> None:
    assert "has no study NCT99999999" in await call(tool, nct_id="NCT99999999")


async def test_results_begin_with_the_list_of_outcomes(call: Callable[..., Any]) -> None:
    results = await call("get_trial_results", nct_id="NCT20000001")
    assert results["outcomes"] == [
        {
            "number": 1,
            "type": "PRIMARY",
            "title": "Annual rate of exacerbations",
            "time_frame": "52 weeks",
            "parameter": "LEAST_SQUARES_MEAN",
            "unit": "exacerbations per year",
            "reported": "POSTED",
        },
        {
            "number": 2,
            "type": "SECONDARY",
            "title": "FEV1",
            "time_frame": "24 weeks",
            "parameter": "",
            "unit": "",
            "reported": "NOT_POSTED, expected 2026-01",
        },
    ]
    assert results["about"] == ["other parts: adverse, baseline, flow", "limitations: Ended early."]
    assert results["page"] == "https://clinicaltrials.gov/study/NCT20000001?tab=results"


async def test_a_table_is_exactly_as_posted(call: Callable[..., Any]) -> None:
    table = await call("get_trial_results", nct_id="NCT20000001", part="1")
    assert table["parameter"] == "LEAST_SQUARES_MEAN"
    assert table["dispersion"] == "95% Confidence Interval"
    assert table["unit"] == "exacerbations per year"
    assert table["about"] == [
        "PRIMARY outcome: Annual rate of exacerbations",
        "time frame: 52 weeks",
        "description: As adjudicated.",
        "population: Intention to treat",
        "reporting status: POSTED",
    ]
    assert table["groups"] == [
        {
            "id": "OG000",
            "title": "Inventumab",
            "description": "300 mg every 4 weeks",
            "counts": ["312 Participants"],
        },
        {"id": "OG001", "title": "Placebo", "counts": ["310 Participants"]},
    ]
    assert table["rows"] == [
        {
            "label": "",
            "cells": [
                {"group": "OG000", "value": "0.50", "lower_limit": "0.41", "upper_limit": "0.61"},
                {"group": "OG001", "value": "0.90", "lower_limit": "0.77", "upper_limit": "1.05"},
            ],
        },
        {
            "label": "Never smoked: Women",
            "cells": [
                {
                    "group": "OG000",
                    "value": "0.48",
                    "lower_limit": "0.39",
                    "upper_limit": "NA",
                    "n": "200 Participants",
                    "comment": "Not reached",
                },
                {"group": "OG001", "value": "NA", "n": "198 Participants", "comment": "Too few"},
            ],
        },
    ]
    assert table["analyses"] == [
        {
            "groups": ["OG000", "OG001"],
            "facts": [
                "hypothesis: SUPERIORITY",
                "method: Negative binomial regression",
                "p value: <0.001",
                "Rate Ratio: 0.56",
                "95% CI: 0.44 to 0.70 (TWO_SIDED)",
                "on the p value: Adjusted for region",
                "on the comparison: Superiority of the drug",
            ],
        },
        {
            "groups": ["OG000"],
            "facts": ["90% CI: no lower limit to 0.8 (ONE_SIDED)", "STANDARD_ERROR_OF_MEAN: 0.05"],
        },
    ]
    assert table["total"] == 4


async def test_adverse_events_keep_zero_apart_from_not_posted(call: Callable[..., Any]) -> None:
    table = await call("get_trial_results", nct_id="NCT20000001", part="Adverse", max_chars=30_000)
    assert table["groups"][0]["counts"] == [
        "deaths: 0 of 312 affected",
        "serious events: 20 of 312 affected",
        "other events: 100 of 312 affected",
    ]
    assert "counts" not in table["groups"][1]
    assert table["rows"][0] == {
        "label": "serious: Pneumonia (Infections)",
        "cells": [
            {"group": "EG000", "value": "0", "n": "312 at risk", "comment": "0 events"},
            {"group": "EG001", "value": "3", "n": "310 at risk"},
        ],
    }
    assert table["about"][2] == "other events are posted above (%): 5"
    assert table["total"] == len(table["rows"]) == 81


async def test_baseline_rows_have_their_own_units_and_flow_its_reasons(call: Callable[..., Any]) -> None:
    baseline = await call("get_trial_results", nct_id="NCT20000001", part="baseline")
    assert baseline["rows"] == [
        {
            "label": "Age",
            "cells": [{"group": "BG000", "value": "45.2", "spread": "12.1"}],
            "unit": "years",
            "parameter": "MEAN",
            "dispersion": "STANDARD_DEVIATION",
        },
        *(
            {
                "label": f"Sex: {sex}",
                "cells": [{"group": "BG000", "value": value}],
                "unit": "Participants",
                "parameter": "COUNT_OF_PARTICIPANTS",
            }
            for sex, value in (("Female", "180"), ("Male", "132"))
        ),
    ]
    flow = await call("get_trial_results", nct_id="NCT20000001", part="flow")
    assert flow["rows"] == [
        {"label": "Overall Study: STARTED", "cells": [{"group": "FG000", "value": "314", "comment": "two left"}]},
        {"label": "Overall Study: withdrawn: Death", "cells": [{"group": "FG000", "value": "0"}]},
    ]


async def test_a_table_comes_in_pages(call: Callable[..., Any]) -> None:
    seen: list[str] = []
    cursor = ""
    while True:
        table = await call("get_trial_results", nct_id="NCT20000001", part="adverse", cursor=cursor, max_chars=3000)
        assert len(str(table)) < 3500
        assert len(table["groups"]) == 2
        seen += [row["label"] for row in table["rows"]]
        cursor = table["next_cursor"]
        if not cursor:
            break
    assert seen == ["serious: Pneumonia (Infections)", *(f"other: Headache {n}" for n in range(80))]
    first = await call("get_trial_results", nct_id="NCT20000001", part="adverse", max_chars=3000)
    other = await call("get_trial_results", nct_id="NCT20000001", part="flow", cursor=first["next_cursor"])
    assert "does not belong" in other


async def test_many_long_groups_leave_room_for_rows(
    call: Callable[..., Any], server: Any, trials_server: ModuleType
) -> None:
    groups = [{"id": f"OG{n:03d}", "title": f"Dose {n}", "description": "word " * 400} for n in range(12)]
    classes = [{"title": f"Week {n}", "categories": [{"measurements": [{"groupId": "OG000", "value": str(n)}]}]}
               for n in range(100)]  # fmt: skip
    measure = {"type": "PRIMARY", "title": "Many", "groups": groups, "classes": classes}
    results = {"outcomeMeasuresModule": {"outcomeMeasures": [measure]}}
    server.answer.studies[0] = trials_server.study(20000001, results=results)
    table = await call("get_trial_results", nct_id="NCT20000001", part="1")
    assert len(str(table)) < 11_000
    assert len(table["rows"]) > 40
    assert table["groups"][11]["description"].endswith("[cut: 277 of 1999 characters]")


async def test_an_outcome_that_was_not_posted_has_no_rows(call: Callable[..., Any]) -> None:
    table = await call("get_trial_results", nct_id="NCT20000001", part="2")
    assert table["rows"] == []
    assert table["about"][-1] == "reporting status: NOT_POSTED, expected 2026-01"


async def test_that_no_results_are_posted_is_said(call: Callable[..., Any]) -> None:
    for part in ("", "1", "adverse"):
        results = await call("get_trial_results", nct_id="NCT20000002", part=part)
        assert results["outcomes"] == results["rows"] == []
        assert results["note"] == (
            "No results are posted for NCT20000002 (status TERMINATED). Results were submitted on 2025-05-01 and await "
            "posting. A delay of results was certified or asked for on 2023-01-01."
        )


@pytest.mark.parametrize("part", ["3", "0", "-1", "x", "\u0661", "9" * 5000])
async def test_a_part_that_is_not_there_is_said(call: Callable[..., Any], part: str) -> None:
    said = await call("get_trial_results", nct_id="NCT20000001", part=part)
    assert "has no posted part" in said
    assert "2 outcome measures" in said


async def test_results_that_are_announced_but_missing_are_an_outage(
    call: Callable[..., Any], server: Any, trials_server: ModuleType
) -> None:
    server.answer.studies[0] = trials_server.study(20000001) | {"hasResults": True}
    assert "cannot be read" in await call("get_trial_results", nct_id="NCT20000001")


async def test_another_study_than_asked_for_is_never_given(
    call: Callable[..., Any], server: Any, source_servers: ModuleType, trials_server: ModuleType
) -> None:
    server.answer = lambda _: source_servers.Given(trials_server.study(20000003))
    assert "cannot be read" in await call("get_trial", nct_id="NCT20000001")


@pytest.mark.parametrize(("status", "body"), [(500, "oops"), (404, "gone"), (200, "<<<"), (200, {"apiVersion": 2})])
async def test_a_registry_that_does_not_say_its_day_still_answers(
    asking: Callable[..., Any], source_servers: ModuleType, trials_server: ModuleType, status: int, body: Any
) -> None:
    broken = source_servers.Given(body, status=status)
    with source_servers.SourceServer(trials_server.Trials(version_fault=broken)) as server:
        async with asking(clinicaltrials=server.url) as call:
            trial = await call("get_trial", nct_id="NCT20000001")
    assert trial["sources"][0]["release"] == "unknown: it did not say; record last updated 2024-02-23"


@pytest.mark.parametrize("tool", CALLS)
async def test_a_firewall_that_turns_us_away_is_said_with_what_helps(
    call: Callable[..., Any], server: Any, source_servers: ModuleType, tool: str
) -> None:
    server.answer = lambda _: source_servers.Given("<html>Access denied</html>", status=403)
    said = await call(tool, **CALLS[tool])
    assert said.startswith("ClinicalTrials.gov refused access.")
    assert "PINCITE_SOURCE_URLS=clinicaltrials=" in said


@pytest.mark.parametrize("tool", CALLS)
@pytest.mark.parametrize("name", FAULTS)
async def test_faults_are_told_apart(
    asking: Callable[..., Any], server: Any, source_servers: ModuleType, tool: str, name: str
) -> None:
    fault = source_servers.FAULTS[name]
    server.fault = fault
    url = server.url if fault.given is not None else f"http://127.0.0.1:{source_servers.closed_port()}"
    async with asking(clinicaltrials=url, source_seconds=source_servers.patience(name)) as call:
        said = await call(tool, **CALLS[tool])
    assert isinstance(said, str)
    assert said.startswith("ClinicalTrials.gov ")
    assert fault.says in said


@pytest.mark.parametrize("body", ["null", "[]", {}, {"studies": {}}, {"protocolSection": []}])
@pytest.mark.parametrize("tool", CALLS)
async def test_an_answer_with_a_wrong_frame_is_malformed(
    call: Callable[..., Any], server: Any, source_servers: ModuleType, tool: str, body: Any
) -> None:
    server.answer = lambda _: source_servers.Given(body)
    assert "ClinicalTrials.gov sent an answer that cannot be read." in await call(tool, **CALLS[tool])


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("", ""),
        ("recruiting", "RECRUITING"),
        ("Not yet recruiting, COMPLETED,completed", "NOT_YET_RECRUITING,COMPLETED"),
        ("enrolling-by-invitation", "ENROLLING_BY_INVITATION"),
    ],
)
def test_statuses(text: str, made: str) -> None:
    assert statuses(text) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("", ""),
        ("3", "AREA[Phase]PHASE3"),
        ("phase III", "AREA[Phase]PHASE3"),
        ("Phase 2, PHASE4", "AREA[Phase]PHASE2 OR AREA[Phase]PHASE4"),
        ("2/3", "AREA[Phase]PHASE2 AND AREA[Phase]PHASE3"),
        ("early 1", "AREA[Phase]EARLY_PHASE1"),
        ("Early Phase 1", "AREA[Phase]EARLY_PHASE1"),
        ("N/A", "AREA[Phase]NA"),
    ],
)
def test_phases(text: str, made: str) -> None:
    assert phases(text) == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("2020", "[2020-01-01,2020-12-31]"),
        ("2020-02", "[2020-02-01,2020-02-29]"),
        ("2020-02-03", "[2020-02-03,2020-02-03]"),
        ("2020..", "[2020-01-01,MAX]"),
        ("..2019-06", "[MIN,2019-06-30]"),
        ("2019-06 .. 2020", "[2019-06-01,2020-12-31]"),
    ],
)
def test_start_ranges(text: str, made: str) -> None:
    assert start_range(text) == f"AREA[StartDate]RANGE{made}"


@pytest.mark.parametrize("text", ["..", "x", "2021..2020", "2020-13", "2020-02-30", "20", "2020...2021", "2020-0"])
def test_what_is_no_range(text: str) -> None:
    with pytest.raises(BadInputError, match="not a range of dates"):
        start_range(text)


@pytest.mark.parametrize(("read", "text"), [(statuses, "done"), (phases, "5"), (phases, "early 2"), (phases, "II I")])
def test_what_is_no_filter(read: Callable[[str], str], text: str) -> None:
    with pytest.raises(BadInputError, match="is no"):
        read(text)
