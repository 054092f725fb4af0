"""TOML text: tables of strings, numbers, booleans and lists of these (TOML 1.0)."""

import json
from collections.abc import Mapping, Sequence
from typing import Any


def toml_table(header: str, values: Mapping[str, Any]) -> str:
    """A table under its header line (``[task]``, ``[[…]]``; none where empty); values that are None are left out."""
    lines = [f"{_key(name)} = {toml_value(value)}" for name, value in values.items() if value is not None]
    return "\n".join([*([header] if header else []), *lines, ""])


def toml_value(value: str | float | bool | Sequence[Any] | Mapping[str, Any]) -> str:
    """A value on one line; TypeError for what TOML cannot say."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        # JSON's strings are TOML's but for the one control character that JSON lets stand.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(name)} = {toml_value(each)}" for name, each in value.items()) + " }"
    return "[" + ", ".join(toml_value(each) for each in value) + "]"


def _key(name: str) -> str:
    bare = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if bare else toml_value(name)
