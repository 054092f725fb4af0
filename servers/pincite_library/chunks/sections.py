"""The headings above a place in a paper."""

from bisect import bisect_right

from pincite_papers.model import Paper
from pincite_papers.passages import section_at, section_name

BETWEEN = " > "
_HEADING_CHARS = 160


class Outline:
    """The sections of a paper, asked for many places."""

    def __init__(self, paper: Paper) -> None:
        self._paper = paper
        self._starts = [section.start for section in paper.sections]
        self._paths: list[str] = []
        above: list[int] = []
        for number, section in enumerate(paper.sections):
            while above and paper.sections[above[-1]].end <= section.start:
                above.pop()
            above.append(number)
            names = [section_name(paper.sections[k]) for k in above]
            self._paths.append(BETWEEN.join(name[:_HEADING_CHARS] for name in names if name and name != paper.title))

    def path(self, offset: int) -> str:
        """The headings around ``offset``, outermost first: "2 Methods > 2.1 Cells"; "Abstract", "" outside of all."""
        at = bisect_right(self._starts, offset) - 1
        sections = self._paper.sections
        while at >= 0:
            if offset < sections[at].end:
                return self._paths[at]
            at -= 1
        return section_at(self._paper, offset)
