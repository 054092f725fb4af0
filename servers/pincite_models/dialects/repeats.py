"""Repeats: each request of a conversation repeats all that went before; what was read once is not read again."""

from collections.abc import Callable
from typing import Generic, TypeVar

Raw = TypeVar("Raw")
Made = TypeVar("Made")

_KEPT = 4
"""Count of conversations that go on side by side and whose entries are still known at one place. Set by judgement."""


class Repeats(Generic[Raw, Made]):
    """What entries at each place of earlier requests were read as.

    Only for readings that depend on the entry and its place alone. Entries are compared as Python compares JSON, which
    takes 1, 1.0 and true for the same.
    """

    def __init__(self) -> None:
        self._places: list[list[tuple[Raw, Made]]] = []

    def read(self, place: int, raw: Raw, make: Callable[[Raw], Made]) -> Made:
        """What ``make`` makes of an entry, the very same object where an equal entry stood there before."""
        while len(self._places) <= place:
            self._places.append([])
        known = self._places[place]
        for before, made in known:
            if before == raw:
                return made
        made = make(raw)
        known.insert(0, (raw, made))
        del known[_KEPT:]
        return made
