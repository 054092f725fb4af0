"""Notes: small print right under a table, or between its caption and its first rule."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from pincite_papers.model import Rect
from pincite_papers.pdf.captions import CaptionDraft
from pincite_papers.pdf.elements import PageLayout
from pincite_papers.pdf.tables.draft import TableDraft
from pincite_papers.pdf.tables.region import Region
from pincite_papers.pdf.tables.textrows import lines_in, text_rows, wide_parts

_SMALL = 0.95
"""The share of the size of most of the page's print: smaller print is a note, other print running text. Set by
judgement."""
_FIRST_GAP = 1.6
"""Type sizes of white between a table and its first note at most; what follows lower is not a note. Set by
judgement."""
_GAP = 0.6
"""Type sizes of white between two lines of notes at most. Set by judgement."""
_SAME_SIZE = 0.06
"""The share of its size by which a line of notes may differ in size from the first; other print ends them. Set by
judgement."""
_SIDE = 3.0
"""Points that the search for notes reaches out over the left and right edges of a table. Set by judgement."""
_FEWEST_RULES = 3
"""Rules over the whole width that a table keeps: above and below its head, and under its last row."""
_INDENT = 0.1
"""The share of a table's width that notes stand off its left edge at most."""


def without_notes(page: PageLayout, region: Region) -> Region:
    """The region without what stands between its last whole rules, where that is lines of text and no cells."""
    heights = region.full
    while len(heights) > _FEWEST_RULES or (len(heights) == _FEWEST_RULES and _is_smaller(page, region)):
        box = replace(region.box, y0=heights[-2])
        rows = text_rows([page.lines[index] for index in lines_in(page, box)])
        indent = max((row.runs[0].x0 - box.x0 for row in rows), default=0.0)
        if not rows or max(len(wide_parts(row)) for row in rows) > 1 or indent > _INDENT * (box.x1 - box.x0):
            break
        level = tuple(ruling for ruling in region.level if ruling.at < heights[-1] - 1)
        region = replace(region, box=replace(region.box, y1=heights[-2]), level=level)
        heights = region.full
    return region


def _is_smaller(page: PageLayout, region: Region) -> bool:
    """Whether all print between the last two of a region's rules is smaller than all above it."""
    *_, last, foot = region.full
    above = [page.lines[i].style.size for i in lines_in(page, replace(region.box, y1=last))]
    below = [page.lines[i].style.size for i in lines_in(page, replace(region.box, y0=last, y1=foot))]
    return bool(above and below) and max(below) < _SMALL * min(above)


def find_notes(
    page: PageLayout, table: TableDraft, captions: Sequence[CaptionDraft], taken: Collection[int]
) -> tuple[int, ...]:
    """The indices of the lines of notes to ``table``; ``taken`` are those of captions and tables."""
    main = _main_size(page)
    box = table.bbox
    under = Rect(box.x0 - _SIDE, box.y1, box.x1 + _SIDE, page.height)
    notes = _run(page, under, main, taken)
    caption = captions[table.caption].bbox if table.caption is not None else None
    if caption is not None and caption.y1 < box.y0:
        between = Rect(box.x0 - _SIDE, caption.y1 - 1, box.x1 + _SIDE, box.y0)
        notes = [*[i for i in lines_in(page, between, taken) if page.lines[i].style.size < _SMALL * main], *notes]
    return tuple(notes)


def _run(page: PageLayout, under: Rect, main: float, taken: Collection[int]) -> list[int]:
    """The lines from the top of a box on that are small, alike and close to each other."""
    found: list[int] = []
    edge = under.y0
    below = [i for i, line in enumerate(page.lines) if not line.rotation and (line.y0 + line.y1) / 2 > under.y0]
    meeting = [i for i in below if page.lines[i].x0 < under.x1 and page.lines[i].x1 > under.x0]
    for index in sorted(meeting, key=lambda i: page.lines[i].y0):
        line = page.lines[index]
        near = line.y0 - edge < (_GAP if found else _FIRST_GAP) * line.style.size
        alike = not found or abs(line.style.size - page.lines[found[0]].style.size) <= _SAME_SIZE * line.style.size
        if index in taken or not near or not alike or line.style.size >= _SMALL * main:
            break
        found.append(index)
        edge = max(edge, line.y1)
    return found


def _main_size(page: PageLayout) -> float:
    weights: Counter[float] = Counter()
    for line in page.lines:
        weights[line.style.size] += len(line.words)
    return weights.most_common(1)[0][0]
