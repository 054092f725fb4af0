"""Turns: what one agent claimed in each of its turns, and what it stands for after them.

An agent reads its page again in every turn, and each reading errs in its own way. What it claimed once is weaker than
what it claimed in most of its turns; a change that it gives a reason for counts at once (``Pool.take``)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from .records import Place


@dataclass(frozen=True, slots=True)
class Support:
    """How an agent stands for a candidate; ``page`` is empty for row and column agents, ``general`` where the claim
    was made of several objects at once."""

    confidence: float
    page: str = ""
    evidence: Place | None = None
    general: bool = False


Turn = dict[str, Support]
"""The candidates that an agent claimed in one turn, by id."""


def standing(turns: Sequence[Turn], objects: Mapping[str, str]) -> Turn:
    """What an agent stands for after its turns: of each object (``objects``: candidate to object) what it claimed most
    often, nothing included; a candidate without an object by itself. The latest of what it claimed equally often."""
    groups: dict[str, list[str]] = {}
    for candidate in dict.fromkeys(each for turn in turns for each in turn):
        groups.setdefault(objects.get(candidate, f"={candidate}"), []).append(candidate)
    found: Turn = {}
    for candidates in groups.values():
        choices = [tuple(each for each in candidates if each in turn) for turn in turns]
        latest = list(dict.fromkeys(reversed(choices)))
        chosen = max(latest, key=choices.count)
        last = next(turn for turn, choice in zip(reversed(turns), reversed(choices), strict=True) if choice == chosen)
        found |= {each: last[each] for each in chosen}
    return found


def stronger(first: Support | None, second: Support) -> Support:
    """The surer of two supports, the first where they are equal."""
    return second if first is None or first.confidence < second.confidence else first
