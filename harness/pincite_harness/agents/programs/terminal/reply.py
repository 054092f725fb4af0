"""The model's reply: a JSON object with a batch of keystrokes, read with care and mended where its sense is plain."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from .session import is_key

LONGEST = 60.0
"""Seconds that one command may wait; a longer wait is cut to it."""
_FIELDS = ("analysis", "plan", "commands", "task_complete")
_NEEDED = _FIELDS[:3]
_CANDIDATES = 100
"""Opening braces that are tried as the beginning of the object."""


class ReplyError(Exception):
    """The reply cannot be carried out; the message tells the model why. Nothing of it was typed."""


@dataclass(frozen=True, slots=True)
class Command:
    """Text to type or a key to press, and how many seconds to wait afterwards."""

    keystrokes: str
    duration: float = 1.0


@dataclass(frozen=True, slots=True)
class TerminalReply:
    """What the model wants done; ``warnings`` tell it what was not as it should be."""

    analysis: str
    plan: str
    commands: tuple[Command, ...]
    done: bool
    warnings: tuple[str, ...] = ()


def read_reply(text: str, *, cut: bool = False) -> TerminalReply:
    """The reply in ``text``; ``cut`` says that the model was stopped at its output limit. ReplyError where it lacks
    what is needed, and for a cut object: half a batch may do what the whole one would not."""
    warnings: list[str] = []
    value = _object(text, cut, warnings)
    missing = [name for name in _NEEDED if name not in value]
    if missing:
        raise ReplyError(f"the object lacks {', '.join(missing)}")
    if [name for name in value if name in _FIELDS] != [name for name in _FIELDS if name in value]:
        warnings.append(f"the fields belong in this order: {', '.join(_FIELDS)}")
    if unknown := [name for name in value if name not in _FIELDS]:
        warnings.append(f"fields that mean nothing here were passed over: {', '.join(unknown)}")
    analysis, plan = (_text(value[name], name) for name in _NEEDED[:2])
    commands = tuple(_commands(value["commands"], warnings))
    _check_ends(commands, warnings)
    return TerminalReply(analysis, plan, commands, _done(value.get("task_complete", False), warnings), tuple(warnings))


def _object(text: str, cut: bool, warnings: list[str]) -> dict[str, Any]:
    for start in _braces(text):
        found = _decode(text[start:])
        if found is None:
            continue
        value, length = found
        if not any(name in value for name in _FIELDS):
            continue
        rest = text[start + length :]
        if any(name in other for other in _objects(rest) for name in _FIELDS):
            warnings.append("only the first JSON object was carried out: send one a reply, then wait for the terminal")
        elif _bare(text[:start]) or _bare(rest):
            warnings.append("text around the JSON object was passed over: send the object alone")
        return value
    if cut:
        raise ReplyError("the reply reached the limit of output tokens before its end; send shorter batches")
    mended = _close(text)
    if mended is None:
        raise ReplyError(f"no JSON object with the fields {', '.join(_FIELDS)} was found")
    warnings.append("closing brackets were missing and were added")
    return mended


def _braces(text: str) -> Iterator[int]:
    start = -1
    for _ in range(_CANDIDATES):
        start = text.find("{", start + 1)
        if start < 0:
            return
        yield start


def _objects(text: str) -> Iterator[dict[str, Any]]:
    for start in _braces(text):
        found = _decode(text[start:])
        if found is not None:
            yield found[0]


def _decode(text: str) -> tuple[dict[str, Any], int] | None:
    """The object at the beginning of ``text`` and its length; line breaks inside strings are let through."""
    try:
        value, end = json.JSONDecoder(strict=False).raw_decode(text)
    except (ValueError, RecursionError):
        return None
    return (cast("dict[str, Any]", value), end) if isinstance(value, dict) else None


def _close(text: str) -> dict[str, Any] | None:
    """The object with the brackets closed that were left open at the end of the text; never inside a string."""
    for start in _braces(text):
        rest = text[start:].rstrip().removesuffix("```").rstrip()
        missing = _open_brackets(rest)
        found = _decode(rest.rstrip(",") + missing) if missing else None
        if found is not None and any(name in found[0] for name in _FIELDS):
            return found[0]
    return None


def _open_brackets(text: str) -> str:
    """What would close the text, empty where it ends inside a string or its brackets do not pair."""
    closing: list[str] = []
    inside = escaped = False
    for letter in text:
        if inside:
            inside = escaped or letter != '"'
            escaped = letter == "\\" and not escaped
        elif letter == '"':
            inside = True
        elif letter in "{[":
            closing.append("}" if letter == "{" else "]")
        elif letter in "}]" and (not closing or closing.pop() != letter):
            return ""
    return "" if inside else "".join(reversed(closing))


def _bare(text: str) -> str:
    """Text around the object without the fence that a code block has."""
    return text.strip().removeprefix("```").removeprefix("json").strip().removesuffix("```").strip()


def _text(value: Any, name: str) -> str:
    if not isinstance(value, str):
        raise ReplyError(f"{name} is not a string")
    return value


def _commands(value: Any, warnings: list[str]) -> Iterator[Command]:
    if not isinstance(value, list):
        raise ReplyError("commands is not a list")
    for number, entry in enumerate(cast("list[Any]", value), start=1):
        if not isinstance(entry, dict):
            raise ReplyError(f"command {number} is not an object")
        command = cast("dict[str, Any]", entry)
        if "keystrokes" not in command:
            raise ReplyError(f"command {number} lacks keystrokes")
        if unknown := [name for name in command if name not in ("keystrokes", "duration")]:
            warnings.append(f"command {number}: {', '.join(unknown)} means nothing here and was passed over")
        keystrokes = _text(command["keystrokes"], f"keystrokes of command {number}")
        yield Command(keystrokes, _duration(command, number, warnings))


def _duration(command: Mapping[str, Any], number: int, warnings: list[str]) -> float:
    if "duration" not in command:
        warnings.append(f"command {number} lacks a duration: 1 second was taken")
        return 1.0
    given = command["duration"]
    try:
        seconds = float(given) if not isinstance(given, bool) else -1.0
    except (TypeError, ValueError):
        seconds = -1.0
    if not 0 <= seconds < float("inf"):
        warnings.append(f"command {number}: the duration {given!r} is not a number of seconds: 1 second was taken")
        return 1.0
    if seconds > LONGEST:
        warnings.append(f"command {number}: {LONGEST:g} seconds is the longest wait; send empty keystrokes to wait on")
    return min(seconds, LONGEST)


def _check_ends(commands: tuple[Command, ...], warnings: list[str]) -> None:
    for number, command in enumerate(commands, start=1):
        keys = command.keystrokes
        if len(keys) < 2 or keys.endswith(("\n", "\r")) or is_key(keys):
            continue
        what = "so the next keystrokes followed on the same line" if number < len(commands) else "so it was not entered"
        warnings.append(f"command {number} does not end with \\n, {what}")


def _done(value: Any, warnings: list[str]) -> bool:
    if isinstance(value, bool):
        return value
    warnings.append("task_complete is true or false")
    return str(value).lower() == "true"
