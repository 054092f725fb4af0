"""Regions: where tables stand, from captions and from stacks of rules."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from pincite_papers.model import Rect
from pincite_papers.pdf.captions import CaptionDraft, CaptionKind
from pincite_papers.pdf.elements import Line, PageLayout, Style
from pincite_papers.pdf.tables.aligned import Alignment
from pincite_papers.pdf.tables.region import Region
from pincite_papers.pdf.tables.rulings import Ruling, joints, merge_rules
from pincite_papers.pdf.tables.shading import shaded_edges
from pincite_papers.pdf.tables.textrows import TextRow, lines_in, text_rows, wide_parts
from pincite_papers.pdf.tables.unruled import even_rows, rows_down

_FAR = 60.0
"""Points from a caption down to its table's first rule, up to the foot of what is painted over it, and aside to a rule
level with it, at most; what is further off is not of the caption. Set by judgement."""
_UNDER_CAPTION = 24.0
"""Points under the foot of a figure's caption: a nearer rule may be a line of the figure. Came with the typeset figures
of ``tests/benchmarks/float_styles``; set by judgement."""
_ASIDE = 20.0
"""Points that the first rule may stand above the top of a caption beside it, the last one above a caption under it, and
two rules of one table apart with nothing between. Set by judgement."""
_SAME_EDGE = 6.0
"""Points: rules whose ends differ by no more are equally wide; one that reaches further out is not of the table. Also
what a rule may stand above the top of a figure's caption beside it. Set by judgement."""
_SHORTEST = 24.0
"""Points: the first rule under or beside a caption, or the last one over it, must be at least as long. Lowered from 50
with the first tests of tables. Set by judgement."""
_SHORTEST_ALONE = 60.0
"""Points: the first rule of a table without a caption must be at least as long; shorter ones are left out of pages with
too many (``_MOST_RULES``). Lowered from 100 with the first tests of tables. Set by judgement."""
_MOST_RULES = 600
"""Count of rules of one direction on a page: of more only the long ones are kept, and none if these are more too. A
bound on cost, for pages with thousands of rules."""
_OVER_CAPTION = 16.0
"""Points from a rule down to the caption that it is drawn over at most. Set by judgement."""
_LARGER = 1.05
"""How many times the size of a table's largest print running text under it is at least, to be told by its size. Set by
judgement."""
_DEEPEST_HEAD = 80.0
"""Points from the first rule of a table to the one under its head at most. Added for tables that a page breaks. Set by
judgement."""
_PROSE_ROWS = 3
"""Rows on end of running text that end a table with a caption; one row does where no caption says that it is one."""
_PROSE_WORDS = 4
"""Count of words in each part, between wide gaps, of a row of running text at least; cells have fewer. Set by
judgement."""
_PROSE_FILL = 0.7
"""The share of a rule's length that words cover in a row of running text; rows of cells cover less. Set by
judgement."""


class Regions:
    """The search for the table regions of one page."""

    def __init__(self, page: PageLayout, captions: Sequence[CaptionDraft]) -> None:
        self._page = page
        self._captions = captions
        self._rules = page.rules
        level, upright = merge_rules(page.rules)
        self._level, self._upright = _bounded(level), _bounded(upright)
        self._used: set[Ruling] = set()
        self._main = _main_style(page)
        self._main_size = self._main.size if self._main is not None else 0.0

    def captioned(self) -> list[Region]:
        """The ruled region of each table caption that has one; the edges of shaded rows count where no rules do."""
        regions: list[Region] = []
        named = [index for index, caption in enumerate(self._captions) if caption.kind is CaptionKind.TABLE]
        for index in named:
            regions += self._captioned(index)
        rest = set(named) - {region.caption for region in regions}
        edges = shaded_edges(self._page) if rest else []
        if edges:
            drawn = self._rules, self._level
            self._rules = [*self._page.rules, *edges]
            self._level = _bounded(merge_rules(self._rules)[0])
            for index in sorted(rest):
                regions += self._captioned(index)
            self._rules, self._level = drawn
        return regions

    def _captioned(self, index: int) -> list[Region]:
        caption = self._captions[index]
        stack = self._below(caption) or self._beside(caption) or self._above(caption)
        if not stack:
            return []
        self._used |= set(stack)
        region = self._region(index, stack)
        rows = text_rows([self._page.lines[i] for i in lines_in(self._page, region.box)])
        under = Rect(region.box.x0, region.box.y1, region.box.x1, self._page.height)
        below = rows_down(self._page, self._captions, under)
        more = Alignment(rows).carry_on(below, region.box.y1)
        if not more or caption.bbox.y0 > region.box.y1 - 2:
            return [region]
        return [replace(region, box=replace(region.box, y1=below[more - 1].y1 + 1))]

    def uncaptioned(self) -> list[Region]:
        """Stacks of at least three rules of one width, and grids, that no caption leads to."""
        regions: list[Region] = []
        for ruling in self._level:
            if ruling in self._used or ruling.length < _SHORTEST_ALONE or not self._has_head(ruling):
                continue
            if self._in_figure(ruling):
                continue
            stack = self._close(self._grow([ruling], None))
            if len([r for r in stack if _same_extent(r, ruling)]) >= 3:
                self._used |= set(stack)
                regions.append(self._region(None, stack))
        return regions

    def _has_head(self, ruling: Ruling) -> bool:
        """Whether another rule of the same width follows near enough to close a header."""
        return any(0 < other.at - ruling.at < _DEEPEST_HEAD and _same_extent(ruling, other) for other in self._level)

    def _close(self, stack: list[Ruling]) -> list[Ruling]:
        """A stack that ends under the header goes down to the last row of the table, which the page breaks."""
        whole = [ruling for ruling in stack if _same_extent(ruling, stack[0])]
        shaded = self._rules is not self._page.rules
        if len(whole) < 2 or (len(whole) > 2 and not shaded) or whole[-1].at - whole[0].at > _DEEPEST_HEAD:
            return stack
        foot = whole[-1]
        head = text_rows(self._lines(whole[0].at, foot))
        if not head or max(len(wide_parts(row)) for row in head) < 2:
            return stack
        under = Rect(foot.start, foot.at, foot.end, self._page.height)
        rows = even_rows(rows_down(self._page, self._captions, under))
        if len(rows) < 2:
            return stack
        return [*stack, Ruling(rows[-1].y1 + 1, whole[0].start, whole[0].end)]

    def _below(self, caption: CaptionDraft) -> list[Ruling]:
        """The stack of rules that begins under a caption."""
        box = caption.bbox
        for ruling in self._level:
            if ruling in self._used or not box.y1 - 2 <= ruling.at <= box.y1 + _FAR or ruling.length < _SHORTEST:
                continue
            if ruling.start > box.x1 or ruling.end < box.x0 or self._text_between(box.y1, ruling) > 4:
                continue
            if any(box.y1 - 2 < other.bbox.y0 < ruling.at and _meets(other.bbox, ruling) for other in self._captions):
                break
            stack = self._close(self._grow([ruling], caption))
            if len(stack) > 1:
                return stack
        return []

    def _beside(self, caption: CaptionDraft) -> list[Ruling]:
        """The stack of rules that begins to the right or left of a caption."""
        box = caption.bbox
        for ruling in self._level:
            level = box.y0 - _ASIDE <= ruling.at <= box.y1 and ruling.length >= _SHORTEST
            aside = ruling.start >= box.x1 - 2 or ruling.end <= box.x0 + 2
            if ruling in self._used or not level or not aside:
                continue
            stack = self._grow([ruling], caption)
            if len(stack) > 2:
                return stack
        return []

    def _above(self, caption: CaptionDraft) -> list[Ruling]:
        """The stack of rules that ends over a caption that stands under its table."""
        box = caption.bbox
        shared = [r for r in self._level if r not in self._used and r.start < box.x1 and r.end > box.x0]
        last = next((r for r in reversed(shared) if box.y0 - _ASIDE <= r.at <= box.y0 + 2), None)
        if last is None or last.length < _SHORTEST:
            return []
        for first in (r for r in shared if r.at < last.at and _same_extent(r, last)):
            stack = self._grow([first], caption)
            if stack[-1] is last:
                return stack
        return []

    def _grow(self, stack: list[Ruling], caption: CaptionDraft | None) -> list[Ruling]:
        """Add the rules below that belong to the same table: as wide or part of it, with no other text between."""
        first = stack[0]
        whole = [first]
        pending: list[Ruling] = []
        for ruling in self._level:
            if ruling.at <= first.at or ruling in self._used:
                continue
            if ruling.start < first.start - _SAME_EDGE or ruling.end > first.end + _SAME_EDGE:
                if ruling.start < first.end and ruling.end > first.start:
                    break
                continue
            if not _same_extent(ruling, first):
                pending.append(ruling)
                continue
            if not self._is_table(whole[-1].at, ruling, caption) or self._heads_next(ruling, first, caption):
                break
            if len(whole) > 1 and self._is_larger(whole, ruling):
                break
            whole.append(ruling)
        return sorted([*whole, *[r for r in pending if r.at < whole[-1].at]], key=lambda r: r.at)

    def _is_table(self, top: float, ruling: Ruling, caption: CaptionDraft | None) -> bool:
        """Whether what stands between two rules can be a part of a table: no caption, no running text, not nothing."""
        for other in self._captions:
            if other is not caption and top < other.bbox.y0 < ruling.at and _meets(other.bbox, ruling):
                return False
        rows = text_rows(self._lines(top, ruling))
        if not rows:
            return ruling.at - top < _ASIDE
        return not self._is_prose(rows, ruling, _PROSE_ROWS if caption is not None else 1)

    def _heads_next(self, ruling: Ruling, first: Ruling, caption: CaptionDraft | None) -> bool:
        """Whether a rule is the upper edge of the next table's caption, as one stands over this table's caption."""
        if caption is None or first.at < caption.bbox.y1 - 2:
            return False
        near = caption.bbox.y0 - _OVER_CAPTION
        framed = any(near < other.at <= caption.bbox.y0 + 1 and _same_extent(other, first) for other in self._level)
        return framed and any(
            other is not caption and -1 <= other.bbox.y0 - ruling.at < _OVER_CAPTION and _meets(other.bbox, ruling)
            for other in self._captions
        )

    def _is_larger(self, whole: Sequence[Ruling], ruling: Ruling) -> bool:
        """Whether all that stands between the last rule of a table and the next is the page's main print, and larger
        than all above: then it is running text."""
        below = self._lines(whole[-1].at, ruling)
        above = self._lines(whole[0].at, whole[-1])
        if not above or not below or any(line.style.size != self._main_size for line in below):
            return False
        return self._main_size > _LARGER * max(line.style.size for line in above)

    def _is_prose(self, rows: list[TextRow], ruling: Ruling, most: int) -> bool:
        """Whether ``most`` rows on end are running text from the left edge, in one or two columns."""
        together = 0
        for row in rows:
            together = together + 1 if self._runs_full(row, ruling) else 0
            if together >= most:
                return True
        return False

    def _runs_full(self, row: TextRow, ruling: Ruling) -> bool:
        """Whether a row fills the width of a rule with words in the page's main style, with at most one wide gap."""
        words = [word for run in row.runs for word in run.words]
        if sum(word.style == self._main for word in words) <= 0.5 * len(words):
            return False
        if sum(word.text[:2].isalpha() for word in words) < 0.4 * len(words):
            return False
        if row.runs[0].x0 - ruling.start > 2.5 * row.size:
            return False
        parts = wide_parts(row)
        inked = sum(run.x1 - run.x0 for run in row.runs)
        return len(parts) <= 2 and min(parts) >= _PROSE_WORDS and inked > _PROSE_FILL * ruling.length

    def _lines(self, top: float, ruling: Ruling) -> list[Line]:
        return [
            line
            for line in self._page.lines
            if not line.rotation
            and top < (line.y0 + line.y1) / 2 < ruling.at
            and line.x0 < ruling.end
            and line.x1 > ruling.start
        ]

    def _text_between(self, top: float, ruling: Ruling) -> int:
        return len(text_rows(self._lines(top, ruling)))

    def _in_figure(self, ruling: Ruling) -> bool:
        """Whether a rule stands over a figure's caption, near enough to be one of its lines."""
        below = [c for c in self._captions if _meets(c.bbox, ruling) and ruling.at < c.bbox.y0]
        nearest = min(below, key=lambda caption: caption.bbox.y0, default=None)
        if nearest is not None and nearest.kind is CaptionKind.FIGURE and not self._prose_between(ruling, nearest):
            return True
        over = [c for c in self._captions if _meets(c.bbox, ruling) and 0 <= ruling.at - c.bbox.y1 < _UNDER_CAPTION]
        over += [c for c in self._captions if _beside(c.bbox, ruling)]
        return any(c.kind is CaptionKind.FIGURE and not self._painted_over(c) for c in over)

    def _painted_over(self, caption: CaptionDraft) -> bool:
        """Whether something is drawn right over a caption: then what stands under it is not its figure."""
        box = caption.bbox
        shapes = [*self._page.images, *self._page.drawings]
        return any(0 <= box.y0 - r.y1 + 2 < _FAR and r.x0 < box.x1 and r.x1 > box.x0 for r in shapes)

    def _prose_between(self, ruling: Ruling, caption: CaptionDraft) -> bool:
        rows = text_rows(self._lines(ruling.at, Ruling(caption.bbox.y0, ruling.start, ruling.end)))
        return self._is_prose(rows, Ruling(0, min((r.runs[0].x0 for r in rows), default=0), ruling.end), _PROSE_ROWS)

    def _region(self, caption: int | None, stack: list[Ruling]) -> Region:
        whole = [r for r in stack if _same_extent(r, stack[0])]
        box = Rect(min(r.start for r in whole), stack[0].at, max(r.end for r in whole), whole[-1].at)
        upright = [
            r
            for r in self._upright
            if box.x0 - 3 <= r.at <= box.x1 + 3 and min(r.end, box.y1) - max(r.start, box.y0) > 0.5 * r.length
        ]
        joins = joints(self._rules, box.y0, box.y1, box.x0, box.x1)
        return Region(caption, box, tuple(stack), tuple(upright), tuple(joins))


def _bounded(rulings: list[Ruling]) -> list[Ruling]:
    """The rulings of a page that draws few; the long ones of one that draws many; none beyond all bounds."""
    if len(rulings) > _MOST_RULES:
        rulings = [ruling for ruling in rulings if ruling.length >= _SHORTEST_ALONE]
    return rulings if len(rulings) <= _MOST_RULES else []


def _main_style(page: PageLayout) -> Style | None:
    weights: Counter[Style] = Counter()
    for line in page.lines:
        weights[line.style] += len(line.words)
    return weights.most_common(1)[0][0] if weights else None


def _same_extent(one: Ruling, other: Ruling) -> bool:
    return abs(one.start - other.start) <= _SAME_EDGE and abs(one.end - other.end) <= _SAME_EDGE


def _beside(box: Rect, ruling: Ruling) -> bool:
    """Whether a caption stands at the height of a rule, to its left or right."""
    aside = max(ruling.start - box.x1, box.x0 - ruling.end)
    return box.y0 - _SAME_EDGE <= ruling.at <= box.y1 and 0 < aside < _FAR


def _meets(box: Rect, ruling: Ruling) -> bool:
    return box.x0 < ruling.end and box.x1 > ruling.start
