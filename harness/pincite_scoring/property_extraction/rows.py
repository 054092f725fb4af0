"""Rows of score.json: each answer record with its verdict, what it was compared with and why it was refused."""

from collections.abc import Mapping
from typing import Any, cast

from pincite_materials.comparing import TOLERANCES
from pincite_scoring.property_extraction.evidence import Library, value_in_quote
from pincite_scoring.property_extraction.pairing import Nearest, Outcome, Pairing
from pincite_scoring.property_extraction.records import Reading, Record

Row = dict[str, Any]
_ANSWERED = frozenset(Record.model_fields) - {"rubric"}
_QUOTE_CHARS = 500
"""Of a quote in score.json."""

_NOTHING_LIKE = "there is no record on the other side to compare it with"


def evidence_of(reading: Reading, library: Library) -> dict[int, Row]:
    """How the quote of each record stands (``not_known`` for one without a place), and whether it holds the value."""
    found: dict[int, Row] = {}
    for index, record in reading.records.items():
        if not record.placed and not record.location.evidence:
            found[index] = {"evidence": "not_known", "value_in_quote": None}
            continue
        checked = library.check(record)
        found[index] = {"evidence": checked.standing, "value_in_quote": value_in_quote(record)}
        if checked.note:
            found[index]["evidence_note"] = checked.note
    return found


def evidence_metrics(reading: Reading, evidence: Mapping[int, Row]) -> dict[str, float | None]:
    """Shares over the answer records, broken ones too, whose quotes can be verified here; undefined without any."""
    standings = [row["evidence"] for row in evidence.values()]
    unverifiable, unknown = standings.count("unverifiable"), standings.count("not_known")
    known = reading.total - unknown
    verifiable = known - unverifiable
    held = sum(bool(row["value_in_quote"]) for row in evidence.values())
    return {
        "evidence_verified": standings.count("verified") / verifiable if verifiable else None,
        "value_in_quote": held / known if known else None,
        "n_answer": reading.total,
        "n_invalid": len(reading.problems),
        "n_unverifiable": unverifiable,
    }


def pair_rows(
    reading: Reading, golds: Mapping[int, Record], outcome: Outcome, evidence: Mapping[int, Row]
) -> list[Row]:
    """The answer's records in order, then the gold records that none matched."""
    by_answer = {pair.answer: pair for pair in outcome.pairs}
    rows: list[Row] = []
    for i, record in reading.records.items():
        pair = by_answer.get(i)
        if pair is not None:
            rows.append(_matched(record, pair, golds[pair.gold], evidence))
            continue
        rows.append(answer_row(i, record, "unmatched", evidence) | compared(outcome.refused.get(("answer", i)), golds))
    taken = {pair.gold for pair in outcome.pairs}
    for j, gold in golds.items():
        if j not in taken:
            near = outcome.refused.get(("gold", j))
            reason = near.reason if near is not None else _NOTHING_LIKE
            other = near.other if near is not None else None
            row: Row = {"answer": None, "status": "missed", "reason": reason, "compared_with": other}
            rows.append(row | gold_part(j, gold))
    return rows


def _matched(record: Record, pair: Pairing, gold: Record, evidence: Mapping[int, Row]) -> Row:
    within = next((name for name, tolerance in TOLERANCES.items() if pair.comparison.within(tolerance)), None)
    row = answer_row(pair.answer, record, "correct" if within == next(iter(TOLERANCES)) else "wrong_value", evidence)
    row |= gold_part(pair.gold, gold)
    row |= {
        "against": _named(pair.gold, gold),
        "via": pair.verdict.via,
        "reason": pair.comparison.note,
        "relative_error": _finite(pair.comparison.error),
        "within": within,
        "kind": pair.comparison.kind,
    }
    if pair.verdict.judged is not None:
        row["verdict"] = pair.verdict.judged.to_json()
    return row


def compared(near: Nearest | None, golds: Mapping[int, Record]) -> Row:
    """What a record that matches nothing was compared with: ``gold`` stays None."""
    if near is None:
        return {"reason": _NOTHING_LIKE, "compared_with": None}
    shown = gold_part(near.other, golds[near.other])
    against = _named(near.other, golds[near.other])
    return {**shown, "gold": None, "compared_with": near.other, "against": against, "reason": near.reason}


def _named(index: int, gold: Record) -> str:
    """A gold record in words, for reports."""
    return f"{gold.property_name}, {gold.material_or_system} (gold {index})"


def answer_row(index: int, record: Record, status: str, evidence: Mapping[int, Row]) -> Row:
    """What the answer says in one record."""
    return {
        "answer": index,
        "gold": None,
        "status": status,
        "material": record.material_or_system,
        "property": record.property_name,
        "value": record.value_string,
        "unit": record.value_unit,
        "page": record.location.page,
        "quote": " · ".join(record.location.evidence.split("\t"))[:_QUOTE_CHARS],
        **evidence[index],
    }


def gold_part(index: int, record: Record) -> Row:
    """What the gold says in one record."""
    return {
        "gold": index,
        "gold_material": record.material_or_system,
        "gold_property": record.property_name,
        "gold_value": record.value_string,
        "gold_unit": record.value_unit,
        "gold_page": record.location.page,
    }


def answer_of(gold: Mapping[str, Any]) -> Row:
    """A gold record as an agent would write it."""
    kept = {name: value for name, value in gold.items() if name in _ANSWERED and value is not None}
    located = kept.get("location")
    if isinstance(located, dict) and not cast("dict[str, Any]", located).get("page"):
        del kept["location"]
    return kept


def invalid_rows(reading: Reading) -> list[Row]:
    """The answer's broken records."""
    return [{"answer": p.index, "gold": None, "status": "invalid", "reason": p.message} for p in reading.problems]


def _finite(error: float | None) -> float | None:
    return error if error is not None and error != float("inf") else None
