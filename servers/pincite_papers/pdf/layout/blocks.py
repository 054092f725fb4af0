"""Drafts of blocks: lines that belong together, before they have offsets."""

from dataclasses import dataclass, field

from pincite_papers.model import BlockKind, Rect
from pincite_papers.pdf.elements import Line, Word


@dataclass(slots=True)
class Draft:
    """A block to be: its kind and its lines as (page index from 0, line), in reading order.

    ``order`` is its place among the lines of its first page. ``rows`` are the cells of a table, each cell its print
    lines of words; ``level`` is that of a heading, ``full`` whether a paragraph's last line reaches the right edge of
    its column, ``indented`` whether its first line is; ``run_in`` whether a heading stands on the line of its text.
    """

    kind: BlockKind
    lines: list[tuple[int, Line]]
    order: int = 0
    rows: list[list[tuple[tuple[Word, ...], ...]]] = field(default_factory=list[list[tuple[tuple[Word, ...], ...]]])
    source: object = None
    level: int = 0
    full: bool = False
    indented: bool = False
    run_in: bool = False

    @property
    def page(self) -> int:
        """The index of the page on which the block starts."""
        return self.lines[0][0]

    @property
    def text(self) -> str:
        """The lines joined by spaces, hyphens as printed."""
        return " ".join([word.text for _, line in self.lines for word in line.words])

    def rect(self) -> Rect:
        """The box of the part on the first page."""
        here = [line for page, line in self.lines if page == self.page]
        return Rect(
            min([x.x0 for x in here]), min([x.y0 for x in here]), max([x.x1 for x in here]), max([x.y1 for x in here])
        )
