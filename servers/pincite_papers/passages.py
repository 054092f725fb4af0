"""Passages: pieces of a paper's text with the locator whose offsets give exactly that piece."""

import re
import threading
from bisect import bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Generic, TypeVar

from pincite_core.locator import digits_of, short_form
from pincite_core.recent import Recent
from pincite_papers.model import BlockKind, Paper, Section, Span

_Made = TypeVar("_Made")
_PAPERS_KEPT = 8
"""Papers whose sentences are remembered, the latest ones."""
_SPACE = re.compile(r"\s")
# The mark comes first, so that the search leaps from one to the next; what may not stand before it is looked back at.
_SENTENCE_END = re.compile(
    r"[.?!](?<!\bFig[.?!])(?<!\bFigs[.?!])(?<!\bEq[.?!])(?<!\bRef[.?!])(?<!\bRefs[.?!])(?<!\bal[.?!])(?<!\bSec[.?!])"
    r"[\])]?\s+(?=[A-Z(\[])"
)


class PerPaper(Generic[_Made]):
    """What ``make`` derives from a paper, kept for the papers used last; safe in several threads."""

    def __init__(self, make: Callable[[Paper], _Made]) -> None:
        self._make = make
        self._kept: Recent[tuple[str, str], _Made] = Recent(_PAPERS_KEPT)
        self._lock = threading.Lock()

    def of(self, paper: Paper) -> _Made:
        """The derived value of this paper, made on the first call."""
        key = (paper.paper_id, paper.parser)
        with self._lock:
            kept = self._kept.get(key)
        if kept is not None:
            return kept
        made = self._make(paper)
        with self._lock:
            self._kept.put(key, made)
        return made


@dataclass(frozen=True, slots=True)
class Passage:
    """A block, or the part of one, without white space at its ends; ``continued``: from the page before."""

    start: int
    end: int
    kind: BlockKind
    continued: bool = False


def short_id(paper: Paper) -> str:
    """The eight digits that name the paper in its locators."""
    return digits_of(paper.paper_id)


def locate(paper: Paper, start: int, end: int) -> str:
    """The short locator of ``text[start:end]``."""
    return short_form(digits_of(paper.paper_id), paper.page_at(start), start, end)


def trim(text: str, start: int, end: int) -> tuple[int, int]:
    """The span without white space at its ends; empty where it is nothing else."""
    piece = text[start:end]
    lead = len(piece) - len(piece.lstrip())
    return (start + lead, start + lead + len(piece.strip())) if piece.strip() else (start, start)


def passages(paper: Paper, start: int, end: int) -> list[Passage]:
    """The blocks of ``text[start:end]`` in order; blocks at its ends are cut to it, and each where a page ends, so that
    a passage stands on the page that its locator names."""
    found: list[Passage] = []
    blocks = paper.blocks
    first = bisect_right(blocks, start, key=lambda block: block.end)
    for block in blocks[first:]:
        if block.start >= end:
            break
        whole = max(start, block.start), min(end, block.end)
        edges = [whole[0], *page_breaks(paper, *whole), whole[1]]
        for low, high in pairwise(edges):
            left, right = trim(paper.text, low, high)
            if left < right:
                found.append(Passage(left, right, block.kind, low > block.start))
    return found


def page_breaks(paper: Paper, start: int, end: int) -> list[int]:
    """The offsets in ``text[start:end]`` where it goes on on another page; the rest of a word that a break parts stays
    with the word."""
    first = bisect_right(paper.pages, start, key=lambda page: page.start)
    found: list[int] = []
    for page in paper.pages[first:]:
        if page.start >= end:
            break
        gap = _SPACE.search(paper.text, page.start - 1, end)
        if gap is not None:
            found.append(gap.end())
    return found


def on_page(paper: Paper, span: tuple[int, int], bounds: tuple[int, int]) -> tuple[int, int]:
    """The part of ``bounds`` on the page where ``span``, which lies in them, starts; all of the span at least."""
    edges = [bounds[0], *page_breaks(paper, *bounds), bounds[1]]
    at = min(bisect_right(edges, span[0]), len(edges) - 1)
    return edges[at - 1], max(edges[at], span[1])


def section_name(section: Section) -> str:
    """Number and title as printed: "2.1 Methods"."""
    return f"{section.number} {section.title}".strip()


def section_at(paper: Paper, offset: int) -> str:
    """The innermost section around ``offset``, "Abstract" in one without a heading, "" outside of all."""
    sections = paper.sections
    at = bisect_right(sections, offset, key=lambda section: section.start) - 1
    while at >= 0:
        if offset < sections[at].end:
            return section_name(sections[at])
        at -= 1
    block = bisect_right(paper.blocks, offset, key=lambda block: block.start) - 1
    return "Abstract" if block >= 0 and paper.blocks[block].kind is BlockKind.ABSTRACT else ""


def suspects_in(paper: Paper, start: int, end: int) -> list[tuple[int, int]]:
    """The parts of ``text[start:end]`` whose characters the source maps unreliably."""
    at = bisect_right(paper.suspects, start, key=lambda span: span.end)
    found: list[tuple[int, int]] = []
    for span in paper.suspects[at:]:
        if span.start >= end:
            break
        found.append((max(span.start, start), min(span.end, end)))
    return found


def ocr_confidence(paper: Paper, start: int, end: int) -> float | None:
    """The confidence (0 to 1) with which OCR read ``text[start:end]``, the least of its pages; None where none did."""
    at = bisect_right(paper.recognised, start, key=lambda part: part.end)
    found = [part.confidence for part in paper.recognised[at : at + 50] if part.start < end]
    return round(min(found), 2) if found else None


def cut_point(text: str, start: int, end: int) -> int:
    """Where to cut ``text[start:end]`` so that no word is torn: behind a sentence, else a line, else a word."""
    window = text[start:end]
    half = len(window) // 2
    for mark in (". ", "\n", "; ", " "):
        at = window.rfind(mark, half)
        if at >= 0:
            return start + at + 1
    return end


def sentence_breaks(text: str, start: int, end: int) -> list[int]:
    """The offsets in ``text[start:end]`` where a sentence begins after another has ended."""
    return [match.end() for match in _SENTENCE_END.finditer(text, start, end)]


def sentence_around(text: str, span: tuple[int, int], bounds: tuple[int, int], limit: int) -> tuple[int, int]:
    """The whole ``bounds`` where they hold at most ``limit`` characters, else the sentence around ``span``."""
    low, high = bounds
    if high - low <= limit:
        return trim(text, low, high)
    breaks = sentence_breaks(text, low, high)
    start = max((at for at in breaks if at <= span[0]), default=low)
    end = min((at for at in breaks if at >= span[1]), default=high)
    if end - start > limit:
        start = max(start, span[0] - limit // 2)
        end = min(end, max(start + limit, span[1]))
    return trim(text, start, end)


def sentence_bounds(text: str, span: tuple[int, int], bounds: tuple[int, int]) -> tuple[int, int]:
    """The range of whole sentences around ``span``, within ``bounds``."""
    breaks = [match.end() for match in _SENTENCE_END.finditer(text, *bounds)]
    start = max((at for at in breaks if at <= span[0]), default=bounds[0])
    end = min((at for at in breaks if at >= span[1]), default=bounds[1])
    return start, end


def cut_caption(paper: Paper, caption: Span | None, longest: int) -> tuple[int, int, bool]:
    """The span of a caption, cut to ``longest`` characters, and whether it was cut."""
    if caption is None:
        return 0, 0, False
    start, end = caption.start, caption.end
    if end - start <= longest:
        return start, end, False
    return *trim(paper.text, start, cut_point(paper.text, start, start + longest)), True
