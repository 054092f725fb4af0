"""Answer: what the agent left, checked against the family's schema."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import orjson
from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, relevance

ANSWER_FILE = "answer.json"
MAX_BYTES = 20_000_000


@dataclass(frozen=True, slots=True)
class Answer:
    """``value`` is the valid answer; else ``fault`` says what is wrong with what was left."""

    value: Any = None
    fault: str | None = None


def check_answer(data: bytes | None, schema: dict[str, Any]) -> Answer:
    """Parse and validate; None stands for no file."""
    if data is None:
        return Answer(fault=f"The agent left no {ANSWER_FILE}.")
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError as error:
        return Answer(fault=f"{ANSWER_FILE} is not JSON: {error}")
    try:
        # The schema itself was checked when its family was read.
        error = _fault(value, schema)
        if error is not None:
            return Answer(fault=f"{ANSWER_FILE} breaks the schema at {error.json_path}: {error.message[:500]}")
    except RecursionError:
        return Answer(fault=f"{ANSWER_FILE} is nested too deeply to be read.")
    return Answer(value)


def _fault(value: Any, schema: dict[str, Any]) -> ValidationError | None:
    """The error that says most, of all that break the schema."""
    checking: Any = Draft202012Validator(schema)
    errors: Iterator[ValidationError] = checking.iter_errors(value)
    return max(errors, key=relevance, default=None)
