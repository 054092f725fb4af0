"""Drafts of blocks: lines that belong together, before they have offsets."""

from dataclasses import dataclass, field

from pincite_papers.model import BlockKind, Rect, Span
from pincite_papers.pdf.elements import Line, Word


@dataclass(slots=True)
class CellText:
    """The print of a table's cell, its lines each the words from left to right; ``span`` is its range in the canonical
    text, None before that is assembled and where it is empty."""

    lines: tuple[tuple[Word, ...], ...] = ()
    span: Span | None = field(default=None, compare=False)


@dataclass(slots=True)
class Draft:
    """A block to be: its kind and its lines as (page index from 0, line), in reading order.

    ``order`` is its place among the lines of its first page. ``rows`` are the cells of a table; ``level`` is that of a
    heading, ``full`` whether a paragraph's last line reaches the right edge of its column, ``indented`` whether its
    first line is; ``run_in`` whether a heading stands on the line of its text. ``span`` is its range in the canonical
    text, None before that is assembled.
    """

    kind: BlockKind
    lines: list[tuple[int, Line]]
    order: int = 0
    rows: list[list[CellText]] = field(default_factory=list[list[CellText]])
    source: object = None
    level: int = 0
    full: bool = False
    indented: bool = False
    run_in: bool = False
    span: Span | None = field(default=None, compare=False)

    @property
    def place(self) -> Span:
        """Its range in the canonical text, for drafts that were assembled."""
        assert self.span is not None, "the draft was not assembled"
        return self.span

    @property
    def page(self) -> int:
        """The index of the page on which the block starts."""
        return self.lines[0][0]

    @property
    def text(self) -> str:
        """The lines joined by spaces, hyphens as printed."""
        return " ".join([line.text for _, line in self.lines])

    def rect(self) -> Rect:
        """The box of the part on the first page."""
        here = [line for page, line in self.lines if page == self.page]
        return Rect(
            min([x.x0 for x in here]), min([x.y0 for x in here]), max([x.x1 for x in here]), max([x.y1 for x in here])
        )
