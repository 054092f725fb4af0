"""Annotate: highlights in a PDF, which any reader shows; runs in a process of its own (see ``worker``).

A highlight (ISO 32000-1, section 12.5.6.10) has quadrilaterals, and an appearance of its own, in which the colour is
multiplied with the page, so that print stays black and every reader draws the same.
"""

import io
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as raw
from pypdf import PdfReader
from pypdf.errors import PyPdfError
from pypdf.generic import (
    ArrayObject,
    DictionaryObject,
    FloatObject,
    IndirectObject,
    NameObject,
    NumberObject,
    PdfObject,
    StreamObject,
    TextStringObject,
)

from pincite_core.errors import DamagedError
from pincite_papers.pdf.glyphs import Frame
from pincite_provenance.export.increment import Increment, UnsoundError
from pincite_provenance.export.legend import Legend, legend_annotation
from pincite_provenance.export.marks import Mark
from pincite_provenance.export.placing import numbers, unshown

_PRINTED = 4
_FAULTS = (PyPdfError, UnsoundError, KeyError, ValueError, TypeError, AttributeError, IndexError, RecursionError)
"""What pypdf raises of files that are not what they ought to be."""


@dataclass(frozen=True, slots=True)
class _Plan:
    """What is added to which page."""

    by_page: Mapping[int, list[Mark]]
    legend: Legend = ()

    @property
    def first(self) -> int:
        """The page that gets the legend."""
        return next(iter(self.by_page), 0)

    def added(self, page: int) -> int:
        """How many annotations a page gets."""
        return len(self.by_page[page]) + (page == self.first and bool(self.legend))


def annotate_job(header: Mapping[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """The marked-up PDF, and whether it is the source with something appended (``kept``) or was rewritten."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    legend = [(str(words), (float(r), float(g), float(b))) for words, (r, g, b) in header.get("legend", ())]
    marked, kept = annotate(data, [Mark.received(sent) for sent in header["marks"]], legend)
    return {"kept": kept}, marked


def annotate(data: bytes, marks: Sequence[Mark], legend: Legend = ()) -> tuple[bytes, bool]:
    """The PDF with the marks and a legend, and whether its own bytes are all there before what was appended.

    The legend goes on the first page that has a mark. What cannot be appended to (encrypted with an empty password,
    damaged cross-references) is written again by PDFium, without encryption. Each result is opened again before it is
    returned; DamagedError where neither holds every mark.
    """
    plan = _Plan(_by_page(marks), legend)
    by_page = plan.by_page
    frames, counts, pages = _look(data, by_page)
    wanted = {page: counts[page] + plan.added(page) for page in by_page}
    for write, kept in ((_append, True), (_rewrite, False)):
        try:
            made = write(data, plan, frames, pages)
            _, found, pages_after = _look(made, by_page)
        except (*_FAULTS, pdfium.PdfiumError):
            continue
        if pages_after == pages and found == wanted:
            return made, kept
    raise DamagedError(
        "This PDF is damaged so that highlights cannot be added.",
        next="Export the claims as web-annotation instead.",
    )


def _by_page(marks: Sequence[Mark]) -> dict[int, list[Mark]]:
    """The marks of each page, pages in order."""
    pages = sorted({mark.page for mark in marks})
    return {page: [mark for mark in marks if mark.page == page] for page in pages}


def _look(data: bytes, pages: Iterable[int]) -> tuple[dict[int, Frame], dict[int, int], int]:
    """The frames of these pages, how many annotations they have, and how many pages the file has."""
    with pdfium.PdfDocument(data) as document:
        frames: dict[int, Frame] = {}
        counts: dict[int, int] = {}
        for number in pages:
            page = document[number - 1]
            frames[number] = Frame.of(page)
            counts[number] = raw.FPDFPage_GetAnnotCount(page)
            page.close()
        return frames, counts, len(document)


def _append(data: bytes, plan: _Plan, frames: Mapping[int, Frame], pages: int) -> bytes:
    reader = PdfReader(io.BytesIO(data))
    increment = Increment(data, reader)
    for number, marks in plan.by_page.items():
        reference = _page_reference(reader, number, pages)
        page = cast("DictionaryObject", reader.get_object(reference))
        highlights = [_highlight(increment, mark, frames[number], reference) for mark in marks]
        if number == plan.first and plan.legend:
            highlights.append(legend_annotation(increment, plan.legend, frames[number], reference))
        changed = DictionaryObject(page)
        changed[NameObject("/Annots")] = ArrayObject([*_annotations(page), *highlights])
        increment.replace(reference, changed)
    return increment.finish()


def _rewrite(data: bytes, plan: _Plan, frames: Mapping[int, Frame], pages: int) -> bytes:
    """As ``_append``, to what PDFium makes of the file."""
    out = io.BytesIO()
    with pdfium.PdfDocument(data) as document:
        cast("Any", document).save(out, flags=raw.FPDF_REMOVE_SECURITY)
    return _append(out.getvalue(), plan, frames, pages)


def _page_reference(reader: PdfReader, number: int, pages: int) -> IndirectObject:
    reference = reader.pages[number - 1].indirect_reference
    if reference is None or len(reader.pages) != pages:
        raise UnsoundError
    return reference


def _annotations(page: DictionaryObject) -> list[PdfObject]:
    """The annotations that the page has, as they are."""
    there = page.get("/Annots")
    there = there.get_object() if there is not None else None
    return list(there) if isinstance(there, ArrayObject) else []


def _highlight(increment: Increment, mark: Mark, frame: Frame, page: IndirectObject) -> IndirectObject:
    """A highlight annotation with its appearance."""
    boxes = unshown(frame, mark.boxes)
    rect = numbers(boxes[:, :, 0].min(), boxes[:, :, 1].min(), boxes[:, :, 0].max(), boxes[:, :, 1].max())
    made = DictionaryObject()
    entries: dict[str, PdfObject] = {
        "/Type": NameObject("/Annot"),
        "/Subtype": NameObject("/Highlight"),
        "/Rect": rect,
        "/QuadPoints": numbers(*boxes.ravel().tolist()),
        "/C": numbers(*mark.color),
        "/CA": FloatObject(1),
        "/F": NumberObject(_PRINTED),
        "/P": page,
        "/NM": TextStringObject(mark.name),
        "/T": TextStringObject(mark.author),
        "/Subj": TextStringObject("Claim"),
        "/Contents": TextStringObject(mark.text),
        "/M": TextStringObject(mark.date),
        "/CreationDate": TextStringObject(mark.date),
        "/AP": DictionaryObject({NameObject("/N"): increment.add(_appearance(mark, boxes, rect))}),
    }
    made.update({NameObject(name): value for name, value in entries.items()})
    return increment.add(made)


def _appearance(mark: Mark, boxes: "np.ndarray[Any, np.dtype[np.float64]]", rect: ArrayObject) -> StreamObject:
    """A form that fills the boxes at once, so that none is darker where two meet, multiplied with what is under it."""
    lines = ["/Multiply gs", " ".join(f"{part:.3f}" for part in mark.color) + " rg"]
    for top_left, top_right, bottom_left, bottom_right in boxes.tolist():
        corners = (top_left, top_right, bottom_right, bottom_left)
        path = " ".join(f"{x:.3f} {y:.3f} {'l' if at else 'm'}" for at, (x, y) in enumerate(corners))
        lines.append(f"{path} h")
    lines.append("f")
    state = DictionaryObject(
        {NameObject("/Type"): NameObject("/ExtGState"), NameObject("/BM"): NameObject("/Multiply")}
    )
    states = DictionaryObject({NameObject("/Multiply"): state})
    form = StreamObject()
    form.set_data("\n".join(lines).encode())
    entries: dict[str, PdfObject] = {
        "/Type": NameObject("/XObject"),
        "/Subtype": NameObject("/Form"),
        "/BBox": rect,
        "/Resources": DictionaryObject({NameObject("/ExtGState"): states}),
    }
    form.update({NameObject(name): value for name, value in entries.items()})
    return form
