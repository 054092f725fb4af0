"""Rows: how the rows of a run stand in the answer: as objects with evidence, or, where the task has no schema of
fields, as the records of its answer's one list, with the place that each record asks for."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .schema import Field, Schema

_WORDS = ("evidence", "quote", "quoted_span")
"""Names under which a place holds the words of the paper."""


@dataclass(frozen=True, slots=True)
class Rows:
    """``items`` names the answer's list. ``place`` names a record's field for page and quote, ``words`` the quote's
    field in it, and ``source`` the one for its kind, where there are any; ``required`` must be filled."""

    items: str = "objects"
    required: tuple[str, ...] = ()
    place: str = ""
    words: str = ""
    source: str = ""


def from_answer(answer: Mapping[str, Any]) -> tuple[Schema, Rows]:
    """Fields and rows of a task without a schema of fields, from the JSON Schema of its answer: a list of records
    becomes one row a record, with its texts as fields; the first that must be there finds the records. ValueError
    where the answer is not such a list."""
    lists = {name: held["items"] for name, held in _properties(answer).items() if "items" in held}
    records = {name: items for name, items in lists.items() if _properties(items)}
    if len(records) != 1:
        raise ValueError("the task has no parameter 'schema', and its answer is not one list of records")
    [(name, items)] = records.items()
    held = _properties(items)
    must: list[str] = [str(each) for each in items.get("required", [])]
    fields = [_field(each, about) for each, about in held.items() if _is_text(about)]
    first = [field.name for field in fields if field.name in must] or [field.name for field in fields]
    if not first:
        raise ValueError("the records of the task's answer have no text")
    place = next((each for each, about in held.items() if _words_of(about)), "")
    words = _words_of(held[place]) if place else ""
    source = next((each for each in _properties(held.get(place, {})) if each.endswith("source_type")), "")
    about = f"{answer.get('title', '')}. {answer['properties'][name].get('description', '')}".strip(". ")
    what = f"One object is one record: {about}. Name it by all that tells it apart."
    schema = Schema(object=what, fields=tuple(fields), identity=(first[0],), records=True)
    required = tuple(each for each in must if each != place)
    return schema, Rows(name, required, place, words, source)


def _field(name: str, about: Mapping[str, Any]) -> Field:
    labels = tuple(each for each in about.get("enum", ()) if isinstance(each, str))
    kind = "label" if labels else "text"
    return Field(name=name, definition=str(about.get("description") or name), kind=kind, labels=labels)


def _is_text(about: Mapping[str, Any]) -> bool:
    kinds = about.get("type")
    return kinds == "string" or (isinstance(kinds, list) and "string" in kinds)


def _words_of(about: Mapping[str, Any]) -> str:
    held = _properties(about)
    return next((word for word in _WORDS if word in held and "page" in held), "")


def _properties(schema: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = schema.get("properties") or {}
    return found
