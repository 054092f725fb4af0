"""The answer of a harness agent: found in text, checked against schema.json, written into the task's file."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from fitting import Fitted, bare_locators
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError

SCHEMA = Path("schema.json")
_FENCE = re.compile(r"^(`{3,}|~{3,})[^\n`]*\n(.*?)^\1[ \t]*$", re.DOTALL | re.MULTILINE)
_DEFINITIONS = ("$defs", "definitions")
_SHOWN = 20
"""Faults of an answer that the model reads."""
_LONGEST = 300
"""Characters of one fault."""


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


class AnswerFile:
    """The file that the task asks for: JSON, or a text (CSV, Markdown), which is one string to the schema."""

    def __init__(self, name: str, schema: Mapping[str, Any]) -> None:
        self.name = name
        self.path = Path(name)
        self.schema = schema

    @classmethod
    def of(cls, task: Mapping[str, Any]) -> "AnswerFile":
        """The file of ``task``, described by the schema.json of the working folder."""
        return cls(task["answer"], read_schema())

    @property
    def is_json(self) -> bool:
        """Whether it is JSON and no text."""
        return self.path.suffix == ".json"

    @property
    def wish(self) -> str:
        """How a model is asked to reply with the answer alone."""
        if self.is_json:
            about = "Reply with one JSON value and nothing else. It must satisfy this JSON Schema:"
        else:
            about = f"Reply with the content of {self.name} and nothing else. This JSON Schema describes it:"
        return f"{about}\n\n{json.dumps(self.schema)}"

    def find(self, reply: str) -> Any:
        """The answer in a model's reply; ValueError where there is none."""
        return find_json(reply) if self.is_json else find_text(reply)

    def read(self) -> Any:
        """What the file holds now; ValueError where it is not what its name says, FileNotFoundError without it."""
        data = self.path.read_bytes()
        return json.loads(data) if self.is_json else data.decode("utf-8-sig")

    def faults(self, value: Any) -> list[str]:
        """What is wrong with ``value`` by the schema, and quotes that are not words."""
        return [*faults(value, self.schema), *bare_locators(value)]

    def fit(self, value: Any) -> tuple[Any, list[str]]:
        """``value`` as the schema wants it, as far as that loses and adds nothing, and each change in a line."""
        if not self.is_json:
            block = _FENCE.fullmatch(value.strip()) if isinstance(value, str) else None
            return (block[2], ["$: a fenced block -> what stands in it"]) if block is not None else (value, [])
        fitted = Fitted(value, self.schema)
        return fitted.value, fitted.changes

    def write(self, value: Any) -> None:
        """Write ``value``; the file appears whole or not at all. A value that is not text becomes JSON in any case."""
        text = value if isinstance(value, str) and not self.is_json else json.dumps(value, ensure_ascii=False, indent=1)
        part = self.path.with_suffix(".part")
        part.write_text(text, encoding="utf-8")
        part.replace(self.path)


def find_json(text: str) -> Any:
    """The longest JSON object or array that stands in ``text``, in a fence or bare; ValueError where there is none."""
    found = max(_values(text), key=lambda span: span[1], default=None)
    if found is None:
        raise ValueError("there is no JSON in the reply")
    return found[0]


def find_text(reply: str) -> str:
    """The longest fenced block of a reply, else all of it; ValueError where it is empty."""
    blocks = [match[2] for match in _FENCE.finditer(reply)]
    text = max(blocks, key=len, default=reply.strip())
    if not text.strip():
        raise ValueError("the reply is empty")
    return text


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
