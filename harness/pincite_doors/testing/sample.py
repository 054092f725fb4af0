"""A small value that fits a JSON Schema: the harmless answer to a client's side request for structured output."""

from collections.abc import Mapping
from typing import Any


def sample(schema: Mapping[str, Any]) -> Any:
    """The first allowed value, or the emptiest one; references are not followed."""
    if choices := schema.get("enum"):
        return choices[0]
    if "const" in schema:
        return schema["const"]
    for key in ("anyOf", "oneOf", "allOf"):
        if options := schema.get(key):
            return sample(options[0])
    kind: Any = schema.get("type")
    name = (kind if isinstance(kind, str) else str(kind and kind[0])).lower()
    if name == "object" or "properties" in schema:
        properties: Mapping[str, Any] = schema.get("properties") or {}
        return {key: sample(value) for key, value in properties.items()}
    plain: dict[str, Any] = {"array": [], "integer": 0, "number": 0, "boolean": False, "null": None}
    return plain.get(name, "scripted")
