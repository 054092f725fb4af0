"""read_pages: the text of pages; and which pages a call names."""

import re

from pincite_core.errors import BadInputError
from pincite_core.paging import DEFAULT_CHARS
from pincite_documents.prose import render_prose
from pincite_papers.arguments import Cursor, MaxChars, Pages
from pincite_papers.model import Paper
from pincite_papers.passages import short_id

_RANGE = re.compile(r"(\d{1,6})(?:\s*[-–]\s*(\d{1,6}))?")


def read_pages(paper: Paper, pages: Pages = "", cursor: Cursor = "", max_chars: MaxChars = DEFAULT_CHARS) -> str:
    """Read the text of pages, in reading order. Every block comes behind its [locator]; cite with it."""
    ranges = parse_pages(paper, pages)
    shown = ", ".join(str(first) if first == last else f"{first}-{last}" for first, last in ranges)
    heading = f"Paper {short_id(paper)}, page {shown} of {len(paper.pages)}"
    query = ("read_pages", ranges)
    return render_prose(
        paper, page_spans(paper, ranges), heading=heading, query=query, cursor=cursor, max_chars=max_chars
    )


def parse_pages(paper: Paper, pages: str) -> tuple[tuple[int, int], ...]:
    """The page ranges that ``pages`` names, in order and joined where they touch; all pages for an empty string."""
    count = len(paper.pages)
    if not pages.strip():
        return ((1, count),)
    named: list[tuple[int, int]] = []
    for part in pages.split(","):
        match = _RANGE.fullmatch(part.strip())
        if match is None:
            raise BadInputError(
                f"{pages[:60]!r} names no pages.", next="Write 3, 3-5 or 1,4-6; leave it empty for all."
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
    """The spans of the canonical text that the page ranges hold."""
    return [(paper.pages[first - 1].start, paper.pages[last - 1].end) for first, last in ranges]
