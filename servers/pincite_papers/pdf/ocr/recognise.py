"""What OCR reads of the pages that need it: pages for the layout, warnings, confidences, unreliable numbers.

What reads is loaded only where a page needs it.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import pypdfium2 as pdfium

from pincite_core.errors import ImageOnlyError, PinciteError
from pincite_papers.model import Page, Recognition
from pincite_papers.pdf.layout.pages import WITHHELD, ReadPage
from pincite_papers.pdf.ocr.layer import sense
from pincite_papers.pdf.ocr.lexicon import lexicon_of
from pincite_papers.pdf.ocr.needs import Need, Why, find_needs
from pincite_papers.pdf.ocr.numbers import mark_misread, mark_numbers, numbers_of

if TYPE_CHECKING:
    from pincite_papers.pdf.ocr.reader import OcrReader, PageImage, Scans

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


def recognise(document: pdfium.PdfDocument, pages: list[ReadPage], make_reader: MakeReader | None) -> Recognised:
    """Read the pages that need it, in place; of a page that has text as well the reading with more sense is taken.

    Where no page has text and none can be read, ImageOnlyError says why; else a warning does.
    """
    needs = find_needs(document, pages)
    found = Recognised()
    unread = _read(document, pages, needs, make_reader, found) if needs else {}
    for why in (Why.POOR, Why.UNREADABLE, Why.SPARSE, Why.PICTURE):
        left = [need for need in needs if need.why is why and need.page in unread]
        found.notes[:0] = _settle_unread(why, left, unread, pages)
    for page in pages:
        if page.scanned or page.layout.number in found.confidences:
            mark_misread(page.layout.lines, page.glyphs)
    if needs and not any(page.layout.lines for page in pages):
        raise _image_only(pages, needs, found, unread)
    return found


_WRONG = {
    Why.POOR: "the text layer under the picture is poor",
    Why.UNREADABLE: "the fonts do not say which letters they print",
    Why.SPARSE: "most of the print is not in the text layer",
}
_CAUTION = {
    Why.POOR: ". Every number there is unreliable: zoom before you use one.",
    Why.UNREADABLE: ", so the text is withheld: look at the page.",
    Why.SPARSE: ": look at the page before you say that something is not there.",
}


@dataclass(frozen=True, slots=True)
class _Reading:
    """That OCR read a page: its mean confidence, and whether it found nothing."""

    need: Need
    confidence: float
    empty: bool


@dataclass(frozen=True, slots=True)
class _Unread:
    """Why a page was not read, and what to do about it."""

    reason: str
    advice: str = ""


_WORSE = _Unread("OCR made less sense of the picture.")


def _read(
    document: pdfium.PdfDocument,
    pages: list[ReadPage],
    needs: list[Need],
    make_reader: MakeReader | None,
    found: Recognised,
) -> dict[int, _Unread]:
    """Read the pages in need, in place, and why those that keep their text do, by number."""
    from pincite_papers.pdf.ocr.reader import Scans
    from pincite_papers.pdf.ocr.scanned import doubt_numbers, settle

    lexicon = lexicon_of(pages)
    scans = Scans()
    described = ""
    wanted = [need.page for need in needs]
    try:
        if make_reader is None:
            raise ImageOnlyError("OCR is off.", next="Set PINCITE_OCR=auto.")
        reader = make_reader()
        described = reader.described
        scans = reader.read(wanted, lambda number: _image(document, number))
    except PinciteError as error:
        scans.failed.update(dict.fromkeys(wanted, error))
    unread = _reasons(scans)
    by_page = {need.page: need for need in needs}
    readings: list[_Reading] = []
    read = [scans.pages[number] for number in wanted if number in scans.pages]
    for scan in read:
        known = numbers_of(pages[scan.number - 1].layout.lines) if by_page[scan.number].why is Why.POOR else None
        doubt_numbers(scan, known)
    for scan, page in zip(read, settle(read), strict=True):
        need, old = by_page[scan.number], pages[scan.number - 1]
        if need.why is not Why.PICTURE and sense(page.layout.lines, lexicon) < sense(old.layout.lines, lexicon):
            unread[scan.number] = _WORSE
            if need.why is Why.POOR:
                mark_numbers(old.layout.lines, old.glyphs, but=numbers_of(page.layout.lines))
            continue
        pages[scan.number - 1] = page
        found.confidences[scan.number] = scan.confidence
        readings.append(_Reading(need, scan.confidence, empty=not page.layout.lines))
    for why in _WRONG:
        again = [reading for reading in readings if reading.need.why is why]
        if again:
            found.notes.append(_note_again(again, described))
    found.notes += [_note(reading, described) for reading in readings if reading.need.why is Why.PICTURE]
    return unread


def _settle_unread(why: Why, needs: list[Need], unread: dict[int, _Unread], pages: list[ReadPage]) -> list[str]:
    """Mark or withhold what pages say that OCR did not read, and the warnings: one a reason."""
    by_reason: dict[_Unread, list[Need]] = {}
    for need in needs:
        page = pages[need.page - 1]
        page.unread = why is not Why.POOR
        if why is Why.POOR and unread[need.page] is not _WORSE:
            mark_numbers(page.layout.lines, page.glyphs)
        elif why is Why.UNREADABLE:
            page.hidden[WITHHELD] = page.layout.lines
            page.layout.lines = []
        by_reason.setdefault(unread[need.page], []).append(need)
    return [_warning(why, group, reason) for reason, group in by_reason.items()]


def _seen(needs: list[Need]) -> str:
    """What was seen of pages, of one of them as an example."""
    seen = max(needs, key=lambda need: need.judged).seen
    return f" ({'e.g. ' if len(needs) > 1 else ''}{seen})" if seen else ""


def _warning(why: Why, needs: list[Need], unread: _Unread) -> str:
    """What a reader must know of pages that OCR did not read."""
    which = listed([need.page for need in needs])
    because = " ".join(part for part in (unread.reason, f"Next: {unread.advice}" if unread.advice else "") if part)
    if why is Why.POOR and unread is _WORSE:
        return f"{which}: {_WRONG[why]}{_seen(needs)}. {because} Numbers that it read otherwise are marked unreliable."
    if why in _WRONG:
        return f"{which}: {_WRONG[why]}{_seen(needs)}{_CAUTION[why]} Not read again: {because}"
    many = len(needs) > 1
    return f"{which} without a text layer {'were' if many else 'was'} not read: {because}"


def _image(document: pdfium.PdfDocument, number: int) -> "PageImage":
    from pincite_papers.pdf.ocr.raster import render_page
    from pincite_papers.pdf.ocr.reader import PageImage

    page = document[number - 1]
    try:
        raster, dpi = render_page(page)
        width, height = page.get_size()
        return PageImage(number, raster, dpi, width, height)
    finally:
        page.close()


def _note(reading: _Reading, described: str) -> str:
    number = reading.need.page
    if reading.empty:
        return f"Page {number} is a picture in which OCR ({described}) found no text."
    return f"Page {number} was read by OCR ({described}), mean confidence {reading.confidence:.2f}."


def _note_again(readings: list[_Reading], described: str) -> str:
    """What was wrong with pages that OCR read although they had text, and how sure it was."""
    needs = [reading.need for reading in readings]
    sure = [reading.confidence for reading in readings]
    lowest, highest = f"{min(sure):.2f}", f"{max(sure):.2f}"
    which = listed([need.page for need in needs])
    return (
        f"{which}: {_WRONG[needs[0].why]}{_seen(needs)}. Read again by OCR ({described}), "
        f"mean confidence {lowest if lowest == highest else f'{lowest} to {highest}'}."
    )


def _reasons(scans: "Scans") -> dict[int, _Unread]:
    """Why pages were not read."""
    reasons: dict[int, _Unread] = {}
    for number, error in scans.failed.items():
        reasons[number] = _Unread(error.bracketed(), error.next or "")
    late = _Unread("the time for OCR was over.", "Raise PINCITE_OCR_SECONDS and open the paper again.")
    return reasons | dict.fromkeys(scans.late, late)


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


def _image_only(
    pages: list[ReadPage], needs: list[Need], found: Recognised, unread: dict[int, _Unread]
) -> ImageOnlyError:
    advice = next((reason.advice for reason in unread.values() if reason.advice), "Get a copy with a text layer.")
    what = "The PDF has no text layer: its pages are images."
    seen = f"{len(pages)} pages, no characters; "
    if any(need.why is Why.UNREADABLE for need in needs):
        what = "The PDF's text cannot be read: its fonts do not say which letters they print."
        seen = f"{len(pages)} pages; "
    return ImageOnlyError(what, seen=seen + " ".join(found.notes)[:600], next=advice)
