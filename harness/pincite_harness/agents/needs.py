"""Needs: what an agent says that one task takes, so that a run is refused whose limits would cut every trial short."""

import ast
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from pincite_core.errors import BadInputError

NAME = "NEEDS"
"""The variable of a program of the user's own that says them, a mapping written out: the program is not run for it."""
_A_PAGE = "_a_page"
_KEYS = ("calls", "seconds", "tokens")


@dataclass(frozen=True, slots=True)
class Needs:
    """Model calls, seconds of the agent and tokens of one task; 0 where the agent does not say."""

    calls: int = 0
    seconds: float = 0
    tokens: int = 0


@dataclass(frozen=True, slots=True)
class StatedNeeds:
    """What a program states: ``fixed`` for every task, and so much more ``a_page`` of its papers."""

    fixed: Mapping[str, float]
    a_page: Mapping[str, float]

    def of(self, pages: int) -> Needs:
        """The needs of a task whose papers have so many pages."""
        total = {key: self.fixed.get(key, 0) + pages * self.a_page.get(key, 0) for key in _KEYS}
        return Needs(round(total["calls"]), total["seconds"], round(total["tokens"]))


def read_needs(program: Path) -> StatedNeeds | None:
    """What ``NEEDS = {"calls": 1, "calls_a_page": 2}`` says at the top level of a program; None where it says nothing.
    BadInputError for one that is not a mapping of such names to numbers, written out."""
    try:
        tree = ast.parse(program.read_bytes())
    except (SyntaxError, ValueError):
        return None  # the trial tells what is wrong with the program
    for node in tree.body:
        if isinstance(node, ast.Assign) and any(isinstance(to, ast.Name) and to.id == NAME for to in node.targets):
            return _stated(program, node.value)
    return None


def _stated(program: Path, node: ast.expr) -> StatedNeeds:
    try:
        value: Any = ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        value = None
    known = [*_KEYS, *(f"{key}{_A_PAGE}" for key in _KEYS)]
    items = list(cast("dict[Any, Any]", value).items()) if isinstance(value, dict) else [(None, None)]
    if not all(_is_amount(known, key, amount) for key, amount in items):
        raise BadInputError(
            f"{NAME} of {program.name} cannot be read.",
            seen=ast.unparse(node)[:200],
            next=f'Write it out: {NAME} = {{"calls": 1, "calls_a_page": 2}}; there are {", ".join(known)}.',
        )
    stated = cast("dict[str, float]", value)
    fixed = {key: stated[key] for key in _KEYS if key in stated}
    a_page = {key: stated[f"{key}{_A_PAGE}"] for key in _KEYS if f"{key}{_A_PAGE}" in stated}
    return StatedNeeds(fixed, a_page)


def _is_amount(known: list[str], key: Any, value: Any) -> bool:
    return key in known and isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value < float("inf")
