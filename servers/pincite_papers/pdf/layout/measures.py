"""Measures of a whole paper: the style of its running text and its leading."""

from collections import Counter

from pincite_papers.pdf.elements import Line, PageLayout, Style
from pincite_papers.pdf.layout.sectionnames import is_references


def body_style(pages: list[PageLayout]) -> Style:
    """The style in which most characters of the paper are set, its reference list left out: a review's may be longer
    than its text."""
    lines = [line for page in pages for line in page.lines if not line.rotation]
    titled = [k for k, line in enumerate(lines) if k > len(lines) / 2 and is_references(line.text)]
    counts: Counter[Style] = Counter()
    for line in lines[: titled[-1] if titled else None]:
        counts[line.style] += sum([len(word.text) for word in line.words])
    return (
        max(counts, key=lambda style: (counts[style], style.size, style.font))
        if counts
        else Style("", 10, False, False)
    )


class Leading:
    """The usual distance of two baselines, in points, for text of each size."""

    def __init__(self, pages: list[PageLayout]) -> None:
        steps: dict[int, Counter[int]] = {}
        for page in pages:
            before: Line | None = None
            for line in page.lines:
                if before is not None and before.rotation == line.rotation == 0:
                    step = line.baseline - before.baseline
                    if 0.8 * line.style.size < step < 3.2 * line.style.size and before.style.size == line.style.size:
                        steps.setdefault(round(2 * line.style.size), Counter())[round(step * 4)] += 1
                before = line
        self._usual = {size: self._mode(counts) for size, counts in steps.items() if sum(counts.values()) > 3}

    @staticmethod
    def _mode(counts: Counter[int]) -> float:
        """The most common step, its neighbours a quarter point away counted with it."""
        best = max(counts, key=lambda step: (counts[step - 1] + counts[step] + counts[step + 1], -step))
        return best / 4

    def of(self, size: float) -> float:
        """The leading of text of ``size`` points."""
        return self._usual.get(round(2 * size), 1.2 * size)
