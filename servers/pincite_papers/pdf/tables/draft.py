"""TableDraft: the cells that a page's geometry shows."""

from dataclasses import dataclass

from pincite_papers.model import Rect
from pincite_papers.pdf.elements import Word


@dataclass(frozen=True, slots=True)
class CellDraft:
    """A cell with text: origin from 0, spans from 1, its print lines, each the words from left to right."""

    row: int
    column: int
    row_span: int
    column_span: int
    lines: tuple[tuple[Word, ...], ...]
    bbox: Rect
    header: bool


@dataclass(frozen=True, slots=True)
class TableDraft:
    """A table of one page: ``caption`` is an index into the page's captions, None if it has none.

    ``cells`` stand in row order, empty ones left out; ``lines`` are the indices, in ``PageLayout.lines``, of the lines
    whose words the cells hold; ``notes`` those of the notes under it, or between it and its caption. ``ruled``: rules
    frame it. ``doubts`` say what of its reading is not certain.
    """

    caption: int | None
    bbox: Rect
    ruled: bool
    rows: int
    columns: int
    cells: tuple[CellDraft, ...]
    lines: tuple[int, ...]
    notes: tuple[int, ...] = ()
    doubts: tuple[str, ...] = ()
