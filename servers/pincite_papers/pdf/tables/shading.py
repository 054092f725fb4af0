"""Shading: the edges of the filled boxes behind the rows, or cells, of a table."""

from collections.abc import Sequence

from pincite_papers.model import Rect
from pincite_papers.pdf.elements import PageLayout, Rule
from pincite_papers.pdf.tables.region import Region

_LOWEST, _HIGHEST = 5.0, 90.0
"""Points: a shaded row is as high as its lines of print; bars of a plot and boxes of text are lower or higher."""
_NARROWEST = 12.0
"""Points: a narrower filled box is not the ground of a row or cell. Set by judgement."""
_MOST_BOXES = 600
"""Count of such boxes on a page: with more none is taken for shading. A bound on cost, which grows with its square; set
by judgement."""
_WHOLE = 0.95
"""The share of a table's width that a box behind whole rows covers at least; one behind a cell covers less. Set by
judgement."""
_PART = 0.8
"""The share of a table's height that such a box covers at most; a higher one is the ground of the table. Set by
judgement."""
_MOST_TEXT = 0.6
"""The share of boxes with print inside from which on they are shading: bars and tiles of a figure have none."""


def shaded_edges(page: PageLayout) -> list[Rule]:
    """The upper and lower edges of the page's filled boxes as rules; none where most boxes have no print inside."""
    boxes = [box for box in page.drawings if _LOWEST <= box.y1 - box.y0 <= _HIGHEST and box.x1 - box.x0 >= _NARROWEST]
    if not 0 < len(boxes) <= _MOST_BOXES:
        return []
    heights = sorted((line.y0 + line.y1) / 2 for line in page.lines if not line.rotation)
    if sum(_has_print(box, heights) for box in boxes) < _MOST_TEXT * len(boxes):
        return []
    outer = [box for box in boxes if not any(_is_inside(box, other) for other in boxes)]
    return [Rule(True, box.x0, y, box.x1, y, 0.0) for box in outer for y in (box.y0, box.y1)]


def band_edges(page: PageLayout, region: Region) -> list[float]:
    """The heights inside a table where the ground behind whole rows begins or ends, from top to bottom."""
    table = region.box
    width, height = table.x1 - table.x0, table.y1 - table.y0
    edges: set[float] = set()
    for box in page.drawings:
        if not _LOWEST <= box.y1 - box.y0 <= _PART * height or box.y1 <= table.y0 or box.y0 >= table.y1:
            continue
        if min(box.x1, table.x1) - max(box.x0, table.x0) >= _WHOLE * width:
            edges |= {y for y in (box.y0, box.y1) if table.y0 + 2 < y < table.y1 - 2}
    return sorted(edges)


def _is_inside(box: Rect, other: Rect) -> bool:
    """Whether a box lies in a larger one, as the ground of a line of print lies in that of its cell."""
    inside = other.x0 - 1 < box.x0 and box.x1 < other.x1 + 1 and other.y0 - 1 < box.y0 and box.y1 < other.y1 + 1
    return inside and (box.x1 - box.x0) + (box.y1 - box.y0) < (other.x1 - other.x0) + (other.y1 - other.y0) - 2


def _has_print(box: Rect, heights: Sequence[float]) -> bool:
    return any(box.y0 < y < box.y1 for y in heights)
