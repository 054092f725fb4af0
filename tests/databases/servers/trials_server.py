"""ClinicalTrials.gov on the loopback: searches with page tokens, studies, obsolete numbers, version, faults in text.

The studies are invented.
"""

import re
from collections.abc import Sequence
from typing import Any

from source_server import Asked, Given

VERSION = {"apiVersion": "2.0.5", "dataTimestamp": "2025-07-01T09:00:05"}
CRITERIA = "Inclusion Criteria:\n\n* Age 18 to 75\n\nExclusion Criteria:\n\n* Known allergy\n"


def struct(date: str, kind: str = "ACTUAL") -> dict[str, str]:
    """A date with its type."""
    return {"date": date, "type": kind} if kind else {"date": date}


def study(number: int, **parts: Any) -> dict[str, Any]:
    """A study; ``parts`` replace or add modules of its protocol, ``results`` are its results."""
    results = parts.pop("results", None)
    protocol: dict[str, Any] = {
        "identificationModule": {
            "nctId": f"NCT{number:08d}",
            "orgStudyIdInfo": {"id": f"INV-{number}"},
            "secondaryIdInfos": [{"id": "2020-000001-11", "type": "EUDRACT_NUMBER"}],
            "briefTitle": f"Inventumab in Invented Asthma {number}",
            "officialTitle": "A Randomised Trial of Inventumab",
        },
        "statusModule": {
            "statusVerifiedDate": "2024-02",
            "overallStatus": "COMPLETED",
            "startDateStruct": struct("2020-03-15"),
            "primaryCompletionDateStruct": struct("2022-06", "ESTIMATED"),
            "completionDateStruct": struct("2022-12", ""),
            "lastUpdatePostDateStruct": struct("2024-02-23"),
        },
        "sponsorCollaboratorsModule": {
            "responsibleParty": {"type": "PRINCIPAL_INVESTIGATOR", "investigatorFullName": "Ada Writer"},
            "leadSponsor": {"name": "Invented University", "class": "OTHER"},
            "collaborators": [{"name": "Invented Pharma", "class": "INDUSTRY"}],
        },
        "descriptionModule": {"briefSummary": "A short summary.", "detailedDescription": "word " * 1000},
        "conditionsModule": {"conditions": ["Asthma", "Wheezing"]},
        "designModule": {
            "studyType": "INTERVENTIONAL",
            "phases": ["PHASE2", "PHASE3"],
            "designInfo": {
                "allocation": "RANDOMIZED",
                "interventionModel": "PARALLEL",
                "primaryPurpose": "TREATMENT",
                "maskingInfo": {"masking": "DOUBLE", "whoMasked": ["PARTICIPANT", "INVESTIGATOR"],
                                "maskingDescription": "Identical syringes."},
            },
            "enrollmentInfo": {"count": 624, "type": "ACTUAL"},
        },
        "armsInterventionsModule": {
            "armGroups": [
                {"label": "Inventumab", "type": "EXPERIMENTAL", "description": "300 mg every 4 weeks",
                 "interventionNames": ["Drug: Inventumab"]},
                {"label": "Placebo", "type": "PLACEBO_COMPARATOR"},
            ],
            "interventions": [
                {"type": "DRUG", "name": "Inventumab", "otherNames": ["INV-1"], "armGroupLabels": ["Inventumab"]},
            ],
        },
        "outcomesModule": {
            "primaryOutcomes": [
                {"measure": "Exacerbations", "timeFrame": "52 weeks", "description": "Rate in a year"},
            ],
            "secondaryOutcomes": [{"measure": "FEV1", "timeFrame": "24 weeks"}],
        },
        "eligibilityModule": {
            "eligibilityCriteria": CRITERIA, "healthyVolunteers": False, "sex": "ALL", "minimumAge": "18 Years",
            "maximumAge": "75 Years",
        },
        "contactsLocationsModule": {"locations": [{"country": "Norway"}, {"country": "Chile"}, {"country": "Norway"}]},
        "referencesModule": {
            "references": [
                {"pmid": "11111111", "type": "RESULT", "citation": "Writer A. Invented results. 2023."},
                {"type": "BACKGROUND", "citation": "Old.", "retractions": [{"pmid": "22222222", "source": "x"}]},
            ]
        },
    }  # fmt: skip
    protocol |= parts
    made = {"protocolSection": protocol, "hasResults": results is not None}
    return made if results is None else made | {"resultsSection": results}


def measured(group: str, value: str, **more: str) -> dict[str, str]:
    """A measurement of a group."""
    return {"groupId": group, "value": value, **more}


def counted(*pairs: tuple[str, str], units: str = "Participants") -> list[dict[str, Any]]:
    """Denominators of groups."""
    return [{"units": units, "counts": [{"groupId": group, "value": value} for group, value in pairs]}]


GROUPS = [
    {"id": "OG000", "title": "Inventumab", "description": "300 mg every 4 weeks"},
    {"id": "OG001", "title": "Placebo"},
]
RESULTS = {
    "outcomeMeasuresModule": {
        "outcomeMeasures": [
            {
                "type": "PRIMARY",
                "title": "Annual rate of exacerbations",
                "description": "As adjudicated.",
                "populationDescription": "Intention to treat",
                "reportingStatus": "POSTED",
                "paramType": "LEAST_SQUARES_MEAN",
                "dispersionType": "95% Confidence Interval",
                "unitOfMeasure": "exacerbations per year",
                "timeFrame": "52 weeks",
                "groups": GROUPS,
                "denoms": counted(("OG000", "312"), ("OG001", "310")),
                "classes": [
                    {"categories": [{"measurements": [
                        measured("OG000", "0.50", lowerLimit="0.41", upperLimit="0.61"),
                        measured("OG001", "0.90", lowerLimit="0.77", upperLimit="1.05"),
                    ]}]},
                    {
                        "title": "Never smoked",
                        "denoms": counted(("OG000", "200"), ("OG001", "198")),
                        "categories": [
                            {"title": "Women", "measurements": [
                                measured("OG000", "0.48", lowerLimit="0.39", upperLimit="NA", comment="Not reached"),
                                measured("OG001", "NA", comment="Too few"),
                            ]},
                        ],
                    },
                ],
                "analyses": [
                    {
                        "groupIds": ["OG000", "OG001"],
                        "groupDescription": "Superiority of the drug",
                        "statisticalMethod": "Negative binomial regression",
                        "pValue": "<0.001",
                        "pValueComment": "Adjusted for region",
                        "paramType": "Rate Ratio",
                        "paramValue": "0.56",
                        "ciPctValue": "95",
                        "ciNumSides": "TWO_SIDED",
                        "ciLowerLimit": "0.44",
                        "ciUpperLimit": "0.70",
                        "nonInferiorityType": "SUPERIORITY",
                    },
                    {"groupIds": ["OG000"], "ciPctValue": "90", "ciNumSides": "ONE_SIDED", "ciUpperLimit": "0.8",
                     "dispersionType": "STANDARD_ERROR_OF_MEAN", "dispersionValue": "0.05"},
                ],
            },
            {"type": "SECONDARY", "title": "FEV1", "reportingStatus": "NOT_POSTED",
             "anticipatedPostingDate": "2026-01", "timeFrame": "24 weeks"},
        ]
    },
    "adverseEventsModule": {
        "frequencyThreshold": "5",
        "timeFrame": "60 weeks",
        "description": "All who were treated",
        "eventGroups": [
            {"id": "EG000", "title": "Inventumab", "deathsNumAffected": 0, "deathsNumAtRisk": 312,
             "seriousNumAffected": 20, "seriousNumAtRisk": 312, "otherNumAffected": 100, "otherNumAtRisk": 312},
            {"id": "EG001", "title": "Placebo"},
        ],
        "seriousEvents": [
            {"term": "Pneumonia", "organSystem": "Infections", "stats": [
                {"groupId": "EG000", "numAffected": 0, "numAtRisk": 312, "numEvents": 0},
                {"groupId": "EG001", "numAffected": 3, "numAtRisk": 310},
            ]},
        ],
        "otherEvents": [
            {"term": f"Headache {n}", "stats": [{"groupId": "EG000", "numAffected": n, "numAtRisk": 312}]}
            for n in range(80)
        ],
    },
    "baselineCharacteristicsModule": {
        "populationDescription": "All randomised",
        "groups": [{"id": "BG000", "title": "Inventumab"}],
        "denoms": counted(("BG000", "312")),
        "measures": [
            {"title": "Age", "paramType": "MEAN", "dispersionType": "STANDARD_DEVIATION", "unitOfMeasure": "years",
             "classes": [{"categories": [{"measurements": [measured("BG000", "45.2", spread="12.1")]}]}]},
            {"title": "Sex", "paramType": "COUNT_OF_PARTICIPANTS", "unitOfMeasure": "Participants",
             "classes": [{"categories": [
                 {"title": "Female", "measurements": [measured("BG000", "180")]},
                 {"title": "Male", "measurements": [measured("BG000", "132")]},
             ]}]},
        ],
    },
    "participantFlowModule": {
        "recruitmentDetails": "At 30 sites",
        "groups": [{"id": "FG000", "title": "Inventumab"}],
        "periods": [
            {
                "title": "Overall Study",
                "milestones": [
                    {"type": "STARTED", "achievements": [
                        {"groupId": "FG000", "numSubjects": "314", "comment": "two left"},
                    ]},
                ],
                "dropWithdraws": [{"type": "Death", "reasons": [{"groupId": "FG000", "numSubjects": "0"}]}],
            }
        ],
    },
    "moreInfoModule": {"limitationsAndCaveats": {"description": "Ended early."}},
}  # fmt: skip

STOPPED = study(
    20000002,
    identificationModule={"nctId": "NCT20000002", "nctIdAliases": ["NCT00000099"], "briefTitle": "Stopped"},
    statusModule={
        "overallStatus": "TERMINATED",
        "whyStopped": "Slow recruitment",
        "lastKnownStatus": "RECRUITING",
        "resultsFirstSubmitDate": "2025-05-01",
        "dispFirstSubmitDate": "2023-01-01",
    },
    designModule={"studyType": "OBSERVATIONAL", "designInfo": {"observationalModel": "COHORT"}},
    eligibilityModule={"eligibilityCriteria": "x" * 5000, "studyPopulation": "People of Invented Town"},
)
STUDIES = [study(20000001, results=RESULTS), STOPPED, *(study(20000000 + n) for n in range(3, 46))]


class Trials:
    """Answers as ClinicalTrials.gov does; ``version_fault`` is what it answers instead of its version."""

    def __init__(self, studies: Sequence[dict[str, Any]] = STUDIES, *, version_fault: Given | None = None) -> None:
        self.studies = list(studies)
        self.version_fault = version_fault

    def __call__(self, asked: Asked) -> Given:
        if asked.path == "/version":
            return self.version_fault or Given(VERSION)
        if asked.path == "/studies":
            return self._search(asked.params)
        match = re.fullmatch(r"/studies/(NCT\d{8})", asked.path)
        if match is None:
            return Given("Incorrect format of NCT number", status=400)
        for found in self.studies:
            named = found["protocolSection"]["identificationModule"]
            if match[1] in named.get("nctIdAliases", []):
                return Given(status=301, headers={"Location": f"/studies/{named['nctId']}"})
            if match[1] == named["nctId"]:
                return Given(found)
        return Given(f"NCT number {match[1]} not found", status=404, headers={"Content-Type": "text/plain"})

    def _search(self, params: dict[str, str]) -> Given:
        if "[[" in params.get("query.term", ""):
            return Given("Unclosed bracket in query.term\n", status=400, headers={"Content-Type": "text/plain"})
        assert set(params["fields"].split(",")) <= {
            "IdentificationModule", "StatusModule", "SponsorCollaboratorsModule", "ConditionsModule", "DesignModule",
            "ArmsInterventionsModule", "HasResults",
        }  # fmt: skip
        found = [known for known in self.studies if _fits(known["protocolSection"], params)]
        start, size = int(params.get("pageToken", "t0")[1:]), int(params["pageSize"])
        shown = [{key: value for key, value in known.items() if key != "resultsSection"} for known in found]
        body: dict[str, Any] = {"studies": shown[start : start + size]}
        if params.get("countTotal") == "true" and start == 0:
            body["totalCount"] = len(found)
        if start + size < len(found):
            body["nextPageToken"] = f"t{start + size}"
        return Given(body)


def _fits(protocol: dict[str, Any], params: dict[str, str]) -> bool:
    conditions = " ".join(protocol["conditionsModule"]["conditions"]).lower()
    if params.get("query.cond", "").lower() not in conditions:
        return False
    statuses = params.get("filter.overallStatus", "")
    if statuses and protocol["statusModule"]["overallStatus"] not in statuses.split(","):
        return False
    phases = re.findall(r"AREA\[Phase\](\w+)", params.get("filter.advanced", ""))
    return not phases or bool(set(phases) & set(protocol["designModule"].get("phases", [])))
