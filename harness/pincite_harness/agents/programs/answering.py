"""The answer of a harness agent: found in text, checked against schema.json, written as answer.json."""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

ANSWER, SCHEMA = Path("answer.json"), Path("schema.json")
_DEFINITIONS = ("$defs", "definitions")
_SHOWN = 20
_LONGEST = 300


def read_schema() -> dict[str, Any]:
    """The JSON Schema that the task asks for."""
    return json.loads(SCHEMA.read_text(encoding="utf-8"))


def as_argument(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema of a tool's arguments with the answer, whatever its type, under ``answer``."""
    inner = {name: value for name, value in schema.items() if name not in ("$schema", "$id", *_DEFINITIONS)}
    shared = {name: schema[name] for name in _DEFINITIONS if name in schema}  # "#/$defs/…" is told from the root
    return {
        "type": "object",
        "properties": {"answer": inner},
        "required": ["answer"],
        "additionalProperties": False,
        **shared,
    }


def faults(value: Any, schema: Mapping[str, Any]) -> list[str]:
    """What is wrong with ``value``, a line each with its place (``$.properties[2].value``), at most twenty."""
    validator: Any = Draft202012Validator(schema)
    found: list[ValidationError] = sorted(validator.iter_errors(value), key=lambda error: error.json_path)
    lines = [_line(error) for error in found[:_SHOWN]]
    more = len(found) - len(lines)
    return [*lines, f"… and {more} more"] if more > 0 else lines


def write_answer(value: Any) -> None:
    """Write answer.json; it appears whole or not at all."""
    part = ANSWER.with_suffix(".part")
    part.write_text(json.dumps(value, ensure_ascii=False, indent=1), encoding="utf-8")
    part.replace(ANSWER)


def find_json(text: str) -> Any:
    """The longest JSON object or array that stands in ``text``, in a fence or bare; ValueError where there is none."""
    found = max(_values(text), key=lambda span: span[1], default=None)
    if found is None:
        raise ValueError("there is no JSON in the reply")
    return found[0]


def _values(text: str) -> Iterator[tuple[Any, int]]:
    """Each JSON object or array that is not inside another one, with its length."""
    decoder = json.JSONDecoder()
    at = 0
    while (at := _next_bracket(text, at)) >= 0:
        try:
            value, end = decoder.raw_decode(text, at)
        except ValueError:
            at += 1
        else:
            yield value, end - at
            at = end


def _next_bracket(text: str, start: int) -> int:
    places = [place for bracket in "{[" if (place := text.find(bracket, start)) >= 0]
    return min(places, default=-1)


def _line(error: ValidationError) -> str:
    message = str(error.message)
    shown = message if len(message) <= _LONGEST else f"{message[:_LONGEST]} …"
    return f"{error.json_path}: {shown}"
