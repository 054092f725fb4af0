"""Which pages of a PDF need OCR, and what reading them gave: pages for the layout, warnings, confidences.

What reads is loaded only where a page needs it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pypdfium2 as pdfium

from pincite_core.errors import ImageOnlyError, PinciteError
from pincite_papers.layout.elements import PageLayout
from pincite_papers.layout.pages import ReadPage
from pincite_papers.model import Page, Recognition

if TYPE_CHECKING:
    from pincite_papers.ocr.reader import OcrReader, PageImage, Scans

_COVERED = 0.6
_MARGIN = 0.08
_STAMP_CHARACTERS = 30
_MOST_DOUBTFUL = 0.3
"""Share of a page's printed characters that its fonts map unreliably, above which its text is not served: a page set in
one such font has nearly all, a page of formulas below 10 %."""

MakeReader = Callable[[], "OcrReader"]
"""Makes the reader when a page needs it; raises UnavailableError when it cannot."""


@dataclass(slots=True)
class Recognised:
    """The mean confidence of each page that OCR read, by its number, and what is to be said of it and the others."""

    confidences: dict[int, float] = field(default_factory=dict[int, float])
    notes: list[str] = field(default_factory=list[str])

    def ranges(self, pages: Iterable[Page], text: str) -> tuple[Recognition, ...]:
        """The ranges of the canonical text that were read by OCR."""
        found: list[Recognition] = []
        for page in pages:
            piece = text[page.start : page.end]
            if page.number in self.confidences and piece.strip():
                start = page.start + len(piece) - len(piece.lstrip())
                end = start + len(piece.strip())
                found.append(Recognition(start, end, page.number, round(self.confidences[page.number], 4)))
        return tuple(found)


def needs_ocr(page: PageLayout) -> bool:
    """Whether a page is a picture of print: it shows something but no text, or only a stamp beside a scan."""
    if not page.lines:
        return bool(page.images or page.drawings)
    covered = max(((i.x1 - i.x0) * (i.y1 - i.y0) for i in page.images), default=0.0)
    if covered < _COVERED * page.width * page.height:
        return False
    left, right = _MARGIN * page.width, (1 - _MARGIN) * page.width
    top, bottom = _MARGIN * page.height, (1 - _MARGIN) * page.height
    inside = [
        line for line in page.lines if top < (line.y0 + line.y1) / 2 < bottom and left < (line.x0 + line.x1) / 2 < right
    ]
    return sum(len(line.text) for line in inside) <= _STAMP_CHARACTERS


def is_garbled(page: ReadPage) -> bool:
    """Whether the fonts of a page do not say what it prints, for too much of it to be served."""
    if not page.glyphs.suspects.any():
        return False
    printed = [glyph for line in page.layout.lines for word in line.words for glyph in word.glyphs if glyph >= 0]
    return bool(printed) and float(page.glyphs.suspects[printed].mean()) > _MOST_DOUBTFUL


def recognise(document: pdfium.PdfDocument, pages: list[ReadPage], make_reader: MakeReader | None) -> Recognised:
    """Read the pages that need it, in place.

    Where no page has text of its own and none can be read, ImageOnlyError says why; else a warning does.
    """
    garbled = [page.layout.number for page in pages if is_garbled(page)]
    wanted = [page.layout.number for page in pages if page.layout.number in garbled or needs_ocr(page.layout)]
    found = Recognised()
    if not wanted:
        return found
    from pincite_papers.ocr.reader import Scans
    from pincite_papers.ocr.scanned import settle

    scans = Scans()
    described = ""
    try:
        if make_reader is None:
            raise ImageOnlyError("OCR is off.", next="Set PINCITE_OCR=auto.")
        reader = make_reader()
        described = reader.described
        scans = reader.read(wanted, lambda number: _image(document, number))
    except PinciteError as error:
        scans.failed.update(dict.fromkeys(wanted, error))
    for number in garbled:
        pages[number - 1].layout.lines, pages[number - 1].ruby = [], []
    read = [scans.pages[number] for number in wanted if number in scans.pages]
    for scan, page in zip(read, settle(read), strict=True):
        pages[scan.number - 1] = page
        found.confidences[scan.number] = scan.confidence
        found.notes.append(_said(scan.number, described, scan.confidence, empty=not page.layout.lines))
    found.notes += _unread(scans, garbled)
    if not any(page.layout.lines for page in pages):
        raise _image_only(pages, found, scans, garbled)
    return found


def _image(document: pdfium.PdfDocument, number: int) -> "PageImage":
    from pincite_papers.ocr.raster import render_page
    from pincite_papers.ocr.reader import PageImage

    page = document[number - 1]
    try:
        raster, dpi = render_page(page)
        width, height = page.get_size()
        return PageImage(number, raster, dpi, width, height)
    finally:
        page.close()


def _said(number: int, described: str, confidence: float, *, empty: bool) -> str:
    if empty:
        return f"Page {number} is a picture in which OCR ({described}) found no text."
    return f"Page {number} was read by OCR ({described}), mean confidence {confidence:.2f}."


def _unread(scans: "Scans", garbled: list[int]) -> list[str]:
    """Why pages were not read: one sentence a reason, those whose fonts say nothing apart."""
    reasons: dict[str, list[int]] = {}
    for number, error in scans.failed.items():
        parts = (error.what, f"({error.seen})" if error.seen else "", f"Next: {error.next}" if error.next else "")
        reasons.setdefault(" ".join(part for part in parts if part), []).append(number)
    if scans.late:
        reasons["the time for OCR was over. Next: raise PINCITE_OCR_SECONDS and open the paper again."] = scans.late
    notes: list[str] = []
    for reason, numbers in reasons.items():
        withheld = [number for number in numbers if number in garbled]
        bare = [number for number in numbers if number not in garbled]
        if bare:
            notes.append(f"{listed(bare)} without a text layer {_were(bare)} not read: {reason}")
        if withheld:
            notes.append(
                f"{listed(withheld)} {_were(withheld)} withheld: the fonts do not say which characters they "
                f"print. OCR did not read {'it' if len(withheld) == 1 else 'them'}: {reason}"
            )
    return notes


def _were(numbers: list[int]) -> str:
    return "was" if len(numbers) == 1 else "were"


def listed(numbers: list[int]) -> str:
    """Page numbers for a sentence: "Page 3", "Pages 3-5, 9"."""
    numbers = sorted(numbers)
    ranges: list[list[int]] = []
    for number in numbers:
        if ranges and ranges[-1][1] == number - 1:
            ranges[-1][1] = number
        else:
            ranges.append([number, number])
    shown = ", ".join(f"{a}-{b}" if a < b else str(a) for a, b in ranges)
    return f"Page{'s' if len(numbers) > 1 else ''} {shown}"


def _image_only(pages: list[ReadPage], found: Recognised, scans: "Scans", garbled: list[int]) -> ImageOnlyError:
    error = next(iter(scans.failed.values()), None)
    advice = error.next if error is not None and error.next else "Get a copy with a text layer."
    if scans.late:
        advice = "Raise PINCITE_OCR_SECONDS and open the paper again."
    what = "The PDF has no text layer: its pages are images."
    if garbled:
        what = "The fonts of the PDF do not say which characters they print, and OCR did not read its pages."
    return ImageOnlyError(
        what,
        seen=f"{len(pages)} pages, no characters; " + " ".join(found.notes)[:600],
        next=advice,
    )
