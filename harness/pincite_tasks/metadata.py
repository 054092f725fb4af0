"""Metadata: values of a task's metadata by dotted key, as reports, samples and counts speak of them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

import orjson

from pincite_core.errors import BadInputError

PREFIX = "metadata."
"""May stand before a key: ``metadata.type`` is ``type``."""


def texts_at(metadata: Mapping[str, Any], key: str) -> tuple[str, ...]:
    """The values under a dotted key as texts: none where the key is absent, several where a list stands there."""
    found: Any = metadata
    for part in key.removeprefix(PREFIX).split("."):
        found = cast("dict[str, Any]", found).get(part) if isinstance(found, dict) else None
    return _texts(found)


def keys_in(metadata: Mapping[str, Any]) -> Iterator[str]:
    """Every dotted key that has a value."""
    for key, inner in metadata.items():
        if isinstance(inner, dict):
            yield from (f"{key}.{below}" for below in keys_in(cast("dict[str, Any]", inner)))
        elif _texts(inner):
            yield key


def parse_where(texts: Sequence[str]) -> list[tuple[str, str]]:
    """``KEY=VALUE`` words as pairs; BadInputError for one that is none."""
    pairs: list[tuple[str, str]] = []
    for text in texts:
        key, equals, value = text.partition("=")
        if not key or not equals:
            raise BadInputError(f"--where {text!r} is not KEY=VALUE.", next="--where language=en")
        pairs.append((key, value))
    return pairs


def _texts(value: Any) -> tuple[str, ...]:
    """A value as text, each item of a list as one; an object or null is not a value."""
    if value is None or isinstance(value, dict):
        return ()
    if isinstance(value, list):
        return tuple(dict.fromkeys(text for item in cast("list[Any]", value) for text in _texts(item)))
    return (value if isinstance(value, str) else orjson.dumps(value).decode(),)
