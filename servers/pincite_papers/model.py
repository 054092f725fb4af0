"""Paper: one parsed source with one canonical text that all offsets count in."""

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TYPE_CHECKING

from pincite_core.errors import BadInputError
from pincite_core.locator import Box, Locator

if TYPE_CHECKING:
    from pincite_papers.geometry import Geometry


class BlockKind(StrEnum):
    """What a block of the canonical text is."""

    TITLE = "title"
    AUTHORS = "authors"
    ABSTRACT = "abstract"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    CAPTION = "caption"
    TABLE = "table"
    FIGURE = "figure"
    EQUATION = "equation"
    CODE = "code"
    FOOTNOTE = "footnote"
    REFERENCE = "reference"


class SourceFormat(StrEnum):
    """What kind of file a paper was read from."""

    PDF = "pdf"
    JATS = "jats"
    LATEX = "latex"
    HTML = "html"
    DOCX = "docx"
    XLSX = "xlsx"
    EPUB = "epub"
    TEI = "tei"
    ELSEVIER = "elsevier"


class FigureKind(StrEnum):
    """What a figure is drawn with."""

    VECTOR = "vector"
    RASTER = "raster"
    MIXED = "mixed"


class FurnitureKind(StrEnum):
    """Text of a page that is not part of the canonical text."""

    HEADER = "header"
    FOOTER = "footer"
    PAGE_NUMBER = "page_number"
    LINE_NUMBER = "line_number"
    WATERMARK = "watermark"
    HIDDEN = "hidden"


@dataclass(frozen=True, slots=True)
class Rect:
    """A rectangle in points, origin top left."""

    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True, slots=True)
class Place:
    """A box on a page (from 1)."""

    page: int
    bbox: Rect


@dataclass(frozen=True, slots=True)
class Span:
    """A half-open range of the canonical text, in code points."""

    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Furniture:
    """A running header, footer, page number, line number or hidden text: set apart from the canonical text.

    ``reason`` says why hidden text cannot be seen ("render mode 3", "under 2 pt", ...), "" for the other kinds.
    """

    kind: FurnitureKind
    text: str
    bbox: Rect
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Page:
    """A page: ``number`` from 1, printed ``label``, size in points, its range of the canonical text.

    ``scanned`` says that its text is the text layer under a picture of the page, recognised by whoever scanned it;
    ``unread`` that most of its print is not in its text.
    """

    number: int
    label: str
    width: float
    height: float
    start: int
    end: int
    furniture: tuple[Furniture, ...] = ()
    scanned: bool = False
    unread: bool = False


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of the canonical text of one kind; ``bbox`` encloses its part on ``page``, where it starts.

    A source without pages (JATS, LaTeX, HTML) has neither, here and in the other parts of a paper.
    """

    kind: BlockKind
    start: int
    end: int
    page: int | None = None
    bbox: Rect | None = None


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and what stands under it, subsections included.

    ``level`` counts from 1; ``number`` is the printed numbering ("2.1", "IV", "" if none); ``start`` to
    ``heading_end`` is the printed heading (its number included), ``end`` is exclusive.
    """

    number: str
    title: str
    level: int
    page: int | None
    start: int
    heading_end: int
    end: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A table cell: row and column from 0, spans from 1, its raw text and range in the canonical text."""

    row: int
    column: int
    row_span: int
    column_span: int
    text: str
    start: int
    end: int
    page: int | None = None
    bbox: Rect | None = None
    header: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table: ``label`` as printed ("Table 2", "" if none), caption range, cells in row order.

    ``page``, ``bbox``, ``start`` and ``end`` are those of its first part. Where it runs on over pages or columns,
    ``parts`` are the boxes of all its parts; the cells of the later ones keep their own page, box and range, and the
    rows of the head that a page repeats are in the text but not among the cells. ``doubts`` are the reasons to look at
    the page before quoting it: there are none where the reading is sure.
    """

    label: str
    page: int | None
    bbox: Rect | None
    start: int
    end: int
    rows: int
    columns: int
    cells: tuple[Cell, ...]
    caption: Span | None = None
    ruled: bool = False
    parts: tuple[Place, ...] = ()
    doubts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Panel:
    """A panel of a figure: its letter ("a"), the box of that letter in the figure, its part of the caption."""

    label: str
    bbox: Rect | None = None
    caption: Span | None = None


@dataclass(frozen=True, slots=True)
class Figure:
    """A figure: ``label`` as printed ("Fig. 3", "" if none), its box without the caption, caption range.

    ``text`` is the range of the text inside the figure (axis labels, legends), where there is any. ``graphics`` names
    the picture files of a figure of a source without pages: members of its archive, or addresses.
    """

    label: str
    page: int | None
    bbox: Rect | None
    caption: Span | None = None
    text: Span | None = None
    kind: FigureKind | None = None
    panels: tuple[Panel, ...] = ()
    graphics: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry of the reference list: printed number or key ("12", "Smith 2020", "" if none) and its range."""

    key: str
    start: int
    end: int
    page: int | None = None
    doi: str | None = None
    arxiv: str | None = None
    pmid: str | None = None


@dataclass(frozen=True, slots=True)
class Citation:
    """``text[start:end]`` cites entries of the reference list, given by their places in ``Paper.references``."""

    start: int
    end: int
    references: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Recognition:
    """``text[start:end]`` was read by OCR from the picture of a page, with this mean confidence (0 to 1)."""

    start: int
    end: int
    page: int
    confidence: float


@dataclass(frozen=True, slots=True)
class Paper:
    """One parsed source. ``paper_id`` is ``sha256:`` of its bytes; ``parser`` names the parser and its version.

    ``pages`` partition ``text`` in order; a source without pages has none. ``suspects`` are ranges whose glyphs the
    source maps to unreliable characters, ``recognised`` those that OCR read: zoom before quoting them. ``warnings`` say
    what the parser could not do.
    """

    paper_id: str
    parser: str
    title: str
    text: str
    pages: tuple[Page, ...]
    blocks: tuple[Block, ...]
    geometry: "Geometry"
    format: SourceFormat = SourceFormat.PDF
    doi: str | None = None
    journal: str | None = None
    year: int | None = None
    authors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()
    tables: tuple[Table, ...] = ()
    figures: tuple[Figure, ...] = ()
    references: tuple[Reference, ...] = ()
    citations: tuple[Citation, ...] = ()
    suspects: tuple[Span, ...] = ()
    recognised: tuple[Recognition, ...] = ()
    metadata: Mapping[str, str] = field(default_factory=dict[str, str])
    attachments: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    def page_at(self, offset: int) -> int | None:
        """The number of the page on which the character at ``offset`` stands; None in a source without pages."""
        self._check(offset, offset)
        if not self.pages:
            return None
        index = bisect_right(self.pages, offset, key=lambda page: page.start) - 1
        return self.pages[max(index, 0)].number

    def boxes(self, start: int, end: int) -> list[tuple[int, Rect]]:
        """The boxes that cover exactly ``text[start:end]``: one a line, as (page, box)."""
        self._check(start, end)
        return self.geometry.boxes(self, start, end)

    def locator(self, start: int, end: int) -> Locator:
        """The locator of ``text[start:end]``; its bbox encloses the part on the first page."""
        boxes = self.boxes(start, end)
        page = self.page_at(start)
        here = [box for number, box in boxes if number == page]
        bbox = None
        if here:
            bbox = Box(
                x0=min(b.x0 for b in here),
                y0=min(b.y0 for b in here),
                x1=max(b.x1 for b in here),
                y1=max(b.y1 for b in here),
            )
        quote = self.text[start:end]
        return Locator(paper_id=self.paper_id, doi=self.doi, page=page, start=start, end=end, bbox=bbox, quote=quote)

    def _check(self, start: int, end: int) -> None:
        if not 0 <= start <= end <= len(self.text):
            raise BadInputError(
                f"The range {start}-{end} is outside the paper's text.",
                seen=f"the text has {len(self.text)} characters",
                next="Use offsets that a tool returned for this paper.",
            )
