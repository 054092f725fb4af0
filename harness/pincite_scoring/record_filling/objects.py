"""Objects of an answer or of gold, read leniently in form and strictly in content."""

from typing import Annotated, Any, cast

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic import Field as Constrained

from pincite_scoring.record_filling.schema import EVIDENCE, Field, Schema
from pincite_scoring.record_filling.values import form, is_absent

MOST_VALUES = 100
"""Values of one field; what comes behind them is dropped as wrong."""

MOST_EVIDENCE = 100
"""Pieces of evidence of one object; what comes behind them is dropped."""

MOST_IN_ALL = 10_000
"""Values of an answer, and pieces of its evidence; more are not a reading of a paper."""

LONGEST_QUOTE = 10_000
"""Characters of a quote; a longer one breaks the schema. Set by judgement."""


def _whole(value: Any) -> Any:
    return int(value) if isinstance(value, str) and value.strip().isdecimal() else value


def _text(value: Any) -> Any:
    return "" if value is None else value


class Evidence(BaseModel):
    """Where a value stands: a quote, its page from 1, its offsets in the paper's canonical text; all may be unsaid."""

    model_config = ConfigDict(frozen=True, extra="ignore", strict=True)

    field: str
    quote: Annotated[str, BeforeValidator(_text), Constrained(max_length=LONGEST_QUOTE)] = ""
    paper: Annotated[str, BeforeValidator(_text)] = ""
    page: Annotated[Annotated[int, Constrained(ge=1)] | None, BeforeValidator(_whole)] = None
    start: Annotated[Annotated[int, Constrained(ge=0)] | None, BeforeValidator(_whole)] = None
    end: Annotated[Annotated[int, Constrained(ge=0)] | None, BeforeValidator(_whole)] = None


class Stray(BaseModel):
    """A value that no field of the schema can hold: it counts as a wrong one."""

    field: str
    value: str
    reason: str


class Filled(BaseModel):
    """One object: the values of its fields as text (fields without any are left out), strays, and its evidence."""

    values: dict[str, tuple[str, ...]]
    strays: list[Stray]
    evidence: list[Evidence]
    faults: list[str]
    """What is wrong beyond strays: a broken entry of evidence, an object that is none."""

    @property
    def entities(self) -> int:
        """Values stated, strays among them."""
        return sum(map(len, self.values.values())) + len(self.strays)


class Problem(BaseModel):
    """Why an answer as a whole cannot be read."""

    message: str


def read_objects(answer: object, schema: Schema) -> list[Filled] | Problem:
    """The objects of ``answer``; a Problem where it is not an object with a list ``objects``.

    The rule of salvage: an entry that is not an object is an object without values, and wrong; a value in no field of
    the schema, or of a form that no field has, is a wrong value; everything else is scored as usual.
    """
    items = cast("dict[str, object]", answer).get("objects") if isinstance(answer, dict) else None
    if not isinstance(items, list):
        return Problem(message="the answer is not an object with a list 'objects'")
    entries = cast("list[object]", items)
    objects = [_read(entry, schema) for entry in entries]
    values, pieces = sum(filled.entities for filled in objects), sum(len(filled.evidence) for filled in objects)
    if max(values, pieces) > MOST_IN_ALL:
        return Problem(message=f"{values} values and {pieces} pieces of evidence; an answer may have {MOST_IN_ALL}")
    return objects


def _read(entry: object, schema: Schema) -> Filled:
    if not isinstance(entry, dict):
        return Filled(values={}, strays=[], evidence=[], faults=["the entry is not an object"])
    filled = Filled(values={}, strays=[], evidence=[], faults=[])
    for name, value in cast("dict[str, object]", entry).items():
        if name == EVIDENCE:
            _read_evidence(value, filled)
            continue
        field = schema.field(name)
        if is_absent(schema, value):
            continue
        if field is None:
            filled.strays.append(Stray(field=name, value=_shown(value), reason="the schema has no such field"))
            continue
        _read_field(field, value, schema, filled)
    return filled


def _read_field(field: Field, value: object, schema: Schema, filled: Filled) -> None:
    values: dict[str, str] = {}
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    for count, item in enumerate(items):
        if is_absent(schema, item):
            continue
        text = _print(item)
        if text is None or count >= MOST_VALUES:
            reason = "no text and no number" if text is None else f"more than {MOST_VALUES} values"
            filled.strays.append(Stray(field=field.name, value=_shown(item), reason=reason))
            continue
        values.setdefault(form(field, text), text)
    if values:
        filled.values[field.name] = tuple(values.values())


def _print(value: object) -> str | None:
    if isinstance(value, str):
        return value.strip()
    return repr(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _shown(value: object) -> str:
    return str(value)[:200]


def _read_evidence(value: object, filled: Filled) -> None:
    if value is None:
        return
    if not isinstance(value, list):
        filled.faults.append("the evidence is not a list")
        return
    items = cast("list[object]", value)
    if len(items) > MOST_EVIDENCE:
        filled.faults.append(f"evidence: more than {MOST_EVIDENCE} pieces")
    for item in items[:MOST_EVIDENCE]:
        try:
            filled.evidence.append(Evidence.model_validate(item))
        except ValidationError as error:
            first = error.errors(include_url=False)[0]
            where = ".".join(map(str, first["loc"])) or "entry"
            filled.faults.append(f"evidence, {where}: {first['msg']}")
