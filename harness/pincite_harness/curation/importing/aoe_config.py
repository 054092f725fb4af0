"""AOE's task_config.yaml: keys, scored columns and numeric columns of every task type, by language."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from pincite_core.errors import BadInputError
from pincite_scoring.table_construction.task_types import task_types

_LANGUAGE = re.compile(r"^(\w+):\s*$")
_TYPE = re.compile(r"^\s+(\w+):\s*$")
_FIELD = re.compile(r"^\s+(key_cols|target_value_columns|numeric_columns):\s*\[(.*)$")
_NAME = re.compile(r'\s*(?:"([^"]*)"|\'([^\']*)\'|([^,]+))\s*(?:,|$)')
_NEXT = "Give task_config.yaml as it was published, or leave it out: the types are known."


@dataclass(frozen=True, slots=True)
class TypeColumns:
    """What tells the rows of a type apart, what is scored, and which of it are numbers."""

    keys: tuple[str, ...]
    values: tuple[str, ...]
    numeric: tuple[str, ...]


Config = Mapping[str, Mapping[str, TypeColumns]]
"""By language (en, zh), then by type (``financial_0``)."""


def known_config() -> Config:
    """The types that come with the package."""
    return {
        language: {
            name: TypeColumns(tuple(each.keys), tuple(each.values), tuple(each.numeric)) for name, each in types.items()
        }
        for language, types in task_types().items()
    }


def read_config(path: Path, note: Callable[[str], None]) -> Config:
    """Read the file by its lines, since the published one has a name that lacks a quote; ``note`` is told of such.

    BadInputError with the line of a list without a type, a list that does not end, or a type without keys or columns.
    """
    lines = path.read_text(encoding="utf-8-sig").splitlines()
    read: dict[str, dict[str, dict[str, tuple[str, ...]]]] = {}
    language = kind = ""
    number = 0
    while number < len(lines):
        line = lines[number]
        if found := _LANGUAGE.match(line):
            language, kind = found[1], ""
        elif found := _TYPE.match(line):
            kind = found[1]
            read.setdefault(language, {})[kind] = {}
        elif found := _FIELD.match(line):
            if not language or not kind:
                raise BadInputError(f"{path}:{number + 1}: {found[1]} belongs to no task type.", next=_NEXT)
            text, number = _to_the_end(path, lines, number, found[2])
            read[language][kind][found[1]] = _names(text, f"{path}:{number + 1}", note)
        number += 1
    if not read:
        raise BadInputError(f"{path} holds no task type.", next=_NEXT)
    return {language: {k: _columns(path, k, v) for k, v in types.items()} for language, types in read.items()}


def _to_the_end(path: Path, lines: list[str], number: int, text: str) -> tuple[str, int]:
    """The text of a list that begins on line ``number`` up to its bracket, and the line of that bracket."""
    start = number
    while "]" not in text:
        number += 1
        if number == len(lines) or _FIELD.match(lines[number]) or _TYPE.match(lines[number]):
            raise BadInputError(f"{path}:{start + 1}: the list does not end.", next=_NEXT)
        text += lines[number]
    return text[: text.rindex("]")], number


def _names(text: str, place: str, note: Callable[[str], None]) -> tuple[str, ...]:
    """The names of a list; a quote on one side only is dropped."""
    names: list[str] = []
    for double, single, bare in _NAME.findall(text):
        name = double or single or bare.strip()
        if bare and name.strip("\"'") != name:
            note(f"the stray quote of {name} in {place}")
            name = name.strip("\"'")
        if name:
            names.append(name)
    return tuple(names)


def _columns(path: Path, kind: str, fields: Mapping[str, tuple[str, ...]]) -> TypeColumns:
    keys, values = fields.get("key_cols", ()), fields.get("target_value_columns", ())
    if not keys or not values:
        raise BadInputError(f"{path}: {kind} has no key_cols or no target_value_columns.", next=_NEXT)
    return TypeColumns(keys, values, fields.get("numeric_columns", ()))
