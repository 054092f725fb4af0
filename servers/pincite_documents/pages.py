"""read_pages: the text of pages, and the parser of page ranges."""

import re

from pincite_core.errors import BadInputError
from pincite_core.paging import DEFAULT_CHARS
from pincite_documents.prose import render_prose
from pincite_papers.arguments import Cursor, MaxChars, Pages
from pincite_papers.model import Paper, SourceFormat
from pincite_papers.passages import short_id

_SOURCES = {
    SourceFormat.PDF: "a PDF",
    SourceFormat.JATS: "JATS XML",
    SourceFormat.LATEX: "a LaTeX source",
    SourceFormat.HTML: "an HTML page",
    SourceFormat.DOCX: "a Word document",
    SourceFormat.XLSX: "a workbook",
    SourceFormat.EPUB: "an EPUB",
    SourceFormat.TEI: "TEI XML",
    SourceFormat.ELSEVIER: "Elsevier's XML",
}
_RANGE = re.compile(r"(\d{1,12})(?:\s*[-–]\s*(\d{1,12}))?")


def read_pages(paper: Paper, pages: Pages = "", cursor: Cursor = "", max_chars: MaxChars = DEFAULT_CHARS) -> str:
    """Read the text of pages, or all of it, in reading order. Every block comes behind its [locator]; cite with it."""
    ranges = parse_pages(paper, pages)
    heading = f"Paper {short_id(paper)}, {_shown(paper, ranges)}"
    query = ("read_pages", ranges)
    return render_prose(
        paper, page_spans(paper, ranges), heading=heading, query=query, cursor=cursor, max_chars=max_chars
    )


def parse_pages(paper: Paper, pages: str) -> tuple[tuple[int, int], ...]:
    """The page ranges that ``pages`` names, in order and joined where they touch; all pages for an empty string.

    None for a paper without pages, which has none to name.
    """
    count = len(paper.pages)
    if not count:
        if pages.strip():
            raise no_pages(paper, f"There is no page {pages.strip()[:60]!r}")
        return ()
    if not pages.strip():
        return ((1, count),)
    named: list[tuple[int, int]] = []
    for part in pages.split(","):
        match = _RANGE.fullmatch(part.strip())
        if match is None:
            raise BadInputError(
                f"{pages[:60]!r} is not a list of pages.", next="Write 3, 3-5 or 1,4-6; leave it empty for all."
            )
        first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last <= count:
            raise BadInputError(
                f"There are no pages {part.strip()!r} in this paper.",
                seen=f"it has {count} pages",
                next=f"Name pages from 1 to {count}, the smaller number first.",
            )
        named.append((first, last))
    joined: list[tuple[int, int]] = []
    for first, last in sorted(named):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = (joined[-1][0], max(last, joined[-1][1]))
        else:
            joined.append((first, last))
    return tuple(joined)


def page_spans(paper: Paper, ranges: tuple[tuple[int, int], ...]) -> list[tuple[int, int]]:
    """The spans of the canonical text that the page ranges hold; all of it for a paper without pages."""
    if not paper.pages:
        return [(0, len(paper.text))]
    return [(paper.pages[first - 1].start, paper.pages[last - 1].end) for first, last in ranges]


def no_pages(paper: Paper, what: str) -> BadInputError:
    """The error for a page that is asked of a source without pages."""
    return BadInputError(
        f"{what}: this paper has no pages.",
        seen=f"it was read from {source_name(paper)}, which is not divided into pages",
        next="Name a section with read_section (open_paper lists them), or read the whole text with read_pages, "
        "pages left empty.",
    )


def source_name(paper: Paper) -> str:
    """What kind of file a paper was read from, in words."""
    return _SOURCES[paper.format]


def _shown(paper: Paper, ranges: tuple[tuple[int, int], ...]) -> str:
    if not paper.pages:
        return f"the whole text ({source_name(paper)} has no pages)"
    shown = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)
    return f"page {shown} of {len(paper.pages)}"
