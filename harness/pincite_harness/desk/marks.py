"""Marks: the boxes of exactly the cited characters on each page, and what surrounds a citation in the text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from pincite_core.errors import BadInputError
from pincite_papers.model import Page, Paper, Rect, Span
from pincite_papers.passages import locate

_SPANS = re.compile(r"[0-9]{1,9}-[0-9]{1,9}(?:,[0-9]{1,9}-[0-9]{1,9}){0,39}")
_AROUND = 400
"""Characters before and after a passage of a paper without pages: five lines or so."""


@dataclass(frozen=True, slots=True)
class MarkedPage:
    """A page with the boxes of the marked characters in points, one a line of print."""

    page: Page
    boxes: tuple[Rect, ...]


@dataclass(frozen=True, slots=True)
class Marked:
    """Passages on their pages. ``quote`` are the marked characters as the paper has them; ``locator`` and ``range``
    name the first passage. Of a paper without pages ``before`` and ``after`` stand around it instead of boxes."""

    pages: tuple[MarkedPage, ...]
    quote: str = ""
    locator: str = ""
    range: str = ""
    before: str = ""
    after: str = ""


def read_spans(paper: Paper, text: str) -> list[Span]:
    """The ranges of ``12-40,60-80``; BadInputError where they are none of this paper."""
    found = read_ranges(text)
    for span in found:
        if span.end > len(paper.text):
            raise BadInputError("This range is outside the paper's text.", seen=f"{span.start}-{span.end}")
    return found


def read_ranges(text: str) -> list[Span]:
    """The ranges of ``12-40,60-80``, of whatever paper; BadInputError for anything else."""
    if not text:
        return []
    if not _SPANS.fullmatch(text):
        raise BadInputError("These are not ranges of a paper.", seen=text[:80])
    found: list[Span] = []
    for part in text.split(","):
        start, _, end = part.partition("-")
        if not int(start) < int(end):
            raise BadInputError("This range ends before it starts.", seen=part)
        found.append(Span(int(start), int(end)))
    return found


def write_spans(spans: Sequence[Span]) -> str:
    """Ranges as an address gives them."""
    return ",".join(f"{span.start}-{span.end}" for span in spans)


def mark(paper: Paper, spans: Sequence[Span], page: int | None = None) -> Marked:
    """The pages that ``spans`` stand on, with a box a line of print around exactly their characters. Without spans it
    is ``page`` alone, with nothing marked."""
    boxes: dict[int, list[Rect]] = {}
    for span in spans:
        for number, box in paper.boxes(span.start, span.end):
            boxes.setdefault(number, []).append(box)
    if not spans and page is not None:
        boxes[page] = []
    pages = tuple(MarkedPage(each, tuple(boxes[each.number])) for each in paper.pages if each.number in boxes)
    if not spans:
        return Marked(pages)
    quote = " … ".join(paper.text[span.start : span.end] for span in spans)
    first, last = spans[0].start, spans[-1].end
    locator, named = locate(paper, first, spans[0].end), write_spans(spans[:1])
    if paper.pages:
        return Marked(pages, quote, locator, named)
    before, after = paper.text[max(0, first - _AROUND) : first], paper.text[last : last + _AROUND]
    return Marked((), quote, locator, named, before, after)
