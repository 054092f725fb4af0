"""The headings above a place in a paper."""

from bisect import bisect_right

from pincite_papers.model import BlockKind, Paper, Section
from pincite_papers.passages import section_name

BETWEEN = " > "
_HEADING_CHARS = 160
"""Characters of a heading in the path of a chunk."""


class Outline:
    """The headings above any place of a paper, worked out once."""

    def __init__(self, paper: Paper) -> None:
        self._paper = paper
        self._starts: list[int] = []
        self._paths: list[str] = []
        above: list[tuple[Section, str]] = []
        for section in paper.sections:
            self._leave(above, section.start)
            name = section_name(section)[:_HEADING_CHARS]
            path = above[-1][1] if above else ""
            if name and name != paper.title:
                path = f"{path}{BETWEEN}{name}" if path else name
            above.append((section, path))
            self._enter(section.start, path)
        self._leave(above, len(paper.text) + 1)

    def path(self, offset: int) -> str:
        """The headings around ``offset``, outermost first: "2 Methods > 2.1 Cells"; "Abstract", "" outside of all."""
        at = bisect_right(self._starts, offset) - 1
        path = self._paths[at] if at >= 0 else ""
        if path:
            return path
        block = bisect_right(self._paper.blocks, offset, key=lambda block: block.start) - 1
        return "Abstract" if block >= 0 and self._paper.blocks[block].kind is BlockKind.ABSTRACT else ""

    def _leave(self, above: list[tuple[Section, str]], before: int) -> None:
        """End the sections that end at ``before`` or earlier: what follows stands under those around them."""
        while above and above[-1][0].end <= before:
            ended, _ = above.pop()
            self._enter(ended.end, above[-1][1] if above else "")

    def _enter(self, start: int, path: str) -> None:
        self._starts.append(start)
        self._paths.append(path)
