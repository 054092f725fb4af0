"""Records of an answer beside the gold records that the scorer matched them with."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

Row = Mapping[str, Any]


@dataclass(slots=True)
class Pair:
    """One record of the answer, of the gold, or of both; ``rows`` are the scorer's on it. An index is the record's
    place in its list."""

    answer: int | None
    gold: int | None
    rows: list[Row] = field(default_factory=list[Row])

    @property
    def status(self) -> str:
        """The outcome of the record: the scorer's where it gives one a record, else how many fields are right."""
        kinds = [str(row.get("status", "")) for row in self.rows]
        if len(kinds) == 1:
            return kinds[0]
        return "correct" if kinds and all(kind == "correct" for kind in kinds) else ""


@dataclass(frozen=True, slots=True)
class Paired:
    """``name`` is the field that holds the records in both answer and gold; ``golds`` is None where the gold is not
    shown, while the scorer's rows still name its records."""

    name: str
    answers: Sequence[Mapping[str, Any]]
    golds: Sequence[Mapping[str, Any]] | None
    pairs: Sequence[Pair]


def pair_records(answer: Any, gold: Any, rows: Sequence[Row]) -> Paired | None:
    """The pairs in the order of the answer, then the gold records that nothing was matched with.

    None where the answer is not one list of records, or the scorer's rows do not say which record they are about.
    """
    name = _only_list(answer)
    if name is None:
        return None
    answers = _records(answer, name)
    golds = _records(gold, name) if gold is not None else None
    if answers is None or (golds is None and gold is not None) or not rows:
        return None
    found: dict[tuple[int | None, int | None], Pair] = {}
    for row in rows:
        indices = (row.get("answer"), row.get("gold"))
        if not _is_index(indices[0], answers) or not _is_index(indices[1], golds):
            return None
        found.setdefault(indices, Pair(*indices)).rows.append(row)
    told = {pair.answer for pair in found.values()}
    for number in range(len(answers)):
        if number not in told:
            found[number, None] = Pair(number, None)
    ordered = sorted(found.values(), key=lambda pair: (pair.answer is None, pair.answer or 0, pair.gold or 0))
    return Paired(name, answers, golds, ordered)


def fields_of(record: Mapping[str, Any], before: str = "") -> dict[str, Any]:
    """A record's fields by name, those of objects inside it as ``outer.inner``; what is null is left out."""
    found: dict[str, Any] = {}
    for name, value in record.items():
        if isinstance(value, dict):
            found |= fields_of(cast("dict[str, Any]", value), f"{before}{name}.")
        elif value is not None:
            found[f"{before}{name}"] = value
    return found


def _only_list(answer: Any) -> str | None:
    """The one field of an object that holds a list of objects."""
    if not isinstance(answer, dict):
        return None
    held = cast("dict[str, Any]", answer)
    lists = [name for name, value in held.items() if isinstance(value, list)]
    return lists[0] if len(lists) == 1 else None


def _records(value: Any, name: str) -> "list[Mapping[str, Any]] | None":
    held = cast("Mapping[str, Any]", value).get(name) if isinstance(value, Mapping) else None
    if not isinstance(held, list):
        return None
    items = cast("list[Any]", held)
    return cast("list[Mapping[str, Any]]", items) if all(isinstance(item, Mapping) for item in items) else None


def _is_index(value: Any, records: Sequence[Any] | None) -> bool:
    """Whether this is the place of a record, or None; of records that are not known (None) any place may be."""
    if value is None:
        return True
    known = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return known and (records is None or value < len(records))
