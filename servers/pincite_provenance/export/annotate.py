"""Annotate: highlights in a PDF, which any reader shows; runs in a process of its own (see ``worker``).

A highlight (ISO 32000-1, section 12.5.6.10) has quadrilaterals, and an appearance of its own, in which the colour is
multiplied with the page, so that print stays black and every reader draws the same.
"""

import io
import logging
from collections.abc import Iterable, Mapping, Sequence
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
from pincite_papers.glyphs import Frame
from pincite_provenance.export.increment import Increment, UnsoundError
from pincite_provenance.export.marks import Mark

_PRINTED = 4
_FAULTS = (PyPdfError, UnsoundError, KeyError, ValueError, TypeError, AttributeError, IndexError, RecursionError)
"""What pypdf raises of files that are not what they ought to be."""


def annotate_job(header: Mapping[str, Any], data: bytes) -> tuple[dict[str, Any], bytes]:
    """The marked-up PDF, and whether it is the source with something appended (``kept``) or was written anew."""
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    marked, kept = annotate(data, [Mark.received(sent) for sent in header["marks"]])
    return {"kept": kept}, marked


def annotate(data: bytes, marks: Sequence[Mark]) -> tuple[bytes, bool]:
    """The PDF with the marks, and whether its own bytes are all there before what was appended.

    What cannot be appended to (encrypted with an empty password, damaged cross-references) is written anew by PDFium,
    without encryption. Each result is opened again before it is returned; DamagedError where neither holds every mark.
    """
    by_page = {page: [mark for mark in marks if mark.page == page] for page in sorted({mark.page for mark in marks})}
    frames, counts, pages = _look(data, by_page)
    wanted = {page: counts[page] + len(of_page) for page, of_page in by_page.items()}
    for write, kept in ((_append, True), (_rewrite, False)):
        try:
            made = write(data, by_page, frames, pages)
            _, found, pages_after = _look(made, by_page)
        except (*_FAULTS, pdfium.PdfiumError):
            continue
        if pages_after == pages and found == wanted:
            return made, kept
    raise DamagedError(
        "This PDF is damaged in a way that lets no highlights be added.",
        next="Export the claims as web-annotation instead.",
    )


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


def _append(data: bytes, by_page: Mapping[int, list[Mark]], frames: Mapping[int, Frame], pages: int) -> bytes:
    reader = PdfReader(io.BytesIO(data))
    increment = Increment(data, reader)
    for number, marks in by_page.items():
        reference = _page_reference(reader, number, pages)
        page = cast("DictionaryObject", reader.get_object(reference))
        highlights = [_highlight(increment, mark, frames[number], reference) for mark in marks]
        changed = DictionaryObject(page)
        changed[NameObject("/Annots")] = ArrayObject([*_annotations(page), *highlights])
        increment.replace(reference, changed)
    return increment.finish()


def _rewrite(data: bytes, by_page: Mapping[int, list[Mark]], frames: Mapping[int, Frame], pages: int) -> bytes:
    """As ``_append``, to what PDFium makes of the file."""
    out = io.BytesIO()
    with pdfium.PdfDocument(data) as document:
        cast("Any", document).save(out, flags=raw.FPDF_REMOVE_SECURITY)
    return _append(out.getvalue(), by_page, frames, pages)


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
    boxes = _unshown(frame, mark.boxes)
    rect = _numbers(boxes[:, :, 0].min(), boxes[:, :, 1].min(), boxes[:, :, 0].max(), boxes[:, :, 1].max())
    made = DictionaryObject()
    entries: dict[str, PdfObject] = {
        "/Type": NameObject("/Annot"),
        "/Subtype": NameObject("/Highlight"),
        "/Rect": rect,
        "/QuadPoints": _numbers(*boxes.ravel().tolist()),
        "/C": _numbers(*mark.color),
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


def _unshown(
    frame: Frame, boxes: Sequence[tuple[float, float, float, float]]
) -> "np.ndarray[Any, np.dtype[np.float64]]":
    """Float64 (n, 4, 2): the corners of boxes as shown (top left, top right, bottom left, bottom right) in user space:
    the inverse of ``Frame.show``."""
    x0, y0, x1, y1 = np.array(boxes, dtype=np.float64).T
    across, down = np.stack((x0, x1, x0, x1), axis=1), np.stack((y0, y0, y1, y1), axis=1)
    visible = frame.top - frame.bottom if frame.quarter_turns % 2 else frame.right - frame.left
    if frame.width > 0:
        across, down = across * (visible / frame.width), down * (visible / frame.width)
    if frame.quarter_turns == 0:
        x, y = frame.left + across, frame.top - down
    elif frame.quarter_turns == 1:
        x, y = frame.left + down, frame.bottom + across
    elif frame.quarter_turns == 2:
        x, y = frame.right - across, frame.bottom + down
    else:
        x, y = frame.right - down, frame.top - across
    return np.stack((x, y), axis=2)


def _numbers(*values: float) -> ArrayObject:
    return ArrayObject(FloatObject(f"{float(value):.3f}") for value in values)
