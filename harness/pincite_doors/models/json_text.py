"""JSON as model APIs and their clients write it: halves of surrogate pairs stand in it too."""

import gc
import json
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

import orjson

_MOST_DIGITS = 400
"""Digits of a whole number: no number of an API has as many, and reading one takes the square of its length."""
_LARGE = 256 << 10
"""Bytes of a text that may make so many values that the collector of cycles goes through all of them again and again,
while the parser holds the interpreter (four times as long for a million lists). No cycle comes of parsing."""
_CONTAINERS = frozenset((dict, list))


def read_json(data: bytes) -> Any:
    """The value of a JSON text; ValueError where it is none."""
    if len(data) < _LARGE:
        return _read(data)
    with _without_collector():
        return _read(data)


def _read(data: bytes) -> Any:
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        try:
            return json.loads(data, parse_constant=_no_constant, parse_int=_short_int)
        except RecursionError as error:
            raise ValueError("it is nested too deeply") from error


def nested_deeper(value: Any, levels: int) -> bool:
    """Whether objects and lists stand inside each other more than ``levels`` deep in what ``read_json`` gave."""
    layer: list[Any] = [value]
    for _ in range(levels):
        layer = [
            inner
            for outer in layer
            for inner in (outer.values() if outer.__class__ is dict else outer)
            if inner.__class__ in _CONTAINERS
        ]
        if not layer:
            return False
    return True


def write_json(value: Any) -> bytes:
    """One line of JSON that every reader takes for the same value."""
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:
        return json.dumps(value, separators=(",", ":"), allow_nan=False).encode()


def record_json(value: Any) -> bytes:
    """One line of JSON in UTF-8, with question marks for halves of surrogate pairs."""
    try:
        return orjson.dumps(value)
    except orjson.JSONEncodeError:
        return json.dumps(value, separators=(",", ":"), ensure_ascii=False).encode("utf-8", "replace")


@contextmanager
def _without_collector() -> Generator[None]:
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _short_int(digits: str) -> int:
    if len(digits) > _MOST_DIGITS:
        raise ValueError(f"a number has more than {_MOST_DIGITS} digits")
    return int(digits)


def _no_constant(name: str) -> float:
    raise ValueError(f"{name} is not JSON")
