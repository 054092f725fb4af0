"""A PDF becomes a Paper: pure, deterministic, one page open at a time."""

import hashlib

import pypdfium2 as pdfium
import pypdfium2.raw as raw_pdfium

from pincite_core.errors import (
    DamagedError,
    EmptySourceError,
    EncryptedError,
    LimitReachedError,
    UnknownFormatError,
)
from pincite_papers.identity import find_doi
from pincite_papers.imprint import find_imprint, find_keywords
from pincite_papers.model import BlockKind, Furniture, FurnitureKind, Page, Paper
from pincite_papers.pdf.assemble import Assembled, assemble, build_sections
from pincite_papers.pdf.collector import uncollected
from pincite_papers.pdf.document import Document, read_document
from pincite_papers.pdf.layout.pages import ReadPage, read_page
from pincite_papers.pdf.metadata import Metadata, add_information, read_navigation
from pincite_papers.pdf.ocr.recognise import MakeReader, Recognised, recognise
from pincite_papers.pdf.signs.judge import Memory
from pincite_papers.pdf.turned import turn_back
from pincite_papers.references import find_citations

PARSER_VERSION = "pincite-pdf/6"

_FRONT_PAGES = 2
"""Pages in which a paper states its keywords and journal: a cover sheet may come first."""
_LINES = frozenset((FurnitureKind.HEADER, FurnitureKind.FOOTER, FurnitureKind.WATERMARK))
_NOTES = frozenset((BlockKind.FOOTNOTE, BlockKind.AUTHORS))
_HEADER = b"%PDF-"
_HEADER_WITHIN = 1 << 20
"""Bytes in which ``%PDF-`` must stand. Readers ask for 1,024; files with a preamble have more."""


@uncollected
def parse_pdf(data: bytes, *, max_pages: int, make_reader: MakeReader | None = None) -> Paper:
    """The Paper of a PDF's bytes; an UnreadableError says why there is none, LimitReachedError that it is too long.

    ``make_reader`` makes what reads pages without a text layer; None leaves them unread.
    """
    start = _header(data)
    body = data[start:] if start else data
    pages, metadata, recognised = _read_pages(body, max_pages, make_reader)
    document = read_document(pages, metadata)
    assembled = assemble(document.flow, [page.glyphs for page in pages], document.hyphenation)
    references = document.references()
    shown = _pages(pages, document, assembled, metadata)
    title = _title(document, assembled, metadata)
    imprint = find_imprint(metadata.fields, _short_texts(document, assembled), title)
    paper = Paper(
        paper_id="sha256:" + hashlib.sha256(data).hexdigest(),
        parser=PARSER_VERSION,
        title=title,
        text=assembled.text,
        pages=shown,
        blocks=assembled.blocks,
        geometry=assembled.geometry,
        doi=find_doi(metadata.fields, _first_page(document, assembled), assembled.text),
        journal=imprint.journal,
        year=imprint.year,
        authors=document.authors,
        keywords=find_keywords(metadata.fields, _texts(assembled, _FRONT_PAGES)),
        sections=build_sections(document.flow, assembled),
        tables=document.tables(assembled),
        figures=document.figures(assembled),
        references=references,
        citations=find_citations(assembled.text, assembled.blocks, references),
        suspects=assembled.suspects,
        recognised=recognised.ranges(shown, assembled.text),
        metadata=metadata.fields,
        attachments=metadata.attachments,
        warnings=(*recognised.notes, *metadata.warnings, *document.warnings(assembled)),
    )
    return turn_back(paper, {page.layout.number: page.turn for page in pages if page.turn is not None})


def _header(data: bytes) -> int:
    """Where the PDF starts in its bytes."""
    if not data.strip():
        raise EmptySourceError(
            "The file is empty.", seen=f"{len(data)} bytes", next="Check the download, then try again."
        )
    start = data.find(_HEADER, 0, _HEADER_WITHIN)
    if start < 0:
        raise UnknownFormatError(
            "The file is not a PDF.",
            seen=f"{len(data)} bytes without a %PDF- header",
            next="Give the path or address of the PDF itself.",
        )
    return start


def _read_pages(
    data: bytes, max_pages: int, make_reader: MakeReader | None
) -> tuple[list[ReadPage], Metadata, Recognised]:
    """Every page, with the outline and the labels of the document, and what OCR read of them."""
    try:
        document = pdfium.PdfDocument(data)
    except pdfium.PdfiumError as error:
        raise _unreadable(error, data) from error
    try:
        count = len(document)
        if count == 0:
            raise EmptySourceError("The PDF has no pages.", next="Check the download, then try again.")
        if count > max_pages:
            raise LimitReachedError(
                f"The PDF has {count} pages, more than the limit of {max_pages}.",
                next="Raise PINCITE_MAX_PAGES, or split the file.",
            )
        metadata = read_navigation(document)
        add_information(data, metadata)
        memory = Memory()
        pages = [_read_page(document, index, metadata, memory) for index in range(count)]
        recognised = recognise(document, pages, make_reader)
    finally:
        document.close()
    if not any(page.layout.lines for page in pages):
        raise EmptySourceError(
            "The PDF's pages are blank.",
            seen=f"{len(pages)} pages, no characters",
            next="Check the download, then try again.",
        )
    return pages, metadata, recognised


def _read_page(document: pdfium.PdfDocument, index: int, metadata: Metadata, memory: Memory) -> ReadPage:
    try:
        page = document[index]
    except pdfium.PdfiumError as error:
        raise DamagedError(
            f"Page {index + 1} of the PDF is broken.", seen=str(error), next="Get another copy of the file."
        ) from error
    try:
        return read_page(page, index + 1, layers_off=metadata.layers_off, memory=memory)
    finally:
        page.close()


def _unreadable(error: pdfium.PdfiumError, data: bytes) -> EncryptedError | DamagedError:
    code = getattr(error, "err_code", None)
    if code == raw_pdfium.FPDF_ERR_PASSWORD:
        return EncryptedError(
            "The PDF is encrypted and needs a password.", next="Save a copy without the password and open that."
        )
    if code == raw_pdfium.FPDF_ERR_SECURITY:
        return EncryptedError(
            "The PDF uses an encryption that is not supported.", next="Save an unencrypted copy and open that."
        )
    whole = b"%%EOF" in data[-2048:]
    seen = f"{len(data)} bytes, " + ("with an end mark" if whole else "no end mark: the file looks truncated")
    return DamagedError("The PDF is damaged beyond repair.", seen=seen, next="Download it again.")


def _title(document: Document, assembled: Assembled, metadata: Metadata) -> str:
    if document.title is not None:
        span = document.title.place
        return assembled.text[span.start : span.end]
    return metadata.fields.get("title", "")


def _pages(pages: list[ReadPage], document: Document, assembled: Assembled, metadata: Metadata) -> tuple[Page, ...]:
    ends = [*assembled.page_starts[1:], len(assembled.text)]
    return tuple(
        Page(
            page.layout.number,
            label,
            page.layout.width,
            page.layout.height,
            start,
            end,
            tuple(furniture),
            scanned=page.scanned,
            unread=page.unread,
        )
        for page, label, start, end, furniture in zip(
            pages, metadata.labels, assembled.page_starts, ends, document.furniture, strict=True
        )
    )


def _first_page(document: Document, assembled: Assembled) -> list[str]:
    """What the first page prints, its furniture first, references left out."""
    return [item.text for item in document.furniture[0]] + _texts(assembled, 1)


def _texts(assembled: Assembled, pages: int) -> list[str]:
    """The blocks of the first pages, references left out."""
    blocks = (
        b for b in assembled.blocks if b.page is not None and b.page <= pages and b.kind is not BlockKind.REFERENCE
    )
    return [assembled.text[block.start : block.end] for block in blocks]


def _short_texts(document: Document, assembled: Assembled) -> list[str]:
    """What the first two pages print beside their running text: furniture, neighbouring lines joined, and notes."""
    texts: list[str] = []
    for furniture in document.furniture[:_FRONT_PAGES]:
        lines = [item for item in furniture if item.kind in _LINES]
        texts += [" ".join(item.text for item in group) for group in _neighbours(lines)]
    notes = (b for b in assembled.blocks if b.page is not None and b.page <= _FRONT_PAGES and b.kind in _NOTES)
    return texts + [assembled.text[block.start : block.end] for block in notes]


def _neighbours(lines: list[Furniture]) -> list[list[Furniture]]:
    """Lines of furniture in groups: of one kind, each right under the one before."""
    groups: list[list[Furniture]] = []
    for line in lines:
        last = groups[-1][-1] if groups else None
        height = line.bbox.y1 - line.bbox.y0
        if last is not None and last.kind is line.kind and 0 < line.bbox.y0 - last.bbox.y0 < 2 * height:
            groups[-1].append(line)
        else:
            groups.append([line])
    return groups
