"""One table changed in the text of a TOML file, with the rest of the text kept."""

import json
import re
import tomllib
from typing import Any, cast

Table = dict[str, Any]

_HEADER = re.compile(r"^\s*\[")


def put(text: str, section: str, name: str, value: Table) -> str:
    """The text with the table ``[section.name]``; ValueError where it cannot be written so."""
    rest = take(text, section, name).rstrip("\n")
    made = f"{rest}\n\n{_table(f'{section}.{name}', value)}" if rest else _table(f"{section}.{name}", value)
    expected = tomllib.loads(rest)
    expected.setdefault(section, {})[name] = value
    try:
        found = tomllib.loads(made)
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{section!r} in it is written in one line: {error}") from error
    if found != expected:
        raise ValueError(f"the table [{section}.{name}] cannot be added to it")
    return made


def take(text: str, section: str, name: str) -> str:
    """The text without the table ``[section.name]`` and those under it; ValueError where it is written otherwise."""
    expected = tomllib.loads(text)
    if name not in expected.get(section, {}):
        return text
    own = re.compile(rf"^\s*\[\s*{re.escape(section)}\s*\.\s*\"?{re.escape(name)}\"?\s*[.\]]")
    kept: list[str] = []
    inside = False
    for line in text.splitlines(keepends=True):
        if _HEADER.match(line):
            inside = bool(own.match(line))
        if not inside:
            kept.append(line)
    made = "".join(kept).rstrip("\n") + "\n" if any(line.strip() for line in kept) else ""
    del expected[section][name]
    found = tomllib.loads(made)
    found.setdefault(section, {})
    if found != expected:
        raise ValueError(f"{section}.{name} in it is not a table of its own")
    return made


def _table(path: str, value: Table) -> str:
    """A table and the tables in it; plain values are written as JSON, which TOML reads alike."""
    plain = [f"{key} = {json.dumps(item)}\n" for key, item in value.items() if not isinstance(item, dict)]
    tables = [
        f"\n{_table(f'{path}.{key}', cast('Table', item))}" for key, item in value.items() if isinstance(item, dict)
    ]
    return "".join([f"[{path}]\n", *plain, *tables])
