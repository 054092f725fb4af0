"""A source of any format becomes a Paper: the format is told from the bytes alone."""

import importlib
import re
from collections.abc import Callable
from typing import TYPE_CHECKING

from pincite_core.errors import EmptySourceError, UnknownFormatError
from pincite_papers.model import Paper, SourceFormat

if TYPE_CHECKING:
    from pincite_papers.ocr.recognise import MakeReader

_PARSERS = {
    SourceFormat.PDF: "pincite_papers.pdf:parse_pdf",
    SourceFormat.JATS: "pincite_papers.jats:parse_jats",
    SourceFormat.LATEX: "pincite_papers.latex:parse_latex",
    SourceFormat.HTML: "pincite_papers.html:parse_html",
}
_PDF_WITHIN = 1 << 20
_HEAD = 1 << 16
_ARCHIVES = (b"\x1f\x8b", b"PK\x03\x04", b"BZh", b"\xfd7zXZ\x00")
_TAR_MAGIC = slice(257, 262)
_MARKS = (
    (SourceFormat.JATS, re.compile(rb"<(?:!DOCTYPE\s+)?(?:[a-z]+:)?(?:article|art|pmc-articleset)\b(?![^>]*\bclass=)")),
    (
        SourceFormat.HTML,
        re.compile(rb"<(?:!DOCTYPE\s+)?html\b|<(?:head|body|article|section|div|p|h1)\b", re.IGNORECASE),
    ),
    (SourceFormat.LATEX, re.compile(rb"\\(?:documentclass|documentstyle|begin\s*\{|section\b|input\b)")),
)


def parse_source(data: bytes, *, max_pages: int, make_reader: "MakeReader | None" = None) -> Paper:
    """The Paper of a source's bytes; the error of its parser says why there is none.

    ``make_reader`` makes what reads the pages of a PDF that have no text layer.
    """
    kind = detect_format(data)
    module, _, function = _PARSERS[kind].partition(":")
    parse: Callable[..., Paper] = getattr(importlib.import_module(module), function)
    if kind is SourceFormat.PDF:
        return parse(data, max_pages=max_pages, make_reader=make_reader)
    return parse(data, max_pages=max_pages)


def detect_format(data: bytes) -> SourceFormat:
    """The format of a source; UnknownFormatError when it is none that can be read.

    A PDF may have bytes before its header. A compressed or tar archive is a LaTeX source, as arXiv gives it.
    """
    if not data.strip():
        raise EmptySourceError(
            "The file is empty.", seen=f"{len(data)} bytes", next="Check the download, then try again."
        )
    head = data[:_HEAD]
    if head.startswith(_ARCHIVES) or head[_TAR_MAGIC] == b"ustar":
        return SourceFormat.LATEX
    if data.find(b"%PDF-", 0, 1024) >= 0:
        return SourceFormat.PDF
    found = sorted((match.start(), kind) for kind, mark in _MARKS if (match := mark.search(_narrowed(head))))
    if found:
        return found[0][1]
    if data.find(b"%PDF-", 0, _PDF_WITHIN) >= 0:
        return SourceFormat.PDF
    raise UnknownFormatError(
        "The file is no paper in a format that can be read.",
        seen=f"it starts with {data[:16]!r}",
        next="Give a PDF, a JATS XML file, a LaTeX source (.tex or its archive) or an HTML page.",
    )


def _narrowed(head: bytes) -> bytes:
    """The head without the zero bytes of UTF-16 and UTF-32, so that marks of ASCII are seen in it."""
    return head.replace(b"\x00", b"") if head.startswith((b"\xff\xfe", b"\xfe\xff", b"\x00<", b"<\x00")) else head
