"""Pages: every page of a PDF as lines, rules, images and drawings."""

from dataclasses import dataclass, field

import numpy as np
import pypdfium2 as pdfium

from pincite_papers.pdf.elements import Line, PageLayout
from pincite_papers.pdf.glyphs import Frame, Glyphs, read_glyphs
from pincite_papers.pdf.layout.drawings import read_drawings
from pincite_papers.pdf.layout.invisible import REASONS
from pincite_papers.pdf.layout.leftwards import mirror
from pincite_papers.pdf.layout.ruby import find_ruby
from pincite_papers.pdf.layout.visibility import find_hidden
from pincite_papers.pdf.layout.words import build_lines
from pincite_papers.pdf.layout.writing import align_columns, downward_runs, runs_leftwards
from pincite_papers.pdf.signs.accents import set_accents
from pincite_papers.pdf.signs.judge import Memory, read_signs
from pincite_papers.pdf.signs.points import set_points
from pincite_papers.pdf.turned import Turn, turn_of, turned_frame

WITHHELD = "unreliable characters"
"""The reason under which lines are set apart whose characters could be any: nobody may take them for the print."""


@dataclass(slots=True)
class ReadPage:
    """A page's layout together with the glyphs that its words point to, and the lines that nobody can see, by reason.

    ``turn`` says how the page was turned to be read; None for level print. ``scanned`` says that its text is the text
    layer under the picture of a page, ``recognised`` that OCR read it here, ``unread`` that most of its print is not in
    its text. ``ruby`` are lines that tell how characters are read.
    """

    layout: PageLayout
    glyphs: Glyphs
    hidden: dict[str, list[Line]]
    turn: Turn | None = None
    scanned: bool = False
    ruby: list[Line] = field(default_factory=list[Line])
    recognised: bool = False
    unread: bool = False


def read_page(page: pdfium.PdfPage, number: int, *, layers_off: bool = False, memory: Memory | None = None) -> ReadPage:
    """An open page, numbered from 1; ``layers_off`` says that the document has optional content that is not shown.

    ``memory`` keeps what the document's pages show of its fonts of signs.
    """
    frame = Frame.of(page)
    glyphs = read_glyphs(page, frame)
    down = downward_runs(glyphs)
    quarters = 3 if down.any() else turn_of(glyphs)
    turn = None
    if quarters:
        frame = turned_frame(frame, quarters)
        glyphs = read_glyphs(page, frame)
        turn = Turn(quarters, frame.width, frame.height)
    read_signs(page, glyphs, frame, memory or Memory())
    set_accents(glyphs)
    found = read_drawings(page, frame)
    set_points(glyphs, found.drawings)
    visibility = find_hidden(page, glyphs, frame, found, quarters=quarters, layers_off=layers_off)
    if down.any():
        glyphs.down, glyphs.ranks = down, align_columns(glyphs, down)
    elif runs_leftwards(glyphs):
        mirror(glyphs, found, frame.width)
        glyphs.mirrored, turn = True, Turn(quarters, frame.width, frame.height, mirrored=True)
    shown = visibility.why == 0
    ruby = find_ruby(glyphs, shown)
    lines = build_lines(glyphs, keep=shown if ruby is None else shown & ~ruby)
    if quarters and not down.any():
        lines = _downwards(lines)
    reasons: list[int] = np.unique(visibility.why).tolist()
    hidden = {REASONS[why]: build_lines(glyphs, keep=visibility.why == why) for why in reasons if why}
    layout = PageLayout(number, frame.width, frame.height, lines, found.rules, found.images, found.drawings)
    readings = build_lines(glyphs, keep=ruby) if ruby is not None else []
    return ReadPage(layout, glyphs, hidden, turn, visibility.scanned, readings)


def _downwards(lines: list[Line]) -> list[Line]:
    """Lines in order, runs that climb line by line turned over: so PDFium orders print that runs down the sheet."""
    runs: list[list[Line]] = []
    for line in lines:
        if runs and line.baseline < runs[-1][-1].baseline - 1 and _share_column(line, runs[-1][-1]):
            runs[-1].append(line)
        else:
            runs.append([line])
    return [line for run in runs for line in reversed(run)]


def _share_column(one: Line, other: Line) -> bool:
    return min(one.x1, other.x1) > max(one.x0, other.x0)


def read_layout(data: bytes) -> list[PageLayout]:
    """The layouts of all pages of a PDF that PDFium can open."""
    with pdfium.PdfDocument(data) as document:
        layouts: list[PageLayout] = []
        for index in range(len(document)):
            page = document[index]
            layouts.append(read_page(page, index + 1).layout)
            page.close()
        return layouts
