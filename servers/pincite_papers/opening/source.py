"""A source of any format becomes a Paper."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from pincite_core.lazy import load
from pincite_papers.model import Paper, SourceFormat
from pincite_papers.opening.detect import detect_format

if TYPE_CHECKING:
    from pincite_papers.pdf.ocr.recognise import MakeReader

_PARSERS = {
    SourceFormat.PDF: "pincite_papers.pdf.parse:parse_pdf",
    SourceFormat.JATS: "pincite_papers.jats:parse_jats",
    SourceFormat.LATEX: "pincite_papers.latex:parse_latex",
    SourceFormat.HTML: "pincite_papers.html:parse_html",
    SourceFormat.DOCX: "pincite_papers.office:parse_docx",
    SourceFormat.XLSX: "pincite_papers.office:parse_xlsx",
    SourceFormat.EPUB: "pincite_papers.html.epub:parse_epub",
    SourceFormat.TEI: "pincite_papers.jats:parse_jats",
    SourceFormat.ELSEVIER: "pincite_papers.jats:parse_jats",
}


def parse_source(data: bytes, *, max_pages: int, make_reader: "MakeReader | None" = None) -> Paper:
    """The Paper of a source's bytes; raises the parser's error when it cannot be read.

    ``make_reader`` makes what reads the pages of a PDF that have no text layer.
    """
    kind = detect_format(data)
    parse: Callable[..., Paper] = load(_PARSERS[kind])
    if kind is SourceFormat.PDF:
        return parse(data, max_pages=max_pages, make_reader=make_reader)
    return parse(data, max_pages=max_pages)
