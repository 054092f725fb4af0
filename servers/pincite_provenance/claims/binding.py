"""Binding: which of several names in a sentence a value belongs to.

Lists are resolved in order ("X and Y have 93 K and 110 K, respectively"); else a name behind the value with "for", "of"
or "in" before it, else the last name before the value and behind the last value of the same kind.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from pincite_materials.units import convert
from pincite_provenance.claims.quantities import Quantity

_LIST = re.compile(
    r"\s*(?:\([^()]{0,20}\)\s*)?(?:,|;|and|or|,\s*and|,\s*or|/|&|as well as)\s*(?:(?:for|of|in|the|that of)\s+)*"
)
_TIE = re.compile(r"[^,;.]{0,60}\b(?:for|of|in)\s+(?:the\s+|an?\s+|our\s+)?(?:[a-z-]+\s+){0,3}$")
_BREAK = re.compile(r"\b(?:than|while|whereas|but|and|compared|which|that)\b")
_RESPECTIVELY = re.compile(r"\brespectively\b|\bin (?:this|that) order\b", re.IGNORECASE)


class Named(Protocol):
    """Something named at a range of a text."""

    @property
    def start(self) -> int: ...

    @property
    def end(self) -> int: ...


_Name = TypeVar("_Name", bound=Named)


@dataclass(frozen=True, slots=True)
class Bound(Generic[_Name]):
    """The name that a value belongs to, and how that is known: "list", "behind", "before"; "far" for a guess,
    "unresolved" for a list of values that its names do not match.
    """

    name: _Name
    how: str

    @property
    def sure(self) -> bool:
        """Whether the words between leave little doubt."""
        return self.how not in ("far", "unresolved")


def bind(text: str, value: Quantity, names: Sequence[_Name], quantities: Sequence[Quantity]) -> Bound[_Name] | None:
    """The name in ``text`` that ``value`` belongs to, None where there is no name."""
    rivals = [q for q in quantities if q is not value and _alike(q, value)]
    listed = _in_lists(text, value, names, quantities)
    if listed is not None:
        return Bound(listed, "list")
    if (
        len(names) > 1
        and _RESPECTIVELY.search(text)
        and any(len(r) > 1 and value in r for r in _runs(text, quantities))
    ):
        return Bound(names[-1], "unresolved")
    low = max((q.end for q in rivals if q.end <= value.start), default=0)
    high = min((q.start for q in rivals if q.start >= value.end), default=len(text))
    behind = next((name for name in names if value.end <= name.start < high), None)
    if behind is not None:
        between = text[value.end : behind.start]
        if _TIE.fullmatch(between) and not _BREAK.search(between):
            return Bound(behind, "behind")
    before = [name for name in names if low <= name.start and name.end <= value.start]
    if before:
        return Bound(before[-1], "before")
    if behind is not None and not text[value.end : behind.start].strip():
        return Bound(behind, "behind")
    earlier = [name for name in names if name.end <= value.start]
    if earlier:
        return Bound(earlier[-1], "far")
    return Bound(behind, "far") if behind is not None else None


def lists_for_unknown(text: str, value: Quantity, known: Sequence[Named], quantities: Sequence[Quantity]) -> bool:
    """Whether the value is one of a list of like values given "respectively" to names, of which ``known`` has no list
    as long.
    """
    run = next((run for run in _runs(text, quantities) if value in run), [value])
    if len(run) < 2 or not _RESPECTIVELY.search(text) or not all(_alike(other, value) for other in run):
        return False
    return all(len(names) != len(run) for names in _runs(text, known))


def _alike(a: Quantity, b: Quantity) -> bool:
    """Whether two quantities may be values of one property: units that convert into each other."""
    return a.unit == b.unit or convert(1.0, a.unit, b.unit) is not None


def _in_lists(text: str, value: Quantity, names: Sequence[_Name], quantities: Sequence[Quantity]) -> _Name | None:
    """The name at the value's place in a list of as many names as there are values."""
    values = next((run for run in _runs(text, quantities) if value in run), [value])
    if len(values) < 2:
        return None
    said = _RESPECTIVELY.search(text) is not None
    groups = [run for run in _runs(text, names) if len(run) == len(values)]
    groups = [run for run in groups if run[-1].end <= values[0].start or run[0].start >= values[-1].end]
    if len(groups) != 1 and not said:
        return None
    if not groups or (not said and not all(a.listed for a in values[:-1])):
        return None
    return groups[-1][values.index(value)]


def _runs(text: str, items: Sequence[_Name]) -> list[list[_Name]]:
    """Items with nothing but the words of a list between them, together."""
    runs: list[list[_Name]] = []
    for item in items:
        if runs and _LIST.fullmatch(text[runs[-1][-1].end : item.start]):
            runs[-1].append(item)
        else:
            runs.append([item])
    return runs
