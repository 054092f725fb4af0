"""grep_paper: where a text or a pattern stands in a paper."""

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, NotRequired

from pydantic import Field
from typing_extensions import TypedDict

from pincite_core.paging import DEFAULT_CHARS, decode_cursor, encode_cursor, fill_page
from pincite_core.patterns import FoldedText, find_literal, find_regex
from pincite_documents.pages import page_spans, parse_pages
from pincite_papers import doubts
from pincite_papers.arguments import Cursor, MaxChars, Pages
from pincite_papers.model import Paper
from pincite_papers.passages import PerPaper, locate, ocr_confidence, section_at

_MOST_COUNTED = 10_000
"""Hits that are counted; of more, "at least" is said. Set by judgement."""
_LONGEST_QUOTE = 1000
"""Characters of one hit that are quoted."""
_FRAME_CHARS = 300
"""Characters of a result around its paged part, an upper estimate; they count against ``max_chars``."""
_HIT_CHARS = 300
"""Characters of a hit around its quote, an upper estimate; they count against ``max_chars``."""


class Hit(TypedDict):
    """One place: ``quote`` is what ``locator`` names, ``context`` holds it and what stands around it."""

    locator: str
    section: str
    quote: str
    context: str
    cut: NotRequired[str]
    unreliable: NotRequired[str]
    ocr: NotRequired[float]


class Hits(TypedDict):
    """Hits in reading order; ``total`` counts them on all result pages."""

    total: int
    hits: list[Hit]
    next_cursor: str | None
    note: NotRequired[str]


def grep_paper(
    paper: Paper,
    pattern: Annotated[str, Field(description="Text, or an RE2 expression with regex")],
    regex: bool = False,
    case_sensitive: bool = False,
    whole_word: bool = False,
    context: Annotated[int, Field(ge=0, le=1000, description="Characters around a hit")] = 80,
    pages: Pages = "",
    max_results: Annotated[int, Field(ge=1, le=200)] = 20,
    cursor: Cursor = "",
    max_chars: MaxChars = DEFAULT_CHARS,
) -> Hits:
    """Find where a text stands. Differences of print are forgiven (dashes, quotes, spaces; Tc finds T_c). With regex:
    RE2 syntax (no look-around), and every dash is "-".
    """
    pattern = doubts.bare(pattern)
    ranges = parse_pages(paper, pages)
    query = ("grep_paper", paper.paper_id, paper.parser, pattern, regex, case_sensitive, whole_word, ranges, context)
    start = decode_cursor(cursor, *query)
    if regex:
        found = find_regex(paper.text, pattern, case_sensitive=case_sensitive, whole_word=whole_word)
    else:
        found = find_literal(folded.of(paper), pattern, case_sensitive=case_sensitive, whole_word=whole_word)
    spans = _counted(found, page_spans(paper, ranges))
    room = max_chars - _FRAME_CHARS - _HIT_CHARS
    quoted = min(_LONGEST_QUOTE, room // 3)
    around = min(context, (room - 2 * quoted) // 3)
    shown, after = fill_page(
        spans,
        start,
        lambda span: _hit(paper, span, quoted, around),
        max_chars=max_chars - _FRAME_CHARS,
        max_items=max_results,
    )
    hits = Hits(total=len(spans), hits=shown, next_cursor=None)
    if after < len(spans):
        hits["next_cursor"] = encode_cursor(after, *query)
    note = _note(pattern, regex, len(spans), around if around < context else None)
    if note:
        hits["note"] = note
    return hits


def _counted(spans: Iterator[tuple[int, int]], pages: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The spans that start on these pages, until there are too many."""
    inside = (span for span in spans if any(low <= span[0] < high for low, high in pages))
    return list(islice(inside, _MOST_COUNTED))


folded = PerPaper(lambda paper: FoldedText.of(paper.text))
"""The paper's text made comparable."""


def _hit(paper: Paper, span: tuple[int, int], quoted: int, context: int) -> Hit:
    start, end = span
    cut = end - start > quoted
    if cut:
        end = start + quoted
    hit = Hit(
        locator=locate(paper, start, end),
        section=section_at(paper, start),
        quote=doubts.show(paper, start, end),
        context=doubts.show(paper, max(start - context, 0), end + context),
    )
    if cut:
        hit["cut"] = f"the match goes on to {span[1]}: read its page or section"
    unreliable = doubts.note(paper, start, end)
    if unreliable:
        hit["unreliable"] = unreliable
    ocr = ocr_confidence(paper, start, end)
    if ocr is not None:
        hit["ocr"] = ocr
    return hit


def _note(pattern: str, regex: bool, total: int, context: int | None) -> str:
    notes: list[str] = []
    if total >= _MOST_COUNTED:
        notes.append(f"Counting stopped at {_MOST_COUNTED} hits: make the pattern narrower.")
    if regex and not total and "\\b" in pattern and not pattern.isascii():
        notes.append("In RE2 \\b knows ASCII letters only: use whole_word instead.")
    if context is not None:
        notes.append(f"The context was shortened to {context} to fit max_chars.")
    return " ".join(notes)
