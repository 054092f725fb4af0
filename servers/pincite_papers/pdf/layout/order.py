"""Reading order: the content stream's, overridden only where the page's geometry contradicts it."""

from pincite_papers.model import Rect
from pincite_papers.pdf.layout.blocks import Draft

_MOST_SEGMENTS = 12
"""Segments in which the file's order runs on; more (and more than 0.4 of the blocks) shows that it is not a reading
order, and columns decide. Set by judgement."""
_SAME_COLUMN = 0.5
"""Share of the narrower box's width that two blocks have in common: more puts them in one column. Set by judgement."""


def order_drafts(drafts: list[Draft], width: float) -> list[Draft]:
    """The blocks of one page in reading order."""
    boxes = [draft.rect() for draft in drafts]
    segments = _segments(boxes)
    if len(segments) < 2:
        return drafts
    if len(segments) > max(_MOST_SEGMENTS, 0.4 * len(drafts)):
        return [drafts[k] for k in _by_columns(boxes, width)]
    return [drafts[k] for k in _insert(segments, boxes, [len(draft.text) for draft in drafts])]


def _over(one: Rect, other: Rect) -> bool:
    """Whether two boxes share a column: half of the narrower one's width."""
    shared = min(one.x1, other.x1) - max(one.x0, other.x0)
    return shared > _SAME_COLUMN * min(one.x1 - one.x0, other.x1 - other.x0)


def _segments(boxes: list[Rect]) -> list[list[int]]:
    """Runs of the stream in which no block stands above an earlier one of its column, nor between two that it skips."""
    segments: list[list[int]] = []
    for k, box in enumerate(boxes):
        above = segments and any(box.y1 <= boxes[j].y0 + 2 and _over(box, boxes[j]) for j in segments[-1])
        if not segments or above or _back(boxes[k - 1], box) or _skips(k, boxes):
            segments.append([k])
        else:
            segments[-1].append(k)
    return segments


def _back(before: Rect, box: Rect) -> bool:
    """Whether a block stands in a column to the left of the one before it, and above it."""
    return box.x1 <= before.x0 + 2 and box.y1 <= before.y0 + 2


def _skips(k: int, boxes: list[Rect]) -> bool:
    """Whether a block that comes later stands between a block and the one before it, in the column of both."""
    before, box = boxes[k - 1], boxes[k]
    return any(_below(later, before) and _below(box, later) for later in boxes[k + 1 :])


def _below(lower: Rect, upper: Rect) -> bool:
    """Whether one box stands under another in its column."""
    return lower.y0 >= upper.y1 - 2 and _over(lower, upper)


def _insert(segments: list[list[int]], boxes: list[Rect], lengths: list[int]) -> list[int]:
    """The longest segment with each other one put before what stands below it in its column, else where it came, but
    after all that stands above it in its column."""
    main = max(range(len(segments)), key=lambda s: sum(lengths[k] for k in segments[s]))
    order = list(segments[main])
    for s, segment in enumerate(segments):
        if s == main:
            continue
        place = _place(segment, order, boxes)
        if place is None:
            before = [i for i, k in enumerate(order) if k < segment[0]]
            place = before[-1] + 1 if before else (0 if s < main and not _beside(segment, order, boxes) else len(order))
            over = [i for i, k in enumerate(order) if _below(boxes[segment[0]], boxes[k])]
            place = max([place, *(i + 1 for i in over)])
        order[place:place] = segment
    return order


def _place(segment: list[int], order: list[int], boxes: list[Rect]) -> int | None:
    """The place of the first block that stands below one of a segment's blocks in its column."""
    for place, k in enumerate(order):
        if any(boxes[k].y0 >= boxes[j].y1 - 2 and _over(boxes[k], boxes[j]) for j in segment):
            return place
    return None


def _beside(segment: list[int], order: list[int], boxes: list[Rect]) -> bool:
    """Whether a segment stands below or beside the first block of an order, not above it."""
    return boxes[segment[0]].y1 > boxes[order[0]].y0


def _by_columns(boxes: list[Rect], width: float) -> list[int]:
    """Blocks in bands between full-width blocks, the columns of a band from left to right."""
    top_down = sorted(range(len(boxes)), key=lambda k: (boxes[k].y0, boxes[k].x0))
    order: list[int] = []
    band: list[int] = []
    middle = (min(box.x0 for box in boxes) + max(box.x1 for box in boxes)) / 2
    for k in top_down:
        box = boxes[k]
        if box.x0 < middle - 0.08 * width and box.x1 > middle + 0.08 * width:
            order += [*_columns(band, boxes), k]
            band = []
        else:
            band.append(k)
    return order + _columns(band, boxes)


def _columns(band: list[int], boxes: list[Rect]) -> list[int]:
    """The blocks of a band: overlapping x-ranges make a column, columns go from left to right."""
    columns: list[list[int]] = []
    for k in sorted(band, key=lambda k: boxes[k].x0):
        for column in columns:
            x0, x1 = min(boxes[j].x0 for j in column), max(boxes[j].x1 for j in column)
            if min(x1, boxes[k].x1) - max(x0, boxes[k].x0) > 0.3 * (boxes[k].x1 - boxes[k].x0):
                column.append(k)
                break
        else:
            columns.append([k])
    return [k for column in columns for k in sorted(column, key=lambda k: (boxes[k].y0, boxes[k].x0))]
