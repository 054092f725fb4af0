"""Scripts in JSON files, for agents that are not Python and for trying things by hand.

A file holds a list of turns. A turn is a piece, a list of pieces and faults, or ``{"turn": [...], "usage": {...},
"stop": "length"}``. A piece or fault is an object whose first key names it, as the function of the same name does:
``{"say": "…"}``, ``{"think": "…"}``, ``{"call": "documents.open_paper", "arguments": {"paper": "a.pdf"}}``,
``{"shell": "ls"}``, ``{"write": "answer.json", "text": "{}"}``, ``{"refuse": "…"}``, ``{"fail": 429, "times": 2}``,
``{"overflow": true}``, ``{"hang": null}``, ``{"drip": 1}``, ``{"cut": 200}``, ``{"drop": true}``, ``{"garble": true}``,
``{"stumble": "…"}``, ``{"slow": {"first": 1, "between": 0.1}}``. ``times`` is the number of requests that a fault
spoils, null for all.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from pincite_core.errors import BadInputError, NotFoundError
from pincite_doors.testing.faults import Fault, Pace, cut, drip, drop, fail, garble, hang, overflow, slow, stumble
from pincite_doors.testing.script import Call, Piece, Turn, refuse, say, shell, think, turn, write
from pincite_models.dialects.model import Usage

_Part = Piece | Fault | Pace


def _call(tool: str, arguments: Mapping[str, Any] | None = None) -> Call:
    return Call(tool, arguments or {})


def _write(path: str, text: Any = "") -> Piece:
    return write(path, text if isinstance(text, str) else json.dumps(text))


def _drop(_: Any, times: int | None = 1) -> Fault:
    return drop(times)


def _garble(_: Any, times: int | None = 1) -> Fault:
    return garble(times)


def _overflow(_: Any, times: int | None = 1) -> Fault:
    return overflow(times)


def _slow(pace: Mapping[str, float]) -> Pace:
    return slow(**pace)


_MAKERS: Mapping[str, Callable[..., _Part]] = {
    "say": say,
    "think": think,
    "call": _call,
    "shell": shell,
    "write": _write,
    "fail": fail,
    "overflow": _overflow,
    "hang": hang,
    "drip": drip,
    "cut": cut,
    "drop": _drop,
    "garble": _garble,
    "stumble": stumble,
    "slow": _slow,
}


def read_script(path: Path) -> list[Turn]:
    """The turns of a file; NotFoundError without it, BadInputError with the place of what cannot be read."""
    try:
        turns = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NotFoundError(f"There is no script {path}.", next="Give the path of a JSON file.") from None
    except ValueError as error:
        raise BadInputError(f"{path} is not JSON.", seen=str(error), next="Correct the file.") from error
    if not isinstance(turns, list):
        raise BadInputError(f"{path} is not a list of turns.", next='Write [{"say": "Hello."}], say.')
    return [_turn(value, f"turn {number}") for number, value in enumerate(cast("list[Any]", turns), start=1)]


def _turn(value: Any, place: str) -> Turn:
    if isinstance(value, list):
        return turn(*_parts(cast("list[Any]", value), place))
    given = _object(value, place)
    if "refuse" in given:
        return refuse(str(given["refuse"]))
    if "turn" not in given:
        return turn(_part(given, place))
    try:
        usage = Usage(**given["usage"]) if "usage" in given else None
    except TypeError as error:
        raise BadInputError(f"The usage of {place} cannot be read.", seen=str(error)) from error
    stop = given.get("stop", "end")
    if stop not in ("end", "length", "refusal"):
        raise BadInputError(f"{place} cannot stop with {stop!r}.", next="end, length or refusal")
    return turn(*_parts(given["turn"], place), usage=usage, stop=stop)


def _parts(values: Sequence[Any], place: str) -> list[_Part]:
    return [_part(_object(value, place), place) for value in values]


def _part(given: Mapping[str, Any], place: str) -> _Part:
    name = next(iter(given), "")
    make = _MAKERS.get(name)
    if make is None:
        known = ", ".join([*_MAKERS, "refuse"])
        raise BadInputError(f"{place} begins with {name!r}, which is not a piece.", next=known)
    try:
        return make(given[name], **{key: value for key, value in given.items() if key != name})
    except TypeError as error:
        raise BadInputError(f"{name} of {place} cannot be read.", seen=str(error), next="Fix its fields.") from error


def _object(value: Any, place: str) -> Mapping[str, Any]:
    if not isinstance(value, dict):
        raise BadInputError(f"{place} is not an object.", seen=json.dumps(value)[:80], next='Write {"say": "…"}, say.')
    return cast("dict[str, Any]", value)
