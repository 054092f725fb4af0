"""Block: a piece of a paper's text of one kind, as reading tools show it; and which pieces pages and sections hold."""

from pincite_core.errors import BadInputError
from pincite_core.locator import Locator
from pincite_documents.pages import page_spans, parse_pages, read_pages
from pincite_documents.sections import find_section, read_section
from pincite_papers import doubts
from pincite_papers.model import Paper as ParsedPaper
from pincite_papers.passages import Passage as Piece
from pincite_papers.passages import locate, ocr_confidence, passages, section_at

_ALL_CHARS = 1 << 40
"""Characters: more than any paper has, so that nothing is left for a next call."""


class Block:
    """A heading, paragraph, list, caption, table, figure, equation, reference …: ``kind`` says which.

    ``text`` is exactly what ``locator`` names; ``marked`` is the text with ⁅⁆ around characters that the source maps
    to doubtful signs, and ``unreliable`` says which. ``ocr`` is the confidence (0 to 1) where it was read by OCR.
    """

    def __init__(self, paper: ParsedPaper, piece: Piece) -> None:
        self._paper = paper
        self.kind = piece.kind.value
        self.start, self.end = piece.start, piece.end
        self.continued = piece.continued
        self.text = paper.text[piece.start : piece.end]
        self.marked = doubts.show(paper, piece.start, piece.end)

    def __repr__(self) -> str:
        return f"<Block {self.kind} {self.text[:40]!r}>"

    @property
    def page(self) -> int | None:
        """The page on which it stands, from 1; None in a source without pages."""
        return self._paper.page_at(self.start)

    @property
    def section(self) -> str:
        """The heading that it stands under."""
        return section_at(self._paper, self.start)

    @property
    def name(self) -> str:
        """Its locator in short ("pc:3f9a0c1d#p4:1021-1088")."""
        return locate(self._paper, self.start, self.end)

    @property
    def locator(self) -> Locator:
        """Its locator, with page and box."""
        return self._paper.locator(self.start, self.end)

    @property
    def unreliable(self) -> str:
        """Which of its characters are unreliable, "" where none is."""
        return doubts.note(self._paper, self.start, self.end)

    @property
    def ocr(self) -> float | None:
        """The confidence of OCR, None where the source has the text itself."""
        return ocr_confidence(self._paper, self.start, self.end)


def spans_of(paper: ParsedPaper, pages: str, section: str) -> list[tuple[int, int]]:
    """The ranges of the text that pages ("1-3,5") or a section hold, all of it where both are empty.

    BadInputError where both are given, or pages that there are none of; NotFoundError for an unknown section.
    """
    _check_one(pages, section)
    if section.strip():
        found = find_section(paper, section)
        return [(found.start, found.end)]
    return page_spans(paper, parse_pages(paper, pages))


def blocks_of(paper: ParsedPaper, pages: str, section: str) -> list[Block]:
    """The blocks of pages or of a section, in reading order."""
    return [
        Block(paper, piece) for start, end in spans_of(paper, pages, section) for piece in passages(paper, start, end)
    ]


def rendered(paper: ParsedPaper, pages: str, section: str) -> str:
    """The text as the tools read_pages and read_section give it, whole."""
    _check_one(pages, section)
    if section.strip():
        return read_section(paper, section, max_chars=_ALL_CHARS)
    return read_pages(paper, pages, max_chars=_ALL_CHARS)


def _check_one(pages: str, section: str) -> None:
    if pages.strip() and section.strip():
        raise BadInputError(
            "Pages and a section were asked for at once.",
            seen=f"pages {pages.strip()[:60]!r}, section {section.strip()[:60]!r}",
            next="Give one of the two.",
        )
