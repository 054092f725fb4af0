"""Quality of a page's text: whether what we read can be held against someone who quotes the print."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from pincite_papers.model import Page, Paper
from pincite_papers.passages import PerPaper, suspects_in

MOST_SUSPECT = 0.02
"""Share of a page's printed characters that its fonts map unreliably: above it a page is poorly read. Papers with a few
Greek letters of a Pi font stay below 1 %."""

_LEAST_WORDS = 120
"""Words of a page from which on the commonest words must be among them; a page of tables has fewer."""

LEAST_COMMON = 0.01
"""Share of the commonest words among a page's words; English prose has above 20 %, letters mapped to others none."""

_COMMON = frozenset(
    {"the", "of", "and", "in", "to", "a", "is", "der", "die", "und", "le", "la", "et", "de", "el", "y", "di", "e",
     "het", "van", "o", "och", "en", "i", "we", "with", "for"}
)  # fmt: skip
_WORD = re.compile(r"[^\W\d_]+")
_LATIN = re.compile(r"[a-z]{2,}")


@dataclass(frozen=True, slots=True)
class PageQuality:
    """How far a page's text can be trusted; ``why`` is empty for a page whose text is as printed."""

    page: int
    why: str = ""

    @property
    def poor(self) -> bool:
        """Whether the print may say what our text does not."""
        return bool(self.why)


def page_quality(paper: Paper, page: int) -> PageQuality:
    """The quality of one page (from 1); a page that is not there has none to complain of."""
    return _qualities.of(paper).get(page, PageQuality(page))


def poor_pages(paper: Paper, pages: Iterable[int] | None = None) -> list[PageQuality]:
    """The poorly read ones among ``pages``, of all pages without."""
    known = _qualities.of(paper)
    wanted = known if pages is None else pages
    return [known[page] for page in wanted if page in known and known[page].poor]


def _qualities_of(paper: Paper) -> dict[int, PageQuality]:
    confidences = {part.page: part.confidence for part in paper.recognised}
    return {page.number: PageQuality(page.number, _why(paper, page, confidences)) for page in paper.pages}


_qualities = PerPaper(_qualities_of)


def _why(paper: Paper, page: Page, confidences: dict[int, float]) -> str:
    if page.number in confidences:
        return f"its text was read by OCR (confidence {confidences[page.number]:.2f})"
    if page.unread:
        return "most of its print was not read"
    if page.scanned:
        return "its text is a layer under the picture of the page"
    text = paper.text[page.start : page.end]
    printed = sum(not character.isspace() for character in text)
    doubtful = sum(high - low for low, high in suspects_in(paper, page.start, page.end))
    if printed and doubtful > MOST_SUSPECT * printed:
        return f"its fonts do not say which letters they print ({doubtful / printed:.0%} of the characters)"
    words = [word for word in _WORD.findall(text.casefold()) if _LATIN.match(word)]
    common = sum(word in _COMMON for word in words)
    if len(words) >= _LEAST_WORDS and common < LEAST_COMMON * len(words):
        return "its text is not words: its fonts map letters to others"
    return ""
