"""Rows: what became of each value of the answer and of the gold, as score.json lists it."""

from collections.abc import Mapping, Sequence
from typing import Any

from pincite_scoring.judging.judge import Verdict
from pincite_scoring.record_filling.matching import Match, is_right
from pincite_scoring.record_filling.objects import Filled
from pincite_scoring.record_filling.schema import Schema
from pincite_scoring.record_filling.spans import STANDINGS, Evidences

Row = dict[str, Any]
Judged = Mapping[tuple[int, str], Verdict]
"""Verdicts by object of the answer and field."""


def value_rows(
    answers: Sequence[Filled],
    golds: Sequence[Filled],
    matches: Sequence[Match],
    schema: Schema,
    evidences: Evidences,
    judged: Judged,
) -> list[Row]:
    """One row for each value: ``correct``, ``wrong`` (both sides fill the field of matched objects), ``spurious``,
    ``missed``, ``invalid``; object by object of the answer, then the gold objects that nobody found."""
    by_answer = {match.answer: match for match in matches}
    rows: list[Row] = []
    for i, answer in enumerate(answers):
        match = by_answer.get(i)
        gold = golds[match.gold] if match is not None else None
        rows += _of_object(i, answer, match, gold, schema, evidences, judged)
        rows += [_invalid(i, fault) for fault in answer.faults]
        rows += [_invalid(i, stray.reason, stray.field, stray.value) for stray in answer.strays]
    taken = {match.gold for match in matches}
    for j, gold in enumerate(golds):
        if j not in taken:
            rows += [_row("missed", None, j, name, "", value) for name, value in _values(gold)]
    return rows


def object_status(answer: Filled, match: Match | None, golds: Sequence[Filled]) -> str:
    """``right``, ``partial`` or ``unmatched``."""
    if match is None:
        return "unmatched"
    return "right" if is_right(answer, golds[match.gold], match.right) else "partial"


def _of_object(
    i: int,
    answer: Filled,
    match: Match | None,
    gold: Filled | None,
    schema: Schema,
    evidences: Evidences,
    judged: Judged,
) -> list[Row]:
    rows: list[Row] = []
    standing = _standing(i, answer, evidences)
    number = match.gold if match is not None else None
    for field in schema.fields:
        mine = answer.values.get(field.name, ())
        true = gold.values.get(field.name, ()) if gold is not None else ()
        pairs = dict(match.right.get(field.name, [])) if match is not None else {}
        left = [value for j, value in enumerate(true) if j not in pairs.values()]
        for k, value in enumerate(mine):
            status = "correct" if k in pairs else "wrong" if left else "spurious"
            expected = true[pairs[k]] if k in pairs else left.pop(0) if left else ""
            row = _row(status, i, number, field.name, value, expected)
            rows.append(row | {"evidence": standing.get(field.name, "no_evidence")} | _verdict(judged, i, field.name))
        rows += [_row("missed", i, number, field.name, "", value) for value in left]
    return rows


def _standing(i: int, answer: Filled, evidences: Evidences) -> dict[str, str]:
    """How the evidence of each field stands; of several pieces the worst."""
    pieces = [(STANDINGS.index(evidences.located[i, k].standing), k) for k in range(len(answer.evidence))]
    return {answer.evidence[k].field: STANDINGS[rank] for rank, k in sorted(pieces)}


def _row(status: str, answer: int | None, gold: int | None, name: str, value: str, expected: str) -> Row:
    return {"status": status, "answer": answer, "gold": gold, "field": name, "value": value, "gold_value": expected}


def _invalid(answer: int, reason: str, name: str = "", value: str = "") -> Row:
    return _row("invalid", answer, None, name, value, "") | {"reason": reason}


def _verdict(judged: Judged, i: int, name: str) -> Row:
    verdict = judged.get((i, name))
    return {"verdict": verdict.to_json()} if verdict is not None else {}


def _values(filled: Filled) -> list[tuple[str, str]]:
    return [(name, value) for name, values in filled.values.items() for value in values]
