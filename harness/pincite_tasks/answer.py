"""Answer: what the agent left, checked against the family's schema."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, cast

import orjson
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, relevance

from pincite_tasks.files import decode_text

ANSWER_FILES = tuple(f"answer.{kind}" for kind in ("json", "csv", "md", "txt"))
"""Names that a family may ask its answer under."""
MAX_BYTES = 20_000_000
"""Bytes of an answer that no family's own limit bounds."""
_MOST_ERRORS = 50
"""Errors of a schema that are looked at for the one that says most: a million wrong values have a million."""
_DEEPEST = 100
"""Levels of lists and objects in each other; what reads an answer goes down level by level."""
_TOLD_CHARACTERS = 500
"""Characters of the schema's complaint that an error shows."""


@dataclass(frozen=True, slots=True)
class AnswerLimits:
    """How large an answer may be. Records are the items of all its lists together, or the lines of a text."""

    size: int = MAX_BYTES
    records: int | None = None


@dataclass(frozen=True, slots=True)
class Answer:
    """``value`` is the valid answer; else ``fault`` says what is wrong with what was left."""

    value: Any = None
    fault: str | None = None


def find_answer(folder: Path) -> Path | None:
    """The answer that lies in a trial's folder, whatever its family calls it."""
    return next((folder / name for name in ANSWER_FILES if (folder / name).is_file()), None)


def read_answer(data: bytes, name: str) -> Any:
    """The value of what was left as the file ``name``: of JSON, or else the text, with or without a byte order mark.
    ValueError where it is neither."""
    text = decode_text(data)
    if not name.endswith(".json"):
        return text
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as error:
        if "Not enough memory" in str(error):
            raise MemoryError from error
        raise


def check_answer(data: bytes | None, schema: dict[str, Any], name: str, limits: AnswerLimits | None = None) -> Answer:
    """Read what was left as the file ``name``, hold it to ``limits`` and validate it; None stands for no file."""
    limits = limits or AnswerLimits()
    if data is None:
        return Answer(fault=f"The agent left no {name}.")
    if fault := too_large(name, len(data), limits):
        return Answer(fault=fault)
    try:
        value = read_answer(data, name)
    except UnicodeDecodeError as error:
        return Answer(fault=f"{name} is not UTF-8: {error.reason} at byte {error.start}")
    except ValueError as error:
        return Answer(fault=f"{name} is not JSON: {error}")
    try:
        return _validate(value, schema, name, limits)
    except RecursionError:
        return Answer(fault=f"{name} is nested too deeply to be read.")


def too_large(name: str, size: int, limits: AnswerLimits) -> str | None:
    """What is wrong with an answer of so many bytes, or None."""
    if size <= limits.size:
        return None
    return f"{name} has {size:,} bytes; it may have {limits.size:,} (answer_bytes)."


def _validate(value: Any, schema: dict[str, Any], name: str, limits: AnswerLimits) -> Answer:
    count, depth = _measure(value)
    if limits.records is not None and count > limits.records:
        return Answer(fault=f"{name} has {count:,} records; it may have {limits.records:,} (answer_records).")
    if depth > _DEEPEST:
        return Answer(fault=f"{name} is nested too deeply to be read: {depth} levels; it may have {_DEEPEST}.")
    # The schema itself was checked when its family was read.
    error = _fault(value, schema)
    if error is not None:
        told = error.message[:_TOLD_CHARACTERS]
        return Answer(fault=f"{name} breaks the schema at {error.json_path[:_TOLD_CHARACTERS]}: {told}")
    return Answer(value)


def _measure(value: Any) -> tuple[int, int]:
    """Records and levels of an answer, without going down by calls."""
    if isinstance(value, str):
        return value.count("\n") + (not value.endswith("\n")), 0
    count, depth = 0, 0
    layer: list[Any] = [value]
    while layer:
        below: list[Any] = []
        for each in layer:
            if isinstance(each, dict):
                below.extend(cast("dict[str, Any]", each).values())
            elif isinstance(each, list):
                count += len(cast("list[Any]", each))
                below.extend(cast("list[Any]", each))
        depth += bool(below)
        layer = below
    return count, depth


def _fault(value: Any, schema: dict[str, Any]) -> ValidationError | None:
    """The error that says most, of the first that break the schema."""
    checking: Any = Draft202012Validator(schema)
    errors: Iterator[ValidationError] = checking.iter_errors(value)
    return max(islice(errors, _MOST_ERRORS), key=relevance, default=None)
