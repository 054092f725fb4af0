"""Rows of score.json's records: the verdict, then every measurement and source with what became of it."""

from collections.abc import Mapping, Sequence
from typing import Any

from pincite_scoring.precedent_search.answer import Answer, Measurement, Source
from pincite_scoring.precedent_search.beyond import all_sources
from pincite_scoring.precedent_search.citations import is_match
from pincite_scoring.precedent_search.literature import Evidence, Standing
from pincite_scoring.precedent_search.values import Frame, Pair, compare, is_about, is_right
from pincite_scoring.precedent_search.verdict import Verdict
from pincite_scoring.result import Compat

Row = dict[str, Any]
MEASURED = ("right", "repeated", "wrong_value", "other_material", "wrong_class", "not_asked", "missed")
"""What becomes of a measurement of either side."""
CITED = ("precedent", "other_source", "retracted", "no_such_work")
"""What becomes of a source that the answer cites."""
_STANDINGS: Mapping[Standing, str] = {
    "verified": "span verified",
    "unverifiable": "the span cannot be verified here: the work was read poorly",
    "absent": "the span does not stand in it",
    "no_quote": "no span to look for",
    "unknown_work": "",
}


def rows_of(
    verdict: Verdict,
    answer: Answer | None,
    gold: Answer,
    frame: Frame,
    pairs: Sequence[Pair],
    sources: Sequence[Source],
    evidence: Evidence,
    compat: Compat,
) -> list[Row]:
    """A row for the class, for each measurement of either side, and for each cited source."""
    reported = answer.reported if answer is not None else None
    rows: list[Row] = [
        {
            "status": verdict.diagnosis,
            "kind": "class",
            "material": frame.material,
            "value": reported,
            "gold_value": gold.reported,
            "reason": verdict.reason,
        }
    ]
    if answer is None:
        return rows
    by_answer = {pair.answer: pair for pair in pairs}
    rows += [
        _measured(each, index, by_answer.get(index), gold, frame, wrong_class=not verdict.score)
        for index, each in enumerate(answer.counted)
    ]
    ignored = answer.negative_measurements if answer.reported == "Yes" else answer.measurements
    rows += [{"status": "not_asked", "kind": "measurement", **_stated(each)} for each in ignored]
    taken = {pair.gold for pair in pairs}
    rows += [
        {"status": "missed", "kind": "measurement", "material": true.material, "gold": index, "gold_value": _text(true)}
        for index, true in enumerate(gold.counted)
        if index not in taken
    ]
    return rows + [_cited(source, sources, evidence, compat) for source in all_sources(answer)]


def _measured(
    measurement: Measurement, index: int, pair: Pair | None, gold: Answer, frame: Frame, *, wrong_class: bool
) -> Row:
    row: Row = {"kind": "measurement", "answer": index, **_stated(measurement)}
    if pair is not None:
        found = {"gold": pair.gold, "gold_value": _text(gold.counted[pair.gold]), "reason": pair.conflict or ""}
        return {"status": "right", **row, **found}
    if wrong_class:
        return {"status": "wrong_class", **row, "reason": ""}
    if not is_about(measurement, frame):
        return {"status": "other_material", **row, "reason": f"{measurement.material} is not {frame.material}"}
    near = [
        (comparison.error, at)
        for at, true in enumerate(gold.counted)
        if (comparison := compare(measurement, true, frame)).error is not None
    ]
    if not near:
        return {"status": "wrong_value", **row, "reason": "it is not one number in a unit that compares"}
    error, closest = min(near, key=lambda each: (each[0] or 0.0, each[1]))
    repeated = is_right(measurement, gold.counted[closest], frame)
    return {
        "status": "repeated" if repeated else "wrong_value",
        **row,
        "gold": closest,
        "gold_value": _text(gold.counted[closest]),
        "reason": "its gold value is taken" if repeated else f"relative error {error:.3g}",
    }


def _cited(source: Source, gold: Sequence[Source], evidence: Evidence, compat: Compat) -> Row:
    by = is_match(source, gold, compat)
    row: Row = {
        "status": "precedent" if by else "other_source",
        "kind": "source",
        "work": source.doi or source.title,
        "doi": source.doi,
        "title": source.title,
        "span": source.quoted_span,
        "match": by,
        "reason": "",
    }
    if not evidence.at_hand:
        return row
    standing = evidence.standing(source)
    row |= {"quote": standing, "reason": _STANDINGS[standing]}
    if evidence.literature is None:
        return row
    work = evidence.find(source)
    if work is None:
        return row | {"status": "no_such_work"}
    return row | {"status": "retracted"} if work.retracted else row


def _stated(measurement: Measurement) -> Row:
    return {"material": measurement.material, "value": _text(measurement)}


def _text(measurement: Measurement) -> str:
    return f"{measurement.qualifier} {measurement.value} {measurement.unit}".strip()
