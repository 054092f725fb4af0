"""Pairing: lists of names in a sentence with the numbers that are given in the same order."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from pincite_provenance.claims.lists import name_lists
from pincite_provenance.claims.quantities import Quantity
from pincite_provenance.claims.roles import Role

HARD = re.compile(r";|(?<!\b[A-Z])(?<!\bFig)(?<!\bFigs)(?<!\bvs)(?<!\bal)(?<!\bca)(?<!\bcf)[.?!][\])]?\s+(?=[A-Z(])")
"""What parts sentences, and parts of one."""

_LIST_GAP = re.compile(
    r"\s*(?:[A-Za-zμ%°/^0-9-]{0,8})?\s*(?:,|;|/|:|,?\s*\b(?:(?:and|or|versus|to|compared (?:with|to))\b|vs\.?"
    r"|&))\s*(?:(?:by|at|to|of|with|in|for)\s+)?(?:~|about|approximately)?\s*",
    re.IGNORECASE,
)
_RESPECTIVELY = re.compile(r"\brespectively\b|\bin (?:this|that) order\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Slot:
    """A number of a sentence, with its role, and the element (number or bracket) that it stands in."""

    quantity: Quantity
    role: Role
    element: int
    bracket: tuple[int, int] | None = None


@dataclass(frozen=True, slots=True)
class Items:
    """A list of names (ranges of text) and the elements or slots that they are paired with."""

    names: tuple[tuple[int, int], ...]
    elements: tuple[tuple[int, int], ...]
    """Of each number its start, and where it or the range that it begins ends."""
    compared: bool = False
    """Whether two sides are compared, the first one before "than" or "compared with"."""


class Numbered(Protocol):
    """A sentence with its numbers, as pairing needs it."""

    text: str
    slots: list[Slot]

    @property
    def items(self) -> Sequence[Items]:
        """The pairs that were found."""
        ...

    def flat(self, low: int, high: int) -> str:
        """A part of the text with brackets blanked."""
        ...


def paired(sentence: Numbered) -> list[Items]:
    """Lists of names beside runs of as many numbers."""
    text = sentence.text
    found: list[Items] = []
    for run in _runs(sentence):
        first, last = sentence.slots[run[0]], sentence.slots[run[-1]]
        low = max((m.end() for m in HARD.finditer(text, 0, first.quantity.start)), default=0)
        floor = max((s.quantity.end for s in sentence.slots[: run[0]] if s.bracket is None), default=0)
        following = sentence.slots[run[-1] + 1].quantity.start if run[-1] + 1 < len(sentence.slots) else len(text)
        hard = HARD.search(text, last.quantity.end, following)
        start, end = first.bracket or (first.quantity.start, last.quantity.end)
        regions = [(max(low, floor), start), (max(last.quantity.end, end), hard.start() if hard else following)]
        compared = re.search(r"\b(?:vs|versus|compared)\b", text[first.quantity.end : last.quantity.start]) is not None
        for low, high in regions:
            lists = name_lists(text, low, high, len(run))
            best = [names for names, said in lists if (said in ("and", "or", "&")) != compared] or [n for n, _ in lists]
            if best:
                nearest = best[-1] if high <= start else best[0]
                found.append(Items(nearest, _ranges(sentence, run), compared and len(run) == 2))
    return found


def unpaired(sentence: Numbered) -> frozenset[int]:
    """Numbers given "respectively" for names that no list could be made of."""
    if not _RESPECTIVELY.search(sentence.text):
        return frozenset()
    paired = [each for items in sentence.items for each in items.elements]
    loose = (number for run in _runs(sentence) for number in run)
    starts = (sentence.slots[number].quantity.start for number in loose)
    return frozenset(start for start in starts if not any(low <= start < high for low, high in paired))


def _ranges(sentence: Numbered, run: list[int]) -> tuple[tuple[int, int], ...]:
    """Where the numbers of a run stand, the second end of a range with the first."""
    found: list[tuple[int, int]] = []
    for index in run:
        quantity = sentence.slots[index].quantity
        end = quantity.end
        following = sentence.slots[index + 1].quantity if index + 1 < len(sentence.slots) else None
        if quantity.other_end is not None and following is not None and following.value == quantity.other_end:
            end = following.end
        found.append((quantity.start, end))
    return tuple(found)


def _runs(sentence: Numbered) -> list[list[int]]:
    """Numbers of the main line, or of one bracket, with nothing but a list's words between them, by their indices."""
    runs: list[list[int]] = []
    previous: Slot | None = None
    for index, slot in enumerate(sentence.slots):
        if previous is not None and previous.bracket == slot.bracket:
            gap = sentence.text[previous.quantity.end : slot.quantity.start]
            if slot.quantity.other_end is not None and previous.quantity.other_end == slot.quantity.value:
                previous = slot
                continue
            if _LIST_GAP.fullmatch(
                re.sub(r"_+", "", sentence.flat(previous.quantity.end, slot.quantity.start))
                if slot.bracket is None
                else gap
            ):
                runs[-1].append(index)
                previous = slot
                continue
        runs.append([index])
        previous = slot
    return [run for run in runs if len(run) > 1]
