"""Settings: the systems that a sweep runs, the full one first, from what is varied."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Literal

from pincite_core.errors import BadInputError

Design = Literal["one-at-a-time", "grid"]
FULL = "full"
NONE = "none"
"""The value of ``with`` and ``without`` that adds nothing."""
_OPTIONS = {"model": "--model", "agent": "--agent", "without": "--without", "with": "--with", "compat": "--compat"}
"""What is varied by an option of ``pincite run``; any other name is an option of the agent."""
_MOST = 200
"""Runs of one sweep: a grid that has more was most likely not meant."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One system: ``values`` of everything that is varied, ``changed`` those that are not the full system's."""

    name: str
    """Also the name of its run's folder."""
    values: Mapping[str, str]
    changed: Mapping[str, str]

    def arguments(self) -> list[str]:
        """What ``pincite run`` is given for it."""
        found: list[str] = []
        for name, value in self.values.items():
            if name not in _OPTIONS:
                found += ["--agent-option", f"{name}={value}"]
            elif value != NONE:
                found += [_OPTIONS[name], value]
        return found


def parse_vary(texts: Sequence[str]) -> dict[str, list[str]]:
    """``NAME=A,B,…`` words as the values of each name, the full system's first. BadInputError for fewer than two
    values, a value or a name that is there twice, and anything else."""
    found: dict[str, list[str]] = {}
    for text in texts:
        name, equals, listed = text.partition("=")
        values = [value.strip() for value in listed.split(",")]
        if not name or not equals or len(values) < 2 or not all(values):
            raise BadInputError(
                f"--vary {text!r} does not name two values or more.",
                next="--vary order=ranked,schema: the first is the full system's.",
            )
        if len(set(values)) < len(values) or name in found:
            raise BadInputError(f"--vary {text!r} names something twice.", next="Name each name and value once.")
        found[name] = values
    if not found:
        raise BadInputError("Nothing is varied.", next="--vary NAME=A,B")
    return found


def settings_of(varied: Mapping[str, Sequence[str]], design: Design) -> list[Setting]:
    """The full system, then each system that differs from it in one value, or every other combination (``grid``).
    BadInputError for more than 200."""
    full = {name: values[0] for name, values in varied.items()}
    combinations = [dict(zip(varied, values, strict=True)) for values in product(*varied.values())]
    if design == "one-at-a-time":
        combinations = [values for values in combinations if len(_changed(values, full)) <= 1]
        places = {name: place for place, name in enumerate(varied)}
        combinations.sort(key=lambda values: [places[name] for name in _changed(values, full)])
    if len(combinations) > _MOST:
        raise BadInputError(
            f"These are {len(combinations)} runs, and a sweep has {_MOST} at most.", next="--design one-at-a-time"
        )
    settings: list[Setting] = []
    taken: set[str] = set()
    for values in combinations:
        changed = _changed(values, full)
        name = _free(_named(changed), taken)
        taken.add(name)
        settings.append(Setting(name, values, changed))
    return settings


def _changed(values: Mapping[str, str], full: Mapping[str, str]) -> dict[str, str]:
    return {name: value for name, value in values.items() if value != full[name]}


def _named(changed: Mapping[str, str]) -> str:
    """``order=schema``; characters that a path or a mount would read otherwise become ``-``."""
    words = "+".join(f"{name}={value}" for name, value in changed.items())
    return re.sub(r"[^A-Za-z0-9._=+-]+", "-", words)[:120] or FULL


def _free(name: str, taken: set[str]) -> str:
    number, free = 1, name
    while free in taken:
        number += 1
        free = f"{name}~{number}"
    return free
