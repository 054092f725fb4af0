"""Compiling: a schema of objects becomes the JSON Schema of an answer."""

from typing import Any

from pincite_scoring.record_filling.schema import EVIDENCE, Field, Schema

_EVIDENCE: dict[str, Any] = {
    "type": "array",
    "description": "Where the values stand: one entry for each value, with an exact quote.",
    "items": {
        "type": "object",
        "additionalProperties": False,
        "required": ["field", "quote"],
        "properties": {
            "field": {"type": "string", "description": "The field whose value stands there."},
            "quote": {"type": "string", "minLength": 1, "description": "Exact quote from the paper."},
            "paper": {"type": ["string", "null"], "description": "The paper's path, where the task has several."},
            "page": {"type": ["integer", "null"], "minimum": 1, "description": "Page of the quote, from 1."},
            "start": {"type": ["integer", "null"], "minimum": 0, "description": "Offset of the quote in the paper."},
            "end": {"type": ["integer", "null"], "minimum": 0, "description": "Offset behind the quote."},
        },
    },
}


def compile_schema(schema: Schema) -> dict[str, Any]:
    """The JSON Schema (2020-12) of ``{"objects": […]}``: fields optional or null, labels and synonyms as an enum."""
    properties = {field.name: _property(field) for field in schema.fields}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"All objects of a paper: {schema.name}",
        "type": "object",
        "additionalProperties": False,
        "required": ["objects"],
        "properties": {
            "objects": {
                "type": "array",
                "description": f"One entry for each object. {schema.object}",
                "items": {
                    "type": "object",
                    "additionalProperties": False,
                    "properties": {**properties, EVIDENCE: {**_EVIDENCE, "items": _evidence_of(schema)}},
                },
            }
        },
    }


def _evidence_of(schema: Schema) -> dict[str, Any]:
    items: dict[str, Any] = dict(_EVIDENCE["items"])
    names = [field.name for field in schema.fields]
    return items | {"properties": {**items["properties"], "field": {**items["properties"]["field"], "enum": names}}}


def _words(field: Field) -> list[str]:
    """The labels of a field, and their synonyms."""
    others = [other for main in field.labels for other in field.synonyms.get(main, [])]
    return list(dict.fromkeys([*field.labels, *others]))


def _property(field: Field) -> dict[str, Any]:
    types = ["string", "number"] if field.kind == "number" else ["string"]
    if field.many:
        item = {"type": "string", "enum": _words(field)} if field.labels else {"type": types, "minLength": 1}
        return {"type": ["array", "null"], "uniqueItems": True, "items": item, "description": field.definition}
    if field.labels:
        return {"type": ["string", "null"], "enum": [*_words(field), None], "description": field.definition}
    return {"type": [*types, "null"], "minLength": 1, "description": field.definition}
