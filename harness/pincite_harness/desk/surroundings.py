"""Surroundings: the table cells and figures that a passage is of, each with the box of what to show of the page."""

from collections.abc import Sequence
from dataclasses import dataclass

from pincite_papers.model import Figure, Paper, Rect, Span, Table

_MARGIN = 6.0
"""Points around a table or figure that its crop shows besides. Set by judgement."""
_MOST_CELLS = 6
"""Count of cells that are named; the others are counted. Set by judgement."""


@dataclass(frozen=True, slots=True)
class Crop:
    """A part of a page, in points, what it is, and which cells of it the passage is of."""

    title: str
    page: int
    box: Rect
    detail: str = ""


def crops_of(paper: Paper, spans: Sequence[Span]) -> list[Crop]:
    """The tables whose cells the passages have, and the figures whose captions they have."""
    found: list[Crop] = []
    for table in paper.tables:
        cells = [cell for cell in table.cells if any(_shares(span, cell.start, cell.end) for span in spans)]
        if cells:
            names = [f"row {cell.row + 1}, column {cell.column + 1}: {cell.text}" for cell in cells[:_MOST_CELLS]]
            more = f" and {len(cells) - _MOST_CELLS} more cells" if len(cells) > _MOST_CELLS else ""
            found += _table(paper, table, "; ".join(names) + more)
    for figure in paper.figures:
        caption = figure.caption
        if caption is not None and any(_shares(span, caption.start, caption.end) for span in spans):
            found += _figure(paper, figure)
    return found


def _table(paper: Paper, table: Table, detail: str) -> list[Crop]:
    places = [(part.page, part.bbox) for part in table.parts] or [(table.page, table.bbox)]
    title = table.label or "a table"
    return [Crop(title, page, widened(paper, page, box), detail) for page, box in places if page and box is not None]


def _figure(paper: Paper, figure: Figure) -> list[Crop]:
    if figure.page is None or figure.bbox is None:
        return []
    return [Crop(figure.label or "a figure", figure.page, widened(paper, figure.page, figure.bbox))]


def widened(paper: Paper, number: int, box: Rect) -> Rect:
    """A box with a margin around it, within its page."""
    page = next(page for page in paper.pages if page.number == number)
    return Rect(
        max(0.0, box.x0 - _MARGIN),
        max(0.0, box.y0 - _MARGIN),
        min(page.width, box.x1 + _MARGIN),
        min(page.height, box.y1 + _MARGIN),
    )


def _shares(span: Span, start: int, end: int) -> bool:
    return span.start < end and start < span.end
