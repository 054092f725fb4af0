"""Find the captions of a page: a label at the start of a line that is set apart from the text above it."""

from dataclasses import replace
from itertools import pairwise
from math import inf

from pincite_papers.model import Rect
from pincite_papers.pdf.captions.draft import CaptionDraft, CaptionKind
from pincite_papers.pdf.captions.labels import Label, read_label
from pincite_papers.pdf.elements import Line, PageLayout, Style, Word
from pincite_papers.pdf.layout.turned import turned_page

_LEADING = 1.5
"""Type sizes from baseline to baseline: lines of one caption are at most so far apart where the page is not set wide,
and a line above a label at most so far to be of its paragraph. Set by judgement."""
_WIDEST_LEADING = 2.6
"""Type sizes from baseline to baseline: a wider step is not leading, and a row further down not the next of a table.
Came with double-spaced captions (``test_a_double_spaced_caption_is_whole``); set by judgement."""
_SAME_LEADING = 1.08
"""How many times the usual leading a step within a caption may be, where that is more than ``_LEADING``. Set by
judgement."""
_CLOSER = 0.85
"""Of the step before: within a caption that is set wide the steps are alike (0.97 to 1.03); its table is closer."""
_TEXT_WIDTH = 15
"""Type sizes: a line of text is wider, a cell of a table narrower (a column of a two-column page has 25 and more)."""
_AFTER_LABEL = 2.6
"""Type sizes from a label on a line of its own to its caption at most (APA: 2.4)."""
_FEWEST_STEPS = 6
"""Count of steps between lines of text of a size from which on their leading is known. Set by judgement."""

_SAME_SIZE = 0.06
"""The share by which lines of one caption may differ in size, and a line above a label from it without being set apart
by its size. Set by judgement."""
_SMALLER = 0.96
"""The share of the size of running text: smaller print is set apart from it, as captions are. Set by judgement."""
_MOST_CAPTIONS = 100
"""Count of captions of one direction on a page: the search ends there. A bound on cost, added with that on rules."""
_LINES_BACK = 40
"""Count of lines before a label among which the last line of running text is looked for. A bound, set by judgement."""
_LEADING_WORDS = frozenset(
    ("in", "see", "and", "of", "by", "from", "to", "with", "or", "also", "cf.", "e.g.", "on", "as")
)
_TITLED = (":", "|", "¦")
_SHORT = 0.75
"""The share of the width of a label's line: a line above that ends further left ends a paragraph, so that a label with
a colon or bar starts a caption though it stands close. Set by judgement."""
_SMALL_CAPITALS = 0.7
"""The share of a type's size that its small capitals have at least (0.75 to 0.8 in TeX's fonts)."""
_OUTDENT = 5.0
"""Type sizes: a line above that starts further to the right of a label than this is not of its paragraph. Set by
judgement."""
_SAME_ROW = 0.35
"""Type sizes: words of lines whose baselines differ by less make one row of a table. Set by judgement."""
_ROWS = 3
"""Count of rows that are looked at for wide gaps: a line of the caption and those below it. Set by judgement."""
_WIDE_GAP = 1.0
"""Type sizes of white between words that part the cells of a table; the spaces of a justified line are narrower."""


def find_captions(page: PageLayout, body_style: Style, before: Line | None = None) -> list[CaptionDraft]:
    """The captions of ``page``, level ones first; ``body_style`` is the style of the paper's running text.

    ``before`` is the last line of running text on the page before.
    """
    found = _find_level(page, body_style, before)
    for turn in (90, 270):
        if any(line.rotation == turn and line.words and _label_of(line) for line in page.lines):
            view = turned_page(page, turn)
            turned = _find_level(view.page, body_style, None)
            found += [replace(caption, bbox=view.restore(caption.bbox), turn=turn) for caption in turned]
    return found


def _find_level(page: PageLayout, body_style: Style, before: Line | None) -> list[CaptionDraft]:
    starts: dict[int, Label] = {}
    for index, line in enumerate(page.lines):
        if line.rotation or not line.words:
            continue
        label = _label_of(line)
        if label is not None and _is_set_apart(page, index, label, body_style, before):
            starts[index] = label
            if len(starts) == _MOST_CAPTIONS:
                break
    return [_caption(page, index, label, starts, body_style) for index, label in starts.items()]


def _label_of(line: Line) -> Label | None:
    first = line.words[0].text
    if first[0] not in "FTSCBALPVMEOW":
        return None
    return read_label(" ".join(word.text for word in line.words[:6]))


def _is_set_apart(page: PageLayout, index: int, label: Label, body: Style, before: Line | None) -> bool:
    """Whether a label starts a caption and no sentence: its sign, its style, its size and the room above decide."""
    line = page.lines[index]
    rest, own = _after_label(line, label)
    beside = _beside(page, index) if not rest else None
    distinct = (own.bold and not body.bold) or (bool(rest) and _differs(own, rest[0].style))
    small = line.style.size < _SMALLER * body.size
    above = _line_above(page, index)
    if not distinct and (_runs_into(page, index, label, body, before) if above is None else not _apart(above, line)):
        return (
            above is not None
            and label.sign in _TITLED
            and bool(rest)
            and above.x1 < line.x0 + _SHORT * (line.x1 - line.x0)
        )
    if label.sign or distinct:
        return True
    titled = above is None and bool(rest) and rest[0].text[:1].isupper()
    return small or titled or line.style.font != body.font or (not rest and beside is None)


def _runs_into(page: PageLayout, index: int, label: Label, body: Style, before: Line | None) -> bool:
    """Whether the line is the rest of a sentence that breaks off at the foot of the column, or page, before."""
    line = page.lines[index]
    if label.sign in _TITLED or abs(line.style.size - body.size) > 0.5 or line.style.font != body.font:
        return False
    for other in reversed(page.lines[max(index - _LINES_BACK, 0) : index]):
        if not other.rotation and other.style.font == body.font and abs(other.style.size - body.size) < 0.5:
            before = other
            break
    return before is not None and bool(before.words) and before.words[-1].text.strip("(").casefold() in _LEADING_WORDS


def _after_label(line: Line, label: Label) -> tuple[list[Word], Style]:
    """The words after the label, and the style of the label itself."""
    seen = 0
    for position, word in enumerate(line.words):
        seen += len(word.text) + (position > 0)
        if seen >= label.end:
            return line.words[position + 1 :], line.words[position].style
    return [], line.words[0].style


def _differs(one: Style, other: Style) -> bool:
    return one.bold != other.bold or one.font != other.font


def _beside(page: PageLayout, index: int) -> int | None:
    """The line on the same baseline to the right within four sizes, parted from a label by its wide space."""
    line = page.lines[index]
    for other in range(index + 1, min(index + 3, len(page.lines))):
        there = page.lines[other]
        level = abs(there.baseline - line.baseline) < 0.2 * line.style.size
        if level and 0 <= there.x0 - line.x1 < 4 * line.style.size:
            return other
    return None


def _line_above(page: PageLayout, index: int) -> Line | None:
    """The nearest line above that shares the column and stands within the leading of a paragraph."""
    line = page.lines[index]
    best: Line | None = None
    for other in page.lines:
        if other.rotation or not line.baseline - _LEADING * line.style.size <= other.baseline < line.baseline - 2:
            continue
        if other.x0 < line.x1 and other.x1 > line.x0 and (best is None or other.baseline > best.baseline):
            best = other
    return best


def _apart(above: Line, line: Line) -> bool:
    """Whether the line above belongs to something else: another size, or a right edge and start that do not match."""
    if abs(above.style.size - line.style.size) > _SAME_SIZE * line.style.size:
        return True
    if above.x0 - line.x0 > _OUTDENT * line.style.size:
        return True
    return above.x0 > line.x1 or above.x1 < line.x0 or (line.x0 - above.x0 > 0.5 * (above.x1 - above.x0))


def _widest_step(page: PageLayout, size: float, body: float) -> float:
    """The widest step from a caption's line to its next, in points: more where the page is set with wide leading.

    The leading is that of the lines of the caption's size, or of the body's where these are few.
    """
    usual = _leading(page, size) or _leading(page, body)
    return max(_LEADING * size, _SAME_LEADING * usual)


def _closer(page: PageLayout, lines: list[int], usual: float) -> bool:
    """Whether the last of three lines follows closer than the second, which was set wide: a row below the caption."""
    if len(lines) < 3:
        return False
    first, second, third = (page.lines[each].baseline for each in lines)
    return second - first > usual and third - second < _CLOSER * (second - first)


def _leading(page: PageLayout, size: float) -> float:
    """The usual step from a line of text of a size to the next, in points; 0 where there are few of them."""
    steps = [
        below.baseline - above.baseline
        for above, below in pairwise(page.lines)
        if abs(above.style.size - size) < 0.5 > abs(below.style.size - size)
        and above.x1 - above.x0 > _TEXT_WIDTH * size
        and not above.rotation | below.rotation
    ]
    wide = sorted(step for step in steps if 0.5 * size < step < _WIDEST_LEADING * size)
    return wide[len(wide) // 2] if len(wide) >= _FEWEST_STEPS else 0.0


def _caption(page: PageLayout, index: int, label: Label, starts: dict[int, Label], body: Style) -> CaptionDraft:
    lines = [index]
    beside = _beside(page, index)
    if beside is not None and beside not in starts:
        lines.append(beside)
    size = max(page.lines[each].style.size for each in lines)
    widest = _widest_step(page, size, body.size)
    if beside is None and not _after_label(page.lines[index], label)[0]:
        lines += _title_below(page, index, size, starts, body)
    while (following := _next_line(page, lines, size, widest, starts)) is not None:
        if _closer(page, [*lines[-2:], following], _LEADING * size):
            break
        lines.append(following)
    lines += _second_column(page, lines, size, starts)
    if label.kind is CaptionKind.TABLE:
        lines = _without_rows(page, lines)
    box = [page.lines[each] for each in lines]
    rect = Rect(min(x.x0 for x in box), min(x.y0 for x in box), max(x.x1 for x in box), max(x.y1 for x in box))
    return CaptionDraft(label.kind, label.text, tuple(lines), rect)


def _without_rows(page: PageLayout, lines: list[int]) -> list[int]:
    """The lines of a table's caption up to the first that is a row of the table.

    A row lies on a ground of its own, or it and one of the two rows below it are parted by wide gaps.
    """
    for number, index in enumerate(lines[1:], 1):
        line, above = page.lines[index], page.lines[lines[number - 1]]
        if line.baseline <= above.baseline + 1:
            continue
        box = [page.lines[each] for each in lines[:number]]
        left, right = min(each.x0 for each in box), max(*(each.x1 for each in box), line.x1)
        if _on_ground(page, line, above) or _starts_rows(page, line, left, right):
            return lines[:number]
    return lines


def _on_ground(page: PageLayout, line: Line, above: Line) -> bool:
    """Whether something filled is drawn behind a line and not behind the line above it."""
    y, over = (line.y0 + line.y1) / 2, (above.y0 + above.y1) / 2
    return any(
        box.y0 < y < box.y1 and not box.y0 < over < box.y1 and box.x0 < line.x1 and box.x1 > line.x0
        for box in page.drawings
    )


def _starts_rows(page: PageLayout, line: Line, left: float, right: float) -> bool:
    """Whether ``line``, and one of the two rows under it, have wide gaps between ``left`` and ``right``."""
    size = line.style.size
    near = [each for each in page.lines if not each.rotation and each.x0 < right and each.x1 > left]
    baseline = line.baseline
    parted: list[bool] = []
    for _ in range(_ROWS):
        words = [word for each in near if abs(each.baseline - baseline) < _SAME_ROW * size for word in each.words]
        words.sort(key=lambda word: word.x0)
        parted.append(any(after.x0 - before.x1 > _WIDE_GAP * size for before, after in pairwise(words)))
        lower = min((each.baseline for each in near if each.baseline > baseline + _SAME_ROW * size), default=inf)
        if not parted[0] or lower - baseline > _WIDEST_LEADING * size:
            break
        baseline = lower
    return parted[0] and any(parted[1:])


def _title_below(page: PageLayout, index: int, size: float, starts: dict[int, Label], body: Style) -> list[int]:
    """The first line under a label on a line of its own, over more room than within a caption, set unlike the text."""
    below = _next_line(page, [index], size, _AFTER_LABEL * size, starts)
    if below is None:
        return []
    line = page.lines[below]
    unlike = line.style.font != body.font or line.style.size < _SMALLER * body.size
    label = page.lines[index]
    centred = abs(line.x0 + line.x1 - label.x0 - label.x1) < size
    return [below] if unlike and (centred or abs(line.x0 - label.x0) < size) else []


def _second_column(page: PageLayout, lines: list[int], size: float, starts: dict[int, Label]) -> list[int]:
    """The second column of a caption that is set in two: at the height of its first line, in the same style."""
    first, last = page.lines[lines[0]], page.lines[lines[-1]]
    index = lines[-1] + 1
    if len(lines) < 2 or index >= len(page.lines) or index in starts:
        return []
    line = page.lines[index]
    level = abs(line.baseline - first.baseline) < 0.2 * size and line.x0 > max(page.lines[i].x1 for i in lines)
    if not level or line.style != last.style or line.rotation:
        return []
    found = [index]
    while (following := _next_line(page, found, size, _LEADING * size, starts)) is not None:
        found.append(following)
    return found


def _next_line(page: PageLayout, lines: list[int], size: float, widest: float, starts: dict[int, Label]) -> int | None:
    """The line that carries a caption on: at most ``widest`` points below, in its column and size, no rule between."""
    first, last = page.lines[lines[0]], page.lines[lines[-1]]
    left = min(page.lines[each].x0 for each in lines)
    right = max(page.lines[each].x1 for each in lines)
    candidates = range(lines[-1] + 1, min(lines[-1] + 4, len(page.lines)))
    for index in candidates:
        line = page.lines[index]
        if line.rotation or index in starts or index in lines:
            continue
        step = line.baseline - last.baseline
        if abs(step) < 0.2 * size and 0 <= line.x0 - last.x1 < 4 * size:
            return index
        if not 0.5 * size < step <= widest or line.x0 > right or line.x1 < left:
            continue
        alike = abs(line.style.size - first.style.size) <= _SAME_SIZE * size or _in_small_capitals(line, size)
        if not alike and len(line.text) > 3:
            continue
        centred = abs(line.x0 + line.x1 - first.x0 - first.x1) < size
        if (line.x0 < left - 2 * size and not centred) or _rule_between(page, last, line):
            continue
        return index
    return None


def _in_small_capitals(line: Line, size: float) -> bool:
    """Whether a line is printed in small capitals of a type of ``size``, as a table's title in IEEE journals; Greek
    has none."""
    return not any("a" <= letter <= "z" for letter in line.text) and _SMALL_CAPITALS * size < line.style.size < size


def _rule_between(page: PageLayout, upper: Line, lower: Line) -> bool:
    return any(
        rule.horizontal
        and upper.baseline - 1 < rule.y0 < lower.baseline - 0.4 * lower.style.size
        and rule.x0 < lower.x1
        and rule.x1 > lower.x0
        and rule.x1 - rule.x0 > 20
        for rule in page.rules
    )
