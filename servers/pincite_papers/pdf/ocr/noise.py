"""Noise: blocks of recognised pages that look like headings, but are ticks of axes or misread lines."""

import re
from collections.abc import Callable, Iterable, Sequence

from pincite_papers.model import BlockKind
from pincite_papers.pdf.layout.blocks import Draft
from pincite_papers.pdf.layout.pages import ReadPage
from pincite_papers.pdf.layout.sectionnames import is_lexical, split_number
from pincite_papers.pdf.ocr.lexicon import Lexicon, letters_of, lexicon_of

_LEAST_KNOWN = 0.5
"""Share of a heading's letters and digits that must be in known words. Headings of scans that read as printed have
above 0.7, ticks and misread lines below 0.4."""
_SHORTEST = 3
"""Letters of a word that is looked up; shorter ones any noise makes."""
_BETWEEN = re.compile(r"[\s/–—-]+")


def noise_of(pages: Sequence[ReadPage]) -> Callable[[Draft], bool]:
    """What says of a block whether it is on a recognised page and not made of words, so that it is not a heading."""
    recognised = {k for k, page in enumerate(pages) if page.scanned or page.recognised}
    if not recognised:
        return lambda _: False
    lexicon = lexicon_of(pages)
    return lambda draft: draft.page in recognised and not _is_words(draft.text, lexicon)


def unmark_noise(drafts: Iterable[Draft], is_noise: Callable[[Draft], bool]) -> None:
    """Make headings that are noise paragraphs again, in place."""
    for draft in drafts:
        if draft.kind is BlockKind.HEADING and is_noise(draft):
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
