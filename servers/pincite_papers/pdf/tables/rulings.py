"""Rulings: the drawn segments of a page merged into whole rules."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from pincite_papers.pdf.elements import Rule

_SAME_LINE = 1.3
"""Points across them: segments that are no further apart lie on one line. Set by judgement."""
_SAME_RULE = 2.6
"""Points along them: segments on one line with no wider gap are one rule. Ends that differ by no more make a joint, and
joints nearer than three times this are one. Set by judgement."""
_SHORTEST = 8.0
"""Points: what is shorter is not a rule, and a segment no side of a cell. Set by judgement."""


@dataclass(frozen=True, slots=True)
class Ruling:
    """A rule along one axis: ``at`` across it, from ``start`` to ``end`` along it, in points."""

    at: float
    start: float
    end: float

    @property
    def length(self) -> float:
        """Its length in points."""
        return self.end - self.start


def merge_rules(rules: Sequence[Rule]) -> tuple[list[Ruling], list[Ruling]]:
    """Horizontal rulings from top to bottom and vertical ones from left to right."""
    level = [Ruling(rule.y0, rule.x0, rule.x1) for rule in rules if rule.horizontal]
    upright = [Ruling(rule.x0, rule.y0, rule.y1) for rule in rules if not rule.horizontal]
    return _merge(level), _merge(upright)


def joints(rules: Sequence[Rule], top: float, bottom: float, left: float, right: float) -> list[float]:
    """Where level segments meet end to end inside a box: the edges of cells whose rules are drawn one by one."""
    level = [r for r in rules if r.horizontal and top - 2 <= r.y0 <= bottom + 2 and r.x1 - r.x0 >= _SHORTEST]
    level.sort(key=lambda rule: (round(rule.y0), rule.x0))
    found: list[float] = []
    for before, rule in pairwise(level):
        meets = abs(before.y0 - rule.y0) < _SAME_LINE and abs(before.x1 - rule.x0) <= _SAME_RULE
        inside = left + 4 < rule.x0 < right - 4
        if meets and inside and not any(abs(rule.x0 - x) < 3 * _SAME_RULE for x in found):
            found.append(rule.x0)
    return sorted(found)


def _merge(rulings: list[Ruling]) -> list[Ruling]:
    """Segments that touch on one line, as one; ends stay where the printer put them."""
    merged: list[Ruling] = []
    row: list[Ruling] = []
    for ruling in sorted(rulings, key=lambda r: r.at):
        if row and ruling.at - row[0].at > _SAME_LINE:
            merged += _join(row)
            row = []
        row.append(ruling)
    merged += _join(row)
    return [ruling for ruling in merged if ruling.length >= _SHORTEST]


def _join(row: list[Ruling]) -> list[Ruling]:
    joined: list[Ruling] = []
    for ruling in sorted(row, key=lambda r: r.start):
        if joined and ruling.start - joined[-1].end <= _SAME_RULE:
            last = joined[-1]
            joined[-1] = Ruling(last.at, last.start, max(last.end, ruling.end))
        else:
            joined.append(ruling)
    return joined
