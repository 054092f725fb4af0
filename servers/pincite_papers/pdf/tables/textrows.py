"""TextRows: the words of a region on one baseline, cut into runs at wide gaps."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from pincite_papers.model import Rect
from pincite_papers.pdf.elements import Line, PageLayout, Word

_SAME_ROW = 0.35
"""Type sizes, of the smaller print: lines whose baselines are no further from the first's make one row. Set by
judgement."""
WHOLE_LINE = 0.8
"""Type sizes from baseline to baseline of two lines of one cell at least; lines nearer than this stand side by side."""
RUN_GAP = 0.5
"""Words closer than this, in sizes, belong to one cell."""


@dataclass(slots=True)
class Run:
    """Words without a wide gap between them."""

    words: list[Word]
    x0: float
    x1: float

    @property
    def text(self) -> str:
        """The words joined by single spaces."""
        return " ".join(word.text for word in self.words)


def run_of(words: list[Word]) -> Run:
    """The run of ``words``, which stand from left to right."""
    return Run(words, words[0].x0, max(word.x1 for word in words))


@dataclass(slots=True)
class TextRow:
    """The runs on one baseline from left to right; ``size`` is the size of their print in points."""

    baseline: float
    y0: float
    y1: float
    size: float
    runs: list[Run]


def wide_parts(row: TextRow) -> list[int]:
    """How many words stand between gaps of a whole size."""
    words = [word for run in row.runs for word in run.words]
    wide = [number for number in range(1, len(words)) if words[number].x0 - words[number - 1].x1 > row.size]
    return [b - a for a, b in pairwise([0, *wide, len(words)])]


def lines_in(page: PageLayout, box: Rect, without: Iterable[int] = ()) -> list[int]:
    """The indices of the level lines whose middle stands in ``box``."""
    left_out = set(without)
    found: list[int] = []
    for index, line in enumerate(page.lines):
        if line.rotation or index in left_out:
            continue
        y = (line.y0 + line.y1) / 2
        if box.y0 <= y <= box.y1 and line.x1 > box.x0 and line.x0 < box.x1 and _inside(line, box):
            found.append(index)
    return found


def _inside(line: Line, box: Rect) -> bool:
    shared = min(line.x1, box.x1) - max(line.x0, box.x0)
    return shared >= 0.5 * (line.x1 - line.x0)


def text_rows(lines: list[Line]) -> list[TextRow]:
    """The lines as rows from top to bottom; lines at about one height make one row."""
    rows: list[TextRow] = []
    group: list[Line] = []
    for line in sorted(lines, key=lambda each: each.baseline):
        if group and line.baseline - group[0].baseline > _SAME_ROW * min(group[0].style.size, line.style.size):
            rows.append(_row(group))
            group = []
        group.append(line)
    return rows + ([_row(group)] if group else [])


def _row(lines: list[Line]) -> TextRow:
    size = median([line.style.size for line in lines])
    words = sorted((word for line in lines for word in line.words), key=lambda word: word.x0)
    runs: list[Run] = []
    for word in words:
        if runs and word.x0 - runs[-1].x1 < RUN_GAP * size:
            runs[-1].words.append(word)
            runs[-1].x1 = max(runs[-1].x1, word.x1)
        else:
            runs.append(Run([word], word.x0, word.x1))
    top, bottom = min(line.y0 for line in lines), max(line.y1 for line in lines)
    return TextRow(median([line.baseline for line in lines]), top, bottom, size, runs)
