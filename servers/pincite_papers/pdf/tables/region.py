"""Region: where a table stands on a page and which rules are drawn in it."""

from dataclasses import dataclass

from pincite_papers.model import Rect
from pincite_papers.pdf.tables.rulings import Ruling

_EDGE = 6.0
"""Points that a rule over the whole width may stop short of a table's edges; a shorter rule is over some columns. Set
by judgement."""


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
