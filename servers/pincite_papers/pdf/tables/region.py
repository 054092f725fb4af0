"""Region: where a table stands on a page and which rules are drawn in it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pincite_papers.model import Rect
from pincite_papers.pdf.tables.rulings import Ruling

_EDGE = 6.0
"""Points that a rule over the whole width may stop short of a table's edges; a shorter rule is over some columns. Set
by judgement."""
_FEWEST_INNER = 3
"""Count of equal rules inside a frame that make a table of their own: over its head, under it and at its foot."""


@dataclass(frozen=True, slots=True)
class Region:
    """The box of a table's body, its caption (an index, None if it has none) and the rulings inside, edges included.

    ``joints`` are the places where level rules drawn cell by cell meet.
    """

    caption: int | None
    box: Rect
    level: tuple[Ruling, ...]
    upright: tuple[Ruling, ...]
    joints: tuple[float, ...] = ()

    @property
    def full(self) -> list[float]:
        """The heights of the rules that run over the whole width, double rules once."""
        heights: list[float] = []
        for ruling in self.level:
            whole = ruling.start <= self.box.x0 + _EDGE and ruling.end >= self.box.x1 - _EDGE
            if whole and (not heights or ruling.at - heights[-1] > 4.0):
                heights.append(ruling.at)
        return heights

    @property
    def partial(self) -> list[Ruling]:
        """The rules that run over some columns only."""
        return [r for r in self.level if r.start > self.box.x0 + _EDGE or r.end < self.box.x1 - _EDGE]


def inner_frame(region: Region, middles: Sequence[tuple[float, float]]) -> Region:
    """The region without the wider frame around it, where equal shorter rules enclose all of its print but the foot.

    ``middles`` are the places (x, y) of the region's words.
    """
    if len(region.full) > 2 or len(region.partial) < _FEWEST_INNER:
        return region
    first = region.partial[0]
    inner = [r for r in region.partial if abs(r.start - first.start) < _EDGE and abs(r.end - first.end) < _EDGE]
    foot = inner[-1].at
    held = all(first.start < x < first.end and first.at < y for x, y in middles if y < foot)
    if len(inner) < _FEWEST_INNER or not held or not any(y < foot for _, y in middles):
        return region
    box = Rect(first.start, first.at, first.end, foot)
    level = tuple(ruling for ruling in region.level if first.at <= ruling.at <= foot)
    return replace(region, box=box, level=level)
