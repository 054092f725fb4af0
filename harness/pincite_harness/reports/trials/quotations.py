"""The quotes of an answer, each looked for in the papers of its task."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast

from pincite_core.errors import PinciteError
from pincite_papers.model import Paper, Rect, Span
from pincite_papers.quoting.quotes import MAX_QUOTE_CHARS, find_quote

Verdict = Literal["stands", "wrong page", "not as quoted", "not found", "not looked for"]

_QUOTES = re.compile(r"(?:^|_)(?:quote|evidence|quoted_span)$")
"""Fields of an answer that hold the words of a source."""
MOST_QUOTES = 200
"""Quotes of an answer that are looked for: a page with more is not read by anyone."""
_SHOWN_DIFFERENCES = 5
"""Differences between a quote and the print that are named."""


@dataclass(frozen=True, slots=True)
class Quote:
    """A quote as it stands in an answer: ``path`` are the names and numbers that lead there."""

    path: tuple[str | int, ...]
    text: str
    page: int | None = None
    paper: str = ""
    about: str = ""
    """The field that it is the evidence of, where it says so."""
    work: str = ""
    """DOI or title of a work that is not a paper of the task, where one is named."""


@dataclass(frozen=True, slots=True)
class Found:
    """Where a quote stands: the paper's name, and on each page the boxes of its words in points."""

    verdict: Verdict
    remark: str = ""
    paper: str = ""
    boxes: Mapping[int, tuple[Rect, ...]] | None = None
    page: int | None = None
    """The page to show: where the passage begins, else the one that the answer names."""
    spans: tuple[Span, ...] = ()
    """The ranges of the paper's text where it stands, or what is nearest to it."""


def quotes_of(answer: Any) -> list[Quote]:
    """The quotes of an answer in their order, the first two hundred."""
    found: list[Quote] = []
    for quote in _walk(answer, ()):
        found.append(quote)
        if len(found) == MOST_QUOTES:
            break
    return found


def locate(quote: Quote, papers: Mapping[str, Paper]) -> Found:
    """Look for a quote in the paper that it names, or in all where it names none of the task's."""
    name = quote.paper.rpartition("/")[2]
    if name not in papers and quote.work:
        return Found("not looked for", f"It cites a work that is not a paper of the task: {quote.work[:200]}")
    if not papers:
        return Found("not looked for", "The task has no papers, or they have changed since the run.")
    if len(quote.text) > MAX_QUOTE_CHARS:
        return Found("not looked for", f"It has more than {MAX_QUOTE_CHARS} characters.")
    named = {name: papers[name]} if name in papers else papers
    best: Found | None = None
    for title, paper in named.items():
        try:
            found = _found(title, paper, quote)
        except PinciteError as error:
            found = Found("not looked for", str(error).splitlines()[0])
        if best is None or _RANK[found.verdict] < _RANK[best.verdict]:
            best = found
    assert best is not None
    return best


_RANK: Mapping[Verdict, int] = {"stands": 0, "wrong page": 1, "not as quoted": 2, "not found": 3, "not looked for": 4}


def _walk(value: Any, path: tuple[str | int, ...]) -> Iterator[Quote]:
    if isinstance(value, dict):
        held = cast("dict[str, Any]", value)
        for name, inner in held.items():
            if isinstance(inner, str) and inner.strip() and _QUOTES.search(name):
                page = held.get("page")
                number = page if isinstance(page, int) and not isinstance(page, bool) else None
                work = str(held.get("doi") or held.get("title") or "")
                about = held.get("field")
                named = about if isinstance(about, str) else ""
                yield Quote((*path, name), inner, number, str(held.get("paper") or ""), named, work)
            else:
                yield from _walk(inner, (*path, name))
    elif isinstance(value, list):
        for number, item in enumerate(cast("list[Any]", value)):
            yield from _walk(item, (*path, number))


def _found(name: str, paper: Paper, quote: Quote) -> Found:
    match = find_quote(paper, quote.text, quote.page)
    pages = {page.number for page in paper.pages}
    asked = quote.page if quote.page in pages else None
    if match.standing == "absent":
        return Found("not found", match.remark or "The paper does not have these words.", name, page=asked)
    spans = match.spans or (Span(match.start, match.end),)
    boxes = _boxes(paper, spans)
    page = match.page or asked
    if match.standing == "near":
        shown = [f"“{one.said}” is printed “{one.printed}”" for one in match.differences[:_SHOWN_DIFFERENCES]]
        return Found("not as quoted", "; ".join(shown) or match.remark, name, boxes, page, spans)
    overlooked = f"apart from {', '.join(match.normalisations)}" if match.normalisations else ""
    if match.wrong_page:
        return Found(
            "wrong page", f"It stands on page {match.page}, not on page {quote.page}.", name, boxes, page, spans
        )
    return Found("stands", overlooked, name, boxes, page, spans)


def _boxes(paper: Paper, spans: Sequence[Span]) -> dict[int, tuple[Rect, ...]]:
    found: dict[int, list[Rect]] = {}
    for span in spans:
        for page, box in paper.boxes(span.start, span.end):
            found.setdefault(page, []).append(box)
    return {page: tuple(boxes) for page, boxes in found.items()}
