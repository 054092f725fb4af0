"""Line numbers: counts of the lines in a margin, every line or every fifth, on one page or running on."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from statistics import median
from typing import TypeVar

import numpy as np

from pincite_papers.model import Furniture, FurnitureKind, Rect
from pincite_papers.pdf.elements import Line, PageLayout, Word

_STEPS = (1, 2, 5, 10)
"""Steps in which lines are counted in a margin."""
_FEWEST = {1: 5, 2: 5, 5: 3, 10: 3}
_NEAR = 2.5
"""Points from one number to the next in the order of their edges: more parts two columns of numbers. Set by
judgement."""
_MOST_GROUPS = 16
"""Columns of numbers of a page's side that are looked at, the longest first; bounds the time on pages of tables. Set
by judgement."""
_OUTSIDE = 0.03
"""Share of the page's words that may reach past a column of line numbers; with more it stands among the words. Set by
judgement."""
_TALL = 0.5
"""Share of the page's height: a column of numbers between two columns of text counts lines only where it is taller.
Set by judgement."""
_COUNTED = (0.6, 1.7)
"""How many lines of text there are to each line that the numbers count, at least and at most."""


_EVEN, _MOSTLY_EVEN = 0.25, 0.7
"""Share by which steps from number to number differ from the usual one, and share of the steps that do not: entries of
a reference list take one line or two (0.5 to 0.65), lines of text are even but for their headings."""
_CELL_GAP = 1.5
"""Type sizes between two words of a baseline beyond which they stand in two cells: a gutter or a table's gap."""
_FEWEST_CELLS = 3
"""The number and the two columns of a page are no more cells."""
_ROWS = 0.5
"""Share of the numbers that stand before table rows from which on they number the rows and not the lines of text; a
manuscript with line numbers has fewer tables than text."""
_SIGNS_AND_DIGITS = frozenset("0123456789.<>≤≥~≈±+-−–")
_T = TypeVar("_T")


@dataclass(slots=True)
class _Number:
    """A number at the start (or end) of a line, or alone on it."""

    line: Line
    word: Word
    value: int
    last: bool


@dataclass(slots=True)
class _Column:
    """The numbers of one page that stand below each other and count by ``step``.

    ``side`` tells start from end and the numbers' right from left edge, ``x`` is that edge; ``counts``: text lines.
    """

    page: int
    side: int
    x: float
    numbers: list[_Number]
    step: int
    counts: bool


def take_line_numbers(pages: list[PageLayout], found: list[list[Furniture]]) -> None:
    """Take numbers that count the lines in a margin out of the lines of each page, into ``found``, page by page."""
    columns = [column for k, page in enumerate(pages) for column in _columns(k, page)]
    ranked = [group for side in (0, 1, 2, 3) for group in _near([c for c in columns if c.side == side], lambda c: c.x)]
    ranked.sort(key=lambda each: -sum(len(column.numbers) for column in each))
    taken: dict[int, tuple[int, _Number]] = {}
    for same in ranked:
        several = [column for column in same if len(column.numbers) > 1]
        step = Counter(column.step for column in several).most_common(1)
        sound = sum(len(column.numbers) for column in several if column.counts)
        if not step or sound < max(_FEWEST[step[0][0]], sum(len(column.numbers) for column in several) / 3):
            continue
        if _number_rows(pages, several):
            continue
        for column in same:
            if column.step not in {0, step[0][0]} or (not column.step and not _lone(pages, column, step[0][0])):
                continue
            for number in column.numbers:
                taken[id(number.word)] = column.page, number
    for k, number in sorted(taken.values(), key=lambda each: (each[0], each[1].line.baseline, each[1].word.x0)):
        _cut(pages[k], number, found[k])


def _columns(k: int, page: PageLayout) -> list[_Column]:
    """The columns of numbers in the margins of a page, those of a single number too."""
    result: list[_Column] = []
    extents: _Extents | None = None
    for last in (False, True):
        edge = -1 if last else 0
        numeric = [line for line in page.lines if line.words[edge].text.isdecimal()]
        found = [number for line in numeric if (number := _number(line, last=last)) is not None]
        groups = [(2 * last, group) for group in _near(found, lambda each: each.word.x1)]
        groups += [(2 * last + 1, group) for group in _near(found, lambda each: each.word.x0)]
        for side, numbers in sorted(groups, key=lambda each: -len(each[1]))[:_MOST_GROUPS]:
            numbers.sort(key=lambda each: each.line.baseline)
            step = _step([each.value for each in numbers])
            x = numbers[0].word.x0 if side % 2 else numbers[0].word.x1
            if step == 0:
                result.append(_Column(k, side, x, numbers, step, counts=False))
            if not step:
                continue
            extents = extents or _Extents(page)
            place = _place(page, extents, numbers, last=last)
            if place is not None:
                result.append(_Column(k, side, x, numbers, step, place and _counts(page, numbers, step)))
    return result


def _lone(pages: list[PageLayout], column: _Column, step: int) -> bool:
    """Whether the only number in a margin of its page may count lines by ``step``."""
    page, (number,) = pages[column.page], column.numbers
    fits = number.value % step == 0
    return fits and _place(page, _Extents(page), column.numbers, last=number.last) is not None


def _near(items: list[_T], place: Callable[[_T], float]) -> list[list[_T]]:
    """Items in groups: each within a few points of the one before."""
    groups: list[list[_T]] = []
    for item in sorted(items, key=place):
        if groups and place(item) - place(groups[-1][-1]) <= _NEAR:
            groups[-1].append(item)
        else:
            groups.append([item])
    return groups


def _number(line: Line, *, last: bool) -> _Number | None:
    word = line.words[-1 if last else 0]
    plain = word.text.isdecimal() and word.text.isascii() and len(word.text) < 6 and not line.rotation
    return _Number(line, word, int(word.text), last) if plain else None


def _step(values: list[int]) -> int | None:
    """What the values count by: 0 for a single value, None where they do not count; a few may be missing."""
    if len(values) == 1:
        return 0
    steps = [b - a for a, b in pairwise(values)]
    usual = min(steps)
    even = all(step % usual == 0 for step in steps) if usual > 0 else False
    return usual if even and usual in _STEPS and steps.count(usual) >= 0.7 * len(steps) else None


class _Extents:
    """The left and right edges of a page's words, as arrays; a number alone on its line is none of them."""

    def __init__(self, page: PageLayout) -> None:
        lines = [line.words for line in page.lines if not line.rotation]
        words = [word for line in lines if len(line) > 1 or not line[0].text.isdigit() for word in line]
        self.x0 = np.array([word.x0 for word in words])
        self.x1 = np.array([word.x1 for word in words])


def _place(page: PageLayout, extents: _Extents, numbers: list[_Number], *, last: bool) -> bool | None:
    """Whether numbers stand where lines are counted: True outside of nearly all words of the page or down most of it
    between columns, False in a shorter stretch between columns, None among the words."""
    # The numbers themselves are outside and overlap, those that share their line with words.
    own = sum(len(number.line.words) > 1 for number in numbers)
    words = len(extents.x0) - own
    if not words:
        return None
    x0, x1 = min(n.word.x0 for n in numbers), max(n.word.x1 for n in numbers)
    beyond, before = extents.x1 > x0, extents.x0 < x1
    if int(np.count_nonzero(beyond if last else before)) - own <= _OUTSIDE * words:
        return True
    if int(np.count_nonzero(beyond & before)) > own:
        return None
    return numbers[-1].line.baseline - numbers[0].line.baseline > _TALL * page.height


def _number_rows(pages: list[PageLayout], columns: list[_Column]) -> bool:
    """Whether numbers stand mostly before the rows of tables: three or more cells beside the number, or a value."""
    rows = total = 0
    for column in columns:
        placed = [
            (line.baseline, word) for line in pages[column.page].lines if not line.rotation for word in line.words
        ]
        baselines = np.array([baseline for baseline, _ in placed])
        for number in column.numbers:
            beside = np.flatnonzero(np.abs(baselines - number.line.baseline) < number.word.style.size / 3)
            row = sorted((placed[k][1] for k in beside), key=lambda word: word.x0)
            size = max((word.style.size for word in row), default=number.word.style.size)
            starts = [k for k in range(1, len(row)) if row[k].x0 - row[k - 1].x1 > _CELL_GAP * size]
            cells = [row[start:end] for start, end in pairwise([0, *starts, len(row)])]
            rows += len(cells) > _FEWEST_CELLS or any(map(_is_value, cells[1:]))
            total += 1
    return rows > _ROWS * total


def _is_value(cell: list[Word]) -> bool:
    """Whether a cell is a number and no more, as beside a row's number and never beside that of a line of text."""
    return len(cell) == 1 and cell[0].text[:1] in _SIGNS_AND_DIGITS and any(map(str.isdigit, cell[0].text))


def _counts(page: PageLayout, numbers: list[_Number], step: int) -> bool:
    """Whether as many lines of text stand beside the numbers as these count."""
    top, bottom = numbers[0].line.baseline - 1, numbers[-1].line.baseline + 1
    own = {id(number.word) for number in numbers}
    text = [line for line in page.lines if not line.rotation and any(id(word) not in own for word in line.words)]
    size = numbers[0].word.style.size
    heights = {round(line.baseline / max(size / 2, 1)) for line in text if top <= line.baseline <= bottom}
    lines = sum(1 for height in heights if height - 1 not in heights)
    counted = numbers[-1].value - numbers[0].value + 1
    steps = [below.line.baseline - above.line.baseline for above, below in pairwise(numbers)]
    usual = median(steps) if steps else 0.0
    even = sum(abs(each - usual) < _EVEN * usual for each in steps)
    if step == 1 and even < _MOSTLY_EVEN * len(steps):
        return False
    return _COUNTED[0] * counted <= lines <= _COUNTED[1] * counted + step


def _cut(page: PageLayout, number: _Number, apart: list[Furniture]) -> None:
    line, word = number.line, number.word
    line.words.remove(word)
    apart.append(Furniture(FurnitureKind.LINE_NUMBER, word.text, Rect(word.x0, word.y0, word.x1, word.y1)))
    if line.words:
        line.x0, line.x1 = min(w.x0 for w in line.words), max(w.x1 for w in line.words)
        line.y0, line.y1 = min(w.y0 for w in line.words), max(w.y1 for w in line.words)
        line.style = line.words[0].style
    else:
        page.lines = [other for other in page.lines if other is not line]
