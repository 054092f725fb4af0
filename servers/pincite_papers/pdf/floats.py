"""Floats of a page: its captions, tables and figures as blocks, and the lines that are left to run."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from pincite_papers.model import BlockKind, Cell, Figure, Span, Table
from pincite_papers.pdf.assemble import Assembled
from pincite_papers.pdf.captions import CaptionDraft, find_captions
from pincite_papers.pdf.elements import Line, PageLayout, Style
from pincite_papers.pdf.figures import FigureDraft, find_figures, page_figure
from pincite_papers.pdf.figures.paint import Boxes, recurring
from pincite_papers.pdf.figures.panels import find_panels
from pincite_papers.pdf.layout.blocks import CellText, Draft
from pincite_papers.pdf.tables import TableDraft, find_tables

_EDGE = 24.0
"""Points beside a box within which a line belongs to it. Set by judgement."""


@dataclass(slots=True)
class Floats:
    """What floats on a page: ``drafts`` are its blocks, ``running`` the other lines as (place among the lines, line).

    ``captions``, ``tables`` and ``figures`` pair each find with its block; a figure without text has none.
    """

    page: int
    captions: list[tuple[CaptionDraft, Draft]] = field(default_factory=list[tuple[CaptionDraft, Draft]])
    tables: list[tuple[TableDraft, Draft]] = field(default_factory=list[tuple[TableDraft, Draft]])
    figures: list[tuple[FigureDraft, Draft | None]] = field(default_factory=list[tuple[FigureDraft, Draft | None]])
    drafts: list[Draft] = field(default_factory=list[Draft])
    running: list[tuple[int, Line]] = field(default_factory=list[tuple[int, Line]])

    def to_tables(self, assembled: Assembled) -> list[Table]:
        """The page's tables with the ranges of their cells in the canonical text."""
        found: list[Table] = []
        for table, draft in self.tables:
            cells: list[Cell] = []
            for cell in table.cells:
                placed = draft.rows[cell.row][cell.column]
                span = placed.span
                if span is not None and placed.lines is cell.lines:
                    cells.append(
                        Cell(
                            cell.row,
                            cell.column,
                            cell.row_span,
                            cell.column_span,
                            assembled.text[span.start : span.end],
                            span.start,
                            span.end,
                            self.page + 1,
                            cell.bbox,
                            cell.header,
                        )
                    )
            span = draft.place
            label, caption = self._caption(table.caption)
            found.append(
                Table(
                    label,
                    self.page + 1,
                    table.bbox,
                    span.start,
                    span.end,
                    table.rows,
                    table.columns,
                    tuple(cells),
                    caption,
                    table.ruled,
                    doubts=table.doubts,
                )
            )
        return found

    def to_figures(self, assembled: Assembled) -> list[Figure]:
        """The page's figures with the ranges of their captions and of the text inside them."""
        found: list[Figure] = []
        for figure, draft in self.figures:
            label, caption = self._caption(figure.caption)
            text = draft.place if draft is not None else None
            words = "" if caption is None else assembled.text[caption.start : caption.end]
            lines = [line for _, line in draft.lines] if draft is not None else []
            panels = find_panels(lines, words, caption.start if caption is not None else 0)
            found.append(Figure(label, self.page + 1, figure.bbox, caption, text, figure.kind, panels))
        return found

    def _caption(self, index: int | None) -> tuple[str, Span | None]:
        if index is None:
            return "", None
        caption, draft = self.captions[index]
        return caption.label, draft.place


def find_floats(pages: Sequence[PageLayout], body: Style) -> list[Floats]:
    """The floats of each page of a paper whose running text is set in ``body``."""
    furniture = recurring(pages)
    found: list[Floats] = []
    before: Line | None = None
    for page in pages:
        found.append(_find_floats(page, body, furniture, before))
        before = next((line for line in reversed(page.lines) if line.style == body and not line.rotation), before)
    for number, floats in enumerate(found):
        _fetch_figure(floats, number, found, pages, furniture, body)
    return found


def _fetch_figure(
    floats: Floats, number: int, found: list[Floats], pages: Sequence[PageLayout], furniture: Boxes, body: Style
) -> None:
    """Bind a caption without a figure on its page to the figure that fills the page before or after."""
    lone = [
        (place, figure.caption)
        for place, (figure, _) in enumerate(floats.figures)
        if not figure.found and figure.caption is not None
    ]
    if len(lone) != 1:
        return
    [(place, caption)] = lone
    for other in (number - 1, number + 1):
        if not 0 <= other < len(pages) or found[other].captions:
            continue
        boxes = [table.bbox for table, _ in found[other].tables]
        whole = page_figure(pages[other], boxes, furniture, body)
        if whole is None:
            continue
        there = found[other]
        taken = set(whole.lines)
        running = [(k, line) for k, line in there.running if k not in taken]
        inside = [k for k, _ in there.running if k in taken]
        there.running = running
        draft = _block(there, pages[other], BlockKind.FIGURE, inside, taken) if inside else None
        draft = next((block for _, block in there.figures if block is not None), draft)
        there.captions.append(floats.captions[caption])
        there.figures = [(replace(whole, caption=len(there.captions) - 1), draft)]
        del floats.figures[place]
        return


def _find_floats(page: PageLayout, body: Style, furniture: Boxes, before: Line | None) -> Floats:
    captions = find_captions(page, body, before)
    tables = find_tables(page, captions)
    floats = Floats(page.number - 1)
    taken: set[int] = set()
    for caption in captions:
        draft = _block(floats, page, BlockKind.CAPTION, caption.lines, taken)
        floats.captions.append((caption, draft))
    for table in tables:
        own = [k for k in table.lines if k not in taken]
        if not own or not table.cells:
            continue
        draft = _block(floats, page, BlockKind.TABLE, own, taken)
        draft.rows = _grid(table)
        floats.tables.append((table, draft))
        notes = [k for k in table.notes if k not in taken]
        if notes:
            _block(floats, page, BlockKind.FOOTNOTE, notes, taken)
    boxes = [table.bbox for table, _ in floats.tables]
    for figure in find_figures(page, captions, taken, boxes, furniture, body):
        inside = [k for k in figure.lines if k not in taken]
        floats.figures.append((figure, _block(floats, page, BlockKind.FIGURE, inside, taken) if inside else None))
    rest = [k for k, line in enumerate(page.lines) if k not in taken and line.words]
    turned = [k for k in rest if page.lines[k].rotation]
    left = [k for k in turned if not _label(floats, page.lines[k])]
    if left:
        _block(floats, page, BlockKind.FIGURE, left, taken)
    floats.running = [(k, page.lines[k]) for k in rest if not page.lines[k].rotation]
    return floats


def _label(floats: Floats, line: Line) -> bool:
    """Give turned print at the edge of a figure, such as the name of an axis, to that figure."""
    x, y = (line.x0 + line.x1) / 2, (line.y0 + line.y1) / 2
    for figure, draft in floats.figures:
        box = figure.bbox
        if draft is not None and box.x0 - _EDGE < x < box.x1 + _EDGE and box.y0 < y < box.y1:
            draft.lines.append((floats.page, line))
            return True
    return False


def _block(
    floats: Floats, page: PageLayout, kind: BlockKind, lines: "list[int] | tuple[int, ...]", taken: set[int]
) -> Draft:
    """A block of the lines at these places, which it takes."""
    draft = Draft(kind, [(floats.page, page.lines[k]) for k in lines], order=min(lines))
    floats.drafts.append(draft)
    taken.update(lines)
    return draft


def _grid(table: TableDraft) -> list[list[CellText]]:
    """The print of each cell, row by row; a place without a cell of its own is empty."""
    grid = [[CellText() for _ in range(table.columns)] for _ in range(table.rows)]
    for cell in table.cells:
        grid[cell.row][cell.column] = CellText(cell.lines)
    return grid
