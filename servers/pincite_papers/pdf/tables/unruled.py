"""Tables without rules: rows of parted cells under, or over, a caption."""

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from statistics import median

from pincite_papers.model import Rect
from pincite_papers.pdf.captions import CaptionDraft
from pincite_papers.pdf.elements import PageLayout
from pincite_papers.pdf.tables.aligned import Alignment
from pincite_papers.pdf.tables.region import Region
from pincite_papers.pdf.tables.rulings import merge_rules
from pincite_papers.pdf.tables.textrows import WHOLE_LINE, TextRow, lines_in, text_rows, wide_parts

_ROOM = 3.2
"""Rows of one table are at most so many sizes apart, baseline to baseline."""

_FULL = 0.8
"""The share of the width searched: a row without gaps that covers more may be running text. Set by judgement."""
_PROSE_WORDS = 8
"""Count of words in such a row from which on it is running text; with fewer it may be a cell. Set by judgement."""
_COLUMN_LINES = 4
"""Count of lines of text over a caption's whole width that show its column; with fewer the page's edges of text do. Set
by judgement."""
_FEW_STEPS = 2
"""Count of steps between rows that must be known before a wider one may end a table. Set by judgement."""
_WIDER = 1.6
"""How many times the median step before it a step is that ends a table, unless rows beyond are aligned. Set by
judgement, for headings under tables (``test_a_table_without_rules_ends_before_the_next_heading``)."""
_MOST_NOTES = 3
"""Count of lines without gaps, between a table and its caption below, that may be notes; more are its rows. Set by
judgement."""
_SMALLER = 0.97
"""The share of the size of a table's last row: if all those lines are no larger, they are notes; else they are its last
rows, or this is not a table if one is running text. Set by judgement."""


def find_unruled(page: PageLayout, captions: Sequence[CaptionDraft], index: int) -> Region | None:
    """The region of the rows next to caption ``index`` that stand in columns; None where there are not two."""
    caption = captions[index].bbox
    left, right = _column(page, captions, caption)
    for upward in (False, True):
        box = Rect(left, 0.0, right, caption.y0) if upward else Rect(left, caption.y1, right, page.height)
        rows = even_rows(rows_down(page, captions, box, upward=upward), upward=upward)
        if len(rows) < 2:
            continue
        x0, x1 = min(row.runs[0].x0 for row in rows), max(row.runs[-1].x1 for row in rows)
        flush = sum(row.runs[0].x0 < x0 + 0.25 * (x1 - x0) for row in rows)
        if sum(_is_parted(row) for row in rows) < max(2, 0.4 * flush):
            continue
        frame = Rect(x0 - 1, min(row.y0 for row in rows) - 1, x1 + 1, max(row.y1 for row in rows) + 1)
        level, upright = merge_rules(page.rules)
        inside = [r for r in level if frame.y0 < r.at < frame.y1 and r.start >= x0 - 12 and r.end <= x1 + 12]
        beams = [r for r in upright if x0 < r.at < x1 and r.start > frame.y0 - 12 and r.end < frame.y1 + 12]
        return Region(index, frame, tuple(inside), tuple(beams))
    return None


def even_rows(rows: list[TextRow], *, upward: bool = False) -> list[TextRow]:
    """The rows from a table's edge up to the first room that is much wider than those between the rows before it.

    Rows beyond such room belong to them where their cells stand on the same edges.
    """
    ordered = list(reversed(rows)) if upward else rows
    steps: list[float] = []
    for number in range(1, len(ordered)):
        step = abs(ordered[number].baseline - ordered[number - 1].baseline)
        if step < WHOLE_LINE * ordered[number].size:
            continue
        if len(steps) >= _FEW_STEPS and step > _WIDER * median(steps):
            known = ordered[:number]
            edge = known[-1].y0 if upward else known[-1].y1
            more = Alignment(known).carry_on(ordered[number:], edge, upward=upward)
            ordered = ordered[: number + more]
            break
        steps.append(step)
    return list(reversed(ordered)) if upward else ordered


def rows_down(page: PageLayout, captions: Sequence[CaptionDraft], box: Rect, *, upward: bool = False) -> list[TextRow]:
    """The rows from the top of ``box`` (its bottom when ``upward``) on that can belong to a table.

    They end at a caption, at running text, at wide room and at a rule that leaves the box with no cells under it; rows
    without a gap at the end are left out unless they are the lines of a cell. So is small print between a table and its
    caption below.
    """
    captioned = {line for caption in captions for line in caption.lines}
    rows = text_rows([page.lines[i] for i in lines_in(page, box) if i not in captioned])
    stops = [c.bbox for c in captions if c.bbox.x0 < box.x1 and c.bbox.x1 > box.x0]
    walls = sorted(rule.y0 for rule in page.rules if rule.horizontal and _leaves(rule.x0, rule.x1, box))
    kept: list[TextRow] = []
    notes: list[TextRow] = []
    edge = box.y1 if upward else box.y0
    for row in reversed(rows) if upward else rows:
        room = edge - row.y1 if upward else row.y0 - edge
        between = (row.y1, edge) if upward else (edge, row.y0)
        crossed = any(between[0] - 1 < stop.y0 and stop.y1 < between[1] + 1 for stop in stops)
        ruled = kept and bisect_left(walls, between[1] + 1) > bisect_right(walls, between[0] - 1)
        near = room <= _ROOM * row.size and not crossed
        if near and upward and not kept and len(notes) < _MOST_NOTES and not _is_parted(row):
            notes.append(row)
            edge = row.y0
            continue
        if not near or (ruled and not _is_parted(row)) or _is_prose(row, box):
            break
        kept.append(row)
        edge = row.y0 if upward else row.y1
    if notes and kept and max(note.size for note in notes) > _SMALLER * kept[0].size:
        kept = [] if any(_is_prose(note, box) for note in notes) else notes + kept
    while kept and not _is_parted(kept[-1]) and kept[-1].runs[0].x0 < box.x0 + 2 * kept[-1].size:
        kept.pop()
    return list(reversed(kept)) if upward else kept


def _is_parted(row: TextRow) -> bool:
    """Whether a row has cells: a wide gap, or several gaps wider than spaces."""
    return len(wide_parts(row)) > 1 or len(row.runs) > 2


def _leaves(x0: float, x1: float, box: Rect) -> bool:
    return x0 < box.x1 and x1 > box.x0 and (x0 < box.x0 - 6 or x1 > box.x1 + 6)


def _is_prose(row: TextRow, box: Rect) -> bool:
    words = sum(len(run.words) for run in row.runs)
    inked = row.runs[-1].x1 - row.runs[0].x0
    return len(wide_parts(row)) == 1 and words >= _PROSE_WORDS and inked > _FULL * (box.x1 - box.x0)


def _column(page: PageLayout, captions: Sequence[CaptionDraft], caption: Rect) -> tuple[float, float]:
    """The edges of the column of running text that a caption stands in, else those of the page's text."""
    captioned = {line for each in captions for line in each.lines}
    prose = [line for i, line in enumerate(page.lines) if i not in captioned and len(line.words) >= 6]
    middle = (caption.x0 + caption.x1) / 2
    around = [line for line in prose if line.x0 - 6 <= caption.x0 and line.x1 + 6 >= caption.x1 and line.x0 < middle]
    if len(around) >= _COLUMN_LINES:
        lefts, rights = sorted(line.x0 for line in around), sorted(line.x1 for line in around)
        return lefts[len(lefts) // 4] - 3, rights[-1 - len(rights) // 4] + 3
    lines = [line for line in page.lines if not line.rotation] or page.lines
    return min(line.x0 for line in lines), max(line.x1 for line in lines)
