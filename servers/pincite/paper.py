"""Paper: a parsed paper whose every part knows where it stands."""

import io
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from pincite.checks import QuoteCheck
from pincite.tables import Table
from pincite_core.errors import BadInputError
from pincite_core.locator import Locator, parse_locator
from pincite_core.patterns import FoldedText, find_literal, find_regex
from pincite_figures.jobs import DRAW, FigureJobs
from pincite_figures.naming import find_figure, target_of
from pincite_papers import doubts
from pincite_papers.labels import find_table
from pincite_papers.model import Figure as ParsedFigure
from pincite_papers.model import Page as ParsedPage
from pincite_papers.model import Paper as ParsedPaper
from pincite_papers.model import Rect
from pincite_papers.passages import PerPaper, section_at, short_id
from pincite_papers.quoting.quotes import find_quote

if TYPE_CHECKING:
    from PIL.Image import Image

_DEFAULT_SIDE = 1600
"""Pixels of the longer side of a crop: the numbers of a figure over two columns can be read."""
_PAGE_DPI = 150
_MOST_PAGE_SIDE = 8000
"""Pixels of the longer side of a rendered page: A4 at 680 dpi."""

_folded = PerPaper(lambda paper: FoldedText.of(paper.text))


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of the text: ``text`` is exactly what ``locator`` names. ``section`` is the heading that it stands under.

    ``unreliable`` says which of its characters the source maps to doubtful signs, "" where none is.
    """

    text: str
    locator: Locator
    section: str
    unreliable: str

    @property
    def page(self) -> int | None:
        """The page on which it begins, from 1; None in a source without pages."""
        return self.locator.page


@dataclass(frozen=True, slots=True)
class Section:
    """A section with its subsections: ``level`` from 1, printed ``number`` ("2.1", "" if none), ``title``, ``text``."""

    number: str
    title: str
    level: int
    text: str
    locator: Locator


@dataclass(frozen=True, slots=True)
class Reference:
    """An entry of the reference list: printed number or ``key``, its text, the identifiers that it names."""

    key: str
    text: str
    doi: str | None
    arxiv: str | None
    pmid: str | None
    locator: Locator


class Page:
    """A page: ``number`` from 1, printed ``label``, ``width`` and ``height`` in points, ``text``."""

    def __init__(self, paper: ParsedPaper, page: ParsedPage, jobs: FigureJobs) -> None:
        self._paper, self._jobs = paper, jobs
        self.number, self.label = page.number, page.label
        self.width, self.height = page.width, page.height
        self.scanned = page.scanned
        self.text = paper.text[page.start : page.end]

    def __repr__(self) -> str:
        return f"<Page {self.number}>"

    def render(self, dpi: float = _PAGE_DPI) -> "Image":
        """A picture (PIL, RGB) of the page, drawn in a process of its own."""
        target = {"page": self.number}
        return _drawn(self._jobs, self._paper, target, max_side=_MOST_PAGE_SIDE, dpi=dpi)


class Figure:
    """A figure: ``label`` as printed ("Fig. 3", "" if none), ``caption``, ``page``, ``box`` (points, origin top left).

    ``panels`` are the letters of its parts. Where no drawing was found for a caption, ``box`` is None.
    """

    def __init__(self, paper: ParsedPaper, index: int, jobs: FigureJobs) -> None:
        figure: ParsedFigure = paper.figures[index]
        self._paper, self._index, self._jobs = paper, index, jobs
        self.label, self.page = figure.label, figure.page
        self.box: Rect | None = figure.bbox
        self.panels = tuple(panel.label for panel in figure.panels)
        caption = figure.caption
        self.caption = paper.text[caption.start : caption.end] if caption else ""
        self.locator: Locator | None = paper.locator(caption.start, caption.end) if caption else None

    def __repr__(self) -> str:
        return f"<Figure {self.label!r}, page {self.page}>"

    def crop(self, box: tuple[float, float, float, float] = (0, 0, 1, 1), *, max_side: int = _DEFAULT_SIDE) -> "Image":
        """A picture (PIL, RGB) of the figure or of a ``box`` in it (x0, y0, x1, y1 as fractions, from the top left).

        It is drawn from the source in a process of its own: vector figures in any detail, pictures by their own
        pixels. NotFoundError where the source has no drawing of it; BadInputError for a box outside of it.
        """
        x0, y0, x1, y1 = box
        if not (0 <= x0 < x1 <= 1 and 0 <= y0 < y1 <= 1):
            raise BadInputError(
                "The box is not inside the figure.",
                seen=str(box),
                next="Give x0 < x1 and y0 < y1 as fractions from 0 to 1, from the top left corner.",
            )
        target = target_of(self._paper, self._index)
        return _drawn(self._jobs, self._paper, target, max_side=max_side, region=box)


class Paper:
    """A parsed paper. ``text`` is its canonical text in reading order, in which all locators count characters."""

    def __init__(self, parsed: ParsedPaper, jobs: FigureJobs) -> None:
        self._parsed, self._jobs = parsed, jobs
        self.id = parsed.paper_id
        self.title, self.authors = parsed.title, parsed.authors
        self.doi, self.journal, self.year = parsed.doi, parsed.journal, parsed.year
        self.keywords = parsed.keywords
        self.format = parsed.format.value
        self.text = parsed.text
        self.warnings = parsed.warnings

    def __repr__(self) -> str:
        return f"<Paper {short_id(self._parsed)} {self.title[:60]!r}>"

    @property
    def pages(self) -> list[Page]:
        """The pages; none for JATS, LaTeX and HTML."""
        return [Page(self._parsed, page, self._jobs) for page in self._parsed.pages]

    @property
    def sections(self) -> list[Section]:
        """The sections in order, subsections behind the section that holds them."""
        return [
            Section(
                one.number,
                one.title,
                one.level,
                self.text[one.start : one.end],
                self._parsed.locator(one.start, one.heading_end),
            )
            for one in self._parsed.sections
        ]

    @property
    def tables(self) -> list[Table]:
        """The tables in order."""
        return [Table(self._parsed, table) for table in self._parsed.tables]

    @property
    def figures(self) -> list[Figure]:
        """The figures in order."""
        return [Figure(self._parsed, index, self._jobs) for index in range(len(self._parsed.figures))]

    @property
    def references(self) -> list[Reference]:
        """The reference list."""
        return [
            Reference(
                one.key,
                self.text[one.start : one.end],
                one.doi,
                one.arxiv,
                one.pmid,
                self._parsed.locator(one.start, one.end),
            )
            for one in self._parsed.references
        ]

    def table(self, name: str) -> Table:
        """The table that is called so: "Table 2", "2", "#1" for the first, or a locator inside it."""
        return Table(self._parsed, self._parsed.tables[find_table(self._parsed, name)])

    def figure(self, name: str) -> Figure:
        """The figure that is called so: "Fig. 3", "3", "#1" for the first."""
        return Figure(self._parsed, find_figure(self._parsed, name), self._jobs)

    def find(self, text: str, *, case_sensitive: bool = False, whole_word: bool = False) -> list[Passage]:
        """Where a text stands. Differences of print are forgiven: dashes, quotation marks, spaces, script marks."""
        folded = _folded.of(self._parsed)
        return self._passages(find_literal(folded, text, case_sensitive=case_sensitive, whole_word=whole_word))

    def grep(self, pattern: str, *, case_sensitive: bool = False, whole_word: bool = False) -> list[Passage]:
        """Where an RE2 expression matches (no look-around, no back-references; every dash of the text is ``-``)."""
        return self._passages(find_regex(self.text, pattern, case_sensitive=case_sensitive, whole_word=whole_word))

    def locate(self, start: int, end: int) -> Locator:
        """The locator of ``text[start:end]``, with its page and its box there."""
        return self._parsed.locator(start, end)

    def passage(self, locator: str | Locator) -> Passage:
        """What a locator of this paper names ("pc:3f9a0c1d#p4:1021-1088"); BadInputError for another paper's."""
        short = parse_locator(str(locator))
        if short.paper_prefix != short_id(self._parsed):
            raise BadInputError(
                f"{locator} is a locator of another paper.",
                seen=f"this paper's begin with pc:{short_id(self._parsed)}",
                next="Open the paper that it names.",
            )
        return self._passage(short.start, short.end)

    def verify_quote(self, quote: str, page: int | None = None) -> QuoteCheck:
        """Whether a quote stands in the paper, and on ``page`` where one is given; case and numbers must agree."""
        match = find_quote(self._parsed, quote, page)
        there = match.standing != "absent"
        return QuoteCheck(
            standing=match.standing,
            locator=self._parsed.locator(match.start, match.end) if there else None,
            wrong_page=match.wrong_page,
            overlooked=match.normalisations,
            paper_says=self.text[match.start : match.end] if match.standing == "near" else "",
            unreliable=doubts.note(self._parsed, match.start, match.end) if there else "",
        )

    def _passages(self, spans: Iterator[tuple[int, int]]) -> list[Passage]:
        return [self._passage(start, end) for start, end in spans]

    def _passage(self, start: int, end: int) -> Passage:
        locator = self._parsed.locator(start, end)
        section = section_at(self._parsed, start)
        return Passage(self.text[start:end], locator, section, doubts.note(self._parsed, start, end))


def _drawn(
    jobs: FigureJobs,
    paper: ParsedPaper,
    target: Mapping[str, object],
    *,
    max_side: int,
    dpi: float | None = None,
    region: tuple[float, float, float, float] = (0, 0, 1, 1),
) -> "Image":
    from PIL import Image

    shown = [str(edge) for edge in region]
    arguments: dict[str, Any] = {"target": target, "region": shown, "max_side": max_side, "png": True}
    if dpi is not None:
        arguments["dpi"] = dpi
    _, body = jobs.run_blocking(DRAW, paper, arguments)
    with Image.open(io.BytesIO(body)) as picture:
        return picture.convert("RGB")
