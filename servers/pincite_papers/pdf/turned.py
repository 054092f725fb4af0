"""Turned pages: pages whose print does not run level are read in the direction of their print and measured as shown."""

import math
from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from pincite_papers.geometry import Geometry
from pincite_papers.model import Paper, Place, Rect
from pincite_papers.pdf.glyphs import Frame, Glyphs

_SHARE = 0.7
"""Share of a page's glyphs that run in one direction for the page to be turned. Set by judgement."""
_FEWEST = 40
"""Glyphs below which a page's direction is not judged. Set by judgement."""


@dataclass(frozen=True, slots=True)
class Turn:
    """Clockwise quarter turns that make a page's print level, and the size in which it was read.

    ``tilt`` is by how many degrees clockwise the print still falls to the right then, about the page's centre;
    ``mirrored`` says that it was seen in a mirror, left for right.
    """

    quarters: int
    width: float
    height: float
    tilt: float = 0.0
    mirrored: bool = False

    def back(self, boxes: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Float32 (n, 4): boxes as read, where the page is shown."""
        x0, y0, x1, y1 = (self._tilted(boxes) if self.tilt else boxes).T
        if self.mirrored:
            x0, x1 = self.width - x1, self.width - x0
        if self.quarters == 0:
            return np.stack((x0, y0, x1, y1), axis=1)
        if self.quarters == 1:
            return np.stack((y0, self.width - x1, y1, self.width - x0), axis=1)
        if self.quarters == 2:
            return np.stack((self.width - x1, self.height - y1, self.width - x0, self.height - y0), axis=1)
        return np.stack((self.height - y1, x0, self.height - y0, x1), axis=1)

    def _tilted(self, boxes: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """The boxes around boxes that are turned clockwise about the page's centre by the tilt."""
        cos, sin = math.cos(math.radians(self.tilt)), math.sin(math.radians(self.tilt))
        x0, y0, x1, y1 = boxes.T
        across, down = (x0 + x1) / 2 - self.width / 2, (y0 + y1) / 2 - self.height / 2
        x, y = self.width / 2 + across * cos - down * sin, self.height / 2 + across * sin + down * cos
        half = (x1 - x0) / 2, (y1 - y0) / 2
        wide, high = half[0] * cos + half[1] * abs(sin), half[0] * abs(sin) + half[1] * cos
        return np.stack((x - wide, y - high, x + wide, y + high), axis=1)

    def rect(self, box: Rect) -> Rect:
        """One box as read, where the page is shown."""
        row = np.array([[box.x0, box.y0, box.x1, box.y1]], np.float32)
        x0, y0, x1, y1 = self.back(row)[0].tolist()
        return Rect(x0, y0, x1, y1)


def turn_of(glyphs: Glyphs) -> int:
    """The clockwise quarter turns that make most of a page's print level; 0 where it is level or mixed."""
    printed = glyphs.runs[glyphs.runs >= 0]
    if len(printed) < _FEWEST:
        return 0
    quarters = np.array([round(run.angle / 90) % 4 for run in glyphs.objects], np.int8)[printed]
    for quarter in (1, 3):
        if np.count_nonzero(quarters == quarter) > _SHARE * len(printed):
            return quarter
    return 0


def turned_frame(frame: Frame, quarters: int) -> Frame:
    """The frame of the page shown with so many more clockwise quarter turns (1 or 3)."""
    turns = (frame.quarter_turns + quarters) % 4
    return replace(frame, quarter_turns=turns, width=frame.height, height=frame.width)


def turn_back(paper: Paper, turns: dict[int, Turn]) -> Paper:
    """The paper with everything on the turned pages (by their numbers) measured as shown."""
    if not turns:
        return paper
    rows = paper.geometry.rows.copy()
    for page in paper.pages:
        if page.number in turns:
            rows[page.start : page.end] = turns[page.number].back(rows[page.start : page.end])

    sideways = {number for number, turn in turns.items() if turn.quarters % 2}

    def shown(page: int | None, box: Rect | None) -> Rect | None:
        return turns[page].rect(box) if box is not None and page in turns else box

    return replace(
        paper,
        geometry=Geometry(rows),
        pages=tuple(
            replace(
                page,
                width=page.height if page.number in sideways else page.width,
                height=page.width if page.number in sideways else page.height,
                furniture=tuple(replace(item, bbox=shown(page.number, item.bbox)) for item in page.furniture),
            )
            for page in paper.pages
        ),
        blocks=tuple(replace(block, bbox=shown(block.page, block.bbox)) for block in paper.blocks),
        tables=tuple(
            replace(
                table,
                bbox=shown(table.page, table.bbox),
                parts=tuple(
                    Place(part.page, turns[part.page].rect(part.bbox)) if part.page in turns else part
                    for part in table.parts
                ),
                cells=tuple(replace(cell, bbox=shown(cell.page, cell.bbox)) for cell in table.cells),
            )
            for table in paper.tables
        ),
        figures=tuple(
            replace(
                figure,
                bbox=shown(figure.page, figure.bbox),
                panels=tuple(replace(panel, bbox=shown(figure.page, panel.bbox)) for panel in figure.panels),
            )
            for figure in paper.figures
        ),
    )
