"""Running text: which lines of a page are body text, headings and notes, and can be no label of a figure."""

from collections import Counter
from collections.abc import Collection
from dataclasses import dataclass
from itertools import pairwise

from pincite_papers.pdf.elements import Line, PageLayout, Style

_SAME_SIZE = 0.06
"""The share of the type size of a line by which the next one may differ to be of the same block. Set by judgement."""
_NEAR_SIZE = 0.12
"""The share of the main type size of a page by which a line may differ to be of that style. Set by judgement."""
_LEADING = 1.7
"""In type sizes of the line: baselines this far apart or farther are not of one block. Set by judgement."""
_WORDS = 5
"""Count of words that begin with two letters: a line of so many may be running text, a shorter one a label. Neighbours
in a block need one less, lines in the main font three. Set by judgement."""
_FLUSH = 2.5
"""Points by which the right edges of two lines of one block may differ; left edges by this or an indent of 2.5 type
sizes. Set by judgement."""
_MANY_LINES = 3
"""Count of lines of words that start at one place, to a point: so many are a column, fewer are not. Set by
judgement."""
_FEW_WORDS = 60
"""Count of words in the commonest style of a page: with fewer, the main style of the paper is taken instead. Set by
judgement."""


@dataclass(frozen=True, slots=True)
class Running:
    """The main style of a page, its ``prose`` lines (indices) and those ``free`` to be labels."""

    font: str
    size: float
    prose: frozenset[int]
    free: tuple[int, ...]

    def like_text(self, line: Line) -> bool:
        """Whether a line is set as the running text is, or larger, as headings are."""
        size = line.style.size
        return size > 1.15 * self.size or (line.style.font == self.font and abs(size - self.size) < 0.05 * self.size)


def find_running(page: PageLayout, apart: Collection[int], body: Style | None = None) -> Running:
    """The running text of a page; ``apart`` are the lines of captions and tables, ``body`` the paper's main style.

    A page of few words has no main style of its own.
    """
    weights: Counter[tuple[str, float]] = Counter()
    for k, line in enumerate(page.lines):
        if k not in apart:
            weights[line.style.font, line.style.size] += len(line.words)
    (font, size), words = weights.most_common(1)[0] if weights else (("", 10.0), 0)
    if body is not None and words < _FEW_WORDS:
        font, size = body.font, body.size
    free = [k for k in range(len(page.lines)) if k not in apart]
    lefts = Counter(round(page.lines[k].x0) for k in free if _wordy(page.lines[k], _WORDS))
    prose: set[int] = set()
    for place, k in enumerate(free):
        line = page.lines[k]
        if line.rotation:
            continue
        main = abs(line.style.size - size) <= _NEAR_SIZE * size
        enough = _wordy(line, _WORDS) or (line.style.font == font and _wordy(line, 3))
        flush, block = _flush(line, lefts), _in_block(page, free, place)
        if (main and enough and (flush or block)) or (not main and _wordy(line, _WORDS) and flush and block):
            prose.add(k)
    _spread(page, free, prose)
    return Running(font, size, frozenset(prose), tuple(free))


def _wordy(line: Line, least: int) -> bool:
    """Whether a line has so many words that begin with two letters."""
    return sum([word.text[:2].isalpha() for word in line.words]) >= least


def _flush(line: Line, lefts: Counter[int]) -> bool:
    """Whether a line starts where several others of the page do, or at the indent of a paragraph."""
    at = round(line.x0)
    near = sum(lefts[at + step] for step in (-1, 0, 1))
    if near >= _MANY_LINES:
        return True
    return any(lefts[at - back] >= _MANY_LINES for back in range(2, round(2.5 * line.style.size)))


def _in_block(page: PageLayout, free: list[int], place: int) -> bool:
    """Whether the line before or after in the stream is of the same block."""
    line = page.lines[free[place]]
    return any(
        0 <= other < len(free)
        and _follows(line, page.lines[free[other]])
        and _wordy(page.lines[free[other]], _WORDS - 1)
        for other in (place - 1, place + 1)
    )


def _follows(one: Line, other: Line) -> bool:
    """Whether two lines are of one block: same style, one leading apart, the same left or right edge."""
    size = one.style.size
    step = abs(one.baseline - other.baseline)
    if other.rotation or abs(other.style.size - size) > _SAME_SIZE * size or not 0.5 * size < step < _LEADING * size:
        return False
    if other.x0 > one.x1 or other.x1 < one.x0:
        return False
    return abs(one.x0 - other.x0) < _FLUSH or abs(one.x1 - other.x1) < _FLUSH or abs(one.x0 - other.x0) < 2.5 * size


def _spread(page: PageLayout, free: list[int], prose: set[int]) -> None:
    """Add the last, short lines of paragraphs."""
    for before, k in pairwise(free):
        line, above = page.lines[k], page.lines[before]
        down = line.baseline > above.baseline
        same = line.style.font == above.style.font and abs(line.x0 - above.x0) < 2.5 * line.style.size
        if k not in prose and before in prose and not line.rotation and down and same and _follows(above, line):
            prose.add(k)
