"""Which pages need OCR: pictures of print, print outside the text, unreadable fonts, poor text layers of scans."""

import functools
from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import numpy as np
import pypdfium2 as pdfium

from pincite_papers.pdf.elements import PageLayout
from pincite_papers.pdf.layout.characters import is_space
from pincite_papers.pdf.layout.pages import ReadPage
from pincite_papers.pdf.ocr.layer import Boxes, covered, evidence_of, letter_boxes
from pincite_papers.pdf.ocr.lexicon import Lexicon, letters_of, lexicon_of

_COVERED = 0.6
"""Share of the page that a picture covers when the page is a scan. Set by judgement."""
_MARGIN = 0.08
"""Share of a page's side that is its margin, where stamps stand. Set by judgement."""
_STAMP_CHARACTERS = 30
"""Characters of a stamp beside the scan of a page. Set by judgement."""

_FEW_CHARACTERS = 300
"""A page of print has 1,500 characters and more; a stamp, a header and a page number have fewer than these."""
_MANY_LETTERS = 700
"""Letters of ink outside the text from which a page needs OCR: a paragraph. Set by judgement."""
_MOST_HELD = 0.25
"""From so many letters of ink outside the text on, four for each of its characters, the text is not the page's. A page
of print has 1,500 letters; figures of a page of the shared papers have up to 390 in them, beside 470 characters."""

MOST_SUSPECT = 0.3
"""Share of a page's characters with unreliable codes above which its text is not served."""
_LEAST_CHARACTERS = 100
"""Characters below which a page's signs are not judged. Set by judgement."""
_READS = 0.5
"""Share of known words from which on a page reads as text, though its fonts do not vouch for the characters."""
_MOST_POOR = 0.5
"""Share of a document's scanned pages with poor layers from which on the layers of the others are poor as well."""


class Why(Enum):
    """What is wrong with a page's text."""

    PICTURE = "picture"
    SPARSE = "sparse"
    UNREADABLE = "unreadable"
    POOR = "poor"


@dataclass(frozen=True, slots=True)
class Need:
    """That a page needs OCR, and ``seen``, what was seen of it, in words; of ``judged`` ones on the page itself."""

    page: int
    why: Why
    seen: str = ""
    judged: bool = True


def find_needs(document: pdfium.PdfDocument, pages: list[ReadPage]) -> list[Need]:
    """The pages that need OCR, those without any text first."""

    @functools.cache
    def lexicon() -> Lexicon:
        return lexicon_of(pages)

    found = [need for page in pages if (need := _need(document, page, lexicon)) is not None]
    found += _of_one_layer(found, pages)
    order = list(Why)
    return sorted(found, key=lambda need: (order.index(need.why), need.page))


def _of_one_layer(found: list[Need], pages: list[ReadPage]) -> list[Need]:
    """The other scanned pages of a document most of whose text layers are poor: one program read them all."""
    poor = {need.page for need in found if need.why is Why.POOR}
    scanned = [page.layout.number for page in pages if page.scanned]
    if len(poor) < _MOST_POOR * max(len(scanned), 1):
        return []
    seen = f"the layers of {len(poor)} of the {len(scanned)} scanned pages are"
    return [Need(number, Why.POOR, seen, judged=False) for number in scanned if number not in poor]


def _need(document: pdfium.PdfDocument, page: ReadPage, lexicon: Callable[[], Lexicon]) -> Need | None:
    number = page.layout.number
    if is_picture(page.layout):
        return Need(number, Why.PICTURE)
    if not page.scanned:
        return _unreadable(page, lexicon) or _sparse(page, lambda: _letters(document, number))
    faults = evidence_of(_letters(document, number), page, lexicon()).faults
    return Need(number, Why.POOR, "; ".join(faults)) if faults else None


def is_picture(page: PageLayout) -> bool:
    """Whether a page is a picture of print: it shows something but no text, or only a stamp beside a scan."""
    if not page.lines:
        return bool(page.images or page.drawings)
    widest = max(((i.x1 - i.x0) * (i.y1 - i.y0) for i in page.images), default=0.0)
    if widest < _COVERED * page.width * page.height:
        return False
    left, right = _MARGIN * page.width, (1 - _MARGIN) * page.width
    top, bottom = _MARGIN * page.height, (1 - _MARGIN) * page.height
    inside = [
        line for line in page.lines if top < (line.y0 + line.y1) / 2 < bottom and left < (line.x0 + line.x1) / 2 < right
    ]
    return sum(len(line.text) for line in inside) <= _STAMP_CHARACTERS


def _unreadable(page: ReadPage, lexicon: Callable[[], Lexicon]) -> Need | None:
    glyphs = page.glyphs
    solid = (glyphs.runs >= 0) & ~is_space(glyphs.codes)
    count, suspect = int(np.count_nonzero(solid)), int(np.count_nonzero(solid & glyphs.suspects))
    if count < _LEAST_CHARACTERS or suspect <= MOST_SUSPECT * count or _reads(page, lexicon()):
        return None
    return Need(page.layout.number, Why.UNREADABLE, f"{suspect / count:.0%} of its characters are unreliable")


def _reads(page: ReadPage, lexicon: Lexicon) -> bool:
    """Whether a page's words with unreliable characters are words all the same."""
    suspects = page.glyphs.suspects
    words = (word for line in page.layout.lines for word in line.words if not _is_number(word.text))
    doubtful: list[str] = []
    for word in words:
        glyphs = [glyph for glyph in word.glyphs if glyph >= 0]
        if suspects[glyphs].any():
            doubtful.append(word.text)
    known = sum(lexicon.knows(bare) for text in doubtful if (bare := letters_of(text)))
    return lexicon.applies and known >= _READS * len(doubtful)


def _is_number(text: str) -> bool:
    return any(map(str.isdigit, text)) and not any(map(str.isalpha, text))


def _sparse(page: ReadPage, letters_of_ink: Callable[[], Boxes]) -> Need | None:
    layout = page.layout
    if not (layout.images or layout.drawings):
        return None
    held = 0
    for line in layout.lines:
        held += sum([len(word.text) for word in line.words])
        if held > _FEW_CHARACTERS:
            return None
    letters = letters_of_ink()
    missed = len(letters) - int(np.count_nonzero(covered(letters, page)))
    if missed < _MANY_LETTERS or held > _MOST_HELD * missed:
        return None
    seen = f"about {missed} printed letters are not in its {held} characters of text"
    return Need(layout.number, Why.SPARSE, seen)


def _letters(document: pdfium.PdfDocument, number: int) -> Boxes:
    page = document[number - 1]
    try:
        return letter_boxes(page)
    finally:
        page.close()
