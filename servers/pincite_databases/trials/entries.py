"""The parts of a study's record that are lists and long texts, as entries that can be paged."""

from collections.abc import Iterator
from typing import NotRequired

from typing_extensions import TypedDict

from pincite_databases.fields import Record, record, records, text, texts

_LONGEST = 2000
"""Characters of one entry; longer texts become several. Set by judgement."""


class RecordEntry(TypedDict):
    """A part of a record: ``kind`` such as "primary outcome"; a long text goes on in the next entry ("2 of 3")."""

    kind: str
    label: str
    text: NotRequired[str]
    type: NotRequired[str]
    time_frame: NotRequired[str]
    arms: NotRequired[list[str]]
    part: NotRequired[str]
    notice: NotRequired[str]


def record_entries(protocol: Record) -> list[RecordEntry]:
    """Summary, eligibility, design, arms, interventions, planned outcomes, description, data sharing, references."""
    described = record(protocol, "descriptionModule")
    design = record(protocol, "designModule", "designInfo")
    return [
        *_prose("summary", text(described, "briefSummary")),
        *_prose("eligibility", text(protocol, "eligibilityModule", "eligibilityCriteria")),
        *_prose("eligibility", text(protocol, "eligibilityModule", "studyPopulation"), "population"),
        *_prose("design", text(design, "interventionModelDescription"), "model"),
        *_prose("design", text(design, "maskingInfo", "maskingDescription"), "masking"),
        *_arms(record(protocol, "armsInterventionsModule")),
        *_outcomes(record(protocol, "outcomesModule")),
        *_prose("description", text(described, "detailedDescription")),
        *_prose("data sharing", _sharing(record(protocol, "ipdSharingStatementModule"))),
        *_references(record(protocol, "referencesModule")),
    ]


def _prose(kind: str, whole: str, label: str = "") -> Iterator[RecordEntry]:
    """The text in parts of at most 2,000 characters, cut at white space where there is some."""
    parts: list[str] = []
    while len(whole) > _LONGEST:
        cut = max(whole.rfind("\n", _LONGEST // 2, _LONGEST), whole.rfind(" ", _LONGEST // 2, _LONGEST))
        cut = cut + 1 if cut > 0 else _LONGEST
        parts.append(whole[:cut])
        whole = whole[cut:]
    if whole:
        parts.append(whole)
    for number, part in enumerate(parts, 1):
        entry = RecordEntry(kind=kind, label=label, text=part)
        if len(parts) > 1:
            entry["part"] = f"{number} of {len(parts)}"
        yield entry


def _arms(module: Record) -> Iterator[RecordEntry]:
    for group in records(module, "armGroups"):
        yield from _described("arm", text(group, "label"), group, texts(group, "interventionNames"))
    for drug in records(module, "interventions"):
        others = texts(drug, "otherNames")
        name = text(drug, "name") + (f" (also {', '.join(others)})" if others else "")
        yield from _described("intervention", name, drug, texts(drug, "armGroupLabels"))


def _described(kind: str, label: str, given: Record, arms: list[str]) -> Iterator[RecordEntry]:
    parts = list(_prose(kind, text(given, "description"), label)) or [RecordEntry(kind=kind, label=label)]
    if own := text(given, "type"):
        parts[0]["type"] = own
    if arms:
        parts[0]["arms"] = arms
    yield from parts


def _outcomes(module: Record) -> Iterator[RecordEntry]:
    for name, kind in (
        ("primaryOutcomes", "primary outcome"),
        ("secondaryOutcomes", "secondary outcome"),
        ("otherOutcomes", "other outcome"),
    ):
        for outcome in records(module, name):
            parts = list(_described(kind, text(outcome, "measure"), outcome, []))
            if frame := text(outcome, "timeFrame"):
                parts[0]["time_frame"] = frame
            yield from parts


def _sharing(module: Record) -> str:
    return ": ".join(filter(None, [text(module, "ipdSharing"), text(module, "description")]))


def _references(module: Record) -> Iterator[RecordEntry]:
    for reference in records(module, "references"):
        pmid, kind = text(reference, "pmid"), text(reference, "type")
        entry = RecordEntry(kind="reference", label=f"PubMed {pmid}" if pmid else "", text=text(reference, "citation"))
        if kind:
            entry["type"] = kind
        retracted = [text(notice, "pmid") for notice in records(reference, "retractions")]
        if retracted:
            entry["notice"] = f"retracted: {', '.join(filter(None, retracted)) or 'see PubMed'}"
        yield entry
