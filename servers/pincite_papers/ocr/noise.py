"""Noise: blocks of recognised pages that look like headings, but are bits of drawings, axis ticks or misread lines."""

import re
from collections.abc import Iterable, Sequence

from pincite_papers.layout.blocks import Draft
from pincite_papers.layout.pages import ReadPage
from pincite_papers.layout.sectionnames import is_lexical, split_number
from pincite_papers.model import BlockKind
from pincite_papers.ocr.lexicon import Lexicon, letters_of

_LEAST_KNOWN = 0.5
"""Share of a heading's letters and digits that must be in known words. Headings of scans that read as printed have
above 0.7, ticks and misread lines below 0.4."""
_SHORTEST = 3
_BETWEEN = re.compile(r"[\s/–—-]+")


def unmark_noise(drafts: Iterable[Draft], pages: Sequence[ReadPage]) -> None:
    """Make a heading on a recognised page a paragraph again, in place, where it is not made of words."""
    recognised = {k for k, page in enumerate(pages) if page.scanned or page.recognised}
    if not recognised:
        return
    lexicon = Lexicon(line.text for page in pages for line in page.layout.lines)
    for draft in drafts:
        if draft.kind is BlockKind.HEADING and draft.page in recognised and not _is_words(draft.text, lexicon):
            draft.kind = BlockKind.PARAGRAPH


def _is_words(text: str, lexicon: Lexicon) -> bool:
    """Whether a heading is made of words: known ones in an English document, any of letters in another."""
    title = split_number(text)[1]
    if is_lexical(title):
        return True
    words = [word for token in _BETWEEN.split(title) if len(word := letters_of(token)) >= _SHORTEST]
    if not lexicon.applies:
        return bool(words) or not title.isascii()
    known = sum(len(word) for word in words if lexicon.knows(word))
    return known >= _LEAST_KNOWN * sum(map(str.isalnum, title))
