"""Things: the objects of a paper, and which of them a name means."""

from collections.abc import Iterable, Sequence

from .forms import text_form, words
from .records import ALL, Thing
from .schema import Field

_EVERY = frozenset({ALL, "", "all", "every", "each", "any", "na", "n/a"})


def name_key(name: str) -> str:
    """The key of an object's name: its words, in whatever order they stand."""
    return " ".join(sorted(words(name)))


def named(name: str, things: Sequence[Thing], field: Field) -> tuple[list[str], bool]:
    """The ids of the objects that a name means, and whether it means them in general.

    A name means the object of that name; else all whose names have all its words; else those whose words it has all;
    else those with that value in the naming field; ``*`` means all.
    """
    if name.strip().casefold() in _EVERY:
        return [thing.id for thing in things], True
    mine = words(name)
    exact = [thing.id for thing in things if words(thing.name) == mine]
    if exact:
        return exact, False
    form = field.form(name)
    ways = (
        [thing.id for thing in things if mine and mine < words(thing.name)],
        [thing.id for thing in things if words(thing.name) < mine],
        [thing.id for thing in things if field.form(thing.value) == form],
        [thing.id for thing in things if words(thing.value) and words(thing.value) <= mine],
    )
    none: list[str] = []
    found = next((ids for ids in ways if ids), none)
    return found, len(found) > 1


def distinct(things: Iterable[tuple[str, str]], field: Field, *, records: bool) -> list[Thing]:
    """Objects of (name, value) pairs, numbered in their order. A name whose words are all in a longer name of the same
    value speaks of that one in general: it is not an object of its own, unless objects are ``records``."""
    pairs = list(things)
    kept: list[Thing] = []
    for name, value in pairs:
        alike = [other for other, same in pairs if field.form(same) == field.form(value)]
        longer = [other for other in alike if words(name) < words(other) and not records]
        double = [thing for thing in kept if words(thing.name) == words(name)]
        if not longer and not double:
            kept.append(Thing(id=f"o{len(kept) + 1}", name=name, value=value))
    return kept


def own_name(name: str, value: str) -> str:
    """The name of an object that a claim states: the value itself where the claim names none."""
    general = name.strip().casefold() in _EVERY
    return value if general or not text_form(name) else name
